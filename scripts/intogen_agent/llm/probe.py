"""Finding out once what a model at an endpoint can do, by asking it three small things.

Whether the server keeps to a JSON Schema, whether the model calls tools natively, and how long a
context the server offers. What a server refuses on the way is learned as in every other call.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from intogen_agent.config.llm_settings import Capabilities
from intogen_agent.llm import json_text
from intogen_agent.llm.outcomes import Failed, FailureKind
from intogen_agent.llm.profile import Profile
from intogen_agent.llm.reply import Reply
from intogen_agent.llm.request import Request

# Enough for some reasoning before the answer, and not too long for a model that rambles.
PROBE_TOKENS = 512
NATIVE_TRIES = 2
# What says nothing about the model: the call that asked for the probe fails with it.
_OUTSIDE = {
    FailureKind.QUOTA,
    FailureKind.AUTHENTICATION,
    FailureKind.THROTTLED,
    FailureKind.TIMEOUT,
    FailureKind.TRANSPORT,
}
_SYSTEM = {"role": "system", "content": "You are a helpful assistant. You follow instructions."}
_SHAPE = {
    "type": "object",
    "title": "Probe",
    "properties": {
        "colour": {"type": "string", "enum": ["blue", "green"]},
        "sure": {"type": "boolean"},
    },
    "required": ["colour", "sure"],
    "additionalProperties": False,
}
_TOOL = {
    "type": "function",
    "function": {
        "name": "note_number",
        "description": "Notes a number.",
        "parameters": {
            "type": "object",
            "properties": {"number": {"type": "integer"}},
            "required": ["number"],
        },
    },
}
Level = Literal["json_schema", "json_object", "prompt"]


@dataclass(frozen=True)
class Asked:
    """How a question ended, and the profile after it: a refusal may have changed it."""

    reply: Reply | Failed
    profile: Profile


Ask = Callable[[Request, Profile], Awaitable[Asked]]


@dataclass
class Probe:
    """One probe of one model.

    Attributes:
        transcript: The questions and how they ended.
    """

    model: str
    ask: Ask
    transcript: list[dict[str, Any]] = field(default_factory=list)

    async def run(self, profile: Profile, given: Capabilities) -> Profile | Failed:
        """Return what the model can do, or why it could not be asked.

        Args:
            profile: Where to start from.
            given: What the configuration fixes; it is not asked for.
        """
        found: Profile | Failed = profile
        if given.structured == "auto":
            found = await self._structured(profile)
        if given.tools == "auto" and isinstance(found, Profile):
            found = await self._tools(found)
        return found

    async def _structured(self, profile: Profile) -> Profile | Failed:
        """Go down from json_schema until the answer is an object of the schema."""
        request = self._request("What is the colour of a clear sky at noon?")
        request = replace(request, schema=("Probe", _SHAPE))
        while profile.structured != "prompt":
            asked = await self._ask("structured answer", request, profile)
            outside = _outside(asked.reply)
            if outside is not None:
                return outside
            # A refusal may have led further down before there was an answer.
            profile = asked.profile
            if _fits(asked.reply) or _reasoned_too_long(asked.reply):
                break
            lower: Level = "json_object" if profile.structured == "json_schema" else "prompt"
            profile = profile.model_copy(update={"structured": lower})
        return profile

    async def _tools(self, profile: Profile) -> Profile | Failed:
        request = self._request("Call the tool note_number with the number 7.")
        request = replace(request, tools=(_TOOL,))
        for _ in range(NATIVE_TRIES):
            asked = await self._ask("native tool call", request, profile)
            outside = _outside(asked.reply)
            if outside is not None:
                return outside
            profile = asked.profile
            if profile.tools == "json_action":
                return profile
            if _called(asked.reply) or _reasoned_too_long(asked.reply):
                return profile
        return profile.model_copy(update={"tools": "json_action"})

    def _request(self, question: str) -> Request:
        messages = [_SYSTEM, {"role": "user", "content": question}]
        return Request(self.model, messages, max_output_tokens=PROBE_TOKENS)

    async def _ask(self, what: str, request: Request, profile: Profile) -> Asked:
        asked = await self.ask(request, profile)
        reply = asked.reply
        note: dict[str, Any] = {
            "asked": what,
            "structured": asked.profile.structured,
            "tools": asked.profile.tools,
        }
        if isinstance(reply, Failed):
            note["outcome"] = f"{reply.kind.value}: {reply.message}"
        else:
            note["outcome"] = "tool call" if reply.calls else f"text: {reply.text[:80]}"
            note["usage"] = asdict(reply.usage)
        self.transcript.append(note)
        return asked


def _outside(reply: Reply | Failed) -> Failed | None:
    return reply if isinstance(reply, Failed) and reply.kind in _OUTSIDE else None


def _fits(reply: Reply | Failed) -> bool:
    if isinstance(reply, Failed):
        return False
    value = json_text.first_object(reply.text) or {}
    return set(value) == {"colour", "sure"} and value["colour"] in ("blue", "green")


def _called(reply: Reply | Failed) -> bool:
    if isinstance(reply, Failed) or not reply.calls:
        return False
    call = reply.calls[0]
    arguments = call.arguments if isinstance(call.arguments, str) else ""
    return call.name == "note_number" and "number" in (json_text.first_object(arguments) or {})


def _reasoned_too_long(reply: Reply | Failed) -> bool:
    """A model that spends the whole answer on reasoning is not one of those that cannot."""
    if isinstance(reply, Failed) or reply.finish != "length":
        return False
    return bool(reply.usage.reasoning_tokens)


def context_length(listed: Any, model: str) -> int | None:
    """Return a model's context length from a server's list of models, if it stands there.

    vLLM and SGLang call it `max_model_len`, llama.cpp `meta.n_ctx`, others `context_length`.
    """
    data = listed.get("data") if isinstance(listed, Mapping) else None
    entries = [entry for entry in data if isinstance(entry, Mapping)] if data else []
    chosen = [e for e in entries if e.get("id") == model] or (entries if len(entries) == 1 else [])
    for entry in chosen:
        meta = entry.get("meta")
        for value in (
            entry.get("max_model_len"),
            meta.get("n_ctx") if isinstance(meta, Mapping) else None,
            entry.get("loaded_context_length"),
            entry.get("context_length"),
            entry.get("max_context_length"),
        ):
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
    return None
