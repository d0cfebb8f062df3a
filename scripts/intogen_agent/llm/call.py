"""One call to one model: its attempts, what is changed after a refusal, and what it took."""

import asyncio
import logging
from dataclasses import dataclass, replace
from typing import Any

from intogen_agent.config.llm_settings import LlmSettings
from intogen_agent.llm import actions, tokens
from intogen_agent.llm.adaptation import adapted
from intogen_agent.llm.address import NoAddress
from intogen_agent.llm.connections import Connection, Connections
from intogen_agent.llm.exchange import Exchange, exchange
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind, Outcome
from intogen_agent.llm.profile import Profile
from intogen_agent.llm.reply import Reply, outcome
from intogen_agent.llm.request import Request
from intogen_agent.llm.retrying import Sleep, retried
from intogen_agent.provenance.attributes import Usage

MAX_TOOLS = 128
CAP_RAISE = 2
ADDRESS_POLL_SECONDS = 1.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Learned:
    """What a refusal has taught about a model."""

    before: Profile
    after: Profile
    change: str
    words: str


class Call:
    """A request on its way to a model.

    Args:
        request: What is asked.
        request_id: The client's id of the request, the same after a kill.
        profile: What the model can do.
        connections: The provider's connections.
        settings: Retries and limits.
        sleep: How to wait between attempts.
        raise_cap: Whether an answer that was cut off is asked for again with a higher limit.

    Attributes:
        attempts: How each HTTP exchange ended.
        usage: The tokens of all of them.
        sent: The last parameters.
        body: The last body.
        outcome: What the call has come to so far.
    """

    def __init__(
        self,
        request: Request,
        request_id: str,
        profile: Profile,
        connections: Connections,
        settings: LlmSettings,
        sleep: Sleep = asyncio.sleep,
        *,
        raise_cap: bool = True,
    ) -> None:
        self.request = request
        self.profile = profile
        self.attempts: list[str] = []
        self.usage = Usage()
        self.learned: list[Learned] = []
        self.sent: dict[str, Any] = {}
        self.body: Any = None
        self.reply: Reply | Failed = Failed(FailureKind.TRANSPORT, "nothing was sent")
        self.outcome: Outcome = self.reply
        self.connection: Connection | None = None
        self._asked = request
        self._request_id = request_id
        self._connections = connections
        self._settings = settings
        self._sleep = sleep
        self._may_raise = raise_cap and request.max_output_tokens is not None

    async def make(self, deadline: float) -> None:
        """Make the call; `outcome` says how it ended.

        Args:
            deadline: Seconds for all attempts together; the caller enforces it.
        """
        problem = self._problem()
        if problem is not None:
            self._take(Exchange(problem))
            return
        await retried(self._attempt, self._settings.retry, deadline, self._sleep)

    def _problem(self) -> Failed | None:
        """Say why a request is not even sent."""
        if len(self.request.tools) > MAX_TOOLS:
            message = f"{len(self.request.tools)} tools offered; servers take {MAX_TOOLS}"
            return Failed(FailureKind.REJECTED, message)
        if tokens.surely_too_long(self.request.messages, self.profile.context_length):
            message = (
                f"about {tokens.estimate(self.request.messages)} tokens do not fit the model's "
                f"context of {self.profile.context_length}; it was not sent"
            )
            return Failed(FailureKind.CONTEXT_OVERFLOW, message)
        return None

    async def _attempt(self) -> Exchange:
        self.connection = connection = await self._connected()
        seen = {self.profile}
        while True:
            asked = self._shaped()
            sent_as = self.profile.asking_lower(asked.steps_down)
            self.sent = connection.wire.parameters(asked, sent_as)
            result = await exchange(connection.client, connection.wire, self.sent, self._request_id)
            self.usage = self.usage.plus(connection.wire.usage(result.body))
            result = replace(result, reply=self._read_whole(result.reply))
            if self._took_worse(result):
                return Exchange(self.reply, self.body)
            self._take(result)
            if not (self._raised() or self._adapted(result, sent_as, seen)):
                return result

    async def _connected(self) -> Connection:
        while True:
            try:
                return await self._connections.get()
            except NoAddress:
                # The job that serves the model writes its address when it is ready.
                await self._sleep(ADDRESS_POLL_SECONDS)

    def _shaped(self) -> Request:
        as_actions = self.profile.tools == "json_action"
        return actions.translate(self._asked) if as_actions else self._asked

    def _read_whole(self, reply: Reply | Failed) -> Reply | Failed:
        """Turn an answer to a prompt that the server has cut into the failure that it is."""
        if isinstance(reply, Failed):
            return reply
        estimated = tokens.estimate(self.request.messages)
        reported = reply.usage.input_tokens
        if not tokens.dropped(estimated, reported, self._settings.min_prompt_share):
            return reply
        message = (
            f"the server read {reported} of about {estimated} tokens and dropped the rest without "
            "saying so; give it a longer context (Ollama: num_ctx), or lower llm.min_prompt_share "
            "if its count is wrong"
        )
        logger.warning("%s: %s", self.request.model, message)
        return Failed(FailureKind.CONTEXT_OVERFLOW, message)

    def _take(self, result: Exchange) -> None:
        self.body, self.reply = result.body, result.reply
        as_actions = self.profile.tools == "json_action"
        self.outcome = outcome(result.reply, self.request, as_actions=as_actions)
        self.attempts.append(word(self.outcome))

    def _took_worse(self, result: Exchange) -> bool:
        """Tell whether a server refuses the higher limit: the answer that was cut off stands."""
        raised = self._asked is not self.request
        refused = isinstance(result.reply, Failed) and result.reply.kind in (
            FailureKind.REJECTED,
            FailureKind.CONTEXT_OVERFLOW,
        )
        return raised and refused

    def _raised(self) -> bool:
        """Raise the limit on output tokens once after an answer was cut off."""
        cut_off = isinstance(self.outcome, Failed) and self.outcome.kind is FailureKind.CUT_OFF
        if not (cut_off and self._may_raise):
            return False
        self._may_raise = False
        cap = CAP_RAISE * (self.request.max_output_tokens or 0)
        self._asked = replace(self.request, max_output_tokens=cap)
        return True

    def _adapted(self, result: Exchange, sent_as: Profile, seen: set[Profile]) -> bool:
        """Change the form of the request if that is what the server refuses."""
        failed = result.reply
        if not isinstance(failed, Failed) or failed.kind is not FailureKind.REJECTED:
            return False
        found = adapted(sent_as, self.sent, result.body)
        if found is None or found[0] in seen:
            return False
        after, change = found
        seen.add(after)
        if sent_as != self.profile and after.structured != sent_as.structured:
            # This one request asked lower than the model needs; it says nothing about the model.
            self._asked = replace(self._asked, steps_down=self._asked.steps_down + 1)
            return True
        before, self.profile = self.profile, self.profile.with_changes(sent_as, after)
        self.learned.append(Learned(before, self.profile, change, failed.message))
        logger.warning("%s: from now on %s (%s)", self.request.model, change, failed.message)
        return True


def word(result: Outcome) -> str:
    """Return an outcome in a word or two."""
    if isinstance(result, Failed):
        return result.kind.value
    return "answer" if isinstance(result, Answer) else "tool calls"
