"""The comments of UniProtKB flat text, in the shape of UniProt's REST JSON."""

import re
from collections.abc import Iterator
from typing import Any

_EVIDENCE = re.compile(r"\s*\{(ECO:[^{}]*)\}[.;]?\s*")
_BRACES = re.compile(r"\s*\{[^{}]*\}")
_MOLECULE = re.compile(r"\[([^\]]+)\]:\s*")
_PLACE = re.compile(r"\{([^{}]*)\}|([.;])|([^{}.;]+)")
_NOTE = re.compile(r"(?:^|\s)Note=")
_EXPERIMENTS = re.compile(r"NbExp=(\d{1,6})")


def comment(kind: str, lines: list[str], text: str) -> dict[str, Any]:
    """Return one comment.

    Args:
        kind: Its topic, such as `FUNCTION`.
        lines: Its lines.
        text: Its lines joined.
    """
    if kind == "INTERACTION":
        return {"commentType": kind, "interactions": list(_interactions(lines))}
    if kind == "ALTERNATIVE PRODUCTS":
        return {"commentType": kind, "isoforms": list(_isoforms(text))}
    said: dict[str, Any] = {"commentType": kind}
    molecule = _MOLECULE.match(text)
    if molecule:
        said["molecule"] = molecule[1]
        text = text[molecule.end() :]
    if kind == "SUBCELLULAR LOCATION":
        said["subcellularLocations"] = list(_locations(_NOTE.split(text, maxsplit=1)[0]))
    else:
        said["texts"] = list(_texts(text))
    return said


def evidences(text: str) -> list[dict[str, str]]:
    """Read evidence such as `ECO:0000269|PubMed:12529371, ECO:0000255`."""
    found = []
    for part in text.split(","):
        code, _, source = part.strip().partition("|")
        if code.startswith("ECO:"):
            name, _, identifier = source.partition(":")
            whose = {"source": name, "id": identifier} if identifier else {}
            found.append({"evidenceCode": code, **whose})
    return found


def _texts(text: str) -> Iterator[dict[str, Any]]:
    """Yield the statements of a comment, each with the evidence that stands behind it."""
    parts = [*_EVIDENCE.split(text), ""]
    for value, proof in zip(parts[::2], parts[1::2], strict=True):
        if value.strip(" ."):
            yield {"value": value.strip().removesuffix("."), "evidences": evidences(proof)}


def _locations(text: str) -> Iterator[dict[str, Any]]:
    place: dict[str, Any] = {}
    # Behind a semicolon stand topology and orientation, with evidence of their own.
    aside = False
    for proof, mark, name in _PLACE.findall(text):
        if mark == ".":
            yield from [{"location": place}] if place else []
            place, aside = {}, False
        elif mark == ";":
            aside = True
        elif not aside and proof and place:
            place["evidences"] = evidences(proof)
        elif not aside and name.strip() and not place:
            place = {"value": name.strip(), "evidences": []}
    yield from [{"location": place}] if place else []


def _interactions(lines: list[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        first, *rest = (part.strip() for part in line.split(";"))
        # Since 2019 both partners are named; before, the other one alone.
        paired = bool(rest) and "=" not in rest[0] and rest[0] not in ("", "Xeno")
        accession, _, gene = (rest[0] if paired else first).partition(":")
        experiments = _EXPERIMENTS.search(line)
        if experiments:
            yield {
                "interactantTwo": {
                    "uniProtKBAccession": accession.strip(),
                    "geneName": gene.strip().strip("-"),
                },
                "numberOfExperiments": int(experiments[1]),
                "organismDiffer": "Xeno" in rest,
            }


def _isoforms(text: str) -> Iterator[dict[str, Any]]:
    for part in _BRACES.sub("", text).split("Name=")[1:]:
        name, *fields = (field.strip() for field in part.split(";"))
        ids = next((field for field in fields if field.startswith("IsoId=")), "IsoId=")
        yield {
            "name": {"value": name},
            "isoformIds": [one.strip() for one in ids.removeprefix("IsoId=").split(",")],
        }
