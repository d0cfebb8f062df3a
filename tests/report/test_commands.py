"""The commands `validate` and `render`, as a terminal shows them."""

import json
from pathlib import Path
from typing import Any

import pytest

from intogen_agent.cli import main


def lines(text: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_valid_report_prints_nothing_and_exits_0(
    pair_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["validate", str(pair_folder / "report.json")]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_valid_report_agrees_with_its_evidence(
    pair_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = str(pair_folder / "report.json")
    assert main(["validate", report, "--evidence", str(pair_folder)]) == 0
    assert capsys.readouterr() == ("", "")


def test_each_violation_is_one_json_line_and_the_exit_code_is_1(
    pair_folder: Path, valid: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    valid["assessment"]["rationale"][0].update(
        text="APC is lost [3] in 42 tumours.", evidence=["E2"]
    )
    report = pair_folder / "report.json"
    report.write_text(json.dumps(valid))
    assert main(["validate", str(report)]) == 1
    (found,) = lines(capsys.readouterr().out)
    assert list(found) == ["rule", "path", "message"]
    assert (found["rule"], found["path"]) == (
        "text-without-citations",
        "assessment.rationale[0].text",
    )
    assert main(["validate", str(report), "--evidence", str(pair_folder)]) == 1
    assert [each["rule"] for each in lines(capsys.readouterr().out)] == [
        "text-without-citations",
        "numbers-from-evidence",
    ]


@pytest.mark.parametrize(
    ("content", "rule"),
    [(b"", "json"), (b"{", "json"), (b"\xff\xfe", "json"), (b"{}", "schema"), (b"[]", "schema")],
)
def test_what_is_no_report_is_a_violation(
    tmp_path: Path, content: bytes, rule: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(content)
    assert main(["validate", str(path)]) == 1
    assert {each["rule"] for each in lines(capsys.readouterr().out)} == {rule}


@pytest.mark.parametrize("command", ["validate", "render"])
def test_an_unreadable_file_is_one_line_and_exit_2(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path / "missing.json", tmp_path):
        assert main([command, str(path)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"ERROR: {path}: cannot be read")
        assert err.count("\n") == 1


def test_missing_evidence_is_one_line_and_exit_2(
    pair_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = str(pair_folder / "report.json")
    assert main(["validate", report, "--evidence", str(tmp_path)]) == 2
    assert "--evidence" in capsys.readouterr().err


def test_render_prints_the_page(pair_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", str(pair_folder / "report.json")]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("# APC in Colorectal Adenocarcinoma\n")
    assert err == ""


def test_render_of_no_report_says_how_to_find_the_problems(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.json"
    path.write_text("{}")
    assert main(["render", str(path)]) == 2
    assert "intogen-agent validate" in capsys.readouterr().err
