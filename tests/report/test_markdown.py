"""The rendering for people: complete, linked, and safe against hostile text."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intogen_agent.evidence.models import Phase2
from intogen_agent.report.markdown import escape, link, report_markdown
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


def test_the_verdict_shows_each_threshold(valid: Data) -> None:
    page = render(valid)
    assert "Involvement: **supported**\n" in page
    assert "| Rationale bullets that cite evidence | 2 | 3 | met |" in page
    assert "| References they cite | 3 | 3 | met |" in page
    assert "| Sources of these | 2 | 3 | met |" in page
    strict = render(valid, thresholds=Thresholds(min_supported_references=4))
    assert "| References they cite | 4 | 3 | missed |" in strict


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


def test_the_model_that_wrote_it_is_named_as_it_names_itself(valid: Data) -> None:
    assert "> Written by offline-extractive-1; not by a person." in render(valid)


def test_models_of_other_roles_are_not_named_as_writers(valid: Data) -> None:
    valid["provenance"]["models"]["summarizer"] = {"provider": "p", "model": "small-model"}
    page = render(valid)
    assert "Written by offline-extractive-1; not" in page
    assert "| summarizer | small-model | p | 0 | 0 | 0 |" in page


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
    assert "Untracked" not in page


def test_a_paper_without_title_says_so(valid: Data) -> None:
    valid["references"][2].update(title=None, year=None)
    assert "3. title not in the store. *Hum Mol Genet*. [PMID:1338904](" in render(valid)


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
        "- Null result: A screen found no alteration. "
        "([PMID:22810696](https://pubmed.ncbi.nlm.nih.gov/22810696/))"
    ) in page
    assert "Somatic APC mutations were found" not in page, "supporting items are no conflict"


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
    assert "- Servers: store (intogen-agent 0.1.0)" in end
    assert page.endswith("\n") and not page.endswith("\n\n")


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</td></table><!--",
    "&lt;script&gt;",
    "[click](javascript:alert(1))",
    "![x](https://evil.example/pixel.png)",
    "[ref]: https://evil.example",
    "<https://evil.example>",
    "a | b | c",
    "|---|---|",
    "`code` ```fence```",
    "**bold** __bold__ *it* _it_ ~~gone~~",
    "# heading",
    "> quote",
    "- item",
    "+ item",
    "1. item",
    "1) item",
    "---",
    "===",
    "line\n\n# heading\n\n| a |\n|---|",
    "$x$ and $$y$$",
    "back\\slash \\[x\\](y)",
    "\u202egnp.exe\u202c",
    "zero\u200bwidth",
    "\x00\x07bell",
    "trailing backslash\\",
    "](https://evil.example)",
    "*](javascript:x)",
]
# What could be active: each of these must be preceded by a backslash or absent.
ACTIVE = re.compile(r"(?<!\\)(?:\\\\)*(?:[`*\[\]|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_not_obeyed(text: str) -> None:
    safe = escape(text)
    assert "\n" not in safe
    assert not re.search(r"<[a-z/!?]", safe, re.IGNORECASE)
    assert not re.search(r"&(?!amp;|lt;)#?\w+;", safe)
    assert not ACTIVE.search(safe)
    assert not re.match(r"#|>|[-+=]|\d+[.)]", safe)
    assert not re.search("[\u200b\u202a-\u202e\x00-\x1f]", safe)


@settings(deadline=None)
@given(st.text())
def test_any_text_is_escaped(text: str) -> None:
    test_hostile_text_is_shown_not_obeyed(text)


@pytest.mark.parametrize(
    "text",
    ["APC loss, 41 of 43 (95%)", "P < 0.05", "c.35G>A", "β-catenin", "5′ end", "R & D", "<5%"],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert escape(text) == text


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(
    "place",
    [
        "text",
        "cause",
        "title",
        "journal",
        "name",
        "reason",
        "unresolved",
        "model",
        "note",
        "server",
    ],
)
def test_hostile_text_anywhere_leaves_the_page_whole(
    valid: Data, text: str, place: str, phase2: Data
) -> None:
    clean = render(valid, STATISTICS, conflicts(phase2))
    hypothesis = valid["mechanistic_hypothesis"]["bullets"][0]
    targets: dict[str, tuple[Any, Any]] = {
        "text": (valid["assessment"]["rationale"][0], "text"),
        "cause": (hypothesis["chain"], "cause"),
        "title": (valid["references"][3], "title"),
        "journal": (valid["references"][3], "journal"),
        "name": (valid["gene"], "name"),
        "reason": (valid["assessment"], "reason"),
        "model": (valid["provenance"]["models"]["report_creator"], "model"),
        "server": (valid["provenance"]["servers"], "store"),
        "note": (phase2["ledger"][3], "statement"),
    }
    if place == "unresolved":
        valid["provenance"]["unresolved"] = [text]
    else:
        container, key = targets[place]
        container[key] = text
    page = render(valid, STATISTICS, conflicts(phase2))
    assert headings(page) == headings(clean)
    assert addresses(page) == addresses(clean)
    assert not re.search(r"<[a-z/!?]", page, re.IGNORECASE)
    assert cells(page) == cells(clean)


def headings(page: str) -> list[str]:
    return re.findall(r"^#+ .*", page, re.MULTILINE)


def addresses(page: str) -> list[str]:
    return re.findall(r"(?<!\\)\]\(([^)]*)\)", page)


def cells(page: str) -> list[int]:
    return [
        len(re.findall(r"(?<!\\)\|", line)) for line in page.splitlines() if line.startswith("|")
    ]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.example",
        "https://user:pw@evil.example/",
        "https://pubmed.ncbi.nlm.nih.gov@evil.example/",
        "https://evil example/",
        "https://evil.example/\nx",
        "https://[bad/",
        "https://localhost/x",
        "",
        None,
    ],
)
def test_unsafe_addresses_are_no_links(url: str | None) -> None:
    assert link("1", url) == "1"


@pytest.mark.parametrize(
    ("url", "target"),
    [
        (
            "https://doi.org/10.1016/S0092-8674(00)81683-9",
            "https://doi.org/10.1016/S0092-8674%2800%2981683-9",
        ),
        ("https://example.org/a%20b?c=d&e=f#g", "https://example.org/a%20b?c=d&e=f#g"),
        ("https://example.org/\u202e", "https://example.org/%E2%80%AE"),
        ("https://example.org/é", "https://example.org/%C3%A9"),
        ("https://example.org/a*b_c[d]", "https://example.org/a*b_c%5Bd%5D"),
    ],
)
def test_addresses_cannot_end_their_link(url: str, target: str) -> None:
    assert link("1", url) == f"[1]({target})"


def test_a_label_cannot_end_its_link() -> None:
    assert link("x](https://evil.example)", "https://example.org/") == (
        "[x\\](https://evil.example)](https://example.org/)"
    )
