"""Planted defects: every kind is found without a model, and nothing else is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.review.pair import (
    AGAINST,
    CANCER,
    CELLS,
    CHAINS,
    GASTRIC,
    GENE,
    OTHER_GENE,
    REPORT,
    TERMS,
    checker,
    evidence,
    item,
    parsed,
    phase2,
    reference,
    report,
)

from intogen_agent.cohort.cancer_types import default_path, load_cancer_types
from intogen_agent.models import Cancer, GeneIdentity
from intogen_agent.report.rules import violations
from intogen_agent.review.checks import CHECKS, check_name
from intogen_agent.review.models import CritiqueIssue, Severity
from intogen_agent.review.naming import CancerTerms, GeneNames

ROOT = Path(__file__).resolve().parents[2]
Data = dict[str, Any]
Plant = Callable[[Data, Data], None]


def found(plant: Plant | None = None) -> list[CritiqueIssue]:
    """Return what the checks find after something was planted in the report or its evidence."""
    data, gathered = report(), phase2()
    if plant is not None:
        plant(data, gathered)
    return checker().issues(parsed(data), evidence(gathered))


def test_the_report_is_valid_and_no_check_has_anything_against_it() -> None:
    assert violations(parsed(report()), evidence=evidence()) == []
    assert found() == []


def rationale(data: Data, place: int = 0) -> Any:
    return data["assessment"]["rationale"][place]


def mechanism(data: Data, place: int = 0) -> Any:
    return data["mechanistic_hypothesis"]["bullets"][place]


def cite(data: Data, bullet: Data, pmid: str, name: str, text: str, **marks: Any) -> None:
    """Let a bullet say something else on the word of another paper."""
    index = len(data["references"]) + 1
    data["references"].append({"index": index, "tracked": True, **reference(pmid), **marks})
    bullet.update(text=text, citations=[index], evidence=[name])


def ledger(gathered: Data, name: str) -> Any:
    return next(one for one in gathered["ledger"] if one["id"] == name)


def another_gene(data: Data, gathered: Data) -> None:
    cite(data, rationale(data), "17000001", "E6", OTHER_GENE)


def gene_only_in_statement(data: Data, gathered: Data) -> None:
    ledger(gathered, "E2")["quote"] = "inactivated by mutations in 41 of 43 colorectal tumours"
    data["references"][2]["title"] = "Somatic mutations in colorectal tumors"


def antisense_gene(data: Data, gathered: Data) -> None:
    text = "APC-AS1 was lost in 41 of 43 colorectal tumours."
    gathered["ledger"].append(item("E8", text, "17000001"))
    cite(data, rationale(data), "17000001", "E8", text)


def another_cancer(data: Data, gathered: Data) -> None:
    text = "APC was mutated in 12 gastric cancers."
    gathered["ledger"].append(item("E8", text, "17000000"))
    cite(data, rationale(data), "17000000", "E8", text)


def cancer_not_named(data: Data, gathered: Data) -> None:
    ledger(gathered, "E2")["quote"] = "APC was inactivated by mutations in 41 of 43 cases"
    data["references"][2]["title"] = "Somatic mutations of the APC gene"


def claim_of_other_cancers(data: Data, gathered: Data) -> None:
    text = GASTRIC.replace("gastric cancer", "colorectal cancer")
    cite(data, rationale(data), "17000000", "E5", text)


def models_not_named(data: Data, gathered: Data) -> None:
    text = "APC restoration lowers growth of colon cancer."
    cite(data, rationale(data), "17000002", "E7", text)


def verdict_of_models(data: Data, gathered: Data) -> None:
    ledger(gathered, "E2")["system"] = "animal"
    ledger(gathered, "E4")["system"] = "animal"
    rationale(data)["text"] = "In mice, " + rationale(data)["text"]


def untracked_source(data: Data, gathered: Data) -> None:
    cite(data, rationale(data), "22810696", "E2", rationale(data)["text"], tracked=False)


def retracted_source(data: Data, gathered: Data) -> None:
    data["references"][2]["retracted"] = True


def contradiction_not_named(data: Data, gathered: Data) -> None:
    gathered["ledger"].append(item("E8", AGAINST, "1338904", stance="refutes"))
    rationale(data)["evidence"] = ["E2", "E8"]


def evidence_against_not_named(data: Data, gathered: Data) -> None:
    gathered["ledger"].append(item("E8", AGAINST, "17000000", stance="refutes"))


def absence_after_an_outage(data: Data, gathered: Data) -> None:
    gathered["queries"][0]["outcome"] = "failed"
    rationale(data, 2)["text"] = "No study of APC in colorectal cancer was found."


def wrong_number(data: Data, gathered: Data) -> None:
    rationale(data)["text"] = rationale(data)["text"].replace("41 of 43", "42 of 43")


def wrong_number_in_chain(data: Data, gathered: Data) -> None:
    mechanism(data)["chain"]["outcome"] = "growth of the epithelium in 90% of cases"


def another_name(data: Data, gathered: Data) -> None:
    mechanism(data)["text"] = mechanism(data)["text"].replace("hTcf-4", "SMAD4")


def name_in_chain(data: Data, gathered: Data) -> None:
    mechanism(data)["chain"]["mediator"] = "target genes of NOTCH1"


def name_like_a_word(data: Data, gathered: Data) -> None:
    mechanism(data)["text"] = mechanism(data)["text"].replace("hTcf-4", "Notch and survivin")


def claim_of_unnamed_cancers(data: Data, gathered: Data) -> None:
    rationale(data)["text"] = "APC mutation drives stomach cancer, melanoma and leukaemia."


def dropped_negation(data: Data, gathered: Data) -> None:
    gathered["ledger"].append(item("E8", AGAINST, "1338904", kind="contradiction"))
    rationale(data).update(text=AGAINST.replace("did not change", "did change"), evidence=["E8"])


def added_negation(data: Data, gathered: Data) -> None:
    rationale(data)["text"] = rationale(data)["text"].replace("was inact", "was not inact")


def swapped_direction(data: Data, gathered: Data) -> None:
    text = CELLS.replace("lowers growth", "raises growth")
    cite(data, rationale(data), "17000002", "E7", text)


def gain_for_loss(data: Data, gathered: Data) -> None:
    for bullet in (rationale(data, 1), mechanism(data)):
        bullet["text"] = bullet["text"].replace("Loss of APC", "Gain of APC")


def role_of_the_other_kind(data: Data, gathered: Data) -> None:
    rationale(data)["text"] = "APC acts as an oncogene in 41 of 43 colorectal tumours."


def refuted_mechanism(data: Data, gathered: Data) -> None:
    ledger(gathered, "E3")["stance"] = "refutes"


def chain_of_other_words(data: Data, gathered: Data) -> None:
    mechanism(data)["chain"]["outcome"] = "angiogenesis"


def chain_turned(data: Data, gathered: Data) -> None:
    mechanism(data)["chain"]["cause"] = "APC amplification"


def missing_mechanism(data: Data, gathered: Data) -> None:
    del data["mechanistic_hypothesis"]["bullets"][1]


HIGH, MEDIUM = Severity.HIGH, Severity.MEDIUM
PLANTS: list[tuple[Plant, str, Severity]] = [
    (another_gene, "gene-in-quote", HIGH),
    (antisense_gene, "gene-in-quote", HIGH),
    (gene_only_in_statement, "gene-in-quote", MEDIUM),
    (another_cancer, "cancer-in-quote", HIGH),
    (cancer_not_named, "cancer-in-quote", MEDIUM),
    (claim_of_other_cancers, "other-cancers-only", HIGH),
    (models_not_named, "models-only", MEDIUM),
    (verdict_of_models, "verdict-on-models", MEDIUM),
    (untracked_source, "untracked-only", MEDIUM),
    (retracted_source, "retracted", HIGH),
    (contradiction_not_named, "contradicting-evidence", HIGH),
    (evidence_against_not_named, "refuting-unnamed", MEDIUM),
    (absence_after_an_outage, "absence-after-outage", HIGH),
    (wrong_number, "number-in-evidence", HIGH),
    (wrong_number_in_chain, "number-in-evidence", HIGH),
    (another_name, "name-in-evidence", MEDIUM),
    (name_in_chain, "name-in-evidence", MEDIUM),
    (name_like_a_word, "name-in-evidence", MEDIUM),
    (claim_of_unnamed_cancers, "cancer-in-evidence", HIGH),
    (dropped_negation, "negation-kept", HIGH),
    (added_negation, "negation-kept", HIGH),
    (swapped_direction, "direction-kept", HIGH),
    (gain_for_loss, "direction-kept", HIGH),
    (role_of_the_other_kind, "role-against-chains", HIGH),
    (refuted_mechanism, "refuted-mechanism", HIGH),
    (chain_of_other_words, "chain-in-evidence", MEDIUM),
    (chain_turned, "chain-direction", HIGH),
    (missing_mechanism, "confirmed-mechanism-missing", MEDIUM),
]


@pytest.mark.parametrize(
    ("plant", "name", "severity"), PLANTS, ids=[plant.__name__ for plant, _, _ in PLANTS]
)
def test_a_planted_defect_is_found_without_a_model(
    plant: Plant, name: str, severity: Severity
) -> None:
    issues = found(plant)
    assert (name, severity) in [(issue.check, issue.severity) for issue in issues]
    assert {issue.origin for issue in issues} == {"check"}
    assert [issue.id for issue in issues] == [f"C{n}" for n in range(1, len(issues) + 1)]
    assert all(issue.why and issue.recommended_action and issue.place for issue in issues)


def test_every_check_has_a_planted_defect() -> None:
    assert {name for _, name, _ in PLANTS} == {check_name(check) for check in CHECKS}


@pytest.mark.parametrize(
    "text",
    [
        "APC is no oncogene in 41 of 43 colorectal tumours.",
        "APC acts as a tumour suppressor in 41 of 43 colorectal tumours.",
        "41 of 43 colorectal tumours with lost APC had an oncogene as well.",
    ],
)
def test_a_role_that_the_chains_show_is_no_issue(text: str) -> None:
    data = report()
    rationale(data)["text"] = text
    names = [issue.check for issue in checker().issues(parsed(data), evidence())]
    assert "role-against-chains" not in names


def test_a_named_contradiction_is_no_issue() -> None:
    data, gathered = report(), phase2()
    contradiction_not_named(data, gathered)
    rationale(data)["text"] += " However, the outcome of colorectal cancer did not change."
    names = [issue.check for issue in checker().issues(parsed(data), evidence(gathered))]
    assert "contradicting-evidence" not in names


def test_a_finding_of_other_cancers_that_says_so_is_no_issue() -> None:
    data = report()
    cite(data, rationale(data), "17000000", "E5", GASTRIC)
    assert checker().issues(parsed(data), evidence()) == []


def test_for_cancer_of_any_type_every_cancer_is_the_target() -> None:
    data, gathered = report(), phase2()
    data["cancer"] = {**CANCER, "code": "CANCER", "name": "Any Cancer Type", "pan_cancer": True}
    another_cancer(data, gathered)
    names = [i.check for i in checker(data["cancer"], ()).issues(parsed(data), evidence(gathered))]
    assert "cancer-in-quote" not in names and "other-cancers-only" not in names


LEFT_OUT = (
    "APC loss raises the growth of colorectal cancer cells with stable beta-catenin in the crypts "
    "of the colon, but it does not lower apoptosis."
)


def test_a_clause_that_is_left_out_is_no_swapped_statement() -> None:
    data, gathered = report(), phase2()
    gathered["ledger"].append(item("E8", LEFT_OUT, "1338904"))
    rationale(data).update(text=LEFT_OUT.partition(", but")[0] + ".", evidence=["E8"])
    assert checker().issues(parsed(data), evidence(gathered)) == []


def test_a_study_of_several_cancers_may_speak_of_this_one() -> None:
    data, gathered = report(), phase2()
    text = "APC was mutated in colorectal cancer, gastric cancer and others."
    gathered["ledger"].append(item("E8", text, "17000000", scope="pan-cancer"))
    cite(data, rationale(data), "17000000", "E8", text)
    assert checker().issues(parsed(data), evidence(gathered)) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("41 of 43 CRC samples", True),
        ("41 of 43 COADREAD samples", True),
        ("bowel cancer", True),
        ("tumours of the rectum", False),
        ("colon carcinomas", True),
        ("rectal adenocarcinoma", True),
        ("gastric cancer", False),
        ("crc32 checksums", False),
    ],
)
def test_a_cancer_is_named_by_the_words_of_its_branch(text: str, named: bool) -> None:
    types = load_cancer_types(default_path())
    assert CancerTerms(Cancer.model_validate(CANCER), TERMS, types).in_text(text) is named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("APC-mutant clones", True),
        ("Apc loss in mice", True),
        ("the DP2 protein", True),
        ("APC2 was lost", False),
        ("APC-AS1 was lost", False),
        ("NAPC was lost", False),
        ("the anaphase promoting complex", False),
    ],
)
def test_a_name_that_merely_holds_the_symbol_is_another_gene(text: str, named: bool) -> None:
    assert GeneNames(GeneIdentity.model_validate(GENE)).in_text(text) is named


def test_issues_of_checks_need_no_new_evidence_and_no_outside_knowledge() -> None:
    issues = [issue for plant, _, _ in PLANTS for issue in found(plant)]
    assert not any(issue.needs_new_evidence or issue.outside_evidence for issue in issues)
    assert CHAINS[0] == REPORT["mechanistic_hypothesis"]["bullets"][0]["chain"]


def test_every_check_is_documented() -> None:
    page = (ROOT / "docs" / "review.md").read_text(encoding="utf-8")
    assert [name for name in map(check_name, CHECKS) if f"| `{name}` |" not in page] == []
