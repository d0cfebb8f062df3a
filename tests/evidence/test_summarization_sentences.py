"""One test per sentence of the seed's "Tool output summarization and reference management"."""

import asyncio
import json
from typing import Any

import pytest
from tests.samples import summary_bullet

from intogen_agent.config.roles import Role
from intogen_agent.evidence.articles import article_records
from intogen_agent.evidence.findings import ANNOUNCEMENT, METHOD
from intogen_agent.evidence.ledger import Checked, Ledger, check
from intogen_agent.evidence.models import EvidenceItem, FirstSeen
from intogen_agent.evidence.passages import passages
from intogen_agent.evidence.references import ReferenceManager, identifier_of
from intogen_agent.evidence.summaries import Material, Summarizer
from intogen_agent.evidence.wire import SummaryBullet, ToolSummary
from intogen_agent.llm.outcomes import Structured
from intogen_agent.models import Cancer, GeneIdentity, Stage
from intogen_agent.report.assemble import Head, assemble
from intogen_agent.report.markdown import report_markdown
from intogen_agent.report.models import FinalReport
from intogen_agent.report.wire import DraftBullet, ReportDraft

FUNCTION = {"accession": "P25054", "function": ["Degrades beta-catenin (PMID:1234567)."]}
ABSTRACT = {
    "pmid": "9065401",
    "doi": "10.1126/science.275.5307.1784",
    "url": "https://www.science.org/a",
    "title": "APC in colon tumours",
    "abstract": "We sequenced APC in 34 tumours. Loss of APC activates Tcf in 27 of 34 tumours.",
}
SNIPPET = {
    "pmid": "1651563",
    "full_text": "Truncation of APC abolishes binding of beta-catenin.\n\nReferences\n\n1. X",
}
OTHER = {"doi": "10.1038/x1", "abstract": "Y."}
LOSS = "Loss of APC activates Tcf in 27 of 34 tumours."


def bullet(quote: str, *citations: str, **more: Any) -> SummaryBullet:
    return SummaryBullet(**summary_bullet(quote, *citations, **more))


class Compact:
    """A compact model that gives its bullets whatever it is asked, and keeps the requests."""

    def __init__(self, *bullets: SummaryBullet) -> None:
        self._bullets = list(bullets)
        self.asked: list[tuple[Role, str]] = []

    async def structured(self, role: Role, messages: Any, shape: Any) -> Any:
        assert shape is ToolSummary
        self.asked.append((role, messages[-1]["content"]))
        return Structured(ToolSummary(bullets=self._bullets), "", f"r{len(self.asked)}")


def summarized(models: Any, *payloads: Any) -> tuple[list[EvidenceItem], ReferenceManager]:
    manager = ReferenceManager()
    task = {"gene": "APC", "cancer": None}
    layer = Summarizer(models, manager, Ledger("E"), "phase2", task, 10_000, 0)
    materials = [
        Material(f"tool_{number}", f"c{number}", json.dumps(payload), json.dumps(payload))
        for number, payload in enumerate(payloads, start=1)
    ]
    found = asyncio.run(layer.summarize(materials))
    return [item for items in found for item in items], manager


def checked(payload: Any, *bullets: SummaryBullet) -> Checked:
    manager = ReferenceManager()
    text = json.dumps(payload)
    allowed = manager.observe(text, "phase2", "article_searcher", "c1")

    def canonical(name: str) -> str | None:
        known = manager.resolve(name)
        return identifier_of(known).text if known else None

    records = passages(article_records(text), allowed, canonical)
    return check(bullets, records, "article_searcher", canonical)


def test_all_tool_responses_were_processed_by_a_dedicated_summarization_layer() -> None:
    """Functional annotations, literature abstracts and full-text snippets."""
    models = Compact(
        bullet("Degrades beta-catenin"),
        bullet(LOSS),
        bullet("Truncation of APC abolishes binding of beta-catenin."),
    )
    items, _ = summarized(models, {**FUNCTION, "uniprot": "P25054"}, ABSTRACT, SNIPPET)
    assert {role for role, _ in models.asked} == {Role.SUMMARIZER}
    assert len(models.asked) == 3
    assert [(item.call, item.references) for item in items] == [
        ("c1", ["UniProt:P25054"]),
        ("c2", ["PMID:9065401"]),
        ("c3", ["PMID:1651563"]),
    ]


def test_for_each_tool_call_the_summarizer_received_the_raw_text_and_an_allowed_list() -> None:
    trial = {"nct_id": "NCT01245062", "title": "A trial"}
    models = Compact()
    _, manager = summarized(models, [ABSTRACT, trial, OTHER], FUNCTION)
    (_, first), (_, second) = models.asked
    allowed = first.partition("<allowed_identifiers>")[2].partition("</allowed_identifiers>")[0]
    assert json.loads(allowed) == ["PMID:9065401", "NCT01245062", "DOI:10.1038/x1"]
    assert json.dumps(ABSTRACT) in first
    assert json.dumps(FUNCTION) in second
    assert set(json.loads(allowed)) <= set(manager.allowed())


@pytest.mark.parametrize(
    ("quote", "reason"),
    [
        ("We sequenced APC in 34 tumours.", METHOD),
        ("In this review, we discuss APC.", ANNOUNCEMENT),
        ("Further studies are needed.", ANNOUNCEMENT),
    ],
)
def test_excluding_background_narrative_editorial_text_or_methods_without_relevant_results(
    quote: str, reason: str
) -> None:
    payload = {**ABSTRACT, "abstract": f"{ABSTRACT['abstract']} {quote}"}
    found = checked(payload, bullet(quote, "PMID:9065401"), bullet(LOSS, "PMID:9065401"))
    assert [(one.quote, why) for one, why in found.refused] == [(quote, reason)]
    assert [one.quote for one, _ in found.taken] == [LOSS]


def test_every_bullet_was_required_to_carry_at_least_one_citation() -> None:
    found = checked(ABSTRACT, bullet(LOSS), bullet("activates Tcf", "PMID:1", "see above"))
    assert [references for _, references in found.taken] == [["PMID:9065401"]] * 2


@pytest.mark.parametrize(
    "citation",
    [
        "https://pubmed.ncbi.nlm.nih.gov/9065401/",
        "https://www.ncbi.nlm.nih.gov/pubmed/9065401",
        "10.1126/SCIENCE.275.5307.1784",
        "https://doi.org/10.1126/science.275.5307.1784",
        "https://www.science.org/a",
    ],
)
def test_pubmed_links_were_converted_to_pmid_form_and_preferred_over_dois_or_secondary_urls(
    citation: str,
) -> None:
    found = checked(ABSTRACT, bullet(LOSS, citation))
    assert [references for _, references in found.taken] == [["PMID:9065401"]]
    assert found.foreign == 0


def test_when_no_approved_identifiers_were_available_the_evidence_was_labelled_with_the_tool() -> (
    None
):
    payload = {"title": "APC in colon tumours", "abstract": LOSS}
    found = checked(payload, bullet(LOSS, "PMID:9065401"), bullet("activates Tcf"))
    assert [references for _, references in found.taken] == [["TOOL:article_searcher"]] * 2


def test_a_reference_manager_scanned_all_raw_tool_payloads() -> None:
    manager = ReferenceManager()
    text = (
        "PMID: 9065401, doi:10.1038/nature11252, NCT01245062, UniProt: P25054, HGNC:583 and "
        "https://www.cbioportal.org/study/summary?id=coadread"
    )
    kinds = {"pmid", "doi", "nct", "database", "url"}
    manager.observe(text, "phase2", "any_tool", "c1")
    assert {reference.kind for reference in manager.tracked()} == kinds


def test_it_merged_duplicate_identifiers_across_sources_and_prioritized_pubmed() -> None:
    manager = ReferenceManager()
    manager.observe(json.dumps({"doi": ABSTRACT["doi"], "title": "T"}), "phase2", "europepmc", "c1")
    manager.observe(json.dumps(ABSTRACT), "phase2", "pubmed", "c2")
    (reference,) = manager.tracked()
    assert (reference.kind, reference.id) == ("pmid", "9065401")
    assert [other.kind for other in reference.also] == ["doi", "url"]


def test_database_references_were_retained_only_when_source_and_accession_were_available() -> None:
    manager = ReferenceManager()
    payload = [{"database": "UniProt", "id": "P25054"}, {"database": "UniProt"}, {"id": "P04637"}]
    manager.observe(json.dumps(payload), "phase1", "search_by_gene", "c1")
    assert manager.allowed() == ["UniProt:P25054"]


def test_for_each_identifier_the_manager_recorded_the_tool_and_call_of_its_first_appearance() -> (
    None
):
    manager = ReferenceManager()
    for number in (1, 2):
        manager.observe(json.dumps(ABSTRACT), "phase2", f"tool_{number}", f"c{number}")
    (reference,) = manager.tracked()
    assert reference.first_seen == FirstSeen(stage="phase2", tool="tool_1", call="c1")


def report_citing(*citations: str) -> FinalReport:
    manager = ReferenceManager()
    text = f"{ABSTRACT['abstract']} As in PMID: 7777777."
    manager.observe(json.dumps({**ABSTRACT, "abstract": text}), "phase2", "t", "c1")
    head = Head(
        gene=GeneIdentity(symbol="APC"),
        cancer=Cancer(code="COADREAD", scheme="oncotree", name="Colorectal Adenocarcinoma"),
        stage=Stage.REPORT,
        fingerprint="f" * 64,
    )
    draft = ReportDraft(
        gene_function=[],
        involvement="not_supported",
        undetermined=False,
        reason="x",
        rationale=[DraftBullet(text="APC is lost.", citations=list(citations), evidence=["E1"])],
        mechanisms=[],
    )
    return assemble(draft, head, manager.resolve).report


def test_references_later_introduced_were_retained_but_explicitly_flagged_as_untracked() -> None:
    """A paper that another one merely names never passed through as a paper either."""
    report = report_citing("PMID:9065401", "PMID:8888888", "PMID:7777777")
    assert [(one.id, one.tracked) for one in report.references] == [
        ("9065401", True),
        ("8888888", False),
        ("7777777", False),
    ]


def test_in_the_human_readable_output_such_references_were_annotated_with_an_asterisk() -> None:
    text = report_markdown(report_citing("PMID:9065401", "PMID:8888888", "PMID:7777777"))
    starred = {
        pmid: "\\*" in line
        for line in text.splitlines()
        for pmid in ("9065401", "8888888", "7777777")
        if f"pubmed.ncbi.nlm.nih.gov/{pmid}" in line
    }
    assert starred == {"9065401": False, "8888888": True, "7777777": True}
