"""Checks of mechanisms: their chains, the role they show, and what became of the hypotheses."""

import re
from collections.abc import Iterator

from intogen_agent.evidence.models import Hypothesis, Stance
from intogen_agent.report.models import MechanismBullet
from intogen_agent.report.rules.base import mechanism_bullets
from intogen_agent.report.triples import normalised_triple
from intogen_agent.report.verbs import words
from intogen_agent.review.case import Case, Finding
from intogen_agent.review.direction import Direction, directions
from intogen_agent.review.gene_direction import cause_directions, gene_directions
from intogen_agent.review.models import Section, Severity
from intogen_agent.review.naming import plain
from intogen_agent.review.roles import roles

_MECHANISMS = Section.MECHANISTIC_HYPOTHESIS
_SHOWN: dict[Direction, str] = {"loss": "oncogene", "gain": "tumor suppressor"}
_WORD = re.compile(r"[a-z0-9][a-z0-9-]{2,}")
_EMPTY = words(
    "the and for with from pathway pathways signaling signalling activity protein function of "
    "complex target targets genes gene cell cells its via through"
)


def role_against_chains(case: Case) -> Iterator[Finding]:
    """The role that a statement gives the gene is not the one that its chains rule out.

    Loss of function alone is no oncogene, gain of function alone no tumor suppressor.
    """
    shown = directions(bullet.chain.cause for _, bullet in mechanism_bullets(case.report))
    if len(shown) != 1:
        return
    (only,) = shown
    wrong = _SHOWN[only]
    for placed in case.bullets():
        own = placed.section is Section.GENE_FUNCTION
        if wrong in roles(placed.bullet.text, case.gene, subject=own):
            yield Finding(
                placed.section,
                Severity.HIGH,
                placed.path,
                f"The statement calls {case.report.gene.symbol} {_article(wrong)}, but every "
                f"chain that says which way it works begins with a {only} of function.",
                "Bring the role and the chains together as the evidence has it.",
            )


def refuted_mechanism(case: Case) -> Iterator[Finding]:
    """A mechanism does not rest on evidence against the gene alone."""
    for placed in case.bullets(_MECHANISMS):
        items = case.behind(placed.bullet)
        against = [item for item in items if item.stance is Stance.REFUTES]
        if against and not any(item.stance is Stance.SUPPORTS for item in items):
            named = ", ".join(item.id for item in against)
            yield Finding(
                placed.section,
                Severity.HIGH,
                placed.path,
                f"The mechanism rests on evidence against the gene alone ({named}).",
                "Rest it on supporting evidence, or remove it.",
            )


def chain_in_evidence(case: Case) -> Iterator[Finding]:
    """The mediator and the outcome of a chain stand in the evidence, at least by a word."""
    for placed in case.bullets(_MECHANISMS):
        bullet = placed.bullet
        if not isinstance(bullet, MechanismBullet) or not case.behind(bullet):
            continue
        held = plain(f"{case.held(bullet)}")
        for name in ("mediator", "outcome"):
            words = _words(getattr(bullet.chain, name))
            if words and not any(_stem(word) in held for word in words):
                yield Finding(
                    placed.section,
                    Severity.MEDIUM,
                    f"{placed.path}.chain.{name}",
                    f"The {name} '{getattr(bullet.chain, name)}' stands in none of "
                    f"{', '.join(bullet.evidence)}.",
                    "Write the chain as the evidence has it.",
                )


def chain_direction(case: Case) -> Iterator[Finding]:
    """A chain does not begin with a gain where its statement or its evidence has a loss alone."""
    for placed in case.bullets(_MECHANISMS):
        bullet = placed.bullet
        if not isinstance(bullet, MechanismBullet) or not case.gene.in_text(bullet.chain.cause):
            continue
        items = case.behind(bullet)
        quoted = ". ".join(text for item in items for text in (item.statement, item.quote))
        for name, text in (("its statement", bullet.text), (", ".join(bullet.evidence), quoted)):
            # A cause that says both, or neither, contradicts nothing.
            ways = cause_directions(bullet.chain.cause), gene_directions(text, case.gene)
            if ways in (({"gain"}, {"loss"}), ({"loss"}, {"gain"})):
                yield Finding(
                    placed.section,
                    Severity.HIGH,
                    f"{placed.path}.chain.cause",
                    f"The chain begins with '{bullet.chain.cause}', but {name} "
                    f"{'has' if name == 'its statement' else 'speak of'} a {min(ways[1])} of "
                    f"{case.report.gene.symbol}.",
                    "Write the chain as the evidence has it.",
                )
                break


def confirmed_mechanism_missing(case: Case) -> Iterator[Finding]:
    """Every hypothesis that was confirmed or refined is among the mechanisms."""
    if not case.supported:
        return
    for hypothesis in case.evidence.phase2.hypotheses:
        decided = hypothesis.fate in ("confirmed", "refined")
        if decided and not _covered(case, hypothesis):
            chain = hypothesis.chain
            yield Finding(
                _MECHANISMS,
                Severity.MEDIUM,
                "mechanistic_hypothesis",
                f"Hypothesis {hypothesis.id} ({chain.cause}, {chain.mediator}, {chain.outcome}) "
                f"was {hypothesis.fate} by {', '.join(hypothesis.evidence)}, but no mechanism "
                "speaks of it.",
                "Add the mechanism.",
            )


def _covered(case: Case, hypothesis: Hypothesis) -> bool:
    names = [case.report.gene.symbol, *case.report.gene.aliases]
    triple = normalised_triple(hypothesis.chain, names)
    mediator = {_stem(word) for word in _words(hypothesis.chain.mediator)}
    for _, bullet in mechanism_bullets(case.report):
        if normalised_triple(bullet.chain, names) == triple:
            return True
        same_evidence = set(hypothesis.evidence) & set(bullet.evidence)
        said = plain(f"{bullet.text} {bullet.chain.mediator} {bullet.chain.outcome}")
        if same_evidence and any(word in said for word in mediator):
            return True
    return False


def _article(role: str) -> str:
    return f"an {role}" if role == "oncogene" else f"a {role}"


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(plain(text)) if word not in _EMPTY}


def _stem(word: str) -> str:
    """Return the part of a word that its forms share: signal of signals and signalling."""
    return word[: max(4, len(word) - 3)] if len(word) > 5 else word
