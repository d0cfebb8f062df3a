"""Whether the summaries say what the report's verdict and its mechanisms say."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from intogen_agent.report.models import FinalReport
from intogen_agent.report.text import sentences
from intogen_agent.review.direction import Direction, directions
from intogen_agent.review.naming import GeneNames, plain
from intogen_agent.summary import verdict_words as words
from intogen_agent.summary.about import GENE, Clause, Pair
from intogen_agent.summary.models import RoleOfAction
from intogen_agent.summary.role_prose import directions_given, roles_given

# What states the verdict by itself; the other texts may tell of single findings.
_OVERALL = frozenset({"headline", "general"})
# What says why a role is not supported.
TELLS_WHY = frozenset({"headline", "assessment"})
_OPPOSITE = {
    RoleOfAction.ONCOGENE: {RoleOfAction.TUMOR_SUPPRESSOR},
    RoleOfAction.TUMOR_SUPPRESSOR: {RoleOfAction.ONCOGENE},
}
_WITHOUT_DIRECTION = frozenset({"gene_function"})


def allowed_roles(report: FinalReport) -> set[RoleOfAction]:
    """Return the roles that a report's mechanisms leave open.

    Source: the seed's section "Summary generation": the role is constrained to match the
    mechanistic content. Loss of function alone is no oncogene, gain of function alone no tumor
    suppressor; without a mechanism the role is unclear. Causes that say neither leave all open.
    """
    found = _shown(report)
    if found is None:
        return {RoleOfAction.UNCLEAR}
    open_roles = set(RoleOfAction)
    if found == {"loss"}:
        open_roles -= {RoleOfAction.ONCOGENE}
    if found == {"gain"}:
        open_roles -= {RoleOfAction.TUMOR_SUPPRESSOR}
    return open_roles


def why_ruled_out(report: FinalReport) -> str:
    """Say in one sentence what the mechanisms show, for a role that they rule out."""
    shown = _shown(report)
    if shown is None:
        return "The report holds no mechanism."
    found = " and ".join(sorted(shown))
    return f"The mechanisms speak of {found} of function alone, which the proposed role is not."


def says_not_supported(text: str) -> bool:
    """Say whether a text tells that support, evidence or a role is missing, or unknown.

    A negation of anything else will not do; nor will one that affirms (`no doubt`).
    """
    said = words.TURNED.sub(" ", words.SURE.sub(" ", plain(text)))
    return words.NO_SUPPORT.search(said) is not None


@dataclass(frozen=True)
class Verdict:
    """What the summaries of a report may not contradict.

    Attributes:
        report: The report.
        text: All its words.
        pair: The gene and the cancer as texts name them.
        role: The role of action that the summaries propose; the prose may not name its opposite.
    """

    report: FinalReport
    text: str
    pair: Pair
    role: RoleOfAction = RoleOfAction.UNCLEAR

    @classmethod
    def of(cls, report: FinalReport, text: str, terms: tuple[str, ...] = ()) -> "Verdict":
        """Return the verdict of a report.

        Args:
            report: The report.
            text: All its words.
            terms: Other names of the cancer.
        """
        cancer = report.cancer
        pair = Pair(GeneNames(report.gene), (cancer.name, *terms), cancer.code)
        return cls(report, text, pair)

    def beside(self, role: RoleOfAction) -> "Verdict":
        """Return the verdict for summaries that propose a role; one that is ruled out binds not."""
        allowed = role in allowed_roles(self.report)
        return replace(self, role=role) if allowed else self

    @property
    def _supported(self) -> bool:
        return self.report.mechanistic_hypothesis is not None

    def problems(self, name: str, text: str) -> list[str]:
        """Return what a text says against the verdict, or leaves unsaid.

        Args:
            name: The summary; `role_reason` is checked as well.
            text: Its text.
        """
        found = [why for _, why in self.contradictions(name, text)]
        if not self._supported and name in TELLS_WHY and not says_not_supported(text):
            found.append("say that it is not supported, and why")
        return list(dict.fromkeys(found))

    def contradictions(self, name: str, text: str) -> Iterator[tuple[str, str]]:
        """Yield the sentences against the verdict or the mechanisms, and what is wrong."""
        for sentence in sentences(text):
            told = name != "headline" and plain(sentence) in plain(self.text)
            if not told and self._against(name, sentence):
                is_it = "is" if self._supported else "is not"
                yield sentence, f"the report's verdict {is_it} supported; '{sentence}' denies it"
        for sentence, role, here in roles_given(text, self.pair):
            if role not in self._allowed(name, here=here):
                why = "the mechanisms or role_of_action rule it out"
                why = why if self._supported else "a role is not supported"
                yield sentence, f"'{sentence}' calls the gene {role.value}: {why}"
        if name not in _WITHOUT_DIRECTION:
            yield from self._turned(text)

    def without(self, name: str, text: str) -> str:
        """Return a text without the sentences that contradict."""
        return self.pair.without(text, (one for one, _ in self.contradictions(name, text)))

    def _against(self, name: str, sentence: str) -> bool:
        clauses = [one for one in self.pair.clauses(sentence) if one.own and not one.elsewhere]
        if self._supported:
            return any(self._refuses(name, one) for one in clauses)
        said = self.pair.marked(sentence)
        turned = words.TURNED.search(said) and words.ABOUT_ROLE.search(said)
        if clauses and (words.SURE.search(said) or turned):
            return True
        return any(self._affirms(name, one) for one in clauses)

    @staticmethod
    def _affirms(name: str, clause: Clause) -> bool:
        if words.AFFIRMED.search(clause.said) is None or words.is_open(clause.said):
            return False
        if GENE not in clause.said and words.is_open(clause.before):
            return False
        # A single finding is not the verdict, where the verdict is told as well.
        return name in _OVERALL or words.ATTRIBUTED.search(clause.said) is None

    @staticmethod
    def _refuses(name: str, clause: Clause) -> bool:
        if words.REFUSED.search(clause.said) is None:
            return False
        if name in _OVERALL:
            return True
        plainly = GENE in clause.said and words.QUALIFIED.search(clause.said) is None
        return plainly

    def _allowed(self, name: str, *, here: bool) -> set[RoleOfAction]:
        """Return the roles that a text may give the gene.

        What the report itself says of the gene's role stays sayable, in other cancers or at all,
        where this cancer is not meant.
        """
        allowed = allowed_roles(self.report) - _OPPOSITE.get(self.role, set())
        told_apart = name == "gene_function" if self._supported else name != "headline" and not here
        if told_apart:
            allowed |= {role for _, role, _ in roles_given(self.text, self.pair)}
        return allowed

    def _turned(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield the sentences that let the gene be altered in a way that the report does not."""
        shown = _shown(self.report)
        if not shown:
            return
        known = {*shown, *(way for _, way in directions_given(self.text, self.pair))}
        for sentence, way in directions_given(text, self.pair):
            if way not in known:
                yield sentence, f"'{sentence}' speaks of a {way}: {why_ruled_out(self.report)}"


def _shown(report: FinalReport) -> set[Direction] | None:
    hypothesis = report.mechanistic_hypothesis
    if hypothesis is None or not hypothesis.bullets:
        return None
    return directions(bullet.chain.cause for bullet in hypothesis.bullets)
