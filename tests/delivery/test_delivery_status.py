import json
import os

import pytest
from trees import (
    PRESENT,
    make_call,
    make_phase2,
    make_provenance,
    make_report,
    make_summary,
    make_task,
)

from intogen_agent.delivery.status import stale, status
from intogen_agent.delivery.tokens import run_tokens
from intogen_agent.files import write_gzip_lines
from intogen_agent.models import Stage
from intogen_agent.provenance.attributes import Usage
from intogen_agent.report.models import ReportProvenance


def counts(tree, **options):
    """Return the counts of each stage: done, running, waiting, failed, stopped."""
    lines = status(tree.results, tree.tasks, **options).splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("stage"))
    assert lines[first].split() == ["stage", "done", "running", "waiting", "failed", "stopped"]
    found = (line.split() for line in lines[first + 1 : first + 7])
    return {stage: tuple(map(int, numbers)) for stage, *numbers in found}


def test_a_finished_run(tree):
    for code in ("COADREAD", "CANCER"):
        tree.add(make_task(code=code))
    text = status(tree.results, tree.tasks)
    assert text.startswith(f"{tree.results}: 2 of 2 pairs complete, 1 gene\n")
    assert "failures" not in text
    assert counts(tree) == {"phase1": (1, 0, 0, 0, 0)} | {
        stage.value: (2, 0, 0, 0, 0) for stage in Stage if stage is not Stage.PHASE1
    }


def test_a_run_that_has_not_begun(tree):
    tree.tasks.append(make_task())
    assert set(counts(tree).values()) == {(0, 0, 1, 0, 0)}


def test_each_stage_counts_for_itself(tree):
    task = tree.add(make_task())
    tree.remove(task, "reviewed.json", "summary.json", "report.md", "summary.md")
    tree.remove(task, "provenance.json")
    tree.fail(task.path, "critique")
    tree.write(f"{task.path}/.journal/summary.jsonl", "")
    assert counts(tree) == {
        "phase1": (1, 0, 0, 0, 0),
        "phase2": (1, 0, 0, 0, 0),
        "report": (1, 0, 0, 0, 0),
        "critique": (0, 0, 0, 1, 0),
        "summary": (0, 0, 0, 0, 1),
        "render": (0, 0, 1, 0, 0),
    }


@pytest.mark.parametrize(
    ("path", "state"),
    [("APC/failure.json", (0, 0, 0, 1, 0)), ("APC/.journal/phase1.jsonl", (0, 0, 0, 0, 1))],
)
def test_the_states_of_phase_1(tree, path, state):
    tree.tasks.append(make_task())
    tree.write(path, "{}")
    assert counts(tree)["phase1"] == state


def test_failures_name_their_log_and_leave_out_what_they_block(tree):
    for code in ("COADREAD", "PAAD"):
        tree.tasks.append(make_task(code=code))
    tree.fail("APC", "phase1", "evidence_unavailable", "nobody\nanswered")
    text = status(tree.results, tree.tasks)
    assert "failures: 1\n" in text
    assert "  APC phase1: evidence_unavailable: nobody answered\n" in text
    assert f"    log: {tree.results}/_run/logs/APC/phase1.log\n" in text
    assert "blocked" not in text


def test_the_last_failures_come_first_and_the_others_are_counted(tree):
    for number in range(12):
        task = make_task(f"GENE{number}")
        tree.tasks.append(task)
        tree.fail(task.path, "phase2", message=f"message {number}")
        os.utime(tree.results / task.path / "failure.json", (number, number))
    text = status(tree.results, tree.tasks)
    assert "failures: 12, the last 10:\n" in text
    shown = [line.split()[0] for line in text.splitlines() if line.startswith("  GENE")]
    assert shown == [f"GENE{number}" for number in range(11, 1, -1)]


def test_tokens_of_phase_1_count_once_per_gene(tree):
    for code in ("COADREAD", "CANCER"):
        tree.add(make_task(code=code))
    tokens = run_tokens(tree.results, tree.tasks)
    assert (tokens.usage, tokens.calls) == (Usage(100 + 2 * 10, 50 + 2 * 5), 1 + 2)
    assert "\ntokens: 120 in, 60 out, 3 model calls\n" in status(tree.results, tree.tasks)
    assert "price" not in status(tree.results, tree.tasks)


@pytest.mark.parametrize(
    ("calls", "lines"),
    [
        (
            [{"cached_tokens": 30}, {}],
            ["tokens: 200 in (15 % from the provider's cache), 100 out, 2 model calls"],
        ),
        (
            [{"cached_tokens": 0}],
            ["tokens: 100 in (0 % from the provider's cache), 50 out, 1 model call"],
        ),
        (
            [{"price": 1000.5}, {"price": 200.25}],
            [
                "tokens: 200 in, 100 out, 2 model calls",
                "price: 1,200.75 (in the currency of llm.prices)",
            ],
        ),
        (
            [{"price": 0.003}, {}, {}],
            [
                "tokens: 300 in, 150 out, 3 model calls",
                "price: below 0.01 (in the currency of llm.prices; calls without a price: 2)",
            ],
        ),
        (
            [{"price": 0.0}],
            [
                "tokens: 100 in, 50 out, 1 model call",
                "price: 0.00 (in the currency of llm.prices)",
            ],
        ),
    ],
    ids=["cached", "none-cached", "priced", "partly-priced", "free"],
)
def test_the_cached_share_and_the_price_are_told_where_they_are_known(tree, calls, lines):
    task = tree.add(make_task())
    records = [make_call("report", tokens=100, **call) for call in calls]
    tree.replace(task, make_provenance(task, [*records, make_call("report", "tool")]))
    assert run_tokens(tree.results, tree.tasks).lines() == lines
    assert "\n\n" + "\n".join(lines) + "\n" in status(tree.results, tree.tasks)


def entry(stage, tokens, kind="llm", price=None):
    meta = {"gen_ai.usage.input_tokens": tokens, "gen_ai.usage.output_tokens": 1}
    meta |= {} if price is None else {"intogen_agent.price": price}
    return json.dumps({"kind": kind, "stage": stage, "meta": meta})


def test_tokens_of_an_unfinished_pair_come_from_its_journals_and_audit(tree):
    task = tree.add(make_task())
    tree.remove(task, "provenance.json")
    folder = tree.results / task.path
    journal = [
        entry("report", 7, price=0.5),
        json.dumps({"event": "failure"}),
        entry("report", 2, "tool"),
    ]
    tree.write(f"{task.path}/.journal/report.jsonl", "\n".join(journal) + "\n")
    write_gzip_lines(
        folder / "audit.jsonl.gz", [entry("report", 1000), entry("critique", 20, price=0.25)]
    )
    write_gzip_lines(folder.parent / "audit.jsonl.gz", [entry("phase1", 300)])
    tokens = run_tokens(tree.results, tree.tasks)
    assert (tokens.usage, tokens.calls) == (Usage(327, 3), 3)
    assert (tokens.price, tokens.priced) == (0.75, 2)


def test_a_record_of_before_prices_is_read(tree):
    task = tree.add(make_task())
    value = make_provenance(task).model_dump(mode="json")
    for call in value["calls"]:
        for name in ("price", "reasoning_tokens", "attributes"):
            del call[name]
    tree.write(f"{task.path}/provenance.json", json.dumps(value))
    assert run_tokens(tree.results, tree.tasks).usage == Usage(110, 55)


@pytest.mark.parametrize("content", ["", "no gzip", "\x1f\x8b\x08"])
def test_a_damaged_audit_or_record_does_not_stop_the_status(tree, content):
    task = tree.add(make_task())
    tree.write(f"{task.path}/provenance.json", "{")
    tree.write(f"{task.path}/audit.jsonl.gz", content)
    assert run_tokens(tree.results, tree.tasks).calls == 0


def stale_lines(tree, present=PRESENT):
    return stale(tree.results, tree.tasks, present).splitlines()


def test_nothing_is_stale(tree):
    tree.add(make_task())
    tree.tasks.append(make_task("KRAS", "PAAD"))
    assert stale_lines(tree) == ["Every result is current."]


@pytest.mark.parametrize(
    ("stage", "target"),
    [
        ("phase1", "APC/phase1.json"),
        ("phase2", "APC/COADREAD/phase2.json"),
        ("report", "APC/COADREAD/report.json"),
        ("critique", "APC/COADREAD/critique.json"),
        ("summary", "APC/COADREAD/summary.json"),
    ],
)
def test_the_first_stage_of_another_configuration_is_made_anew(tree, stage, target):
    tree.add(make_task())
    lines = stale_lines(tree, {**PRESENT, stage: "other", "summary": "other"})
    assert lines[:2] == ["gene\tcancer_type\tpath\tstage", f"APC\tCOADREAD\tAPC/COADREAD\t{stage}"]
    assert lines[-1] == f"snakemake --forcerun {tree.results}/{target}"


def test_a_gene_is_named_once_in_the_command(tree):
    for code in ("COADREAD", "CANCER"):
        tree.add(make_task(code=code))
    lines = stale_lines(tree, {**PRESENT, "phase1": "other"})
    assert len(lines) == 6
    assert lines[-1] == f"snakemake --forcerun {tree.results}/APC/phase1.json"


@pytest.mark.parametrize(
    ("used", "stage"),
    [
        ({"phase1_fingerprint": "old", "phase2_fingerprint": "phase2-now"}, "phase2"),
        ({"phase1_fingerprint": "phase1-now", "phase2_fingerprint": "old"}, "report"),
    ],
)
def test_evidence_made_anew_asks_for_what_follows_it(tree, used, stage):
    task = tree.add(make_task())
    tree.replace(task, make_report(task, Stage.CRITIQUE, provenance=ReportProvenance(**used)))
    assert stale_lines(tree)[1].split("\t")[-1] == stage


def test_an_unfinished_pair_can_be_stale(tree):
    task = make_task()
    tree.add(task, make_phase2(task, fingerprint="old"))
    assert stale_lines(tree)[1] == "APC\tCOADREAD\tAPC/COADREAD\tphase2"


def test_only_stale_pairs_are_listed(tree):
    tree.add(make_task())
    other = tree.add(make_task("KRAS", "PAAD"))
    tree.replace(other, make_summary(other, fingerprint="old"))
    lines = stale_lines(tree)
    assert [line.split("\t")[0] for line in lines[1:-3]] == ["KRAS"]
