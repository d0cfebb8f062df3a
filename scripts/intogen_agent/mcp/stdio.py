"""A server as a process, spoken to over its standard input and output.

mcp has a transport of its own for this; it stands in the way where a server prints a banner, where
an answer is large, and where a server's own children outlive it. The process is started by a
supervisor (`supervisor`), which ends all that the server started, whatever becomes of this job.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from intogen_agent.mcp import frames
from intogen_agent.mcp.exchange import Exchange

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams
    from mcp.shared.message import SessionMessage

SUPERVISOR = Path(__file__).with_name("supervisor.py")
CHUNK = 1 << 20
# Seconds for a server to end by itself when its input closes, then after TERM; then it is killed.
EOF_GRACE = 2.0
TERM_GRACE = 2.0
# Seconds for the supervisor to see that all is over.
LAST_GRACE = 2.0
# Characters of a line that is no message, in the log.
MAX_NOTED = 2000


@dataclass(frozen=True)
class Program:
    """What is started.

    Attributes:
        command: The program and its arguments.
        environment: Its whole environment.
        limit: Bytes that a message may have.
        secrets: What must not be written to the log.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    limit: int
    secrets: Sequence[str] = ()


@asynccontextmanager
async def stdio(program: Program, log: IO[bytes]) -> AsyncIterator["TransportStreams"]:
    """Start a server and yield its message streams; at the end no process of it is left.

    Args:
        program: What is started.
        log: Where its standard error goes, and what it prints beside messages.

    Raises:
        OSError: It cannot be started.
    """
    import anyio
    from mcp.shared.message import SessionMessage

    process = await _Process.start(program, log)
    # Nothing is awaited between the start and the group: a cancellation would lose the process.
    into, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write_stream, outof = anyio.create_memory_object_stream[SessionMessage](0)
    exchange = Exchange()

    async def read() -> None:
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            async with into:
                async for message in process.messages():
                    for reply in exchange.received(message):
                        await into.send(reply)

    async def write() -> None:
        try:
            async with outof:
                async for message in outof:
                    exchange.sent(message)
                    await process.send(message)
        except OSError:
            # The session sees the connection end instead of waiting for an answer.
            await into.aclose()

    async with anyio.create_task_group() as group:
        group.start_soon(read)
        group.start_soon(write)
        try:
            yield read_stream, write_stream
        finally:
            # The end has its own bounds; a cancelled stage must not leave the server behind.
            with anyio.CancelScope(shield=True):
                await process.end()
                for stream in (read_stream, write_stream, into, outof):
                    await stream.aclose()
            group.cancel_scope.cancel()


class _Process:
    """A supervised server."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        lifeline: int,
        program: Program,
        log: IO[bytes],
    ) -> None:
        self._process = process
        self._lifeline: int | None = lifeline
        self._program = program
        self._log = log

    @classmethod
    async def start(cls, program: Program, log: IO[bytes]) -> "_Process":
        """Start a server under a supervisor that holds one end of a pipe to this process."""
        held, lifeline = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", str(SUPERVISOR), str(held), str(TERM_GRACE)),
                *program.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env=dict(program.environment),
                start_new_session=True,
                pass_fds=(held,),
                limit=CHUNK,
            )
        except BaseException:
            os.close(lifeline)
            raise
        finally:
            os.close(held)
        return cls(process, lifeline, program, log)

    async def messages(self) -> AsyncIterator[dict[str, Any] | frames.Lost]:
        """Yield what the server says; what is no message goes to the log."""
        assert self._process.stdout is not None
        cut = frames.Frames(self._program.limit)
        while chunk := await self._process.stdout.read(CHUNK):
            for line in cut.feed(chunk):
                if isinstance(line, frames.Lost):
                    yield line
                    continue
                for found in frames.messages(line):
                    if isinstance(found, str):
                        self._note(found)
                    else:
                        yield found

    def _note(self, text: str) -> None:
        """Write what is no message to the log."""
        for secret in self._program.secrets:
            text = text.replace(secret, "[key]")
        self._log.write(f"{text[:MAX_NOTED]}\n".encode("utf-8", "replace"))

    async def send(self, message: "SessionMessage") -> None:
        """Send a message to the server."""
        assert self._process.stdin is not None
        text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
        self._process.stdin.write(text.encode() + b"\n")
        await self._process.stdin.drain()

    async def end(self) -> None:
        """Close the server's input, let go of the supervisor, and kill what is left of both."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        if not await self._ended(EOF_GRACE):
            self._let_go()
            if not await self._ended(TERM_GRACE + LAST_GRACE):
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGKILL)
                await self._ended(LAST_GRACE)
        self._let_go()
        # A process that even this did not end may hold the other ends of the pipes.
        transport = getattr(self._process, "_transport", None)
        if transport is not None:
            transport.close()

    async def _ended(self, seconds: float) -> bool:
        """Wait for the supervisor's end; not for the pipes, which others may hold."""
        last = asyncio.get_running_loop().time() + seconds
        while self._process.returncode is None:
            if asyncio.get_running_loop().time() >= last:
                return False
            await asyncio.sleep(0.005)
        return True

    def _let_go(self) -> None:
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None
