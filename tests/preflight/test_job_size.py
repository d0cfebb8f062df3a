"""What a pair's Slurm job asks for at its first attempt."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.preflight.job_size import first_attempt
from intogen_agent.preflight.profiles import started_with


@pytest.mark.parametrize(
    ("runtime", "option"),
    [
        ("60", "--time=300"),
        ("60 * attempt", "--time=300"),
        ("30 * attempt ** 2", None),
        ("max(10, 20 * attempt) + 2", "--time=110"),
        ("int(90 / 2)", "--time=225"),
        ("-(-7) // 2", "--time=15"),
        ("2h", "--time=600"),
        ("1.5 d", "--time=10800"),
        ("90 min", "--time=450"),
        ("30s", "--time=5"),
        ("2 parsecs", None),
        ("__import__('os').getpid()", None),
        ("input.size_mb", None),
        ("60 if attempt else 1", None),
        ("1 / 0", None),
        ("1e999", None),
        ("min()", None),
        ("(", None),
    ],
)
def test_the_time_of_a_pair_is_that_of_five_stages(runtime: str, option: str | None) -> None:
    size = first_attempt({"runtime": runtime})
    assert size.of_a_pair() == ([option] if option else [])
    assert size.untried == (() if option else ("runtime",))


@pytest.mark.parametrize(
    ("resources", "option"),
    [
        ({"mem_mb": "1000 * attempt"}, "--mem=1000M"),
        ({"mem_mb": "2GB"}, "--mem=2000M"),
        ({"mem": "8GB"}, "--mem=8000M"),
        ({"mem_mb": "1000", "mem_mb_per_cpu": "500"}, "--mem-per-cpu=500M"),
    ],
)
def test_memory_is_that_of_one_stage(resources: dict[str, str], option: str) -> None:
    assert first_attempt(resources).of_a_pair() == [option]


def test_the_place_of_a_job_is_the_profiles() -> None:
    resources = {
        "slurm_account": "lab",
        "slurm_partition": "long",
        "qos": "quick",
        "constraint": "fast",
        "slurm_extra": "--reservation=ours '--mail-type=END'",
    }
    assert first_attempt(resources).of_a_pair() == [
        "--account=lab", "--partition=long", "--qos=quick", "--constraint=fast",
        "--reservation=ours", "--mail-type=END",
    ]  # fmt: skip


def test_the_shipped_profile_asks_for_five_hours_and_a_gigabyte(root: Path) -> None:
    started = started_with([str(root / "profiles" / "slurm")], [], [], root)
    assert first_attempt(started.resources).of_a_pair() == ["--time=300", "--mem=1000M"]


def test_the_sum_of_minutes_is_over_the_stages_of_the_group(root: Path) -> None:
    rules = [path.read_text() for path in (root / "rules").glob("*.smk")]
    assert sum('group:\n        "pair"' in text for text in rules) == 5


@given(st.text(max_size=40) | st.from_regex(r"[0-9a-z+*/(). -]{1,20}", fullmatch=True))
def test_no_text_of_a_profile_is_too_odd(text: str) -> None:
    size = first_attempt({"runtime": text, "mem_mb": text, "slurm_extra": f"'{text}"})
    sizes = [option for option in size.of_a_pair() if option not in size.place]
    assert all(option.startswith(("--time=", "--mem=")) for option in sizes)
