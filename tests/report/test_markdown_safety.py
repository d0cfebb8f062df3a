"""No text from evidence can break a table, inject HTML or hide a link, whatever it holds.

Pages are read by a real Markdown parser (CommonMark with GitHub's tables and strikethrough): with
any text in any place they keep the structure and the links of a harmless page.
"""

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from report_damage import put_thresholds

from intogen_agent.evidence.models import Phase2
from intogen_agent.report.escaping import escape, link
from intogen_agent.report.markdown import report_markdown
from intogen_agent.report.models import FinalReport
from intogen_agent.report.statistics import IntogenStatistics

Data = dict[str, Any]
PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</td></table><!--",
    "&lt;script&gt;",
    "[click](javascript:alert(1))",
    "![x](https://evil.example/pixel.png)",
    "[ref]: https://evil.example",
    "<https://evil.example>",
    "a | b | c",
    "|---|---|",
    "`code` ```fence```",
    "**bold** __bold__ *it* _it_ ~~gone~~",
    "# heading",
    "> quote",
    "- item",
    "+ item",
    "1. item",
    "1) item",
    "---",
    "===",
    "line\n\n# heading\n\n| a |\n|---|",
    "$x$ and $$y$$",
    "back\\slash \\[x\\](y)",
    "\u202egnp.exe\u202c",
    "zero\u200bwidth",
    "\x00\x07bell",
    "trailing backslash\\",
    "](https://evil.example)",
    "*](javascript:x)",
]
# What could be active: each of these must be preceded by a backslash or absent.
ACTIVE = re.compile(r"(?<!\\)(?:\\\\)*(?:[`*\[\]|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_not_obeyed(text: str) -> None:
    safe = escape(text)
    assert "\n" not in safe
    assert not re.search(r"<[a-z/!?]", safe, re.IGNORECASE)
    assert not re.search(r"&(?!amp;|lt;)#?\w+;", safe)
    assert not ACTIVE.search(safe)
    assert not re.match(r"#|>|[-+=]|\d+[.)]", safe)
    assert not re.search("[\u200b\u202a-\u202e\x00-\x1f]", safe)


@settings(deadline=None)
@given(st.text())
def test_any_text_is_escaped(text: str) -> None:
    test_hostile_text_is_shown_not_obeyed(text)


@pytest.mark.parametrize(
    "text",
    ["APC loss, 41 of 43 (95%)", "P < 0.05", "c.35G>A", "β-catenin", "5′ end", "R & D", "<5%"],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert escape(text) == text


# Every place of a page that text of a model, a tool, a table or a user reaches.
PLACES = {
    "bullet": lambda d, text: d["report"]["assessment"]["rationale"][0].update(text=text),
    "function": lambda d, text: d["report"]["gene_function"]["bullets"][0].update(text=text),
    "mechanism": lambda d, text: _mechanism(d).update(text=text),
    "cause": lambda d, text: _mechanism(d)["chain"].update(cause=text),
    "outcome": lambda d, text: _mechanism(d)["chain"].update(outcome=text),
    "reason": lambda d, text: d["report"]["assessment"].update(reason=text),
    "title": lambda d, text: d["report"]["references"][3].update(title=text),
    "journal": lambda d, text: d["report"]["references"][3].update(journal=text),
    "title of a record": lambda d, text: d["report"]["references"][0].update(title=text),
    "gene": lambda d, text: d["report"]["gene"].update(name=text),
    "symbol": lambda d, text: d["report"]["gene"].update(symbol=text),
    "cancer": lambda d, text: d["report"]["cancer"].update(name=text),
    "code": lambda d, text: d["report"]["cancer"].update(code=text),
    "open issue": lambda d, text: d["report"]["provenance"].update(unresolved=[text]),
    "edit": lambda d, text: d["report"]["provenance"].update(controller_edits=[text]),
    "pruned": lambda d, text: d["report"]["provenance"].update(pruned=[text]),
    "model": lambda d, text: _role(d).update(model=text),
    "model that answered": lambda d, text: _role(d).update(answered_by=[text]),
    "provider": lambda d, text: _role(d).update(provider=text),
    "server": lambda d, text: d["report"]["provenance"].update(servers={"store": text}),
    "statement": lambda d, text: d["phase2"]["ledger"][3].update(statement=text),
    "query": lambda d, text: d["phase2"]["queries"][0].update(arguments={"keywords": text}),
    "note": lambda d, text: d["phase2"]["queries"][1].update(note=text),
    "failure": lambda d, text: d["phase2"]["failures"][0].update(message=text),
    "threshold": lambda d, text: d["report"]["assessment"]["thresholds"][0].update(threshold=text),
    "cohort": lambda d, text: d["statistics"].update(cohorts=[text]),
    "role": lambda d, text: d["statistics"].update(role=text),
}


def _mechanism(data: Data) -> Data:
    return data["report"]["mechanistic_hypothesis"]["bullets"][0]


def _role(data: Data) -> Data:
    return data["report"]["provenance"]["models"]["report_creator"]


def material(report: Data, phase2: Data) -> Data:
    """Return the parts of a page in which every place is filled."""
    data = deepcopy({"report": report, "phase2": phase2})
    put_thresholds(data["report"])
    for place in ("open issue", "edit", "pruned", "reason", "model that answered"):
        PLACES[place](data, "word")
    data["phase2"]["queries"] = [
        {"call": "c3", "arguments": {}, "outcome": outcome, "records": 0}
        for outcome in ("empty", "failed")
    ]
    failure = {"tool": "article_getter", "attempts": 3, "error": "x", "message": "no answer"}
    data["phase2"]["failures"] = [failure]
    data["statistics"] = {"cohorts": ["X"], "methods": ["dndscv"], "role": "LoF"}
    return data


def page(data: Data) -> str:
    return report_markdown(
        FinalReport.model_validate(data["report"]),
        IntogenStatistics.model_validate(data["statistics"]),
        Phase2.model_validate(data["phase2"]),
    )


def tokens(text: str) -> Iterator[Token]:
    for block in PARSER.parse(text):
        yield block
        yield from block.children or ()


def structure(text: str) -> list[tuple[str, str, Any]]:
    """Return a page's blocks, marks and links without its words."""
    return [
        (token.type, token.tag, token.attrGet("href"))
        for token in tokens(text)
        if token.type != "text"
    ]


def shown(text: str) -> str:
    """Return the words that a reader sees."""
    return "".join(token.content for token in tokens(text) if token.type == "text")


def plain(text: str) -> str:
    """Return what a reader should see of a text: invisible characters and line ends apart."""
    return "".join(each for each in " ".join(text.split()) if each.isprintable())


def check(data: Data, place: str, text: str) -> None:
    if escape(text) == "":
        # Nothing visible is left out of a page or replaced: another structure, and harmless.
        return
    harmless, hostile = deepcopy(data), deepcopy(data)
    PLACES[place](harmless, "word")
    PLACES[place](hostile, text)
    written = page(hostile)
    assert structure(written) == structure(page(harmless))
    assert not any(token.type in ("html_block", "html_inline") for token in tokens(written))
    if place == "bullet":
        assert plain(text).replace("\xad", "") in plain(shown(written))


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("place", PLACES)
def test_hostile_text_anywhere_leaves_the_page_whole(
    valid: Data, phase2: Data, place: str, text: str
) -> None:
    check(material(valid, phase2), place, text)


FRAGMENTS = [*HOSTILE, "<1@evil.example>", "www.evil.example", "](", "[", "]", "(", ")", "<", ">",
             "|", "`", "```", "*", "**", "_", "__", "~~", "\\", "&", "&#60;", "&lt;", "\n",
             "\n\n", "# ", "- ", "1. ", "    ", "\t", "$", "!", "[^1]", ":", '"', "a", "APC",
             "β"]  # fmt: skip


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    place=st.sampled_from(sorted(PLACES)),
    text=st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=6).map("".join) | st.text(),
)
@example(place="bullet", text="<1@evil.example>")
@example(place="mechanism", text="===")
@example(place="mechanism", text="    code")
def test_any_text_anywhere_leaves_the_page_whole(
    valid: Data, phase2: Data, place: str, text: str
) -> None:
    check(material(valid, phase2), place, text)


def test_the_check_sees_what_escaping_prevents() -> None:
    """The parser is one that would obey: each of these would change a page."""
    assert structure("a <b>b</b>") != structure("a b")
    assert structure("[a](https://evil.example)") != structure("a")
    assert structure("a <1@evil.example>") != structure("a b")
    assert structure("| a |\n|---|\n| b | c |") != structure("word")
    assert structure("~~a~~") != structure("a")


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.example",
        "https://user:pw@evil.example/",
        "https://pubmed.ncbi.nlm.nih.gov@evil.example/",
        "https://evil example/",
        "https://evil.example/\nx",
        "https://[bad/",
        "https://localhost/x",
        "",
        None,
    ],
)
def test_unsafe_addresses_are_no_links(url: str | None) -> None:
    assert link("1", url) == "1"


@pytest.mark.parametrize(
    ("url", "target"),
    [
        (
            "https://doi.org/10.1016/S0092-8674(00)81683-9",
            "https://doi.org/10.1016/S0092-8674%2800%2981683-9",
        ),
        ("https://example.org/a%20b?c=d&e=f#g", "https://example.org/a%20b?c=d&e=f#g"),
        ("https://example.org/\u202e", "https://example.org/%E2%80%AE"),
        ("https://example.org/é", "https://example.org/%C3%A9"),
        ("https://example.org/a*b_c[d]", "https://example.org/a*b_c%5Bd%5D"),
    ],
)
def test_addresses_cannot_end_their_link(url: str, target: str) -> None:
    assert link("1", url) == f"[1]({target})"


def test_a_label_cannot_end_its_link() -> None:
    assert link("x](https://evil.example)", "https://example.org/") == (
        "[x\\](https://evil.example)](https://example.org/)"
    )
