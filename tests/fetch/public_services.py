"""PubMed, UniProt and HGNC on a loopback address, with invented texts and faults on request."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape, quoteattr

Fault = Callable[["Handler", bytes], None]


@dataclass
class Paper:
    """A paper of the invented PubMed; `extra` is XML inside MedlineCitation."""

    pmid: int
    title: str
    abstract: str | None
    year: str = "<Year>2019</Year>"
    types: tuple[tuple[str, str], ...] = (("D016428", "Journal Article"),)
    extra: str = ""
    ids: str = ""

    def xml(self) -> str:
        kinds = "".join(
            f"<PublicationType UI={quoteattr(ui)}>{escape(name)}</PublicationType>"
            for ui, name in self.types
        )
        text = (
            f"<Abstract><AbstractText>{self.abstract}</AbstractText></Abstract>"
            if self.abstract
            else ""
        )
        return (
            '<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM">'
            f'<PMID Version="1">{self.pmid}</PMID><Article PubModel="Print"><Journal><JournalIssue '
            f'CitedMedium="Print"><PubDate>{self.year}</PubDate></JournalIssue>'
            "<Title>Journal of Invented Results</Title><ISOAbbreviation>J Invent Res"
            f"</ISOAbbreviation></Journal><ArticleTitle>{self.title}</ArticleTitle>{text}"
            '<AuthorList CompleteYN="Y"><Author ValidYN="Y"><LastName>Doe</LastName><Initials>JA'
            f"</Initials></Author></AuthorList><PublicationTypeList>{kinds}</PublicationTypeList>"
            f"</Article>{self.extra}</MedlineCitation><PubmedData><ArticleIdList>"
            f'<ArticleId IdType="pubmed">{self.pmid}</ArticleId>{self.ids}</ArticleIdList>'
            "</PubmedData></PubmedArticle>"
        )


def article_set(*papers: Paper) -> bytes:
    """Return what efetch answers."""
    return (
        '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st '
        'January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
        f"<PubmedArticleSet>{''.join(paper.xml() for paper in papers)}</PubmedArticleSet>"
    ).encode()


def hgnc_doc(symbol: str, number: int, **fields: Any) -> dict[str, Any]:
    return {
        "hgnc_id": f"HGNC:{number}",
        "symbol": symbol,
        "name": f"{symbol} invented name",
        "status": "Approved",
        "entrez_id": str(number),
        "ensembl_gene_id": f"ENSG{number:011}",
    } | fields


def entry(accession: str, symbol: str, text: str, **fields: Any) -> dict[str, Any]:
    return {
        "entryType": "UniProtKB reviewed (Swiss-Prot)",
        "primaryAccession": accession,
        "uniProtkbId": f"{symbol}_HUMAN",
        "proteinDescription": {"recommendedName": {"fullName": {"value": f"{symbol} protein"}}},
        "genes": [{"geneName": {"value": symbol}}],
        "organism": {"scientificName": "Homo sapiens", "taxonId": 9606},
        "sequence": {"length": 500},
        "comments": [{"commentType": "FUNCTION", "texts": [{"value": text}]}],
        "features": [],
    } | fields


@dataclass
class World:
    """What the services know, what they were asked, and how they fail.

    `hits` maps a text of a term to the PMIDs that it finds. `faults` maps a service to the faults
    of its next answers; `dead` services fail always.
    """

    papers: dict[int, Paper] = field(default_factory=dict)
    hits: dict[str, list[int]] = field(default_factory=dict)
    genes: list[dict[str, Any]] = field(default_factory=list)
    entries: list[dict[str, Any]] = field(default_factory=list)
    faults: dict[str, list[Fault]] = field(default_factory=dict)
    dead: dict[str, Fault] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    most_listed: int = 10_000
    errors: dict[str, Any] = field(default_factory=dict)
    proteins_on_a_page: int = 100
    url: str = ""

    def requests(self, service: str) -> list[dict[str, str]]:
        return [fields for name, fields in self.asked if name == service]

    def answer(self, service: str, fields: dict[str, str]) -> tuple[bytes, dict[str, str]]:
        if service == "hgnc":
            return json.dumps({"response": {"docs": self.genes}}).encode(), {}
        if service == "esearch":
            return self._listing(fields), {}
        if service == "efetch":
            wanted = [int(one) for one in fields["id"].split(",")]
            return article_set(*(self.papers[one] for one in wanted if one in self.papers)), {}
        return self._proteins(fields)

    def _listing(self, fields: dict[str, str]) -> bytes:
        found = next((pmids for text, pmids in self.hits.items() if text in fields["term"]), [])
        start, count = int(fields["retstart"]), min(int(fields["retmax"]), self.most_listed)
        result = {
            "count": str(len(found)),
            "retmax": str(count),
            "retstart": str(start),
            "querykey": "1",
            "webenv": "MCID_invented",
            "idlist": [str(one) for one in found[start : start + count]],
            "translationset": [],
            "querytranslation": fields["term"],
        } | self.errors
        return json.dumps({"header": {"type": "esearch"}, "esearchresult": result}).encode()

    def _proteins(self, fields: dict[str, str]) -> tuple[bytes, dict[str, str]]:
        query = fields["query"]
        found = [
            one
            for one in self.entries
            if f'"{one["genes"][0]["geneName"]["value"]}"' in query
            or f"accession:{one['primaryAccession']}" in query
        ]
        start, size = int(fields.get("cursor", "0")), self.proteins_on_a_page
        headers = {"X-Total-Results": str(len(found))}
        if start + size < len(found):
            following = f"{self.url}/uniprot/uniprotkb/search?query={query}&cursor={start + size}"
            headers["Link"] = f'<{following.replace(" ", "%20")}>; rel="next"'
        return json.dumps({"results": found[start : start + size]}).encode(), headers


class Handler(BaseHTTPRequestHandler):
    """Answers for all three services."""

    protocol_version = "HTTP/1.1"
    world: World

    def log_message(self, format: str, *args: Any) -> None: ...

    def do_GET(self) -> None:
        self._answer(urlsplit(self.path).query)

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self._answer(self.rfile.read(length).decode())

    def _answer(self, text: str) -> None:
        fields = {name: values[0] for name, values in parse_qs(text).items()}
        path = urlsplit(self.path).path
        service = next(
            name for name in ("esearch", "efetch", "hgnc", "uniprot") if f"/{name}" in path
        )
        self.world.asked.append((service, {**fields, "_path": self.path}))
        body, headers = self.world.answer(service, fields)
        waiting = self.world.faults.get(service)
        fault = waiting.pop(0) if waiting else self.world.dead.get(service)
        if fault:
            fault(self, body)
        else:
            self.send(200, body, **headers)

    def send(self, status: int, body: bytes, length: int | None = None, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)


# Faults


def status(number: int, body: bytes = b"", **headers: str) -> Fault:
    return lambda handler, _: handler.send(number, body, **headers)


def body(text: bytes) -> Fault:
    return lambda handler, _: handler.send(200, text)


def truncated(handler: Handler, sound: bytes) -> None:
    handler.send(200, sound[: len(sound) * 2 // 3])


def cut_off(handler: Handler, sound: bytes) -> None:
    handler.send(200, sound[: len(sound) // 2], length=len(sound))
    handler.close_connection = True


def hangs_up(handler: Handler, sound: bytes) -> None:
    handler.close_connection = True


def silent(handler: Handler, sound: bytes) -> None:
    """Hold the connection without a word for longer than the client waits."""
    time.sleep(0.6)
    handler.close_connection = True


def drips(handler: Handler, sound: bytes) -> None:
    """Send a byte now and then: never silent, never done."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(sound)))
    handler.end_headers()
    for byte in sound[:8]:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        time.sleep(0.15)
    handler.close_connection = True


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is part of some tests."""


@contextmanager
def served(world: World) -> Iterator[World]:
    """Serve a world until the block ends."""
    handler = type("WorldHandler", (Handler,), {"world": world})
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    world.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield world
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
