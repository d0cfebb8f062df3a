"""Opening a store: damaged, foreign and shared ones."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from store_finds import Build, pmids

from intogen_agent.errors import UserError
from intogen_agent.store import schema
from intogen_agent.store.search import Store


def test_the_wanted_digest_is_checked(build: Build) -> None:
    path = build()
    with Store(path) as store:
        digest = store.digest
    Store(path, digest=digest).close()
    with pytest.raises(UserError, match="build a store of these records under a new name"):
        Store(path, digest="0" * 64)


@pytest.mark.parametrize(
    "name", ["a b.store", "a?mode=rw.store", "a#b.store", "a%20.store", "ä.store"]
)
def test_any_file_name_can_be_opened(build: Build, name: str) -> None:
    with Store(build(name=name)) as store:
        assert store.gene("APC") is not None


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none.store: cannot be read .*store build"):
        Store(tmp_path / "none.store")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"", b"no store", b"SQLite format 3\0", b"\0" * 5000])
def test_a_file_of_another_kind_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.store"
    path.write_bytes(content)
    with pytest.raises(UserError, match="not a store"):
        Store(path)


def test_a_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        Store(tmp_path)


def test_another_sqlite_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.store"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE meta (key, value)")
    connection.close()
    with pytest.raises(UserError, match="an SQLite file but not a store"):
        Store(path)


def test_another_layout_is_told(build: Build, tmp_path: Path) -> None:
    data = bytearray(build().read_bytes())
    data[60:64] = (schema.SCHEMA_VERSION + 1).to_bytes(4, "big")
    (tmp_path / "y.store").write_bytes(data)
    with pytest.raises(UserError, match=r"layout 2, this version reads 1; build"):
        Store(tmp_path / "y.store")


@pytest.mark.parametrize("keep", [100, 16384, -1, -16384])
def test_a_cut_off_copy_is_told(build: Build, tmp_path: Path, keep: int) -> None:
    (tmp_path / "y.store").write_bytes(build().read_bytes()[:keep])
    with pytest.raises(UserError, match="copy it again"):
        Store(tmp_path / "y.store")


def damaged(build: Build, tmp_path: Path) -> Path:
    """Return a store whose pages behind the first two are garbage."""
    data = bytearray(build().read_bytes())
    data[2 * schema.PAGE_SIZE :] = b"\xa5" * (len(data) - 2 * schema.PAGE_SIZE)
    path = tmp_path / "damaged.store"
    path.write_bytes(data)
    return path


def test_damage_is_an_error_and_no_empty_answer(build: Build, tmp_path: Path) -> None:
    path = damaged(build, tmp_path)
    with pytest.raises(UserError, match=r"damaged.store: .*store build"), Store(path) as store:
        store.articles(["APC"], ["cancer"])


def test_readers_do_not_disturb_each_other_or_the_folder(build: Build) -> None:
    path = build()
    before = sorted(entry.name for entry in path.parent.iterdir())

    def read(number: int) -> list[int]:
        with Store(path) as store:
            assert sorted(entry.name for entry in path.parent.iterdir()) == before
            return pmids(store, ["APC"], ["cancer"], ["spindle"] * (number % 2))

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(read, range(64)))
    assert {tuple(answer) for answer in answers[0::2]} == {(101, 102, 103)}
    assert {tuple(answer) for answer in answers[1::2]} == {tuple(answers[1])}


def test_a_store_cannot_be_written(build: Build) -> None:
    with Store(build()) as store, pytest.raises(UserError, match="readonly"):
        store._reader.rows("INSERT INTO meta VALUES ('x', 'y')")
