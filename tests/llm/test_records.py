"""What is recorded of a call: OpenTelemetry's names, tokens, price; never a key."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_server import QUESTION, error, message, run

from intogen_agent.config.llm_settings import Price
from intogen_agent.config.roles import Role
from intogen_agent.files import digest
from intogen_agent.llm.models import Models
from intogen_agent.provenance.attributes import Usage, of_answer, price_of, read_usage, total_price

pytestmark = pytest.mark.usefixtures("api")


async def ask(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, QUESTION)


def test_a_call_is_recorded_under_the_names_of_opentelemetry(tmp_path: Path, api: str) -> None:
    role = {"temperature": 0.5, "max_output_tokens": 9}
    prices = {"asked-1": {"input": 2.0, "cached_input": 0.5, "output": 10.0}}
    ran = run(tmp_path, [message("Because.")], ask, role=role, prices=prices)
    meta = ran.entries[0]["meta"]
    expected = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "test",
        "gen_ai.request.model": "asked-1",
        "gen_ai.response.model": "served-1",
        "gen_ai.request.temperature": 0.5,
        "gen_ai.request.max_tokens": 9,
        "gen_ai.output.type": "text",
        "gen_ai.usage.input_tokens": 11,
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.usage.cache_read.input_tokens": 3,
        "gen_ai.usage.reasoning.output_tokens": 2,
        "gen_ai.response.finish_reasons": ["stop" if api == "chat" else "completed"],
        "server.address": "127.0.0.1",
        "intogen_agent.request.digests": [digest(item)[:16] for item in QUESTION],
        "intogen_agent.price": 6.75e-5,
        "intogen_agent.estimated_input_tokens": 6,
        "outcome": "answer",
        "attempts": ["answer"],
    }
    assert {key: meta.get(key) for key in expected} == expected
    assert ran.entries[0]["seconds"] >= 0 and ran.entries[0]["request"]["messages"] == QUESTION


def test_a_failure_is_recorded_with_its_kind(tmp_path: Path) -> None:
    ran = run(tmp_path, [error(400, message="no such model")], ask)
    meta = ran.entries[0]["meta"]
    assert meta["error.type"] == "rejected" and "no such model" in meta["failure"]["message"]


COUNTS = st.none() | st.integers(0, 10**7)
PRICES = st.floats(0, 1000)


@given(st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS), PRICES, PRICES)
def test_cached_tokens_never_make_a_call_dearer(usage: Usage, dear: float, cheap: float) -> None:
    full, part = max(dear, cheap), min(dear, cheap)
    with_cache = price_of(usage, Price(input=full, cached_input=part, output=1))
    without = price_of(usage, Price(input=full, output=1))
    if usage.input_tokens is None or usage.output_tokens is None:
        assert with_cache is None and without is None
    else:
        assert with_cache is not None and without is not None
        assert 0 <= with_cache <= without + 1e-6


def test_the_price_of_a_million_tokens_is_the_tables() -> None:
    price = Price(input=2, cached_input=0.5, output=10)
    assert price_of(Usage(1_000_000, 0, 0), price) == 2
    assert price_of(Usage(1_000_000, 0, 1_000_000), price) == 0.5
    assert price_of(Usage(0, 1_000_000, None, 900_000), price) == 10
    assert price_of(Usage(1, 1), None) is None
    assert total_price([None, 1.5, None, 0.25]) == 1.75 and total_price([None]) is None


@given(
    st.none()
    | st.dictionaries(
        st.sampled_from(["id", "model", "choices", "status"]),
        st.none() | st.integers() | st.lists(st.integers()),
    )
)
def test_any_body_gives_attributes(body: Any) -> None:
    usage = Usage(1, None, 3, None)
    assert read_usage(of_answer(body, usage)) == usage
