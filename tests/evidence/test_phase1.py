"""Phase 1: one test per sentence of the method."""

import json
from pathlib import Path

import pytest
from phase1_world import (
    APC,
    GENE,
    GENE_CALL,
    HUMAN_CALL,
    MICE,
    MOUSE_CALL,
    PROTEIN,
    Step,
    World,
    answering,
    content,
    down,
    empty,
    gene_record,
)
from uniprot_shapes import Made, search

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.errors import StageFailure
from intogen_agent.mcp.answers import ToolAnswer


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> World:
    return World(monkeypatch, tmp_path)


# Sentences of the method.


def test_the_model_is_a_molecular_oncology_assistant_focused_on_core_function() -> None:
    values = {"organism": "human", "fallback_organism": "mouse", "retries": 3}
    text = prompts.instruction(Role.GENE_INVESTIGATOR, values)
    assert text.startswith("You are a molecular oncology assistant.")
    subject = text.splitlines()[0]
    for word in ("core function", "gene", "protein"):
        assert word in subject


@pytest.mark.parametrize(
    "subject", ["domains", "interactions", "pathways", "isoforms", "post-translational regulation"]
)
def test_the_instruction_asks_for(subject: str) -> None:
    values = {"organism": "human", "fallback_organism": None, "retries": 3}
    assert subject in prompts.instruction(Role.GENE_INVESTIGATOR, values)


def test_tool_usage_follows_a_fixed_order(world: World) -> None:
    world.run([GENE_CALL, HUMAN_CALL], answering())
    assert world.models.offers == [[GENE], [PROTEIN]]
    assert [name for name, _ in world.tools.asked] == [GENE, PROTEIN]


def test_the_gene_record_gives_canonical_identifiers_and_aliases(world: World) -> None:
    record = gene_record(
        hgnc_id="HGNC:583",
        entrez_id="324",
        ensembl_id="ENSG00000134982",
        uniprot_id="P25054",
        aliases=["DP2", "GS"],
    )
    gene = world.run([GENE_CALL, HUMAN_CALL], answering(gene=record)).gene
    assert gene.model_dump() == {
        "symbol": "APC",
        "name": "the gene APC",
        "hgnc_id": "HGNC:583",
        "entrez_id": "324",
        "ensembl_id": "ENSG00000134982",
        "uniprot": "P25054",
        "aliases": ["DP2", "GS", "DP3"],
    }


def test_the_protein_record_gives_detailed_functional_annotations(world: World) -> None:
    phase1 = world.run([GENE_CALL, HUMAN_CALL], answering())
    assert phase1.protein is not None and phase1.protein.accession == "P25054"
    assert phase1.protein.function == ["Degrades CTNNB1 (PMID:9065401)"]
    statements = {item.statement: item.references for item in phase1.ledger}
    assert statements["Degrades CTNNB1 (PMID:9065401)"] == ["UniProt:P25054"]


def test_human_is_used_by_default(world: World) -> None:
    calls: list[Step] = [GENE_CALL, (PROTEIN, {"gene": "APC"})]
    phase1 = world.run(calls, answering(search(MICE, APC)))
    assert phase1.protein is not None and phase1.protein.organism == "Homo sapiens"


@pytest.mark.parametrize(
    "human",
    [
        [empty()],
        [content(search(Made("APC2")))],
        [down(), down()],
    ],
    ids=["empty", "unusable", "repeatedly failed"],
)
def test_if_human_calls_repeatedly_failed_or_brought_nothing_usable_mouse_is_permitted(
    world: World, human: list[ToolAnswer]
) -> None:
    script = [GENE_CALL, *[HUMAN_CALL] * len(human), MOUSE_CALL]
    phase1 = world.run(script, answering([*human, search(MICE)]))
    assert phase1.protein is not None and phase1.protein.accession == "Q61315"
    assert phase1.failures == []


@pytest.mark.parametrize("tool", [GENE, PROTEIN])
def test_a_call_is_retried_three_times_then_a_structured_failure_is_recorded_and_work_proceeds(
    world: World, tool: str
) -> None:
    names = ["APC", "DP2", "DP3", "HGNC:583"]
    tries: list[Step] = [(tool, {"gene": name}) for name in names]
    if tool == GENE:
        phase1 = world.run([*tries, HUMAN_CALL], answering(gene=[empty()] * 4))
        assert phase1.protein is not None
    else:
        record = gene_record(summary="Restrains WNT. It binds actin.")
        with pytest.raises(StageFailure, match="1 statement"):
            world.run([GENE_CALL, *tries], answering(protein=[empty()] * 4, gene=record))
        return
    (failure,) = phase1.failures
    assert (failure.tool, failure.attempts, failure.error) == (tool, 4, "empty")
    assert [arguments["gene"] for name, arguments in world.tools.asked if name == tool] == names


@pytest.mark.parametrize("retries", [0, 1])
def test_the_number_of_retries_is_configured(world: World, retries: int) -> None:
    names = ["APC", "DP2", "DP3"][: retries + 1]
    tries: list[Step] = [(GENE, {"gene": name}) for name in names]
    evidence = {"phase1_retries": retries}
    phase1 = world.run([*tries, HUMAN_CALL], answering(gene=[empty()] * 3), evidence=evidence)
    assert phase1.failures[0].attempts == retries + 1


def test_caps_control_how_many_entries_are_retained_and_zero_disables_a_category(
    world: World,
) -> None:
    evidence = {"uniprot": {"isoforms": 1, "modifications": 0}}
    phase1 = world.run([GENE_CALL, HUMAN_CALL], answering(), evidence=evidence)
    assert phase1.protein is not None
    assert phase1.protein.isoforms == ["Long (P25054-1)"] and phase1.protein.modifications == []
    assert phase1.protein.kept["isoforms"] == "1 of 2"
    assert phase1.protein.kept["modifications"] == "0 of 1"
    assert not any("Phosphorylated" in item.statement for item in phase1.ledger)


@pytest.mark.parametrize("keep", [True, False])
def test_include_sub_refs_governs_whether_inline_references_are_preserved_or_stripped(
    world: World, keep: bool
) -> None:
    evidence = {"uniprot": {"include_sub_refs": keep}}
    phase1 = world.run([GENE_CALL, HUMAN_CALL], answering(), evidence=evidence)
    assert phase1.protein is not None
    assert ("PMID:9065401" in phase1.protein.function[0]) == keep
    # The reference manager has seen it either way.
    assert "9065401" in [reference.id for reference in phase1.references]


def test_a_reader_can_follow_from_a_statement_to_its_quote_and_its_call(world: World) -> None:
    phase1 = world.run([GENE_CALL, HUMAN_CALL], answering())
    calls = {call.id: call for call in phase1.calls}
    assert phase1.protein is not None
    told = json.dumps(phase1.protein.model_dump())
    for item in phase1.ledger:
        call = calls[item.call]
        assert call.arguments and call.started
        assert call.tool == GENE or json.dumps(item.quote)[1:-1] in told
    assert phase1.protein.call == "c2"
    assert phase1.identity_sources["uniprot"] == "protein record (c2)"
    assert phase1.identity_sources["name"] == "gene record (c1)"
