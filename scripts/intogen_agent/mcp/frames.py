"""Reading JSON-RPC messages out of what a server prints, whatever else it prints.

A message is one line of JSON. Servers also print banners (with and without a newline before the
first message), broken characters, half messages and answers of any size. mcp's own reader searches
all that it holds for every chunk, so its cost grows with the square of an answer's size; this one
looks at every byte once, and holds at most `limit` bytes of a line.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

# How much of an oversized or broken line is looked at for the call that it answers.
HEAD, TAIL = 4096, 4096
# Places in a line at which a message may begin behind a banner.
MAX_STARTS = 50
_ID = re.compile(r'"id"\s*:\s*(\d+|"[^"\\]*")\s*[,}]')
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Lost:
    """A message that cannot be had.

    Attributes:
        size: Bytes of the line.
        oversized: Whether it was too long, or else no JSON.
        answers: The id of the request that it answers; None if that cannot be seen.
    """

    size: int
    oversized: bool
    answers: int | str | None


class Frames:
    """Cuts a stream of bytes into lines.

    Args:
        limit: Bytes that a line may have.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._tail = b""

    def feed(self, chunk: bytes) -> Iterator[bytes | Lost]:
        """Take what was read; yield the lines that it completes."""
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            self._keep(end)
            yield self._line()
        self._keep(rest)

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        if self._size <= self._limit:
            self._parts.append(part)
            return
        if self._parts and len(self._parts[0]) != HEAD:
            self._parts = [b"".join(self._parts)[:HEAD].ljust(HEAD)]
        elif not self._parts:
            self._parts = [part[:HEAD].ljust(HEAD)]
        self._tail = (self._tail + part)[-TAIL:]

    def _line(self) -> bytes | Lost:
        size, line = self._size, b"".join(self._parts)
        found: bytes | Lost = line
        if size > self._limit:
            head, tail = (part.decode("utf-8", "replace") for part in (line, self._tail))
            found = Lost(size, True, _answered(head, tail))
        self._parts, self._size, self._tail = [], 0, b""
        return found


def messages(line: bytes) -> Iterator[dict[str, Any] | Lost | str]:
    """Yield what a line holds: messages, a message that is broken, and other text as text."""
    text = line.decode("utf-8", "replace").strip()
    if not text:
        return
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        yield from _picked(text, len(line))
        return
    if "\\ud" in text or "\\uD" in text:
        value = _sound(value)
    if isinstance(value, list) and value and all(_is_message(part) for part in value):
        yield from value
    elif _is_message(value):
        yield value
    else:
        yield text


def _picked(text: str, size: int) -> Iterator[dict[str, Any] | Lost | str]:
    """Yield the messages in a text that is no JSON as a whole."""
    decoder, place, found, other = json.JSONDecoder(), 0, False, []
    for _ in range(MAX_STARTS):
        start = text.find("{", place)
        if start < 0:
            break
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            other.append(text[place : start + 1])
            place = start + 1
            continue
        other.append(text[place:start])
        # Among other text, what asks something is an echo of what this side sent.
        if _is_message(value) and "method" not in value:
            found = True
            yield _sound(value)
        place = end
    other.append(text[place:])
    told = "".join(other).strip()
    broken = not found and '"jsonrpc"' in text and '"method"' not in text[:HEAD]
    if broken and (answers := _answered(text[:HEAD], text[-TAIL:])) is not None:
        yield Lost(size, False, answers)
    elif told:
        yield told


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and "jsonrpc" in value


def _answered(head: str, tail: str) -> int | str | None:
    """Return the id of a reply of which only both ends are known.

    It stands before the result or behind it; what stands within is the result's.
    """
    before = _ID.findall(head.split('"result"')[0])
    behind = _ID.findall(tail)
    found = before[:1] or behind[-1:]
    name: int | str | None = json.loads(found[0]) if found else None
    return name


def _sound(value: Any) -> Any:
    """Replace halves of characters: no text with them can be written to a file."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_sound(part) for part in value]
    if isinstance(value, dict):
        return {_sound(key): _sound(part) for key, part in value.items()}
    return value
