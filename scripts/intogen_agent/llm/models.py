"""The one interface through which agents speak: `chat` and `structured`, by role."""

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ValidationError

from intogen_agent.config.llm_settings import RoleSettings, role_settings
from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.llm import json_text, wording
from intogen_agent.llm.connections import SDK_VARIABLES
from intogen_agent.llm.endpoint import Endpoint
from intogen_agent.llm.outcomes import (
    Answer,
    Failed,
    FailureKind,
    Message,
    Outcome,
    Structured,
    ToolCalls,
)
from intogen_agent.llm.profile import ProfileStore
from intogen_agent.llm.reply import outcome
from intogen_agent.llm.request import Request
from intogen_agent.llm.retrying import Sleep
from intogen_agent.llm.wires import WIRES
from intogen_agent.provenance.recorder import Performed, Recorded, Recorder

M = TypeVar("M", bound=BaseModel)
MAX_PROBLEMS = 8
NO_OBJECT = "no JSON object"


class Models:
    """The language models of one job; every call goes through the recorder.

    Args:
        settings: The configuration: providers, roles, retries, allowed hosts.
        recorder: The stage's recorder.
        logs: Folder for the output of launched servers.
        sleep: How to wait between attempts.
    """

    def __init__(
        self, settings: Settings, recorder: Recorder, logs: Path, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._settings = settings.llm
        self._allowed = settings.network.allow_hosts
        self._profiles = ProfileStore(settings.results / "_run" / "models")
        self._recorder = recorder
        self._logs = logs
        self._sleep = sleep
        self._endpoints: dict[str, Endpoint] = {}
        self._open = asyncio.Semaphore(self._settings.concurrency)
        self._end = time.monotonic() + self._settings.retry.stage_deadline

    async def __aenter__(self) -> Self:
        """Nothing is opened before the first call that no journal answers."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the endpoints, last opened first; one that fails does not keep the others open."""
        async with AsyncExitStack() as stack:
            for endpoint in self._endpoints.values():
                stack.push_async_callback(endpoint.close)

    async def chat(
        self,
        role: Role,
        messages: list[Message],
        tools: list[dict[str, Any]] | None = None,
        tool_choice: str | None = None,
    ) -> Outcome:
        """Ask for the next turn of a conversation, with or without tools.

        An empty answer gets a reminder, and so does a text where a call is required, as often as
        the settings allow nudges; the reminder does not stay in the conversation.

        Args:
            role: Who speaks.
            messages: The conversation; one system message first.
            tools: Offers of tools.
            tool_choice: `auto`, `none` or `required`; None leaves it to the server.
        """
        offered = tools or []
        answer = await self._ask(role, messages, offered, tool_choice, None)
        for _ in range(self._settings.nudges):
            reminder = _reminder(answer, tool_choice)
            if reminder is None:
                break
            reminded = [*messages, {"role": "user", "content": reminder}]
            answer = await self._ask(role, reminded, offered, tool_choice, None)
        return answer

    async def structured(
        self, role: Role, messages: list[Message], shape: type[M]
    ) -> Structured[M] | Failed:
        """Ask for an answer of a given shape; an answer of another shape is asked for again.

        Args:
            role: Who speaks.
            messages: The conversation; one system message first, no tools.
            shape: The Pydantic model; its JSON Schema keeps to the rules of strict mode.
        """
        schema = (shape.__name__, shape.model_json_schema())
        steps_down = 0
        conversation = list(messages)
        failed = Failed(FailureKind.INVALID, "never asked")
        requests: list[str] = []
        for _ in range(self._settings.structured_attempts):
            answer = await self._ask(role, conversation, [], None, schema, steps_down)
            if isinstance(answer, Failed):
                if answer.kind is not FailureKind.EMPTY:
                    return answer
                failed = answer
                continue
            requests.append(answer.request)
            if isinstance(answer, ToolCalls):
                failed = Failed(FailureKind.INVALID, "it called a tool that was not offered")
                continue
            value = parse(answer.text, shape)
            if not isinstance(value, Failed):
                return Structured(value, answer.text, answer.request)
            failed = value
            # A server may ignore how it was asked for a schema: the next request asks otherwise.
            steps_down += value.problems == [NO_OBJECT]
            mend = {"role": "user", "content": wording.mend(value.problems)}
            conversation = [*conversation, answer.message, mend]
        return replace(failed, requests=requests)

    async def _ask(
        self,
        role: Role,
        messages: list[Message],
        tools: list[dict[str, Any]],
        tool_choice: str | None,
        schema: tuple[str, dict[str, Any]] | None,
        steps_down: int = 0,
    ) -> Outcome:
        chosen = role_settings(self._settings, role)
        request = Request(
            model=str(chosen.model),
            messages=messages,
            tools=tools,
            tool_choice=tool_choice,
            schema=schema,
            steps_down=steps_down,
            temperature=chosen.temperature,
            seed=chosen.seed,
            reasoning_effort=chosen.reasoning_effort,
            max_output_tokens=chosen.max_output_tokens,
            service_tier=chosen.service_tier,
        )
        provider = str(chosen.provider)

        async def send(key: str) -> Performed:
            async with self._open:
                return await self._endpoint(provider).send(request, key, self._deadline(chosen))

        recorded = await self._recorder.call("llm", _record(role, provider, request), send)
        return _recorded_outcome(recorded, request)

    def _deadline(self, chosen: RoleSettings) -> float:
        own = chosen.call_deadline or self._settings.retry.call_deadline
        return min(own, self._end - time.monotonic())

    def _endpoint(self, name: str) -> Endpoint:
        if name not in self._endpoints:
            providers = self._settings.providers
            keys = [p.api_key_env for p in providers.values() if p.api_key_env]
            secrets = [*keys, *SDK_VARIABLES, "OPENAI_API_KEY"]
            self._endpoints[name] = Endpoint(
                name,
                self._settings,
                self._allowed,
                self._profiles,
                self._logs / f"llm-{name}.log",
                secrets,
                self._sleep,
            )
        return self._endpoints[name]


def _record(role: Role, provider: str, request: Request) -> dict[str, Any]:
    """Return everything that decides the answer; how the wire puts it is not part of it."""
    return {
        "role": role.value,
        "provider": provider,
        "model": request.model,
        "temperature": request.temperature,
        "seed": request.seed,
        "reasoning_effort": request.reasoning_effort,
        "max_output_tokens": request.max_output_tokens,
        "messages": list(request.messages),
        "tools": list(request.tools),
        "tool_choice": request.tool_choice,
        "schema": list(request.schema) if request.schema else None,
    }


def _recorded_outcome(recorded: Recorded, request: Request) -> Outcome:
    """Read a recorded answer as it was asked for, whatever is known of the model today."""
    failure = recorded.meta.get("failure")
    if failure:
        return Failed(FailureKind(failure["kind"]), failure["message"])
    reply = WIRES[recorded.meta["api"]].read(recorded.response)
    found = outcome(reply, request, as_actions=recorded.meta["tools"] == "json_action")
    return found if isinstance(found, Failed) else replace(found, request=recorded.request)


def _reminder(answer: Outcome, tool_choice: str | None) -> str | None:
    if isinstance(answer, Failed) and answer.kind is FailureKind.EMPTY:
        return wording.REMINDER
    if isinstance(answer, Answer) and tool_choice == "required":
        return wording.CALL_NOW
    return None


def parse(text: str, shape: type[M]) -> M | Failed:
    """Read a structured answer; prose, drafts and fences around the JSON object are ignored.

    Of several objects the last one of the shape is the answer.
    """
    failed = Failed(FailureKind.INVALID, "no JSON object in the answer", text, [NO_OBJECT])
    found: M | None = None
    for value in json_text.objects(json_text.without_thoughts(text)):
        try:
            found = shape.model_validate(value)
        except ValidationError as error:
            problems = [
                f"{'.'.join(str(part) for part in item['loc']) or 'answer'}: {item['msg']}"
                for item in error.errors()[:MAX_PROBLEMS]
            ]
            failed = Failed(FailureKind.INVALID, problems[0], text, problems)
    return failed if found is None else found
