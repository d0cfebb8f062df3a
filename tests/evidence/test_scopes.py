"""Whose cancer a ledger item speaks of, held to the tree of cancer types."""

import pytest
from tasks import scopes, types

from intogen_agent.cohort.options import ExtraCancerType
from intogen_agent.evidence.cancer_names import CancerNames
from intogen_agent.evidence.ledger import Ledger
from intogen_agent.evidence.models import EvidenceItem, Scope
from intogen_agent.evidence.scopes import Scoped, ScopeReview, Scopes

T, S, R, P, O = Scope.TARGET, Scope.SUBTYPE, Scope.RELATED, Scope.PAN_CANCER, Scope.OTHER  # noqa: E741


@pytest.mark.parametrize(
    ("code", "stated", "quote", "scope"),
    [
        ("LUAD", T, "KEAP1 was lost in 12% of lung adenocarcinomas.", T),
        ("LUAD", T, "KEAP1 was lost in 8% of uveal melanomas.", O),
        ("LUAD", T, "KEAP1 was lost in lung squamous cell carcinomas.", R),
        ("LUAD", T, "KEAP1 was lost in non-small-cell lung cancer.", T),
        ("LUAD", R, "KEAP1 was lost in non-small-cell lung cancer.", R),
        ("LUAD", R, "KEAP1 was lost in adenocarcinomas of the lung.", T),
        ("LUAD", O, "KEAP1 was lost in adenocarcinomas of the lung.", T),
        ("LUAD", T, "KEAP1 was lost in adenocarcinomas.", T),
        ("LUAD", T, "KEAP1 was lost in lung and breast cancers.", T),
        ("LUAD", T, "KEAP1 was lost in gastric tumours.", O),
        ("LUAD", P, "KEAP1 was lost in gastric tumours.", O),
        ("LUAD", P, "KEAP1 was lost in many cancers, gastric tumours among them.", P),
        ("LUAD", P, "NRF2 drivers: lung, oesophageal, head-neck and uterine cancers.", P),
        ("LUAD", T, "KEAP1 binds NRF2 in cells.", T),
        ("LUAD", O, "KEAP1 binds NRF2 in cells.", O),
        ("COADREAD", T, "FBXW7 was mutated in colon cancer.", T),
        ("COADREAD", T, "FBXW7 was mutated in mucinous adenocarcinoma of the colon and rectum.", S),
        ("COADREAD", S, "FBXW7 was mutated in endometrial cancer.", O),
        ("AML", T, "FLT3 was mutated in acute myeloid leukaemia.", T),
        ("AML", T, "FLT3 was mutated in acute lymphoblastic leukemia.", R),
        ("AML", T, "FLT3 was mutated in leukaemias.", T),
        ("CCRCC", T, "VHL was lost in renal cell carcinoma.", T),
        ("CCRCC", T, "VHL was not lost in papillary renal cell carcinoma.", R),
        ("BRCA", T, "GATA3 was mutated in triple-negative breast cancer.", T),
    ],
)  # fmt: skip
def test_the_scope_is_recorded_and_checked_against_the_tree(
    code: str, stated: Scope, quote: str, scope: Scope
) -> None:
    checked = scopes(code).scoped(stated, quote, quote)
    assert checked.scope is scope
    assert checked.stated is (None if stated is scope else stated)


def test_the_code_of_the_cancer_names_it() -> None:
    checked = scopes("LUAD").scoped(T, "Lost in LUAD and in breast cancer.", "")
    assert checked.scope is T


def test_short_forms_mean_what_the_record_says() -> None:
    record = "Hepatocellular carcinoma (HCC) was studied. KEAP1 was lost in 8% of HCCs."
    quote = "KEAP1 was lost in 8% of HCCs"
    assert scopes("LUAD").scoped(T, quote, "KEAP1 was lost.").scope is T
    quote = "KEAP1 was lost in 8% of HCC"
    assert scopes("LUAD").scoped(T, quote, "KEAP1 was lost.", record).scope is O


def test_a_summarizers_own_words_never_bring_a_finding_into_the_target() -> None:
    statement = "KEAP1 was lost in lung adenocarcinoma."
    assert scopes("LUAD").scoped(O, "KEAP1 was lost in 8%.", statement).scope is O
    assert scopes("LUAD").scoped(P, "KEAP1 was lost in 8%.", statement).scope is P
    statement = "KEAP1 was lost in melanoma."
    assert scopes("LUAD").scoped(T, "KEAP1 was lost in 8%.", statement) == Scoped(O, T)


@pytest.mark.parametrize("stated", list(Scope))
def test_for_cancer_every_human_cancer_is_target_scope(stated: Scope) -> None:
    checked = scopes("CANCER").scoped(stated, "KEAP1 was lost in uveal melanoma.", "")
    assert checked.scope is T
    assert checked.cancers == ["uveal melanoma"]


def test_for_cancer_items_name_the_cancers_they_rest_on() -> None:
    record = "Title: Melanoma and glioblastoma genomes\nKEAP1 was lost in both."
    checked = scopes("CANCER").scoped(T, "KEAP1 was lost in both.", "It was lost.", record)
    assert checked.cancers == ["melanoma", "glioblastoma"]
    assert scopes("CANCER").scoped(O, "KEAP1 binds NRF2.", "It binds.").scope is O


def test_a_code_of_ones_own_stands_where_its_terms_stand() -> None:
    extra = [ExtraCancerType("MINE", "Our colorectal cancer", ("colorectal adenocarcinoma",))]
    known = types().with_extra(extra)
    own = Scopes(known, "custom", "MINE", ("colorectal adenocarcinoma",), False)
    assert own.scoped(T, "Mutated in colon cancer.", "").scope is T
    assert own.scoped(T, "Mutated in anal canal carcinoma.", "").scope is R
    assert own.scoped(T, "Mutated in melanoma of the uvea, an uveal melanoma.", "").scope is O


def test_a_code_of_ones_own_has_the_kin_of_its_parent() -> None:
    extra = [ExtraCancerType("MINE", "Odd lung disease", ("odd lung disease",), parent="NSCLC")]
    own = Scopes(types().with_extra(extra), "custom", "MINE", ("odd lung disease",), False)
    assert own.scoped(T, "Mutated in lung squamous cell carcinoma.", "").scope is R
    assert own.scoped(T, "Mutated in odd lung disease.", "").scope is T
    assert own.scoped(T, "Mutated in non-small cell lung cancer.", "").scope is T


@pytest.mark.parametrize("scheme", ["oncotree", "2020"])
def test_every_type_of_the_table_is_the_target_of_its_own_terms(scheme: str) -> None:
    general = {"CANCER", "SOLID", "NON_SOLID", "OTHER"}
    for (of, code), entry in list(types().entries.items())[:: 7 if scheme == "oncotree" else 1]:
        if of != scheme or code in general or not entry.search_terms:
            continue
        names = CancerNames(types(), scheme, code, entry.search_terms)
        found = {
            named.relation.value for named in names.find(f"Mutated in {entry.search_terms[0]}.")
        }
        assert found <= {"target"}, (code, entry.search_terms[0], found)


def test_the_review_puts_an_items_scope_right() -> None:
    review = ScopeReview(scopes("LUAD"))
    review.payloads["c1"] = "Hepatocellular carcinoma (HCC): KEAP1 was lost in 8% of HCC."
    item = EvidenceItem(
        id="E1", statement="KEAP1 was lost.", quote="KEAP1 was lost in 8% of HCC",
        references=["PMID:1"], call="c1", kind="alteration", stance="supports", scope="target",
        system="patients", basis="clinical", alteration="mutation",
    )  # fmt: skip
    right = review(item)
    assert (right.scope, right.scope_stated) == (O, T)
    assert right.model_copy(update={"scope": T, "scope_stated": None}) == item


def test_a_ledger_asks_its_review_of_every_new_item() -> None:
    ledger = Ledger("E", lambda item: item.model_copy(update={"scope": R}))
    null = ledger.add_null("No article was found.", "No articles found", "c2", "article_search", P)
    assert null.scope is R
    assert ledger.items == [null]


@pytest.mark.parametrize(
    "terms", [("solid tumor",), ("metastatic cancer",), ("GIST",), ("rare cancer",)]
)
def test_a_task_with_general_or_short_terms_can_be_searched_for(terms: tuple[str, ...]) -> None:
    own = Scopes(types(), "custom", "MINE", terms, False)
    assert own.of_query([*terms]) is T
    assert own.of_query(["melanoma"]) is O


def test_a_code_of_one_or_two_letters_is_no_name() -> None:
    own = Scopes(types(), "2020", "R", ("kidney cancer",), False)
    assert own.scoped(T, "Melanomas (R 132, n = 5) were sequenced.", "").scope is O
