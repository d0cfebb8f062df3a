"""New evidence for a refinement: only where the configuration and the issues allow it.

Seed: "Optional new tool calls ... were permitted only when enabled in the configuration and only
for issues that could not be settled with already gathered data. Low-severity issues were never
allowed to trigger new evidence gathering."
"""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.config.settings import ReviewSettings
from intogen_agent.evidence.blocks import ledger_block, task_block
from intogen_agent.evidence.course import SearchLimits
from intogen_agent.evidence.investigation import LiteratureSearch
from intogen_agent.evidence.ledger import Ledger
from intogen_agent.evidence.models import AddedEvidence
from intogen_agent.evidence.phase2 import query_rules, task_scopes
from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.evidence.scopes import ScopeReview
from intogen_agent.evidence.summaries import Summarizer
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Message
from intogen_agent.mcp.logical import OPTIONAL, PHASE2
from intogen_agent.mcp.toolbox import Toolbox
from intogen_agent.models import Stage
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence
from intogen_agent.report.thresholds import Thresholds
from intogen_agent.review.models import CritiqueIssue, Severity
from intogen_agent.review.refinement import instruction_values
from intogen_agent.review.reviewer import report_block, told

LETTER = "R"


def to_search(settings: ReviewSettings, issues: Sequence[CritiqueIssue]) -> list[CritiqueIssue]:
    """Return the issues that new evidence may be gathered for."""
    if not settings.new_evidence:
        return []
    return [
        issue for issue in issues if issue.needs_new_evidence and issue.severity is not Severity.LOW
    ]


class Search:
    """Gathers evidence for the refinements of one pair; servers start with the first search.

    What the tools return goes through the same summaries, checks, ledger and reference manager as
    in phase 2.

    Args:
        run: The stage's run.
        evidence: The evidence of both phases.

    Attributes:
        added: What was gathered so far; None before the first search.
    """

    def __init__(self, run: Run, evidence: Evidence) -> None:
        self._run = run
        self._evidence = evidence
        self._manager = ReferenceManager(evidence.phase2.references)
        self._scopes = task_scopes(run.job)
        self._review = ScopeReview(self._scopes)
        self._ledger = Ledger(LETTER, self._review)
        self._stack = AsyncExitStack()
        self._toolbox: Toolbox | None = None
        self._summarizer: Summarizer | None = None
        self._literature: LiteratureSearch | None = None
        self.added: AddedEvidence | None = None

    async def __aenter__(self) -> Self:
        """Nothing is opened before the first search."""
        await self._stack.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the servers."""
        await self._stack.aclose()

    async def conduct(self, report: FinalReport, issues: Sequence[CritiqueIssue]) -> Evidence:
        """Search for what settles some issues.

        Args:
            report: The report as it is.
            issues: The issues (see `to_search`).

        Returns:
            The pair's evidence with everything that was gathered so far.

        Raises:
            StageFailure: A server or a model could not be used.
        """
        toolbox, summarizer, literature = await self._opened()
        await literature.converse(Role.REFINER, self._messages(report, issues), must_search=False)
        known = self._evidence.phase2.references
        self.added = AddedEvidence(
            ledger=self._ledger.items,
            references=[one for one in self._manager.tracked() if one not in known],
            queries=literature.queries,
            calls=sorted(toolbox.calls, key=lambda call: (len(call.id), call.id)),
            failures=[*literature.failures, *summarizer.failures],
            dropped=dict(self._ledger.dropped),
        )
        return replace(self._evidence, phase2=self.added.to(self._evidence.phase2))

    async def _opened(self) -> tuple[Toolbox, Summarizer, LiteratureSearch]:
        if self._toolbox is None or self._summarizer is None or self._literature is None:
            job = self._run.job
            mcp, review = job.settings.mcp, job.settings.review
            toolbox = Toolbox(
                mcp,
                mcp.phase2,
                PHASE2,
                self._run.recorder,
                job.server_values(),
                job.logs,
                optional=OPTIONAL,
                allow_hosts=job.settings.network.allow_hosts,
            )
            self._toolbox = await self._stack.enter_async_context(toolbox)
            task = task_block(job, self._evidence.phase2.gene)
            evidence = job.settings.evidence
            self._summarizer = Summarizer(
                self._run.models,
                self._manager,
                self._ledger,
                Stage.PHASE2.value,
                task,
                evidence.max_payload_chars,
                evidence.summary_retries,
                Stage.CRITIQUE.value,
            )
            limits = SearchLimits(
                review.max_turns, review.max_calls, evidence.phase2_retries, evidence.max_tokens
            )
            self._literature = LiteratureSearch(
                self._run,
                toolbox,
                self._summarizer,
                self._ledger,
                query_rules(job, self._evidence.phase2.gene, self._scopes),
                self._review.payloads,
                task,
                limits,
            )
        return self._toolbox, self._summarizer, self._literature

    def _messages(self, report: FinalReport, issues: Sequence[CritiqueIssue]) -> list[Message]:
        phase1, phase2 = self._evidence.phase1, self._evidence.phase2
        added = self.added.ledger if self.added else []
        thresholds = Thresholds.from_settings(self._run.job.settings.report)
        values = instruction_values(self._run, thresholds, searching=True)
        return [
            prompts.system(prompts.instruction(Role.REFINER, values)),
            prompts.user(
                "Search for what settles these issues.",
                prompts.block("ledger", ledger_block([*phase1.ledger, *phase2.ledger, *added])),
                prompts.block("task", task_block(self._run.job, phase2.gene)),
                report_block(report),
                prompts.block("critique", {"issues": [told(issue) for issue in issues]}),
            ),
        ]
