"""The critic loop: review and refinement until acceptance or the bound.

Source: the seed's section "Critic-driven scientific refinement".
"""

from collections.abc import Sequence
from dataclasses import dataclass

from intogen_agent.jobs import Run
from intogen_agent.report.drafting import Drafter
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence
from intogen_agent.review.changes import changes
from intogen_agent.review.checks import Checker
from intogen_agent.review.history import short_history, whole_history
from intogen_agent.review.models import CritiqueIssue, CritiqueReport, Iteration, Severity
from intogen_agent.review.refinement import Refinement, refine
from intogen_agent.review.reviewer import review
from intogen_agent.review.search import Search, to_search

ACCEPTED = "accepted"
NO_ISSUE = "the reviewer named no issue"
BOUND = "the maximum number of iterations was reached"


@dataclass(frozen=True)
class Version:
    """A version of the report with what the reviewer said of it."""

    round: int
    report: FinalReport
    critique: CritiqueReport


class Loop:
    """The iterations of review and refinement.

    Args:
        run: The stage's run.
        evidence: The pair's evidence.
        report: The report that passed validation.
        checker: The deterministic checks.
        search: Gathers new evidence.

    Attributes:
        report: The report as it stands.
        iterations: The rounds so far.
        kept_round: The round whose report was kept because later ones made it worse.
    """

    def __init__(
        self, run: Run, evidence: Evidence, report: FinalReport, checker: Checker, search: Search
    ) -> None:
        self._run = run
        self._checker = checker
        self._search = search
        self._gathered = evidence
        self._evidence = evidence
        self._drafter = Drafter(run, evidence)
        self._versions: list[Version] = []
        self.report = report
        self.iterations: list[Iteration] = []
        self.kept_round: int | None = None

    @property
    def critique(self) -> CritiqueReport:
        """What the reviewer said of the report that stands."""
        return self._versions[-1].critique

    async def conduct(self) -> None:
        """Review and refine.

        Raises:
            StageFailure: A model or a server could not be used.
        """
        bound = self._run.job.settings.review.max_iterations
        refused = ""
        for number in range(1, bound + 1):
            start = len(self._run.recorder.used)
            if not refused:
                self._versions.append(Version(number, self.report, await self._review()))
            iteration = Iteration(number=number, critique=self.critique)
            self.iterations.append(iteration)
            ending = self._end(number, bound)
            if ending:
                iteration.note = ending
            else:
                refused = await self._refine(iteration, refused)
            iteration.calls = [entry["id"] for entry in self._run.recorder.used[start:]]
            # The last round only reviews; after a refusal there is nothing new to review.
            if ending or (refused and number + 1 == bound):
                return

    def _end(self, number: int, bound: int) -> str:
        """Say why the loop ends after a review; empty if it goes on."""
        critique = self.critique
        if critique.overall_accept:
            return ACCEPTED
        if self._take_back():
            return f"the score fell twice in a row: the report of round {self.kept_round} is kept"
        if not critique.issues:
            return NO_ISSUE
        return BOUND if number == bound else ""

    def _take_back(self) -> bool:
        """Take back the last two refinements if each lowered the score and no high issue went."""
        if len(self._versions) < 3:
            return False
        first, second, third = self._versions[-3:]
        scores = [each.critique.overall_score for each in (first, second, third)]
        fell = scores[0] > scores[1] > scores[2]
        if not fell or len(third.critique.high) < len(first.critique.high):
            return False
        for iteration in self.iterations:
            if iteration.number >= first.round and iteration.taken:
                iteration.taken = False
                iteration.note = "taken back: the score fell twice in a row"
        self.report, self.kept_round = first.report, first.round
        self._versions.append(first)
        return True

    async def _review(self) -> CritiqueReport:
        blocks = [*self._drafter.blocks(), short_history(self._gathered, self._search.added)]
        found = self._checker.issues(self.report, self._evidence)
        return await review(self._run, blocks, self.report, found, self.iterations)

    async def _refine(self, iteration: Iteration, refused: str) -> str:
        """Have the report refined; return why the refinement was not taken, if it was not."""
        wanted = to_search(self._run.job.settings.review, iteration.critique.issues)
        # A second attempt on the same critique has what the first one's search brought.
        if wanted and not refused:
            self._evidence = await self._search.conduct(self.report, wanted)
            self._drafter = Drafter(self._run, self._evidence)
        iteration.searched = [issue.id for issue in wanted]
        history = whole_history(
            self._run, self._gathered, self._search.added, self._run.recorder.used
        )
        made = await refine(
            self._run, self._drafter, history, self.report, iteration.critique, refused
        )
        iteration.answers, iteration.repairs = made.answers, made.repairs
        problem = made.refusal or self._new_trouble(made, iteration.critique.issues)
        iteration.taken = made.report is not None and not problem
        if problem:
            iteration.note = f"the refined report was not taken: {problem}"
        if iteration.taken and made.report is not None:
            iteration.changes = changes(self.report, made.report)
            self.report = made.report
        return problem

    def _new_trouble(self, made: Refinement, known: Sequence[CritiqueIssue]) -> str:
        """Say which high issue a check finds in the refined report and not in the one before."""
        if made.report is None:
            return ""
        before = {issue.why for issue in known}
        for issue in self._checker.issues(made.report, self._evidence):
            if issue.severity is Severity.HIGH and issue.why not in before:
                return f"{issue.check}: {issue.why}"
        return ""
