"""Build a store from record files."""

import json
import os
import re
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from intogen_agent.errors import UserError
from intogen_agent.store import schema
from intogen_agent.store.cancers import CancerNames, read_cancer_types, speaks_of_cancer, unify
from intogen_agent.store.genes import GeneNames
from intogen_agent.store.records import (
    ArticleRecord,
    GapRecord,
    GeneRecord,
    ProteinRecord,
    read_records,
)
from intogen_agent.store.schema import records_digest
from intogen_agent.store.search import Store

__all__ = ["BuildResult", "build_store", "records_digest"]

_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z0-9(])|\n+")


@dataclass(frozen=True)
class BuildResult:
    """What a build made.

    Attributes:
        created: False if the store was there already, with the same content.
        counts: Rows by kind: genes, proteins, articles, pairs, cancer_terms; `unknown_genes` are
            those that articles name and genes.jsonl does not describe, `gaps` what is unknown.
    """

    path: Path
    digest: str
    created: bool
    counts: Mapping[str, int]


def build_store(
    records: Path, output: Path, cancer_types: Path, *, as_of: str | None = None
) -> BuildResult:
    """Build a store; the same input gives the same bytes.

    The file is written under another name, checked, and moved in place in one step. An existing
    file is never replaced.

    Args:
        records: The folder of genes.jsonl, proteins.jsonl, articles.jsonl and perhaps gaps.jsonl.
        output: The new file.
        cancer_types: The table of the cancer types' search terms.
        as_of: The day (YYYY-MM-DD) that the records stand for, if it is known.

    Raises:
        UserError: If an input is not valid, or `output` exists with other content.
    """
    if as_of is not None:
        _check_day(as_of)
    try:
        digest = records_digest(records, cancer_types)
    except OSError as error:
        raise UserError(
            f"{error.filename}: cannot be read ({error.strerror}); a store needs genes.jsonl, "
            "proteins.jsonl and articles.jsonl in one folder (an empty file is fine) and the "
            "cancer types' table"
        ) from None
    if output.exists():
        return _existing(output, digest, as_of)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=output.parent, prefix=f".{output.name}.")
    except OSError as error:
        raise UserError(
            f"{output}: cannot be written ({error.strerror}); give another place"
        ) from None
    os.close(descriptor)
    temporary = Path(name)
    try:
        with closing(_connect(temporary)) as connection:
            _Builder(connection, records, cancer_types).run(digest, as_of)
            _check(connection)
        return _move(temporary, output, digest, as_of)
    except sqlite3.OperationalError as error:
        raise UserError(
            f"{output}: cannot be written ({error}); free disk space and build again"
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


def _check_day(as_of: str) -> None:
    try:
        valid = date.fromisoformat(as_of).isoformat() == as_of
    except ValueError:
        valid = False
    if not valid:
        raise UserError(f"--as-of {as_of!r}: not a day; write YYYY-MM-DD")


def _existing(output: Path, digest: str, as_of: str | None) -> BuildResult:
    """Accept an existing store of the same content, refuse anything else."""
    with Store(output) as store:
        if (store.digest, store.as_of) != (digest, as_of):
            raise UserError(
                f"{output}: holds another store (records {store.digest[:12]}, as of "
                f"{store.as_of}; yours: {digest[:12]}, as of {as_of}); give a new name, "
                "a store is never replaced"
            )
        return BuildResult(output, digest, False, store.counts)


def _move(temporary: Path, output: Path, digest: str, as_of: str | None) -> BuildResult:
    """Give the checked file its name unless another build was faster."""
    with temporary.open("rb") as handle:
        os.fsync(handle.fileno())
    umask = os.umask(0)
    os.umask(umask)
    temporary.chmod(0o444 & ~umask)
    try:
        output.hardlink_to(temporary)
    except FileExistsError:
        return _existing(output, digest, as_of)
    except OSError:
        # A file system without hard links; the check before the rename leaves a short gap.
        if output.exists():
            return _existing(output, digest, as_of)
        temporary.replace(output)
    result = _existing(output, digest, as_of)
    return replace(result, created=True)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.create_function("unpack", 1, schema.unpack, deterministic=True)
    # The file is thrown away if anything fails, so it needs neither a journal nor syncing.
    connection.executescript(
        f"PRAGMA page_size={schema.PAGE_SIZE}; PRAGMA application_id={schema.APPLICATION_ID};"
        f"PRAGMA user_version={schema.SCHEMA_VERSION}; PRAGMA journal_mode=OFF;"
        "PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-65536;"
    )
    return connection


def _check(connection: sqlite3.Connection) -> None:
    """Read the whole new file once, and compare the free-text index with the articles."""
    damage = connection.execute("PRAGMA quick_check").fetchone()[0]
    if damage != "ok":
        raise UserError(f"the new store is damaged ({damage}); check the disk and build again")
    connection.execute("INSERT INTO article_fts (article_fts, rank) VALUES ('integrity-check', 1)")


class _Builder:
    """One build: the names found so far and the connection they are written to."""

    def __init__(self, connection: sqlite3.Connection, records: Path, cancer_types: Path) -> None:
        self._sql = connection.execute
        self._script = connection.executescript
        self._records = records
        self._types = read_cancer_types(cancer_types)
        self._cancers = CancerNames(self._types)
        self._symbols: dict[str, int] = {}
        self._others: dict[str, int] = {}

    def run(self, digest: str, as_of: str | None) -> None:
        """Write everything."""
        self._script(schema.TABLES)
        self._script(
            "CREATE TEMP TABLE staged (gene INTEGER, cancer INTEGER, score INTEGER, pmid INTEGER);"
        )
        self._sql("BEGIN")
        genes = list(self._add_genes())
        described = len(genes)
        self._add_proteins()
        self._add_articles(GeneNames(genes))
        gaps = self._add_gaps()
        self._sql(
            "INSERT INTO pair SELECT * FROM staged ORDER BY gene, cancer, score DESC, pmid DESC"
        )
        self._add_cancers()
        self._sql("INSERT INTO article_fts (article_fts) VALUES ('optimize')")
        counts = {
            "genes": described,
            "unknown_genes": len(self._symbols) - described,
            **{
                f"{name}s": self._sql(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608
                for name in ("protein", "article", "pair", "cancer_term")
            },
        }
        head = {"records_digest": digest, "as_of": as_of, **({"gaps": gaps} if gaps else {})}
        for key, value in {**head, **counts}.items():
            self._sql("INSERT INTO meta VALUES (?, ?)", (key, value))
        self._sql("COMMIT")

    def _add_genes(self) -> Iterator[tuple[int, GeneRecord]]:
        path = self._records / "genes.jsonl"
        for line, record in read_records(path, GeneRecord):
            folded = schema.gene_key(record.symbol)
            if folded in self._symbols:
                raise UserError(f"{path}, line {line}: symbol {record.symbol} again; merge the two")
            number = self._add_gene(record.symbol, record.model_dump_json())
            identifiers = (record.hgnc_id, record.entrez_id, record.ensembl_id, record.uniprot)
            for kind, names in (
                (schema.PREVIOUS, record.previous),
                (schema.ALIAS, record.aliases),
                (schema.IDENTIFIER, [name for name in identifiers if name]),
            ):
                for name in names:
                    self._add_name(name, kind, number)
            yield number, record

    def _add_gene(self, symbol: str, record: str | None) -> int:
        number = len(self._symbols) + 1
        self._symbols[schema.gene_key(symbol)] = number
        self._sql("INSERT INTO gene VALUES (?, ?, ?)", (number, symbol, record))
        self._add_name(symbol, schema.SYMBOL, number)
        return number

    def _add_name(self, name: str, kind: int, number: int) -> None:
        folded = schema.gene_key(name)
        if kind in (schema.PREVIOUS, schema.ALIAS):
            # A shared name belongs to the gene that comes first in the file.
            self._others.setdefault(folded, number)
        self._sql("INSERT OR IGNORE INTO gene_name VALUES (?, ?, ?)", (folded, kind, number))

    def _add_proteins(self) -> None:
        path = self._records / "proteins.jsonl"
        seen: set[tuple[str, str]] = set()
        for line, record in read_records(path, ProteinRecord):
            # Genes can share a protein, as those of the histones do.
            key = (record.accession, schema.gene_key(record.gene))
            if key in seen:
                raise UserError(
                    f"{path}, line {line}: accession {record.accession} again; merge the two"
                )
            seen.add(key)
            self._sql(
                "INSERT INTO protein (gene, accession, taxon, record) VALUES (?, ?, ?, ?)",
                (
                    schema.gene_key(record.gene),
                    record.accession,
                    record.taxon_id,
                    record.model_dump_json(),
                ),
            )

    def _add_articles(self, names: GeneNames) -> None:
        path = self._records / "articles.jsonl"
        for line, record in read_records(path, ArticleRecord):
            pmid = int(record.pmid)
            try:
                self._add_article(pmid, record)
            except sqlite3.IntegrityError:
                raise UserError(
                    f"{path}, line {line}: PMID {pmid} again; write one record a paper, with all "
                    "its genes and cancers"
                ) from None
            self._sql(
                "INSERT INTO article_fts (rowid, title, text) VALUES (?, ?, ?)",
                (pmid, record.title, record.text),
            )
            for pair in self._pairs(record, names):
                self._sql("INSERT INTO staged VALUES (?, ?, ?, ?)", (*pair, pmid))

    def _add_gaps(self) -> int:
        """Write what is unknown, if anything is; return how much."""
        path = self._records / schema.GAP_FILE
        gaps = [gap for _, gap in read_records(path, GapRecord)] if path.exists() else []
        if gaps:
            self._sql(schema.GAP_TABLE)
        for gap in gaps:
            self._sql("INSERT INTO gap (record) VALUES (?)", (gap.model_dump_json(),))
        return len(gaps)

    def _add_article(self, pmid: int, record: ArticleRecord) -> None:
        row = (
            pmid,
            record.pmcid,
            record.doi,
            record.title,
            record.journal,
            record.year,
            record.first_author,
            schema.pack(record.text),
            record.text_kind,
            record.retracted,
        )
        self._sql(f"INSERT INTO article VALUES ({','.join('?' * len(row))})", row)  # noqa: S608
        if record.publication_types:
            self._sql(schema.TYPE_TABLE)
            types = json.dumps(record.publication_types, ensure_ascii=False)
            self._sql("INSERT INTO article_type VALUES (?, ?)", (pmid, types))
        for identifier in filter(None, (record.pmcid, record.doi)):
            self._sql("INSERT OR IGNORE INTO article_id VALUES (?, ?)", (identifier, pmid))

    def _pairs(self, record: ArticleRecord, names: GeneNames) -> Iterator[tuple[int, int, int]]:
        """Yield gene, cancer and score for all that an article speaks of.

        A name counts 4 in the title and 1 for each of up to three mentions in the text; a gene and
        a cancer in one sentence add 3. What the record says and no text repeats counts 1.
        """
        segments = [record.title or "", *_SENTENCE.split(record.text)]
        genes = [names.find(segment) for segment in segments]
        cancers = [self._cancers.find(segment) for segment in segments]
        stated = {self._gene(name) for name in record.genes}
        gene_weights = _weights(genes, stated or {gene for part in genes for gene in part})
        cancer_weights = _weights(cancers, self._stated_cancers(record, cancers))
        about_cancer = bool(
            record.cancers or cancer_weights or any(speaks_of_cancer(part) for part in segments)
        )
        together = {
            (gene, cancer)
            for gene_counts, cancer_counts in zip(genes, cancers, strict=True)
            for gene in gene_counts
            for cancer in cancer_counts
        }
        for gene, gene_weight in gene_weights.items():
            yield gene, schema.ANY_CANCER, gene_weight + 3 * about_cancer
            for cancer, weight in cancer_weights.items():
                yield gene, cancer, gene_weight + weight + 3 * ((gene, cancer) in together)

    def _gene(self, name: str) -> int:
        """Return the number of a gene that an article names, a new one if no record has it."""
        folded = schema.gene_key(name)
        number = self._symbols.get(folded) or self._others.get(folded)
        return number or self._add_gene(name, None)

    def _stated_cancers(self, record: ArticleRecord, found: list[Counter[int]]) -> set[int]:
        """Return the concept keys that an article stands under.

        Without a statement those of the terms found; else those stated, and of those found the
        ones that mean the same cancer types or subtypes.
        """
        named = {key for part in found for key in part}
        if not record.cancers:
            return named
        keys: set[int] = set()
        for name in record.cancers:
            query = self._cancers.resolve(name)
            if query is None:
                keys.add(self._cancers.add(" ".join(unify(name))))
            else:
                keys |= query.exact | (named & (query.own | query.narrower))
        return keys

    def _add_cancers(self) -> None:
        for number, cancer in enumerate(self._types, start=1):
            terms = "|".join(cancer.terms)
            row = (number, cancer.scheme, cancer.code, cancer.name, cancer.parent, terms)
            self._sql("INSERT INTO cancer_type VALUES (?, ?, ?, ?, ?, ?)", row)
        for term, key in self._cancers.keys.items():
            self._sql("INSERT INTO cancer_term VALUES (?, ?)", (key, term))


def _weights(segments: list[Counter[int]], keys: set[int]) -> dict[int, int]:
    """Return the weight of each key: the first segment is the title."""
    return {
        key: max(1, 4 * bool(segments[0][key]) + min(3, sum(part[key] for part in segments[1:])))
        for key in sorted(keys)
    }
