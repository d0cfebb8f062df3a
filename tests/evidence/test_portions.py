"""Long answers are cut into portions of whole records; a record too long for one, in pieces."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.evidence.articles import article_records
from intogen_agent.evidence.portions import Portion, halved, portions

TEXTS = st.lists(st.text(alphabet="abc ", min_size=1, max_size=60), min_size=1, max_size=8)


def markdown(texts: list[str]) -> str:
    parts = [f"# Record {n}\nPmid: {n}\nAbstract:\n  {text}" for n, text in enumerate(texts, 1)]
    return "\n\n".join(parts)


def as_json(texts: list[str]) -> str:
    return json.dumps([{"pmid": n, "abstract": text} for n, text in enumerate(texts, 1)])


@given(texts=TEXTS, limit=st.integers(150, 400), in_json=st.booleans())
def test_portions_are_whole_records_in_order_and_within_the_limit(
    texts: list[str], limit: int, in_json: bool
) -> None:
    payload = as_json(texts) if in_json else markdown(texts)
    found = portions(payload, limit)
    assert all(len(portion.text) <= limit for portion in found)
    read = [record for portion in found for record in article_records(portion.text)]
    held = [record for portion in found for record in portion.records]
    assert [record.pmid for record in read] == [str(n) for n in range(1, len(texts) + 1)]
    assert [record.ids for record in held] == [record.ids for record in read]
    assert all(text.strip() in record.text for text, record in zip(texts, held, strict=True))


@pytest.mark.parametrize(
    "payload", [markdown(["x" * 60, "y"]), "x" * 100, '[{"pmid": 1}]', '{"results": [{"pmid": 1}]}']
)
def test_a_short_answer_is_one_portion_as_it_is(payload: str) -> None:
    (portion,) = portions(payload, len(payload))
    assert portion.text == payload
    assert portion.left_out == 0


SENTENCES = [f"Loss of APC activates pathway W{n} in tumour cells." for n in range(40)]
ARTICLE = {
    "pmid": "15355978",
    "doi": "10.1/x",
    "title": "A title",
    "journal": "Science",
    "date": "1997-03-21",
    "full_text": "\n\n".join(" ".join(SENTENCES[n : n + 4]) for n in range(0, 40, 4)),
}


def pieces(limit: int) -> list[Portion]:
    return portions(json.dumps([ARTICLE]), limit)


@pytest.mark.parametrize("limit", [250, 400, 1000])
def test_a_record_longer_than_the_limit_is_cut_between_paragraphs_or_sentences(limit: int) -> None:
    found = pieces(limit)
    assert len(found) > 1
    assert all(len(portion.text) <= limit for portion in found)
    together = " ".join(" ".join(portion.text.split()) for portion in found)
    positions = [together.index(sentence) for sentence in SENTENCES]
    assert positions == sorted(positions)
    assert not any(portion.left_out for portion in found)


def test_every_piece_says_which_record_it_is_of() -> None:
    found = pieces(400)
    for number, portion in enumerate(found, start=1):
        (record,) = article_records(portion.text)
        assert (record.pmid, record.title, record.year) == ("15355978", "A title", "1997")
        assert f"Part: {number} of {len(found)}" in portion.text
        assert portion.records[0].evidence.count("activates") == 40


def test_a_paragraph_that_fits_is_not_cut() -> None:
    for portion in pieces(1000):
        assert sum(sentence in portion.text for sentence in SENTENCES) % 4 == 0


def test_what_cannot_be_cut_is_left_out_and_counted() -> None:
    blob = "QUJD" * 100
    found = portions(json.dumps([{"pmid": "1", "abstract": "A finding.", "data": blob}]), 300)
    assert [portion.left_out for portion in found] == [400]
    assert "A finding." in found[0].text
    assert blob[:20] not in found[0].text
    (nothing,) = portions(blob, 300)
    assert (nothing.text, nothing.left_out) == ("", 400)


def test_halves_hold_what_the_whole_held() -> None:
    several = portions(as_json(["one", "two", "three"]), 10_000)[0]
    assert [[r.pmid for r in half.records] for half in halved(several)] == [["1"], ["2", "3"]]
    single = portions(json.dumps([ARTICLE]), 10_000)[0]
    for whole in (single, pieces(1000)[0]):
        said = [sentence for sentence in SENTENCES if sentence in whole.text.replace("\\n", " ")]
        halves = halved(whole)
        assert len(halves) >= 2
        assert all(len(half.text) <= len(whole.text) // 2 + 1 for half in halves)
        found = [one for half in halves for one in SENTENCES if one in half.text]
        assert [one for one in said if one not in found] == []
        assert len(found) == len(set(found))


UNITS = [
    "# Record 1\n",
    "<PubmedArticle>",
    "<ref-list>",
    "References\n",
    "A. ",
    " ",
    '{"pmid": 1}\n',
]


@pytest.mark.parametrize("unit", UNITS)
def test_eight_times_the_answer_takes_about_eight_times_as_long(unit: str) -> None:
    def seconds(times: int) -> float:
        payload = unit * (10_000 * times // len(unit))
        start = time.process_time()
        portions(payload, 5000 * times)
        return time.process_time() - start

    small = min(seconds(1) for _ in range(3))
    large = min(seconds(8) for _ in range(2))
    # A square would be 64 times; the hundredth keeps the clock's noise out.
    assert large < 24 * (small + 0.01)
