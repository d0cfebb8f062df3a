"""A server at an address (streamable HTTP).

mcp's client ends a whole session over one refused connection and says of an error status only that
there was one. Here both become errors of the call that met them.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from intogen_agent.mcp.exchange import OVERSIZED, Exchange

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from mcp.client._transport import TransportStreams

# Codes of errors that are made here, beside those of `exchange`.
HTTP_STATUS = -32092
NOT_REACHED = -32093
MAX_TOLD = 300


@asynccontextmanager
async def http(
    url: str, headers: Mapping[str, str], limit: int, patience: float
) -> AsyncIterator["TransportStreams"]:
    """Yield the message streams of a server at an address.

    Args:
        url: Its address.
        headers: Headers of every request, keys included.
        limit: Bytes that an answer may have.
        patience: Seconds to connect and between parts of an answer.
    """
    import anyio
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.message import SessionMessage

    exchange = Exchange()
    into, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write_stream, outof = anyio.create_memory_object_stream[SessionMessage](0)
    async with (
        _client(headers, limit, patience) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=limit) as (above, below),
    ):

        async def read() -> None:
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                async with into:
                    async for message in above:
                        if isinstance(message, SessionMessage):
                            message = exchange.relayed(message)
                        await into.send(message)

        async def write() -> None:
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                async with outof:
                    async for message in outof:
                        exchange.sent(message)
                        await below.send(message)

        async with anyio.create_task_group() as group:
            group.start_soon(read)
            group.start_soon(write)
            try:
                yield read_stream, write_stream
            finally:
                for stream in (read_stream, write_stream, into, outof):
                    await stream.aclose()
                group.cancel_scope.cancel()


def _client(headers: Mapping[str, str], limit: int, patience: float) -> "AsyncClient":
    """Return a client that answers a failed request with an error of JSON-RPC."""
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        """A body that ends with an error where it is too long."""

        def __init__(self, response: httpx2.Response) -> None:
            self._response = response
            self._body = response.stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            assert isinstance(self._body, httpx2.AsyncByteStream)
            async for part in self._body:
                size += len(part)
                if size > limit and not _streams(self._response.headers):
                    raise httpx2.StreamError(_too_long(size))
                yield part

        async def aclose(self) -> None:
            assert isinstance(self._body, httpx2.AsyncByteStream)
            await self._body.aclose()

    class Client(httpx2.AsyncClient):
        async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
            asked = _request_id(request.content) if request.method == "POST" else None
            try:
                response = await super().send(request, **options)
            except httpx2.TransportError as error:
                if asked is None:
                    raise
                told = f"{type(error).__name__}: {error}"[:MAX_TOLD]
                return httpx2.Response(200, json=_error(asked, NOT_REACHED, told), request=request)
            response.stream = Bounded(response)
            if asked is None or response.status_code < 400:
                return response
            status = f"HTTP {response.status_code} {response.reason_phrase}"
            await response.aclose()
            return httpx2.Response(200, json=_error(asked, HTTP_STATUS, status), request=request)

    return Client(headers=dict(headers), timeout=patience)


def _streams(headers: Mapping[str, str]) -> bool:
    return headers.get("content-type", "").lower().startswith("text/event-stream")


def _too_long(size: int) -> str:
    return f"{OVERSIZED}: an answer of more than {size:,} bytes is over mcp.max_answer_bytes"


def _request_id(body: bytes) -> int | str | None:
    """Return the id of the request that a body holds; None for a notification."""
    try:
        name = json.loads(body).get("id")
    except (ValueError, AttributeError):
        return None
    return name if isinstance(name, int | str) else None


def _error(asked: int | str, code: int, told: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": asked, "error": {"code": code, "message": told}}
