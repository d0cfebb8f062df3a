"""Read a store: genes, proteins, articles. Nothing here writes, locks or waits."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from intogen_agent.errors import UserError
from intogen_agent.store import schema
from intogen_agent.store.cancers import CancerNames, CancerType
from intogen_agent.store.gaps import Gaps
from intogen_agent.store.ranking import DEEPEST_HIT, Diseases, pair_search, text_search
from intogen_agent.store.reader import Reader
from intogen_agent.store.records import ArticleRecord, GapRecord, GeneRecord, ProteinRecord

MatchKind = Literal["symbol", "previous", "alias", "identifier"]
_KINDS: tuple[MatchKind, ...] = ("symbol", "previous", "alias", "identifier")
_TAXA = {"human": 9606, "mouse": 10090, "rat": 10116}
_COLUMNS = "pmid, pmcid, doi, title, journal, year, first_author, text, text_kind, retracted"
_PMID = re.compile(
    r"(?:PMID:?\s*|https?://pubmed\.ncbi\.nlm\.nih\.gov/"
    r"|https?://www\.ncbi\.nlm\.nih\.gov/pubmed/)?([1-9][0-9]{0,8})/?",
    re.IGNORECASE,
)
_PMCID = re.compile(r"(?:PMCID:?\s*|https?://\S+/)?(PMC[0-9]+)/?", re.IGNORECASE)


@dataclass(frozen=True)
class GeneMatch:
    """A gene and the kind of name by which it was found; `others` share that name."""

    record: GeneRecord
    matched: MatchKind
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class ArticleHit:
    """An article and how well it fits; scores of one search can be compared, no others."""

    article: ArticleRecord
    score: float


class Store:
    """A store, opened for reading.

    Attributes:
        digest: SHA-256 over the files it was built from.
        as_of: The day that its records stand for, if the build was told.
        counts: Rows by kind.
        gaps: How many questions were not answered when its records were made.
    """

    def __init__(self, path: Path, *, digest: str | None = None) -> None:
        """Open a store.

        Args:
            path: The file.
            digest: The digest that it must have, if any will not do.

        Raises:
            UserError: If the file is missing, damaged, no store, of another version, or not the
                one that was asked for; it says what to do.
        """
        self._reader = Reader(path)
        self.path = path
        self.digest = self._reader.digest
        self.as_of = self._reader.as_of
        self.counts = self._reader.counts
        self.gaps = self._reader.gaps
        self._cancers: CancerNames | None = None
        self._typed = self._reader.has_table("article_type")
        if digest is not None and digest != self.digest:
            self.close()
            raise UserError(
                f"{path}: built from records {self.digest[:12]}, wanted {digest[:12]}; build a "
                "store of these records under a new name"
            )

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._reader.close()

    def gene(self, name: str) -> GeneMatch | None:
        """Return a gene by its symbol, else a previous symbol, else an alias, else an identifier.

        Case does not matter unless symbols differ by it alone. Identifiers are HGNC, Entrez,
        Ensembl (with or without version) and UniProt.
        """
        for kind, numbers in self._named(name):
            records = [self._gene_record(number) for number in numbers]
            known = [record for record in records if record is not None]
            if known:
                others = tuple(record.symbol for record in known[1:])
                return GeneMatch(known[0], _KINDS[kind], others)
        return None

    def proteins(self, gene: str, organism: str | None = None) -> list[ProteinRecord]:
        """Return the proteins of a gene, reviewed and human ones first.

        Args:
            gene: Any name of the gene, or an accession.
            organism: A name (`human`, `Homo sapiens`) or a taxonomy number; none means all.
        """
        gene = _clean(gene)
        match = self.gene(gene)
        names = {schema.gene_key(gene)} | (
            {schema.gene_key(match.record.symbol)} if match else set()
        )
        marks = ",".join("?" * len(names))
        rows = self._reader.rows(
            f"SELECT record FROM protein WHERE gene IN ({marks}) OR accession = ?",  # noqa: S608
            (*sorted(names), gene.upper()),
        )
        proteins = [ProteinRecord.model_validate_json(row[0]) for row in rows]
        if organism is not None and organism.strip():
            wanted = organism.strip().casefold()
            taxon = _TAXA.get(wanted, int(wanted) if re.fullmatch("[0-9]{1,9}", wanted) else None)
            proteins = [
                protein
                for protein in proteins
                if protein.taxon_id == taxon or protein.organism.casefold() == wanted
            ]
        return sorted(proteins, key=lambda p: (not p.reviewed, p.taxon_id != 9606, p.accession))

    def article(self, identifier: str) -> ArticleRecord | None:
        """Return an article by its PMID, DOI or PMC id, with or without prefix or address."""
        text = _clean(identifier)
        if found := re.search(r"10\.[0-9]{4,9}/\S+", text):
            return self._article_by_id(found.group().lower())
        if found := _PMCID.fullmatch(text):
            return self._article_by_id(found.group(1).upper())
        if found := _PMID.fullmatch(text):
            articles = self._articles([int(found.group(1))])
            return articles[0] if articles else None
        return None

    def articles(
        self,
        genes: Sequence[str] = (),
        diseases: Sequence[str] = (),
        keywords: Sequence[str] = (),
        limit: int = 10,
        page: int = 1,
    ) -> list[ArticleHit]:
        """Search the literature.

        With genes: articles that name a gene and a disease. Several genes, or several diseases,
        are alternatives; articles that name more of the genes come first. A disease stands for
        the cancer types whose term, name or code it is, their other terms and their subtypes;
        a general word (cancer, tumor) stands for any cancer and for articles on none, and counts
        only where no disease is named. Keywords exclude nothing, they rank the 1,000 best
        articles. Equal scores: the higher PMID first.

        Without genes: articles whose words match any keyword and any disease, by BM25.

        Args:
            genes: Symbols, aliases or identifiers; a gene unknown to the store is looked for as
                a word.
            diseases: Names, terms or codes of cancer types.
            keywords: Words or short phrases; a phrase matches if all its words occur.
            limit: Hits of a page.
            page: From 1.

        Raises:
            UserError: If nothing is asked for, or the file is damaged.
        """
        genes, diseases, keywords = _filled(genes), _filled(diseases), _filled(keywords)
        if not (genes or diseases or keywords):
            raise UserError("a search needs a gene, a disease or a keyword; give one")
        start = limit * (page - 1)
        count = min(start + limit, DEEPEST_HIT)
        wanted = Diseases(self._names(), diseases)
        if genes:
            numbers, words = self._targets(genes)
            ranked = pair_search(self._reader, wanted, numbers, words, keywords, count)
        else:
            ranked = text_search(self._reader, wanted, keywords, count)
        hits = ranked[start:count]
        articles = self._articles([pmid for pmid, _ in hits])
        return [
            ArticleHit(article, score) for article, (_, score) in zip(articles, hits, strict=True)
        ]

    def unknown(self) -> Gaps:
        """Return what is unknown to the store, which an empty answer must not pass over."""
        rows = self._reader.rows("SELECT record FROM gap ORDER BY id") if self.gaps else []
        gaps = [GapRecord.model_validate_json(row[0]) for row in rows]
        return Gaps(gaps, self._canonical, self._names)

    def _canonical(self, gene: str) -> str:
        match = self.gene(gene)
        return schema.gene_key(match.record.symbol if match else gene)

    def _targets(self, genes: Sequence[str]) -> tuple[list[int], list[str]]:
        """Split genes into the numbers of those that the store knows and the names of others."""
        numbers: dict[int, None] = {}
        words: list[str] = []
        for name in genes:
            named = next(self._named(name), None)
            if named is None:
                words.append(name)
            else:
                numbers.update(dict.fromkeys(named[1]))
        return list(numbers), words

    def _names(self) -> CancerNames:
        """Return the cancer types' terms, read when first needed."""
        if self._cancers is None:
            types = [
                CancerType(scheme, code, name, parent, tuple(terms.split("|")))
                for scheme, code, name, parent, terms in self._reader.rows(
                    "SELECT scheme, code, name, parent, terms FROM cancer_type ORDER BY id"
                )
            ]
            known = dict(self._reader.rows("SELECT term, id FROM cancer_term"))
            self._cancers = CancerNames(types, known)
        return self._cancers

    def _named(self, name: str) -> Iterator[tuple[int, list[int]]]:
        """Yield the genes that a name means, by kind of name, the best kind first."""
        name = _clean(name)
        exact = self._reader.rows("SELECT id FROM gene WHERE symbol = ?", (name,))
        if exact:
            yield schema.SYMBOL, [exact[0][0]]
        key = re.sub(r"^(ensg[0-9]{11})\.[0-9]+$", r"\1", schema.gene_key(name))
        kinds: dict[int, list[int]] = {}
        for kind, number in self._reader.rows(
            "SELECT kind, gene FROM gene_name WHERE name = ? ORDER BY kind, gene", (key,)
        ):
            kinds.setdefault(kind, []).append(number)
        yield from kinds.items()

    def _gene_record(self, number: int) -> GeneRecord | None:
        rows = self._reader.rows(
            "SELECT record FROM gene WHERE id = ? AND record NOT NULL", (number,)
        )
        return GeneRecord.model_validate_json(rows[0][0]) if rows else None

    def _article_by_id(self, identifier: str) -> ArticleRecord | None:
        rows = self._reader.rows("SELECT pmid FROM article_id WHERE id = ?", (identifier,))
        return self._articles([rows[0][0]])[0] if rows else None

    def _articles(self, pmids: Sequence[int]) -> list[ArticleRecord]:
        """Return articles in the order of their PMIDs; unknown ones are left out."""
        articles = []
        for pmid in pmids:
            for row in self._reader.rows(
                f"SELECT {_COLUMNS} FROM article WHERE pmid = ?",  # noqa: S608
                (pmid,),
            ):
                fields = dict(zip(_COLUMNS.split(", "), row, strict=True))
                fields["pmid"] = str(pmid)
                fields["text"] = self._reader.unpack(fields["text"])
                fields["retracted"] = bool(fields["retracted"])
                fields["publication_types"] = self._types(pmid)
                articles.append(ArticleRecord.model_validate(fields))
        return articles

    def _types(self, pmid: int) -> list[str]:
        if not self._typed:
            return []
        rows = self._reader.rows("SELECT types FROM article_type WHERE pmid = ?", (pmid,))
        return [str(kind) for (types,) in rows for kind in json.loads(types)]


def pmid_of(identifier: str) -> str | None:
    """Return the PMID that an article is asked for by; None if it is another identifier."""
    found = _PMID.fullmatch(_clean(identifier))
    return found.group(1) if found else None


def _clean(text: str) -> str:
    """Return a question without surplus space, fit for SQLite (no lone surrogates)."""
    return " ".join(text.encode(errors="replace").decode().split())


def _filled(texts: Sequence[str]) -> list[str]:
    """Return questions without blank and repeated ones."""
    return [text for text in dict.fromkeys(map(_clean, texts)) if text]
