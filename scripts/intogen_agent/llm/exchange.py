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


# A key of this length stands in no text by chance.
LONG_KEY = 16


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
        body = _blotted(_json(error.response.text), client.api_key, 1)
        failed = error_outcome(error.status_code, body)
        return Exchange(failed, body, _retry_after(error.response.headers))
    body = _blotted(_json(raw.text), client.api_key, LONG_KEY)
    if body is None:
        message = "the server answered with something that is not JSON"
        return Exchange(Failed(FailureKind.TRANSPORT, message))
    return Exchange(wire.read(body), body)


def _json(text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError:
        return None


def _blotted(value: Any, key: str, shortest: int) -> Any:
    """Return a body without a key that the server quotes (proxies do, in errors).

    Args:
        value: The body.
        key: The key.
        shortest: Keys of fewer characters are words (`EMPTY`, `ollama`) and stay.
    """
    if key == NO_KEY or len(key) < shortest:
        return value
    if isinstance(value, str):
        return value.replace(key, "[key]")
    if isinstance(value, list):
        return [_blotted(item, key, shortest) for item in value]
    if isinstance(value, dict):
        return {
            name.replace(key, "[key]"): _blotted(item, key, shortest)
            for name, item in value.items()
        }
    return value


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
    except (ValueError, OverflowError):
        return None
