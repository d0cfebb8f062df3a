"""Record files and the stores built from them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from store_calls import Call, ask
from store_records import ARTICLES, CANCER_TYPES, GENES, HEADER, PROTEINS

from intogen_agent.store.build import build_store
from intogen_agent.store.search import Store


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write record files; what is not given is the default."""

    def write_files(
        genes: list[Any] | None = None,
        proteins: list[Any] | None = None,
        articles: list[Any] | None = None,
        types: list[str] | None = None,
    ) -> Path:
        folder = tmp_path / "records"
        folder.mkdir(exist_ok=True)
        for name, records, default in (
            ("genes", genes, GENES),
            ("proteins", proteins, PROTEINS),
            ("articles", articles, ARTICLES),
        ):
            chosen = default if records is None else records
            lines = [r if isinstance(r, str) else json.dumps(r) for r in chosen]
            (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
        rows = [HEADER, *(CANCER_TYPES if types is None else types)]
        (folder / "types.tsv").write_text("".join(f"{row}\n" for row in rows))
        return folder

    return write_files


@pytest.fixture
def build(write: Callable[..., Path], tmp_path: Path) -> Callable[..., Path]:
    """Build a store of the records given, else of the default ones."""

    def build_file(as_of: str | None = None, name: str = "x.store", **records: Any) -> Path:
        folder = write(**records)
        output = tmp_path / name
        build_store(folder, output, folder / "types.tsv", as_of=as_of)
        return output

    return build_file


@pytest.fixture
def store(build: Callable[..., Path]) -> Iterator[Store]:
    """The default store, open."""
    with Store(build()) as opened:
        yield opened


@pytest.fixture
def call(store: Store) -> Call:
    """Call a tool of the default store's server and return its text."""

    def text(tool: str, **arguments: Any) -> str:
        result = ask(store, tool, arguments)
        assert not result.is_error
        assert len(result.content) == 1
        shown: str = result.content[0].text
        expected = None if tool == "search_by_gene" else {"result": shown}
        assert result.structured_content == expected
        return shown

    return text
