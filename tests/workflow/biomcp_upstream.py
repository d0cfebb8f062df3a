"""The services behind BioMCP, on this machine: one gene, one protein, one paper, as recorded.

The answers are in the services' own formats (MyGene, UniProt, PubTator, Europe PMC, PubMed). They
are read from recordings that may lie beside the repository; nothing of them is kept in it.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

PMID = "22663011"
SERVICES = ("MYGENE", "UNIPROT", "PUBTATOR", "EUROPEPMC", "PUBMED", "S2", "LITSENSE2", "STRING",
            "INTERPRO", "NCBI_IDCONV", "PMC_OA", "OLS4", "QUICKGO", "CTGOV")  # fmt: skip


def environment(port: int) -> dict[str, str]:
    """Return the variables that lead BioMCP to this machine."""
    bases = {f"BIOMCP_{name}_BASE": f"http://127.0.0.1:{port}/{name}" for name in SERVICES}
    return {
        **bases,
        "BIOMCP_CACHE_MODE": "off",
        "BIOMCP_DISABLE_SOURCES": "semantic-scholar,litsense2",
    }


class Upstream:
    """Answers requests of BioMCP from recordings.

    Args:
        data: The folder of recordings.
        found: Whether searches find the paper.
        dark: Services that answer 503.
    """

    def __init__(self, data: Path, *, found: bool = True, dark: tuple[str, ...] = ()) -> None:
        self._data = data
        self._found = found
        self._dark = dark
        self.asked: list[str] = []

    def answer(self, path: str) -> tuple[int, Any]:
        """Return the status and the body for a path."""
        self.asked.append(path)
        parts = urlsplit(path)
        service, _, rest = parts.path.lstrip("/").partition("/")
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        if service in self._dark:
            return 503, {"error": "no service"}
        asked = getattr(self, f"_{service.lower()}", None)
        body = asked(rest, query) if asked else None
        return (404, {"error": "not found"}) if body is None else (200, body)

    def _read(self, *names: str) -> Any:
        return json.loads(self._data.joinpath(*names).read_text(encoding="utf-8"))

    def _mygene(self, rest: str, query: dict[str, str]) -> Any:
        if "BRAF" not in query.get("q", ""):
            return {"took": 1, "total": 0, "hits": []}
        name = ("payloads", "tool_outputs", "biomcp_cli_0.9.3", "get_gene_BRAF_json.json")
        gene = json.loads(self._read(*name)["result"]["content"][0]["text"])
        hit = {
            "_id": gene["entrez_id"],
            "_score": 90.0,
            "symbol": gene["symbol"],
            "name": gene["name"],
            "summary": gene["summary"],
            "alias": gene["aliases"],
            "entrezgene": gene["entrez_id"],
            "ensembl": {"gene": gene["ensembl_id"]},
            "uniprot": {"Swiss-Prot": gene["uniprot_id"]},
            "type_of_gene": gene["gene_type"],
            "HGNC": "1097",
            "MIM": gene["omim_id"],
        }
        return {"took": 1, "total": 1, "max_score": 90.0, "hits": [hit]}

    def _uniprot(self, rest: str, query: dict[str, str]) -> Any:
        if not rest.endswith("P15056.json"):
            return None
        return self._read("formats", "uniprot", "rest_P15056_BRAF_fields_subset.json")

    def _interpro(self, rest: str, query: dict[str, str]) -> Any:
        place = {"fragments": [{"start": 457, "end": 717}]}
        entry = {
            "metadata": {"accession": "IPR000719", "name": "Protein kinase domain",
                         "type": "domain"},
            "proteins": [{"accession": "p15056", "entry_protein_locations": [place]}],
        }  # fmt: skip
        return {"count": 1, "next": None, "previous": None, "results": [entry]}

    def _string(self, rest: str, query: dict[str, str]) -> Any:
        return [{"preferredName_A": "BRAF", "preferredName_B": "MAP2K1", "score": 0.999}]

    def _pubtator(self, rest: str, query: dict[str, str]) -> Any:
        if rest.startswith("entity"):
            return []
        if rest.startswith("publications") and query.get("pmids") == PMID:
            return self._read("formats", "pubtator3", f"export_{PMID}.bioc.json")
        if rest.startswith("search"):
            hits = [self._hit()] if self._found and query.get("page", "1") == "1" else []
            return {"results": hits, "facets": {}, "page_size": 25, "current": 1,
                    "count": len(hits), "total_pages": 1}  # fmt: skip
        return None

    def _hit(self) -> dict[str, Any]:
        [paper] = self._europepmc("search", {"query": PMID})["resultList"]["result"]
        return {
            "_id": PMID,
            "pmid": int(PMID),
            "title": paper["title"],
            "journal": paper.get("journalTitle", ""),
            "date": paper.get("firstPublicationDate", "2012-06-04"),
            "authors": [],
            "score": 100.0,
        }

    def _europepmc(self, rest: str, query: dict[str, str]) -> Any:
        found = self._read("formats", "europepmc", f"search_pmid_{PMID}.json")
        if PMID not in query.get("query", "") and not self._found:
            return {**found, "hitCount": 0, "resultList": {"result": []}}
        return found

    def _pubmed(self, rest: str, query: dict[str, str]) -> Any:
        ids = [PMID] if self._found else []
        if rest.startswith("esearch"):
            return {"esearchresult": {"count": str(len(ids)), "retmax": "100", "retstart": "0",
                                      "idlist": ids}}  # fmt: skip
        if rest.startswith("esummary"):
            [paper] = self._europepmc("search", {"query": PMID})["resultList"]["result"]
            told = {"uid": PMID, "title": paper["title"], "pubdate": "2012 Jul 12",
                    "fulljournalname": "The New England journal of medicine",
                    "source": "N Engl J Med", "articleids": []}  # fmt: skip
            return {"result": {"uids": [PMID], PMID: told}}
        return None


@contextmanager
def served(upstream: Upstream) -> Iterator[int]:
    """Serve the services until the block ends; give the port."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            status, body = upstream.answer(self.path)
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: Any) -> None:
            return None

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
