"""One public service: asked at its pace, with patience, and honest about what it did not answer."""

import asyncio
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from intogen_agent import __version__
from intogen_agent.errors import UserError
from intogen_agent.fetch.pace import Pace
from intogen_agent.fetch.work import Tell

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T")

LOCAL_HOSTS = {"127.0.0.1", "::1", "localhost"}
MAX_ANSWER_BYTES = 256 * 2**20
_PASSING = {408, 425, 429, 500, 502, 503, 504}
# What a service says to everybody who asks like this: asking on is of no use, and impolite.
_LASTING = {401, 403, 404, 405, 407, 410}
_SHOWN = 160


class Unanswered(Exception):
    """A service did not answer a question; the message says in one line why."""


class Passing(Exception):
    """An answer that another attempt may better.

    Attributes:
        retry_after: Seconds that the service asks to be left alone, if it says so.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


@dataclass(frozen=True)
class Patience:
    """How long a service is waited for. All times are seconds.

    Attributes:
        attempts: Requests for one question.
        first_wait: The first wait; each next one doubles.
        max_wait: The longest wait of our own accord.
        max_asked: The longest wait that a service may ask for.
        silence: How long a connection may be silent.
        request: How long a request may take in all.
        in_a_row: Questions that may fail one after the other before the service is left alone.
    """

    attempts: int = 6
    first_wait: float = 1.0
    max_wait: float = 60.0
    max_asked: float = 600.0
    silence: float = 60.0
    request: float = 300.0
    in_a_row: int = 5


@dataclass(frozen=True)
class Answer:
    """What came back with status 200."""

    body: bytes
    headers: Mapping[str, str]
    next_url: str | None = None


@dataclass
class Traffic:
    """What a service cost: requests, bytes of answers, seconds of waits beside the pace."""

    requests: int = 0
    received: int = 0
    waited: float = 0.0


@dataclass
class Service:
    """One public service.

    Attributes:
        name: How people call it.
        url: Its address.
        pace: The pace of requests.
        tell: Says one line to the user.
        patience: How long it is waited for.
        key: A key that no message may show, if there is one.
        key_variable: The environment variable that holds it.
    """

    name: str
    url: str
    pace: Pace
    tell: Tell
    patience: Patience = field(default_factory=Patience)
    key: str | None = None
    key_variable: str = ""
    traffic: Traffic = field(default_factory=Traffic)
    _client: "httpx2.AsyncClient | None" = None
    _failed_in_a_row: int = 0
    _left_alone: str | None = None

    async def __aenter__(self) -> "Service":
        import httpx2

        silence = self.patience.silence
        try:
            self._client = httpx2.AsyncClient(
                timeout=httpx2.Timeout(silence, connect=min(20.0, silence)),
                headers={"User-Agent": f"intogen-agent/{__version__}"},
                # Proxies and certificates come from the environment, but a cluster's web proxy
                # must not be asked for a server of this machine.
                trust_env=urlsplit(self.url).hostname not in LOCAL_HOSTS,
                follow_redirects=False,
            )
        except (ValueError, OSError) as error:
            raise UserError(
                f"the environment's proxy or certificates cannot be used ({error}); look at "
                "HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE and SSL_CERT_DIR"
            ) from None
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def ask(
        self,
        url: str,
        read: Callable[[Answer], T],
        *,
        form: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> T:
        """Ask until there is an answer that can be read.

        Args:
            url: The full address.
            read: Reads an answer; raises Passing if it is none.
            form: Fields of a POST request. Keys travel here: addresses are logged on the way.
            params: Parameters of a GET request.

        Raises:
            Unanswered: The service did not answer, or is left alone after too many failures.
            UserError: The service refuses the user's key.
        """
        if self._left_alone:
            raise Unanswered(f"not asked: {self._left_alone}")
        for attempt in range(1, self.patience.attempts + 1):
            await self.pace.turn()
            try:
                answer = read(await self._exchange(url, form, params))
            except Passing as failure:
                wait = self._wait(attempt, failure.retry_after)
                if attempt == self.patience.attempts or wait > self.patience.max_asked:
                    raise self._gave_up(str(failure)) from None
                self._hold(f"{failure}", wait)
            else:
                self._failed_in_a_row = 0
                return answer
            if self._left_alone:
                raise Unanswered(f"not asked again: {self._left_alone}")
        raise AssertionError("the last attempt returns or raises")

    def _wait(self, attempt: int, asked: float | None) -> float:
        """Return the seconds to wait: never less than asked for, and not all jobs alike."""
        own = min(self.patience.max_wait, self.patience.first_wait * 2.0 ** (attempt - 1))
        return (asked or 0.0) + own * random.uniform(0.5, 1.0)

    def _hold(self, why: str, wait: float) -> None:
        if self.pace.hold(wait):
            self.traffic.waited += wait
            self.tell(f"{self.name}: {why}; waiting {wait:.0f} s for it")

    def _gave_up(self, why: str) -> Unanswered:
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= self.patience.in_a_row:
            self._leave_alone(f"{self._failed_in_a_row} questions in a row failed, last: {why}")
        return Unanswered(f"{self.name}: {why}")

    def _leave_alone(self, why: str) -> None:
        if self._left_alone is None:
            self._left_alone = f"{self.name}: {why}"
            self.tell(f"{self.name} is not asked any more: {why}")

    async def _exchange(
        self, url: str, form: Mapping[str, str] | None, params: Mapping[str, str] | None
    ) -> Answer:
        import httpx2

        if self._client is None:
            raise RuntimeError("the service is not open")
        self.traffic.requests += 1
        method = "GET" if form is None else "POST"
        try:
            async with (
                asyncio.timeout(self.patience.request),
                self._client.stream(method, url, data=form, params=params) as response,
            ):
                body = await self._body(response)
                next_url = response.links.get("next", {}).get("url")
                self._check(response.status_code, response.headers, body)
                return Answer(body, response.headers, next_url)
        except TimeoutError:
            raise Passing(f"no whole answer within {self.patience.request:.0f} s") from None
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            detail = self._shown(str(error))
            kind = type(error).__name__
            raise Passing(f"{kind}: {detail}" if detail else kind) from None

    async def _body(self, response: "httpx2.Response") -> bytes:
        parts, size = [], 0
        async for part in response.aiter_bytes():
            size += len(part)
            if size > MAX_ANSWER_BYTES:
                raise self._gave_up(f"an answer of more than {MAX_ANSWER_BYTES // 2**20} MB")
            parts.append(part)
        self.traffic.received += size
        return b"".join(parts)

    def _check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Sort out every status but 200."""
        if status == 200:
            return
        said = self._shown(body[:2000].decode("utf-8", "replace"))
        what = f"HTTP {status}" + (f" ({said})" if said and not said.startswith("<") else "")
        if self.key and status in (400, 401, 403) and "api key" in said.lower():
            raise UserError(
                f"{self.key_variable}: {self.name} refuses this key ({what}); correct the variable "
                "or unset it"
            )
        if status in _PASSING or status > 500:
            raise Passing(what, retry_after(headers.get("retry-after")))
        if 300 <= status < 400:
            what += f", a redirect to {self._shown(headers.get('location', 'nowhere'))}"
        if status in _LASTING or 300 <= status < 400:
            self._leave_alone(what)
        raise self._gave_up(what)

    def _shown(self, text: str) -> str:
        """Return a text of the service for a line to the user, without the key."""
        if self.key:
            text = text.replace(self.key, "***")
        line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."


def retry_after(value: str | None) -> float | None:
    """Return the seconds of a Retry-After header (seconds, or a date); None for anything else."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
