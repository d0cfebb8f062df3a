"""Every rule: the valid reports pass, each kind of damage is refused under the rule's own id."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import check_text, violations
from intogen_agent.report.rules.check import LEDGER_RULES, RULES, rule_id
from intogen_agent.report.thresholds import Thresholds

Report = dict[str, Any]
Parse = Callable[[Report], FinalReport]


def function(report: Report) -> list[Any]:
    return report["gene_function"]["bullets"]


def rationale(report: Report) -> list[Any]:
    return report["assessment"]["rationale"]


def mechanisms(report: Report) -> list[Any]:
    return report["mechanistic_hypothesis"]["bullets"]


def put(container: Any, **values: Any) -> None:
    container.update(values)


def reference(report: Report, index: int) -> Report:
    return report["references"][index - 1]


def new_reference(report: Report, **fields: Any) -> int:
    """Add a tracked reference that the last rationale bullet cites."""
    index = len(report["references"]) + 1
    seen = {"stage": "phase2", "tool": "article_searcher", "call": "c3"}
    report["references"].append({"index": index, "tracked": True, "first_seen": seen, **fields})
    report["assessment"]["rationale"][-1]["citations"].append(index)
    # References are numbered by first appearance, the mechanisms come later and cite old ones.
    return index


def only_one_reference(report: Report) -> None:
    for bullet in rationale(report):
        bullet["citations"] = [3]
    mechanisms(report)[0]["citations"] = [3]
    del report["references"][3:]


def one_journal(report: Report) -> None:
    for index in (3, 4, 5):
        reference(report, index)["journal"] = "Science"


def one_journal_written_in_two_ways(report: Report) -> None:
    for index, name in ((3, "Hum. Mol. Genet."), (4, "Human Molecular Genetics")):
        reference(report, index)["journal"] = name
    reference(report, 5)["journal"] = "hum mol genet"


def unknown_journals(report: Report) -> None:
    for index in (3, 4, 5):
        reference(report, index)["journal"] = None


def tool_among_three(report: Report) -> None:
    put(
        reference(report, 5),
        kind="tool",
        id="article_searcher",
        also=[],
        url=None,
        journal=None,
        title=None,
        year=None,
    )


def one_citing_bullet(report: Report) -> None:
    rationale(report)[0]["citations"] = [3, 4, 5]
    rationale(report)[1]["citations"] = []
    rationale(report)[2]["citations"] = []


def same_paper_by_doi(report: Report) -> None:
    put(reference(report, 5), kind="doi", id="10.1126/science.275.5307.1784", also=[], url=None)


def same_paper_by_address(report: Report) -> None:
    put(
        reference(report, 5),
        kind="url",
        id="https://www.ncbi.nlm.nih.gov/pubmed/9065401",
        url="https://www.ncbi.nlm.nih.gov/pubmed/9065401",
        also=[],
    )


def swap_citations(report: Report) -> None:
    rationale(report)[0]["citations"], rationale(report)[1]["citations"] = [4], [3]


MECHANISM_TEXTS = "Loss of APC stabilises beta-catenin and drives growth."


def second_mechanism(report: Report, **chain: str) -> None:
    first = mechanisms(report)[0]
    mechanisms(report).append(
        {**first, "text": MECHANISM_TEXTS, "chain": {**first["chain"], **chain}}
    )


MUTANTS: dict[str, tuple[str, Callable[[Report], Any]]] = {
    # Gene/Protein Function: 2-5 bullets, each 2-3 sentences, verb-first, free of cancer.
    "a stage that makes no report": ("accepted-report", lambda r: r.update(stage="phase1")),
    "a report that failed": ("accepted-report", lambda r: r.update(status="failed")),
    "the id of another record": (
        "database-id",
        lambda r: next(x for x in r["references"] if x["kind"] == "database").update(id="99999999"),
    ),
    "one function bullet": ("function-bullet-count", lambda r: function(r).pop()),
    "no function bullet": ("function-bullet-count", lambda r: function(r).clear()),
    "six function bullets": (
        "function-bullet-count",
        lambda r: function(r).extend([function(r)[1]] * 4),
    ),
    "one sentence": (
        "function-sentence-count",
        lambda r: put(function(r)[0], text="Binds DNA, e.g. as a tetramer."),
    ),
    "four sentences": (
        "function-sentence-count",
        lambda r: put(function(r)[1], text="Binds DNA. Binds RNA. Binds zinc. Binds ATP."),
    ),
    "a name first": (
        "function-verb-first",
        lambda r: put(function(r)[0], text="APC scaffolds a complex. It binds axin."),
    ),
    "a noun first": (
        "function-verb-first",
        lambda r: put(function(r)[0], text="Scaffold of a complex. Binds axin."),
    ),
    "a cancer in the function": (
        "function-without-cancer",
        lambda r: put(function(r)[1], text="Binds axin. Prevents colorectal cancer."),
    ),
    "an outcome in the function": (
        "function-without-cancer",
        lambda r: put(function(r)[1], text="Binds axin. Predicts overall survival."),
    ),
    # Assessment: 2-4 rationale bullets.
    "one rationale bullet": (
        "rationale-bullet-count",
        lambda r: put(r["assessment"], rationale=rationale(r)[:1]),
    ),
    "five rationale bullets": (
        "rationale-bullet-count",
        lambda r: rationale(r).extend([rationale(r)[2]] * 2),
    ),
    # Mechanistic Hypothesis: 1-6 bullets only when supported, exactly one chain each.
    "no mechanism though supported": (
        "mechanism-bullet-count",
        lambda r: put(r, mechanistic_hypothesis=None),
    ),
    "an empty section of mechanisms": ("mechanism-bullet-count", lambda r: mechanisms(r).clear()),
    "seven mechanisms": (
        "mechanism-bullet-count",
        lambda r: [second_mechanism(r, outcome=f"outcome number {n}") for n in range(6)],
    ),
    "mechanisms though not supported": (
        "mechanisms-only-when-supported",
        lambda r: put(r["assessment"], involvement="not_supported", reason="too little"),
    ),
    "an empty section though not supported": (
        "mechanisms-only-when-supported",
        lambda r: (
            put(r["assessment"], involvement="not_supported", reason="too little"),
            mechanisms(r).clear(),
        ),
    ),
    "no cause": ("mechanism-one-chain", lambda r: put(mechanisms(r)[0]["chain"], cause=" ")),
    "no mediator": ("mechanism-one-chain", lambda r: put(mechanisms(r)[0]["chain"], mediator="")),
    "an outcome that is none": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], outcome="unknown"),
    ),
    "a whole chain as cause": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], cause="APC loss → WNT → growth"),
    ),
    "an arrow of two characters": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], mediator="WNT -> MYC"),
    ),
    "two outcomes": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], outcome="growth; MYC loss drives apoptosis"),
    ),
    "two sentences as mediator": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], mediator="WNT signaling. Also MYC"),
    ),
    "two chains in the text": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0], text="APC loss → WNT → growth and KRAS → RAF → growth"),
    ),
    # Citation logic.
    "a function bullet without citation": (
        "bullet-cited",
        lambda r: put(function(r)[0], citations=[]),
    ),
    "a rationale bullet without citation": (
        "bullet-cited",
        lambda r: put(rationale(r)[0], citations=[]),
    ),
    "a mechanism without citation": (
        "bullet-cited",
        lambda r: put(mechanisms(r)[0], citations=[]),
    ),
    "a citation of reference 0": (
        "citation-exists",
        lambda r: put(rationale(r)[0], citations=[0, 3]),
    ),
    "a negative citation": ("citation-exists", lambda r: put(rationale(r)[0], citations=[-1, 3])),
    "a citation past the list": (
        "citation-exists",
        lambda r: put(rationale(r)[2], citations=[5, 6]),
    ),
    "indices from 0": (
        "indices-contiguous",
        lambda r: [put(each, index=each["index"] - 1) for each in r["references"]],
    ),
    "a gap in the indices": ("indices-contiguous", lambda r: put(reference(r, 5), index=6)),
    "an index twice": ("indices-contiguous", lambda r: put(reference(r, 5), index=4)),
    "references in the wrong order": (
        "indices-contiguous",
        lambda r: r["references"].reverse(),
    ),
    "an uncited reference": (
        "reference-cited",
        lambda r: rationale(r).pop(),
    ),
    "references not by first appearance": ("references-by-appearance", swap_citations),
    "descending citations": (
        "citations-ascending",
        lambda r: put(mechanisms(r)[0], citations=[4, 3]),
    ),
    "a citation twice": (
        "citations-ascending",
        lambda r: put(mechanisms(r)[0], citations=[3, 3, 4]),
    ),
    # Assessment and mechanism consistency.
    "supported by one reference": ("supported-references", only_one_reference),
    "supported by two references and a tool": ("supported-references", tool_among_three),
    "supported by two references and a retracted one": (
        "supported-references",
        lambda r: put(reference(r, 5), retracted=True),
    ),
    "supported by one paper under two ids": ("supported-references", same_paper_by_doi),
    "supported by one paper under an address": ("supported-references", same_paper_by_address),
    "supported by one journal": ("supported-sources", one_journal),
    "supported by one journal in two spellings": (
        "supported-sources",
        one_journal_written_in_two_ways,
    ),
    "supported by unknown journals": ("supported-sources", unknown_journals),
    "supported by one citing bullet": ("supported-rationale", one_citing_bullet),
    "not supported without a reason": (
        "not-supported-reason",
        lambda r: put(r["assessment"], involvement="not_supported"),
    ),
    "not supported with a blank reason": (
        "not-supported-reason",
        lambda r: put(r["assessment"], involvement="not_supported", reason="  "),
    ),
    "supported and undetermined": (
        "supported-determined",
        lambda r: put(r["assessment"], undetermined=True),
    ),
    "the same mechanism twice": ("mechanisms-non-redundant", second_mechanism),
    "the same mechanism in other words": (
        "mechanisms-non-redundant",
        lambda r: second_mechanism(
            r, cause="Inactivation of DP2", mediator="Wnt/β-catenin pathway"
        ),
    ),
    # Reference integrity.
    "a PMID with letters": (
        "identifier-format",
        lambda r: put(reference(r, 3), id="13389O4", url=None),
    ),
    "a PMID with another prefix": (
        "identifier-format",
        lambda r: put(reference(r, 3), id="PMC:1338904", url=None),
    ),
    "a PMID of nine digits": (
        "identifier-format",
        lambda r: put(reference(r, 3), id="133890412", url=None),
    ),
    "a DOI without suffix": (
        "identifier-format",
        lambda r: put(reference(r, 3), kind="doi", id="10.1038", url=None),
    ),
    "a trial with seven digits": (
        "identifier-format",
        lambda r: put(reference(r, 3), kind="nct", id="NCT0123456", url=None),
    ),
    "a bad other id": (
        "identifier-format",
        lambda r: put(reference(r, 3), also=[{"kind": "doi", "id": "doi"}]),
    ),
    "a database without record": (
        "database-complete",
        lambda r: put(reference(r, 1), record_id=None),
    ),
    "a database without name": ("database-complete", lambda r: put(reference(r, 1), database=" ")),
    "the PubMed page of another paper": (
        "url-of-the-same-paper",
        lambda r: put(reference(r, 3), url="https://pubmed.ncbi.nlm.nih.gov/1338905/"),
    ),
    "the page of a site for a PMID": (
        "url-of-the-same-paper",
        lambda r: put(reference(r, 3), url="https://example.org/1338904"),
    ),
    "the DOI of another paper": (
        "url-of-the-same-paper",
        lambda r: put(reference(r, 3), url="https://doi.org/10.1038/nature11252"),
    ),
    "the record of another protein": (
        "url-of-the-same-paper",
        lambda r: put(reference(r, 1), url="https://www.uniprot.org/uniprotkb/P04637/entry"),
    ),
    "another address than the site's": (
        "url-of-the-same-paper",
        lambda r: put(
            reference(r, 5),
            kind="url",
            id="https://example.org/a",
            url="https://example.com/b",
            also=[],
        ),
    ),
    "an address with a script": (
        "url-shape",
        lambda r: put(reference(r, 1), url="javascript:alert(1)"),
    ),
    "an address without host": ("url-shape", lambda r: put(reference(r, 1), url="https:///x")),
    "an address with a password": (
        "url-shape",
        lambda r: put(reference(r, 1), url="https://www.uniprot.org:x@evil.org/P25054"),
    ),
    "an address with a blank": (
        "url-shape",
        lambda r: put(reference(r, 1), url="https://www.uniprot.org/a b"),
    ),
    "a site without address": (
        "url-shape",
        lambda r: put(reference(r, 5), kind="url", id="https://example.org/a", url=None, also=[]),
    ),
    "a DOI where a PMID is known": (
        "authoritative-identifier",
        lambda r: put(
            reference(r, 5),
            kind="doi",
            id="10.1038/nature11252",
            url=None,
            also=[{"kind": "pmid", "id": "22810696"}],
        ),
    ),
    "a PubMed page as a site": ("authoritative-identifier", same_paper_by_address),
    "a paper twice by another id": ("no-duplicates", same_paper_by_doi),
    "a paper twice by its page": ("no-duplicates", same_paper_by_address),
    "a paper twice by the same id": (
        "no-duplicates",
        lambda r: put(reference(r, 5), **{**reference(r, 4), "index": 5}),
    ),
    "tracked but never seen": (
        "tracked-consistent",
        lambda r: put(reference(r, 3), first_seen=None),
    ),
    "seen but not tracked": ("tracked-consistent", lambda r: put(reference(r, 3), tracked=False)),
    "a tool that is not tracked": (
        "tracked-consistent",
        lambda r: (tool_among_three(r), put(reference(r, 5), tracked=False, first_seen=None)),
    ),
    # Text.
    "an empty bullet": ("text-present", lambda r: put(rationale(r)[0], text="")),
    "a bullet of punctuation": ("text-present", lambda r: put(rationale(r)[0], text="...")),
    "a tag": ("text-plain", lambda r: put(rationale(r)[0], text="APC <b>is</b> lost.")),
    "a script": ("text-plain", lambda r: put(rationale(r)[0], text="APC <script src=x is lost.")),
    "a comment": ("text-plain", lambda r: put(rationale(r)[0], text="APC <!-- is lost.")),
    "a link": ("text-plain", lambda r: put(rationale(r)[0], text="[APC](x) is lost.")),
    "a table cell": ("text-plain", lambda r: put(rationale(r)[0], text="APC | lost")),
    "a second line": ("text-plain", lambda r: put(rationale(r)[0], text="APC is lost.\n# Title")),
    "a hidden direction": ("text-plain", lambda r: put(rationale(r)[0], text="APC \u202eis lost.")),
    "markup in a chain": (
        "text-plain",
        lambda r: put(mechanisms(r)[0]["chain"], cause="APC **loss**"),
    ),
    "markup in the reason": ("text-plain", lambda r: put(r["assessment"], reason="`x`")),
    "a number in brackets": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost [3]."),
    ),
    "numbers in brackets": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost [1, 3-5]."),
    ),
    "a ledger id in brackets": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost [E3]."),
    ),
    "a PMID in parentheses": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost (PMID: 9065401)."),
    ),
    "a DOI in the text": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost (doi:10.1038/nature11252)."),
    ),
    "an address in the text": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost, see https://example.org/x."),
    ),
    "a tool in the text": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost (TOOL:article_searcher)."),
    ),
    # Schema.
    "an unknown key": ("schema", lambda r: put(r, extra=1)),
    "an unknown verdict": ("schema", lambda r: put(r["assessment"], involvement="likely")),
    "a citation as text": ("schema", lambda r: put(rationale(r)[0], citations=["3"])),
    "a citation with decimals": ("schema", lambda r: put(rationale(r)[0], citations=[3.5])),
    "a bullet without text": ("schema", lambda r: rationale(r)[0].pop("text")),
    "a mechanism without chain": ("schema", lambda r: mechanisms(r)[0].pop("chain")),
    "no references": ("schema", lambda r: r.pop("references")),
    "no provenance": ("schema", lambda r: r.pop("provenance")),
    "an unknown kind": ("schema", lambda r: put(reference(r, 1), kind="book")),
    "another schema version": ("schema", lambda r: put(r, schema_version="9")),
    "null as cancer": ("schema", lambda r: put(r, cancer=None)),
}


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
    "five function bullets": lambda r: function(r).extend([function(r)[1]] * 3),
    "three sentences": lambda r: put(function(r)[0], text="Binds DNA. Acts in G1. Forms dimers."),
    "another verb": lambda r: put(function(r)[0], text="Negatively regulates WNT. Binds axin."),
    "a named tumour suppressor": lambda r: put(
        function(r)[0], text="Binds tumor protein p53. Acts with tumor necrosis factor."
    ),
    "two rationale bullets": lambda r: (
        put(rationale(r)[1], citations=[4, 5]),
        rationale(r).pop(),
    ),
    "four rationale bullets": lambda r: rationale(r).append(rationale(r)[2]),
    "a second mechanism": lambda r: second_mechanism(r, cause="APC promoter methylation"),
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
    "a trial": lambda r: new_reference(
        r, kind="nct", id="NCT01234567", url="https://clinicaltrials.gov/study/NCT01234567"
    ),
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


def test_the_thresholds_are_shown_to_models_as_plain_json() -> None:
    assert Thresholds().model_dump(mode="json") == {
        "min_supported_rationale": 2,
        "min_supported_references": 3,
        "min_supported_sources": 2,
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
