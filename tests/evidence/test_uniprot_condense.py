"""A protein entry is condensed by the configured caps."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uniprot_shapes import Made, recorded

from intogen_agent.config.settings import UniprotSettings
from intogen_agent.evidence.gene_identity import protein_identity
from intogen_agent.evidence.models import Protein
from intogen_agent.evidence.uniprot import FUNCTION_STATEMENTS, condense
from intogen_agent.evidence.uniprot_choice import select_entry
from intogen_agent.evidence.uniprot_statements import protein_statements

APP = "augmented_nature_uniprot/search_by_gene_APP_full_real_entry"
CATEGORIES = [
    "isoforms",
    "domains",
    "motifs",
    "subcellular_locations",
    "interactions",
    "modifications",
    "pathways",
]
ALL = UniprotSettings(**dict.fromkeys(CATEGORIES, 10_000))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def app(shared_data: Path) -> dict[str, Any]:
    """The full entry of APP, 1 MB."""
    choice = select_entry(recorded(shared_data, APP), "APP", "human")
    assert choice.entry is not None
    return choice.entry


def made(**fields: Any) -> dict[str, Any]:
    return Made(**fields).rest()


def test_text_that_is_not_from_uniprot_has_no_accession() -> None:
    protein = condense(made(kind="Local record"), UniprotSettings())
    assert protein.accession is None and not protein.reviewed


def test_a_full_entry_of_a_megabyte_becomes_a_readable_record(
    app: dict[str, Any], shared_data: Path
) -> None:
    assert len(recorded(shared_data, APP)) > 950_000
    protein = condense(app, UniprotSettings())
    assert len(protein.model_dump_json()) < 20_000
    assert len(protein_statements([protein])) < 20_000
    assert protein.name == "Amyloid-beta precursor protein"
    assert protein.isoforms[0] == "APP770 (P05067-1)" and len(protein.isoforms) == 5
    assert protein.domains[:3] == [
        "E1 (28-189)",
        "BPTI/Kunitz inhibitor (291-341)",
        "E2 (374-565)",
    ]
    assert protein.motifs[0].startswith("OX-2 (344-365)")
    assert len(protein.interactions) == 10 and len(protein.subcellular_locations) == 6
    assert 1 <= len(protein.function) <= FUNCTION_STATEMENTS


def test_a_reader_sees_how_much_was_left_out(app: dict[str, Any]) -> None:
    protein = condense(app, UniprotSettings())
    assert protein.kept["isoforms"] == "5 of 11"
    for category in ("function", *CATEGORIES):
        kept, _, total = protein.kept[category].partition(" of ")
        assert int(kept) == len(getattr(protein, category)) <= int(total)


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("cap", [0, 1, 2])
def test_a_cap_bounds_its_category_and_zero_disables_it(
    app: dict[str, Any], category: str, cap: int
) -> None:
    full = condense(app, ALL)
    capped = condense(app, ALL.model_copy(update={category: cap}))
    everything: list[str] = getattr(full, category)
    assert everything and getattr(capped, category) == everything[:cap]
    others = {category, "kept"}
    assert capped.model_dump(exclude=others) == full.model_dump(exclude=others)
    assert len(set(everything)) == len(everything)
    assert capped.kept[category] == f"{min(cap, len(everything))} of {len(everything)}"


def texts(protein: Protein) -> list[str]:
    values = protein.model_dump().values()
    return [text for value in values if isinstance(value, list) for text in value]


PLAIN = re.compile(r" \((?:whole text: )?PMID:\d+(?:, PMID:\d+)*\)")


def test_references_are_kept_or_stripped(app: dict[str, Any]) -> None:
    with_refs, without = (
        texts(condense(app, ALL.model_copy(update={"include_sub_refs": keep})))
        for keep in (True, False)
    )
    assert len(with_refs) >= len(without)
    assert any(PLAIN.search(text) for text in with_refs)
    assert not any(re.search(r"PMID|PubMed", text) for text in without)
    assert not any("PubMed:" in text for text in with_refs)
    assert {PLAIN.sub("", text) for text in with_refs} == set(without)


def test_every_kept_reference_is_one_of_the_entry(app: dict[str, Any]) -> None:
    kept = {pmid for text in texts(condense(app, ALL)) for pmid in re.findall(r"PMID:(\d+)", text)}
    payload = json.dumps(app)
    assert len(kept) > 50 and all(f'"{pmid}"' in payload for pmid in kept)


@pytest.mark.parametrize(
    ("value", "kept", "stripped"),
    [
        ("Binds actin (PubMed:123)", "Binds actin (PMID:123)", "Binds actin"),
        (
            "Binds actin (PubMed:1, PubMed:22). Moves (PubMed:3).",
            "Binds actin (PMID:1, PMID:22). Moves (PMID:3).",
            "Binds actin. Moves.",
        ),
        ("Moves (PubMed:1, Ref.5)", "Moves (PMID:1)", "Moves"),
        ("Moves (Ref.5)", "Moves", "Moves"),
        ("Binds Cu(2+) (By similarity).", *["Binds Cu(2+) (By similarity)."] * 2),
        ("(PubMed:1)", None, None),
        ("", None, None),
    ],
)
def test_inline_references_stand_where_they_stood_or_leave_the_text(
    value: str, kept: str | None, stripped: str | None
) -> None:
    entry = made(texts=[("FUNCTION", "", value, [])])
    assert condense(entry, ALL).function == ([kept] if kept else [])
    bare = ALL.model_copy(update={"include_sub_refs": False})
    assert condense(entry, bare).function == ([stripped] if stripped else [])


def test_only_papers_are_references() -> None:
    evidences = [
        {"source": "PubMed", "id": "9065401"},
        {"source": "PubMed", "id": "9065401"},
        {"source": "PROSITE-ProRule", "id": "PRU01217"},
        {"source": "PubMed", "id": "x"},
        {"source": "PubMed", "id": None},
        {},
    ]
    comment = {"commentType": "PTM", "texts": [{"value": "Phosphorylated", "evidences": evidences}]}
    protein = condense({**made(), "comments": [comment]}, ALL)
    assert protein.modifications == ["Phosphorylated (PMID:9065401)"]


def test_the_papers_of_a_paragraph_are_not_those_of_its_last_sentence() -> None:
    entry = made(texts=[("SUBUNIT", "", "Binds A. Binds B (PubMed:5)", ["5", "6"])])
    assert condense(entry, ALL).interactions == ["Binds A. Binds B (PMID:5) (whole text: PMID:6)"]


def test_each_statement_is_a_record_with_its_own_source() -> None:
    entry = made(texts=[("FUNCTION", "", "Binds A", ["5"]), ("PTM", "", "Cleaved", [])])
    records = json.loads(protein_statements([condense(entry, ALL)]))
    assert records[0]["accession"] == "P25054" and records[0]["kept"]["function"] == "1 of 1"
    assert records[1:] == [
        {"uniprot": "P25054", "function": ["Binds A (PMID:5)"]},
        {"uniprot": "P25054", "modifications": ["Cleaved"]},
    ]


KEYS = [
    "value",
    "uniProtKBCrossReferences",
    "properties",
    "database",
    "foreign",
    "genes",
    "geneName",
    "organism",
    "scientificName",
    "comments",
    "texts",
    "commentType",
    "features",
    "type",
    "location",
    "evidences",
    "isoforms",
    "name",
]
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)
KINDS = ["FUNCTION", "SUBUNIT", "PTM", "DOMAIN", "SUBCELLULAR LOCATION", "INTERACTION"]
ODD = st.fixed_dictionaries(
    {},
    optional={
        "entryType": ANY,
        "primaryAccession": ANY,
        "organism": ANY | st.just({"scientificName": "Homo sapiens"}),
        "genes": ANY | st.just([{"geneName": {"value": "APC"}}]),
        "proteinDescription": ANY,
        "comments": st.lists(
            st.fixed_dictionaries(
                {"commentType": st.sampled_from([*KINDS, "ALTERNATIVE PRODUCTS"])},
                optional={
                    "texts": ANY,
                    "isoforms": ANY,
                    "subcellularLocations": ANY,
                    "interactions": ANY,
                },
            )
            | ANY,
            max_size=3,
        )
        | ANY,
        "features": ANY,
    },
)


@given(results=st.lists(ODD | ANY, max_size=3), cap=st.integers(0, 3))
def test_no_shape_of_an_answer_breaks_the_reader_and_caps_always_hold(
    results: list[Any], cap: int
) -> None:
    choice = select_entry(json.dumps({"results": results}), "APC", "human")
    assert (choice.entry is None) == (choice.reason != "")
    caps = UniprotSettings(**dict.fromkeys(CATEGORIES, cap))  # type: ignore[arg-type]
    for result in results:
        if isinstance(result, dict):
            protein = condense(result, caps)
            assert all(len(getattr(protein, category)) <= cap for category in CATEGORIES)
            protein_identity(result, "APC")
