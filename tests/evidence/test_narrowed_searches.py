"""A server that takes fewer words than it is given: nothing more is said to have been asked."""

from dataclasses import replace
from pathlib import Path

import pytest
from phase2_world import EMPTY, World, search, turn
from tests.scripted_toolbox import ScriptedToolbox

from intogen_agent.evidence.models import Kind, Scope
from intogen_agent.models import GeneIdentity

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


def test_an_ambiguous_name_is_not_left_alone_by_narrowing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        ScriptedToolbox, "narrowed", lambda _, name, given: {**given, "genes": given["genes"][:1]}
    )
    met = GeneIdentity(symbol="MET", aliases=["HGFR"])
    asked = turn(*(search(genes=names) for names in (["MET", "HGFR"], ["HGFR", "MET"])))
    world = World(tmp_path, monkeypatch)
    world.run(asked, gene=met)
    assert world.models is not None
    first, second = world.models.told()
    assert "not searched alone" in first["error"] and second["outcome"] == "empty"


def test_where_another_gene_was_asked_for_no_absence_is_claimed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {**ASKED, "genes": ["EGFR"]}
    found = World(tmp_path, monkeypatch).run(
        turn(search("loss")), answer=replace(EMPTY, asked=asked)
    )
    assert [item for item in found.ledger if item.kind is Kind.NULL_RESULT] == []
