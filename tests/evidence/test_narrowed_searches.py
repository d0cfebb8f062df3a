"""A server that takes fewer words than it is given: nothing more is said to have been asked."""

from dataclasses import replace
from pathlib import Path

import pytest
from phase2_world import EMPTY, World, search, turn

from intogen_agent.evidence.models import Kind

ASKED = {"genes": ["KEAP1"], "diseases": ["lung adenocarcinoma"], "keywords": ["loss"]}


def test_an_absence_is_claimed_for_what_was_asked_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(tmp_path, monkeypatch)
    found = world.run(
        turn(search("loss", "silencing", "deletion")), answer=replace(EMPTY, asked=ASKED)
    )
    [query] = found.queries
    assert query.arguments == ASKED
    [null] = [item for item in found.ledger if item.kind is Kind.NULL_RESULT]
    assert "keywords: loss)" in null.statement and "silencing" not in null.statement
    assert world.models is not None
    assert world.models.told()[0]["asked"] == ASKED
