"""What a request asks for and what is written as its answer, whichever wire it came over."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from intogen_agent.offline import reasoning
from intogen_agent.offline.composer import MODEL, Reply

CHAT = "chat"
RESPONSES = "responses"
REASONING_MODEL = "offline-reasoning-1"
MODELS = (MODEL, REASONING_MODEL)
CHARACTERS_PER_TOKEN = 3.5
Ending = Literal["stop", "length", "filter"]


@dataclass(frozen=True)
class Asked:
    """A checked request.

    Attributes:
        wire: `chat` or `responses`.
        raw: The request as it came.
        chat: The request in the form of Chat Completions, which the composer reads.
    """

    wire: str
    raw: dict[str, Any]
    chat: dict[str, Any]

    @property
    def model(self) -> str:
        """The model that answers: the one asked for if it is one of these."""
        return answering(self.raw)

    @property
    def reasons(self) -> bool:
        """Whether the answer comes with reasoning."""
        if self.model != REASONING_MODEL:
            return False
        if self.wire == CHAT:
            return self.raw.get("reasoning_effort") != "none"
        return (self.raw.get("reasoning") or {}).get("effort") != "none"

    @cached_property
    def key(self) -> str:
        """A digest of the request."""
        text = json.dumps([self.wire, self.raw], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def prompt(self) -> str:
        """All that the request makes a model read, in the order in which providers lay it out."""
        parts = [self.chat.get(name) for name in ("tools", "response_format", "messages")]
        return "".join(json.dumps(part, ensure_ascii=False) for part in parts if part)


@dataclass(frozen=True)
class WrittenCall:
    """A tool call as it is written on the wire.

    Attributes:
        id: The id that its answer names; None leaves the field out.
        item: The id of its item on the Responses wire.
        thought: The id of the reasoning item before it.
        arguments: JSON text.
    """

    id: str | None
    item: str
    thought: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Written:
    """An answer as it is written on the wire.

    Attributes:
        text: None writes no message where the wire allows that.
        ending: Why it ends.
        refusal: What the model says instead of an answer.
        thinking: Text that stands in the field for reasoning only.
        reasoning_tokens: Tokens spent on reasoning.
        admitted: The share of the prompt that the usage admits to have been read.
    """

    text: str | None = None
    calls: tuple[WrittenCall, ...] = ()
    ending: Ending = "stop"
    refusal: str | None = None
    thinking: str | None = None
    reasoning_tokens: int = 0
    admitted: float = 1.0


def answering(request: Mapping[str, Any]) -> str:
    """Return the model that answers a request."""
    asked = request.get("model")
    return asked if isinstance(asked, str) and asked in MODELS else MODEL


def written(asked: Asked, reply: Reply) -> Written:
    """Return a composed reply as it is written; the same request gives the same ids."""
    calls = []
    for place, (name, arguments) in enumerate(reply.calls):
        item, thought = reasoning.call_item(asked.key, place, reasons=asked.reasons)
        identifier = f"call_{asked.key[:16]}{place:02d}"
        text = json.dumps(arguments, ensure_ascii=False)
        calls.append(WrittenCall(identifier, item, thought, name, text))
    thoughts = max(1, len(calls)) if asked.reasons else 0
    spent = thoughts * reasoning.TOKENS_PER_ITEM
    return Written(reply.text, tuple(calls), reasoning_tokens=spent)


def tokens(text: str) -> int:
    """Estimate the tokens of a text."""
    return math.ceil(len(text) / CHARACTERS_PER_TOKEN)


@dataclass(frozen=True)
class Usage:
    """Token counts of an answer."""

    prompt: int
    cached: int
    answer: int
    reasoning: int


def usage(asked: Asked, answer: Written, cached: int) -> Usage:
    """Count the tokens of a request and its answer.

    Args:
        asked: The request.
        answer: Its answer.
        cached: The tokens of the prompt that an earlier request began with too.
    """
    prompt = math.ceil(tokens(asked.prompt) * answer.admitted)
    said = tokens(written_text(answer)) + answer.reasoning_tokens
    return Usage(prompt, min(cached, prompt), said, answer.reasoning_tokens)


def written_text(answer: Written) -> str:
    """Return all that an answer makes a model write, but for its reasoning."""
    calls = "".join(f"{call.name}{call.arguments}" for call in answer.calls)
    return f"{answer.text or ''}{answer.refusal or ''}{calls}"


def models() -> dict[str, Any]:
    """Return the list of models."""
    entry = {"object": "model", "created": 0, "owned_by": "intogen-agent"}
    return {"object": "list", "data": [{"id": name, **entry} for name in MODELS]}
