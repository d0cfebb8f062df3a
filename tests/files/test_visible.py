"""Characters that nobody sees are taken out, written or escaped; everything else stays."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.visible import visible

HIDDEN = [
    *("\x00", "\x07", "\x1b", "\x7f", "\x9b", "\u00ad", "\u034f", "\u061c", "\u180e", "\u200b"),
    *("\u200d", "\u200f", "\u202a", "\u202e", "\u2060", "\u2069", "\u3164", "\ufe0f", "\ufeff"),
    *("\ufff9", "\U000e0041", "\U000e007f", "\U000e0100"),
]
ENDS = ["\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("character", HIDDEN, ids=lambda one: f"U+{ord(one):04X}")
def test_a_hidden_character_is_taken_out(character: str) -> None:
    assert visible(f"dri{character}ver") == "driver"
    assert visible(json.dumps(f"dri{character}ver")) == '"driver"'


@pytest.mark.parametrize("character", ENDS, ids=lambda one: f"U+{ord(one):04X}")
def test_no_other_line_end_than_a_newline_makes_a_line(character: str) -> None:
    text = visible(f"APC{character}Pmid: 1\r\nTitle: x\n")
    assert text == "APC Pmid: 1\nTitle: x\n"
    assert len(text.splitlines()) == 2


@pytest.mark.parametrize(
    "text",
    [
        "β-catenin, p < 0.001, 5 µM, naïve, e\u0301",
        "a\tb\nc\u00a0d\u2009e",
        "忽略 العربية עברית русский",
        "😀 ©",
        r"\beta and \frac{1}{2}, C:\new\table",
        r'{"a": "\u03b2\n\t\"\\"}',
        r"a backslash before it: \\u200b",
    ],
)
def test_everything_else_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@given(text=st.text())
def test_what_is_left_is_visible_and_stays(text: str) -> None:
    seen = visible(text)
    assert visible(seen) == seen or "\\u" in seen
    kinds = {unicodedata.category(one) for one in seen if one not in "\t\n"}
    assert not kinds & {"Cc", "Zl", "Zp"}
    assert len(seen) <= len(text)


@given(text=st.text())
def test_json_reads_as_its_visible_text_reads(text: str) -> None:
    for ascii_only in (True, False):
        value = json.loads(visible(json.dumps({"a": text}, ensure_ascii=ascii_only)))
        assert visible(value["a"]) == visible(text)
