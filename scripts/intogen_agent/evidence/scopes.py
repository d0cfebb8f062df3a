"""Whose cancer a ledger item speaks of: the summarizer's word, checked against the tree.

Source: the seed's section "Phase 2" ("Human data for the target cancer were prioritized, followed
by closely related subtypes and then pan-cancer or model-system evidence").
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from intogen_agent.cohort.cancer_types import CancerTypes
from intogen_agent.evidence.articles import ArticleRecord, article_records
from intogen_agent.evidence.cancer_names import (
    CancerNames,
    Named,
    speaks_of_cancer,
    speaks_of_many,
)
from intogen_agent.evidence.cancer_tree import Relation
from intogen_agent.evidence.models import EvidenceItem, Scope
from intogen_agent.evidence.quotes import quote_in

MAX_NAMED = 3

_BY_RELATION = {
    Relation.TARGET: Scope.TARGET,
    Relation.BROADER: Scope.RELATED,
    Relation.SUBTYPE: Scope.SUBTYPE,
    Relation.RELATED: Scope.RELATED,
    Relation.OTHER: Scope.OTHER,
}
# What a text that names a cancer of this relation may be said to speak of.
_FITTING = {
    Relation.TARGET: {Scope.TARGET, Scope.SUBTYPE},
    # A wider name (lung cancer) leaves it to the rest of the record which kind it was.
    Relation.BROADER: {Scope.TARGET, Scope.SUBTYPE, Scope.RELATED},
    Relation.SUBTYPE: {Scope.SUBTYPE},
    Relation.RELATED: {Scope.RELATED},
    Relation.OTHER: {Scope.OTHER},
}


@dataclass(frozen=True)
class Scoped:
    """The scope of an item.

    Attributes:
        scope: The scope after the check.
        stated: What the summarizer said, where the check corrected it.
        cancers: For a pan-cancer task the cancers that the item rests on.
    """

    scope: Scope
    stated: Scope | None = None
    cancers: list[str] = field(default_factory=list)


class Scopes:
    """The check of one task.

    Args:
        types: The table of cancer types.
        scheme: The code scheme of the task's cancer type.
        code: Its code.
        terms: Its search terms.
        pan_cancer: Whether every human cancer is the target.
    """

    def __init__(
        self, types: CancerTypes, scheme: str, code: str, terms: Sequence[str], pan_cancer: bool
    ) -> None:
        self.names = CancerNames(types, scheme, code, () if pan_cancer else terms)
        self._own = {term.casefold() for term in terms}
        self._pan_cancer = pan_cancer

    def scoped(
        self, scope: Scope, quote: str, statement: str, record: str = "", title: str = ""
    ) -> Scoped:
        """Check the scope that a summarizer gave a bullet.

        What the quote names decides: the words of the paper. Where it names no cancer the
        statement may only take away: a finding in another cancer never becomes one in the target
        by the summarizer's own words.

        Args:
            scope: The summarizer's word.
            quote: The bullet's quote.
            statement: The bullet's text.
            record: The record in which the quote stands; it says what short forms mean.
            title: The record's title.
        """
        if self._pan_cancer:
            return self._of_any(scope, (quote, statement, title, record))
        found = self.names.find(quote, record)
        right = self._right(scope, found, quote)
        if not found:
            found = self.names.find(statement, record)
            right = self._right(scope, found, statement)
            if right in (Scope.TARGET, Scope.SUBTYPE) and scope not in (right, Scope.TARGET):
                right = scope
        return Scoped(right, None if right is scope else scope)

    def _right(self, scope: Scope, found: Sequence[Named], text: str) -> Scope:
        relations = {named.relation for named in found}
        if not relations:
            return scope
        if scope is Scope.PAN_CANCER:
            lone = relations == {Relation.OTHER} and len(found) == 1 and not speaks_of_many(text)
            return Scope.OTHER if lone else scope
        if any(scope in _FITTING[relation] for relation in relations):
            return scope
        if scope is Scope.OTHER and len(relations) > 1:
            return scope
        return _BY_RELATION[min(relations, key=list(Relation).index)]

    def _of_any(self, scope: Scope, texts: Sequence[str]) -> Scoped:
        """Every human cancer is the target; the item says which ones it rests on.

        The nearest text that names a cancer tells: the quote, the statement, the title, the record.
        """
        cancers = next((found for text in texts if (found := self._cancers(text, texts[-1]))), [])
        about = bool(cancers) or scope is not Scope.OTHER
        about = about or any(map(speaks_of_cancer, texts[:2]))
        right = Scope.TARGET if about else scope
        return Scoped(right, None if right is scope else scope, cancers)

    def _cancers(self, text: str, record: str) -> list[str]:
        terms = Counter(named.term.lower() for named in self.names.find(text, record))
        return list(terms)[:MAX_NAMED]

    def of_query(self, diseases: Sequence[str]) -> Scope:
        """Return what a search looks at: the nearest of the cancers that it names.

        The task's own terms name the target, also where they are as general as `solid tumor`.
        """
        if self._pan_cancer or self._own.intersection(name.casefold() for name in diseases):
            return Scope.TARGET
        found = [named.relation for name in diseases for named in self.names.find(name)]
        if not found:
            return Scope.PAN_CANCER
        return _BY_RELATION[min(found, key=list(Relation).index)]


class ScopeReview:
    """Puts the scope of every ledger item right.

    Args:
        scopes: The check of the task.

    Attributes:
        payloads: The raw answers by their calls' ids, in which the items' records stand.
    """

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._records: dict[str, list[ArticleRecord]] = {}
        self.payloads: dict[str, str] = {}

    def __call__(self, item: EvidenceItem) -> EvidenceItem:
        """Return an item with its scope checked."""
        if item.call not in self._records:
            self._records[item.call] = article_records(self.payloads.get(item.call, ""))
        home = next((r for r in self._records[item.call] if quote_in(item.quote, r.text)), None)
        record, title = (home.text, home.title or "") if home else ("", "")
        checked = self._scopes.scoped(item.scope, item.quote, item.statement, record, title)
        return item.model_copy(
            update={
                "scope": checked.scope,
                "scope_stated": checked.stated,
                "cancers": checked.cancers,
            }
        )
