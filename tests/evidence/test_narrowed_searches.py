"""A server that takes fewer words than it is given: nothing more is said to have been asked."""

from dataclasses import replace
from pathlib import Path

import pytest
from phase2_world import EMPTY, World, search, turn

from intogen_agent.evidence.models import Kind, Scope

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


def test_where_another_cancer_was_asked_of_the_absence_is_of_that_cancer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {**ASKED, "diseases": ["glioblastoma"]}
    found = World(tmp_path, monkeypatch).run(
        turn(search("loss")), answer=replace(EMPTY, asked=asked)
    )
    [query] = found.queries
    assert query.scope is Scope.OTHER
    assert [i.scope for i in found.ledger if i.kind is Kind.NULL_RESULT] == [Scope.OTHER]


def test_where_another_gene_was_asked_for_no_absence_is_claimed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {**ASKED, "genes": ["EGFR"]}
    found = World(tmp_path, monkeypatch).run(
        turn(search("loss")), answer=replace(EMPTY, asked=asked)
    )
    assert [item for item in found.ledger if item.kind is Kind.NULL_RESULT] == []
