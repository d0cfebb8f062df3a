"""What a literature search must hold before it is sent."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tasks import CONFIG, rules, scopes

from intogen_agent.cohort.ambiguous import AmbiguousNames
from intogen_agent.errors import UserError
from intogen_agent.evidence.models import Scope
from intogen_agent.evidence.queries import Checked, abbreviates
from intogen_agent.mcp.logical import SCHEMAS, LogicalTool

PROPERTIES = SCHEMAS[LogicalTool.ARTICLE_SEARCH]["properties"]
LUNG = ["lung adenocarcinoma", "adenocarcinoma of the lung", "pulmonary adenocarcinoma"]


def check(symbol: str, code: str, *aliases: str, **arguments: Any) -> Checked:
    return rules(symbol, code, *aliases).check(arguments, PROPERTIES)


def test_queries_combine_gene_symbols_and_aliases_with_cancer_type_names_and_keywords() -> None:
    whole = check("KEAP1", "LUAD", "INrf2", genes=["INrf2"], diseases=LUNG, keywords=["NRF2"])
    assert whole == Checked(
        {"genes": ["INrf2"], "diseases": LUNG, "keywords": ["NRF2"]}, [], None, Scope.TARGET
    )


def test_a_missing_cancer_name_is_put_in_and_said_so() -> None:
    found = check("KEAP1", "LUAD", genes=["KEAP1"], keywords=["loss of function"])
    assert found.refusal is None
    assert found.arguments["diseases"] == LUNG
    assert found.completed == [f"diseases: {', '.join(LUNG)} was added, no cancer was named"]


def test_a_missing_gene_is_put_in_and_said_so() -> None:
    found = check("KEAP1", "LUAD", diseases=LUNG, keywords=["NRF2 activation"])
    assert found.arguments["genes"] == ["KEAP1"]
    assert found.completed == ["genes: KEAP1 was added"]


def test_a_search_for_another_gene_alone_is_refused_with_what_to_add() -> None:
    found = check("KEAP1", "LUAD", "INrf2", genes=["NFE2L2"], diseases=LUNG)
    assert "one of KEAP1, INrf2" in str(found.refusal) and "in keywords" in str(found.refusal)
    assert check("KEAP1", "LUAD", genes=["NFE2L2", "keap1"], diseases=LUNG).refusal is None


@pytest.mark.parametrize("acronym", ["LUAD", "luad"])
def test_the_acronym_of_the_task_is_written_out(acronym: str) -> None:
    found = check("KEAP1", "LUAD", genes=["KEAP1"], diseases=[acronym])
    assert found.arguments["diseases"] == LUNG
    assert "written out" in found.completed[0]


def test_an_acronym_that_abbreviates_the_tasks_cancer_is_written_out() -> None:
    found = check("FBXW7", "COADREAD", genes=["FBXW7"], diseases=["CRC"])
    assert found.refusal is None and "colorectal cancer" in found.arguments["diseases"]


@pytest.mark.parametrize("acronym", ["ACC", "HCC", "NSCLC", "ccRCC", "MDS/MPN"])
def test_a_bare_acronym_of_another_cancer_is_refused(acronym: str) -> None:
    found = check("FBXW7", "COADREAD", genes=["FBXW7"], diseases=[acronym])
    assert f"'{acronym}' may mean several cancers" in str(found.refusal)


def test_no_search_term_of_the_table_is_a_bare_acronym_to_the_rules() -> None:
    from tasks import types

    from intogen_agent.cohort.paths import PAN_CANCER

    for (scheme, code), entry in types().entries.items():
        if scheme != "oncotree" or code == PAN_CANCER:
            continue
        found = check("KEAP1", "LUAD", genes=["KEAP1"], diseases=list(entry.search_terms))
        assert found.refusal is None, (code, found.refusal)


@pytest.mark.parametrize("symbol", ["CAT", "SET", "MET", "KIT", "HR", "GPI", "IMPACT", "REST"])
def test_ambiguous_symbols_are_never_searched_alone(symbol: str) -> None:
    for arguments in (
        {"genes": [symbol]},
        {"genes": [symbol], "diseases": LUNG},
        {"genes": [symbol], "diseases": LUNG, "keywords": [symbol, "lung cancer", "human tumor"]},
        {"diseases": LUNG, "keywords": [symbol]},
    ):
        refusal = str(check(symbol, "LUAD", "c-Xyz1", **arguments).refusal)
        assert "not searched alone" in refusal and "c-Xyz1" in refusal
    for more in ({"keywords": ["amplification"]}, {"variants": ["D1228N"]}):
        assert check(symbol, "LUAD", genes=[symbol], diseases=LUNG, **more).refusal is None
    partner = check(symbol, "LUAD", "c-Xyz1", genes=[symbol, "KEAP1"], diseases=LUNG)
    assert partner.refusal is not None
    both = check(symbol, "LUAD", "c-Xyz1", genes=[symbol, "c-Xyz1"], diseases=LUNG)
    assert both.refusal is None


@pytest.mark.parametrize("symbol", ["KEAP1", "TP53", "H3C2", "FBXW7", "SEPTIN9"])
def test_a_symbol_that_means_the_gene_alone_may_be_searched_with_the_cancer(symbol: str) -> None:
    assert check(symbol, "LUAD", genes=[symbol], diseases=LUNG).refusal is None


def test_the_table_of_ambiguous_names_states_its_source_and_can_be_read() -> None:
    path = CONFIG / "ambiguous_symbols.tsv"
    assert "# Source: " in path.read_text()
    names = AmbiguousNames(path)
    assert "English word" in str(names.meaning("cat"))
    assert names.meaning("HR") and names.meaning("T") and names.meaning("VHL")
    assert names.meaning("PIK3CA") is None


def test_a_broken_line_of_the_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "names.tsv"
    path.write_text("# own\nsymbol\tother_meaning\nCAT\n")
    with pytest.raises(UserError, match=r"names\.tsv, line 3: "):
        AmbiguousNames(path)


@pytest.mark.parametrize(
    "diseases", [[], ["Any Cancer Type"], ["any cancer"], ["Pan-cancer"], ["CANCER"]], ids=str
)
def test_for_cancer_the_queries_use_general_words(diseases: list[str]) -> None:
    found = check("KEAP1", "CANCER", genes=["KEAP1"], diseases=diseases)
    assert found.refusal is None
    assert found.arguments["diseases"] == ["cancer", "tumor", "neoplasm"]
    assert found.scope is Scope.TARGET


def test_for_cancer_single_cancers_and_general_keywords_are_fine() -> None:
    one = check("KEAP1", "CANCER", genes=["KEAP1"], diseases=["lung adenocarcinoma"])
    assert (one.completed, one.scope) == ([], Scope.TARGET)
    said = check("KEAP1", "CANCER", genes=["KEAP1"], keywords=["tumour suppressor"])
    assert said.completed == [] and "diseases" not in said.arguments


def test_any_cancer_type_is_no_word_of_a_search_either() -> None:
    words = ["Any Cancer Type", "driver"]
    found = check("KEAP1", "CANCER", genes=["KEAP1"], keywords=words)
    assert found.arguments["keywords"] == ["driver"]
    assert (
        found.completed[0] == "keywords: Any Cancer Type was taken out, it is no name of a cancer"
    )


def test_any_cancer_type_is_never_searched_for_a_pair_either() -> None:
    found = check("KEAP1", "LUAD", genes=["KEAP1"], diseases=["Any Cancer Type", *LUNG])
    assert found.arguments["diseases"] == [*LUNG, "cancer", "tumor", "neoplasm"]


@pytest.mark.parametrize(
    ("diseases", "scope"),
    [
        (["lung adenocarcinoma", "breast cancer"], Scope.TARGET),
        (["lung squamous cell carcinoma"], Scope.RELATED),
        (["non-small cell lung cancer"], Scope.RELATED),
        (["melanoma"], Scope.OTHER),
        (["cancer", "tumour"], Scope.PAN_CANCER),
    ],
    ids=str,
)
def test_a_search_has_a_scope(diseases: list[str], scope: Scope) -> None:
    assert check("KEAP1", "LUAD", genes=["KEAP1"], diseases=diseases).scope is scope


def test_a_tool_with_other_names_of_arguments_is_held_to_the_same() -> None:
    single = {"gene": {"type": "string"}, "disease": {"type": "string"}}
    found = rules("KEAP1", "LUAD").check({}, single)
    assert found.arguments == {"gene": "KEAP1", "disease": "lung adenocarcinoma"}
    free = {"query": {"type": "string"}}
    assert "write KEAP1" in str(rules("KEAP1", "LUAD").check({"query": "loss"}, free).refusal)
    bare = rules("KEAP1", "LUAD").check({"query": "KEAP1 loss"}, free)
    assert "does not name the cancer" in str(bare.refusal)
    whole = rules("KEAP1", "LUAD").check({"query": "KEAP1 loss lung adenocarcinoma"}, free)
    assert whole.refusal is None and whole.completed == []


ODD = st.one_of(
    st.none(), st.text(max_size=12), st.integers(), st.lists(st.text(max_size=12), max_size=3)
)


@given(st.dictionaries(st.sampled_from(["genes", "diseases", "keywords", "variants", "page"]), ODD))
def test_what_passes_names_the_gene_and_a_cancer_whatever_was_written(
    arguments: dict[str, Any],
) -> None:
    found = rules("MET", "LUAD", "HGFR").check(arguments, PROPERTIES)
    if found.refusal is None:
        kept = found.arguments
        assert {name.casefold() for name in kept["genes"]} & {"met", "hgfr"}
        assert kept["diseases"] or scopes("LUAD").names.find(str(kept))
        again = rules("MET", "LUAD", "HGFR").check(kept, PROPERTIES)
        assert (again.arguments, again.refusal) == (kept, None)


@pytest.mark.parametrize(
    ("short", "long", "fits"),
    [
        ("CRC", "colorectal cancer", True),
        ("NSCLC", "non-small cell lung cancer", True),
        ("ccRCC", "clear cell renal cell carcinoma", True),
        ("HCC", "hepatocellular carcinoma", True),
        ("ACC", "colorectal cancer", False),
        ("", "colorectal cancer", False),
    ],
)
def test_abbreviations_stand_for_their_long_forms(short: str, long: str, fits: bool) -> None:
    assert abbreviates(short, long) is fits


def test_the_scope_of_a_pan_cancer_search_is_the_target() -> None:
    assert scopes("CANCER").of_query(["melanoma"]) is Scope.TARGET


def test_the_acronym_of_the_cancer_among_keywords_neither_names_it_nor_says_more() -> None:
    found = check("MET", "LUAD", genes=["MET"], keywords=["LUAD"])
    assert found.refusal is not None and "not searched alone" in found.refusal


QUERY = {"query": {"type": "string"}}


@pytest.mark.parametrize("field", ["query", "q", "search_term", "searchTerm"])
@pytest.mark.parametrize("symbol", ["KEAP1", "keap1"])
def test_a_server_that_is_asked_in_words_is_asked_whatever_it_calls_them(
    field: str, symbol: str
) -> None:
    schema = {field: {"type": "string"}}
    said = {field: f"{symbol} lung adenocarcinoma loss of function"}
    found = rules("KEAP1", "LUAD").check(said, schema)
    assert (found.refusal, found.arguments) == (None, said)
    refusals = {
        f"{symbol} loss of function": "does not name the cancer",
        "lung adenocarcinoma loss of function": "does not name the gene",
    }
    for words, why in refusals.items():
        assert why in str(rules("KEAP1", "LUAD").check({field: words}, schema).refusal)


def test_a_name_that_is_a_word_too_is_told_by_its_capitals() -> None:
    said = {"query": "patients with lung adenocarcinoma met the criteria for amplification"}
    assert "does not name the gene" in str(rules("MET", "LUAD").check(said, QUERY).refusal)


@pytest.mark.parametrize("extra", [{"disease": "LUAD"}, {"diseases": ["any cancer"]}])
def test_an_argument_that_the_tool_does_not_take_is_left_out_and_said_so(
    extra: dict[str, Any],
) -> None:
    said = {"query": "KEAP1 lung adenocarcinoma loss"}
    found = rules("KEAP1", "LUAD").check({**said, **extra}, QUERY)
    assert (found.refusal, found.arguments) == (None, said)
    assert found.completed == [f"{next(iter(extra))}: left out, the tool does not take it"]


def test_the_tasks_own_cancer_is_named_first_for_servers_that_take_one_name() -> None:
    found = check("KEAP1", "LUAD", genes=["KEAP1"], diseases=["lung cancer", *LUNG])
    assert found.arguments["diseases"] == [*LUNG, "lung cancer"]
    assert found.completed == []


@pytest.mark.parametrize(
    ("words", "sent"), [("Any Cancer Type loss", ["loss"]), ("Any Cancer Type", [])]
)
def test_any_cancer_type_is_taken_out_of_longer_words_too(words: str, sent: list[str]) -> None:
    found = check("KEAP1", "CANCER", genes=["KEAP1"], diseases=["cancer"], keywords=[words])
    assert found.arguments["keywords"] == sent
    found = check("KEAP1", "CANCER", genes=["KEAP1"], diseases=["Any Cancer Type (pan-cancer)"])
    assert found.arguments["diseases"] == ["cancer", "tumor", "neoplasm"]


@pytest.mark.parametrize("words", ["gene", "patients", "2020", "MET protein", "human studies"])
def test_words_that_name_no_mechanism_leave_an_ambiguous_name_alone(words: str) -> None:
    found = check("MET", "LUAD", genes=["MET"], diseases=LUNG, keywords=[words])
    assert "not searched alone" in str(found.refusal)


def test_what_is_left_of_a_search_after_narrowing_is_held_to_the_rule_too() -> None:
    assert rules("MET", "LUAD", "HGFR").alone({"genes": ["MET"], "diseases": LUNG}) is not None
    assert rules("MET", "LUAD", "HGFR").alone({"genes": ["HGFR"], "diseases": LUNG}) is None
