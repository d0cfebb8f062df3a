"""A task as one scalar parameter of a rule."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.cohort.handover import gene_text, read_task, statistics_text, task_text
from intogen_agent.cohort.statistics import Statistics
from intogen_agent.cohort.tasks import Task
from intogen_agent.report.statistics import IntogenStatistics

STATISTICS = Statistics(
    cohorts=("C1", "C2"),
    methods=("dndscv",),
    qvalue_min=1e-9,
    mutated_samples=7,
    role="LoF",
    role_votes=(("Act", 1), ("LoF", 2)),
)
PAIR = Task(
    gene="APC",
    cancer_type="COADREAD",
    cancer_name="Colorectal Adenocarcinoma",
    scheme="oncotree",
    search_terms=("colorectal cancer", "CRC"),
    path="APC/COADREAD",
    task="pair",
    origin="intogen",
    statistics=STATISTICS,
)
PAN = replace(
    PAIR, cancer_type="CANCER", cancer_name="Cancer", path="APC/CANCER", task="pan-cancer"
)


@given(
    gene=st.text(min_size=1),
    name=st.text(),
    terms=st.lists(st.text(), max_size=3).map(tuple),
    scheme=st.sampled_from(["oncotree", "2020", "custom"]),
)
def test_a_pair_survives_its_text(
    gene: str, name: str, terms: tuple[str, ...], scheme: str
) -> None:
    task = replace(PAIR, gene=gene, cancer_name=name, search_terms=terms, scheme=scheme)
    assert read_task(task_text(task)) == replace(task, origin="", statistics=None)
    assert "\n" not in task_text(task)


@pytest.mark.parametrize(
    "other",
    [
        replace(PAIR, statistics=None),
        replace(PAIR, statistics=replace(STATISTICS, qvalue_min=0.05)),
        replace(PAIR, origin="configuration"),
    ],
)
def test_statistics_and_origin_are_not_part_of_a_task(other: Task) -> None:
    assert task_text(other) == task_text(PAIR)
    assert statistics_text(other) != statistics_text(PAIR)


@pytest.mark.parametrize(
    "other",
    [
        replace(PAIR, gene="TP53"),
        replace(PAIR, cancer_type="LUAD"),
        replace(PAIR, cancer_name="Bowel cancer"),
        replace(PAIR, search_terms=("CRC",)),
        replace(PAIR, scheme="2020"),
        PAN,
    ],
)
def test_another_task_has_another_text(other: Task) -> None:
    assert task_text(other) != task_text(PAIR)


def test_the_pan_cancer_task_is_the_same_in_every_scheme() -> None:
    assert task_text(replace(PAN, scheme="2020")) == task_text(PAN)


def test_phase_1_is_the_same_for_all_cancers_of_a_gene() -> None:
    texts = {gene_text(task) for task in (PAIR, PAN, replace(PAIR, cancer_type="LUAD"))}
    assert len(texts) == 1
    task = read_task(texts.pop())
    assert (task.gene, task.path, task.cancer_type, task.search_terms) == ("APC", "APC", "", ())
    assert gene_text(replace(PAIR, gene="TP53", path="TP53/COADREAD")) != gene_text(PAIR)


def test_statistics_travel_to_the_rule_that_renders_them() -> None:
    value = json.loads(statistics_text(PAIR))
    assert value["origin"] == "intogen"
    shown = IntogenStatistics(origin=value["origin"], **value["statistics"])
    assert shown.mutated_samples == 7 and shown.role == "LoF"
    none = json.loads(statistics_text(replace(PAIR, statistics=None)))
    assert none["statistics"] is None
