"""`intogen-agent references`."""

import json
from pathlib import Path

import pytest

from intogen_agent.cli import main

ARTICLE = {"pmid": 9065401, "doi": "10.1126/Science.1", "title": "T"}


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_prints_one_line_per_paper_or_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = tmp_path / "raw.json"
    raw.write_text(json.dumps([ARTICLE]))
    text = tmp_path / "text.md"
    text.write_text("PMID:9065401, UniProt:P25054")
    assert main(["references", str(raw), str(text), "--tool", "article_getter"]) == 0
    assert lines(capsys) == [
        {
            "kind": "pmid",
            "id": "9065401",
            "also": [{"kind": "doi", "id": "10.1126/science.1"}],
            "database": None,
            "record_id": None,
            "url": "https://pubmed.ncbi.nlm.nih.gov/9065401/",
            "versions": [],
            "retracted": False,
            "role": "reference",
            "tool": "article_getter",
        },
        {
            "kind": "database",
            "id": "UniProt:P25054",
            "also": [],
            "database": "UniProt",
            "record_id": "P25054",
            "url": "https://www.uniprot.org/uniprotkb/P25054/entry",
            "versions": [],
            "retracted": False,
            "role": "reference",
            "tool": "article_getter",
        },
    ]


@pytest.mark.parametrize(
    ("answer", "pmids"),
    [
        ({"content": [{"type": "text", "text": json.dumps(ARTICLE)}]}, ["9065401"]),
        (
            {"content": [{"type": "text", "text": f"PMID:{n}"} for n in (1, 2)], "isError": False},
            ["1", "2"],
        ),
        ({"content": [{"type": "image", "data": "PMID:1"}]}, []),
        ({"content": [{"type": "text", "text": "PMID:1"}], "isError": True}, []),
        ({"content": []}, []),
        ({"jsonrpc_error": {"message": "PMID:1"}}, []),
    ],
)
def test_unwraps_an_answer_as_a_client_would(
    answer: object, pmids: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {"name": "article_getter", "arguments": {"pmid": "77", "note": "PMID:77"}}
    for number, value in enumerate(
        (
            {"request": asked, "result": answer},
            {"jsonrpc": "2.0", "id": 1, "result": answer},
            answer,
        )
    ):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(value))
        assert main(["references", str(path), "--tool", "t"]) == 0
        assert [line["id"] for line in lines(capsys)] == pmids


def test_a_json_rpc_error_holds_no_reference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "error.json"
    path.write_text(json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"message": "bad PMID:1"}}))
    assert main(["references", str(path), "--tool", "t"]) == 0
    assert lines(capsys) == []


def test_a_byte_order_mark_is_no_content(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bom.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps([ARTICLE]).encode())
    assert main(["references", str(path), "--tool", "t"]) == 0
    assert [line["id"] for line in lines(capsys)] == ["9065401"]


def test_bad_files_are_one_line_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "good.txt"
    good.write_text("PMID:1")
    latin = tmp_path / "latin.txt"
    latin.write_bytes("PMID:1 Muiños".encode("latin-1"))
    for path, said in (
        (tmp_path / "missing.json", "No such file"),
        (latin, "byte 10 is not UTF-8"),
        (tmp_path, "directory"),
    ):
        assert main(["references", str(good), str(path), "--tool", "t"]) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err.startswith(f"ERROR: {path}: ")
        assert said in output.err
        assert output.err.count("\n") == 1
