"""Records that an answer names beside its references."""

import json
from pathlib import Path
from typing import Any

import pytest

from intogen_agent.cli import main
from intogen_agent.evidence.payload_mentions import mentions
from intogen_agent.evidence.references import scan


def named(value: Any) -> list[str]:
    return [identifier.text for identifier in mentions(json.dumps(value))]


PARTNER = {"uniProtKBAccession": "O15169-2", "intActId": "EBI-1"}
ENTRY = {
    "entryType": "UniProtKB reviewed (Swiss-Prot)",
    "primaryAccession": "P25054",
    "secondaryAccessions": ["D3DT03"],
    "comments": [
        {"interactions": [{"interactantTwo": PARTNER}]},
        {"resourceUrl": "https://en.wikipedia.org/wiki/Gene"},
    ],
    "uniProtKBCrossReferences": [
        {"database": "PDB", "id": "1DEB", "properties": []},
        {"database": "GO", "id": "GO:0005515"},
        {"database": "EMBL", "id": "M74088"},
    ],
    "evidences": [
        {"evidenceCode": "ECO:0000256", "source": "SAM", "id": "MobiDB-lite"},
        {"evidenceCode": "ECO:0000269", "source": "PubMed", "id": "1651562"},
    ],
}


def test_an_entry_names_partners_structures_and_pages() -> None:
    assert named({"results": [ENTRY]}) == [
        "UniProt:D3DT03",
        "UniProt:O15169",
        "IntAct:EBI-1",
        "https://en.wikipedia.org/wiki/Gene",
        "PDB:1DEB",
        "GO:0005515",
        "EMBL:M74088",
    ]


def test_annotations_name_genes_and_terms() -> None:
    annotations = [
        {"identifier": "673", "namespace": "NCBIGene"},
        {"identifier": "MESH:D008545", "namespace": "MESH"},
        {"identifier": "BRAF p.V600E", "namespace": "HGVS"},
    ]
    assert named({"annotations": annotations}) == ["NCBI Gene:673", "MESH:D008545"]


@pytest.mark.parametrize(
    "value",
    [{"accession": "P25054"}, {"id": "1DEB"}, {"database": "PDB"}, "PDB:1DEB", []],
)
def test_what_names_no_source_is_no_mention(value: Any) -> None:
    assert named(value) == []


def test_a_failure_names_nothing() -> None:
    assert mentions('Error: {"database": "PDB", "id": "1DEB"}') == []


def test_a_mention_is_not_offered_for_citation() -> None:
    cited = {one.text for found in scan(json.dumps(ENTRY)) for one in found.ids}
    assert cited == {"UniProt:P25054", "PMID:1651562"}


def test_the_command_prints_a_record_once_as_reference_or_as_mention(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "entry.json", tmp_path / "text.md"]
    files[0].write_text(json.dumps(ENTRY))
    files[1].write_text("PDB:1DEB")
    assert main(["references", *map(str, files), "--tool", "t"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    roles = {line["id"]: line["role"] for line in lines}
    assert len(roles) == len(lines)
    assert (roles["PDB:1DEB"], roles["EMBL:M74088"]) == ("reference", "mention")
