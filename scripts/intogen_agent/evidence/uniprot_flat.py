"""Reading UniProtKB flat text into the shape of UniProt's REST JSON.

What is read is what the record of a protein needs: names, genes, organism, comments, features and
cross-references. https://web.expasy.org/docs/userman.html describes the format; features are read
in its forms of before and after 2019.
"""

import re
from collections.abc import Iterator
from typing import Any

from intogen_agent.evidence.uniprot_comments import comment, evidences
from intogen_agent.evidence.uniprot_values import Entry

_START = re.compile(r"\s*ID   \S+\s+(?:Reviewed|Unreviewed);")
_STATUS = re.compile(r"(\S+)\s+(Reviewed|Unreviewed);")
_ENTRY_TYPES = {
    "Reviewed": "UniProtKB reviewed (Swiss-Prot)",
    "Unreviewed": "UniProtKB unreviewed (TrEMBL)",
}
_EVIDENCE = re.compile(r"\s*\{[^{}]*\}")
_FULL_NAME = re.compile(r"(RecName|SubName): Full=([^;]{1,400});")
_TOPIC = re.compile(r"-!- ([A-Z][A-Z ]*):\s*")
_ISOFORM_OF_REFERENCE = re.compile(r"\.\s*(?:\[[^\]]*\]\s*)?$")
_FEATURES = {
    "CARBOHYD": "Glycosylation",
    "CROSSLNK": "Cross-link",
    "DNA_BIND": "DNA binding",
    "DOMAIN": "Domain",
    "LIPID": "Lipidation",
    "MOD_RES": "Modified residue",
    "MOTIF": "Motif",
    "REPEAT": "Repeat",
    "ZN_FING": "Zinc finger",
}
_PLACE = r"[<>?]?\d*"
_FEATURE = re.compile(rf"(\w+)\s+(?:[\w-]+:)?({_PLACE})(?:\.\.({_PLACE}))?\s*$")
_OLD_FEATURE = re.compile(rf"(\w+)\s+({_PLACE})\s+({_PLACE})(?:\s+(\S.*))?$")
_QUALIFIER = re.compile(r'/(note|evidence)="([^"]*(?:""[^"]*)*)"')
# What the values behind a cross-reference's id are called in the JSON; `_` is left out.
_PROPERTIES = {
    "Ensembl": ("ProteinId", "GeneId"),
    "HGNC": ("GeneName",),
    "Reactome": ("PathwayName",),
}


def is_flat(text: str) -> bool:
    """Tell whether a text begins as UniProtKB flat text."""
    return _START.match(text) is not None


def flat_entries(text: str) -> list[Entry]:
    """Return the entries of a flat text in the shape of UniProt's REST JSON.

    Raises nothing: what is not understood is left out.
    """
    entries, lines = [], dict[str, list[str]]()
    for line in [*text.splitlines(), "//"]:
        if not line.startswith("//"):
            lines.setdefault(line[:2], []).append(line[5:].rstrip())
            continue
        if "ID" in lines:
            entries.append(_entry(lines))
        lines = {}
    return entries


def _entry(lines: dict[str, list[str]]) -> Entry:
    status = _STATUS.match(lines["ID"][0])
    accessions = [name for name in re.split(r"[;\s]+", " ".join(lines.get("AC", []))) if name]
    taxon = re.match(r"NCBI_TaxID=(\d{1,9})", " ".join(lines.get("OX", [])))
    organism = re.split(r"\s*[(.]", " ".join(lines.get("OS", [])), maxsplit=1)[0]
    return {
        "entryType": _ENTRY_TYPES[status[2]] if status else "",
        "primaryAccession": accessions[0] if accessions else "",
        "secondaryAccessions": accessions[1:],
        "uniProtkbId": status[1] if status else "",
        "organism": {"scientificName": organism, "taxonId": int(taxon[1]) if taxon else None},
        "proteinDescription": _names(lines.get("DE", [])),
        "genes": list(_genes(lines.get("GN", []))),
        "comments": list(_comments(lines.get("CC", []))),
        "features": list(_features(lines.get("FT", []))),
        "uniProtKBCrossReferences": list(_references(lines.get("DR", []))),
    }


def joined(lines: list[str]) -> str:
    """Join wrapped lines: a word that was broken at a hyphen is made whole."""
    parts: list[str] = []
    for line in map(str.strip, lines):
        broken = parts and parts[-1].endswith("-") and not parts[-1].endswith(" -")
        # In "pro- and anti-apoptotic" the hyphen ends a word.
        if parts and not (broken and not re.match(r"(?:and|or|to)(?:\s|$)", line)):
            parts.append(" ")
        parts.append(line)
    return " ".join("".join(parts).split())


def _names(lines: list[str]) -> dict[str, Any]:
    # The parts of a precursor (`Contains:`) have names of their own.
    own = re.split(r"(?:Contains|Includes):", joined(lines), maxsplit=1)[0]
    names: dict[str, Any] = {}
    for kind, value in _FULL_NAME.findall(_EVIDENCE.sub("", own)):
        name = {"fullName": {"value": value.strip()}}
        if kind == "RecName":
            names.setdefault("recommendedName", name)
        else:
            names.setdefault("submissionNames", []).append(name)
    return names


def _genes(lines: list[str]) -> Iterator[dict[str, Any]]:
    text = _EVIDENCE.sub("", joined(lines))
    for part in re.split(r"(?:^|;)\s*and\s+", text):
        fields = dict(re.findall(r"(Name|Synonyms)=([^;]*)", part))
        gene: dict[str, Any] = {}
        if fields.get("Name"):
            gene["geneName"] = {"value": fields["Name"].strip()}
        others = [name.strip() for name in fields.get("Synonyms", "").split(",")]
        if any(others):
            gene["synonyms"] = [{"value": name} for name in others if name]
        if gene:
            yield gene


def _comments(lines: list[str]) -> Iterator[dict[str, Any]]:
    blocks: list[tuple[str, list[str]]] = []
    for line in lines:
        topic = _TOPIC.match(line.strip())
        if topic:
            blocks.append((topic[1], [line.strip()[topic.end() :]]))
        elif line.startswith("---"):
            break
        elif blocks:
            blocks[-1][1].append(line)
    for kind, block in blocks:
        yield comment(kind, block, joined(block).strip())


def _features(lines: list[str]) -> Iterator[dict[str, Any]]:
    blocks: list[list[str]] = []
    for line in lines:
        if line[:1].strip():
            blocks.append([line])
        elif blocks:
            blocks[-1].append(line)
    for head, *rest in blocks:
        new, old = _FEATURE.match(head), _OLD_FEATURE.match(head)
        if new and new[2]:
            said = dict(_QUALIFIER.findall(joined(rest)))
            note, proof = said.get("note", "").replace('""', '"'), said.get("evidence", "")
            yield _feature(new[1], new[2], new[3] or new[2], note, evidences(proof))
        elif old:
            text = joined([old[4] or "", *rest]).partition("/FTId=")[0].strip()
            proof = "".join(_EVIDENCE.findall(text)).replace("}", ",").replace("{", "")
            note = _EVIDENCE.sub("", text).strip().removesuffix(".")
            yield _feature(old[1], old[2], old[3], note, evidences(proof))


def _feature(
    kind: str, start: str, end: str, note: str, proof: list[dict[str, str]]
) -> dict[str, Any]:
    return {
        "type": _FEATURES.get(kind, kind),
        "location": {"start": {"value": _number(start)}, "end": {"value": _number(end)}},
        "description": note,
        "evidences": proof,
    }


def _number(place: str) -> int | None:
    digits = place.lstrip("<>?")
    return int(digits) if 0 < len(digits) < 9 else None


def _references(lines: list[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        parts = _ISOFORM_OF_REFERENCE.sub("", line).split("; ")
        if len(parts) < 2:
            continue
        database, identifier, *values = (part.strip() for part in parts)
        keys = _PROPERTIES.get(database, ())
        # The last value may hold the separator itself.
        values = [*values[: len(keys) - 1], "; ".join(values[len(keys) - 1 :])] if keys else []
        yield {
            "database": database,
            "id": identifier,
            "properties": [
                {"key": key, "value": value} for key, value in zip(keys, values, strict=False)
            ],
        }
