"""The cancer types of the shipped table, as tests of phase 2 need them."""

from functools import lru_cache
from pathlib import Path

from intogen_agent.cohort.ambiguous import AmbiguousNames
from intogen_agent.cohort.cancer_types import CancerTypes, load_cancer_types
from intogen_agent.evidence.queries import QueryRules
from intogen_agent.evidence.scopes import Scopes
from intogen_agent.models import GeneIdentity

CONFIG = Path(__file__).resolve().parents[2] / "config"


@lru_cache
def types() -> CancerTypes:
    return load_cancer_types(CONFIG / "cancer_types.tsv")


def terms(code: str, scheme: str = "oncotree") -> tuple[str, ...]:
    found = types().get(scheme, code)
    assert found is not None
    return found.search_terms


@lru_cache
def scopes(code: str, scheme: str = "oncotree") -> Scopes:
    return Scopes(types(), scheme, code, terms(code, scheme), code == "CANCER")


def rules(symbol: str, code: str, *aliases: str, name: str | None = None) -> QueryRules:
    gene = GeneIdentity(symbol=symbol, name=name, aliases=list(aliases))
    ambiguous = AmbiguousNames(CONFIG / "ambiguous_symbols.tsv")
    pan_cancer = code == "CANCER"
    return QueryRules(gene, terms(code), pan_cancer, code, scopes(code), ambiguous)
