"""Stopped, longer, refreshed: nothing that was answered is asked for twice."""

import gzip
import os
import signal
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from fetch_world import Fetch, paper, store_path, table
from public_services import World, hgnc_doc, status

from intogen_agent.fetch.shelf import Shelf
from intogen_agent.store.search import Store

TODAY = datetime.now(UTC).date()
EARLIER = TODAY - timedelta(days=40)


def age(folder: Path, day: date) -> None:
    """Make all answers of a folder older."""
    for path in folder.rglob("*.gz"):
        text = gzip.decompress(path.read_bytes()).decode()
        path.write_bytes(gzip.compress(text.replace(str(TODAY), str(day), 1).encode()))


def test_the_same_command_again_asks_nothing(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch() == 0
    first = store_path()
    world.asked.clear()
    capsys.readouterr()
    assert fetch() == 0
    assert world.asked == []
    assert store_path() == first
    assert table(capsys.readouterr().out)["articles"] == "3"


def test_a_longer_cohort_asks_for_what_is_new(fetch: Fetch, world: World) -> None:
    assert fetch("KRAS COADREAD") == 0
    first = store_path()
    world.asked.clear()
    assert fetch("KRAS COADREAD", "BRAF MEL") == 0
    assert {name for name, _ in world.asked} == {"esearch", "efetch", "uniprot"}
    assert len(world.requests("esearch")) == 2
    assert [fields["id"] for fields in world.requests("efetch")] == ["15"]
    assert "KRAS" not in world.requests("uniprot")[0]["query"]
    assert first.exists()
    assert store_path() != first


def test_a_shorter_cohort_gets_a_store_of_its_own(fetch: Fetch) -> None:
    assert fetch("KRAS COADREAD", "BRAF MEL") == 0
    assert fetch("BRAF MEL", options=("--no-pan-cancer",)) == 0
    with Store(store_path()) as store:
        assert store.counts | {"articles": 1, "genes": 1, "proteins": 1} == store.counts


def test_after_a_failure_only_the_failed_is_asked(fetch: Fetch, world: World) -> None:
    world.dead["efetch"] = status(500)
    assert fetch() == 1
    with_gaps = store_path()
    world.dead.clear()
    world.asked.clear()
    assert fetch() == 0
    assert {name for name, _ in world.asked} == {"efetch"}
    assert store_path() != with_gaps
    assert not Path("fetched/records/gaps.jsonl").exists()


def test_an_empty_answer_after_a_failure_is_another_store(fetch: Fetch, world: World) -> None:
    """Unknown and absent differ, although the records are the same."""
    world.hits = {}
    world.dead["esearch"] = status(500)
    assert fetch() == 1
    unknown = store_path()
    world.dead.clear()
    assert fetch() == 0
    with Store(unknown) as before, Store(store_path()) as after:
        assert (before.counts["articles"], after.counts["articles"]) == (0, 0)
        assert (before.gaps, after.gaps) == (2, 0)
        assert before.digest != after.digest


def test_refresh_asks_anew(fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert fetch() == 0
    age(Path("fetched"), EARLIER)
    world.asked.clear()
    capsys.readouterr()
    assert fetch() == 0
    assert world.asked == []
    assert table(capsys.readouterr().out)["oldest answer"] == str(EARLIER)
    world.papers[11].title = "A corrected title"
    assert fetch(options=("--refresh",)) == 0
    assert {name for name, _ in world.asked} == {"esearch", "efetch", "uniprot", "hgnc"}
    assert table(capsys.readouterr().out)["oldest answer"] == str(TODAY)
    with Store(store_path()) as store:
        article = store.article("11")
        assert article is not None
        assert article.title == "A corrected title"
        assert store.as_of == str(TODAY)


def test_a_stopped_refresh_goes_on(fetch: Fetch, world: World) -> None:
    assert fetch() == 0
    age(Path("fetched"), EARLIER)
    world.dead["efetch"] = status(500)
    assert fetch(options=("--refresh",)) == 1
    world.dead.clear()
    world.asked.clear()
    assert fetch(options=("--refresh",)) == 0
    assert {name for name, _ in world.asked} == {"efetch"}


def test_a_refresh_without_answers_keeps_the_older_ones_and_says_so(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch() == 0
    age(Path("fetched"), EARLIER)
    capsys.readouterr()
    world.dead = dict.fromkeys(("esearch", "efetch", "uniprot", "hgnc"), status(503))
    assert fetch(options=("--refresh",)) == 1
    told = capsys.readouterr()
    assert f"the answer of {EARLIER} stays" in told.err
    assert table(told.out)["articles"] == "3"
    with Store(store_path()) as store:
        assert store.as_of == str(EARLIER)
        assert store.gaps == 0


def test_a_damaged_answer_is_asked_anew(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch() == 0
    [batch] = Path("fetched/articles").iterdir()
    search = sorted(Path("fetched/searches").iterdir())[0]
    batch.write_bytes(batch.read_bytes()[:10])
    search.write_bytes(b"no gzip")
    world.asked.clear()
    assert fetch() == 0
    assert {name for name, _ in world.asked} == {"esearch", "efetch"}
    assert "was damaged and asked for anew" in capsys.readouterr().err


def test_a_batch_damaged_behind_its_head_is_named(
    fetch: Fetch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch() == 0
    [batch] = Path("fetched/articles").iterdir()
    text = gzip.decompress(batch.read_bytes())
    batch.write_bytes(gzip.compress(text[: text.index(b"\n") + 40]))
    assert fetch() == 2
    assert f"ERROR: {batch}: damaged; delete the file and run again" in capsys.readouterr().err


def test_two_fetches_do_not_share_a_folder(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    with Shelf(Path("fetched")).taken():
        assert fetch() == 2
    assert "another fetch is at work in it" in capsys.readouterr().err
    assert world.asked == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(fetch: Fetch) -> None:
    Path("fetched").mkdir(mode=0o500)
    assert fetch() == 2


def test_a_full_disk_is_one_line(
    fetch: Fetch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("intogen_agent.fetch.shelf.write_gzip_lines", full)
    assert fetch() == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith("ERROR: ")
    assert "No space left on device" in told


def test_a_killed_fetch_pays_for_nothing_twice(fetch: Fetch, world: World, tmp_path: Path) -> None:
    """kill -9 while papers are fetched: the next start asks only for the batches that are due."""
    world.papers = {pmid: paper(pmid, "KRAS", "melanoma") for pmid in range(1, 1001)}
    world.genes.append(hgnc_doc("NRAS", 3))
    world.hits = {'("KRAS"[tiab]) AND ("melanoma': list(range(1, 1001))}
    options = ["--max-articles=1000", "--no-pan-cancer"]
    assert fetch("KRAS COADREAD", options=("--no-pan-cancer",)) == 0  # genes and proteins
    world.asked.clear()
    Path("killed.tsv").write_text("gene\tcancer_type\nKRAS\tMEL\n")
    urls = [f"--{name}-url={world.url}/{name}" for name in ("uniprot", "hgnc")]
    command = [sys.executable, "-m", "intogen_agent", "store", "fetch", "--cohort=killed.tsv"]
    command += [f"--ncbi-url={world.url}/eutils", "--email=me@example.org", "--rate=2", *options]
    with subprocess.Popen([*command, *urls], stderr=subprocess.DEVNULL) as process:
        while len(list(Path("fetched/articles").glob("*.gz"))) < 2 and process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.02)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    kept = {pmid for _, batch in Shelf(Path("fetched")).batches() for pmid in batch.asked}
    assert 200 <= len(kept) < 1000
    world.asked.clear()
    assert fetch("KRAS MEL", options=tuple(options)) == 0
    assert world.requests("esearch") == []
    asked = [pmid for fields in world.requests("efetch") for pmid in fields["id"].split(",")]
    assert sorted({*asked, *kept}, key=int) == [str(pmid) for pmid in range(1, 1001)]
    assert not kept.intersection(asked)
    with Store(store_path()) as store:
        assert store.counts["articles"] == 1000
