"""The one interface through which agents speak: `chat` and `structured`, by role."""

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ValidationError

from intogen_agent.config.roles import Role
from intogen_agent.config.settings import LlmSettings, role_settings
from intogen_agent.files import writable
from intogen_agent.llm import chat_completions
from intogen_agent.llm.chat_completions import Outcome, Request
from intogen_agent.llm.endpoint import Endpoint, Sleep
from intogen_agent.llm.outcomes import Failed, FailureKind, Message, Structured, ToolCalls
from intogen_agent.provenance.recorder import Recorder

M = TypeVar("M", bound=BaseModel)
MAX_PROBLEMS = 8
REMINDER = "Your answer was empty. Answer, or call an offered tool."


class Models:
    """The language models of one job; every call goes through the recorder.

    Args:
        settings: Providers, roles and retries.
        recorder: The stage's recorder.
        logs: Folder for the output of launched servers.
        sleep: How to wait between attempts.
    """

    def __init__(
        self, settings: LlmSettings, recorder: Recorder, logs: Path, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._settings = settings
        self._recorder = recorder
        self._logs = logs
        self._sleep = sleep
        self._endpoints: dict[str, Endpoint] = {}

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

        An empty answer gets a reminder, as often as the settings allow nudges; the reminder does
        not stay in the conversation.
        """
        outcome = await self._ask(role, messages, tools or [], tool_choice, None)
        for _ in range(self._settings.nudges):
            if not (isinstance(outcome, Failed) and outcome.kind is FailureKind.EMPTY):
                break
            reminded = [*messages, {"role": "user", "content": REMINDER}]
            outcome = await self._ask(role, reminded, tools or [], tool_choice, None)
        return outcome

    async def structured(
        self, role: Role, messages: list[Message], shape: type[M]
    ) -> Structured[M] | Failed:
        """Ask for an answer of a given shape; an answer of another shape is asked for again."""
        schema = (shape.__name__, shape.model_json_schema())
        conversation = list(messages)
        failed = Failed(FailureKind.INVALID, "never asked")
        requests: list[str] = []
        for _ in range(self._settings.structured_attempts):
            outcome = await self._ask(role, conversation, [], None, schema)
            if isinstance(outcome, Failed):
                if outcome.kind not in (FailureKind.CUT_OFF, FailureKind.EMPTY):
                    return outcome
                failed = outcome
                continue
            if isinstance(outcome, ToolCalls):
                failed = Failed(FailureKind.INVALID, "it called a tool that was not offered")
                requests.append(outcome.request)
                continue
            requests.append(outcome.request)
            value = parse(outcome.text, shape)
            if not isinstance(value, Failed):
                return Structured(value, outcome.text, outcome.request)
            failed = value
            mend = "That answer does not fit the schema: " + "; ".join(value.problems)
            conversation = [
                *conversation,
                outcome.message,
                {"role": "user", "content": f"{mend}. Answer again with the JSON object alone."},
            ]
        return replace(failed, requests=requests)

    async def _ask(
        self,
        role: Role,
        messages: list[Message],
        tools: list[dict[str, Any]],
        tool_choice: str | None,
        schema: tuple[str, dict[str, Any]] | None,
    ) -> Outcome:
        chosen = role_settings(self._settings, role)
        provider, model = str(chosen.provider), str(chosen.model)
        request = Request(
            model,
            messages,
            tools,
            tool_choice,
            schema,
            chosen.temperature,
            chosen.max_output_tokens,
        )
        record = {
            "role": role.value,
            "provider": provider,
            "model": model,
            "temperature": chosen.temperature,
            "max_output_tokens": chosen.max_output_tokens,
            "messages": messages,
            "tools": tools,
            "tool_choice": tool_choice,
            "schema": list(schema) if schema else None,
            "structured": self._settings.providers[provider].structured,
        }
        recorded = await self._recorder.call(
            "llm", record, lambda key: self._endpoint(provider).send(request, key)
        )
        failure = recorded.meta.get("failure")
        if failure:
            return Failed(FailureKind(failure["kind"]), failure["message"])
        outcome = chat_completions.outcome(recorded.response)
        if isinstance(outcome, Failed):
            return outcome
        return replace(outcome, request=recorded.request)

    def _endpoint(self, name: str) -> Endpoint:
        if name not in self._endpoints:
            providers = self._settings.providers
            secrets = [p.api_key_env for p in providers.values() if p.api_key_env]
            self._endpoints[name] = Endpoint(
                name,
                providers[name],
                self._settings.retry,
                self._logs / f"llm-{name}.log",
                secrets,
                self._sleep,
            )
        return self._endpoints[name]


def parse(text: str, shape: type[M]) -> M | Failed:
    """Read a structured answer; prose and fences around the JSON object are ignored."""
    value = find_object(text)
    if value is None:
        return Failed(FailureKind.INVALID, "no JSON object in the answer", text, ["no JSON object"])
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        problems = [
            f"{'.'.join(str(part) for part in item['loc']) or 'answer'}: {item['msg']}"
            for item in error.errors()[:MAX_PROBLEMS]
        ]
        return Failed(FailureKind.INVALID, problems[0], text, problems)


def find_object(text: str) -> dict[str, Any] | None:
    """Return the first complete JSON object in a text, or None."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            value, _ = decoder.raw_decode(text, start)
        except RecursionError:
            return None
        except ValueError:
            start = text.find("{", start + 1)
            continue
        return writable(value) if isinstance(value, dict) else None
    return None
