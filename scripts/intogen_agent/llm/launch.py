"""Servers that a job starts for itself and ends with itself."""

import asyncio
import http.client
import os
import signal
import socket
import tempfile
import urllib.error
import urllib.request
from collections.abc import Collection
from pathlib import Path

from intogen_agent.config.llm_settings import Launch
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.processes import end_with_parent, fill, package_environment

POLL_SECONDS = 0.05
STOP_SECONDS = 5.0
TRIES = 3


class LaunchedServer:
    """A running server process and its port."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.process = process
        self.port = port

    async def stop(self) -> None:
        """End the server's process group: TERM, and KILL for what is left after a while."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                break
            try:
                await asyncio.wait_for(self.process.wait(), STOP_SECONDS)
            except TimeoutError:
                continue
        await self.process.wait()


async def launch(
    name: str, settings: Launch, base_url: str, log: Path, secrets: Collection[str]
) -> LaunchedServer:
    """Start a provider's server and wait until it is healthy.

    Args:
        name: The provider's name, for errors.
        settings: Command, health path and patience.
        base_url: The provider's address with `{port}`.
        log: File for the server's output.
        secrets: Names of environment variables that must not reach the server.

    Raises:
        StageFailure: It could not be started, ended early or did not become healthy.
    """
    for last in (False,) * (TRIES - 1) + (True,):
        server = await _start(name, settings, base_url, log, secrets)
        if server is not None:
            return server
        if last:
            break
    raise StageFailure(
        ErrorClass.LLM_UNREACHABLE,
        f"provider {name}: its server ended before it was healthy; see {log}",
    )


async def _start(
    name: str, settings: Launch, base_url: str, log: Path, secrets: Collection[str]
) -> LaunchedServer | None:
    log.parent.mkdir(parents=True, exist_ok=True)
    environment = {key: value for key, value in os.environ.items() if key not in secrets}
    with tempfile.TemporaryDirectory(prefix="intogen-agent-") as folder, log.open("ab") as sink:
        port_file = Path(folder) / "port"
        chooses = any("{port_file}" in word for word in settings.command)
        port = 0 if chooses else _free_port()
        command = fill(
            settings.command, port=str(port), port_file=str(port_file), log=f"{log}.requests"
        )
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                env=package_environment(command, environment),
                start_new_session=True,
                preexec_fn=end_with_parent,
            )
        except OSError as error:
            raise StageFailure(
                ErrorClass.LLM_UNREACHABLE,
                f"provider {name}: cannot start '{command[0]}': {error.strerror}",
            ) from None
        server = LaunchedServer(process, port)
        try:
            async with asyncio.timeout(settings.start_timeout):
                healthy = await _healthy(server, settings, base_url, port_file if chooses else None)
        except TimeoutError:
            await server.stop()
            raise StageFailure(
                ErrorClass.LLM_UNREACHABLE,
                f"provider {name}: not healthy after {settings.start_timeout:g} s; see {log}",
            ) from None
        except BaseException:
            await server.stop()
            raise
        return server if healthy else None


async def _healthy(
    server: LaunchedServer, settings: Launch, base_url: str, port_file: Path | None
) -> bool:
    """Wait until the server answers; False if it ended."""
    while server.process.returncode is None:
        if port_file is not None and server.port == 0:
            text = port_file.read_text() if port_file.exists() else ""
            server.port = int(text) if text.strip().isdigit() else 0
        if server.port:
            root = base_url.replace("{port}", str(server.port)).split("/v1")[0]
            if await asyncio.to_thread(_answers, root + settings.health):
                return server.process.returncode is None
        await asyncio.sleep(POLL_SECONDS)
    return False


def _answers(url: str) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=2) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, http.client.HTTPException, OSError):
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
