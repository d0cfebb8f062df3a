"""Atomic writes, canonical JSON and digests."""

import gzip
import hashlib
import json
import math
import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def canonical_json(value: Any) -> str:
    """Return JSON that is the same for equal values: sorted keys, no spaces, no NaN."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def parse_json(text: str) -> Any:
    """Parse JSON that others wrote into a value that can be written again.

    A text cut inside a character (a lone surrogate) gets U+FFFD, NaN and infinities become null.

    Raises:
        ValueError: It is not JSON, or nested too deeply.
    """
    try:
        return writable(json.loads(text))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def writable(value: Any) -> Any:
    """Return a JSON value without what UTF-8 or JSON cannot hold."""
    try:
        canonical_json(value).encode()
    except ValueError:
        return _mended(value)
    return value


def _mended(value: Any) -> Any:
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def digest(value: Any) -> str:
    """Return the SHA-256 (hex) of a value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def text_digest(text: str) -> str:
    """Return the SHA-256 (hex) of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def file_digest(path: Path) -> str:
    """Return the SHA-256 (hex) of a file's bytes."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file so that readers see the old content or the new, never a part.

    The data go to a temporary file in the same folder, are flushed to the disk, and replace the
    target in one step. The umask, or the folder's default access list, decides the permissions.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.parent / f".{path.name}.{secrets.token_hex(8)}"
    # Not `tempfile`, whose files nobody else may read.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically (UTF-8)."""
    write_bytes(path, text.encode())


def write_json(path: Path, value: Any) -> None:
    """Write indented JSON atomically, with a final newline."""
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def write_gzip_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines as gzip, atomically and without a time stamp, so equal lines give equal bytes."""
    data = "".join(f"{line}\n" for line in lines).encode()
    write_bytes(path, gzip.compress(data, mtime=0))
