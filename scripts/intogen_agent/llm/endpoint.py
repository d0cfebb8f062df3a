"""One provider and its models: what they can do, and calls within their deadline."""

import asyncio
import logging
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from intogen_agent.config.llm_settings import LlmSettings
from intogen_agent.llm import tokens
from intogen_agent.llm.call import Call, Learned, word
from intogen_agent.llm.connections import Connection, Connections
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind, ToolCalls
from intogen_agent.llm.probe import Asked, Probe, context_length
from intogen_agent.llm.profile import Profile, ProfileFile, ProfileStore, settled, to_ask
from intogen_agent.llm.request import Request
from intogen_agent.llm.retrying import Sleep
from intogen_agent.provenance import attributes
from intogen_agent.provenance.recorder import Performed, utc_now

LIST_SECONDS = 10.0
REMEMBER_SECONDS = 1.0

logger = logging.getLogger(__name__)


class Endpoint:
    """A provider that calls can be sent to; its own server, if any, starts with the first call.

    Args:
        name: The provider's name in the configuration.
        settings: All providers, retries and prices.
        allowed: `network.allow_hosts`.
        profiles: What is known of models.
        log: File for the output of a launched server.
        secrets: Environment variables that no launched server may see.
        sleep: How to wait between attempts.

    Attributes:
        transcript: The questions that were asked about models and that no call has on record yet.
    """

    def __init__(
        self,
        name: str,
        settings: LlmSettings,
        allowed: Sequence[str] | None,
        profiles: ProfileStore,
        log: Path,
        secrets: Collection[str] = (),
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.name = name
        self._settings = settings
        self._provider = settings.providers[name]
        self._store = profiles
        self._sleep = sleep
        timeout = settings.retry.request_timeout
        self._connections = Connections(name, self._provider, allowed, timeout, log, secrets)
        self._profiles: dict[str, Profile] = {}
        self._finding = asyncio.Lock()
        self.transcript: list[dict[str, Any]] = []

    async def send(self, request: Request, request_id: str, deadline: float) -> Performed:
        """Send a request until it is answered, fails for good, or the deadline is over.

        Args:
            request: What is asked.
            request_id: The client's id of the request, the same after a kill.
            deadline: Seconds for everything but the start of a launched server.
        """
        call = self._call(request, request_id, Profile())
        if deadline <= 0:
            stage = self._settings.retry.stage_deadline
            call.outcome = Failed(FailureKind.TIMEOUT, f"the stage's {stage:g} s are over")
            return self._performed(call)
        if self._provider.launch is not None:
            await self._connections.get()
        try:
            async with asyncio.timeout(deadline):
                found = await self.profile(request.model)
                if isinstance(found, Failed):
                    call.outcome = found
                else:
                    call.profile = found
                    await call.make(deadline)
        except TimeoutError:
            message = f"no answer within {deadline:g} s"
            if self._connections.missing:
                message += f"; {self._connections.missing}"
            elif call.attempts:
                message += f" (attempts before: {', '.join(call.attempts)})"
            call.outcome = Failed(FailureKind.TIMEOUT, message)
        if isinstance(call.outcome, Answer | ToolCalls):
            # What a server said on the way to no answer may not have been the reason.
            await self._remember(request.model, call.learned)
        return self._performed(call)

    async def connect(self) -> Connection:
        """Return a connection to the provider; its own server, if any, is started.

        Raises:
            NoAddress: The file of the address is not written yet.
            StageFailure: There is no key, the host is not allowed, or the server does not start.
        """
        return await self._connections.get()

    async def question(self, request: Request, profile: Profile) -> Call:
        """Ask a small question that is no part of a stage; an answer that is cut off stands."""
        call = self._call(request, "probe", profile, raise_cap=False)
        await call.make(self._settings.retry.call_deadline)
        return call

    def _call(
        self, request: Request, request_id: str, profile: Profile, *, raise_cap: bool = True
    ) -> Call:
        return Call(
            request,
            request_id,
            profile,
            self._connections,
            self._settings,
            self._sleep,
            raise_cap=raise_cap,
        )

    async def profile(self, model: str) -> Profile | Failed:
        """Return what a model can do: as known in this job, in this run, or by asking it."""
        async with self._finding:
            if model not in self._profiles:
                kept = await self._kept(model)
                if isinstance(kept, Failed):
                    return kept
                self._profiles[model] = settled(kept.profile, self._provider.capabilities)
            return self._profiles[model]

    async def _kept(self, model: str) -> ProfileFile | Failed:
        path, given = self.profile_path(model), self._provider.capabilities
        kept = self._store.read(path)
        if not to_ask(given, kept):
            return kept or self._blank(model)
        async with self._store.lock(path):
            kept = self._store.read(path)
            questions = to_ask(given, kept)
            if not questions and kept is not None:
                return kept
            found = await self._probed(kept or self._blank(model), questions)
            if isinstance(found, ProfileFile):
                self._store.write(path, found)
            return found

    def profile_path(self, model: str) -> Path:
        """Return the file of what a model can do."""
        return self._store.path(self.name, self._connections.place, model, self._provider.api)

    def _blank(self, model: str) -> ProfileFile:
        return ProfileFile(
            provider=self.name,
            endpoint=self._connections.place,
            model=model,
            api=self._provider.api,
            profile=Profile(),
        )

    async def _probed(self, file: ProfileFile, questions: list[str]) -> ProfileFile | Failed:
        learned: list[Learned] = []

        async def ask(request: Request, profile: Profile) -> Asked:
            call = await self.question(request, profile)
            learned.extend(call.learned)
            return Asked(call.reply, call.profile)

        probe = Probe(file.model, ask)
        # What the configuration fixes is not asked for, and not kept: it may change.
        start = settled(file.profile, self._provider.capabilities)
        found = await probe.run(start, questions)
        self.transcript += probe.transcript
        if isinstance(found, Failed):
            return found
        file.profile = file.profile.with_changes(start, found)
        length = context_length(await self._listed(), file.model)
        file.profile = file.profile.model_copy(update={"context_length": length})
        file.asked += questions
        file.probe += probe.transcript
        for item in learned:
            _note(file, item)
        return file

    async def _listed(self) -> Any:
        """Return the server's list of models; a server that does not give it soon has none."""
        try:
            async with asyncio.timeout(LIST_SECONDS):
                return await (await self._connections.get()).listed_models()
        except TimeoutError:
            logger.info("%s: its list of models did not come in %g s", self.name, LIST_SECONDS)
            return None

    async def _remember(self, model: str, learned: Sequence[Learned]) -> None:
        """Keep what a call has learned, for this job and, if it can be done now, for others."""
        if not learned:
            return
        for item in learned:
            known = self._profiles.get(model, item.before)
            self._profiles[model] = known.with_changes(item.before, item.after)
        path = self.profile_path(model)
        try:
            async with asyncio.timeout(REMEMBER_SECONDS), self._store.lock(path):
                kept = self._store.read(path) or self._blank(model)
                for item in learned:
                    kept.profile = kept.profile.with_changes(item.before, item.after)
                    _note(kept, item)
                self._store.write(path, kept)
        except (TimeoutError, OSError) as error:
            # The answer counts; other jobs learn it for themselves.
            logger.warning("%s was not written (%s)", path, type(error).__name__)

    def _performed(self, call: Call) -> Performed:
        sound = isinstance(call.outcome, Answer | ToolCalls)
        connection = call.connection
        meta: dict[str, Any] = {
            "gen_ai.provider.name": self.name,
            "outcome": word(call.outcome),
            "attempts": call.attempts,
            "tools": call.profile.tools,
            "intogen_agent.estimated_input_tokens": tokens.estimate(call.request.messages),
            **attributes.of_answer(call.body, call.usage),
        }
        if self.transcript:
            meta["probe"], self.transcript = self.transcript, []
        if connection is not None:
            api = connection.wire.name
            meta |= attributes.of_request(call.request.messages, call.sent, connection.url, api)
            meta["api"] = api
        price = attributes.price_of(call.usage, self._settings.prices.get(call.request.model))
        if price is not None:
            meta["intogen_agent.price"] = price
        if isinstance(call.outcome, Failed):
            meta["error.type"] = call.outcome.kind.value
            meta["failure"] = {"kind": call.outcome.kind.value, "message": call.outcome.message}
        return Performed(call.body, sound, meta)

    async def close(self) -> None:
        """Close the connections, then end the launched server."""
        await self._connections.close()


def _note(file: ProfileFile, item: Learned) -> None:
    """Note what a server refused, once for each change."""
    if item.change not in [note["change"] for note in file.learned]:
        time = utc_now().isoformat(timespec="seconds")
        file.learned.append({"time": time, "change": item.change, "words": item.words})
