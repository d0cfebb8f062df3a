"""The Markdown records that BioMCP, and the local store's server, answer with."""

import re

_FIELD = re.compile(r"^([A-Z][A-Za-z0-9 -]*):[ \t]*(.*)$")


def markdown_fields(text: str) -> dict[str, str]:
    """Return the `Key: value` lines of the first record, by lower-case key.

    Indented lines continue the value above; of a key that occurs twice the first counts.
    """
    fields: dict[str, str] = {}
    key = ""
    for line in text.splitlines():
        match = _FIELD.match(line)
        if line.startswith("# Record") and fields:
            break
        if match and match.group(1).strip().lower() not in fields:
            key = match.group(1).strip().lower()
            fields[key] = match.group(2).strip()
        elif line.startswith((" ", "\t")) and key:
            fields[key] = f"{fields[key]} {line.strip()}".strip()
        elif line.strip():
            key = ""
    return fields
