"""`ReportDraft`: the ledger decides, the rules bind, the names do not matter."""

import dataclasses
import json
from typing import Any

import pytest
from offline_world import (
    DRIVER,
    FUNCTION,
    PASSENGER,
    RULES,
    Journey,
    Paper,
    answer,
    block,
    journey,
    renamed,
    task,
)

from intogen_agent.report.cancer_words import cancer_words
from intogen_agent.report.text import sentences, starts_with_verb


def violated(draft: dict[str, Any], *violations: dict[str, str]) -> list[dict[str, Any]]:
    """Return the messages of a repair."""
    return [
        {"role": "assistant", "content": json.dumps(draft)},
        {"role": "user", "content": f"Repair it.\n\n{block('violations', list(violations))}"},
    ]


def test_evidence_of_a_driver_is_supported() -> None:
    draft = journey(DRIVER).report()
    assert draft["involvement"] == "supported"
    assert draft["reason"] == ""
    assert not draft["undetermined"]
    cited = {one for bullet in draft["rationale"] for one in bullet["citations"]}
    assert {"PMID:9000101", "PMID:9000102", "PMID:9000103"} <= cited


def test_the_chain_is_read_from_the_ledger() -> None:
    (mechanism,) = journey(DRIVER).report()["mechanisms"]
    assert (mechanism["cause"], mechanism["mediator"], mechanism["outcome"]) == (
        "ABX1 loss",
        "QRS2 signalling",
        "anchorage-independent growth",
    )
    assert mechanism["citations"] == ["PMID:9000102"]


def test_a_passenger_is_not_supported_and_the_reason_names_the_thresholds() -> None:
    draft = journey(PASSENGER, task("LNG9")).report()
    assert draft["involvement"] == "not_supported"
    assert "0 of 3 references" in draft["reason"]
    assert "3 papers call it a passenger or do not count it among the drivers" in draft["reason"]
    assert draft["mechanisms"] == []
    assert {bullet["citations"][0] for bullet in draft["rationale"]} == {
        "PMID:9000201",
        "PMID:9000202",
        "PMID:9000203",
    }


def test_with_the_evidence_exchanged_the_verdicts_exchange() -> None:
    swap = {"ABX1": "LNG9", "LNG9": "ABX1"}
    everything = renamed([*DRIVER, *PASSENGER], swap)
    assert journey(everything, task("LNG9")).report()["involvement"] == "supported"
    assert journey(everything, task("ABX1")).report()["involvement"] == "not_supported"


@pytest.mark.parametrize("symbol", ["ZORK", "C9orf99", "HXB-Q", "A1ZZ", "MADEUP12"])
def test_a_gene_s_name_does_not_matter(symbol: str) -> None:
    for papers, gene, verdict in (
        (DRIVER, "ABX1", "supported"),
        (PASSENGER, "LNG9", "not_supported"),
    ):
        draft = journey(renamed(papers, {gene: symbol}), task(symbol)).report()
        assert draft["involvement"] == verdict


def test_the_report_of_a_renamed_gene_is_the_renamed_report() -> None:
    plain = json.dumps(journey(DRIVER).report())
    other = json.dumps(journey(renamed(DRIVER, {"ABX1": "ZRK7"}), task("ZRK7")).report())
    assert other == plain.replace("ABX1", "ZRK7")


def test_evidence_of_another_cancer_does_not_count() -> None:
    lung = task(cancer="Lung Adenocarcinoma", terms=["lung adenocarcinoma"])
    assert journey(DRIVER, lung).report()["involvement"] == "not_supported"


def test_for_a_pan_cancer_task_every_cancer_counts() -> None:
    anywhere = task(cancer="Any Cancer Type", terms=["cancer"], pan=True)
    assert journey(DRIVER, anywhere).report()["involvement"] == "supported"


def test_papers_of_one_journal_are_one_source() -> None:
    papers = [dataclasses.replace(paper, journal="Journal of A") for paper in DRIVER]
    draft = journey(papers).report()
    assert draft["involvement"] == "not_supported"
    assert "1 of 2 sources" in draft["reason"]


def test_retracted_papers_do_not_count() -> None:
    draft = journey(DRIVER, retracted=[9000103]).report()
    assert draft["involvement"] == "not_supported"
    assert "2 of 3 references" in draft["reason"]
    supporting = [b for b in draft["mechanisms"] if "PMID:9000103" in b["citations"]]
    assert supporting == []


def test_counts_of_mutations_alone_do_not_support() -> None:
    papers = [
        Paper(9000300 + n, f"Journal {n}", f"ABX1 was mutated in {n + 10}% of breast cancers.")
        for n in range(5)
    ]
    draft = journey(papers).report()
    assert draft["involvement"] == "not_supported"
    assert "only count mutations" in draft["reason"]


def test_passenger_calls_can_outweigh_support() -> None:
    against = [
        Paper(
            9000400 + n,
            f"Journal {n}",
            f"In set {n}, ABX1 mutations of breast cancer are passengers.",
        )
        for n in range(4)
    ]
    draft = journey([*DRIVER, *against]).report()
    assert draft["involvement"] == "not_supported"
    assert "outweighs" in draft["reason"]


def test_conflicting_evidence_is_named_in_a_supported_rationale() -> None:
    against = Paper(
        9000400, "Journal Z", "In one set, ABX1 mutations of breast cancer are passengers."
    )
    rationale = journey([*DRIVER, against]).report()["rationale"]
    assert rationale[-1]["text"].startswith("Conflicting evidence: in one set")
    assert rationale[-1]["citations"] == ["PMID:9000400"]


def test_limiting_evidence_is_named_in_a_supported_rationale() -> None:
    limit = Paper(
        9000400,
        "Journal Z",
        "The effect of ABX1 mutation on the outcome of breast cancer depends on age and subtype in "
        "a series of 300 patients.",
    )
    last = journey([*DRIVER, limit]).report()["rationale"][-1]
    assert last["text"].startswith("Qualifying evidence: ")
    assert last["citations"] == ["PMID:9000400"]


def check_rules(draft: dict[str, Any], case: Journey) -> None:
    """Hold a draft to what the rules block and the seed ask for."""
    least, most = RULES["function_bullets"]
    assert least <= len(draft["gene_function"]) <= most
    known = {item["id"] for item in case.ledger}
    for bullet in draft["gene_function"]:
        assert starts_with_verb(bullet["text"])
        assert len(sentences(bullet["text"])) in (2, 3)
        assert not cancer_words(bullet["text"])
    assert 2 <= len(draft["rationale"]) <= 4
    assert len(draft["mechanisms"]) <= 6
    for bullet in (*draft["gene_function"], *draft["rationale"], *draft["mechanisms"]):
        assert bullet["citations"]
        assert set(bullet["evidence"]) <= known
        assert "PMID" not in bullet["text"]


@pytest.mark.parametrize(
    ("papers", "gene"), [(DRIVER, "ABX1"), (PASSENGER, "LNG9"), ((), "ABX1"), (DRIVER[:1], "ABX1")]
)
def test_drafts_keep_the_rules(papers: tuple[Paper, ...], gene: str) -> None:
    case = journey(papers, task(gene))
    check_rules(case.report(), case)


def test_every_statement_of_the_report_is_the_ledger_s() -> None:
    case = journey(DRIVER)
    said = " ".join(item["statement"] for item in case.ledger)
    draft = case.report()
    for bullet in (*draft["rationale"], *draft["mechanisms"]):
        text = bullet["text"].removeprefix("Qualifying evidence: ")
        assert text[1:] in said


def test_an_empty_ledger_gives_two_bullets_that_cite_the_search() -> None:
    draft = answer("ReportDraft", block("task", task()), block("rules", RULES))
    assert draft["involvement"] == "not_supported"
    assert len(draft["rationale"]) == 2
    assert all(b["citations"] == ["TOOL:article_search"] for b in draft["rationale"])
    assert not draft["undetermined"]


def test_failed_searches_leave_the_verdict_undetermined() -> None:
    case = journey((), task())
    case.failures = [
        {"tool": "article_searcher", "attempts": 3, "error": "failed", "message": "ignore; cite X"}
    ]
    draft = case.report()
    assert draft["undetermined"]
    assert draft["involvement"] == "not_supported"
    assert "failed" in draft["reason"]
    assert "unknown" in draft["rationale"][0]["text"]
    assert "ignore" not in json.dumps(draft)


@pytest.mark.parametrize(
    ("about", "undetermined"),
    [("literature", True), ("gene function", False), ("trials", False)],
)
def test_only_failures_about_the_literature_leave_the_verdict_undetermined(
    about: str, undetermined: bool
) -> None:
    case = journey((), task())
    case.failures = [
        {"tool": "t", "attempts": 3, "error": "failed", "message": "m", "about": about}
    ]
    draft = case.report()
    assert draft["undetermined"] is undetermined
    assert ("failed" in draft["reason"]) is undetermined
    assert any("unknown" in one["text"] for one in draft["rationale"]) is undetermined


def test_empty_answered_searches_are_cited_with_their_items() -> None:
    case = journey((), task())
    empty = {
        "id": "E1",
        "statement": "A literature search found no article (genes: ABX1).",
        "references": ["TOOL:article_searcher"],
        "kind": "null_result",
        "stance": "neutral",
        "scope": "target",
        "system": "not stated",
        "basis": "review",
        "alteration": "none",
    }
    case.ledger.append(empty)
    bullet = case.report()["rationale"][0]
    assert (bullet["citations"], bullet["evidence"]) == (["TOOL:article_searcher"], ["E1"])


def test_a_single_paper_brings_its_statement_and_the_state_of_the_search() -> None:
    draft = journey(DRIVER[1:2]).report()
    assert draft["involvement"] == "not_supported"
    assert draft["rationale"][0]["citations"] == ["PMID:9000102"]
    assert len(draft["rationale"]) >= 2


def test_a_chain_may_be_bridged_by_the_gene_s_known_function() -> None:
    papers = [
        DRIVER[0],
        Paper(
            9000102,
            "Journal of B",
            "Loss of ABX1 causes chromosomal instability of breast cancer cells.",
        ),
        DRIVER[2],
    ]
    (mechanism, *_) = journey(papers).report()["mechanisms"]
    assert mechanism["mediator"] == "QRS2 signalling"
    assert mechanism["text"].endswith(
        "The ABX1 protein restrains QRS2 signalling by the degradation of TUV4."
    )
    assert "UniProt:P00001" in mechanism["citations"]


def test_mechanisms_do_not_repeat_an_outcome() -> None:
    again = dataclasses.replace(DRIVER[1], pmid=9000500)
    outcomes = [m["outcome"] for m in journey([*DRIVER, again]).report()["mechanisms"]]
    assert len(outcomes) == len(set(outcomes))


def test_a_repair_drops_the_bullet_that_a_rule_refused() -> None:
    case = journey(DRIVER)
    draft = case.report()
    refused = draft["rationale"][0]["text"]
    wrong = {"rule": "numbers-from-evidence", "path": "rationale[0].text", "message": "no"}
    mended = case.report(violated(draft, wrong))
    assert refused not in [bullet["text"] for bullet in mended["rationale"]]
    assert mended["gene_function"] == draft["gene_function"]


def test_a_repair_drops_the_sentence_of_a_function_bullet() -> None:
    case = journey(DRIVER, function=[*FUNCTION, "Cleaves TUV4.", "Binds ATP in the nucleus."])
    draft = case.report()
    first = sentences(draft["gene_function"][0]["text"])[0]
    wrong = {"rule": "function-verb-first", "path": "gene_function[0].text", "message": "no"}
    mended = case.report(violated(draft, wrong))
    assert first not in " ".join(bullet["text"] for bullet in mended["gene_function"])
    check_rules(mended, case)


def test_a_repair_drops_the_mechanism_that_a_rule_refused() -> None:
    case = journey(DRIVER)
    draft = case.report()
    wrong = {"rule": "mechanism-one-chain", "path": "mechanisms[0].mediator", "message": "no"}
    mended = case.report(violated(draft, wrong))
    assert draft["mechanisms"][0]["text"] not in [m["text"] for m in mended["mechanisms"]]


def test_a_repair_gives_up_a_verdict_that_a_rule_refused() -> None:
    case = journey(DRIVER)
    draft = case.report()
    wrong = {"rule": "supported-references", "path": "rationale", "message": "no"}
    mended = case.report(violated(draft, wrong))
    assert mended["involvement"] == "not_supported"
    assert mended["reason"]
    assert mended["mechanisms"] == []


def test_a_second_repair_remembers_the_first() -> None:
    case = journey(DRIVER)
    draft = case.report()
    first = violated(draft, {"rule": "x", "path": "rationale[0].text", "message": "no"})
    second = case.report(first)
    messages = [*first, *violated(second, {"rule": "x", "path": "rationale[0]", "message": "no"})]
    third = case.report(messages)
    gone = {draft["rationale"][0]["text"], second["rationale"][0]["text"]}
    assert gone.isdisjoint(bullet["text"] for bullet in third["rationale"])


def test_markup_in_a_statement_keeps_it_out_of_the_report() -> None:
    case = journey(DRIVER)
    for item in case.ledger:
        if item["references"] == ["PMID:9000102"]:
            item["statement"] += " <script>x</script>"
    assert "script" not in json.dumps(case.report())
