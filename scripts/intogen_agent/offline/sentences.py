"""Sentences: splitting, cleaning, finding them again word for word in a payload."""

import json
import re

_BOUNDARY = re.compile(r"(?<=[.!?])[\"')\]]?\s+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|cf|al|approx|resp|ca|Fig|Figs|No|Nos|Dr|St|Ref|Refs|Eq|spp?)|\b[A-Z])\.$"
)
_LABEL = re.compile(r"^[A-Z][A-Z /&,-]{3,60}:\s+")
_CITATION = re.compile(r"\s*[(\[](?:PMIDs?|PubMed)[:\s][^)\]]*[)\]]", re.IGNORECASE)
_AUTHORS_FOUND = re.compile(
    r"^(?:(?:Here|In this (?:study|work|paper|report)),? )?(?:we|the authors) (?:here |now |also )?"
    r"(?:found|find|show|showed|report|reported|demonstrate|demonstrated|observed|conclude|propose)"
    r" that ",
    re.IGNORECASE,
)
_AUTHORS = re.compile(r"\b[Ww]e\b(?=\s+\w)")
_OUR = re.compile(r"\b([Oo])ur (?=results|data|findings|study|work|analys)")


def collapse(text: str) -> str:
    """Return the text with every run of white space as one space."""
    return " ".join(text.split())


def split(text: str) -> list[str]:
    """Split running text into sentences.

    A full stop ends a sentence when white space and a plausible start follow: a capital or a
    letter of a script without case, a digit, a quotation mark, or a lower-case word that is a name
    (`p99`, `c-Abc`, `mABC`).
    """
    # A line that was wrapped at a hyphen.
    text = collapse(re.sub(r"(?<=\w)-\n\s*(?!(?:and|or|to)\b)(?=\w)", "-", text))
    parts: list[str] = []
    start = 0
    for match in _BOUNDARY.finditer(text):
        head, tail = text[start : match.start()], text[match.end() :]
        if not head or _ABBREVIATION.search(head) or not _starts_sentence(tail):
            continue
        parts.append(text[start : match.end()].strip())
        start = match.end()
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def _starts_sentence(tail: str) -> bool:
    word = tail.split(" ", 1)[0]
    if not word:
        return False
    capital = word[0].isalpha() and not word[0].islower()
    if capital or word[0].isdigit() or word[0] in "\"'(“‘[{<‹#*`":
        return True
    return any(char.isupper() or char.isdigit() for char in word[1:])


def without_label(sentence: str) -> str:
    """Drop the label of a structured abstract (`RESULTS: ...`)."""
    return _LABEL.sub("", sentence)


def without_citations(sentence: str) -> str:
    """Drop bracketed citations such as `(PMID:1, PMID:2)`."""
    return _CITATION.sub("", sentence)


def statement(sentences: list[str]) -> str:
    """Return sentences as a third-person statement that ends with a full stop."""
    cleaned = []
    for sentence in sentences:
        text = without_citations(without_label(sentence)).strip()
        text = _AUTHORS_FOUND.sub("", text)
        text = _AUTHORS.sub("the authors", text)
        text = _OUR.sub(lambda match: "The " if match[1] == "O" else "the ", text)
        cleaned.append(finish(capitalise(text)))
    return " ".join(cleaned)


def finish(text: str) -> str:
    """Return the text with exactly one full stop at its end."""
    text = text.rstrip(" ;,:")
    return text if text.endswith((".", "!", "?")) else f"{text}."


def capitalise(text: str) -> str:
    """Start a sentence with a capital unless its first word is a name (`p99`, `mABC`)."""
    word = text.split(" ", 1)[0]
    if not word or not word[0].islower() or any(c.isupper() or c.isdigit() for c in word):
        return text
    if re.match(r"(?:alpha|beta|gamma|delta)-", word):
        return text
    return text[0].upper() + text[1:]


def lower_first(text: str) -> str:
    """Return a sentence's text for use inside another: an ordinary first word loses its capital."""
    word = text.split(" ", 1)[0].rstrip(",;:")
    if word[1:2] == "-":  # N-terminal, B-cell
        return text
    plain = word[:1].isupper() and (len(word) == 1 or word[1:].replace("-", "").islower())
    return text[0].lower() + text[1:] if plain else text


def quote(span: str, payload: str) -> str | None:
    """Return the span as it stands in the payload, white space collapsed; None if it is not there.

    Line breaks and hyphens at line ends may differ, and a JSON payload holds its strings escaped.
    """
    for form in dict.fromkeys((span, _escaped(span, False), _escaped(span, True))):
        pieces = [re.escape(word).replace(r"\-", r"\-\s*") for word in form.split()]
        match = re.search(r"\s+".join(pieces), payload)
        if match:
            return collapse(match.group())
    return None


def _escaped(text: str, ascii_only: bool) -> str:
    return json.dumps(text, ensure_ascii=ascii_only)[1:-1]


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list that is written as running text."""
    return frozenset(text.split())


def words(text: str) -> int:
    """Count the words of a text."""
    return len(text.split())
