"""Whether a text says what its source says, as far as words can tell.

A rewrite may change words and sentences; numbers, names, drugs, cancers, mechanisms, negations,
hedges and directions stay. What cannot be told to be the same is refused: a summary that stays as
it is does no harm.
"""

from collections.abc import Iterable

from intogen_agent.evidence.numbers import foreign_numbers
from intogen_agent.review.naming import foreign_names, names, plain
from intogen_agent.review.polarity import HEDGE, NEGATION, denied, swapped, turned
from intogen_agent.summary.concepts import cancers, drugs, mechanisms, proper_names


def foreign_facts(text: str, source: str) -> list[str]:
    """Name what a text holds and its source does not: numbers, names, drugs, cancers."""
    held = plain(source)
    found = [f"the number {number}" for number in foreign_numbers(text, source)]
    found += [f"the name {name}" for name in foreign_names(text, source)]
    found += [f"the drug {drug}" for drug in sorted(drugs(text)) if drug not in held]
    found += [f"the cancer {name}" for name in sorted(cancers(text) - cancers(source))]
    return found


def foreign_mechanisms(text: str, source: str) -> list[str]:
    """Name the mechanisms that a text speaks of and its source does not."""
    return sorted(mechanisms(text) - mechanisms(source))


def changed_fact(rewrite: str, original: str, pair: Iterable[str] = ()) -> str | None:
    """Name the first fact that a rewrite brings in, drops or changes; None if it keeps all.

    Args:
        rewrite: The new text.
        original: The text it would replace.
        pair: What may be named in any case: the names of the gene and of the cancer.
    """
    known = " ".join([original, *pair])
    brought = [*foreign_facts(rewrite, known), *_foreign_words(rewrite, known)]
    if brought:
        return f"it brings in {brought[0]}"
    return _dropped(rewrite, " ".join([rewrite, *pair]), original) or _changed(rewrite, original)


def _foreign_words(rewrite: str, known: str) -> list[str]:
    held = plain(known)
    found = [f"the mechanism {name}" for name in foreign_mechanisms(rewrite, known)]
    named = sorted(word for word in proper_names(rewrite) if word not in held)
    return [*found, *(f"the name {word}" for word in named)]


def _dropped(rewrite: str, said: str, original: str) -> str | None:
    if foreign_numbers(original, rewrite):
        return f"it drops the number {foreign_numbers(original, rewrite)[0]}"
    # The gene and the cancer may become a pronoun, if they are named at all.
    lost = foreign_names(original, said)
    if lost:
        return f"it drops the name {lost[0]}"
    if names(original) and not names(rewrite):
        return f"it drops the name {names(original)[0]}"
    for what, found in (
        ("drug", drugs(original) - drugs(rewrite)),
        ("cancer", cancers(original) - cancers(said)),
        ("mechanism", mechanisms(original) - mechanisms(rewrite)),
    ):
        if found:
            return f"it drops the {what} {min(found)}"
    return None


def _changed(rewrite: str, original: str) -> str | None:
    if len(NEGATION.findall(rewrite)) != len(NEGATION.findall(original)):
        return "it changes a negation"
    if _denies_another(rewrite, original):
        return "it denies something else"
    if len(HEDGE.findall(rewrite)) < len(HEDGE.findall(original)):
        return "it drops a hedge"
    thing = swapped(rewrite, original)
    if thing:
        return f"it turns the direction of '{thing}'"
    return "it turns a direction" if turned(rewrite, original) else None


def _denies_another(rewrite: str, original: str) -> bool:
    """Say whether a clause denies what no clause of the original denies."""
    before, after = denied(rewrite), denied(original)
    marked = {word.casefold() for word in names(f"{rewrite} {original}")}

    def about(clause: set[str]) -> set[str]:
        return clause & marked or clause

    return any(not any(about(here) & there for there in after) for here in before)
