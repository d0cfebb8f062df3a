"""Estimates of tokens: what a request takes, before and after it is sent."""

from collections.abc import Sequence

from intogen_agent.llm.outcomes import Message

# Tokenizers differ: models need 3.5 to 5 characters of scientific English for a token.
CHARACTERS_PER_TOKEN = 3.5
MOST_CHARACTERS_PER_TOKEN = 6.0
# Short prompts are not worth a guess: templates and cached parts weigh too much in them.
SHORT_PROMPT = 1000


def characters(messages: Sequence[Message]) -> int:
    """Return the characters of a conversation's texts and calls."""
    texts = sum(len(message["content"] or "") for message in messages)
    calls = [call["function"] for m in messages for call in m.get("tool_calls") or ()]
    return texts + sum(len(call["name"]) + len(call["arguments"]) for call in calls)


def estimate(messages: Sequence[Message]) -> int:
    """Return the estimated tokens of a conversation, without the offers of tools."""
    return round(characters(messages) / CHARACTERS_PER_TOKEN)


def surely_too_long(messages: Sequence[Message], context_length: int | None) -> bool:
    """Tell whether no tokenizer could fit a conversation into a context."""
    if context_length is None:
        return False
    return characters(messages) / MOST_CHARACTERS_PER_TOKEN > context_length


def dropped(estimated: int, reported: int | None, share: float) -> bool:
    """Tell whether a server has read so little of a long prompt that it dropped a part of it.

    Args:
        estimated: The estimated tokens of the conversation.
        reported: The prompt tokens that the server reports; None or 0 if it does not say.
        share: The share of the estimate below which a part must be missing.
    """
    return bool(reported) and estimated >= SHORT_PROMPT and (reported or 0) < share * estimated
