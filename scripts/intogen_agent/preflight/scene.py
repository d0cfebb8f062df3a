"""What the checks look at."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.provenance.attributes import Usage
from intogen_agent.workflow import Plan

SECONDS = 18.0
"""Default deadline: with the start, the look at the disk before and the end of servers after it,
all takes less than 30 s."""


@dataclass
class Asked:
    """What the checks have asked models so far."""

    questions: int = 0
    usage: Usage = field(default_factory=Usage)

    def add(self, usage: Usage) -> None:
        """Count a question."""
        self.questions += 1
        self.usage = self.usage.plus(usage)

    def text(self) -> str:
        """Return the sum for people."""
        count = f"{self.questions} question{'' if self.questions == 1 else 's'}"
        read, written = self.usage.input_tokens or 0, self.usage.output_tokens or 0
        return f"{count}, {read:,} tokens in, {written:,} out"


@dataclass
class Scene:
    """A planned run, as the checks see it.

    Attributes:
        seconds: The deadline of all checks together, which are made at the same time.
        run: The folder for what is found of models, and for logs: `_run` of the results, or a
            temporary one where the results cannot be written.
        executor: Snakemake's executor; None: jobs run on this machine.
        resources: The profile's default resources.
    """

    plan: Plan
    seconds: float
    run: Path
    executor: str | None = None
    resources: Mapping[str, str] = field(default_factory=dict)
    asked: Asked = field(default_factory=Asked)
    started: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self.started + self.seconds - time.monotonic())

    @property
    def settings(self) -> Settings:
        """The configuration."""
        return self.plan.settings

    @property
    def logs(self) -> Path:
        """The folder for logs of servers."""
        return self.run / "logs" / "check"


Models = Mapping[str, list[Role]]
"""The models of a provider, and the roles that each plays."""
