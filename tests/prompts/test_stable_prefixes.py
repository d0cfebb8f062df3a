"""Requests begin with what they share: the order in which providers' caches pay off."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from scripted_journey import Asked, Journey, conversations

from intogen_agent.config.roles import Role
from intogen_agent.mcp.logical import SCHEMAS, LogicalTool
from intogen_agent.prompts import BLOCKS

FULL = [
    Role.GENE_INVESTIGATOR, Role.GENE_INVESTIGATOR, Role.SUMMARIZER, Role.GENE_INVESTIGATOR,
    Role.SUMMARIZER, Role.HYPOTHESIS_PLANNER, Role.MECHANISM_INVESTIGATOR,
    Role.MECHANISM_INVESTIGATOR, Role.SUMMARIZER, Role.MECHANISM_INVESTIGATOR,
    Role.MECHANISM_INVESTIGATOR, Role.REPORT_CREATOR, Role.REPAIRER, Role.REPAIRER,
    Role.SCIENTIFIC_REVIEWER, Role.REFINER, Role.REPAIRER, Role.SCIENTIFIC_REVIEWER,
    Role.SUMMARY_HELPER, Role.SUMMARY_HELPER, Role.STYLE_CRITIC, Role.STYLE_REFINER,
    Role.STYLE_CRITIC,
]  # fmt: skip
# The requests that hold what phase 1 found, with what comes first of all that is of a pair.
OF_THE_GENE = {
    Role.HYPOTHESIS_PLANNER: "</gene_function>",
    Role.MECHANISM_INVESTIGATOR: "</gene_function>",
    Role.REPORT_CREATOR: '"id": "E1"',
    Role.REPAIRER: '"id": "E1"',
    Role.SCIENTIFIC_REVIEWER: '"id": "E1"',
    Role.REFINER: '"id": "E1"',
}


@pytest.fixture
def travel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def go(gene: str = "APC", code: str = "COADREAD") -> list[Asked]:
        return Journey(tmp_path, gene, code).travel(monkeypatch)

    return go


def text(asked: Asked) -> str:
    return "\n".join(f"{m['role']}: {m['content'] or m['tool_calls']}" for m in asked.messages)


def opening(asked: Asked) -> str:
    """Return the first user message."""
    return str(asked.messages[1]["content"])


def common_start(one: str, other: str) -> str:
    length = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return one[:length]


def tags(content: str) -> list[str]:
    return re.findall(r"^<([a-z_]+)[^>/]*>$", content, re.MULTILINE)


def of(asked: list[Asked], role: Role) -> list[Asked]:
    return [request for request in asked if request.role is role]


def test_the_script_asks_every_agent_and_goes_round_every_loop(travel: Any) -> None:
    assert [request.role for request in travel()] == FULL
    assert set(FULL) == set(Role)


@pytest.mark.parametrize(
    ("gene", "code"), [("TP53", "COADREAD"), ("APC", "BRCA"), ("TP53", "CANCER")]
)
def test_the_instruction_comes_first_and_is_the_same_for_every_pair(
    travel: Any, gene: str, code: str
) -> None:
    for one, other in zip(travel(), travel(gene, code), strict=True):
        assert [m["role"] for m in one.messages].count("system") == 1
        assert one.messages[0]["role"] == "system"
        assert one.messages[0] == other.messages[0]


@pytest.mark.parametrize("code", ["BRCA", "CANCER"])
def test_what_is_known_of_the_gene_comes_before_what_differs_between_its_cancers(
    travel: Any, code: str
) -> None:
    for one, other in zip(travel(), travel("APC", code), strict=True):
        end = OF_THE_GENE.get(one.role)
        if end is None or one.shape == "HypothesisVerdicts":
            continue
        shared = common_start(text(one), text(other))
        assert end in shared
        assert "binds microtubules" in shared and "holds beta-catenin" in shared
        assert "Colorectal" not in shared and len(shared) < len(text(one))


@pytest.mark.parametrize("code", ["BRCA", "CANCER"])
def test_the_gene_stands_before_the_cancer_in_the_task(travel: Any, code: str) -> None:
    roles = (Role.SUMMARIZER, Role.SUMMARY_HELPER, Role.STYLE_CRITIC, Role.STYLE_REFINER)
    one, other = travel(), travel("APC", code)
    for role in roles:
        for here, there in zip(of(one, role), of(other, role), strict=True):
            assert '"gene": "APC"' in common_start(opening(here), opening(there))


def test_blocks_come_in_the_order_of_how_many_requests_share_them(travel: Any) -> None:
    seen: set[str] = set()
    for request in travel():
        found = tags(opening(request))
        assert found == sorted(set(found), key=BLOCKS.index)
        seen.update(*(tags(str(m["content"])) for m in request.messages[1:]))
    # Only a configuration that prunes less sends turns of the evidence phases.
    assert seen | {"conversation"} == set(BLOCKS)


def test_only_later_turns_hold_violations(travel: Any) -> None:
    for request in travel():
        later = [tags(str(m["content"])) for m in request.messages[2:] if m["role"] == "user"]
        assert [tag for found in later for tag in found] in ([], ["violations"], ["violations"] * 2)
        assert "violations" not in tags(opening(request))


def test_a_conversation_only_grows(travel: Any) -> None:
    lengths = []
    for turns in conversations(travel()):
        for one, later in pairwise(turns):
            assert later.messages[: len(one.messages)] == one.messages
            assert len(later.messages) > len(one.messages)
        lengths.append(len(turns))
    # Gene, plan, search, verdicts, report with repairs, review, refinement with a repair, review,
    # summary, and three requests of the style editor.
    assert lengths == [3, 1, 3, 1, 3, 1, 2, 1, 2, 1, 1, 1]


def test_report_review_and_refinement_share_the_evidence_byte_by_byte(travel: Any) -> None:
    asked = travel()
    roles = (Role.REPORT_CREATOR, Role.REPAIRER, Role.SCIENTIFIC_REVIEWER, Role.REFINER)
    shared = set()
    for request in (request for role in roles for request in of(asked, role)):
        start, end = opening(request).index("<rules>"), opening(request).index("</references>")
        shared.add(opening(request)[start:end])
    assert len(shared) == 1
    assert tags(shared.pop()) == ["rules", "ledger", "task", "hypotheses", "failures", "references"]


def test_a_second_review_differs_from_the_report_on(travel: Any) -> None:
    first, second = of(travel(), Role.SCIENTIFIC_REVIEWER)
    assert "<report>" in common_start(text(first), text(second))


def test_the_payload_comes_last_and_the_task_before_it(travel: Any) -> None:
    for request in of(travel(), Role.SUMMARIZER):
        assert tags(opening(request)) == ["task", "allowed_identifiers", "payload"]
        assert opening(request).endswith("</payload>") and len(request.messages) == 2


def test_a_call_that_cannot_be_read_is_answered_with_the_error_and_the_schema(travel: Any) -> None:
    asked = travel()
    for role, tool in (
        (Role.GENE_INVESTIGATOR, LogicalTool.GENE_RECORD),
        (Role.MECHANISM_INVESTIGATOR, LogicalTool.ARTICLE_SEARCH),
    ):
        answer = next(m for m in of(asked, role)[1].messages if m["role"] == "tool")
        assert answer["tool_call_id"] == "call_1"
        assert '"error": "the arguments are not valid JSON"' in answer["content"]
        schema = json.loads(answer["content"])["schema"]
        assert schema == SCHEMAS[tool]
        later = [m for m in of(asked, role)[2].messages if m["role"] == "tool"]
        assert "schema" not in later[1]["content"]
