"""`ToolSummary`: findings with verbatim quotes and the record's own identifiers."""

import json
from typing import Any

import pytest
from offline_world import Paper, block, markdown, one, request, summary, task

from intogen_agent.evidence.numbers import foreign_numbers
from intogen_agent.evidence.quotes import quote_in
from intogen_agent.offline import composer

TEXT = (
    "ABX1 was examined in 120 breast cancers. Loss of ABX1 causes chromosomal instability of "
    "breast cancer cells and resistance to olaratinib. This effect was seen in 3 of 4 cell lines."
)


def getter(text: str, **more: Any) -> str:
    record = {"pmid": 9000001, "title": "Breast cancer", "abstract": text, **more}
    return json.dumps([record], indent=2)


def cli(text: str) -> str:
    found = {"pmid": "9000001", "title": "Breast cancer", "abstract": text}
    return json.dumps({"count": 1, "results": [found]})


PAYLOADS = {
    "markdown": lambda text: markdown([Paper(9000001, "J", text)]),
    "narrow markdown": lambda text: markdown([Paper(9000001, "J", text)], width=30),
    "json list": getter,
    "json of the maintained line": cli,
    "plain text": lambda text: f"PMID: 9000001\n{text}",
}


@pytest.mark.parametrize("shape", list(PAYLOADS))
def test_quotes_stand_verbatim_in_every_kind_of_payload(shape: str) -> None:
    payload = PAYLOADS[shape](TEXT)
    bullets = summary(payload, allowed=["PMID:9000001"])
    assert bullets
    for bullet in bullets:
        assert quote_in(bullet["quote"], payload)
        assert not foreign_numbers(bullet["text"], payload)
        assert bullet["citations"] == ["PMID:9000001"]


def test_quotes_survive_escapes_and_odd_characters() -> None:
    text = 'Loss of ABX1 in "never smokers" causes growth of TGF-β–dependent breast cancer cells.'
    for payload in (getter(text), json.dumps([{"pmid": 1, "abstract": text}], ensure_ascii=False)):
        (bullet,) = summary(payload)
        assert "never smokers" in bullet["text"]
        assert quote_in(bullet["quote"], payload) or bullet["quote"] in payload


def test_a_word_that_was_wrapped_at_its_hyphen_is_whole_again() -> None:
    payload = (
        "# Record 1\nPmid: 9000001\nTitle: Breast\nAbstract:\n"
        "  Loss of ABX1 gives anchorage-\n  independent growth of cells.\n"
    )
    (bullet,) = summary(payload)
    assert "anchorage-independent growth" in bullet["text"]
    assert quote_in(bullet["quote"], payload)


def test_json_that_was_cut_off_gives_its_whole_records() -> None:
    whole = {"pmid": 9000001, "title": "Breast", "abstract": TEXT}
    payload = f"[{json.dumps(whole)}, {json.dumps(whole)[:40]}"
    assert summary(payload, allowed=["PMID:9000001"])


@pytest.mark.parametrize(
    "payload", ["", "[]", "{}", "# Record 1\nError: Error 429", "null", "{oops"]
)
def test_a_payload_without_records_gives_no_bullet(payload: str) -> None:
    assert summary(payload) == []


def test_identifiers_that_are_not_allowed_are_not_cited() -> None:
    (bullet, *_) = summary(getter(TEXT), allowed=["PMID:9000999"])
    assert bullet["citations"] == ["TOOL:article_searcher"]


@pytest.mark.parametrize(
    ("allowed", "cited"),
    [
        (["PMID:9000001", "DOI:10.1/x", "PMCID:PMC77"], "PMID:9000001"),
        (["DOI:10.1/x", "PMCID:PMC77"], "DOI:10.1/x"),
        (["PMCID:PMC77"], "PMCID:PMC77"),
        ([], "TOOL:article_searcher"),
    ],
)
def test_a_record_is_cited_by_its_best_allowed_identifier(allowed: list[str], cited: str) -> None:
    payload = getter(TEXT, doi="10.1/X", pmcid="PMC77")
    assert {tuple(b["citations"]) for b in summary(payload, allowed=allowed)} == {(cited,)}


def test_each_record_cites_itself() -> None:
    papers = [
        Paper(9000001, "J", "Loss of ABX1 causes growth of breast cancer cells."),
        Paper(9000002, "J", "ABX1 was mutated in 12% of breast cancers."),
    ]
    bullets = summary(markdown(papers), allowed=["PMID:9000001", "PMID:9000002"])
    assert [b["citations"] for b in bullets] == [["PMID:9000001"], ["PMID:9000002"]]


def test_running_text_that_names_several_papers_cites_none_of_them() -> None:
    payload = f"PMID: 9000001 and PMID: 9000002. {TEXT}"
    bullets = summary(payload, allowed=["PMID:9000001", "PMID:9000002"])
    assert {tuple(b["citations"]) for b in bullets} == {("TOOL:article_searcher",)}


STANCES = [
    ("Loss of ABX1 causes growth of breast cancer cells.", "supports", "mechanism"),
    ("Mutant ABX1 activates QRS2 signalling.", "supports", "mechanism"),
    ("ABX1 was mutated in 14% of 210 breast cancers.", "supports", "alteration"),
    ("ABX1 is one of 9 significantly mutated genes of breast cancer.", "supports", "alteration"),
    ("ABX1 and QRS2 mutations were mutually exclusive.", "supports", "alteration"),
    ("ABX1 mutation predicted resistance to olaratinib.", "supports", "clinical"),
    ("ABX1 mutation was linked to longer overall survival.", "neutral", "clinical"),
    ("ABX1 mutation had no association with stage.", "neutral", "null_result"),
    ("ABX1 status did not differ between groups of patients.", "neutral", "null_result"),
    ("The effect of ABX1 mutation depends on age.", "neutral", "contradiction"),
    ("ABX1 loss alone is not sufficient for growth.", "neutral", "contradiction"),
    ("Reports on ABX1 mutation conflict.", "neutral", "contradiction"),
    ("ABX1 mutations are passengers.", "refutes", "null_result"),
    ("ABX1 is a false positive of recurrence counts.", "refutes", "null_result"),
    ("ABX1 recurrence is a background effect.", "refutes", "null_result"),
    ("ABX1 is not among the significantly mutated genes.", "refutes", "null_result"),
    ("ABX1 was not significantly mutated.", "refutes", "null_result"),
    ("ABX1 mutations were listed without functional support.", "refutes", "null_result"),
    ("ABX1 mutation had no effect on proliferation.", "refutes", "null_result"),
    ("ABX1 mutation did not affect growth of cells.", "refutes", "null_result"),
    ("ABX1 is not a driver of breast cancer.", "refutes", "null_result"),
    ("There is no evidence of selection on ABX1.", "refutes", "null_result"),
    ("High counts of ABX1 mutations are what a neutral model expects.", "refutes", "null_result"),
]


@pytest.mark.parametrize(("sentence", "stance", "kind"), STANCES)
def test_stance_and_kind_follow_the_words(sentence: str, stance: str, kind: str) -> None:
    bullet = one(sentence)
    assert bullet is not None
    assert (bullet["stance"], bullet["kind"]) == (stance, kind)


@pytest.mark.parametrize(
    "sentence",
    [
        "QRS2 loss causes growth of breast cancer cells.",
        "ABX1-AS1 promotes growth of breast cancer cells.",
        "ABX1 was studied.",
        "Unlike ABX1, QRS2 causes growth of breast cancer cells.",
        "The weather was fine in 14% of cases.",
    ],
)
def test_what_is_no_finding_about_the_gene_gives_no_bullet(sentence: str) -> None:
    assert one(sentence) is None


def test_a_count_beside_the_gene_s_name_is_not_the_gene_s() -> None:
    assert one("QRS2 was mutated in 27%, co-occurring with TUV4 and ABX1 mutation.") is None


@pytest.mark.parametrize(
    ("sentence", "system"),
    [
        ("Loss of ABX1 causes growth in nude mice.", "animal"),
        ("Loss of ABX1 causes growth of cells.", "cell line"),
        ("ABX1 was mutated in 14% of 210 breast cancers.", "patients"),
        ("A neutral model explains the ABX1 mutations.", "computational"),
        ("ABX1 binds and activates QRS2 protein.", "not stated"),
    ],
)
def test_the_system_is_read_from_the_words(sentence: str, system: str) -> None:
    bullet = one(sentence)
    assert bullet is not None
    assert bullet["system"] == system


@pytest.mark.parametrize(
    ("sentence", "alteration"),
    [
        ("ABX1 mutation causes growth of cells.", "mutation"),
        ("ABX1 amplification causes growth of cells.", "copy number"),
        ("ABX1 fusions cause growth of cells and induce proliferation.", "fusion"),
        ("ABX1 hypermethylation causes growth of cells.", "methylation"),
        ("High ABX1 expression causes growth of cells.", "expression"),
        ("ABX1 activates the growth of cells.", "none"),
    ],
)
def test_the_alteration_is_read_from_the_words(sentence: str, alteration: str) -> None:
    bullet = one(sentence)
    assert bullet is not None
    assert bullet["alteration"] == alteration


@pytest.mark.parametrize(
    ("sentence", "basis"),
    [
        ("Loss of ABX1 causes growth of cells.", "functional"),
        ("ABX1 mutation predicted resistance to olaratinib in patients.", "clinical"),
        ("ABX1 is one of 9 significantly mutated genes.", "driver_statistics"),
        (
            "Patients with ABX1 mutation responded to olaratinib, and ABX1 and DEF2 mutations were "
            "mutually exclusive.",
            "clinical",
        ),
        ("Review: ABX1 loss drives growth of breast cancer cells.", "review"),
    ],
)
def test_the_basis_is_read_from_the_words(sentence: str, basis: str) -> None:
    bullet = one(sentence)
    assert bullet is not None
    assert bullet["basis"] == basis


def test_a_sentence_that_leans_on_the_one_before_comes_with_it() -> None:
    text = "ABX1 was deleted in cells. This caused growth of the breast cancer cells without ABX1."
    bullet = one(text)
    assert bullet is not None
    assert bullet["text"] == text


def test_a_sentence_about_something_else_stays_out() -> None:
    text = "Loss of ABX1 causes growth of cells. QRS2 binds DNA in the nucleus of yeast."
    bullet = one(text)
    assert bullet is not None
    assert bullet["text"] == "Loss of ABX1 causes growth of cells."


def test_the_first_person_becomes_the_third() -> None:
    bullet = one("RESULTS: We found that loss of ABX1 causes growth of cells.")
    assert bullet is not None
    assert bullet["text"] == "Loss of ABX1 causes growth of cells."


def test_aliases_and_names_stand_for_the_gene() -> None:
    about = task("ABX1", aliases=["QBX3"], name="alphabetin")
    assert one("Loss of QBX3 causes growth of cells.", about)
    assert one("Loss of alphabetin causes growth of cells.", about)


def test_the_same_request_gives_the_same_answer() -> None:
    parts = (block("task", task()), block("payload", markdown([Paper(1, "J", TEXT)]), tool="t"))
    asked = request(*parts, schema="ToolSummary")
    assert composer.reply(asked) == composer.reply(json.loads(json.dumps(asked)))


@pytest.mark.parametrize(
    ("studied", "clones", "system"),
    [
        ("In mice, stem cells", "clones", "animal"),
        ("Stem cells", "clones", "cell line"),
        ("In mice, stem cells", "cultured clones", "cell line"),
    ],
)
def test_a_finding_in_mice_is_of_animals_though_its_own_sentence_names_none(
    studied: str, clones: str, system: str
) -> None:
    text = (
        "No gene is studied more often in breast cancer than ABX1. "
        f"{studied} secrete antagonists, above all NOTUM, which push neighbours aside and let the "
        "others fix in the crypt of the gut over the course of several weeks and months. "
        f"Blocking NOTUM stopped the expansion of ABX1-mutant {clones} and the formation of "
        "adenomas. ABX1 loss thus initiates breast tumours by a non-cell-autonomous mechanism."
    )
    found = [one["system"] for one in summary(getter(text)) if "clones" in one["text"]]
    assert found == [system]
