"""What a fetch is asked to do, and whether the services would accept it."""

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import urlsplit

from intogen_agent.errors import UserError
from intogen_agent.fetch.service import Patience

NCBI = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
UNIPROT = "https://rest.uniprot.org"
HGNC = "https://storage.googleapis.com/public-download-files/hgnc/json/json/hgnc_complete_set.json"

KEY_VARIABLE = "NCBI_API_KEY"
EMAIL_VARIABLE = "NCBI_EMAIL"

NCBI_RATE, NCBI_RATE_WITH_KEY = 3.0, 10.0
"""Requests per second that NCBI allows an address, or a key (NBK25497)."""

MAX_ARTICLES = 9_999
"""As many as PubMed lists of one search (NBK25499)."""

_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")


@dataclass(frozen=True)
class FetchOptions:
    """What a fetch is asked to do.

    Attributes:
        folder: Where answers, records and the store go.
        cancer_types: The table of search terms that the store is built with.
        email: Whom NCBI writes to if something is wrong.
        api_key: NCBI's key, if there is one.
        rate: Requests per second to NCBI; None: what it allows.
        max_articles: Articles of one search, the most relevant ones.
        since: First day, month or year of publication; None: any.
        until: Last day, month or year of publication; None: any.
        refresh: Answers of earlier days are asked for anew; None: none are.
        today: The day of the answers of this fetch.
        ncbi_url: The address of the E-utilities.
        uniprot_url: The address of UniProt's REST service.
        hgnc_url: The address of HGNC's complete set (JSON).
        patience: How long services are waited for.
    """

    folder: Path
    cancer_types: Path
    email: str
    api_key: str | None = None
    rate: float | None = None
    max_articles: int = 100
    since: str | None = None
    until: str | None = None
    refresh: date | None = None
    today: date = field(default_factory=lambda: datetime.now(UTC).date())
    ncbi_url: str = NCBI
    uniprot_url: str = UNIPROT
    hgnc_url: str = HGNC
    patience: Patience = field(default_factory=Patience)

    def __post_init__(self) -> None:
        """Refuse what cannot work.

        Raises:
            UserError: It names the option, the value and the remedy.
        """
        if not _EMAIL.fullmatch(self.email):
            raise UserError(
                f"--email {self.email!r}: NCBI asks for an address that it can write to; give "
                f"--email or set {EMAIL_VARIABLE}"
            )
        if self.api_key is not None and not re.fullmatch(r"[!-~]+", self.api_key):
            raise UserError(f"{KEY_VARIABLE}: holds spaces or control characters; correct it")
        if not 1 <= self.max_articles <= MAX_ARTICLES:
            raise UserError(
                f"--max-articles {self.max_articles}: give 1 to {MAX_ARTICLES:,}, as many as "
                "PubMed lists of one search"
            )
        for option, value in (("--since", self.since), ("--until", self.until)):
            if value is not None:
                _check_date(option, value)
        if self.since and self.until and self.since > f"{self.until}-12-31"[: len(self.since)]:
            raise UserError(f"--since {self.since}: later than --until {self.until}")
        if self.refresh is not None and self.refresh > self.today:
            raise UserError(f"--refresh {self.refresh}: is in the future (today: {self.today})")
        for option, url in (
            ("--ncbi-url", self.ncbi_url),
            ("--uniprot-url", self.uniprot_url),
            ("--hgnc-url", self.hgnc_url),
        ):
            _check_url(option, url)
        self._check_rate()

    @property
    def ncbi_rate(self) -> float:
        """Requests per second to NCBI."""
        return self.rate if self.rate is not None else self._allowed

    @property
    def _allowed(self) -> float:
        return NCBI_RATE_WITH_KEY if self.api_key else NCBI_RATE

    @property
    def bounds(self) -> dict[str, str]:
        """The bounds of publication dates as E-utilities take them; both, or none."""
        if not (self.since or self.until):
            return {}
        first, last = self.since or "1800", self.until or "3000"
        return {
            "datetype": "pdat",
            "mindate": first.replace("-", "/"),
            "maxdate": last.replace("-", "/"),
        }

    def _check_rate(self) -> None:
        if self.rate is None:
            return
        if not 0.01 <= self.rate <= 10_000:
            raise UserError(f"--rate {self.rate:g}: give requests per second, for example 3")
        host = urlsplit(self.ncbi_url).hostname or ""
        if self.rate > self._allowed and host.endswith("ncbi.nlm.nih.gov"):
            key = "" if self.api_key else f"; with a key in {KEY_VARIABLE} 10"
            raise UserError(
                f"--rate {self.rate:g}: NCBI allows {self._allowed:g} requests per second{key}"
            )


def _check_date(option: str, value: str) -> None:
    try:
        if not _DATE.fullmatch(value):
            raise ValueError
        date.fromisoformat(f"{value}-01-01"[:10])
    except ValueError:
        raise UserError(
            f"{option} {value!r}: not a date; write YYYY, YYYY-MM or YYYY-MM-DD"
        ) from None


def _check_url(option: str, url: str) -> None:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or re.search(r"\s", url):
        raise UserError(f"{option} {url!r}: not an address; write https://...")
    if parts.username or parts.password:
        raise UserError(f"{option}: holds a name or password; addresses are shown, leave it out")
