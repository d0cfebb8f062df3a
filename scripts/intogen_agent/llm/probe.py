"""Finding out once what a model at an endpoint can do, by asking it three small things.

Whether the server keeps to a JSON Schema, whether the model calls tools natively, and how long a
context the server offers. What a server refuses on the way is learned as in every other call.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from intogen_agent.llm import json_text
from intogen_agent.llm.outcomes import Failed, FailureKind
from intogen_agent.llm.profile import Profile
from intogen_agent.llm.reply import Reply
from intogen_agent.llm.request import Request

# Enough for some reasoning before the answer, and not too long for a model that rambles.
PROBE_TOKENS = 512
LONG_PROBE_TOKENS = 4096
TRIES = 2
NO_SUCH_MODEL = 404
# What the questions are called in the transcript.
STRUCTURED = "structured answer"
TOOLS = "native tool call"
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
    _answered: bool = False
    _failure: Failed | None = None

    async def run(self, profile: Profile, questions: Sequence[str]) -> Profile | Failed:
        """Return what the model can do, or why it could not be asked.

        Args:
            profile: Where to start from.
            questions: `structured`, `tools` or both.
        """
        found: Profile | Failed = profile
        if "structured" in questions:
            found = await self._structured(profile)
        if "tools" in questions and isinstance(found, Profile):
            found = await self._tools(found)
        # Who has answered nothing is not one who can do nothing.
        return self._failure if self._failure is not None and not self._answered else found

    async def _structured(self, profile: Profile) -> Profile | Failed:
        """Go down from json_schema until the answer is an object of the schema."""
        request = structured_question(self.model)
        tries = TRIES
        while profile.structured != "prompt":
            asked = await self._ask(STRUCTURED, request, profile)
            outside = _outside(asked.reply)
            if outside is not None:
                return outside
            # A refusal may have led further down before there was an answer.
            tries = TRIES if profile.structured != asked.profile.structured else tries
            profile, tries = asked.profile, tries - 1
            if _fits(asked.reply) or reasoned_too_long(asked.reply):
                break
            if tries == 0 or isinstance(asked.reply, Failed):
                profile, tries = profile.asking_lower(1), TRIES
        return profile

    async def _tools(self, profile: Profile) -> Profile | Failed:
        request = tool_question(self.model)
        for _ in range(TRIES):
            asked = await self._ask(TOOLS, request, profile)
            outside = _outside(asked.reply)
            if outside is not None:
                return outside
            profile = asked.profile
            if profile.tools == "json_action":
                return profile
            if _called(asked.reply) or reasoned_too_long(asked.reply):
                return profile
        return profile.model_copy(update={"tools": "json_action"})

    async def _ask(self, what: str, request: Request, profile: Profile) -> Asked:
        asked = await self.ask(request, profile)
        if reasoned_too_long(asked.reply):
            longer = replace(request, max_output_tokens=LONG_PROBE_TOKENS)
            asked = await self.ask(longer, asked.profile)
        reply = asked.reply
        refused = _refusal(reply)
        self._answered |= refused is None
        self._failure = refused or self._failure
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


def structured_question(model: str) -> Request:
    """Return the question whose answer has a shape."""
    request = _question(model, "What is the colour of a clear sky at noon?")
    return replace(request, schema=("Probe", _SHAPE))


def tool_question(model: str) -> Request:
    """Return the question that a call of the offered tool answers."""
    request = _question(model, "Call the tool note_number with the number 7.")
    return replace(request, tools=(_TOOL,))


def _question(model: str, text: str) -> Request:
    messages = [_SYSTEM, {"role": "user", "content": text}]
    return Request(model, messages, max_output_tokens=PROBE_TOKENS)


def has_shape(text: str) -> bool:
    """Tell whether a text answers the structured question."""
    values = json_text.objects(json_text.without_thoughts(text))
    return any(set(v) == {"colour", "sure"} and v["colour"] in ("blue", "green") for v in values)


def _refusal(reply: Reply | Failed) -> Failed | None:
    if isinstance(reply, Failed):
        return reply
    if reply.refusal or reply.finish == "filter":
        return Failed(FailureKind.REFUSAL, reply.refusal[:300] or "a content filter stopped it")
    return None


def _outside(reply: Reply | Failed) -> Failed | None:
    if not isinstance(reply, Failed):
        return None
    return reply if reply.kind in _OUTSIDE or reply.status == NO_SUCH_MODEL else None


def _fits(reply: Reply | Failed) -> bool:
    if isinstance(reply, Failed):
        return False
    return has_shape(reply.text)


def _called(reply: Reply | Failed) -> bool:
    if isinstance(reply, Failed) or not reply.calls:
        return False
    call = reply.calls[0]
    arguments = call.arguments if isinstance(call.arguments, str) else ""
    return call.name == "note_number" and "number" in (json_text.first_object(arguments) or {})


def reasoned_too_long(reply: Reply | Failed) -> bool:
    """Tell a model that spent the whole answer on reasoning from those that cannot."""
    if isinstance(reply, Failed) or reply.finish != "length":
        return False
    return bool(reply.usage.reasoning_tokens) or reply.reasoned or "<think" in reply.text


def context_length(listed: Any, model: str) -> int | None:
    """Return a model's context length from a server's list of models, if it stands there.

    vLLM and SGLang call it `max_model_len`, llama.cpp `meta.n_ctx`, others `context_length`.
    """
    data = listed.get("data") if isinstance(listed, Mapping) else None
    items = data if isinstance(data, list) else []
    entries = [entry for entry in items if isinstance(entry, Mapping)]
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
