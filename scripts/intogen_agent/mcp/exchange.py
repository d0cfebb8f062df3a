"""The bookkeeping between a server's wire and mcp's session: who waits for what.

Replies are mended (`mending`), and a reply that cannot be had becomes an error of the call that
waits for it, so that nobody waits until the timeout for what came already.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from intogen_agent.mcp.frames import Lost
from intogen_agent.mcp.mending import mended

if TYPE_CHECKING:
    from mcp.shared.message import SessionMessage

# Codes of errors that are made here; servers use others.
OVERSIZED = -32090
UNREADABLE = -32091


class Exchange:
    """The requests of one session that are not answered yet."""

    def __init__(self) -> None:
        self._pending: dict[int | str, str] = {}

    def sent(self, message: "SessionMessage") -> None:
        """Note what is sent to the server."""
        from mcp.types import JSONRPCRequest

        if isinstance(message.message, JSONRPCRequest):
            self._pending[message.message.id] = message.message.method

    def received(self, message: dict[str, Any] | Lost) -> Iterator["SessionMessage"]:
        """Yield what the session gets of a message from the server."""
        if isinstance(message, Lost):
            yield from self._lost(message)
            return
        name = message.get("id")
        if "method" in message and self._pending.get(name or "") == message["method"]:
            # A server that prints what it reads.
            return
        if isinstance(name, str) and name not in self._pending and name.isdigit():
            # Some servers answer 7 with "7".
            name = int(name)
            message = {**message, "id": name}
        method = ""
        if isinstance(name, int | str) and "method" not in message:
            method = self._pending.pop(name, "")
        if "result" in message:
            message = {**message, "result": mended(method, message["result"])}
        try:
            yield _session_message(message)
        except ValueError as error:
            if method and isinstance(name, int | str):
                yield _error(name, UNREADABLE, f"no message of JSON-RPC: {_short(error)}")

    def relayed(self, message: "SessionMessage") -> "SessionMessage":
        """Mend a reply that another transport has read already."""
        from mcp.types import JSONRPCError, JSONRPCResponse

        reply = message.message
        if isinstance(reply, JSONRPCResponse | JSONRPCError) and reply.id is not None:
            method = self._pending.pop(reply.id, "")
            if isinstance(reply, JSONRPCResponse):
                reply.result = mended(method, reply.result)
        return message

    def _lost(self, lost: Lost) -> Iterator["SessionMessage"]:
        """Yield an error for the call that a lost message answers."""
        name = lost.answers
        if name not in self._pending and lost.oversized and len(self._pending) == 1:
            [name] = self._pending
        if name is None or name not in self._pending:
            return
        self._pending.pop(name)
        code = OVERSIZED if lost.oversized else UNREADABLE
        told = (
            f"an answer of {lost.size:,} bytes is over the limit (mcp.max_answer_bytes)"
            if lost.oversized
            else "the answer is no JSON"
        )
        yield _error(name, code, told)


def _session_message(message: dict[str, Any]) -> "SessionMessage":
    from mcp.shared.message import SessionMessage
    from mcp.types import jsonrpc_message_adapter

    return SessionMessage(jsonrpc_message_adapter.validate_python(message, by_name=False))


def _error(name: int | str, code: int, told: str) -> "SessionMessage":
    return _session_message(
        {"jsonrpc": "2.0", "id": name, "error": {"code": code, "message": told}}
    )


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
