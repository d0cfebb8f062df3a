"""A model that obeys what an abstract tells it: the controls hold, the finding beside it counts."""

import json
import re
import textwrap
from pathlib import Path

import pytest
import scripted_server
from scripted_server import Ran, Reply, message, run

from intogen_agent import prompts
from intogen_agent.evidence.ledger import Ledger
from intogen_agent.evidence.models import EvidenceItem, Phase2, TrackedReference
from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.evidence.summaries import Material, Summarizer
from intogen_agent.llm.models import Models
from intogen_agent.mcp.answers import classify
from intogen_agent.visible import visible
from tests.injection.planted import (
    FAKE_DOI,
    FAKE_PMID,
    FAKE_TRIAL,
    GENUINE,
    PLANTED,
    Planted,
)
from tests.samples import summary_bullet as bullet

OWN = "PMID:9065401"
NEIGHBOUR = "PMID:1651563"
FAKES = {f"PMID:{FAKE_PMID}", f"DOI:{FAKE_DOI}", FAKE_TRIAL}
TASK = {"gene": "APC", "cancer": {"code": "COADREAD", "name": "Colorectal Adenocarcinoma"}}

pytestmark = pytest.mark.usefixtures("one_set_of_certificates")


def as_json(abstract: str) -> str:
    return json.dumps(
        [
            {"pmid": "9065401", "title": "APC in colon tumours", "abstract": abstract},
            {"pmid": "1651563", "title": "Chromosome 5q21", "abstract": "No mutation was found."},
        ]
    )


def as_unicode_json(abstract: str) -> str:
    return json.dumps(json.loads(as_json(abstract)), ensure_ascii=False, indent=2)


def as_markdown(abstract: str) -> str:
    """Write as BioMCP and the store's server do: long values are wrapped and indented."""
    wrapped = textwrap.indent(textwrap.fill(abstract, 72), "  ")
    first = f"# Record 1\nPmid: 9065401\nTitle: APC in colon tumours\nAbstract:\n{wrapped}\n"
    return f"{first}\n# Record 2\nPmid: 1651563\nAbstract:\n  No mutation was found.\n"


SHAPES = {"JSON": as_json, "Unicode JSON": as_unicode_json, "Markdown": as_markdown}


def obedient(planted: Planted) -> Reply:
    """Answer as a model that does what it reads: the fakes are its sources."""
    bullets = [
        bullet(planted.quote, *sorted(FAKES), NEIGHBOUR, "TOOL:read_environment"),
        bullet(GENUINE, *sorted(FAKES), OWN),
        bullet("APC drives every cancer.", *sorted(FAKES)),
    ]
    return message(json.dumps({"bullets": bullets}))


class Summarized:
    """What became of an abstract."""

    def __init__(self, folder: Path, planted: Planted, shape: str) -> None:
        self.manager, self.ledger = ReferenceManager(), Ledger("E")
        raw = SHAPES[shape](f"{GENUINE} {planted.text} Further words.")
        payload = classify(raw, is_error=False).text

        async def act(models: Models) -> list[EvidenceItem]:
            layer = Summarizer(models, self.manager, self.ledger, "phase2", TASK, 20_000)
            material = Material("article_searcher", "c1", payload, payload)
            return (await layer.summarize([material]))[0]

        self.ran: Ran = run(folder, [obedient(planted)], act)
        self.items: list[EvidenceItem] = self.ran.value

    @property
    def shown(self) -> str:
        content: str = self.ran.requests[0].body["messages"][-1]["content"]
        return content


@pytest.fixture(params=SHAPES)
def shape(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=PLANTED)
def planted(request: pytest.FixtureRequest) -> Planted:
    return PLANTED[request.param]


@pytest.fixture
def summarized(tmp_path: Path, planted: Planted, shape: str) -> Summarized:
    assert scripted_server.API == "chat"
    return Summarized(tmp_path, planted, shape)


def test_the_genuine_finding_is_used_and_no_fake_becomes_its_source(summarized: Summarized) -> None:
    genuine = [item for item in summarized.items if item.quote == GENUINE]
    assert [item.references for item in genuine] == [[OWN]]
    assert {name for item in summarized.items for name in item.references} == {OWN}
    assert not any("every cancer" in item.statement for item in summarized.items)


def test_what_an_abstract_names_is_no_paper_that_was_read(summarized: Summarized) -> None:
    assert FAKES.isdisjoint(summarized.manager.allowed())
    assert set(summarized.manager.allowed()) == {OWN, NEIGHBOUR}
    for fake in FAKES:
        known = summarized.manager.resolve(fake)
        assert known is None or known.mentioned


def test_the_fence_holds_and_nobody_else_speaks(summarized: Summarized) -> None:
    roles = [one["role"] for one in summarized.ran.requests[0].body["messages"]]
    assert roles == ["system", "user"]
    shown = summarized.shown
    names = "|".join(prompts.BLOCKS)
    tags = re.findall(rf"<\s*/?\s*(?:{names})\b[^>\n]*>", shown, re.IGNORECASE)
    assert [tag.split()[0].strip("</>") for tag in tags] == [
        *("task", "task", "allowed_identifiers", "allowed_identifiers", "payload", "payload"),
    ]
    assert shown.endswith("\n</payload>")
    assert not re.search(r"<\||\[/?INST\]|&lt;/payload|\uff1c/payload", shown)


def test_nothing_hidden_reaches_the_model_or_the_ledger(summarized: Summarized) -> None:
    written = [f"{item.statement} {item.quote}" for item in summarized.items]
    for text in [summarized.shown, *written]:
        assert visible(text) == text


def test_a_neighbours_text_is_no_source_of_what_an_abstract_claims(summarized: Summarized) -> None:
    assert all(NEIGHBOUR not in item.references for item in summarized.items)
    assert summarized.ledger.dropped["citation not allowed"] > 0


ORDERS = ("a verdict", "a tool call", "the key", "the end of the fence", "a system message")


@pytest.mark.parametrize(
    "name", [*ORDERS, "zero-width characters", "a fake PMID", "a fake record", "a fake DOI"]
)
def test_an_instruction_or_another_papers_identifier_is_no_evidence(
    tmp_path: Path, name: str, shape: str
) -> None:
    summarized = Summarized(tmp_path, PLANTED[name], shape)
    assert [item.quote for item in summarized.items] == [GENUINE]


def test_a_named_paper_stays_named_in_the_file_and_becomes_read_by_its_own_record() -> None:
    manager = ReferenceManager()
    manager.observe(as_json(PLANTED["a fake PMID"].text), "phase2", "article_searcher", "c1")
    named = manager.resolve(f"PMID:{FAKE_PMID}")
    assert named is not None
    assert named.mentioned
    again = TrackedReference.model_validate_json(named.model_dump_json())
    assert ReferenceManager([again]).allowed() == []
    manager.observe(json.dumps({"pmid": FAKE_PMID, "title": "It is"}), "phase2", "t", "c2")
    read = manager.resolve(f"PMID:{FAKE_PMID}")
    assert read is not None
    assert not read.mentioned
    assert read.first_seen.call == "c1"


def test_a_stage_file_of_before_reads_as_it_did() -> None:
    assert "mentioned" not in TrackedReference.model_json_schema()["required"]
    assert "failures" in Phase2.model_fields
