"""The layout of a store file, and the digest that names one.

One SQLite file, read by many processes at once over a shared file system, never changed after it
was built. The main access path is `pair`: which articles speak of a gene and a cancer, with a
score, in the order in which they are wanted. Texts are compressed with zlib: 1.5 kB abstracts
shrink by half, which is what a copy to a node's own disk costs, and the 20 texts of an answer
take less than a millisecond to restore; zstd would do better but is not in the standard library.
"""

import hashlib
import zlib
from pathlib import Path

APPLICATION_ID = 0x494E5345
SCHEMA_VERSION = 1
PAGE_SIZE = 16384
RECORD_FILES = ("genes.jsonl", "proteins.jsonl", "articles.jsonl")
GAP_FILE = "gaps.jsonl"
"""Not every folder of records has it: what no service answered when the records were made."""

ANY_CANCER = 0
"""The cancer key of `pair` under which every article of a gene stands."""

SYMBOL, PREVIOUS, ALIAS, IDENTIFIER = range(4)
"""The kinds of a gene's names, in the order in which a name is tried."""

# `pair` is a table without rowid: its primary key is the table, so the best articles of a gene
# and a cancer are one short range of pages.
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE gene (id INTEGER PRIMARY KEY, symbol TEXT NOT NULL UNIQUE, record TEXT);
CREATE TABLE gene_name (
  name TEXT NOT NULL, kind INTEGER NOT NULL, gene INTEGER NOT NULL,
  PRIMARY KEY (name, kind, gene)
) WITHOUT ROWID;
CREATE TABLE protein (
  id INTEGER PRIMARY KEY, gene TEXT NOT NULL, accession TEXT NOT NULL,
  taxon INTEGER NOT NULL, record TEXT NOT NULL
);
CREATE INDEX protein_gene ON protein (gene);
CREATE INDEX protein_accession ON protein (accession);
CREATE TABLE cancer_type (
  id INTEGER PRIMARY KEY, scheme TEXT NOT NULL, code TEXT NOT NULL, name TEXT NOT NULL,
  parent TEXT NOT NULL, terms TEXT NOT NULL
);
CREATE TABLE cancer_term (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE);
CREATE TABLE article (
  pmid INTEGER PRIMARY KEY, pmcid TEXT, doi TEXT, title TEXT, journal TEXT, year INTEGER,
  first_author TEXT, text BLOB NOT NULL, text_kind TEXT NOT NULL, retracted INTEGER NOT NULL
);
CREATE TABLE article_id (id TEXT PRIMARY KEY, pmid INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE pair (
  gene INTEGER NOT NULL, cancer INTEGER NOT NULL, score INTEGER NOT NULL, pmid INTEGER NOT NULL,
  PRIMARY KEY (gene, cancer, score DESC, pmid DESC)
) WITHOUT ROWID;
CREATE VIEW article_words AS SELECT pmid, title, unpack(text) AS text FROM article;
CREATE VIRTUAL TABLE article_fts USING fts5(
  title, text, content='article_words', content_rowid='pmid',
  tokenize="porter unicode61 remove_diacritics 2"
);
INSERT INTO article_fts (article_fts, rank) VALUES ('rank', 'bm25(4.0, 1.0)');
"""


# Only a store of which something is unknown has it.
GAP_TABLE = "CREATE TABLE gap (id INTEGER PRIMARY KEY, record TEXT NOT NULL);"
# Only a store that knows of any has it.
TYPE_TABLE = (
    "CREATE TABLE IF NOT EXISTS article_type (pmid INTEGER PRIMARY KEY, types TEXT NOT NULL);"
)


def records_digest(folder: Path, cancer_types: Path) -> str:
    """Return the digest that names the store built from these files.

    Args:
        folder: The folder of genes.jsonl, proteins.jsonl, articles.jsonl and perhaps gaps.jsonl.
        cancer_types: The table of the cancer types' search terms.

    Returns:
        64 hexadecimal digits: SHA-256 over the layout's version and every file's SHA-256.

    Raises:
        OSError: If a file cannot be read.
    """
    total = hashlib.sha256(f"store {SCHEMA_VERSION}\n".encode())
    names = [*RECORD_FILES, *([GAP_FILE] if (folder / GAP_FILE).exists() else [])]
    for name, path in [*((name, folder / name) for name in names), ("", cancer_types)]:
        with path.open("rb") as handle:
            total.update(f"{name} {hashlib.file_digest(handle, 'sha256').hexdigest()}\n".encode())
    return total.hexdigest()


def pack(text: str) -> bytes:
    """Compress a text."""
    return zlib.compress(text.encode(), 6)


def unpack(data: bytes) -> str:
    """Restore a text.

    Raises:
        zlib.error: If the bytes are damaged.
    """
    return zlib.decompress(data).decode()


def gene_key(name: str) -> str:
    """Return the form under which a gene's name is looked up (case does not matter)."""
    return " ".join(name.split()).casefold()
