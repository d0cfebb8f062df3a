"""The folder of a fetch: every answered question is a file, so nothing is asked for twice.

A file is written in one step when its question has been answered in full, and carries the day of
the answer. What is not there, or cannot be read, was not answered.
"""

import gzip
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError

from intogen_agent import locks
from intogen_agent.cohort.paths import gene_path
from intogen_agent.errors import UserError
from intogen_agent.fetch.hgnc import HgncGene
from intogen_agent.files import digest, write_bytes, write_gzip_lines
from intogen_agent.models import Record
from intogen_agent.store.records import ArticleRecord, ProteinRecord

M = TypeVar("M", bound=BaseModel)
_DAMAGED = (ValueError, EOFError, zlib.error, gzip.BadGzipFile)


class Search(Record):
    """The answer to a search.

    Attributes:
        day: The day of the answer.
        term: What was asked.
        hits: How many papers fit.
        pmids: Those that were taken, the most relevant first.
    """

    day: date
    term: str
    hits: int
    pmids: list[str]


class Batch(Record):
    """The head of an answer to a request for papers.

    Attributes:
        day: The day of the answer.
        asked: The papers that it answers for.
        absent: Those that PubMed has no record of.
        bare: Those without an abstract, or with a record that cannot be read.
        retracts: Papers that those of the batch retract.
    """

    day: date
    asked: list[str]
    absent: list[str] = Field(default_factory=list)
    bare: list[str] = Field(default_factory=list)
    retracts: list[str] = Field(default_factory=list)


class Proteins(Record):
    """The proteins of a gene; an empty list if UniProt has none."""

    day: date
    gene: str
    accessions: list[str]
    records: list[ProteinRecord]


class _Day(Record):
    day: date


class Shelf:
    """The folder.

    Args:
        folder: Where it is; it is made if it is not there.
        since: Answers of earlier days do not count as answered; None: all do.
    """

    def __init__(self, folder: Path, since: date | None = None) -> None:
        self.folder = folder
        self._since = since
        self.damaged: list[Path] = []

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold the folder: two fetches into one would ask for everything twice.

        Raises:
            UserError: Another fetch holds it, or it cannot be written to.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise UserError(
                f"{self.folder}: cannot be written ({error.strerror}); give another folder"
            ) from None
        try:
            if locks.take(descriptor) is False:
                raise UserError(f"{self.folder}: another fetch is at work in it; wait for it")
            yield
        finally:
            os.close(descriptor)

    def fresh(self, day: date) -> bool:
        """Tell whether an answer of this day need not be asked for again."""
        return self._since is None or day >= self._since

    # Searches

    def search(self, term: str, bounds: object) -> Search | None:
        """Return the answer to a search, whatever its day."""
        return self._read(self._search_path(term, bounds), Search)

    def keep_search(self, search: Search, bounds: object) -> None:
        """Keep the answer to a search."""
        self._write(self._search_path(search.term, bounds), [search.model_dump_json()])

    def _search_path(self, term: str, bounds: object) -> Path:
        return self.folder / "searches" / f"{digest([term, bounds])[:24]}.json.gz"

    # Papers

    def batches(self) -> list[tuple[Path, Batch]]:
        """Return the heads of all batches of papers, the latest first."""
        heads = []
        for path in sorted((self.folder / "articles").glob("*.jsonl.gz")):
            head = self._read(path, Batch)
            if head is not None:
                heads.append((path, head))
        return sorted(heads, key=lambda pair: (-pair[1].day.toordinal(), pair[0].name))

    def articles(self, path: Path) -> Iterator[ArticleRecord]:
        """Yield the papers of a batch.

        Raises:
            UserError: The file is damaged.
        """
        try:
            with gzip.open(path, "rt", encoding="utf-8") as handle:
                next(handle)
                for text in handle:
                    yield ArticleRecord.model_validate_json(text)
        except _DAMAGED:
            raise UserError(
                f"{path}: damaged; delete the file and run again, its papers are fetched anew"
            ) from None

    def keep_batch(self, batch: Batch, records: Iterable[ArticleRecord]) -> None:
        """Keep papers."""
        name = f"{batch.day}-{digest(batch.asked)[:24]}.jsonl.gz"
        texts = [record.model_dump_json(exclude_defaults=True) for record in records]
        self._write(self.folder / "articles" / name, [batch.model_dump_json(), *texts])

    # Proteins and genes

    def proteins(self, gene: str) -> Proteins | None:
        """Return the proteins of a gene, whatever the answer's day."""
        return self._read(self._protein_path(gene), Proteins)

    def keep_proteins(self, proteins: Proteins) -> None:
        """Keep the proteins of a gene."""
        self._write(self._protein_path(proteins.gene), [proteins.model_dump_json()])

    def _protein_path(self, gene: str) -> Path:
        return self.folder / "proteins" / f"{gene_path(gene)}.json.gz"

    def genes(self) -> tuple[date, Iterator[HgncGene]] | None:
        """Return all genes, whatever the answer's day."""
        path = self.folder / "hgnc.jsonl.gz"
        head = self._read(path, _Day)
        return None if head is None else (head.day, self._genes(path))

    def _genes(self, path: Path) -> Iterator[HgncGene]:
        try:
            with gzip.open(path, "rt", encoding="utf-8") as handle:
                next(handle)
                for text in handle:
                    yield HgncGene.model_validate_json(text)
        except _DAMAGED:
            raise UserError(f"{path}: damaged; delete the file and run again") from None

    def keep_genes(self, day: date, genes: Sequence[HgncGene]) -> None:
        """Keep all genes."""
        texts = (gene.model_dump_json(exclude_defaults=True) for gene in genes)
        self._write(self.folder / "hgnc.jsonl.gz", [_Day(day=day).model_dump_json(), *texts])

    # Files

    def _read(self, path: Path, model: type[M]) -> M | None:
        """Read the first line of a file; None if it is not there or damaged."""
        try:
            with gzip.open(path, "rt", encoding="utf-8") as handle:
                return model.model_validate_json(handle.readline())
        except FileNotFoundError:
            return None
        except (*_DAMAGED, ValidationError):
            self.damaged.append(path)
            return None
        except OSError as error:
            raise UserError(f"{path}: cannot be read ({error.strerror}); mend it") from None

    def _write(self, path: Path, texts: Iterable[str]) -> None:
        with saving(path):
            write_gzip_lines(path, texts)


@contextmanager
def saving(path: Path) -> Iterator[None]:
    """Say in one line what to do when a file cannot be written.

    Raises:
        UserError: The disk is full, or the folder cannot be written to.
    """
    try:
        yield
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written ({error.strerror}); free disk space and run again, "
            "nothing that was answered is asked again"
        ) from None


def write_lines(path: Path, texts: Iterable[str]) -> None:
    """Write a file of lines."""
    with saving(path):
        write_bytes(path, "".join(f"{text}\n" for text in texts).encode())
