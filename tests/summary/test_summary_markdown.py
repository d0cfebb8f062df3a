import re
from typing import Any

import pytest
from tests.samples import ledger_item

from intogen_agent.evidence.models import Phase2
from intogen_agent.report.models import FinalReport
from intogen_agent.report.statistics import IntogenStatistics
from intogen_agent.summary.markdown import key_references, summary_markdown
from intogen_agent.summary.models import SummaryReport

HEAD: dict[str, Any] = {
    "gene": {"symbol": "APC"},
    "cancer": {"code": "COADREAD", "scheme": "oncotree", "name": "Colorectal Adenocarcinoma"},
    "status": "ok",
    "fingerprint": "f",
}
PAN_CANCER = {"code": "CANCER", "scheme": "oncotree", "name": "Cancer", "pan_cancer": True}
CHAIN = {"cause": "APC loss", "mediator": "WNT", "outcome": "growth"}
ANSWERED = {"report_creator": ["extractive-1"], "summary_helper": ["extractive-1", "other-2"]}


def bullet(*citations: int) -> dict[str, Any]:
    return {"text": "Text.", "citations": list(citations)}


def paper(index: int, **changes: Any) -> dict[str, Any]:
    fields = {"kind": "pmid", "id": str(9065400 + index), "title": f"Title {index}."}
    return {"index": index, "tracked": True, **fields, **changes}


def report(*references: dict[str, Any], **changes: Any) -> FinalReport:
    value = {
        **HEAD,
        "stage": "critique",
        "gene_function": {"bullets": [bullet(1)]},
        "assessment": {"involvement": "supported", "rationale": [bullet(2)]},
        "mechanistic_hypothesis": {"bullets": [{**bullet(3), "chain": CHAIN}]},
        "references": references or [paper(1), paper(2), paper(3)],
        "provenance": {},
        **changes,
    }
    return FinalReport.model_validate(value)


def summary(text: dict[str, Any] | None = None, **changes: Any) -> SummaryReport:
    value = {
        **HEAD,
        "stage": "summary",
        "involvement": "supported",
        "undetermined": False,
        "summaries": {
            "headline": "APC holds back WNT signaling.",
            "general": "General text.",
            "gene_function": "Function text.",
            "assessment": "Assessment text.",
            "mechanistic_hypothesis": "Mechanism text.",
            **(text or {}),
        },
        "role_of_action": "tumor suppressor",
        "role_reason": "Its loss drives growth.",
        "style_accepted": True,
        "style_score": 0.8,
        "style_iterations": [],
        **changes,
    }
    return SummaryReport.model_validate(value)


def section(page: str, title: str) -> str:
    return page.split(f"## {title}\n\n")[1].split("\n## ")[0].split("\n---")[0]


def phase2(*items: dict[str, Any], queries: tuple[str, ...] = ()) -> Phase2:
    ledger = [
        ledger_item(f"E{number}", "S.", "PMID:1", **{"quote": "q", **item})
        for number, item in enumerate(items, start=1)
    ]
    asked = [{"call": "c1", "arguments": {}, "outcome": how, "records": 0} for how in queries]
    empty: dict[str, Any] = {"hypotheses": [], "references": [], "calls": [], "failures": []}
    value = {**HEAD, "stage": "phase2", "ledger": ledger, "queries": asked, **empty}
    return Phase2.model_validate(value)


def test_the_page_from_top_to_bottom():
    statistics = IntogenStatistics(role_votes={"LoF": 5}, role="LoF")
    page = summary_markdown(summary(), report(), statistics, ANSWERED)
    assert page == (
        "# APC in Colorectal Adenocarcinoma\n"
        "\n"
        "**APC holds back WNT signaling.**\n"
        "\n"
        "General text.\n"
        "\n"
        "## Verdict\n"
        "\n"
        "**Supported**: the evidence found supports that APC is involved in Colorectal "
        "Adenocarcinoma.\n"
        "\n"
        "## Role of action\n"
        "\n"
        "**Tumor suppressor**: Its loss drives growth.\n"
        "\n"
        "intOGen's own role is LoF, which stands for a tumor suppressor (votes of its cohorts: "
        "LoF 5); it **agrees with this role**. intOGen's role is a per-cohort dN/dS call: weak "
        "evidence.\n"
        "\n"
        "## What the gene does\n"
        "\n"
        "Function text.\n"
        "\n"
        "## What the evidence says\n"
        "\n"
        "Assessment text.\n"
        "\n"
        "## How it may act\n"
        "\n"
        "Mechanism text.\n"
        "\n"
        "## What is uncertain or contested\n"
        "\n"
        "Nothing was left open on record; the evidence itself may still be incomplete.\n"
        "\n"
        "## Key references\n"
        "\n"
        "- [Title 3](https://pubmed.ncbi.nlm.nih.gov/9065403/)\n"
        "- [Title 2](https://pubmed.ncbi.nlm.nih.gov/9065402/)\n"
        "\n"
        "The whole report, with its 3 references: [report.md](report.md)\n"
        "\n"
        "---\n"
        "\n"
        "Written by extractive-1 (report creator, summary helper); other-2 (summary helper); not "
        "by a person.\n"
    )


def test_not_supported_gives_its_reason():
    reason = "1 references of the 3 needed."
    assessment = {"involvement": "not_supported", "rationale": [bullet(2)], "reason": reason}
    made = report(assessment=assessment, mechanistic_hypothesis=None)
    page = summary_markdown(
        summary({"mechanistic_hypothesis": None}, involvement="not_supported"), made
    )
    verdict = section(page, "Verdict")
    assert verdict.startswith("**Not supported**: the evidence found is not enough to say that APC")
    assert f"Reason: {reason}" in verdict
    assert "How it may act" not in page


def test_an_outage_is_undetermined_and_no_absence():
    page = summary_markdown(summary(undetermined=True, involvement="not_supported"), report())
    assert section(page, "Verdict").startswith("**Undetermined**: evidence could not be obtained")
    assert "an unknown, not an absence" in section(page, "What is uncertain or contested")
    assert "Not supported" not in page


def test_a_pan_cancer_page():
    page = summary_markdown(summary(cancer=PAN_CANCER), report(cancer=PAN_CANCER))
    assert page.startswith("# APC in any cancer type\n")
    assert "supports that APC is involved in cancer." in page


@pytest.mark.parametrize(
    ("role", "statistics", "text"),
    [
        ("oncogene", {"role_votes": {"Act": 2, "LoF": 1}}, "Act 2, LoF 1); it **agrees with"),
        ("oncogene", {"role_votes": {"LoF": 1}}, "it **disagrees with this role**"),
        ("unclear", {"role_votes": {"LoF": 1}}, "it **neither agrees nor disagrees with"),
        ("context-dependent", {"role_votes": {"Act": 1, "LoF": 1}}, "it **agrees with this role**"),
        ("oncogene", {"role_votes": {"Act": 1}}, "Act, which stands for an oncogene"),
        ("oncogene", {"role_votes": {"ambiguous": 1}}, "a mixed or context-dependent role"),
        ("oncogene", {"role_votes": {"Act": 1}}, "per-cohort dN/dS call: weak evidence"),
        ("oncogene", {}, "intOGen gives no role for this pair."),
        ("oncogene", {"origin": "configuration"}, "not one of its driver calls"),
    ],
)
def test_intogens_role_beside_the_reports(role, statistics, text):
    page = summary_markdown(summary(role_of_action=role), report(), IntogenStatistics(**statistics))
    assert text in section(page, "Role of action")


def test_without_statistics_intogens_role_is_not_known():
    page = summary_markdown(summary(), report())
    assert "intOGen's own role is not known here." in section(page, "Role of action")


def test_what_the_controller_put_right_is_said():
    page = summary_markdown(summary(controller_edits=["role set to unclear"]), report())
    assert "Put right by the controller: role set to unclear." in section(page, "Role of action")


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"status": "not_reviewed"}, "- The scientific reviewer has not read the report."),
        (
            {"provenance": {"unresolved": ["assessment: a study is missing"]}},
            "- The reviewer's issue of high severity stayed open: assessment: a study is missing",
        ),
        ({"references": [paper(1, tracked=False), paper(2)]}, "- 1 reference of 2 untracked: no"),
        ({"references": [paper(1, tracked=False)] * 2}, "- 2 references of 2 untracked: no tool"),
        ({"references": [paper(1, retracted=True), paper(2)]}, "- 1 reference of 2 retracted."),
    ],
)
def test_what_the_report_leaves_uncertain(changes, text):
    page = summary_markdown(summary(), report(**changes))
    assert text in section(page, "What is uncertain or contested")


@pytest.mark.parametrize(
    ("evidence", "lines"),
    [
        (
            phase2({}),
            ["Nothing was left open on record; the evidence itself may still be incomplete."],
        ),
        (
            phase2({"stance": "refutes"}, {"kind": "contradiction"}),
            ["- 2 findings qualify the gene's role or conflict with others, for example: S."],
        ),
        (phase2({"kind": "null_result"}), ["- 1 null result."]),
        (
            phase2({"kind": "null_result", "stance": "refutes"}),
            ["- 1 finding qualifies the gene's role or conflicts with others: S."],
        ),
        (
            phase2({}, queries=("failed", "empty", "content")),
            ["- 1 literature search without an answer."],
        ),
        (phase2(queries=("failed", "refused")), ["- 2 literature searches without an answer."]),
    ],
)
def test_conflicts_are_counted(evidence, lines):
    page = summary_markdown(summary(), report(), phase2=evidence)
    assert section(page, "What is uncertain or contested").strip().splitlines() == lines


def test_mechanisms_and_rationale_come_first_among_five_references():
    papers = [paper(number) for number in range(1, 8)]
    made = report(
        *papers,
        gene_function={"bullets": [bullet(1), bullet(2)]},
        assessment={"involvement": "supported", "rationale": [bullet(3, 4), bullet(5)]},
        mechanistic_hypothesis={"bullets": [{**bullet(6, 7), "chain": CHAIN}]},
    )
    assert [reference.index for reference in key_references(made)] == [6, 7, 3, 4, 5]


def test_a_tool_is_no_key_reference():
    tool = {"index": 2, "kind": "tool", "id": "article_searcher", "tracked": True}
    assert [each.index for each in key_references(report(paper(1), tool, paper(3)))] == [3]


def test_a_paper_on_the_function_alone_is_no_key_reference():
    assert [each.index for each in key_references(report())] == [3, 2]


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            {"journal": "Science", "year": 1997},
            "- [Title 3](https://pubmed.ncbi.nlm.nih.gov/9065403/), *Science*, 1997",
        ),
        ({"title": None}, "- [PMID:9065403](https://pubmed.ncbi.nlm.nih.gov/9065403/)"),
        ({"tracked": False}, "- [Title 3](https://pubmed.ncbi.nlm.nih.gov/9065403/) \\*"),
        (
            {"retracted": True},
            "- **RETRACTED** [Title 3](https://pubmed.ncbi.nlm.nih.gov/9065403/)",
        ),
        ({"kind": "doi", "id": "10.1/x", "url": "javascript:alert(1)"}, "- Title 3"),
    ],
)
def test_a_key_reference(changes, line):
    page = summary_markdown(summary(), report(paper(1), paper(2), paper(3, **changes)))
    assert section(page, "Key references").splitlines()[0] == line


def test_the_star_is_explained_only_where_there_is_one():
    with_star = summary_markdown(summary(), report(paper(3, tracked=False)))
    assert "\\* Untracked: no tool of this journey returned this reference." in with_star
    assert "Untracked:" not in summary_markdown(summary(), report())


def test_without_the_record_the_reports_own_provenance_names_the_models():
    models = {
        "report_creator": {"provider": "p", "model": "asked", "answered_by": ["named-1"]},
        "refiner": {"provider": "p", "model": "asked"},
    }
    page = summary_markdown(summary(), report(provenance={"models": models}))
    assert page.endswith("Written by named-1 (report creator); asked (refiner); not by a person.\n")


def test_nobody_is_named_where_nobody_is_known():
    assert "Written by" not in summary_markdown(summary(), report(), answered_by={})


HOSTILE = "<script>x</script> [click](http://evil) |a|\n# b\n\n- *c* `d` ![i](http://e/i.png)"


def test_nothing_of_a_model_becomes_markup():
    texts = dict.fromkeys(
        ("headline", "general", "gene_function", "assessment", "mechanistic_hypothesis"), HOSTILE
    )
    assessment = {"involvement": "supported", "rationale": [bullet(1)], "reason": HOSTILE}
    made = report(
        paper(1, title=HOSTILE, journal=HOSTILE),
        assessment=assessment,
        provenance={"unresolved": [HOSTILE]},
        cancer={**HEAD["cancer"], "name": HOSTILE},
    )
    page = summary_markdown(
        summary(texts, role_reason=HOSTILE, controller_edits=[HOSTILE]),
        made,
        IntogenStatistics(role_votes={HOSTILE: 1}),
        {HOSTILE: [HOSTILE]},
    )
    assert "<script" not in page
    assert [line for line in page.splitlines() if line.startswith("# ")] == [page.splitlines()[0]]
    plain = re.sub(r"\\.", "", page)
    assert re.findall(r"\]\((.*?)\)", plain) == [
        "https://pubmed.ncbi.nlm.nih.gov/9065401/",
        "report.md",
    ]
