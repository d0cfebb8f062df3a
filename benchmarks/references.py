"""Scan synthetic payloads of every format that tools answer in for references.

  python benchmarks/references.py [MEGABYTES] [FILE...]

Prints one line per format: CPU seconds for MEGABYTES (default 10) of it, how many times those of a
tenth of it (10 is linear), and references found. `mixed` is an equal share of every format. FILEs
are measured too: raw answers as text, repeated up to the size.
"""

import json
import random
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

from intogen_agent.evidence.references import scan

MEGABYTE = 1_000_000
_WORDS = "tumour gene protein cells were mutated in patients with loss of function and 2010 of 322"
_CHANCE = random.Random(1)


def prose(length: int) -> str:
    """Return running text with an identifier now and then."""
    text = " ".join(_CHANCE.choices(_WORDS.split(), k=length))
    return f"{text} (PMID: {_CHANCE.randint(10**6, 10**7)}; NCT{_CHANCE.randint(1, 10**7):08d})."


def pmid() -> str:
    """Return the digits of some PMID."""
    return str(_CHANCE.randint(10**6, 4 * 10**7))


def article_json() -> str:
    """Return a list with one article, as article getters answer."""
    fields = {"pmid": pmid(), "doi": f"10.1038/s{pmid()}", "title": "A gene", "journal": "Nature"}
    return json.dumps([{**fields, "date": "2012-07-12", "abstract": prose(200)}], indent=1) + "\n"


def article_markdown() -> str:
    """Return one record of a search's answer."""
    lines = "\n".join(f"  {line}" for line in textwrap.wrap(prose(200), 70))
    return (
        f"# Record 1\nPmid: {pmid()}\nTitle: A gene\nJournal: Nature\nDate: 2012\n"
        f"Abstract:\n{lines}\nPubmed Url: https://pubmed.ncbi.nlm.nih.gov/{pmid()}/\n\n"
    )


def article_xml() -> str:
    """Return one article as efetch gives it."""
    cited = "".join(
        "<Reference><Citation>A group. Nature. 2010;7:1-9.</Citation><ArticleIdList>"
        f'<ArticleId IdType="pubmed">{pmid()}</ArticleId></ArticleIdList></Reference>'
        for _ in range(20)
    )
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{pmid()}</PMID><Article><ArticleTitle>A gene"
        f'</ArticleTitle><ELocationID EIdType="doi">10.1038/s{pmid()}</ELocationID><Abstract>'
        f"<AbstractText>{prose(200)}</AbstractText></Abstract></Article></MedlineCitation>"
        f"<PubmedData><ReferenceList>{cited}</ReferenceList></PubmedData></PubmedArticle>\n"
    )


def article_medline() -> str:
    """Return one article in PubMed's text format."""
    return (
        f"PMID- {pmid()}\nTI  - A gene\nAB  - {prose(200)}\nTA  - Nature\nDP  - 2012 Jul\n"
        f"AID - 10.1038/s{pmid()} [doi]\n\n"
    )


def protein_json() -> str:
    """Return a part of a protein entry: evidence, features and cross-references."""
    evidence = [{"evidenceCode": "ECO:0000269", "source": "PubMed", "id": pmid()} for _ in "ab"]
    entry = {
        "entryType": "UniProtKB reviewed (Swiss-Prot)",
        "primaryAccession": "P25054",
        "comments": [{"texts": [{"value": prose(60), "evidences": evidence}]}],
        "features": [
            {"type": "Variant", "location": {"start": {"value": one}}, "evidences": evidence}
            for one in range(10)
        ],
        "uniProtKBCrossReferences": [
            {"database": "PDB", "id": "1DEB", "properties": [{"key": "Method", "value": "X-ray"}]}
        ],
    }
    return json.dumps(entry, indent=2) + "\n"


FORMATS: dict[str, Callable[[], str]] = {
    "article json": article_json,
    "article markdown": article_markdown,
    "article xml": article_xml,
    "article medline": article_medline,
    "protein json": protein_json,
    "plain text": lambda: prose(100) + "\n\n",
}


def payload_of(unit: Callable[[], str], size: int) -> str:
    """Return units up to a size in characters."""
    texts, length = [], 0
    while length < size:
        texts.append(unit())
        length += len(texts[-1])
    return "".join(texts)


def seconds(payloads: list[str]) -> tuple[float, int]:
    """Return the CPU seconds of a scan, the best of three, and the references found."""
    times, found = [], 0
    for _ in range(3):
        start = time.process_time()
        found = sum(len(scan(payload)) for payload in payloads)
        times.append(time.process_time() - start)
    return min(times), found


def report(name: str, payloads: list[str], tenth: list[str]) -> None:
    """Measure and print one line."""
    large, found = seconds(payloads)
    small, _ = seconds(tenth)
    print(f"{name}\t{large:.2f} s\t{large / small:.1f} times a tenth\t{found} references")


def main() -> None:
    """Measure every format, their mixture and the files given."""
    size = int(float(sys.argv[1]) * MEGABYTE) if len(sys.argv) > 1 else 10 * MEGABYTE
    for name, unit in FORMATS.items():
        report(name, [payload_of(unit, size)], [payload_of(unit, size // 10)])
    share = size // len(FORMATS)
    report(
        "mixed",
        [payload_of(unit, share) for unit in FORMATS.values()],
        [payload_of(unit, share // 10) for unit in FORMATS.values()],
    )
    for path in map(Path, sys.argv[2:]):
        text = path.read_text(encoding="utf-8")
        copies = max(10, size // len(text))
        report(path.name, [text] * copies, [text] * (copies // 10))


if __name__ == "__main__":
    main()
