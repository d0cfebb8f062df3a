"""Asking PubMed through the E-utilities: esearch lists papers, efetch gives their records.

Source: NCBI, "Entrez Programming Utilities Help" (NBK25499, NBK25497): `tool` and `email` go with
every request, lists of many ids by POST, efetch in batches of 200.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from intogen_agent.fetch.fitting import line
from intogen_agent.fetch.options import FetchOptions
from intogen_agent.fetch.pubmed_xml import Fetched, read_articles
from intogen_agent.fetch.queries import Query
from intogen_agent.fetch.service import Answer, Passing, Service, Unanswered

BATCH = 200
_NUMBER = re.compile(r"[0-9]{1,12}")
_PMID = re.compile(r"[1-9][0-9]{0,8}")
# What efetch says in a body of status 200 when it has none of the ids any more.
_NO_SUCH_IDS = re.compile(rb"<ERROR>[^<]*(?:id list is empty|no correct ids)", re.IGNORECASE)
TOOL = "intogen-agent"


@dataclass(frozen=True)
class Listing:
    """What a search found.

    Attributes:
        hits: How many papers fit.
        pmids: Those that were taken, the most relevant first.
    """

    hits: int
    pmids: list[str]


@dataclass(frozen=True)
class _Page:
    hits: int
    pmids: list[str]
    unknown: frozenset[str]


class PubMed:
    """PubMed behind its service."""

    def __init__(self, service: Service, options: FetchOptions) -> None:
        self._service = service
        self._options = options
        self._url = options.ncbi_url.rstrip("/")

    async def search(self, query: Query) -> Listing:
        """List the most relevant papers of a query.

        Raises:
            Unanswered: There was no answer, or one that contradicts itself.
        """
        pmids: dict[str, None] = {}
        wanted = self._options.max_articles
        while True:
            page = await self._service.ask(
                f"{self._url}/esearch.fcgi",
                _read_page,
                form=self._form(
                    term=query.text,
                    retmode="json",
                    sort="relevance",
                    retstart=str(len(pmids)),
                    retmax=str(wanted - len(pmids)),
                    **self._options.bounds,
                ),
            )
            if any(part <= page.unknown for part in query.parts):
                # PubMed knows no name of the gene, or of the cancer, and went on without it.
                return Listing(0, [])
            before = len(pmids)
            pmids.update(dict.fromkeys(page.pmids))
            due = min(page.hits, wanted)
            if len(pmids) >= due:
                return Listing(page.hits, list(pmids)[:wanted])
            if len(pmids) == before:
                raise Unanswered(
                    f"{self._service.name}: says {page.hits} hits but lists {len(pmids)}"
                )

    async def articles(self, pmids: Sequence[str]) -> tuple[list[Fetched], list[str]]:
        """Fetch papers; those that PubMed leaves out are asked for once more.

        Returns:
            The papers, and the PMIDs that PubMed has no record of. What is in neither was not
            answered.

        Raises:
            Unanswered: There was no answer.
        """
        found = await self._articles(pmids, may_be_empty=False)
        absent = [pmid for pmid in pmids if pmid not in found]
        if absent:
            try:
                found |= await self._articles(absent, may_be_empty=True)
            except Unanswered:
                absent = []
        papers = [found[pmid] for pmid in pmids if pmid in found]
        return papers, [pmid for pmid in absent if pmid not in found]

    async def _articles(self, pmids: Sequence[str], *, may_be_empty: bool) -> dict[str, Fetched]:
        wanted = set(pmids)

        def read(answer: Answer) -> dict[str, Fetched]:
            try:
                papers = read_articles(answer.body)
            except ValueError as error:
                if may_be_empty and _NO_SUCH_IDS.search(answer.body[:2000]):
                    return {}
                raise Passing(str(error)) from None
            found = {paper.pmid: paper for paper in papers if paper.pmid in wanted}
            if not found and not may_be_empty:
                raise Passing(f"no record for any of {len(wanted)} papers")
            return found

        return await self._service.ask(
            f"{self._url}/efetch.fcgi", read, form=self._form(id=",".join(pmids), retmode="xml")
        )

    def _form(self, **fields: str) -> dict[str, str]:
        form = {"db": "pubmed", **fields, "tool": TOOL, "email": self._options.email}
        if self._options.api_key:
            form["api_key"] = self._options.api_key
        return form


def _read_page(answer: Answer) -> _Page:
    try:
        # NCBI's JSON has been seen with raw control characters in texts.
        value = json.loads(answer.body.decode("utf-8-sig"), strict=False)
    except (ValueError, RecursionError):
        raise Passing("the list of papers is no JSON") from None
    result = value.get("esearchresult") if isinstance(value, dict) else None
    if not isinstance(result, dict):
        said = value.get("error") if isinstance(value, dict) else None
        raise Passing(f"no list of papers ({line(said) or 'another kind of answer'})")
    if said := result.get("ERROR"):
        raise Passing(f"the search failed ({line(str(said))})")
    hits, listed = str(result.get("count")), result.get("idlist")
    pmids = [str(one) for one in listed] if isinstance(listed, list) else None
    if pmids is None or not _NUMBER.fullmatch(hits) or not all(map(_PMID.fullmatch, pmids)):
        raise Passing("the list of papers has no count or no PMIDs")
    return _Page(int(hits), pmids, _unknown(result))


def _unknown(result: dict[str, Any]) -> frozenset[str]:
    """Return the terms that PubMed says it does not know, without their field."""
    errors = result.get("errorlist")
    found = errors.get("phrasesnotfound") if isinstance(errors, dict) else None
    terms = found if isinstance(found, list) else []
    return frozenset(str(term).split("[")[0].strip('" ').casefold() for term in terms)
