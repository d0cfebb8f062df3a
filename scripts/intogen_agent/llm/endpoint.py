"""One provider and its models: what they can do, and calls within their deadline."""

import asyncio
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from intogen_agent.config.llm_settings import LlmSettings
from intogen_agent.llm import attributes, tokens
from intogen_agent.llm.call import Call, Learned, word
from intogen_agent.llm.connections import Connections
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind, ToolCalls
from intogen_agent.llm.probe import Asked, Probe, context_length
from intogen_agent.llm.profile import Profile, ProfileFile, ProfileStore, needs_probe, settled
from intogen_agent.llm.request import Request
from intogen_agent.llm.retrying import Sleep
from intogen_agent.provenance.recorder import Performed, utc_now


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
                found = await self._profile(request.model)
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
        await self._remember(request.model, call.learned)
        return self._performed(call)

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

    async def _profile(self, model: str) -> Profile | Failed:
        """Return what a model can do: as known in this job, in this run, or by asking it."""
        async with self._finding:
            if model not in self._profiles:
                kept = await self._kept(model)
                if isinstance(kept, Failed):
                    return kept
                self._profiles[model] = settled(kept.profile, self._provider.capabilities)
            return self._profiles[model]

    async def _kept(self, model: str) -> ProfileFile | Failed:
        path = self._path(model)
        kept = self._store.read(path)
        if kept is not None or not needs_probe(self._provider.capabilities):
            return kept or self._blank(model)
        async with self._store.lock(path):
            kept = self._store.read(path)
            if kept is not None:
                return kept
            found = await self._probed(model)
            if isinstance(found, ProfileFile):
                self._store.write(path, found)
            return found

    def _path(self, model: str) -> Path:
        return self._store.path(self.name, self._connections.place, model, self._provider.api)

    def _blank(self, model: str) -> ProfileFile:
        return ProfileFile(
            provider=self.name,
            endpoint=self._connections.place,
            model=model,
            api=self._provider.api,
            profile=Profile(),
        )

    async def _probed(self, model: str) -> ProfileFile | Failed:
        learned: list[Learned] = []

        async def ask(request: Request, profile: Profile) -> Asked:
            call = self._call(request, "probe", profile, raise_cap=False)
            await call.make(self._settings.retry.call_deadline)
            learned.extend(call.learned)
            return Asked(call.reply, call.profile)

        probe = Probe(model, ask)
        # What the configuration fixes is not asked for; the rest starts from the best.
        found = await probe.run(
            settled(Profile(), self._provider.capabilities), self._provider.capabilities
        )
        if isinstance(found, Failed):
            return found
        listed = await (await self._connections.get()).listed_models()
        found = found.model_copy(update={"context_length": context_length(listed, model)})
        file = self._blank(model)
        file.profile, file.probe = found, probe.transcript
        file.learned = [_note(item) for item in learned]
        return file

    async def _remember(self, model: str, learned: Sequence[Learned]) -> None:
        """Keep what a call has learned, for this job and for the others of the run."""
        if not learned:
            return
        path = self._path(model)
        async with self._store.lock(path):
            kept = self._store.read(path) or self._blank(model)
            for item in learned:
                kept.profile = kept.profile.with_changes(item.before, item.after)
                kept.learned.append(_note(item))
            self._store.write(path, kept)
        self._profiles[model] = settled(kept.profile, self._provider.capabilities)

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
        if connection is not None:
            api = connection.wire.name
            meta |= attributes.of_request(call.request, call.sent, connection.url, api)
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


def _note(item: Learned) -> dict[str, str]:
    time = utc_now().isoformat(timespec="seconds")
    return {"time": time, "change": item.change, "words": item.words}
