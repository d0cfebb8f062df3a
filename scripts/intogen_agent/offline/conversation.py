"""A request's messages as the composer reads them: blocks, and the calls made so far."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.offline import shape, values
from intogen_agent.offline.cancers import CancerType, name_in_sentence
from intogen_agent.offline.genes import Gene

_BLOCK = re.compile(
    r"^<(?P<tag>[a-z_]+)(?P<attributes>(?: [a-z_]+=\"[^\"]*\")*)>[ \t]*\n"
    r"(?P<body>.*?)\n?^</(?P=tag)>[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_SCHEMA_FOLLOWS = "Answer with one JSON object of this JSON Schema and nothing else:\n"
_ATTRIBUTE = re.compile(r"([a-z_]+)=\"([^\"]*)\"")


@dataclass(frozen=True)
class Block:
    """A tagged block of a user message."""

    tag: str
    body: str
    attributes: Mapping[str, str]


@dataclass(frozen=True)
class Task:
    """What the conversation is about.

    Attributes:
        cancer: None in phase 1.
        cancer_name: The cancer's name as it reads inside a sentence.
    """

    gene: Gene
    cancer: CancerType | None
    cancer_name: str
    terms: tuple[str, ...]


@dataclass(frozen=True)
class Call:
    """A tool call of the conversation and its answer."""

    tool: str
    arguments: dict[str, Any]
    answer: dict[str, Any]


@dataclass
class Conversation:
    """The messages of one request.

    Attributes:
        blocks: All blocks of the user messages, in order.
        calls: The tool calls so far, each with its answer.
        drafts: The assistant's earlier structured answers, each with the violations that a later
            user message holds against it.
        instruction: The system message.
        said: The last user message.
    """

    blocks: list[Block] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    drafts: list[tuple[dict[str, Any], list[dict[str, Any]]]] = field(default_factory=list)
    instruction: str = ""
    said: str = ""

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON Schema that the last user message ends with, if it asks for an answer so."""
        _, asked, text = self.said.rpartition(_SCHEMA_FOLLOWS)
        value = _loads(text) if asked else None
        return value if isinstance(value, dict) and shape.problem(value) is None else None

    def text(self, tag: str) -> str:
        """Return the body of the last block with a tag; an empty text if there is none."""
        bodies = [block.body for block in self.blocks if block.tag == tag]
        return bodies[-1] if bodies else ""

    def value(self, tag: str) -> Any:
        """Return the JSON of the last block with a tag; None if absent or not JSON."""
        return _loads(self.text(tag))

    def items(self, tag: str) -> list[dict[str, Any]]:
        """Return the objects of a block that holds a JSON array."""
        return values.objects(self.value(tag))

    def record(self, tag: str) -> dict[str, Any]:
        """Return the object of a block that holds a JSON object."""
        value = self.value(tag)
        return value if isinstance(value, dict) else {}

    def attribute(self, tag: str, name: str) -> str:
        """Return an attribute of the last block with a tag."""
        found = [block.attributes.get(name, "") for block in self.blocks if block.tag == tag]
        return found[-1] if found else ""

    @property
    def task(self) -> Task:
        """The task block."""
        raw = self.record("task")
        gene = Gene(
            values.text(raw.get("gene")),
            tuple(values.texts(raw.get("aliases"))),
            values.text(raw.get("name")),
        )
        cancer = raw.get("cancer")
        if not isinstance(cancer, dict):
            return Task(gene, None, "", ())
        name = values.text(cancer.get("name")) or values.text(cancer.get("code"))
        terms = tuple(values.texts(cancer.get("terms")))
        pan = bool(cancer.get("pan_cancer"))
        kind = CancerType((name, *terms), pan)
        return Task(gene, kind, "cancer" if pan else name_in_sentence(name), terms)


def read(messages: Iterable[Mapping[str, Any]]) -> Conversation:
    """Read the messages of a chat completion request."""
    conversation = Conversation()
    asked: dict[str, tuple[str, dict[str, Any]]] = {}
    draft: dict[str, Any] | None = None
    for message in messages:
        role, content = message.get("role"), _content(message.get("content"))
        if role in ("system", "developer"):
            conversation.instruction += content
        elif role == "user":
            conversation.said = content
            found = list(_blocks(content))
            conversation.blocks += found
            violations = [b for b in found if b.tag == "violations"]
            if draft is not None and violations:
                wrong = _loads(violations[-1].body)
                conversation.drafts.append((draft, wrong if isinstance(wrong, list) else []))
            draft = None
        elif role == "assistant":
            value = _loads(content)
            draft = value if isinstance(value, dict) else None
            for call in message.get("tool_calls") or ():
                function = call["function"]
                arguments = _loads(function.get("arguments") or "{}")
                asked[call["id"]] = (
                    function["name"],
                    arguments if isinstance(arguments, dict) else {},
                )
        elif role == "tool":
            name, arguments = asked.get(str(message.get("tool_call_id")), ("", {}))
            answer = _loads(content)
            conversation.calls.append(
                Call(name, arguments, answer if isinstance(answer, dict) else {"note": content})
            )
    return conversation


def _blocks(text: str) -> Iterator[Block]:
    for match in _BLOCK.finditer(text):
        attributes = dict(_ATTRIBUTE.findall(match["attributes"]))
        yield Block(match["tag"], match["body"], attributes)


def _content(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return ""


def _loads(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
