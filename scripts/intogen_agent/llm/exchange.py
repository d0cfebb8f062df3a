"""One HTTP exchange; whatever the server or the network does becomes a reply or a failure."""

import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from intogen_agent.files import parse_json
from intogen_agent.llm.address import NO_KEY
from intogen_agent.llm.outcomes import Failed, FailureKind
from intogen_agent.llm.reply import Reply
from intogen_agent.llm.server_errors import error_outcome
from intogen_agent.llm.wires import Wire

if TYPE_CHECKING:
    from openai import AsyncOpenAI


@dataclass(frozen=True)
class Exchange:
    """What one HTTP exchange brought.

    Attributes:
        body: The body, if it is JSON.
        retry_after: Seconds that the server asks to wait.
    """

    reply: Reply | Failed
    body: Any = None
    retry_after: float | None = None


async def exchange(
    client: "AsyncOpenAI", wire: Wire, values: dict[str, Any], request_id: str
) -> Exchange:
    """Send a request once.

    Args:
        client: The connection.
        wire: The API.
        values: The parameters.
        request_id: The same for a request that is sent again after a kill.
    """
    import openai

    try:
        raw = await wire.create(client)(**values, extra_headers={"X-Client-Request-Id": request_id})
    except openai.APITimeoutError:
        return Exchange(Failed(FailureKind.TIMEOUT, "the server did not answer in time"))
    except openai.APIConnectionError as error:
        cause = type(error.__cause__ or error).__name__
        return Exchange(Failed(FailureKind.TRANSPORT, f"no connection ({cause})"))
    except openai.APIStatusError as error:
        body = _json(error.response.text, client.api_key)
        failed = error_outcome(error.status_code, body)
        return Exchange(failed, body, _retry_after(error.response.headers))
    body = _json(raw.text, client.api_key)
    if body is None:
        message = "the server answered with something that is not JSON"
        return Exchange(Failed(FailureKind.TRANSPORT, message))
    return Exchange(wire.read(body), body)


def _json(text: str, key: str) -> Any:
    """Read a body; a key that a server quotes (proxies do, in errors) goes no further."""
    if key != NO_KEY:
        text = text.replace(key, "[key]")
    try:
        return parse_json(text)
    except ValueError:
        return None


def _retry_after(headers: Any) -> float | None:
    """Return the seconds that a server asks to wait, from either form of the header."""
    value = headers.get("retry-after")
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None
