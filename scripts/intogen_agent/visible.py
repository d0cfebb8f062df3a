"""Text as people see it: without characters that show nothing but that a program still reads.

Zero-width, bidirectional and tag characters can hide an instruction from a reader or turn a
sentence around; control characters and exotic line ends can forge the lines of a record.
"""

import re

# Whatever Python's `splitlines` takes for a line's end, the usual one excepted.
_ENDS = re.compile("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Controls, soft hyphen, joiners, fillers, marks of direction, variation selectors, byte order mark,
# notes between lines, shorthand and musical controls, tags; U+FFFC stands for what is not there.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# JSON writes the same characters as escapes; an escaped backslash before it makes it plain text.
_ESCAPED = re.compile(
    r"(?<!\\)(?P<before>(?:\\\\)*)"
    r"\\u(?P<unit>[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|[0-9a-fA-F]{4})"
)


def visible(text: str) -> str:
    """Return a text without hidden characters, whether they stand in it or are escaped as in JSON.

    Line ends other than a newline become a blank, so that nothing but the source's own lines makes
    lines.
    """
    text = _ENDS.sub(" ", text.replace("\r\n", "\n"))
    text = _HIDDEN.sub("", text)
    return _ESCAPED.sub(_shown, text) if "\\u" in text else text


def _shown(match: re.Match[str]) -> str:
    units = match["unit"].lower().split("\\u")
    character = bytes.fromhex("".join(units)).decode("utf-16-be", "replace")
    if _HIDDEN.fullmatch(character):
        return match["before"]
    return f"{match['before']} " if _ENDS.fullmatch(character) else match.group()
