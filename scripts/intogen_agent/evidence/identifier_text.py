"""Finding identifiers in running text.

A pattern is only tried where a literal that it starts with stands, and has bounded repeats and no
nested ones: the time is linear in the text.
"""

import re
from collections.abc import Callable, Iterator

from intogen_agent.evidence.databases import OTHERS, UNIPROT_ACCESSION
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

_LABEL_END = r"[\"']?\s{0,3}[:=#-]?\s{0,3}[\"']?"
_NOT_IN_WORD = r"(?<![A-Za-z0-9])"
_ENDED = r"(?![A-Za-z0-9_]|\.\d)"

_URL = re.compile(r"https?://[^\s<>\"'`\\^{}|，。；、）】」”’»…]{1,2000}")
_PUBMED = re.compile(
    rf"(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/([1-9]\d{{0,7}}){_ENDED}"
)
_DOI = re.compile(
    r"(?<![\d.])10\.\d{4,9}(?:\.\d{1,9}){0,4}(?:/|%2[Ff])"
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
_MORE_PMIDS = re.compile(rf"\s{{0,3}}(?:[,;/|&]|and\b)\s{{0,3}}([1-9]\d{{6,7}}){_ENDED}(?!-\d)")
# PMC ids have at least five digits; PMC42 is a cell line.
_PMCID = re.compile(
    rf"{_NOT_IN_WORD}(?:PMC([1-9]\d{{4,8}})|(?i:PMCIDs?){_LABEL_END}(?:PMC)?([1-9]\d{{0,8}}))"
    r"(?![A-Za-z0-9_])"
)
_NCT = re.compile(rf"{_NOT_IN_WORD}NCT[\s:#-]?(\d{{8}})(?![A-Za-z0-9])", re.I)
_UNIPROT = re.compile(
    r"(?<![A-Za-z])(?:UniProt(?:KB)?(?:/(?:Swiss-?Prot|TrEMBL))?|Swiss-?Prot)"
    r"(?:\s(?:ID|[Aa]ccession(?:\s[Nn]umber)?|[Ee]ntry|AC|[Ii]dentifier))?"
    rf"[\"']?\s{{0,2}}[:=#(]?\s{{0,2}}[\"']?({UNIPROT_ACCESSION})(?![A-Za-z0-9_])"
)
_HGNC = re.compile(
    rf"{_NOT_IN_WORD}HGNC(?:\s?I[Dd])?:\s?(?:HGNC:)?([1-9]\d{{0,5}})(?![A-Za-z0-9_])"
)
_NCBI_GENE = re.compile(
    r"(?<![A-Za-z])(?:NCBI ?Gene|Entrez ?Gene|Entrez|Gene ?(?=ID))(?:[ _]?ID)?"
    rf"[\"']?\s?[:=]\s?[\"']?([1-9]\d{{0,8}}){_ENDED}",
    re.I,
)
_ENSEMBL = re.compile(rf"{_NOT_IN_WORD}(ENS[A-Z]{{0,6}}G\d{{11}})(?!\d)")
_OTHER = re.compile(
    rf"(?<![A-Za-z])({'|'.join(database.name for database in OTHERS)})"
    r":\s?([A-Za-z0-9][A-Za-z0-9_-]{2,30})"
)
_PMID_LABELS = ("PMID", "Pmid", "pmid", "PubMed", "Pubmed", "pubmed", "PUBMED")
_OTHER_NAMES = tuple(f"{database.name}:" for database in OTHERS)
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
    spans = [span for finder in _FINDERS for span in finder(text)]
    spans.sort(key=lambda span: (span[0], -span[1]))
    found: list[tuple[int, Identifier]] = []
    reached = 0
    for start, end, identifier in spans:
        if start >= reached:
            reached = end
            if identifier:
                found.append((start, identifier))
    return found


def _matches(
    text: str, pattern: re.Pattern[str], literals: tuple[str, ...]
) -> Iterator[re.Match[str]]:
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


def _urls(text: str) -> Iterator[Span]:
    for match in _matches(text, _URL, ("http",)):
        for start, piece in _pieces(text, match.start(), match.end()):
            url = _closed(piece).rstrip(".,;:!?*_'")
            # The resolver's addresses are left to the DOI pattern: old DOIs hold < and >.
            if url[:4].lower() == "http" and not _RESOLVER.match(url):
                yield start, start + len(url), parse_url(url)
    for match in _matches(text, _PUBMED, ("pubmed.ncbi", "ncbi.nlm")):
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


def _dois(text: str) -> Iterator[Span]:
    for match in _matches(text, _DOI, ("10.",)):
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


def _pmids(text: str) -> Iterator[Span]:
    for match in _matches(text, _PMID, _PMID_LABELS):
        site, mark, digits = match.group("site", "mark", "digits")
        if site and len(digits) < 5 and (len(digits) == 4 or not set(mark) & set(":=#")):
            continue  # "PubMed 1990-2015", "PubMed 12 hits": years and counts of a search.
        end = match.end()
        yield match.start(), end, pmid_identifier(digits)
        while more := _MORE_PMIDS.match(text, end):
            yield more.start(1), more.end(), pmid_identifier(more.group(1))
            end = more.end()


def _pmcids(text: str) -> Iterator[Span]:
    for match in _matches(text, _PMCID, ("PMC", "Pmcid", "pmcid")):
        digits = match.group(1) or match.group(2)
        yield match.start(), match.end(), Identifier("pmcid", f"PMC{digits}")


def _trials(text: str) -> Iterator[Span]:
    for match in _matches(text, _NCT, ("NCT", "nct")):
        yield match.start(), match.end(), Identifier("nct", f"NCT{match.group(1)}")


def _records(
    pattern: re.Pattern[str], database: str, *literals: str
) -> Callable[[str], Iterator[Span]]:
    def find(text: str) -> Iterator[Span]:
        for match in _matches(text, pattern, literals):
            yield match.start(), match.end(), database_identifier(database, match.group(1))

    return find


def _other_records(text: str) -> Iterator[Span]:
    for match in _matches(text, _OTHER, _OTHER_NAMES):
        identifier = database_identifier(match.group(1), match.group(2).rstrip("-_"))
        if identifier:
            yield match.start(), match.end(), identifier


_FINDERS: tuple[Callable[[str], Iterator[Span]], ...] = (
    _urls,
    _dois,
    _pmids,
    _pmcids,
    _trials,
    _records(_UNIPROT, "UniProt", "UniProt", "Swiss"),
    _records(_HGNC, "HGNC", "HGNC"),
    _records(_NCBI_GENE, "NCBI Gene", "NCBI", "Entrez", "entrez", "Gene I", "GeneI", "Gene i"),
    _records(_ENSEMBL, "Ensembl", "ENS"),
    _other_records,
)
