"""The transport to one provider: the OpenAI client over HTTP, retries, one deadline per call."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Collection
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from intogen_agent.config.settings import Provider, RetrySettings
from intogen_agent.errors import ErrorClass, StageFailure, UserError
from intogen_agent.files import parse_json
from intogen_agent.llm import chat_completions
from intogen_agent.llm.chat_completions import Outcome, Request
from intogen_agent.llm.launch import LaunchedServer, launch
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind, ToolCalls
from intogen_agent.provenance.recorder import Performed

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from tenacity import RetryCallState

Sleep = Callable[[float], Awaitable[None]]
TRANSIENT = {FailureKind.THROTTLED, FailureKind.TIMEOUT, FailureKind.TRANSPORT}
NO_KEY = "none"
LOOPBACK = {"127.0.0.1", "::1", "localhost"}


@dataclass(frozen=True)
class Attempt:
    """One HTTP exchange."""

    outcome: Outcome
    body: Any
    retry_after: float | None = None


class Endpoint:
    """A provider that calls can be sent to; its own server, if any, starts with the first call.

    Args:
        name: The provider's name in the configuration.
        provider: Its settings.
        retry: Attempts, waits and deadlines.
        log: File for the output of a launched server.
        secrets: Environment variables that no launched server may see.
        sleep: How to wait between attempts.
    """

    def __init__(
        self,
        name: str,
        provider: Provider,
        retry: RetrySettings,
        log: Path,
        secrets: Collection[str] = (),
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.name = name
        self._provider = provider
        self._retry = retry
        self._log = log
        self._secrets = secrets
        self._sleep = sleep
        self._server: LaunchedServer | None = None
        self._client: AsyncOpenAI | None = None
        self._starting = asyncio.Lock()

    async def send(self, request: Request, request_id: str) -> Performed:
        """Send a request until it is answered, fails for good, or the deadline is over."""
        async with self._starting:
            client = self._client or await self._connect()
        values = chat_completions.parameters(
            request, self._provider.structured, self._provider.max_tokens_field
        )
        attempts: list[str] = []
        try:
            async with asyncio.timeout(self._retry.call_deadline):
                last = await self._attempts(client, values, request_id, attempts)
        except TimeoutError:
            message = f"no answer within {self._retry.call_deadline:g} s"
            if attempts:
                message += f" (attempts before: {', '.join(attempts)})"
            last = Attempt(Failed(FailureKind.TIMEOUT, message), None)
        return self._performed(last, attempts)

    async def _attempts(
        self, client: "AsyncOpenAI", values: dict[str, Any], request_id: str, attempts: list[str]
    ) -> Attempt:
        from tenacity import AsyncRetrying, retry_if_result, stop_after_attempt, stop_before_delay
        from tenacity.wait import wait_random_exponential

        backoff = wait_random_exponential(self._retry.first_wait, self._retry.max_wait)

        def wait(state: "RetryCallState") -> float:
            asked = state.outcome.result().retry_after if state.outcome else None
            return float(asked) if asked is not None else backoff(state)

        async def attempt() -> Attempt:
            result = await _exchange(client, values, request_id)
            attempts.append(_word(result.outcome))
            return result

        retrying = AsyncRetrying(
            retry=retry_if_result(_transient),
            # A server that asks for more patience than there is left is not waited for.
            stop=stop_after_attempt(self._retry.attempts)
            | stop_before_delay(self._retry.call_deadline),
            wait=wait,
            sleep=self._sleep,
            retry_error_callback=lambda state: state.outcome.result() if state.outcome else None,
        )
        result: Attempt = await retrying(attempt)
        return result

    def _performed(self, last: Attempt, attempts: list[str]) -> Performed:
        sound = isinstance(last.outcome, Answer | ToolCalls)
        meta: dict[str, Any] = {
            "provider": self.name,
            "outcome": _word(last.outcome),
            "attempts": attempts,
            "usage": asdict(chat_completions.usage(last.body)),
        }
        if isinstance(last.body, dict) and isinstance(last.body.get("model"), str):
            meta["answered_by"] = last.body["model"]
        if isinstance(last.outcome, Failed):
            meta["failure"] = {"kind": last.outcome.kind.value, "message": last.outcome.message}
        return Performed(last.body, sound, meta)

    async def _connect(self) -> "AsyncOpenAI":
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        try:
            key = api_key(self.name, self._provider)
        except UserError as error:
            # Checked before any job; a node of a cluster may still lack the variable.
            raise StageFailure(ErrorClass.LLM_AUTHENTICATION, str(error)) from None
        url = self._provider.base_url
        if self._provider.launch is not None:
            self._server = await launch(
                self.name, self._provider.launch, url, self._log, self._secrets
            )
            url = url.replace("{port}", str(self._server.port))
        # A cluster's web proxy must not be asked for a server of this machine.
        local = urlsplit(url).hostname in LOOPBACK
        self._client = AsyncOpenAI(
            api_key=key,
            base_url=url,
            max_retries=0,
            timeout=self._retry.request_timeout,
            http_client=DefaultAsyncHttpxClient(trust_env=not local),
        )
        return self._client

    async def close(self) -> None:
        """Close the connections, then end the launched server."""
        client, self._client = self._client, None
        server, self._server = self._server, None
        try:
            if client is not None:
                await client.close()
        finally:
            if server is not None:
                await server.stop()


def api_key(name: str, provider: Provider) -> str:
    """Return a provider's key from its environment variable.

    Raises:
        UserError: The variable is not set.
    """
    if provider.api_key_env is None:
        return NO_KEY
    key = os.environ.get(provider.api_key_env, "").strip()
    if not key:
        raise UserError(
            f"llm.providers.{name}: the environment variable {provider.api_key_env} is not set; "
            f"export {provider.api_key_env}=... or choose another provider in llm.default.provider"
        )
    return key


def _transient(attempt: Attempt) -> bool:
    return isinstance(attempt.outcome, Failed) and attempt.outcome.kind in TRANSIENT


def _word(outcome: Outcome) -> str:
    if isinstance(outcome, Failed):
        return outcome.kind.value
    return "answer" if isinstance(outcome, Answer) else "tool calls"


async def _exchange(client: "AsyncOpenAI", values: dict[str, Any], request_id: str) -> Attempt:
    """Make one HTTP exchange; whatever the server or the network does becomes an outcome."""
    import openai

    try:
        raw = await client.chat.completions.with_raw_response.create(
            **values, extra_headers={"X-Client-Request-Id": request_id}
        )
    except openai.APITimeoutError:
        return Attempt(Failed(FailureKind.TIMEOUT, "the server did not answer in time"), None)
    except openai.APIConnectionError as error:
        cause = type(error.__cause__ or error).__name__
        return Attempt(Failed(FailureKind.TRANSPORT, f"no connection ({cause})"), None)
    except openai.APIStatusError as error:
        body = _json(error.response.text, client.api_key)
        failed = chat_completions.error_outcome(error.status_code, body)
        return Attempt(failed, body, _retry_after(error.response.headers.get("retry-after")))
    text = raw.text
    body = _json(text if isinstance(text, str) else await text(), client.api_key)
    if body is None:
        message = "the server answered with something that is not JSON"
        return Attempt(Failed(FailureKind.TRANSPORT, message), None)
    return Attempt(chat_completions.outcome(body), body)


def _json(text: str, key: str) -> Any:
    """Read a body; a key that a server quotes (proxies do, in errors) goes no further."""
    if key != NO_KEY:
        text = text.replace(key, "[key]")
    try:
        return parse_json(text)
    except ValueError:
        return None


def _retry_after(header: str | None) -> float | None:
    try:
        return max(0.0, float(header)) if header else None
    except ValueError:
        return None
