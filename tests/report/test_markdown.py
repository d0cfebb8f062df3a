"""The rendering for people: complete, linked, and safe against hostile text."""

import re
from typing import Any

import pytest
from report_damage import put_thresholds

from intogen_agent import __version__
from intogen_agent.evidence.models import Phase2
from intogen_agent.report.markdown import report_markdown
from intogen_agent.report.markdown_provenance import Dates
from intogen_agent.report.models import FinalReport
from intogen_agent.report.statistics import IntogenStatistics
from intogen_agent.report.thresholds import Thresholds

Data = dict[str, Any]
STATISTICS = IntogenStatistics(
    cohorts=["TCGA_WXS_COADREAD", "CBIOP_WXS_X"],
    methods=["dndscv", "cbase"],
    qvalue_min=1.2345e-9,
    mutated_samples=410,
    role="LoF",
    role_votes={"LoF": 5, "Act": 1},
)


def render(report: Data, *arguments: Any, **options: Any) -> str:
    return report_markdown(FinalReport.model_validate(report), *arguments, **options)


def test_the_title_names_gene_and_cancer(valid: Data) -> None:
    page = render(valid)
    assert page.startswith("# APC in Colorectal Adenocarcinoma\n")
    assert "**APC**, APC regulator of WNT signaling pathway" in page
    assert "[HGNC:583](https://www.genenames.org/" in page
    assert "[UniProt:P25054](https://www.uniprot.org/uniprotkb/P25054/entry)" in page
    assert "**Colorectal Adenocarcinoma** (code COADREAD, scheme oncotree)" in page


def test_the_pan_cancer_task_is_about_any_cancer_type(valid: Data) -> None:
    valid["cancer"].update(code="CANCER", name="Cancer", pan_cancer=True)
    assert render(valid).startswith("# APC in any cancer type\n")


def test_the_verdict_shows_each_threshold_as_it_was_counted(valid: Data) -> None:
    put_thresholds(valid, references=4)
    page = render(valid)
    assert "Involvement: **supported**\n" in page
    assert "| Rationale bullets with supporting evidence | 2 | 2 | met |" in page
    assert "| References they cite | 3 | 4 | met |" in page
    assert "| Supporting findings of functional or clinical basis | 1 | 1 | met |" in page


def test_a_verdict_of_not_supported_says_which_threshold_was_missed_and_by_how_much(
    not_supported: Data,
) -> None:
    put_thresholds(not_supported, rationale_bullets=0, references=2)
    page = render(not_supported)
    assert "| Rationale bullets with supporting evidence | 2 | 0 | missed by 2 |" in page
    assert "| References they cite | 3 | 2 | missed by 1 |" in page
    assert "| Sources of these | 2 | 2 | met |" in page


def test_a_report_of_a_version_without_counts_is_counted_anew(
    valid: Data, not_supported: Data
) -> None:
    strict = render(valid, thresholds=Thresholds(min_supported_references=4))
    assert "| Sources of these | 2 | 3 | met |" in strict
    assert "| References they cite | 4 | 3 | missed by 1 |" in strict
    assert "Threshold" not in render(not_supported), "what speaks against would be counted"


def test_a_verdict_that_is_unknown_says_so(not_supported: Data) -> None:
    not_supported["assessment"]["undetermined"] = True
    page = render(not_supported)
    assert "Involvement: **not supported** (undetermined: evidence could not be obtained)" in page
    assert "Reason: 1 reference of the 3 needed." in page
    assert "## Mechanistic Hypothesis" not in page


def test_open_issues_of_the_reviewer_stand_before_everything_else(valid: Data) -> None:
    valid["provenance"]["unresolved"] = ["A landmark | study is missing"]
    page = render(valid)
    assert page.index("stayed open") < page.index("## Verdict")
    assert "> - A landmark \\| study is missing" in page


def test_the_offline_model_is_named_as_what_it_is(valid: Data) -> None:
    page = render(valid)
    assert "> Written by offline-extractive-1, the offline model: it only re-arranges" in page
    assert "- Offline model: wrote this report;" in page
    models = valid["provenance"]["models"]
    models["repairer"] = models.pop("report_creator") | {"model": "m", "answered_by": ["offline-2"]}
    assert "the offline model" in render(valid), "as the server names itself"


def test_a_language_model_is_named_as_the_writer(valid: Data) -> None:
    valid["provenance"]["models"] = {
        "report_creator": {"provider": "p", "model": "big-model"},
        "summarizer": {"provider": "p", "model": "offline-extractive-1"},
    }
    page = render(valid)
    assert "> Written by big-model; not by a person." in page
    assert "- Offline model: took part as summarizer" in page
    assert "| summarizer | offline-extractive-1 | p | 0 | 0 | 0 |" in page
    valid["provenance"]["models"].pop("summarizer")
    assert "- Offline model: took no part" in render(valid)
    valid["provenance"]["models"] = {}
    assert "- Offline model: not known" in render(valid)


def test_a_report_that_was_not_reviewed_says_so(valid: Data) -> None:
    valid["status"] = "not_reviewed"
    assert "has not read this report" in render(valid)


def test_the_statistics_of_intogen_are_shown(valid: Data) -> None:
    page = render(valid, STATISTICS)
    for line in (
        "- Cohorts (2): TCGA_WXS_COADREAD, CBIOP_WXS_X",
        "- Methods: dndscv, cbase",
        "- Smallest q-value: 1.23e-09",
        "- Mutated samples: 410",
        "- Role: LoF (votes: LoF 5, Act 1)",
    ):
        assert line in page


@pytest.mark.parametrize(
    ("statistics", "sentence"),
    [
        (None, "The statistics of intOGen are not part of the report file."),
        (IntogenStatistics(origin="configuration"), "it was named in the configuration."),
        (IntogenStatistics(), "The drivers table holds no statistics for this pair."),
    ],
)
def test_a_pair_without_statistics_says_why(
    valid: Data, statistics: IntogenStatistics | None, sentence: str
) -> None:
    assert sentence in render(valid, statistics)


def test_citations_are_numbered_links(valid: Data) -> None:
    page = render(valid)
    assert (
        "([3](https://pubmed.ncbi.nlm.nih.gov/1338904/), "
        "[4](https://pubmed.ncbi.nlm.nih.gov/9065401/))"
    ) in page


def test_mechanisms_are_chains(valid: Data) -> None:
    assert (
        "- **APC loss of function** → **WNT/beta-catenin signaling** → "
        "**transformation of the colonic epithelium**"
    ) in render(valid)


def test_references_have_title_journal_year_and_every_identifier_as_a_link(valid: Data) -> None:
    page = render(valid)
    assert (
        "4. Constitutive transcriptional activation by a beta-catenin-Tcf complex in APC-/- colon "
        "carcinoma. *Science*. 1997. "
        "[PMID:9065401](https://pubmed.ncbi.nlm.nih.gov/9065401/), "
        "[DOI:10.1126/science.275.5307.1784](https://doi.org/10.1126/science.275.5307.1784)\n"
    ) in page
    assert "1. Record of UniProt. [UniProt:P25054](" in page
    assert "Untracked:" not in page


def test_a_paper_without_title_says_so(valid: Data) -> None:
    valid["references"][2].update(title=None, year=None)
    assert "3. Title not known. *Hum Mol Genet*. [PMID:1338904](" in render(valid)


def test_untracked_references_are_starred_with_an_explanation(valid: Data) -> None:
    valid["references"][4].update(tracked=False, first_seen=None)
    page = render(valid)
    assert "[5](https://pubmed.ncbi.nlm.nih.gov/22810696/)\\*" in page
    assert re.search(r"^5\. .* \\\*$", page, re.MULTILINE)
    assert "\\* Untracked: no tool of this journey returned this reference" in page


def test_retracted_references_are_marked_where_they_are_cited_and_listed(valid: Data) -> None:
    valid["references"][4]["retracted"] = True
    page = render(valid)
    assert "[5](https://pubmed.ncbi.nlm.nih.gov/22810696/), retracted)" in page
    assert "5. **RETRACTED** Comprehensive" in page


def test_publications_of_intogen_are_marked_where_they_are_cited_and_listed(valid: Data) -> None:
    valid["references"][4]["circular"] = True
    page = render(valid)
    assert "[5](https://pubmed.ncbi.nlm.nih.gov/22810696/), intOGen's own)" in page
    assert "5. **INTOGEN** Comprehensive" in page
    assert "INTOGEN: a publication of intOGen itself" in page


def test_a_named_record_says_whose_it_is_and_versions_are_linked(valid: Data) -> None:
    valid["references"][0]["title"] = "APC protein."
    valid["references"][3]["versions"] = [
        {"relation": "preprint", "kind": "doi", "id": "10.1101/1.2"}
    ]
    page = render(valid)
    assert "1. UniProt: APC protein. [UniProt:P25054](" in page
    assert "its preprint [DOI:10.1101/1.2](https://doi.org/10.1101/1.2)\n" in page


def test_bullets_say_in_which_system_and_cancer_their_findings_were_made(
    valid: Data, phase2: Data
) -> None:
    first, second, *_ = phase2["ledger"]
    first.update(system="animal", basis="functional", scope="related")
    second.update(system="patients", basis="driver_statistics", scope="target")
    page = render(valid, None, Phase2.model_validate(phase2))
    assert "*Classed: animal, functional, a related cancer.*" in page
    assert "*Classed: patients, driver statistics.*" in page
    assert "*Classed: animal, functional, a related cancer; patients, driver statistics.*" in page
    assert "*Classed:" not in render(valid)


def test_a_chain_that_rests_on_the_function_records_in_part_says_so(
    valid: Data, phase2: Data
) -> None:
    note = "in part the gene's function records.*"
    mechanism = valid["mechanistic_hypothesis"]["bullets"][0]
    assert note not in render(valid, None, Phase2.model_validate(phase2))
    mechanism["evidence"] = [*mechanism["evidence"], "F1"]
    assert render(valid, None, Phase2.model_validate(phase2)).count(note) == 1


def test_a_tool_is_listed_without_a_link(not_supported: Data) -> None:
    page = render(not_supported)
    assert "3. Tool of this journey, no publication. TOOL:article_searcher" in page
    assert "this cancer. (3)" in page


def test_a_citation_without_reference_does_not_stop_the_page(valid: Data) -> None:
    valid["gene_function"]["bullets"][0]["citations"] = [1, 9]
    assert "(9, missing" not in render(valid)
    assert ", 9, missing)" in render(valid)


def conflicts(phase2: Data, **fields: Any) -> Phase2:
    return Phase2.model_validate({**phase2, **fields})


def query(outcome: str, **fields: Any) -> Data:
    return {
        "call": "c3",
        "arguments": {"genes": ["APC", "DP2"], "keywords": "loss"},
        "outcome": outcome,
        "records": 0,
        **fields,
    }


def test_conflicting_evidence_is_shown_with_its_references(valid: Data, phase2: Data) -> None:
    page = render(valid, None, conflicts(phase2))
    assert "## Conflicting evidence and null results" in page
    assert (
        "- Evidence against: A screen found no alteration. "
        "([PMID:22810696](https://pubmed.ncbi.nlm.nih.gov/22810696/))"
    ) in page
    assert "Somatic APC mutations were found" not in page, "supporting items are no conflict"


def test_conflicts_that_the_assessment_states_are_counted_not_repeated(
    not_supported: Data, phase2: Data
) -> None:
    page = render(not_supported, None, conflicts(phase2))
    assert "- Findings of this kind in the assessment above: 1\n" in page
    assert "A screen found no alteration" not in page


def test_queries_without_answer_are_unknown_not_absent(valid: Data, phase2: Data) -> None:
    page = render(
        valid,
        None,
        conflicts(
            phase2,
            ledger=[],
            queries=[query("empty"), query("failed", note="timeout"), query("content")],
            failures=[
                {"tool": "article_getter", "attempts": 3, "error": "x", "message": "no answer"}
            ],
        ),
    )
    assert "- Search without a result: genes: APC, DP2; keywords: loss\n" in page
    assert "its answer is unknown: genes: APC, DP2; keywords: loss (timeout)\n" in page
    assert "- Tool article_getter failed after 3 attempts: no answer\n" in page


def test_without_conflicts_the_section_is_left_out(valid: Data, phase2: Data) -> None:
    assert "Conflicting" not in render(valid)
    assert "Conflicting" not in render(valid, None, conflicts(phase2, ledger=[]))


def test_provenance_stands_at_the_end(valid: Data) -> None:
    page = render(valid)
    end = page[page.index("## Provenance") :]
    assert "| report_creator | offline-extractive-1 | offline | 1 | 2000 | 600 |" in end
    assert "| all | | | 1 | 2000 | 600 |" in end
    assert "- Servers: store (intogen-agent 0.1.0)" in end
    assert f"- Rendered by intogen-agent {__version__}; dates of the calls are in" in end
    assert page.endswith("\n") and not page.endswith("\n\n")


def test_provenance_names_dates_pruning_and_what_code_put_right(valid: Data) -> None:
    valid["provenance"].update(
        pruned=["planning turns"],
        pruning={"parts": ["planning_turns"], "tokens_before": 900, "tokens_after": 300},
        controller_edits=["rationale[0]: citations were put in order"],
        repairs=[["function-verb-first"], ["answer-empty"]],
    )
    page = render(valid, dates=Dates("2026-11-30T22:38:26.123+00:00", "2026-12-01T00:10:00+01:00"))
    assert "first call 2026-11-30 22:38 UTC, last call 2026-11-30 23:10 UTC" in page
    assert "planning turns (estimated tokens: 900 before, 300 after)" in page
    assert "- Put right by the controller: rationale\\[0\\]: citations were put in order" in page
    assert "- Refused drafts: 2; reviewer" in page
    valid["provenance"]["pruning"]["tokens_before"] = None
    assert "- Pruned before the report was asked for: planning turns\n" in render(valid)
