"""The scan's time grows with the payload, not with its square."""

import json
import time

import pytest

from intogen_agent.evidence.references import scan

UNITS = {
    "articles": json.dumps({"pmid": 12345678, "doi": "10.1038/x", "abstract": "words " * 90})
    + "\n",
    "markdown": "# Record 1\nPmid: 12345678\nAbstract:\n" + "  many words, PMC\n" * 30,
    "medline": "PMID- 12345678\nAB  - many words\nAID - 10.1038/x [doi]\n",
    "medline without end": "PMID- 1\nAID - 10.1038/x",
    "flat entry": "ID   A_HUMAN Reviewed;\nRN   [1]\nRX   PubMed=1;\nRL   A 1:2(1999).\n",
    "flat citation": "ID   A_HUMAN Reviewed;\nRN   [1]\n" + "RX   DOI=a;b\nRL   a 1:2(\n" * 9,
    "cautions": "ID   A_HUMAN Reviewed;\n" + "CC   -!- CAUTION: This paper retracted\n" * 9,
    "accessions": "GSE VCV0 ISRCTN PDB ID EudraCT number ",
    "xml": "<article><ref><pub-id pub-id-type='pmid'>1</pub-id>",
    "unclosed comments": "<article><!--",
    "stray end tags": "<article></b>",
    "wrapped hyphens": "-\n ",
    "opening brackets": "[\n",
    "open objects": '{"a":\n',
    "brackets in a DOI": "10.1038/(",
    "separators in a DOI": "10.1038/a,10.",
    "encoded percent signs": "10.1038/%252525",
    "labels": "PMID: UniProt accession number ",
    "address starts": "https://",
    "digits": "12345678",
    "blank lines": "\n \n",
    "table rows": "| a |\n",
}


def seconds(payload: str) -> float:
    """Return the best of three CPU times."""
    times = []
    for _ in range(3):
        start = time.process_time()
        scan(payload)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize("name", sorted(UNITS))
def test_eight_times_the_payload_takes_about_eight_times_as_long(name: str) -> None:
    unit = UNITS[name]
    count = max(1, 20_000 // len(unit))
    small, large = seconds(unit * count), seconds(unit * count * 8)
    # A square would be 64 times; the millisecond keeps the clock's noise out.
    assert large < 24 * (small + 0.001)
