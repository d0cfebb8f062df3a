"""The grammar of identifiers: papers, trials, database records, sites and tools.

Every identifier has one canonical string (`PMID:9065401`, `DOI:10.1038/nature12213`,
`PMCID:PMC3919509`, `NCT01234567`, `UniProt:P25054`, a URL as it is, `TOOL:article_searcher`),
which parses back to itself.
"""

import re
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from intogen_agent.evidence.databases import (
    DATABASE_NAMES,
    ENSEMBL,
    find_database,
    record_of_page,
)
from intogen_agent.evidence.models import ReferenceKind

# U+2010 and its look-alikes stand for the hyphen in typeset DOIs; the em dash does not.
HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"
INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_TYPESET = {ord(hyphen): "-" for hyphen in HYPHENS} | {ord(mark): None for mark in INVISIBLE}

_PMID = re.compile(r"[1-9]\d{0,7}")
_PMCID = re.compile(r"PMC[1-9]\d{0,8}")
_NCT = re.compile(r"NCT\d{8}")
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d{1,9})*/[!#-;=?-\[\]_a-z~<>]{1,250}")
_DOI_END = re.compile(r"[&\s]|<(?!\d+::)|[,;|](?=10\.\d{4,9}/|https?:)")
_BRACKET = re.compile(r"[][()<>]")
_TOOL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,99}")
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,10}[a-z]{2,24}(?::\d{1,5})?")

_SEPARATOR = r"\s*[:#=]?\s*"
_PMID_TEXT = re.compile(rf"(?:PMID|PubMed(?:\s?ID)?){_SEPARATOR}([1-9]\d{{0,7}})", re.I)
_PMCID_TEXT = re.compile(
    rf"(?:PMC\s?ID{_SEPARATOR}(?:PMC)?|PMC\s*:?\s*(?:PMC)?)([1-9]\d{{0,8}})(?:\.\d{{1,2}})?", re.I
)
_NCT_TEXT = re.compile(
    rf"(?:(?:ClinicalTrials(?:\.gov)?|NCT)(?:\s?(?:ID|identifier|number))?{_SEPARATOR})?"
    r"NCT[\s:#-]?(\d{8})",
    re.I,
)
_TOOL_TEXT = re.compile(r"TOOL:\s*(\S+)", re.I)
_DATABASE_TEXT = re.compile(
    rf"({'|'.join(re.escape(name) for name in DATABASE_NAMES)})"
    rf"(?:\s(?:ID|accession(?:\snumber)?))?(?:\s*[:#=]\s*|\s)(\S+)",
    re.I,
)
_BARE_HOST = re.compile(
    r"(?:www\.)?(?:pubmed\.|pmc\.)?ncbi\.nlm\.nih\.gov/|(?:dx\.|www\.)?doi\.org/"
    r"|(?:www\.)?(?:europepmc|clinicaltrials|uniprot|genenames|ensembl)\.(?:org|gov)/",
    re.I,
)

_PAPER_PAGES: tuple[tuple[ReferenceKind, re.Pattern[str]], ...] = (
    (
        "pmid",
        re.compile(
            r"(?:ncbi\.nlm\.nih\.gov/(?:m/)?pubmed/|pubmed\.ncbi\.nlm\.nih\.gov/|pubmed\.gov/"
            r"|europepmc\.org/(?:article|abstract)/med/|identifiers\.org/pubmed[:/])"
            r"([1-9]\d{0,7})(?![^/?#])"
            # The form of before 2006: `...entrez/query.fcgi?cmd=Retrieve&db=PubMed&list_uids=1`.
            r"|ncbi\.nlm\.nih\.gov/(?:sites/)?entrez(?:/query\.fcgi)?\?(?=[^#]*\bdb=pubmed\b)"
            r"[^#]*\blist_uids=([1-9]\d{0,7})(?![^&#])",
            re.I,
        ),
    ),
    (
        "pmcid",
        re.compile(
            r"(?:ncbi\.nlm\.nih\.gov/(?:m/)?pmc/articles/|pmc\.ncbi\.nlm\.nih\.gov/articles/"
            r"|europepmc\.org/(?:articles?(?:/pmc)?|abstract/pmc)/|identifiers\.org/pmc[:/])"
            r"(?:pmc)?([1-9]\d{0,8})(?:\.\d{1,2})?(?![^/?#])"
            r"|(?:ncbi\.nlm\.nih\.gov/pmc|pubmedcentral\.(?:nih\.)?gov)/articlerender\.fcgi\?"
            r"(?:[^#]*&)?artid=(?:pmc)?([1-9]\d{0,8})(?![^&#])",
            re.I,
        ),
    ),
    (
        "nct",
        re.compile(
            r"(?:(?:classic|beta)\.)?clinicaltrials\.gov/(?:ct2/)?(?:show|study)/(?:record/)?"
            r"(nct\d{8})(?![^/?#])",
            re.I,
        ),
    ),
)
_DOI_RESOLVER = re.compile(r"(?:(?:dx\.)?doi\.org/|identifiers\.org/doi[:/])(?:doi:)?", re.I)
# Publishers' pages whose path ends with the whole DOI, and Europe PMC's pages of preprints.
# Paths that go on after the DOI are left alone: where it ends would be a guess.
_DOI_PAGE = re.compile(
    r"[^/?#]+/(?:[^?#]*/)?(?:doi/(?:(?:abs|full|pdf|epdf|pdfplus|epub|reader)/)?"
    r"|article/ppr/)(10\.\d{4,9}(?:/|%2f)[^/?#]+)/?(?:[?#].*)?"
    # bioRxiv's and medRxiv's, whose DOIs have a form of their own.
    r"|(?:bio|med)rxiv\.org/content/(?:[^?#]*/)?(10\.(?:1101|64898)/[\d.]{6,20}v?\d{0,2})(?!\d).*",
    re.I,
)
# Versions of a preprint, and their files, have the preprint's DOI.
_VERSION = re.compile(
    r"(10\.(?:1101|64898)/(?:\d{4}\.\d\d\.\d\d\.)?\d{6,8})v\d{1,2}"
    r"(?:\.(?:full|abstract|supplementary-material|article-info|pdf)(?:[.-](?:pdf|text))*)?"
)
_SEARCH = re.compile(
    r"[?&](?:term|q|query|search|searchterm|searchtext|text|keywords?|cond|intr)=|/search\b"
    # A listing of PubMed, or an address that carries somebody's key.
    r"|^(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/?(?:[?#]|$)"
    r"|[?&](?:api_?key|access_?token|token)=",
    re.I,
)


class Identifier(NamedTuple):
    """An identifier in canonical form.

    Attributes:
        kind: What it identifies.
        id: Digits (PMID), lower-case DOI, `PMC...`, `NCT...`, `<database>:<record_id>`, the URL, or
            the tool's name.
        database: The source's name; only for database records.
        record_id: The accession; only for database records.
    """

    kind: ReferenceKind
    id: str
    database: str | None = None
    record_id: str | None = None

    @property
    def text(self) -> str:
        """The canonical string used in citations."""
        prefix = {"pmid": "PMID:", "doi": "DOI:", "pmcid": "PMCID:", "tool": "TOOL:"}
        return prefix.get(self.kind, "") + self.id


def canonical_url(identifier: Identifier) -> str | None:
    """Return an identifier's address; None for tools and databases without stable pages."""
    if identifier.kind == "pmid":
        return f"https://pubmed.ncbi.nlm.nih.gov/{identifier.id}/"
    if identifier.kind == "doi":
        return "https://doi.org/" + quote(identifier.id, safe="/:;(),.!$*+=@~_-")
    if identifier.kind == "pmcid":
        return f"https://www.ncbi.nlm.nih.gov/pmc/articles/{identifier.id}/"
    if identifier.kind == "nct":
        return f"https://clinicaltrials.gov/study/{identifier.id}"
    if identifier.kind == "url":
        return identifier.id
    database = find_database(identifier.database) if identifier.database else None
    if database is None or database.page is None or identifier.record_id is None:
        return None
    return database.page.replace("{}", identifier.record_id)


def database_identifier(name: str, accession: str) -> Identifier | None:
    """Return the identifier of a database record, or None unless both parts are known and valid."""
    database = find_database(name)
    record_id = database.record_id(accession) if database else None
    if database is None or record_id is None:
        return None
    return Identifier("database", f"{database.name}:{record_id}", database.name, record_id)


def pmid_identifier(digits: str) -> Identifier | None:
    """Return the identifier of a PMID: 1 to 8 digits without a leading zero."""
    return Identifier("pmid", digits) if _PMID.fullmatch(digits) else None


def normal_doi(text: str) -> str | None:
    """Return a DOI in canonical form, or None if the text does not start with one.

    Percent-encoding and XML entities are decoded, typeset hyphens become `-`, case is folded (DOIs
    are case-insensitive), and punctuation that belongs to the sentence around it is left out.
    """
    previous = None
    while previous != text:  # Addresses are met encoded twice; each round shortens the text.
        previous = text
        text = unquote(text, errors="replace") if "%" in text else text
        text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    text = (text if text.isascii() else text.translate(_TYPESET)).lower()
    text = _DOI_END.split(text, maxsplit=1)[0]
    text = _balanced(text).rstrip(".,;:!?*_-'/")
    if version := _VERSION.fullmatch(text):
        text = version.group(1)
    return text if _DOI.fullmatch(text) else None


def _balanced(text: str) -> str:
    """Return the longest start of a text whose brackets are closed."""
    closers = {")": "(", "]": "[", ">": "<"}
    opened: list[tuple[str, int]] = []
    for bracket in _BRACKET.finditer(text):
        character, position = bracket.group(), bracket.start()
        if character not in closers:
            opened.append((character, position))
        elif opened and opened[-1][0] == closers[character]:
            opened.pop()
        else:
            text = text[:position]
            break
    return text[: opened[0][1]] if opened else text


def parse_url(url: str) -> Identifier | None:
    """Return what an address identifies: a paper, a trial, a record, or else the site itself.

    None for addresses that are no reference: without a proper host, searches, and such as carry
    somebody's key or password.
    """
    url = url.strip()
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    host = parts.netloc.lower()
    if parts.scheme.lower() not in ("http", "https") or not _HOST.fullmatch(host):
        return None
    bare = host.removeprefix("www.") + url.split("://", 1)[1][len(host) :]
    resolver = _DOI_RESOLVER.match(bare)
    if resolver:
        # `#` is the last character of some old DOIs (...CO;2-#).
        doi = normal_doi(re.split(r"\?|(?<!2-)#", bare[resolver.end() :], maxsplit=1)[0])
        return Identifier("doi", doi) if doi else None
    for kind, pattern in _PAPER_PAGES:
        if match := pattern.match(bare):
            number = next(filter(None, match.groups())).upper()
            return Identifier(kind, f"PMC{number}" if kind == "pmcid" else number)
    record = record_of_page(bare)
    if record:
        return database_identifier(record[0].name, record[1])
    page = _DOI_PAGE.fullmatch(bare)
    doi = normal_doi(page.group(1) or page.group(2)) if page else None
    if doi:
        return Identifier("doi", doi)
    if _SEARCH.search(bare) or re.search(r"[\s\"<>\\^`{}|\ud800-\udfff]", url):
        return None
    return Identifier(
        "url", f"{parts.scheme.lower()}://{host}{url.split('://', 1)[1][len(host) :]}"
    )


def parse_identifier(text: str) -> Identifier | None:
    """Return the identifier that a text is, or None if it is none.

    Bare digits are none: what they number must be said.
    """
    text = text.strip()
    if re.match(r"https?://", text, re.I):
        return parse_url(text)
    if _BARE_HOST.match(text):
        found = parse_url(f"https://{text}")
        return found if found and found.kind != "url" else None
    if match := _PMID_TEXT.fullmatch(text):
        return Identifier("pmid", match.group(1))
    if match := _PMCID_TEXT.fullmatch(text):
        return Identifier("pmcid", f"PMC{match.group(1)}")
    if match := _NCT_TEXT.fullmatch(text):
        return Identifier("nct", f"NCT{match.group(1)}")
    if match := re.match(r"doi\s*[:=]?\s*(?=\S)", text, re.I):
        rest = text[match.end() :]
        return parse_url(rest) if re.match(r"https?://", rest, re.I) else _bare_doi(rest)
    if text.startswith("10."):
        return _bare_doi(text)
    if match := _TOOL_TEXT.fullmatch(text):
        return Identifier("tool", match.group(1)) if _TOOL.fullmatch(match.group(1)) else None
    if match := _DATABASE_TEXT.fullmatch(text):
        return database_identifier(match.group(1), match.group(2))
    return database_identifier("Ensembl", text) if ENSEMBL.record_id(text) else None


def _bare_doi(text: str) -> Identifier | None:
    doi = normal_doi(text) if not re.search(r"\s", text) else None
    return Identifier("doi", doi) if doi else None


def make_identifier(
    kind: str, identifier: str, database: str | None = None, record_id: str | None = None
) -> Identifier | None:
    """Return the identifier of a reference's fields, or None if they do not make one.

    The id may carry its own prefix (`PMID:123`), never another's.
    """
    if kind == "database":
        return database_identifier(database, record_id) if database and record_id else None
    bare = identifier.strip()
    if kind in ("pmid", "doi", "pmcid", "tool"):
        bare = re.sub(rf"^{kind}:\s*", "", bare, flags=re.I)
    if kind == "pmid":
        return pmid_identifier(bare)
    if kind == "doi":
        return _bare_doi(bare)
    if kind == "pmcid":
        return Identifier("pmcid", bare) if _PMCID.fullmatch(bare) else None
    if kind == "nct":
        return Identifier("nct", bare) if _NCT.fullmatch(bare) else None
    if kind == "tool":
        return Identifier("tool", bare) if _TOOL.fullmatch(bare) else None
    found = parse_url(bare) if kind == "url" else None
    return Identifier("url", bare) if found else None


_FORMS = {
    "pmid": "a PMID is 1 to 8 digits without a leading zero",
    "doi": "a DOI has the form 10.<registrant>/<suffix>",
    "pmcid": "a PMC id is PMC and 1 to 9 digits",
    "nct": "a ClinicalTrials.gov id is NCT and 8 digits",
    "url": "a URL starts with http:// or https:// and a host, and is not a search",
    "tool": "a tool's name has letters, digits and _ . / - only",
}


def format_problem(
    kind: str, identifier: str, database: str | None, record_id: str | None, url: str | None
) -> str | None:
    """Say what is wrong with the form of a reference, or None.

    Args:
        kind: The reference's kind.
        identifier: Its id, bare or with its own prefix.
        database: For database records: the source's name.
        record_id: For database records: the accession.
        url: Its address, if it has one.
    """
    if kind == "database":
        if not database or not record_id:
            return "a database reference needs both the source's name and the accession"
        known = find_database(database)
        if known and known.record_id(record_id) is None:
            return f"'{record_id}' is not an accession of {known.name}"
    elif kind not in _FORMS:
        return f"'{kind}' is not a kind of reference"
    elif make_identifier(kind, identifier) is None:
        return f"'{identifier}': {_FORMS[kind]}"
    if url is None:
        return None
    target = parse_url(url)
    if target is None:
        return f"the address '{url}': {_FORMS['url']}"
    if target.kind == kind and kind not in ("url", "database"):
        own = make_identifier(kind, identifier)
        if own != target:
            return f"the address '{url}' is that of {target.text}, not of '{identifier}'"
    return None
