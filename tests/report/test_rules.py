"""Every rule: the valid reports pass, each kind of damage is refused under the rule's own id."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from report_damage import (
    Parse,
    Report,
    function,
    mechanisms,
    new_reference,
    other_bullets,
    put,
    put_thresholds,
    rationale,
    reference,
    second_mechanism,
)
from rule_mutants import MUTANTS

from intogen_agent.report.rules import check_text, violations
from intogen_agent.report.rules.check import LEDGER_RULES, RULES, rule_id
from intogen_agent.report.sources import support
from intogen_agent.report.thresholds import Thresholds


def rules_of(report: Report) -> set[str]:
    return {violation.rule for violation in check_text(json.dumps(report))}


def test_the_valid_reports_break_no_rule(valid: Report, not_supported: Report) -> None:
    assert check_text(json.dumps(valid)) == []
    assert check_text(json.dumps(not_supported)) == []


@pytest.mark.parametrize("name", MUTANTS)
def test_damage_is_refused_under_the_id_of_its_rule(valid: Report, name: str) -> None:
    rule, damage = MUTANTS[name]
    damage(valid)
    assert rule in rules_of(valid)


# Damage of one kind only: nothing else may be reported, so that a model mends the right thing.
SOLE = [name for name, (rule, _) in MUTANTS.items() if rule.startswith(("function-", "text-"))]


@pytest.mark.parametrize("name", sorted(set(SOLE) - {"no function bullet", "one function bullet"}))
def test_damage_to_a_text_is_reported_once(valid: Report, name: str) -> None:
    rule, damage = MUTANTS[name]
    damage(valid)
    assert rules_of(valid) == {rule}


def test_every_rule_has_a_mutant() -> None:
    tried = {rule for rule, _ in MUTANTS.values()}
    assert {rule_id(rule) for rule in RULES} <= tried


def test_every_rule_says_where_it_comes_from() -> None:
    for rule in (*RULES, *LEDGER_RULES):
        assert rule.__doc__ and len(rule.__doc__) > 20, rule_id(rule)
    assert len({rule_id(rule) for rule in (*RULES, *LEDGER_RULES)}) == len(RULES) + len(
        LEDGER_RULES
    )


HARMLESS: dict[str, Callable[[Report], Any]] = {
    "five function bullets": lambda r: function(r).extend(other_bullets(function(r)[1], 3)),
    "three sentences": lambda r: put(function(r)[0], text="Binds DNA. Acts in G1. Forms dimers."),
    "another verb": lambda r: put(function(r)[0], text="Negatively regulates WNT. Binds axin."),
    "a named tumour suppressor": lambda r: put(
        function(r)[0], text="Binds tumor protein p53. Acts with tumor necrosis factor."
    ),
    "two rationale bullets": lambda r: (
        put(rationale(r)[1], citations=[4, 5]),
        rationale(r).pop(),
    ),
    "four rationale bullets": lambda r: rationale(r).extend(other_bullets(rationale(r)[2], 1)),
    "a chain of sorts of death": lambda r: put(
        mechanisms(r)[0]["chain"], outcome="fewer causes of death and apoptosis"
    ),
    "a mediator of two molecules": lambda r: put(
        mechanisms(r)[0]["chain"], mediator="beta-catenin and TCF4"
    ),
    "the same words in rationale and mechanism": lambda r: put(
        mechanisms(r)[0], text=rationale(r)[1]["text"]
    ),
    "a second mechanism": lambda r: second_mechanism(r, cause="APC promoter methylation"),
    "mechanisms of one and of both alleles": lambda r: (
        second_mechanism(r, cause="APC-/-"),
        second_mechanism(r, cause="APC+/-"),
    ),
    "a chain written in the text": lambda r: put(
        mechanisms(r)[0], text="APC loss → WNT signaling → transformation of the epithelium."
    ),
    "an earlier reference cited again": lambda r: put(rationale(r)[2], citations=[1, 3, 5]),
    "no title and year": lambda r: put(reference(r, 3), title=None, year=None),
    "a PMID without address": lambda r: reference(r, 3).pop("url"),
    "a PMID with its prefix": lambda r: put(reference(r, 3), id="PMID:1338904"),
    "the old address of PubMed": lambda r: put(
        reference(r, 3), url="https://www.ncbi.nlm.nih.gov/pubmed/1338904"
    ),
    "an untracked reference": lambda r: put(reference(r, 3), tracked=False, first_seen=None),
    "a retracted reference among four": lambda r: new_reference(
        r, kind="pmid", id="8259999", journal="Cell", retracted=True
    ),
    "a paper of intOGen beside enough others": lambda r: new_reference(
        r, kind="pmid", id="32778778", journal="Nat Rev Cancer", circular=True
    ),
    "all thresholds listed as met": lambda r: put_thresholds(r),
    "a trial": lambda r: new_reference(
        r, kind="nct", id="NCT01234567", url="https://clinicaltrials.gov/study/NCT01234567"
    ),
    "a DOI with its resolver's address": lambda r: new_reference(
        r, kind="doi", id="10.1000/182", url="https://doi.org/10.1000/182"
    ),
    "a DOI with the publisher's page that holds it": lambda r: new_reference(
        r, kind="doi", id="10.1000/182", url="https://example.org/doi/full/10.1000/182"
    ),
    "an older page of the record": lambda r: put(
        reference(r, 1), url="https://www.uniprot.org/uniprot/P25054"
    ),
    "a record without address": lambda r: put(reference(r, 1), url=None),
    "a site": lambda r: new_reference(
        r, kind="url", id="https://example.org/a", url="https://example.org/a"
    ),
    "a tool beside enough papers": lambda r: new_reference(r, kind="tool", id="article_searcher"),
    "statistics in the text": lambda r: put(
        rationale(r)[0], text="APC is lost (P < 0.05, n = 41, c.35G>A, HLA-A*02:01, [Ca2+])."
    ),
    "another gene name": lambda r: put(r["gene"], name=None, aliases=[]),
    "empty provenance": lambda r: put(r, provenance={}),
    "the stage of the reviewer": lambda r: put(r, stage="critique"),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_edits_pass(valid: Report, name: str) -> None:
    HARMLESS[name](valid)
    assert check_text(json.dumps(valid)) == []


def test_a_pmid_without_address_gets_its_pubmed_address(valid: Report, parse: Parse) -> None:
    reference(valid, 3)["url"] = None
    assert parse(valid).references[2].url == "https://pubmed.ncbi.nlm.nih.gov/1338904/"


def test_the_thresholds_can_be_set(valid: Report, parse: Parse) -> None:
    report = parse(valid)
    for name, value, rule in [
        ("min_supported_references", 4, "supported-references"),
        ("min_supported_sources", 4, "supported-sources"),
        ("min_supported_rationale", 4, "supported-rationale"),
        ("function_bullets", (3, 5), "function-bullet-count"),
        ("rationale_bullets", (1, 2), "rationale-bullet-count"),
        ("mechanism_bullets", (2, 6), "mechanism-bullet-count"),
        ("function_sentences", (1, 1), "function-sentence-count"),
    ]:
        found = violations(report, Thresholds.model_validate({name: value}))
        assert {violation.rule for violation in found} == {rule}


def test_independent_studies_in_one_journal_count_apart_when_that_is_configured(
    valid: Report, parse: Parse
) -> None:
    for index in (3, 4, 5):
        reference(valid, index)["journal"] = "Nature"
    report = parse(valid)
    assert "supported-sources" in {each.rule for each in violations(report)}
    assert violations(report, Thresholds(source_by="study")) == []
    for index in (3, 4, 5):
        reference(valid, index)["journal"] = None
    unknown = parse(valid)
    assert support(unknown).sources == ["unknown journal"]
    assert len(support(unknown, source_by="study").sources) == 3


def test_the_thresholds_are_shown_to_models_as_plain_json() -> None:
    assert Thresholds().model_dump(mode="json") == {
        "min_supported_rationale": 2,
        "min_supported_references": 3,
        "min_supported_sources": 2,
        "source_by": "journal",
        "function_bullets": [2, 5],
        "rationale_bullets": [2, 4],
        "mechanism_bullets": [1, 6],
        "function_sentences": [2, 3],
    }


@pytest.mark.parametrize("bounds", [(0, 3), (4, 3), (-1, 1)])
def test_thresholds_out_of_order_are_refused(bounds: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="least"):
        Thresholds(function_bullets=bounds)


@pytest.mark.parametrize(
    ("damage", "path"),
    [
        (lambda r: function(r)[1].pop("text"), "gene_function.bullets[1].text"),
        (lambda r: put(reference(r, 2), year="soon"), "references[1].year"),
        (lambda r: put(r, extra=1), "extra"),
    ],
)
def test_schema_errors_say_where(valid: Report, damage: Callable[[Report], Any], path: str) -> None:
    damage(valid)
    found = check_text(json.dumps(valid))
    assert [(violation.rule, violation.path) for violation in found] == [("schema", path)]


@pytest.mark.parametrize(
    "raw",
    ["", "{", "not json", '{"a": 1,}', "[" * 100_000, b"\xff\xfe\x00", '"\\ud800'],
)
def test_what_is_no_json_is_one_violation(raw: str | bytes) -> None:
    found = check_text(raw)
    assert [violation.rule for violation in found] == ["json"]


@pytest.mark.parametrize("raw", ["null", "[]", "3", '"text"', "{}", '{"gene": "\\ud800"}'])
def test_other_json_breaks_the_schema(raw: str) -> None:
    assert {violation.rule for violation in check_text(raw)} == {"schema"}


def test_messages_name_the_path_and_the_remedy(valid: Report) -> None:
    rationale(valid)[1]["citations"] = [4, 4]
    (found,) = check_text(json.dumps(valid))
    assert found.path == "assessment.rationale[1].citations"
    assert found.message == "write [4] instead of [4, 4]."
