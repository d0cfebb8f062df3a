"""Reaching into UniProt's JSON: every reader here takes any shape and never raises."""

from typing import Any

Entry = dict[str, Any]


def at(value: Any, *path: str) -> Any:
    """Return what lies at a path of keys; None where an answer has another shape."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def items(value: Any, *path: str) -> list[Entry]:
    """Return the objects of a list at a path; none where an answer has another shape."""
    found = at(value, *path)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def text_at(value: Any, *path: str) -> str:
    """Return the text or number at a path on one line; empty where there is none."""
    found = at(value, *path)
    if isinstance(found, bool) or not isinstance(found, str | int | float):
        return ""
    return " ".join(str(found).split())


def accession_of(entry: Entry) -> str:
    """Return an entry's primary accession; empty where it has none."""
    return text_at(entry, "primaryAccession")


def is_uniprot(entry: Entry) -> bool:
    """Tell whether an entry says that it is UniProtKB's."""
    return text_at(entry, "entryType").startswith("UniProtKB")


def is_reviewed(entry: Entry) -> bool:
    """Tell whether an entry is of Swiss-Prot, the reviewed part of UniProtKB."""
    return is_uniprot(entry) and "Swiss-Prot" in text_at(entry, "entryType")


def protein_name(entry: Entry) -> str | None:
    """Return the recommended name of a protein, or the submitted one of an unreviewed entry."""
    recommended = text_at(entry, "proteinDescription", "recommendedName", "fullName", "value")
    submitted = (
        text_at(name, "fullName", "value")
        for name in items(entry, "proteinDescription", "submissionNames")
    )
    return recommended or next(filter(None, submitted), None)


def primary_symbol(gene: Entry) -> str:
    """Return the primary symbol of one of an entry's genes."""
    return text_at(gene, "geneName", "value")


def synonyms(gene: Entry) -> list[str]:
    """Return the other symbols of one of an entry's genes."""
    return [name for one in items(gene, "synonyms") if (name := text_at(one, "value"))]


def property_of(reference: Entry, key: str) -> str:
    """Return a property of a cross-reference; empty where it has none."""
    values = (
        text_at(one, "value") for one in items(reference, "properties") if one.get("key") == key
    )
    return next(values, "")
