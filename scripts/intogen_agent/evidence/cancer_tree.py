"""How the cancer types of the table stand to one of them: its subtypes, what it belongs to, kin."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from intogen_agent.cohort.cancer_types import (
    SCHEMES,
    CancerType,
    CancerTypes,
    default_path,
    load_cancer_types,
)
from intogen_agent.cohort.options import ExtraCancerType
from intogen_agent.cohort.paths import PAN_CANCER
from intogen_agent.config import places
from intogen_agent.config.settings import Settings

Key = tuple[str, str]

# Below these stand the organs and lineages; what meets only here is not related.
ROOTS = frozenset({PAN_CANCER, "SOLID", "NON_SOLID"})
# A heading for what has no place of its own.
UNPLACED = frozenset({"OTHER"})


class Relation(StrEnum):
    """How a named cancer stands to the target; the nearest first."""

    TARGET = "target"
    BROADER = "broader"
    SUBTYPE = "subtype"
    RELATED = "related"
    OTHER = "other"


def known_types(settings: Settings) -> CancerTypes:
    """Return the cancer types of a configuration: the table and the user's own.

    Raises:
        UserError: The table cannot be read.
    """
    chosen = places.found(settings, places.checkout()).cancer_types
    extra = [
        ExtraCancerType(
            code=item.code,
            name=item.name,
            search_terms=tuple(item.search_terms),
            parent=item.parent or "",
        )
        for item in chosen.extra
    ]
    return load_cancer_types(chosen.table or default_path(), extra)


def relations(
    types: CancerTypes, scheme: str, code: str, terms: Sequence[str]
) -> dict[Key, Relation]:
    """Return how every cancer type of the table stands to a target.

    Related are the types that share an organ or a lineage with the target: an ancestor below the
    roots of the tree. A target that the table does not place (a code of one's own without a
    parent) stands where the types stand that are named by its terms.

    Args:
        types: The table.
        scheme: The target's code scheme; `any` for tasks that are the same in every scheme.
        code: The target's code.
        terms: The target's search terms.
    """
    tree = _Tree(types.entries)
    anchors = tree.anchors((scheme, code), terms)
    above = {key for anchor in anchors for key in tree.above(anchor)}
    below = tree.below(anchors) - anchors
    kin = tree.below({key for key in above if tree.parent(key) is None}) | above
    found = {}
    for key in types.entries:
        if key in anchors:
            found[key] = Relation.TARGET
        elif key in above:
            found[key] = Relation.BROADER
        elif key in below:
            found[key] = Relation.SUBTYPE
        else:
            found[key] = Relation.RELATED if key in kin else Relation.OTHER
    return found


class _Tree:
    def __init__(self, entries: Mapping[Key, CancerType]) -> None:
        self._entries = entries
        self._children: dict[Key, list[Key]] = {}
        for key in entries:
            parent = self.parent(key)
            if parent is not None:
                self._children.setdefault(parent, []).append(key)

    def parent(self, key: Key) -> Key | None:
        """Return the type above one; None at an organ, a lineage or a root."""
        code = self._entries[key].parent
        if not code or code in ROOTS:
            return None
        candidates = [(scheme, code) for scheme in (key[0], *SCHEMES)]
        return next((found for found in candidates if found in self._entries), None)

    def above(self, key: Key) -> Iterable[Key]:
        """Yield the types above one."""
        seen = {key}
        while (parent := self.parent(key)) is not None and parent not in seen:
            seen.add(parent)
            yield parent
            key = parent

    def below(self, keys: Iterable[Key]) -> set[Key]:
        """Return types and everything below them."""
        found: set[Key] = set()
        waiting = list(keys)
        while waiting:
            key = waiting.pop()
            if key not in found:
                found.add(key)
                waiting.extend(self._children.get(key, ()))
        return found

    def anchors(self, target: Key, terms: Sequence[str]) -> set[Key]:
        """Return the places of a target: its own, and the type of its name in the other scheme."""
        own = self._entries.get(target)
        placed = own is not None and (bool(own.parent) or target[0] in SCHEMES)
        names = {own.name.casefold()} if own and placed else {term.casefold() for term in terms}
        anchors = {
            key
            for key, entry in self._entries.items()
            if entry.code not in ROOTS and entry.name.casefold() in names
        }
        return anchors | ({target} if own is not None else set())
