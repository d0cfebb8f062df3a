"""What every server may demand of a conversation, whatever its agent wrote."""

from collections.abc import Iterable, Sequence
from typing import Any

from intogen_agent.llm import wording
from intogen_agent.llm.outcomes import Message


def answers(messages: Sequence[Message]) -> dict[str, str]:
    """Return the answers to tool calls by the calls' ids."""
    return {m["tool_call_id"]: m["content"] for m in messages if m["role"] == "tool"}


def complete(messages: Sequence[Message]) -> list[Message]:
    """Return a conversation in which every tool call is answered, right after its turn."""
    given = answers(messages)
    whole: list[Message] = []
    for message in messages:
        if message["role"] == "tool":
            continue
        whole.append(message)
        for call in message.get("tool_calls") or ():
            content = given.get(call["id"], wording.NOT_ANSWERED)
            whole.append({"role": "tool", "tool_call_id": call["id"], "content": content})
    return whole


def merged(messages: Iterable[Message]) -> list[Message]:
    """Return a conversation with one leading system message and no two user turns in a row.

    Templates of open models refuse both.
    """
    system: list[str] = []
    turns: list[Message] = []
    for message in messages:
        if message["role"] == "system":
            system.append(message["content"])
        elif turns and message["role"] == turns[-1]["role"] == "user":
            turns[-1] = {
                **turns[-1],
                "content": f"{turns[-1]['content']}\n\n{message['content']}",
            }
        else:
            turns.append(message)
    leading: list[Message] = [{"role": "system", "content": "\n\n".join(system)}] if system else []
    return [*leading, *turns]


def without_system_role(messages: Sequence[Message]) -> list[Message]:
    """Return a conversation whose system message is the beginning of its first user turn."""
    if not messages or messages[0]["role"] != "system":
        return list(messages)
    return merged([{"role": "user", "content": messages[0]["content"]}, *messages[1:]])


def asking_in_words(messages: Sequence[Message], schema: dict[str, Any]) -> list[Message]:
    """Return a conversation whose last message asks for an object of a schema."""
    last = messages[-1]
    return [*messages[:-1], {**last, "content": wording.with_schema(last["content"], schema)}]
