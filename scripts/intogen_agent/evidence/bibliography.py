"""What stands in a paper's record and is no evidence of the paper: its list of references.

Titles of other papers (cited, citing, similar ones) say what those found, and nobody read them.
"""

import re
from typing import Any

from intogen_agent.evidence.payload_objects import squeeze

_KEYS = {
    *("references", "referencelist", "reflist", "bibliography", "citations", "citationlist"),
    *("citedby", "citedbylist", "citing", "citingarticles", "recommendations", "similararticles"),
    *("relatedarticles", "commentcorrectionlist", "commentscorrections", "meta", "nextcommands"),
}
_LISTS = (
    r"(?:list of )?references|reference list|bibliography|(?:literature|works|references) cited"
    r"|cited by|citing (?:articles|papers)|(?:similar|related|recommended) (?:articles|papers)"
)
_SECTIONS = (
    r"abstract|introduction|results|discussion|methods|materials and methods|conclusions?"
    r"|acknowledge?ments?|funding|author contributions|(?:figure|table) legends?|appendix"
    r"|supplementary [a-z ]{1,40}|supporting information"
)
# Fields of Markdown records: they end a list that stands in the field before.
_FIELDS = (
    r"pmid|pmcid|doi|title|journal|date|abstract|full text|authors|publication state|source"
    r"|pubmed url|pmc url|doi url"
)
_HEADING = r"[ \t]*(?:#{1,6}[ \t]*)?(?:\*\*)?(?:\d{1,2}\.?[ \t]+)?"
_BEGIN = re.compile(rf"^{_HEADING}(?:{_LISTS})(?:\*\*)?[ \t]*:?[ \t]*$", re.I | re.M)
_END = re.compile(
    rf"^(?:[ \t]*#{{1,6}}[ \t]|{_HEADING}(?:{_SECTIONS})(?:\*\*)?[ \t]*:?[ \t]*$|(?:{_FIELDS}):)",
    re.I | re.M,
)
_WORDS = re.compile(r"references|bibliography|cited|citing|(?:similar|related|recommended) ", re.I)
_XML = re.compile(r"<(ref-list|CommentsCorrectionsList|ReferenceList)\b.*?(?:</\1>|\Z)", re.DOTALL)


def without_bibliography(text: str) -> str:
    """Return a text without the parts headed `References` or the like, up to the next section."""
    text = _XML.sub("", text)
    if not _WORDS.search(text):
        return text
    kept, position = [], 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < position:
            continue
        end = _END.search(text, begin.end())
        kept.append(text[position : begin.start()])
        position = end.start() if end else len(text)
    return "".join([*kept, text[position:]])


def pruned(value: Any) -> Any:
    """Return a JSON value without lists of other papers and without what the tool says of itself.

    That includes the passages of a BioC document that are its references, and the references at
    the end of a full text.
    """
    if isinstance(value, dict):
        return {key: pruned(item) for key, item in value.items() if squeeze(key) not in _KEYS}
    if isinstance(value, list):
        return [pruned(item) for item in value if not _is_reference_passage(item)]
    return without_bibliography(value) if isinstance(value, str) else value


def _is_reference_passage(item: Any) -> bool:
    infons = item.get("infons") if isinstance(item, dict) else None
    if not isinstance(infons, dict):
        return False
    return infons.get("section_type") == "REF" or str(infons.get("type")).startswith("ref")
