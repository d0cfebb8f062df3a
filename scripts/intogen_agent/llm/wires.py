"""The two wires behind one form: how a request goes out, how an answer is read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from intogen_agent.llm import chat_completions, responses
from intogen_agent.llm.outcomes import Failed
from intogen_agent.llm.profile import Profile
from intogen_agent.llm.reply import Reply
from intogen_agent.llm.request import Request
from intogen_agent.provenance.attributes import Usage

if TYPE_CHECKING:
    from openai import AsyncOpenAI


@dataclass(frozen=True)
class Wire:
    """An API.

    Attributes:
        parameters: The parameters of a request to a model of some profile.
        read: What a body says.
        usage: The tokens that a body reports.
        create: The client's function that sends the parameters.
    """

    name: str
    parameters: Callable[[Request, Profile], dict[str, Any]]
    read: Callable[[Any], Reply | Failed]
    usage: Callable[[Any], Usage]
    create: Callable[["AsyncOpenAI"], Any]


WIRES = {
    "chat": Wire(
        "chat",
        chat_completions.parameters,
        chat_completions.read,
        chat_completions.usage,
        lambda client: client.chat.completions.with_raw_response.create,
    ),
    "responses": Wire(
        "responses",
        responses.parameters,
        responses.read,
        responses.usage,
        lambda client: client.responses.with_raw_response.create,
    ),
}
