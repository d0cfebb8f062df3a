"""The middle link of a chain: molecules, pathways and molecular activities named in a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from intogen_agent.offline import molecule_words as forms
from intogen_agent.offline import outcomes
from intogen_agent.offline.genes import Gene

_MAX_UNITS = 3
_PROCESS_RANK = 4
_AMOUNTS = ("level", "levels", "mRNA", "promoter")


@dataclass(frozen=True)
class Mediator:
    """A mediator candidate.

    Attributes:
        text: A noun phrase in the text's own words.
        rank: Higher is a surer mediator.
        start: Where it stands.
    """

    text: str
    rank: int
    start: int


def mediators(text: str, gene: Gene, hints: tuple[str, ...] = ()) -> list[Mediator]:
    """Return mediator candidates, the surest first.

    Args:
        text: A statement.
        gene: The gene, which is no mediator of its own.
        hints: Words known to belong to the gene's function; they raise a candidate.
    """
    found = [
        *_cascades(text),
        *_reversers(text, gene),
        *_named(text, gene, hints),
        *_activities(text),
    ]
    return sorted(found, key=lambda item: (-item.rank, item.start))


def process(text: str, gene: Gene) -> Mediator | None:
    """Return what a statement of normal function says that the product acts on or through."""
    match = forms.PROCESS.search(text)
    found = [one for one in (*_cascades(text), *_named(text, gene, ())) if one.rank > 1]
    if match:
        found.append(Mediator(match[0], _PROCESS_RANK, match.start()))
    return max(found, key=lambda one: one.rank, default=None)


def is_process(text: str) -> bool:
    """Say whether a mediator is a process of normal cells, not a molecule."""
    return forms.PROCESS.fullmatch(text) is not None


def tokens(text: str, gene: Gene) -> list[str]:
    """Return the molecule names of a text, in order, the gene's own names left out."""
    names: list[str] = []
    for match in forms.PHRASE.finditer(text):
        names += [unit for unit in _units(match[1]) if _is_molecule(unit, gene)]
    return list(dict.fromkeys(names))


def _named(text: str, gene: Gene, hints: tuple[str, ...]) -> Iterator[Mediator]:
    known = {hint.lower() for hint in hints}
    for match in forms.PHRASE.finditer(text):
        units = [unit for unit in _units(match[1]) if _is_molecule(unit, gene)]
        after = text[match.end() :]
        head = match[2] or ""
        if not units or (not head and forms.ANOTHERS_ALTERATION.match(after)):
            continue
        before = text[: match.start()]
        if _of_another(before, gene) or forms.STIMULUS_BEFORE.search(before):
            continue
        effect = bool(forms.EFFECT_BEFORE.search(text[: match.start()]))
        rise = bool(forms.RISE_AFTER.match(after))
        hinted = any(unit.lower() in known for unit in units)
        if not (head or effect or rise or hinted):
            continue
        rank = 3 * bool(forms.PATHWAY_HEAD.search(head)) + 2 * bool(forms.EFFECT_HEAD.search(head))
        rank += 2 * effect + rise + 2 * hinted + (1 if head else 0)
        yield Mediator(_render(match, units, head), rank, match.start())


def _of_another(before: str, gene: Gene) -> bool:
    """Say whether another gene's alteration is what acts on a molecule that follows."""
    sentence = re.split(r"(?<=[.!?]) ", before)[-1]
    acting = list(forms.ACTOR.finditer(sentence))
    if not acting:
        return False
    actor = acting[-1]
    beside = re.search(r"\b(?:or|and|with)\s+$", sentence[: actor.start()])
    return not gene.named_in(actor[1]) and not beside and _is_molecule(actor[1], gene)


def begins_with_another(text: str, gene: Gene) -> bool:
    """Say whether a statement is about another gene's alteration: it begins with it."""
    actor = forms.ACTOR.match(text)
    return actor is not None and actor[1] in tokens(text, gene)


def _cascades(text: str) -> Iterator[Mediator]:
    """Yield `signalling cascades (A, B and C)` as `A and B signalling`."""
    for match in forms.CASCADES.finditer(text):
        names = [name for name in re.split(r", | and |, and ", match[1]) if name][:2]
        yield Mediator(f"{' and '.join(names)} signalling", 6, match.start())


def _reversers(text: str, gene: Gene) -> Iterator[Mediator]:
    """Yield molecules whose inhibition takes the effect away: they carry it."""
    for pattern in forms.REVERSERS:
        for match in pattern.finditer(text):
            if _is_molecule(match[1], gene):
                yield Mediator(match[1], 5, match.start())


def _activities(text: str) -> Iterator[Mediator]:
    for match in forms.ACTIVITY.finditer(text):
        qualified = match[1].split(" ")[0].lower() in ("lost", "reduced", "impaired", "raised")
        held_back = not qualified and outcomes.HELD_BACK.search(text[: match.start()])
        named = f"impaired {match[1]}" if held_back else match[1]
        yield Mediator(named, 3 if qualified else 2, match.start())


def _render(match: re.Match[str], units: list[str], head: str) -> str:
    """Return the list as it stands if all of it are molecules, else its first molecule."""
    whole = match[1] if len(units) == len(_units(match[1])) else units[0]
    if len(units) > _MAX_UNITS:
        whole = f"{', '.join(units[: _MAX_UNITS - 1])} and {units[_MAX_UNITS - 1]}"
    before = match.string[: match.start()]
    if re.search(r"\bdownstream of $", before):
        return f"position downstream of {whole}"
    degree = re.search(r"\b(?:stronger|higher|raised|reduced|aberrant) $", before)
    named = f"{whole} {head}".strip() if head not in _AMOUNTS else whole
    return f"{degree.group()}{named}" if degree and head else named


def _units(listed: str) -> list[str]:
    return re.split(r", and |, | and | or ", listed)


def _is_molecule(unit: str, gene: Gene) -> bool:
    if (
        unit.upper() in forms.NOT_MOLECULES
        or forms.VARIANT.match(unit)
        or forms.CELL_LINE.match(unit)
    ):
        return False
    parts = [part for part in re.split(r"/|-(?=[A-Z])", unit) if part]
    others = [p for p in parts if p.upper() not in forms.NOT_MOLECULES and not gene.is_name(p)]
    if gene.is_name(unit) or not others or (gene.named_in(unit) and len(parts) == 1):
        return False
    return len(unit) > 1 and not re.fullmatch(r"[A-Z][a-z]?", unit)
