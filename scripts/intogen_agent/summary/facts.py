"""Whether a text says what its source says, as far as words can tell.

A rewrite may change words and sentences; numbers, names, drugs, cancers, mechanisms, negations,
hedges and directions stay. What cannot be told to be the same is refused: a summary that stays as
it is does no harm.
"""

from collections.abc import Iterable

from intogen_agent.evidence.numbers import foreign_numbers
from intogen_agent.review.naming import CancerTerms, foreign_names, names, plain
from intogen_agent.review.polarity import swapped, turned
from intogen_agent.summary.claims import claim_change
from intogen_agent.summary.concepts import cancers, drugs, mechanisms, proper_names, proteins
from intogen_agent.summary.numbers import in_digits, number_change

# Forms of one word share so many letters.
_STEM = 6


def foreign_facts(text: str, source: str, terms: CancerTerms | None = None) -> list[str]:
    """Name what a text holds and its source does not: numbers, names, drugs, cancers.

    Args:
        text: The text.
        source: What it may speak of.
        terms: The words for all cancer types; without them only those of the lists are known.
    """
    held = plain(source)
    held_numbers = f"{source} {in_digits(source, one=True)}"
    found = [f"the number {number}" for number in foreign_numbers(text, held_numbers)]
    found += [f"the name {name}" for name in foreign_names(text, source)]
    found += [f"the drug {drug}" for drug in sorted(drugs(text)) if drug not in held]
    found += [f"the cancer {name}" for name in sorted(cancers(text) - cancers(source))]
    found += [f"the cancer {name}" for name in _other_types(text, source, terms)]
    return found


def _other_types(text: str, source: str, terms: CancerTerms | None) -> list[str]:
    """Return the cancer types that only a text names; another word for a known organ is none."""
    held, known = plain(source), cancers(source)
    found = terms.others_in(text) if terms is not None else []
    return [
        name
        for name in found
        if name not in held and not (cancers(name) and cancers(name) <= known)
    ]


def foreign_mechanisms(text: str, source: str) -> list[str]:
    """Name the mechanisms that a text speaks of and its source does not."""
    return sorted(mechanisms(text) - mechanisms(source))


def changed_fact(
    rewrite: str, original: str, pair: Iterable[str] = (), terms: CancerTerms | None = None
) -> str | None:
    """Name the first fact that a rewrite brings in, drops or changes; None if it keeps all.

    Args:
        rewrite: The new text.
        original: The text it would replace.
        pair: What may be named in any case: the names of the gene and of the cancer.
        terms: The words for all cancer types.
    """
    known = " ".join([original, *pair])
    brought = [*foreign_facts(rewrite, known, terms), *_foreign_words(rewrite, known)]
    if brought:
        return f"it brings in {brought[0]}"
    return (
        number_change(rewrite, original, known)
        or _dropped(rewrite, " ".join([rewrite, *pair]), original)
        or claim_change(rewrite, original)
        or _direction(rewrite, original)
    )


def _foreign_words(rewrite: str, known: str) -> list[str]:
    held = plain(known)
    found = [f"the mechanism {name}" for name in foreign_mechanisms(rewrite, known)]
    named = sorted(proper_names(rewrite) | proteins(rewrite))
    return [*found, *(f"the name {word}" for word in named if word[:_STEM] not in held)]


def _dropped(rewrite: str, said: str, original: str) -> str | None:
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


def _direction(rewrite: str, original: str) -> str | None:
    thing = swapped(rewrite, original)
    if thing:
        return f"it turns the direction of '{thing}'"
    return "it turns a direction" if turned(rewrite, original) else None
