"""Writes are all or nothing; equal values have equal bytes; foreign JSON can be written again."""

import gzip
import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent import files

SCALARS = st.none() | st.booleans() | st.integers() | st.text()
JSON = st.recursive(
    SCALARS | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
ANY_TEXT = st.text(st.characters(exclude_categories=()))
FOREIGN = st.recursive(
    st.none() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(value=JSON)
def test_canonical_json_reads_back_as_the_same_value(value: Any) -> None:
    assert json.loads(files.canonical_json(value)) == value


@given(value=st.dictionaries(st.text(), SCALARS, min_size=2, max_size=6))
def test_the_order_of_keys_changes_no_digest(value: dict[str, Any]) -> None:
    turned = dict(reversed(value.items()))
    assert list(turned) != list(value)
    assert files.digest(turned) == files.digest(value)


def test_canonical_json_is_compact_and_refuses_what_json_cannot_hold() -> None:
    assert files.canonical_json({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'
    with pytest.raises(ValueError, match="JSON compliant"):
        files.canonical_json(float("nan"))


@given(value=FOREIGN)
def test_whatever_json_others_send_can_be_written_again(value: Any) -> None:
    read = files.parse_json(json.dumps(value))
    files.canonical_json(read).encode()


@given(value=JSON)
def test_sound_json_is_read_unchanged(value: Any) -> None:
    assert files.parse_json(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"cut \\ud83d"', "cut \ufffd"),
        ('"whole \\ud83d\\ude00"', "whole \U0001f600"),
        ('{"a": NaN, "b": [1e999, -Infinity]}', {"a": None, "b": [None, None]}),
        ('{"\\udc00": 1}', {"\ufffd": 1}),
    ],
)
def test_half_characters_and_non_numbers_are_mended(text: str, value: Any) -> None:
    assert files.parse_json(text) == value


@pytest.mark.parametrize("text", ["", "{", "<html>", "[" * 100_000, '{"a":' * 100_000])
def test_what_is_no_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        files.parse_json(text)


@given(data=st.binary(max_size=200))
def test_the_digest_of_a_file_is_the_digest_of_its_bytes(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("digest") / "file"
    files.write_bytes(path, data)
    assert path.read_bytes() == data
    assert files.file_digest(path) == hashlib.sha256(data).hexdigest()


def test_writing_makes_the_folders_and_replaces_the_old_content(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "report.json"
    files.write_json(path, {"x": "é"})
    files.write_json(path, {"x": "ü"})
    assert path.read_text(encoding="utf-8") == '{\n "x": "ü"\n}\n'
    assert [item.name for item in path.parent.iterdir()] == ["report.json"]


def test_a_write_that_fails_leaves_the_old_content_and_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.json"
    files.write_text(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        files.write_text(path, "new")
    assert path.read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["report.json"]


def test_a_value_that_json_cannot_hold_touches_no_file(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    files.write_text(path, "old")
    with pytest.raises(ValueError):
        files.write_json(path, {"x": float("inf")})
    assert path.read_text() == "old"


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o027, 0o640), (0o002, 0o664)])
def test_the_umask_decides_who_may_read(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        files.write_text(tmp_path / "file", "x")
        assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == mode
        assert os.umask(umask) == umask
    finally:
        os.umask(before)


def test_equal_lines_give_equal_gzip_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        files.write_gzip_lines(tmp_path / name, ["a", "é"])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with gzip.open(tmp_path / "one", "rt", encoding="utf-8") as handle:
        assert handle.read() == "a\né\n"
