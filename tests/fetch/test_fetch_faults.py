"""Services that throttle, fail, lie and die: patience, then an honest account."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from fetch_world import Fetch, store_path, table
from public_services import (
    Fault,
    World,
    body,
    cut_off,
    drips,
    hangs_up,
    hgnc_doc,
    silent,
    status,
    truncated,
)

from intogen_agent.fetch.service import retry_after
from intogen_agent.store.search import Store

THROTTLED = b'{"error":"API rate limit exceeded","api-key":"10.0.0.1","count":"4","limit":"3"}'
HTML = b"<!DOCTYPE html><html><body>We are down for maintenance</body></html>"
NO_LIST = b'{"header":{},"esearchresult":{"ERROR":"Search Backend failed: invented"}}'
NO_PAPERS = b"<eFetchResult><ERROR>Unable to obtain query</ERROR></eFetchResult>"
BOMB = (
    b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><PubmedArticleSet>&b;</PubmedArticleSet>'
)

PASSING: dict[str, Fault] = {
    "429": status(429, THROTTLED, Retry_After="0"),
    "429-without-header": status(429, THROTTLED),
    "500": status(500, b"Internal Server Error"),
    "502-html": status(502, HTML),
    "503": status(503),
    "html-page": body(HTML),
    "empty-body": body(b""),
    "truncated": truncated,
    "cut-off": cut_off,
    "hangs-up": hangs_up,
    "silent": silent,
    "drips": drips,
}


@pytest.mark.parametrize("service", ["esearch", "efetch", "uniprot", "hgnc"])
@pytest.mark.parametrize("name", PASSING)
def test_a_passing_fault_is_waited_out(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str], service: str, name: str
) -> None:
    world.faults[service] = [PASSING[name]]
    assert fetch() == 0
    told = capsys.readouterr()
    who = {"esearch": "NCBI", "efetch": "NCBI", "uniprot": "UniProt", "hgnc": "HGNC"}[service]
    [line] = [line for line in told.err.splitlines() if "waiting" in line]
    assert line.startswith(f"{who}: ")
    assert line.endswith("s for it")
    assert table(told.out)["articles"] == "3"


@pytest.mark.parametrize(
    ("service", "fault"),
    [
        pytest.param("esearch", body(NO_LIST), id="error-in-a-200"),
        pytest.param("esearch", body(b'{"error":"API rate limit exceeded"}'), id="throttled-200"),
        pytest.param("esearch", body(b'{"esearchresult":{"count":"x"}}'), id="no-count"),
        pytest.param("esearch", body(b"[" * 100_000), id="nested"),
        pytest.param("efetch", body(NO_PAPERS), id="xml-error-in-a-200"),
        pytest.param("efetch", body(BOMB), id="entity-bomb"),
        pytest.param("efetch", body(b"<PubmedArticleSet/>"), id="no-paper-at-all"),
        pytest.param("efetch", body("<PubmedArticleSet/>".encode("utf-16")), id="utf-16"),
        pytest.param("uniprot", body(b'{"messages":["invented"]}'), id="messages"),
        pytest.param("hgnc", body(b'{"response":{"docs":[]}}'), id="no-genes"),
    ],
)
def test_an_error_that_poses_as_an_answer_is_asked_again(
    fetch: Fetch,
    world: World,
    capsys: pytest.CaptureFixture[str],
    service: str,
    fault: Fault,
) -> None:
    world.faults[service] = [fault]
    assert fetch() == 0
    assert table(capsys.readouterr().out)["articles"] == "3"


def test_a_service_that_asks_for_too_much_patience_is_not_waited_for(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.dead["esearch"] = status(429, Retry_After="3600")
    assert fetch() == 1
    assert len(world.requests("esearch")) == 2
    assert "HTTP 429" in capsys.readouterr().err


def test_a_dead_search_is_unknown_in_the_store(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.dead["esearch"] = status(500)
    assert fetch("KRAS COADREAD", "BRAF MEL") == 1
    told = capsys.readouterr()
    assert "not answered: search for KRAS COADREAD: NCBI: HTTP 500" in told.err
    assert table(told.out)["tasks with an answered search"] == "0"
    assert table(told.out)["questions not answered"] == "4"
    with Store(store_path()) as store:
        assert store.gaps == 4
        assert store.counts["proteins"] == 2
        reason = store.unknown().of_search(["KRAS"], ["colorectal cancer"])
        assert reason is not None
        assert "HTTP 500" in reason


def test_papers_that_were_not_fetched_are_unknown_in_the_store(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.dead["efetch"] = status(503)
    assert fetch() == 1
    told = capsys.readouterr()
    assert "not answered: 4 articles: NCBI: HTTP 503" in told.err
    assert table(told.out)["listed but not fetched"] == "4"
    with Store(store_path()) as store:
        assert store.unknown().of_article("12") is not None
        assert store.unknown().of_article("99") is None


def test_a_dead_uniprot_leaves_the_literature_alone(fetch: Fetch, world: World) -> None:
    world.dead["uniprot"] = hangs_up
    assert fetch() == 1
    with Store(store_path()) as store:
        assert store.counts["articles"] == 3
        assert store.unknown().of_gene("protein", "KRAS") is not None
        assert store.unknown().of_gene("gene", "KRAS") is None


def test_a_dead_hgnc_leaves_the_symbols(fetch: Fetch, world: World) -> None:
    world.dead["hgnc"] = body(HTML)
    assert fetch() == 1
    assert "BRAF1" not in str(world.requests("esearch"))
    with Store(store_path()) as store:
        assert store.counts["articles"] == 3
        assert store.unknown().of_gene("gene", "KRAS") is not None


def test_a_dead_service_is_left_alone_after_some_questions(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.genes += [hgnc_doc(f"TOOMANY{number}", number) for number in range(200, 300)]
    world.dead["esearch"] = status(500)
    pairs = [f"TOOMANY{number} COADREAD" for number in range(200, 300)]
    assert fetch(*pairs) == 1
    told = capsys.readouterr()
    # Five questions in a row, and those that were under way beside them.
    assert len(world.requests("esearch")) <= 3 * (5 + 16)
    assert told.err.count("NCBI is not asked any more") == 1
    assert table(told.out)["questions not answered"] == "200"
    assert "and 180 more" in told.err


@pytest.mark.parametrize("code", [401, 403, 404])
def test_a_refusal_is_not_repeated(fetch: Fetch, world: World, code: int) -> None:
    world.dead["uniprot"] = status(code, b"go away")
    assert fetch() == 1
    assert len(world.requests("uniprot")) == 1


def test_a_redirect_is_not_followed_and_said(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.dead["hgnc"] = status(302, Location="http://elsewhere.invalid/x")
    assert fetch() == 1
    assert "a redirect to http://elsewhere.invalid/x" in capsys.readouterr().err


def test_a_next_page_elsewhere_is_not_followed(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    link = '<http://elsewhere.invalid/x>; rel="next"'
    world.dead["uniprot"] = status(200, b'{"results":[]}', Link=link)
    assert fetch() == 1
    assert "its next page is not its own" in capsys.readouterr().err


def test_pages_that_go_round_in_circles_end(fetch: Fetch, world: World) -> None:
    def circle(handler: object, _: bytes) -> None:
        link = f'<{world.url}/uniprot/x?query=x>; rel="next"'
        status(200, b'{"results":[]}', Link=link)(handler, b"")  # type: ignore[arg-type]

    world.dead["uniprot"] = circle
    assert fetch() == 1
    assert len(world.requests("uniprot")) == 2


def test_fewer_entries_than_promised_are_no_answer(fetch: Fetch, world: World) -> None:
    world.dead["uniprot"] = status(200, b'{"results":[]}', X_Total_Results="7")
    assert fetch() == 1


def test_a_list_that_contradicts_its_count_is_no_answer(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.errors = {"count": "50"}
    assert fetch() == 1
    assert "says 50 hits but lists 3" in capsys.readouterr().err


def test_a_refused_key_stops_everything(
    fetch: Fetch,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("NCBI_API_KEY", "secret36")
    world.dead["esearch"] = status(400, b'{"error":"API key invalid","api-key":"secret36"}')
    assert fetch() == 2
    told = capsys.readouterr().err
    [line] = [line for line in told.splitlines() if line.startswith("ERROR: ")]
    assert line.startswith("ERROR: NCBI_API_KEY: NCBI refuses this key")
    assert "secret36" not in told


def test_without_any_answer_there_is_no_store(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.dead = dict.fromkeys(("esearch", "efetch", "uniprot", "hgnc"), hangs_up)
    assert fetch() == 2
    assert "ERROR: no service answered" in capsys.readouterr().err
    assert not list(Path("fetched").glob("*.sqlite"))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--email=nobody"], "--email 'nobody': NCBI asks for an address"),
        (["--max-articles=0"], "--max-articles 0: give 1 to 9,999"),
        (["--max-articles=10000"], "--max-articles 10000: give 1 to 9,999"),
        (["--since=2020-13"], "--since '2020-13': not a date"),
        (["--until=yesterday"], "--until 'yesterday': not a date"),
        (["--since=2021", "--until=2020-05"], "--since 2021: later than --until 2020-05"),
        (["--refresh=soon"], "--refresh 'soon': not a day"),
        (["--refresh=2999-01-01"], "--refresh 2999-01-01: is in the future"),
        (["--rate=0"], "--rate 0: give requests per second"),
        (["--rate=4", "--ncbi-url=https://eutils.ncbi.nlm.nih.gov"], "NCBI allows 3 requests"),
        (["--ncbi-url=ftp://x"], "--ncbi-url 'ftp://x': not an address"),
        (["--uniprot-url=https://me:pw@x"], "--uniprot-url: holds a name or password"),
        (["--cohort=none.tsv"], "none.tsv: no such file"),
        (["--cancer-types=none.tsv"], "none.tsv: cannot read the cancer types"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_bad_input_is_one_line_and_asks_nobody(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str], options: list[str], told: str
) -> None:
    assert fetch(options=tuple(options)) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("ERROR: ")
    assert told in line
    assert world.asked == []


def test_an_email_is_asked_for(fetch: Fetch, monkeypatch: pytest.MonkeyPatch, world: World) -> None:
    assert fetch(options=("--email=",)) == 2
    monkeypatch.setenv("NCBI_EMAIL", "group@example.org")
    assert fetch(options=("--email=",)) == 0
    assert world.requests("esearch")[0]["email"] == "group@example.org"


def test_an_unusable_proxy_is_named(
    fetch: Fetch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "not a proxy://")
    assert fetch(options=("--hgnc-url=https://hgnc.invalid/x.json",)) == 2
    assert "look at HTTPS_PROXY" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("7", 7.0), (" 0 ", 0.0), ("-3", None), ("soon", None), (None, None), ("9" * 40, None)],
)
def test_retry_after_is_read(value: str | None, seconds: float | None) -> None:
    assert retry_after(value) == seconds


def test_retry_after_may_be_a_date() -> None:
    soon = datetime.now(UTC) + timedelta(seconds=90)
    assert 80 < (retry_after(format_datetime(soon, usegmt=True)) or 0) <= 90
    assert retry_after(format_datetime(soon - timedelta(days=1), usegmt=True)) == 0.0
