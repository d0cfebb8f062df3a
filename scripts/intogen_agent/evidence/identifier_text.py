"""Finding identifiers in running text.

One pass says which of the literals that patterns start with occur. A pattern is only tried where
one of its own stands, and has bounded repeats and no nested ones: the time is linear in the text.
"""

import itertools
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import itemgetter

from intogen_agent.evidence.databases import (
    DATABASES,
    OTHERS,
    REGISTERS,
    UNIPROT_ACCESSION,
)
from intogen_agent.evidence.identifiers import (
    HYPHENS,
    INVISIBLE,
    Identifier,
    database_identifier,
    normal_doi,
    parse_url,
    pmid_identifier,
)

# A place in the text; None marks an address that is no reference, whose parts are none either.
Span = tuple[int, int, Identifier | None]
Literals = tuple[str, ...]
Finder = Callable[[str, Literals], Iterator[Span]]

_LABEL_END = r"[\"']?\s{0,3}[:=#-]?\s{0,3}[\"'{]?"
_NOT_IN_WORD = r"(?<![A-Za-z0-9])"
_ENDED = r"(?![A-Za-z0-9_]|\.\d)"

_URL = re.compile(r"https?://[^\s<>\"'`\\^{}|，。；、）】」”’»…—]{1,2000}")
_PUBMED = re.compile(
    rf"(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/([1-9]\d{{0,7}}){_ENDED}"
)
_DOI = re.compile(
    r"(?<!\d)(?<!\d\.)10\.\d{4,9}(?:\.\d{1,9}){0,4}(?:/|%(?:25)?2[Ff])"
    rf"[!#-&(-\[\]_a-z~{HYPHENS}{INVISIBLE}]{{1,300}}"
)
_RESOLVER = re.compile(r"(?:https?://)?(?:dx\.|www\.)?doi\.org/(?:doi:)?|doi:", re.I)
_RESOLVER_BEFORE = re.compile(rf"(?:{_RESOLVER.pattern})\Z", re.I)
# Where another identifier follows without a blank: `10.1038/a,10.1038/b`, `10.1038/a[PMID:1]`.
_NEXT = re.compile(
    r"[,;|.()\[\]]{1,4}(?=(?:doi|pmids?|pmcid|pubmed)(?:[:=]|$)|https?:)"
    r"|[,;|()\[\]]{1,4}(?=10\.\d{4,9}/|pmc\d|nct\d)",
    re.I,
)
_PMID = re.compile(
    rf"{_NOT_IN_WORD}(?:PMIDs?|PubMed\s?IDs?|(?P<site>PubMed))"
    rf"(?P<mark>{_LABEL_END})(?P<digits>[1-9]\d{{0,7}}){_ENDED}",
    re.I,
)
_MORE = rf"\s{{0,3}}(?:[,;/|&](?:\s?and\b)?|and\b)\s{{0,3}}([1-9]\d{{%s,7}}){_ENDED}(?!-\d)"
_MORE_PMIDS = re.compile(_MORE % 6)
# Behind a label in the plural, shorter ones too.
_LISTED_PMIDS = re.compile(_MORE % 4)
# "PubMed: 15430 results", "PubMed: 12,345", "PubMed: 24513; Embase: 120": hits of a search.
_HITS = re.compile(
    r"\s{0,3}(?:hits?|results?|records?|articles?|papers?|citations?|abstracts?|publications?"
    r"|studies|references?|entries)\b|,\d{3}(?!\d)"
    r"|[;,]\s{0,3}(?:and )?(?:Embase|Scopus|Web of Science|Cochrane|CINAHL|Ovid|MEDLINE"
    r"|Google Scholar|PsycINFO|Europe PMC)\b",
    re.I,
)
# PMC ids have at least five digits; PMC42 is a cell line.
_PMCID = re.compile(
    rf"{_NOT_IN_WORD}(?:PMC(?:\s?:\s?)?([1-9]\d{{4,8}})|(?i:PMCIDs?){_LABEL_END}(?:PMC)?([1-9]\d{{0,8}}))"
    r"(?![A-Za-z0-9_])"
)
_NCT = re.compile(rf"{_NOT_IN_WORD}NCT[\s:#-]?(\d{{8}})(?![A-Za-z0-9])", re.I)
_UNIPROT = re.compile(
    r"(?<![A-Za-z])(?:UniProt(?:KB)?(?:/(?:Swiss-?Prot|TrEMBL))?|Swiss-?Prot)"
    r"(?:\s(?:IDs?|[Aa]ccessions?(?:\s[Nn]umbers?)?|[Ee]ntr(?:y|ies)|AC|[Ii]dentifiers?))?"
    rf"[\"']?\s{{0,2}}[:=#(-]?\s{{0,2}}[\"']?({UNIPROT_ACCESSION})(?![A-Za-z0-9_])"
)
# The heading of a FASTA sequence: Swiss-Prot or TrEMBL, accession, entry name.
_FASTA = re.compile(rf"{_NOT_IN_WORD}(?:sp|tr)\|({UNIPROT_ACCESSION})(?:-\d{{1,3}})?\|")
_HGNC = re.compile(
    rf"{_NOT_IN_WORD}HGNC(?:\s?I[Dd])?:\s?(?:HGNC:)?([1-9]\d{{0,5}})(?![A-Za-z0-9_])"
)
_NCBI_GENE = re.compile(
    r"(?<![A-Za-z])(?:NCBI ?Gene|Entrez ?Gene|Entrez|Gene ?(?=ID))(?:[ _]?ID)?"
    rf"[\"']?\s?[:=]\s?[\"']?([1-9]\d{{0,8}}){_ENDED}",
    re.I,
)
_ENSEMBL = re.compile(rf"{_NOT_IN_WORD}(ENS[A-Z]{{0,6}}G\d{{11}})(?!\d)")
_NAMED = {
    name: database
    for database in (*OTHERS, *REGISTERS)
    for name in (database.name, *(n.upper() for n in database.names))
}
_OTHER = re.compile(
    rf"(?<![A-Za-z0-9])({'|'.join(sorted(map(re.escape, _NAMED), key=len, reverse=True))})"
    r"(?:\s(?:IDs?|[Aa]ccessions?(?:\s(?:[Nn]umbers?|[Nn]o\.|[Cc]odes?))?|[Cc]odes?|[Ee]ntry"
    r"|[Nn]umbers?,?|[Nn]o\.))?(\s?[:=#(]\s?|\s)([A-Za-z0-9](?:[A-Za-z0-9_.-]{0,38}[A-Za-z0-9])?)"
    r"(?![A-Za-z0-9_])"
)
_TELLING = {start: database for database in DATABASES for start in database.telling}
# Three digits at least: GSE1 and EGAS are genes' names and words, not accessions.
_ACCESSION = re.compile(
    rf"{_NOT_IN_WORD}(?=\D{{1,8}}\d{{3}})([A-Za-z][A-Za-z0-9-]{{3,30}})(?![A-Za-z0-9_])"
)
_DIGIT = re.compile(r"\d")
_SHORTEST = len("PMID:1")


def find_identifiers(text: str) -> list[tuple[int, Identifier]]:
    """Return the identifiers of a text with their places, in order.

    Only what names its source counts: bare numbers, years, counts and coordinates never do.
    Addresses count as what they lead to; searches lead to nothing.
    """
    # Most strings of a payload are short and hold nothing.
    if len(text) < _SHORTEST or text.isdigit() or not (_DIGIT.search(text) or "://" in text):
        return []
    finders = _finders_of(frozenset(_LITERAL.findall(text)))
    spans = [span for finder, literals in finders for span in finder(text, literals)]
    spans.sort(key=lambda span: (span[0], -span[1]))
    found: list[tuple[int, Identifier]] = []
    reached = 0
    for start, end, identifier in spans:
        if start >= reached:
            reached = end
            if identifier:
                found.append((start, identifier))
    return found


def _matches(text: str, pattern: re.Pattern[str], literals: Literals) -> Iterator[re.Match[str]]:
    """Yield a pattern's matches that start with one of the literals."""
    for literal in literals:
        start = text.find(literal)
        while start >= 0:
            match = pattern.match(text, start)
            if match:
                yield match
            start = text.find(literal, match.end() if match else start + 1)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Split a token without blanks at the separators of a list."""
    for cut in (*_NEXT.finditer(text, start, end), None):
        yield start, text[start : cut.start() if cut else end]
        start = cut.end() if cut else end


def _urls(text: str, literals: Literals) -> Iterator[Span]:
    for match in _matches(text, _URL, literals):
        for start, piece in _pieces(text, match.start(), match.end()):
            url = _closed(piece).rstrip(".,;:!?*_'")
            # The resolver's addresses are left to the DOI pattern: old DOIs hold < and >.
            if url[:4].lower() == "http" and not _RESOLVER.match(url):
                yield start, start + len(url), parse_url(url)


def _pubmed_pages(text: str, literals: Literals) -> Iterator[Span]:
    for match in _matches(text, _PUBMED, literals):
        yield match.start(), match.end(), pmid_identifier(match.group(1))


def _closed(url: str) -> str:
    """Cut an address at the bracket of the sentence around it."""
    depth = {"(": 0, "[": 0}
    for position, character in enumerate(url):
        if character in depth:
            depth[character] += 1
        elif character in ")]":
            opener = "(" if character == ")" else "["
            depth[opener] -= 1
            if depth[opener] < 0:
                return url[:position]
    return url


def _dois(text: str, literals: Literals) -> Iterator[Span]:
    for match in _matches(text, _DOI, literals):
        before = _RESOLVER_BEFORE.search(text, max(0, match.start() - 30), match.start())
        start = before.start() if before else match.start()
        for begin, piece in _pieces(text, start, match.end()):
            resolver = _RESOLVER.match(piece)
            raw = piece[resolver.end() :] if resolver else piece
            if resolver and "/" in resolver.group():
                # What follows `?` or `#` is the address's, not the DOI's (bar ...CO;2-#).
                raw = re.split(r"\?|(?<!2-)#", raw, maxsplit=1)[0]
            doi = normal_doi(raw) if raw.startswith("10.") else None
            if doi:
                yield begin, begin + len(piece), Identifier("doi", doi)


def _pmids(text: str, literals: Literals) -> Iterator[Span]:
    for match in _matches(text, _PMID, literals):
        site, mark, digits = match.group("site", "mark", "digits")
        if site and len(digits) < 5 and (len(digits) == 4 or not set(mark) & set(":=#")):
            continue  # "PubMed 1990-2015", "PubMed 12 hits": years and counts of a search.
        if site and _HITS.match(text, match.end()):
            continue
        end = match.end()
        yield match.start(), end, pmid_identifier(digits)
        listed = match.group()[: match.start("mark") - match.start()].casefold().endswith("s")
        following = _LISTED_PMIDS if listed else _MORE_PMIDS
        while more := following.match(text, end):
            yield more.start(1), more.end(), pmid_identifier(more.group(1))
            end = more.end()


def _pmcids(text: str, literals: Literals) -> Iterator[Span]:
    for match in _matches(text, _PMCID, literals):
        digits = match.group(1) or match.group(2)
        yield match.start(), match.end(), Identifier("pmcid", f"PMC{digits}")


def _trials(text: str, literals: Literals) -> Iterator[Span]:
    for match in _matches(text, _NCT, literals):
        yield match.start(), match.end(), Identifier("nct", f"NCT{match.group(1)}")


def _records(pattern: re.Pattern[str], database: str) -> Finder:
    def find(text: str, literals: Literals) -> Iterator[Span]:
        for match in _matches(text, pattern, literals):
            yield match.start(), match.end(), database_identifier(database, match.group(1))

    return find


def _other_records(text: str, literals: Literals) -> Iterator[Span]:
    for match in _matches(text, _OTHER, literals):
        name, mark, accession = match.groups()
        identifier = database_identifier(_NAMED[name].name, accession)
        # With nothing but a blank between them ("PDB 20nm"), the accession is spelled as such.
        if identifier and (mark.strip() or str(identifier.record_id) in accession):
            yield match.start(), match.end(), identifier


def _telling_records(text: str, literals: Literals) -> Iterator[Span]:
    for literal in literals:
        for match in _matches(text, _ACCESSION, (literal,)):
            identifier = database_identifier(_TELLING[literal].name, match.group(1))
            if identifier:
                yield match.start(), match.end(), identifier


_FINDERS: tuple[tuple[Finder, Literals], ...] = (
    (_urls, ("http",)),
    (_pubmed_pages, ("pubmed.ncbi", "ncbi.nlm")),
    (_dois, ("10.",)),
    (_pmids, ("PMID", "Pmid", "pmid", "PubMed", "Pubmed", "pubmed", "PUBMED")),
    (_pmcids, ("PMC", "Pmcid", "pmcid")),
    (_trials, ("NCT", "nct")),
    (_records(_UNIPROT, "UniProt"), ("UniProt", "Swiss")),
    (_records(_FASTA, "UniProt"), ("sp|", "tr|")),
    (_records(_HGNC, "HGNC"), ("HGNC",)),
    (
        _records(_NCBI_GENE, "NCBI Gene"),
        ("NCBI", "Entrez", "entrez", "Gene I", "GeneI", "Gene i"),
    ),
    (_records(_ENSEMBL, "Ensembl"), ("ENS",)),
    (_other_records, tuple(_NAMED)),
    (_telling_records, tuple(_TELLING)),
)


def _touching(literal: str) -> frozenset[str]:
    """Return the literals that may hide in or behind an occurrence of one."""
    every = {other for _, literals in _FINDERS for other in literals}
    ends = [literal[cut:] for cut in range(len(literal))]
    return frozenset(
        other
        for other in every
        if any(end.startswith(other) or other.startswith(end) for end in ends)
    )


_TOUCHING = {literal: _touching(literal) for _, literals in _FINDERS for literal in literals}
# Grouped by their first letters: most places of a text are passed at a glance.
_LITERAL = re.compile(
    "|".join(
        f"{re.escape(first)}(?:{'|'.join(re.escape(literal[1:]) for literal in group)})"
        for first, group in itertools.groupby(sorted(_TOUCHING, reverse=True), itemgetter(0))
    )
)


@lru_cache(maxsize=4096)
def _finders_of(seen: frozenset[str]) -> tuple[tuple[Finder, Literals], ...]:
    """Return the finders that have something to look at, with their literals that may occur."""
    possible = frozenset().union(*(_TOUCHING[literal] for literal in seen))
    own = (
        (finder, tuple(literal for literal in literals if literal in possible))
        for finder, literals in _FINDERS
    )
    return tuple((finder, literals) for finder, literals in own if literals)
