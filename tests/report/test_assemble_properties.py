"""What holds of every assembled report, whatever the draft."""

from copy import deepcopy
from typing import Any

import pytest
from drafts import HEAD, KNOWN, TCF, resolve
from hypothesis import given, settings
from hypothesis import strategies as st

from intogen_agent.evidence.models import Basis, FirstSeen
from intogen_agent.report.assemble import (
    assemble,
    to_draft,
    with_tools,
)
from intogen_agent.report.default_verdict import default_verdict
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence, violations
from intogen_agent.report.rules.check import RULES, rule_id
from intogen_agent.report.thresholds import Thresholds
from intogen_agent.report.wire import DraftBullet, DraftMechanism, ReportDraft

IDENTIFIERS = st.sampled_from(
    [
        *KNOWN,
        "PMID:999",
        "pmid: 999",
        "https://pubmed.ncbi.nlm.nih.gov/999/",
        "DOI:10.1000/182",
        "https://doi.org/10.1000/182",
        "10.1000/183",
        "PMCID:PMC3919509",
        "NCT01234567",
        "HGNC:583",
        "NCBI Gene:324",
        "Ensembl:ENSG00000134982",
        "ENSG00000134982",
        "UniProt:P04637",
        "https://www.uniprot.org/uniprotkb/P04637",
        "https://example.org/a?b=c",
    ]
)


CITATIONS = st.lists(IDENTIFIERS, min_size=1, max_size=8)


TEXTS = st.text(max_size=30)


BULLETS = st.lists(
    st.builds(DraftBullet, text=TEXTS, citations=CITATIONS, evidence=st.lists(TEXTS, max_size=2)),
    max_size=6,
)


DRAFTS = st.builds(
    ReportDraft,
    gene_function=BULLETS,
    involvement=st.sampled_from(["supported", "not_supported"]),
    undetermined=st.booleans(),
    reason=TEXTS,
    rationale=BULLETS,
    mechanisms=st.lists(
        st.builds(
            DraftMechanism,
            text=TEXTS,
            cause=st.sampled_from(["APC loss", "Loss of DP2", "KRAS activation", "x"]),
            mediator=st.sampled_from(["WNT", "Wnt pathway", "y"]),
            outcome=st.sampled_from(["growth", "z"]),
            citations=CITATIONS,
            evidence=st.lists(TEXTS, max_size=2),
        ),
        max_size=6,
    ),
)


# What the controller answers for; the rest is the model's.
CONTROLLERS = {
    rule_id(rule) for rule in RULES if rule.__module__.endswith((".citations", ".references"))
} | {"mechanisms-non-redundant"}


@settings(deadline=None)
@given(DRAFTS)
def test_any_draft_with_valid_identifiers_has_no_violation_of_citation_rules(
    made: ReportDraft,
) -> None:
    result = assemble(made, HEAD, resolve)
    assert result.problems == []
    assert [each for each in violations(result.report) if each.rule in CONTROLLERS] == []


@settings(deadline=None)
@given(DRAFTS)
def test_assembling_is_deterministic_and_leaves_the_draft_alone(made: ReportDraft) -> None:
    before = deepcopy(made)
    assert assemble(made, HEAD, resolve) == assemble(made, HEAD, resolve)
    assert made == before


@settings(deadline=None)
@given(DRAFTS)
def test_a_report_taken_apart_and_put_together_is_the_same(made: ReportDraft) -> None:
    report = assemble(made, HEAD, resolve).report
    again = assemble(to_draft(report), HEAD, resolve)
    assert again.report.model_dump(exclude={"provenance"}) == report.model_dump(
        exclude={"provenance"}
    )
    assert again.edits == []


def test_the_draft_of_a_report_holds_identifiers(valid: dict[str, Any]) -> None:
    made = to_draft(FinalReport.model_validate(valid))
    assert made.gene_function[0].citations == ["UniProt:P25054", "PMID:8259519"]
    assert made.mechanisms[0].cause == "APC loss of function"
    assert (made.involvement, made.reason) == ("supported", "")


def test_the_verdict_defaults_to_not_supported_when_thresholds_are_missed(
    valid: dict[str, Any], evidence: Evidence
) -> None:
    valid["references"][4]["retracted"] = True
    result = default_verdict(FinalReport.model_validate(valid), Thresholds(), evidence)
    report = result.report
    assert report.assessment.involvement == "not_supported"
    assert report.assessment.reason == (
        "Thresholds of supported missed: 2 references of the 3 needed."
    )
    assert report.mechanistic_hypothesis is None
    assert violations(report) == []
    assert [reference.title for reference in report.references] == [
        reference["title"] for reference in valid["references"]
    ]
    assert "set to not_supported" in report.provenance.controller_edits[-1]


def test_the_verdict_stays_when_the_thresholds_are_met(
    valid: dict[str, Any], evidence: Evidence
) -> None:
    report = FinalReport.model_validate(valid)
    result = default_verdict(report, Thresholds(), evidence)
    assert (result.report, result.edits) == (report, [])


@pytest.mark.parametrize("basis", ["driver_statistics", "expression_association", "review"])
def test_the_verdict_defaults_to_not_supported_without_a_functional_or_clinical_finding(
    valid: dict[str, Any], evidence: Evidence, basis: str
) -> None:
    for item in evidence.phase2.ledger:
        item.basis = Basis(basis)
    report = default_verdict(FinalReport.model_validate(valid), Thresholds(), evidence).report
    assert report.assessment.reason == (
        "Thresholds of supported missed: "
        "no supporting functional or clinical finding in this cancer or a related one."
    )
    assert violations(report, evidence=evidence) == []


def test_untracked_references_do_not_keep_a_verdict(
    valid: dict[str, Any], evidence: Evidence
) -> None:
    valid["references"][4].update(
        id="999", url=None, also=[], title=None, tracked=False, first_seen=None
    )
    report = FinalReport.model_validate(valid)
    defaulted = default_verdict(report, Thresholds(), evidence).report
    assert defaulted.assessment.involvement == "not_supported"
    assert not defaulted.references[4].tracked


def test_called_tools_can_be_cited_and_others_cannot(evidence: Evidence) -> None:
    known = with_tools(resolve, evidence)
    found = known("TOOL:gene_getter")
    assert found is not None
    assert (found.kind, found.id) == ("tool", "gene_getter")
    assert found.first_seen == FirstSeen(stage="phase1", tool="gene_getter", call="c1")
    assert known("TOOL:oracle") is None
    assert known("PMID:9065401") is TCF
