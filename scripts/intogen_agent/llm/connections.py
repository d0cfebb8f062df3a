"""The connections to one provider: its launched server, its address, its key, its clients."""

import asyncio
import logging
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intogen_agent.config.llm_settings import Provider
from intogen_agent.errors import ErrorClass, StageFailure, UserError
from intogen_agent.files import parse_json
from intogen_agent.llm import address
from intogen_agent.llm.launch import LaunchedServer, launch
from intogen_agent.llm.wires import WIRES, Wire

if TYPE_CHECKING:
    from openai import AsyncOpenAI

logger = logging.getLogger(__name__)


SDK_VARIABLES = (
    "OPENAI_ADMIN_KEY",
    "OPENAI_CUSTOM_HEADERS",
    "OPENAI_ORG_ID",
    "OPENAI_PROJECT_ID",
    "OPENAI_WEBHOOK_SECRET",
)


@contextmanager
def _sdk_environment(*, kept: bool) -> Iterator[None]:
    """Keep what the package reads from the environment for OpenAI away from other servers."""
    hidden = {} if kept else {n: os.environ.pop(n) for n in SDK_VARIABLES if n in os.environ}
    try:
        yield
    finally:
        os.environ.update(hidden)


@dataclass(frozen=True)
class Connection:
    """A client for a provider's present address."""

    client: "AsyncOpenAI"
    url: str
    wire: Wire

    async def listed_models(self) -> Any:
        """Return the server's list of models as it gives it; None if it gives none."""
        import openai

        try:
            raw = await self.client.models.with_raw_response.list()
            return parse_json(raw.text)
        except (openai.OpenAIError, ValueError) as error:
            logger.info("%s gives no list of models (%s)", self.url, type(error).__name__)
            return None


class Connections:
    """Opens connections when they are needed and closes them all.

    Args:
        name: The provider's name in the configuration.
        provider: Its settings.
        allowed: `network.allow_hosts`.
        request_timeout: Seconds for one HTTP exchange.
        log: File for the output of a launched server.
        secrets: Environment variables that no launched server may see.

    Attributes:
        missing: Why there is no address at present; empty when there is one.
    """

    def __init__(
        self,
        name: str,
        provider: Provider,
        allowed: Sequence[str] | None,
        request_timeout: float,
        log: Path,
        secrets: Collection[str],
    ) -> None:
        self._name = name
        self._provider = provider
        self._allowed = allowed
        self._request_timeout = request_timeout
        self._log = log
        self._secrets = secrets
        self._server: LaunchedServer | None = None
        self._open: dict[str, Connection] = {}
        self._opening = asyncio.Lock()
        self.missing = ""

    @property
    def place(self) -> str:
        """The provider's address as the configuration gives it: the same in every job."""
        return str(self._provider.base_url or self._provider.base_url_file)

    async def get(self) -> Connection:
        """Return a connection to where the provider is now.

        Raises:
            NoAddress: The file of the address is not written yet.
            StageFailure: There is no key, the host is not allowed, or the server does not start.
        """
        async with self._opening:
            try:
                url = address.base_url(self._name, self._provider)
            except address.NoAddress as missing:
                self.missing = str(missing)
                raise
            self.missing = ""
            if self._server is not None and self._server.process.returncode is not None:
                logger.warning("%s: its server has ended; it is started anew", self._name)
                await self._forget_server(url)
            if url not in self._open:
                self._open[url] = await self._connect(url)
            return self._open[url]

    async def _forget_server(self, url: str) -> None:
        self._server = None
        connection = self._open.pop(url, None)
        if connection is not None:
            await connection.client.close()

    async def _connect(self, url: str) -> Connection:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        refusal = address.refusal(self._name, url, self._allowed)
        if refusal is not None:
            raise StageFailure(ErrorClass.HOST_NOT_ALLOWED, refusal)
        try:
            key = address.api_key(self._name, self._provider)
        except UserError as error:
            # Checked before any job; a node of a cluster may still lack the variable.
            raise StageFailure(ErrorClass.LLM_AUTHENTICATION, str(error)) from None
        if self._provider.launch is not None:
            self._server = self._server or await launch(
                self._name, self._provider.launch, url, self._log, self._secrets
            )
            url = url.replace("{port}", str(self._server.port))
        with _sdk_environment(kept=address.is_openai(url)):
            client = AsyncOpenAI(
                api_key=key,
                base_url=url,
                max_retries=0,
                timeout=self._request_timeout,
                http_client=DefaultAsyncHttpxClient(
                    # A cluster's web proxy must not be asked for a server of this machine.
                    trust_env=not address.is_local(url),
                    # A redirect could lead to a host that is not allowed.
                    follow_redirects=False,
                ),
            )
        return Connection(client, url, WIRES[address.api_of(self._provider, url)])

    async def close(self) -> None:
        """Close the connections, then end the launched server."""
        server, self._server = self._server, None
        connections, self._open = self._open, {}
        async with AsyncExitStack() as stack:
            if server is not None:
                stack.push_async_callback(server.stop)
            for connection in connections.values():
                stack.push_async_callback(connection.client.close)
