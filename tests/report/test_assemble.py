"""From the model's draft to the report and back."""

from typing import Any

import pytest
from drafts import HEAD, SEEN, TCF, resolve

from intogen_agent.report.assemble import (
    Assembled,
    assemble,
)
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Violation, violations
from intogen_agent.report.wire import DraftBullet, DraftMechanism, ReportDraft


def bullet(*citations: str, text: str = "Binds axin. Binds catenin.") -> DraftBullet:
    return DraftBullet(text=text, citations=list(citations), evidence=["E1"])


def mechanism(*citations: str, cause: str = "APC loss", evidence: str = "E1") -> DraftMechanism:
    return DraftMechanism(
        text="Loss of APC frees beta-catenin.",
        cause=cause,
        mediator="WNT signaling",
        outcome="growth",
        citations=list(citations),
        evidence=[evidence],
    )


def draft(**fields: Any) -> ReportDraft:
    return ReportDraft(
        **{
            "gene_function": [],
            "involvement": "supported",
            "undetermined": False,
            "reason": "",
            "rationale": [],
            "mechanisms": [],
            **fields,
        }
    )


def assembled(**fields: Any) -> Assembled:
    return assemble(draft(**fields), HEAD, resolve)


def ids(report: FinalReport) -> list[str]:
    return [reference.id for reference in report.references]


def test_references_are_numbered_by_first_appearance_across_sections() -> None:
    report = assembled(
        gene_function=[bullet("UniProt:P25054")],
        rationale=[bullet("PMID:22810696", "UniProt:P25054")],
        mechanisms=[mechanism("PMID:9065401", "PMID:22810696")],
    ).report
    assert ids(report) == ["UniProt:P25054", "22810696", "9065401"]
    assert [reference.index for reference in report.references] == [1, 2, 3]
    assert report.assessment.rationale[0].citations == [1, 2]
    assert report.mechanistic_hypothesis is not None
    assert report.mechanistic_hypothesis.bullets[0].citations == [2, 3]


def test_metadata_and_addresses_come_from_the_resolver() -> None:
    report = assembled(rationale=[bullet("PMID:9065401", "PMID:22810696", "UniProt:P25054")]).report
    tcf, tcga, uniprot = report.references
    assert (tcf.title, tcf.journal, tcf.year) == (TCF.title, "Science", 1997)
    assert (tcf.tracked, tcf.first_seen, tcf.also) == (True, SEEN, TCF.also)
    assert tcga.retracted
    assert tcga.url == "https://pubmed.ncbi.nlm.nih.gov/22810696/"
    assert uniprot.url == "https://www.uniprot.org/uniprotkb/P25054/entry"


@pytest.mark.parametrize(
    ("text", "kind", "url"),
    [
        ("PMID:999", "pmid", "https://pubmed.ncbi.nlm.nih.gov/999/"),
        ("DOI:10.1000/ABC", "doi", "https://doi.org/10.1000/abc"),
        ("NCT01234567", "nct", "https://clinicaltrials.gov/study/NCT01234567"),
        ("UniProt:P04637", "database", "https://www.uniprot.org/uniprotkb/P04637/entry"),
        ("https://example.org/a", "url", "https://example.org/a"),
    ],
)
def test_an_unknown_identifier_is_an_untracked_reference(text: str, kind: str, url: str) -> None:
    result = assembled(rationale=[bullet(text)])
    (reference,) = result.report.references
    assert (reference.kind, reference.url) == (kind, url)
    assert not reference.tracked
    assert reference.first_seen is None
    assert result.problems == []


@pytest.mark.parametrize("text", ["", "9065401", "the paper of Korinek", "PMID:x", "[3]", "E1"])
def test_an_unreadable_citation_is_a_problem_and_is_left_out(text: str) -> None:
    result = assembled(rationale=[bullet("PMID:9065401"), bullet("PMID:9065401", text)])
    assert ids(result.report) == ["9065401"]
    (problem,) = result.problems
    assert (problem.rule, problem.path) == ("citation-identifier", "rationale[1].citations[1]")
    assert repr(text)[1:-1] in problem.message


def test_a_tool_that_was_not_called_is_a_problem() -> None:
    result = assembled(rationale=[bullet("TOOL:article_searcher", "TOOL:oracle")])
    assert ids(result.report) == ["article_searcher"]
    assert ["oracle" in problem.message for problem in result.problems] == [True]


@pytest.mark.parametrize(
    "second",
    [
        "PMID:9065401",
        "pmid 9065401",
        "DOI:10.1126/science.275.5307.1784",
        "https://doi.org/10.1126/SCIENCE.275.5307.1784",
        "https://www.ncbi.nlm.nih.gov/pubmed/9065401",
    ],
)
def test_one_paper_is_one_reference_by_whichever_id(second: str) -> None:
    result = assembled(rationale=[bullet("PMID:9065401", second), bullet(second)])
    assert ids(result.report) == ["9065401"]
    assert [each.citations for each in result.report.assessment.rationale] == [[1], [1]]
    assert result.edits == [f"rationale[0]: {second} was cited twice"]


def test_citations_are_put_in_order_and_that_is_said() -> None:
    result = assembled(
        gene_function=[bullet("UniProt:P25054"), bullet("PMID:9065401", "UniProt:P25054")]
    )
    assert result.report.gene_function.bullets[1].citations == [1, 2]
    assert result.edits == ["gene_function[1]: citations were put in order"]
    assert result.report.provenance.controller_edits == ["earlier", *result.edits]


def test_mechanisms_with_the_same_triple_are_merged_with_all_their_support() -> None:
    result = assembled(
        mechanisms=[
            mechanism("PMID:9065401"),
            mechanism("UniProt:P25054", cause="APC amplification"),
            mechanism("PMID:22810696", "PMID:9065401", cause="Inactivation of DP2", evidence="E2"),
        ]
    )
    hypothesis = result.report.mechanistic_hypothesis
    assert hypothesis is not None
    first, second = hypothesis.bullets
    assert (first.citations, first.evidence) == ([1, 2], ["E1", "E2"])
    assert second.citations == [3]
    assert result.edits == ["mechanisms[2]: merged into mechanisms[0], the same triple"]
    assert "mechanisms-non-redundant" not in {each.rule for each in violations(result.report)}


def test_what_needs_judgement_is_left_to_the_rules() -> None:
    result = assembled(
        involvement="not_supported", reason="too little", mechanisms=[mechanism("PMID:9065401")]
    )
    assert "mechanisms-only-when-supported" in {each.rule for each in violations(result.report)}


def test_no_mechanism_means_no_section() -> None:
    assert assembled().report.mechanistic_hypothesis is None


@pytest.mark.parametrize(
    ("involvement", "reason", "kept"),
    [("supported", "since", None), ("not_supported", " too  little ", "too little")],
)
def test_only_a_verdict_of_not_supported_has_a_reason(
    involvement: str, reason: str, kept: str | None
) -> None:
    assert assembled(involvement=involvement, reason=reason).report.assessment.reason == kept


def test_texts_are_put_on_one_line_and_evidence_once() -> None:
    messy = DraftBullet(text=" Binds\n axin. ", citations=[], evidence=["E1", " E1", "E2"])
    (clean,) = assembled(rationale=[messy]).report.assessment.rationale
    assert (clean.text, clean.evidence) == ("Binds axin.", ["E1", "E2"])


def test_violations_get_the_paths_of_the_draft() -> None:
    result = assembled(
        gene_function=[bullet("nonsense")],
        mechanisms=[
            mechanism("PMID:9065401"),
            mechanism("PMID:9065401"),
            mechanism(cause="KRAS → X"),
        ],
    )
    paths = [
        "gene_function.bullets[0].text",
        "assessment.rationale[1].citations",
        "assessment.reason",
        "mechanistic_hypothesis.bullets[1].chain.cause",
        "mechanistic_hypothesis.bullets",
        "references[0].url",
    ]
    found = result.for_model([Violation("rule", path, "message") for path in paths])
    assert [each.path for each in found] == [
        "gene_function[0].citations[0]",
        "gene_function[0].text",
        "rationale[1].citations",
        "reason",
        "mechanisms[2].cause",
        "mechanisms",
        "references[0].url",
    ]
