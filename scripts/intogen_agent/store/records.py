"""The records of a local store, one JSON object a line, and how they are checked."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from intogen_agent.errors import UserError
from intogen_agent.models import Record

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def _readable(text: str) -> str:
    if found := _CONTROL.search(text):
        raise ValueError(f"it holds the control character U+{ord(found.group()):04X}; remove it")
    if not text.strip():
        raise ValueError("it is blank; write null or leave the entry out")
    return text.strip()


def _one_line(text: str) -> str:
    return " ".join(_readable(text).split())


def _lower(text: str) -> str:
    return text.lower()


Text = Annotated[str, AfterValidator(_readable)]
Line = Annotated[str, AfterValidator(_one_line)]
Pmid = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,8}$")]
ACCESSION = r"^([OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9]([A-Z][A-Z0-9]{2}[0-9]){1,2})$"
"""UniProtKB's pattern of accessions."""
Accession = Annotated[str, Field(pattern=ACCESSION)]


class _Strict(Record):
    model_config = ConfigDict(strict=True)


class GeneRecord(_Strict):
    """Who a gene is. `previous` are earlier approved symbols."""

    symbol: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.@-]{0,39}$")]
    name: Line | None = None
    hgnc_id: Annotated[str, Field(pattern=r"^HGNC:[0-9]+$")] | None = None
    entrez_id: Annotated[str, Field(pattern=r"^[0-9]+$")] | None = None
    ensembl_id: Annotated[str, Field(pattern=r"^ENSG[0-9]{11}$")] | None = None
    uniprot: Accession | None = None
    aliases: list[Line] = Field(default_factory=list)
    previous: list[Line] = Field(default_factory=list)
    summary: Text | None = None
    summary_source: Line | None = None


class Statement(_Strict):
    """One fact of a protein and the papers that the record names for it."""

    text: Line
    pmids: list[Pmid] = Field(default_factory=list)


class Isoform(_Strict):
    """One isoform."""

    id: Line
    name: Line


class ProteinRecord(_Strict):
    """What a protein does.

    `text_kind` is `uniprot` for the facts of that UniProtKB entry, restated, and
    `general_knowledge` for texts that are not from UniProtKB and must never be cited as such.
    """

    gene: Line
    accession: Accession
    entry_name: Line | None = None
    name: Line | None = None
    organism: Line
    taxon_id: Annotated[int, Field(ge=1)]
    reviewed: bool
    length: Annotated[int, Field(ge=1)] | None = None
    text_kind: Literal["uniprot", "general_knowledge"]
    function: list[Statement] = Field(default_factory=list)
    isoforms: list[Isoform] = Field(default_factory=list)
    domains: list[Statement] = Field(default_factory=list)
    motifs: list[Statement] = Field(default_factory=list)
    subcellular_locations: list[Statement] = Field(default_factory=list)
    interactions: list[Statement] = Field(default_factory=list)
    modifications: list[Statement] = Field(default_factory=list)

    def statements(self) -> Iterator[Statement]:
        """Yield the facts of all categories."""
        for category in (
            self.function,
            self.domains,
            self.motifs,
            self.subcellular_locations,
            self.interactions,
            self.modifications,
        ):
            yield from category

    @model_validator(mode="after")
    def _general_knowledge_names_no_entry(self) -> "ProteinRecord":
        if self.text_kind == "general_knowledge":
            texts = [self.name or "", *(statement.text for statement in self.statements())]
            texts += [isoform.name for isoform in self.isoforms]
            if any(self.accession in text or "uniprot" in text.lower() for text in texts):
                raise ValueError(
                    "a text of kind general_knowledge names UniProt or its accession, as if it "
                    "came from there; reword it"
                )
        return self


class ArticleRecord(_Strict):
    """One paper. `text` is its abstract, or a synopsis in other words; `text_kind` says which.

    `genes` and `cancers` say what the paper is about; an empty list leaves it to the gazetteer.
    """

    pmid: Pmid
    pmcid: Annotated[str, Field(pattern=r"^PMC[0-9]+$")] | None = None
    doi: Annotated[str, Field(pattern=r"^10\.[0-9]{4,9}/\S+$"), AfterValidator(_lower)] | None = (
        None
    )
    title: Line | None = None
    journal: Line | None = None
    year: Annotated[int, Field(ge=1800, le=2199)] | None = None
    first_author: Line | None = None
    text: Text
    text_kind: Literal["synopsis", "abstract"]
    retracted: bool = False
    genes: list[Line] = Field(default_factory=list)
    cancers: list[Line] = Field(default_factory=list)
    publication_types: list[Line] = Field(default_factory=list)


class GapRecord(_Strict):
    """A question that no service answered when the records were made: unknown, not absent.

    `cancer` is null for a search about any cancer; `pmids` are papers that a search listed and
    that were not fetched.
    """

    kind: Literal["gene", "protein", "articles"]
    gene: Line
    cancer: Line | None = None
    pmids: list[Pmid] = Field(default_factory=list)
    reason: Line


R = TypeVar("R", bound=BaseModel)


def read_records(path: Path, model: type[R]) -> Iterator[tuple[int, R]]:
    """Read a file of records.

    Args:
        path: JSON lines in UTF-8; blank lines are skipped.
        model: The kind of record.

    Yields:
        The line's number, from 1, and the record.

    Raises:
        UserError: If the file is missing or a record is not valid; it names file, line, field,
            value and remedy.
    """
    try:
        handle = path.open("rb")
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read ({error.strerror}); a store needs genes.jsonl, "
            "proteins.jsonl and articles.jsonl in one folder (an empty file is fine)"
        ) from None
    with handle:
        for number, line in enumerate(handle, start=1):
            data = line.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else line.strip()
            if not data:
                continue
            try:
                yield number, model.model_validate_json(data)
            except ValidationError as error:
                raise UserError(f"{path}, line {number}: {_explain(error, model)}") from None


def _explain(error: ValidationError, model: type[BaseModel]) -> str:
    """Put the first thing that is wrong with a record on one line."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "json_invalid" or (first["type"] == "model_type" and not field):
        return f"not a JSON object ({message}); write one record a line, in UTF-8"
    if first["type"] == "missing":
        return f"field {field} is missing; add it"
    if first["type"] == "extra_forbidden":
        known = ", ".join(model.model_fields)
        return f"field {field} is not known; remove it (fields: {known})"
    if not field:
        return f"{message[0].lower()}{message[1:]}"
    shown = repr(first["input"])
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    return f"field {field} is {shown}: {message[0].lower()}{message[1:]}; correct the record"
