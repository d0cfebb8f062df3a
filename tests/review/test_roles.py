"""The role that a statement gives the gene, in any wording and section."""

from typing import Any

import pytest
from tests.review.pair import GENE, checker, evidence, parsed, report

from intogen_agent.models import GeneIdentity
from intogen_agent.review.models import Section, Severity
from intogen_agent.review.naming import GeneNames
from intogen_agent.review.roles import roles

NAMES = GeneNames(GeneIdentity.model_validate(GENE))

CLAIMS = """
The oncogene APC drives colorectal cancer.
Oncogenic APC drives colorectal cancer.
Mutant APC acts as an oncogene.
APC, an oncogene, drives colorectal cancer.
APC, which is an oncogene, drives it.
APC (an oncogene) drives it.
As a classical oncogene, APC drives colorectal cancer.
APC is considered an oncogene.
APC is one of the most important oncogenes in colorectal cancer.
APC has oncogenic function in colorectal cancer.
APC displays strong oncogenic potential.
The oncogenic role of APC is clear.
APC acts here as an oncogene.
APC works as an oncogene.
APC in colorectal cancer is an oncogene.
APC is thought to act as an oncogene.
APC drives colorectal cancer as an oncogene.
APC is a well-known oncogene of the colon.
APC is a known oncogenic driver of the colon.
APC is oncogenic in the colon.
Oncogenes such as APC drive growth.
The APC oncogene drives growth.
""".strip().splitlines()

NO_CLAIMS = """
Oncogenic signalling follows APC loss.
APC cooperates with the oncogene KRAS.
APC loss leads to oncogene-induced senescence.
APC, the oncogene KRAS and TP53 are mutated.
APC, the oncogene Myc and others are mutated.
Loss of APC, activated oncogenes and age matter.
APC is a target of the oncogene MYC.
APC is degraded by an oncogene.
APC binds beta-catenin, which is an oncogene.
APC degrades proteins that act as oncogenes.
APC binds proteins such as oncogenes.
APC targets are oncogenes.
APC restrains the oncogene CTNNB1.
APC regulates the oncogenic activity of KRAS.
APC has a role in controlling the oncogenic activity of MYC.
Oncogenic APC mutations were found.
APC mutation is an oncogenic event.
Loss of APC is an oncogenic driver.
In cells with an oncogene, APC is lost.
Unlike the oncogene KRAS, APC is lost.
APC was once considered an oncogene.
APC is a tumor suppressor, not an oncogene.
There is no evidence that APC is an oncogene.
APC2, an oncogene, is another gene.
""".strip().splitlines()


def issues(text: str, section: str, cause: str | None = None) -> list[tuple[Section, Severity]]:
    """Return where the check finds a role that the chains rule out."""
    data: dict[str, Any] = report()
    if section == "function":
        data["gene_function"]["bullets"][1]["text"] = text
    else:
        data["assessment"]["rationale"][1]["text"] = text
    if cause:
        for bullet in data["mechanistic_hypothesis"]["bullets"]:
            bullet["chain"]["cause"] = cause
    found = checker().issues(parsed(data), evidence())
    return [(one.section, one.severity) for one in found if one.check == "role-against-chains"]


@pytest.mark.parametrize("text", CLAIMS)
def test_every_wording_of_a_role_against_the_chains_is_found(text: str) -> None:
    assert issues(text, "rationale") == [(Section.ASSESSMENT, Severity.HIGH)]


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_what_gives_the_gene_no_role_is_no_issue(text: str) -> None:
    assert issues(text, "rationale") == []


@pytest.mark.parametrize(
    "text",
    [
        "Acts as a proto-oncogene. Binds alpha-catenin.",
        "Functions as a classical oncogene of WNT signalling. Binds alpha-catenin.",
        "Is an oncogene. Binds alpha-catenin.",
        "Binds alpha-catenin. Encodes an oncogene.",
        "Binds alpha-catenin. APC is an oncogene.",
    ],
)
def test_a_function_bullet_speaks_of_the_gene_without_naming_it(text: str) -> None:
    assert issues(text, "function") == [(Section.GENE_FUNCTION, Severity.HIGH)]


@pytest.mark.parametrize(
    "text",
    [
        "Acts as a tumor suppressor. Binds alpha-catenin.",
        "Is held back by the oncogene MYC. Binds alpha-catenin.",
        "Binds the oncogene product MYC. Acts as a scaffold for oncogenes.",
        "Encodes APC regulator of WNT signaling pathway. Is activated by an oncogene.",
    ],
)
def test_a_function_bullet_without_the_role_is_no_issue(text: str) -> None:
    assert issues(text, "function") == []


@pytest.mark.parametrize(
    "text",
    [
        "The tumour suppressor APC restrains growth.",
        "APC is a classical tumor suppressor gene.",
        "APC has tumour-suppressive function.",
    ],
)
def test_gain_alone_is_no_tumor_suppressor(text: str) -> None:
    assert issues(text, "rationale", cause="APC amplification") == [
        (Section.ASSESSMENT, Severity.HIGH)
    ]
    assert issues(text, "rationale") == []


def test_the_official_name_of_a_gene_gives_it_no_role() -> None:
    gene = GeneIdentity(symbol="KRAS", name="KRAS proto-oncogene, GTPase", aliases=[])
    assert list(roles("Encodes KRAS proto-oncogene, GTPase.", GeneNames(gene), subject=True)) == []


def test_the_own_oncogene_is_named_where_another_gene_would_not_be() -> None:
    text = "APC cooperates with the oncogene KRAS."
    kras = GeneNames(GeneIdentity(symbol="KRAS", name=None, aliases=[]))
    assert list(roles(text, kras)) == ["oncogene"] and list(roles(text, NAMES)) == []
