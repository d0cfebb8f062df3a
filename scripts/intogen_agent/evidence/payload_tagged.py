"""Reading texts whose lines begin with tags: PubMed's MEDLINE format and UniProt's flat files.

Both become the objects that the JSON of the same sources would be, so that a paper's identifiers,
which stand on lines of their own, stay together.
"""

import re
from collections.abc import Iterator
from typing import Any

_MEDLINE = re.compile(r"\s*PMID- ?\d")
_MEDLINE_RECORD = re.compile(r"^(?=PMID- ?\d)", re.MULTILINE)
_MEDLINE_LINE = re.compile(r"([A-Z]{2,4}) *- (.*)")
_MEDLINE_ID = re.compile(r"(\S+) \[(doi|pii|pmc|pubmed)\]")
_MEDLINE_KEYS = {"TI": "title", "TA": "journal", "DP": "date", "PMC": "pmcid"}
# What PubMed says of other papers, and their PMIDs.
_MEDLINE_RELATIONS = {
    "RIN": "RetractionIn",
    "ROF": "RetractionOf",
    "UIN": "UpdateIn",
    "UOF": "UpdateOf",
}
_CITED = re.compile(r"PMID: ?([1-9]\d{0,7})")

_UNIPROT = re.compile(r"\s*ID   \w+ +(?:Reviewed|Unreviewed|STANDARD|PRELIMINARY);")
_UNIPROT_RECORD = re.compile(r"^//[ \t]*$", re.MULTILINE)
_ACCESSION = re.compile(r"^AC   (\w+);", re.MULTILINE)
_NAME = re.compile(r"^DE   RecName: Full=([^;{\n]+)", re.MULTILINE)
_EVIDENCE = re.compile(r"(ECO:\d{7})\|([A-Za-z-]{2,30}):([\w.-]{1,30})|PubMed:([1-9]\d{0,7})")
_CITATION_ID = re.compile(r"\b(PubMed|DOI)=([^;\s]+(?:;[^;\s]+)*);")
_PLACE = re.compile(r"(.{1,200}?) [\w.-]{1,30}:[\w.-]{1,30}\((\d{4})\)\.?")
_CAUTION = re.compile(r"^-!- CAUTION: (.*?)(?=^-!- |^-{9}|\Z)", re.MULTILINE | re.DOTALL)


def is_tagged(text: str) -> bool:
    """Say whether a text is in one of the two formats."""
    return _MEDLINE.match(text) is not None or _UNIPROT.match(text) is not None


def tagged_records(text: str) -> Iterator[dict[str, Any]]:
    """Yield the records of a text in one of the two formats, as objects."""
    if _MEDLINE.match(text):
        for part in _MEDLINE_RECORD.split(text):
            if part.strip():
                yield _medline(part)
        return
    for part in _UNIPROT_RECORD.split(text):
        if part.strip():
            yield _uniprot(part)


def _medline(part: str) -> dict[str, Any]:
    record: dict[str, Any] = {"records": [], "publicationtype": [], "text": []}
    for tag, value in _medline_fields(part):
        if tag == "PMID":
            record.setdefault("pmid", value)
        elif tag in _MEDLINE_KEYS:
            record.setdefault(_MEDLINE_KEYS[tag], value)
        elif tag in ("AID", "LID"):
            for identifier, kind in _MEDLINE_ID.findall(value):
                if kind == "doi":
                    record.setdefault("doi", identifier)
        elif tag == "PT":
            record["publicationtype"].append(value)
        elif tag in _MEDLINE_RELATIONS:
            _relate(record, _MEDLINE_RELATIONS[tag], value)
        elif tag != "SO":  # The citation repeats the record's own DOI.
            record["text"].append(value)
    return record


def _medline_fields(part: str) -> Iterator[tuple[str, str]]:
    tag, lines = "", list[str]()
    for line in part.splitlines():
        match = _MEDLINE_LINE.match(line)
        if match:
            if tag:
                yield tag, " ".join(lines)
            tag, lines = match.group(1), [match.group(2).strip()]
        else:
            lines.append(line.strip())
    if tag:
        yield tag, " ".join(lines).strip()


def _relate(record: dict[str, Any], relation: str, value: str) -> None:
    if relation == "RetractionIn":
        record["retracted"] = True
    pmids = _CITED.findall(value)
    other: dict[str, Any] = {"reftype": relation, "pmid": pmids, "citation": value}
    if relation == "RetractionOf":
        other["retracted"] = True
    record["records"].append(other)


def _uniprot(part: str) -> dict[str, Any]:
    accession, name = _ACCESSION.search(part), _NAME.search(part)
    body = "\n".join(line[5:] for line in part.splitlines() if line[:2] in ("CC", "FT", "DE", "GN"))
    cautions = (" ".join(text.split()) for text in _CAUTION.findall(body))
    return {
        "entryType": "UniProtKB",
        "primaryAccession": accession.group(1) if accession else "",
        "proteinDescription": {
            "recommendedName": {"fullName": {"value": name.group(1).strip()}} if name else {}
        },
        "references": [{"citation": one} for one in _citations(part)],
        "comments": [{"commentType": "CAUTION", "texts": [{"value": text}]} for text in cautions],
        "evidences": [
            {
                "evidenceCode": match.group(1) or "",
                "source": match.group(2) or "PubMed",
                "id": match.group(3) or match.group(4),
            }
            for match in _EVIDENCE.finditer(part)
        ],
    }


def _citations(part: str) -> Iterator[dict[str, Any]]:
    """Yield the cited papers of an entry: their identifiers, title, journal and year."""
    for block in re.split(r"^RN   .*$", part, flags=re.MULTILINE)[1:]:
        lines: dict[str, list[str]] = {"RX": [], "RT": [], "RL": []}
        for line in block.splitlines():
            if line[:2] in lines:
                lines[line[:2]].append(line[5:].strip())
        # A word that is broken at its hyphen goes on in the next line.
        fields = {tag: "\n".join(own).replace("-\n", "-") for tag, own in lines.items()}
        fields = {tag: text.replace("\n", " ") for tag, text in fields.items()}
        pairs = _CITATION_ID.findall(fields["RX"])
        if not pairs:
            continue
        place = _PLACE.fullmatch(fields["RL"])
        yield {
            "citationCrossReferences": [
                {"database": name, "id": identifier} for name, identifier in pairs
            ],
            "title": fields["RT"].strip('";'),
            "journal": place.group(1) if place else None,
            "publicationDate": place.group(2) if place else None,
        }
