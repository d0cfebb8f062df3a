"""Files that are no report: exit 1 or 2, one line each, never a traceback."""

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from intogen_agent.cli import main

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


def run(command: str, path: Path) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([command, str(path)])
    return code, out.getvalue(), err.getvalue()


def check(path: Path) -> None:
    code, out, err = run("validate", path)
    assert code == 1 and err == ""
    for line in out.splitlines():
        assert set(json.loads(line)) == {"rule", "path", "message"}
    code, out, err = run("render", path)
    assert (code, out) == (2, "")
    assert err.startswith("ERROR: ") and err.count("\n") == 1


NASTY = {
    "nothing": b"",
    "a blank": b" ",
    "half an object": b'{"schema_version": "1.0", "gene": {"symbol": "APC"',
    "a comma too much": b'{"a": 1,}',
    "two objects": b"{}{}",
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "no text": bytes(range(256)),
    "zeros": b"\x00" * 1000,
    "deep lists": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "a number of 5000 digits": b'{"index": ' + b"9" * 5000 + b"}",
    "an endless number": b'{"index": 1e999999}',
    "not a number": b'{"index": NaN}',
    "half a surrogate": b'{"gene": "\\ud800"}',
    "half a surrogate as a key": b'{"\\ud800": 1}',
    "a key with lines": b'{"a\\nb\\u2028c": 1}',
    "a key twice": b'{"gene": 1, "gene": 2}',
    "a page": b"<!DOCTYPE html><html><body>502 Bad Gateway</body></html>",
    "YAML": b"gene:\n  symbol: APC\n",
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03",
}


@pytest.mark.parametrize("name", NASTY)
def test_a_file_that_is_no_report_is_refused_in_words(tmp_path: Path, name: str) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(NASTY[name])
    check(path)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=JSON)
def test_any_json_is_refused_in_words(tmp_path: Path, value: Any) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(value))
    check(path)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_report_with_any_part_replaced_has_an_answer(
    tmp_path: Path, valid: dict[str, Any], data: st.DataObject
) -> None:
    """A value of any place of a report becomes any JSON: valid or not, no traceback."""
    report = json.loads(json.dumps(valid))
    place: Any = report
    while True:
        key = data.draw(
            st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place)))
        )
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            break
        place = inner
    place[key] = data.draw(JSON)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report))
    code, out, err = run("validate", path)
    assert (code == 0) == (out == "") and err == ""
    code, out, err = run("render", path)
    assert (code == 0) == (err == "") and (code, out == "") in ((0, False), (2, True))


def test_cutting_a_report_anywhere_is_refused_in_words(
    tmp_path: Path, valid: dict[str, Any]
) -> None:
    whole = json.dumps(valid).encode()
    path = tmp_path / "report.json"
    for end in range(0, len(whole), 97):
        path.write_bytes(whole[:end])
        check(path)
