"""Rules that need the evidence: ids, citations, numbers, basis of a supported verdict."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intogen_agent.errors import UserError
from intogen_agent.evidence.models import Phase1, Phase2
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence, read_evidence, violations
from intogen_agent.report.rules.check import LEDGER_RULES, rule_id
from intogen_agent.report.thresholds import THRESHOLD_NAMES

Data = dict[str, Any]
Change = Callable[[Data, Data, Data], Any]


def rules_of(report: Data, phase1: Data, phase2: Data) -> set[str]:
    evidence = Evidence(Phase1.model_validate(phase1), Phase2.model_validate(phase2))
    found = violations(FinalReport.model_validate(report), evidence=evidence)
    return {violation.rule for violation in found}


def rationale(report: Data) -> list[Data]:
    return report["assessment"]["rationale"]


def basis(phase2: Data, *values: str) -> None:
    for item, value in zip(phase2["ledger"], values, strict=False):
        item["basis"] = value


def untracked(report: Data, index: int, pmid: str) -> None:
    url = f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"
    report["references"][index - 1].update(
        id=pmid, url=url, also=[], tracked=False, first_seen=None
    )


def named(reference: Data, *phases: Data) -> None:
    """Make a tracked reference one that only another paper's text names."""
    for phase in phases:
        for one in phase["references"]:
            if one["id"] == reference["id"]:
                one["mentioned"] = True
        for item in phase["ledger"]:
            kept = [name for name in item["references"] if reference["id"] not in name]
            item["references"] = kept or ["PMID:1"]


def put_counts(report: Data, *found: int) -> None:
    report["assessment"]["thresholds"] = [
        {"threshold": name, "needed": needed, "found": number}
        for name, needed, number in zip(THRESHOLD_NAMES, (2, 3, 2, 1), found, strict=True)
    ]


def circular(report: Data, phase2: Data) -> None:
    """Make the only functional and clinical findings those of intOGen's own paper."""
    own = {"id": "24037244", "also": [], "url": "https://pubmed.ncbi.nlm.nih.gov/24037244/"}
    report["references"][3].update(own, circular=True)
    phase2["references"][1].update(own)
    phase2["ledger"][0]["references"] = ["PMID:24037244"]
    phase2["ledger"][1]["basis"] = "driver_statistics"


DAMAGE: dict[str, tuple[str, Change]] = {
    "an item that does not exist": (
        "evidence-exists",
        lambda r, p1, p2: rationale(r)[0].update(evidence=["E2", "E9"]),
    ),
    "no item named": ("evidence-named", lambda r, p1, p2: rationale(r)[0].update(evidence=[])),
    "an item without quote": (
        "evidence-quoted",
        lambda r, p1, p2: p2["ledger"][1].update(quote=" "),
    ),
    "a citation of another item's paper": (
        "citation-from-evidence",
        lambda r, p1, p2: rationale(r)[2].update(citations=[3, 4, 5], evidence=["F1"]),
    ),
    "another title than the tools returned": (
        "reference-as-tracked",
        lambda r, p1, p2: r["references"][-1].update(title="A paper on something else"),
    ),
    "another first appearance": (
        "reference-as-tracked",
        lambda r, p1, p2: r["references"][-1]["first_seen"].update(tool="zzz", call="c77"),
    ),
    "a version that the tools did not name": (
        "reference-as-tracked",
        lambda r, p1, p2: r["references"][-1].update(
            versions=[{"relation": "preprint", "kind": "doi", "id": "10.1101/2020.01.02.123456"}]
        ),
    ),
    "an invented PMID beside the true DOI": (
        "reference-as-tracked",
        lambda r, p1, p2: r["references"][3].update(
            id="39999999", url="https://pubmed.ncbi.nlm.nih.gov/39999999/"
        ),
    ),
    "an invented DOI as another identifier": (
        "reference-as-tracked",
        lambda r, p1, p2: r["references"][3].update(
            also=[{"kind": "doi", "id": "10.1126/science.999.9999"}]
        ),
    ),
    "an invented PMCID beside the true DOI": (
        "reference-as-tracked",
        lambda r, p1, p2: r["references"][3]["also"].append({"kind": "pmcid", "id": "PMC9999999"}),
    ),
    "another paper's DOI": (
        "reference-as-tracked",
        lambda r, p1, p2: r["references"][3].update(
            also=[{"kind": "doi", "id": "10.1038/nature11252"}]
        ),
    ),
    "an invented PMID with the address of the true paper's page": (
        "reference-as-tracked",
        lambda r, p1, p2: r["references"][1].update(id="39999999"),
    ),
    "a reference that another paper merely names": (
        "citation-in-ledger",
        lambda r, p1, p2: named(r["references"][-1], p1, p2),
    ),
    "a citation beside the item's own paper": (
        "citation.unsupported",
        lambda r, p1, p2: rationale(r)[2].update(citations=[3, 5]),
    ),
    "a right paper at a statement that rests on another": (
        "citation.unsupported",
        lambda r, p1, p2: rationale(r)[1].update(citations=[3, 4]),
    ),
    "a third reference that refutes": (
        "supported-agreeing",
        lambda r, p1, p2: p2["ledger"][2].update(stance="refutes"),
    ),
    "a third reference that contradicts": (
        "supported-agreeing",
        lambda r, p1, p2: p2["ledger"][2].update(kind="contradiction", stance="neutral"),
    ),
    "supported by a finding of intOGen's own paper": (
        "supported-evidence",
        lambda r, p1, p2: circular(r, p2),
    ),
    "a finding whose paper the bullet does not cite": (
        "supported-evidence",
        lambda r, p1, p2: (
            basis(p2, "functional", "driver_statistics", "driver_statistics"),
            rationale(r)[1].update(citations=[3], evidence=["E1", "E2"]),
        ),
    ),
    "counts that are not those of the evidence": (
        "thresholds-as-counted",
        lambda r, p1, p2: put_counts(r, 3, 5, 3, 2),
    ),
    "a tracked reference that no tool returned": (
        "citation-in-ledger",
        lambda r, p1, p2: r["references"][4].update(
            id="999", also=[], url="https://pubmed.ncbi.nlm.nih.gov/999/"
        ),
    ),
    "a returned reference that is marked untracked": (
        "citation-in-ledger",
        lambda r, p1, p2: r["references"][4].update(tracked=False, first_seen=None),
    ),
    "a reason of numbers of its own": (
        "reason-from-evidence",
        lambda r, p1, p2: (
            r["assessment"].update(involvement="not_supported", reason="17 of 500 tumours only."),
            r.update(mechanistic_hypothesis=None),
        ),
    ),
    "undetermined though every question was answered": (
        "undetermined-by-outage",
        lambda r, p1, p2: r["assessment"].update(undetermined=True),
    ),
    "a number that the items do not hold": (
        "numbers-from-evidence",
        lambda r, p1, p2: rationale(r)[0].update(text="APC is lost in 42 of 43 tumours."),
    ),
    "a percentage that the items do not hold": (
        "numbers-from-evidence",
        lambda r, p1, p2: rationale(r)[1].update(text="APC is lost in 95.3% of tumours."),
    ),
    "a share in words that the items do not hold": (
        "numbers-from-evidence",
        lambda r, p1, p2: rationale(r)[2].update(text="APC is lost in half of the tumours."),
    ),
    "a percentage in words": (
        "numbers-from-evidence",
        lambda r, p1, p2: rationale(r)[0].update(text="APC is lost in ninety percent."),
    ),
    "a number with another unit": (
        "numbers-from-evidence",
        lambda r, p1, p2: (
            p2["ledger"][1].update(quote="16% of tumours"),
            rationale(r)[0].update(text="APC loss raises growth 16-fold."),
        ),
    ),
    "two numbers turned round": (
        "numbers-from-evidence",
        lambda r, p1, p2: rationale(r)[0].update(text="APC is lost in 43 of 41 tumours."),
    ),
    "supported by driver statistics alone": (
        "supported-evidence",
        lambda r, p1, p2: basis(p2, *["driver_statistics"] * 4),
    ),
    "supported by expression alone": (
        "supported-evidence",
        lambda r, p1, p2: basis(p2, *["expression_association"] * 4),
    ),
    "supported by reviews and statistics": (
        "supported-evidence",
        lambda r, p1, p2: basis(p2, "review", "driver_statistics", "expression_association"),
    ),
    "supported by neutral findings": (
        "supported-evidence",
        lambda r, p1, p2: [item.update(stance="neutral") for item in p2["ledger"]],
    ),
    "supported by findings in other cancers": (
        "supported-evidence",
        lambda r, p1, p2: [item.update(scope="other") for item in p2["ledger"]],
    ),
    "the threshold met by an untracked reference": (
        "supported-tracked",
        lambda r, p1, p2: untracked(r, 5, "999"),
    ),
    "the evidence of another gene": (
        "evidence-of-this-pair",
        lambda r, p1, p2: p1["gene"].update(symbol="AXIN1"),
    ),
    "the evidence of another cancer": (
        "evidence-of-this-pair",
        lambda r, p1, p2: p2.update(cancer={**p2["cancer"], "code": "LUAD"}),
    ),
}


def test_the_valid_report_agrees_with_its_evidence(valid: Data, phase1: Data, phase2: Data) -> None:
    assert rules_of(valid, phase1, phase2) == set()


def test_a_report_that_cites_a_failed_search_agrees_with_its_evidence(
    not_supported: Data, phase1: Data, phase2: Data
) -> None:
    assert rules_of(not_supported, phase1, phase2) == set()


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_refused_under_the_id_of_its_rule(
    valid: Data, phase1: Data, phase2: Data, name: str
) -> None:
    rule, damage = DAMAGE[name]
    damage(valid, phase1, phase2)
    assert rule in rules_of(valid, phase1, phase2)


def test_every_ledger_rule_has_damage() -> None:
    assert {rule_id(rule) for rule in LEDGER_RULES} == {rule for rule, _ in DAMAGE.values()}


def test_a_tool_that_was_never_called_is_refused(
    not_supported: Data, phase1: Data, phase2: Data
) -> None:
    not_supported["references"][2]["id"] = "oracle"
    assert rules_of(not_supported, phase1, phase2) == {"citation-in-ledger"}


HARMLESS: dict[str, Change] = {
    "numbers of the quote": lambda r, p1, p2: rationale(r)[0].update(
        text="APC is lost in 41 of 43."
    ),
    "numbers with separators": lambda r, p1, p2: (
        p2["ledger"][1].update(quote="1234 tumours"),
        rationale(r)[0].update(text="APC was sequenced in 1,234 tumours."),
    ),
    "a number that the quote spells": lambda r, p1, p2: (
        p2["ledger"][1].update(quote="three of four tumours"),
        rationale(r)[0].update(text="APC is lost in 3 of 4 tumours."),
    ),
    "words that count nothing": lambda r, p1, p2: rationale(r)[0].update(
        text="APC follows the two-hit model: one of them strikes the third exon of a tumour."
    ),
    "most of the tumours": lambda r, p1, p2: rationale(r)[0].update(
        text="APC is inactivated in the majority of colorectal tumours."
    ),
    "a name that begins with an alias": lambda r, p1, p2: (
        r["gene"].update(aliases=["NPM"]),
        p2["ledger"][1].update(quote="APC binds NPM3 in tumours"),
        rationale(r)[0].update(text="APC binds NPM3."),
    ),
    "numbers in names": lambda r, p1, p2: rationale(r)[1].update(
        text="APC (DP2.5) loss frees HIF-1, caspase 3, TP53, p.R175H, IL-2 and 14-3-3 at 5q22 of "
        "the 3′ end beside 2-hydroxyglutarate."
    ),
    "an untracked reference beside enough tracked ones": lambda r, p1, p2: (
        r["references"].append(
            {
                "index": 6,
                "kind": "pmid",
                "id": "999",
                "url": "https://pubmed.ncbi.nlm.nih.gov/999/",
            }
        ),
        rationale(r)[2].update(citations=[5, 6]),
    ),
    "fewer identifiers than the tools returned": lambda r, p1, p2: r["references"][3].update(
        also=[]
    ),
    "an identifier in another writing": lambda r, p1, p2: r["references"][3].update(
        id="PMID:9065401", also=[{"kind": "doi", "id": "10.1126/SCIENCE.275.5307.1784"}]
    ),
    "a second tool that knows one more identifier": lambda r, p1, p2: (
        p1["references"].append(
            {
                **p2["references"][1],
                "also": [
                    *p2["references"][1]["also"],
                    {"kind": "pmcid", "id": "PMC1234567"},
                ],
            }
        ),
        r["references"][3]["also"].append({"kind": "pmcid", "id": "PMC1234567"}),
    ),
    "a citation of two items and their papers": lambda r, p1, p2: rationale(r)[2].update(
        citations=[3, 5], evidence=["E2", "E3"]
    ),
    "counts that are those of the evidence": lambda r, p1, p2: put_counts(r, 3, 3, 3, 2),
    "a fourth bullet that refutes": lambda r, p1, p2: rationale(r).append(
        {"text": "One screen found no alteration.", "citations": [5], "evidence": ["E4"]}
    ),
    "an item that names the paper by its DOI": lambda r, p1, p2: p2["ledger"][2].update(
        references=["DOI:10.1038/nature11252"]
    ),
    "one clinical item among statistics": lambda r, p1, p2: basis(
        p2, "review", "clinical", "driver_statistics"
    ),
    "findings in a related cancer": lambda r, p1, p2: [
        item.update(scope="related") for item in p2["ledger"]
    ],
    "findings in any cancer for the pan-cancer task": lambda r, p1, p2: [
        *(item.update(scope="other") for item in p2["ledger"]),
        *(
            each.update(cancer={**each["cancer"], "code": "CANCER", "pan_cancer": True})
            for each in (r, p2)
        ),
    ],
}


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_edits_pass(valid: Data, phase1: Data, phase2: Data, name: str) -> None:
    HARMLESS[name](valid, phase1, phase2)
    assert rules_of(valid, phase1, phase2) == set()


def test_the_evidence_is_read_from_the_pairs_folder(pair_folder: Path, evidence: Evidence) -> None:
    read = read_evidence(pair_folder)
    assert (read.phase1, read.phase2) == (evidence.phase1, evidence.phase2)


@pytest.mark.parametrize("missing", ["phase2.json", "../phase1.json"])
def test_missing_evidence_is_one_line_with_a_remedy(pair_folder: Path, missing: str) -> None:
    (pair_folder / missing).unlink()
    with pytest.raises(UserError, match=r"phase\d\.json: cannot be read .*--evidence") as error:
        read_evidence(pair_folder)
    assert "\n" not in str(error.value)


def test_a_file_that_is_no_evidence_is_named(pair_folder: Path) -> None:
    (pair_folder / "phase2.json").write_text("{}")
    with pytest.raises(UserError, match=r"phase2\.json: .*not an evidence file"):
        read_evidence(pair_folder)
