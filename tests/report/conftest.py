"""A valid report, its evidence, and the files of both."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.samples import ledger_item

from intogen_agent.evidence.models import Phase1, Phase2
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence

GENE = {
    "symbol": "APC",
    "name": "APC regulator of WNT signaling pathway",
    "hgnc_id": "HGNC:583",
    "entrez_id": "324",
    "ensembl_id": "ENSG00000134982",
    "uniprot": "P25054",
    "aliases": ["DP2", "DP3", "DP2.5", "PPP1R46"],
}
CANCER = {
    "code": "COADREAD",
    "scheme": "oncotree",
    "name": "Colorectal Adenocarcinoma",
    "pan_cancer": False,
}


def _seen(stage: str, tool: str, call: str) -> dict[str, str]:
    return {"stage": stage, "tool": tool, "call": call}


def _paper(
    pmid: str, title: str, journal: str, year: int, doi: str | None = None, stage: str = "phase2"
) -> dict[str, Any]:
    return {
        "kind": "pmid",
        "id": pmid,
        "also": [{"kind": "doi", "id": doi}] if doi else [],
        "database": None,
        "record_id": None,
        "url": f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/",
        "title": title,
        "journal": journal,
        "year": year,
        "first_seen": _seen(stage, "article_getter", "c4"),
        "retracted": False,
    }


UNIPROT = {
    "kind": "database",
    "id": "UniProt:P25054",
    "also": [],
    "database": "UniProt",
    "record_id": "P25054",
    "url": "https://www.uniprot.org/uniprotkb/P25054/entry",
    "title": None,
    "journal": None,
    "year": None,
    "first_seen": _seen("phase1", "search_by_gene", "c2"),
    "retracted": False,
}
CATENINS = _paper(
    "8259519",
    "Association of the APC tumor suppressor protein with catenins",
    "Science",
    1993,
    stage="phase1",
)
TCF = _paper(
    "9065401",
    "Constitutive transcriptional activation by a beta-catenin-Tcf complex in APC-/- colon "
    "carcinoma",
    "Science",
    1997,
    "10.1126/science.275.5307.1784",
)
MIYOSHI = _paper("1338904", "Somatic mutations of the APC gene", "Hum Mol Genet", 1992)
TCGA = _paper(
    "22810696",
    "Comprehensive molecular characterization of human colon and rectal cancer",
    "Nature",
    2012,
    "10.1038/nature11252",
)

VALID: dict[str, Any] = {
    "schema_version": "1.0",
    "gene": GENE,
    "cancer": CANCER,
    "stage": "report",
    "status": "ok",
    "fingerprint": "f" * 64,
    "gene_function": {
        "bullets": [
            {
                "text": "Scaffolds the cytoplasmic destruction complex that marks beta-catenin for "
                "degradation. Keeps the transcription of WNT target genes low.",
                "citations": [1, 2],
                "evidence": ["F1", "F2"],
            },
            {
                "text": "Binds microtubules and supports the migration and adhesion of cells, e.g. "
                "through ASEF. Associates with alpha- and beta-catenin through its repeats.",
                "citations": [2],
                "evidence": ["F2"],
            },
        ]
    },
    "assessment": {
        "involvement": "supported",
        "undetermined": False,
        "reason": None,
        "rationale": [
            {
                "text": "APC is inactivated by somatic mutations in 41 of 43 colorectal tumours.",
                "citations": [3],
                "evidence": ["E2"],
            },
            {
                "text": "Restoring APC in APC-deficient colon carcinoma cells switches off the "
                "constitutive transcription by beta-catenin and TCF.",
                "citations": [4],
                "evidence": ["E1"],
            },
            {
                "text": "APC is among the 24 significantly mutated genes of colorectal carcinomas.",
                "citations": [5],
                "evidence": ["E3"],
            },
        ],
    },
    "mechanistic_hypothesis": {
        "bullets": [
            {
                "text": "Loss of APC stabilises beta-catenin, which drives TCF target genes and "
                "early transformation of the colonic epithelium.",
                "citations": [3, 4],
                "evidence": ["E1", "E2"],
                "chain": {
                    "cause": "APC loss of function",
                    "mediator": "WNT/beta-catenin signaling",
                    "outcome": "transformation of the colonic epithelium",
                },
            }
        ]
    },
    "references": [
        {"index": number, "tracked": True, **reference}
        for number, reference in enumerate([UNIPROT, CATENINS, MIYOSHI, TCF, TCGA], start=1)
    ],
    "provenance": {
        "models": {
            "report_creator": {
                "provider": "offline",
                "model": "offline-extractive-1",
                "calls": 1,
                "input_tokens": 2000,
                "output_tokens": 600,
            }
        },
        "servers": {"store": "intogen-agent 0.1.0"},
    },
}

NOT_SUPPORTED: dict[str, Any] = {
    **VALID,
    "assessment": {
        "involvement": "not_supported",
        "undetermined": False,
        "reason": "1 reference of the 3 needed.",
        "rationale": [
            {
                "text": "Searches of the literature returned no study of APC in this cancer.",
                "citations": [3],
                "evidence": [],
            },
            {
                "text": "One screen did not find APC to be altered.",
                "citations": [4],
                "evidence": ["E4"],
            },
        ],
    },
    "mechanistic_hypothesis": None,
    "references": [
        {"index": 1, "tracked": True, **UNIPROT},
        {"index": 2, "tracked": True, **CATENINS},
        {
            "index": 3,
            "kind": "tool",
            "id": "article_searcher",
            "first_seen": _seen("phase2", "article_searcher", "c3"),
            "tracked": True,
        },
        {"index": 4, "tracked": True, **TCGA},
    ],
}


def _item(name: str, statement: str, quote: str, reference: str, **fields: str) -> dict[str, Any]:
    return ledger_item(name, statement, reference, quote=quote, call="c4", **fields)


def _call(name: str, tool: str) -> dict[str, Any]:
    return {
        "id": name,
        "server": "store",
        "tool": tool,
        "arguments": {},
        "outcome": "content",
        "error": None,
        "started": "2026-11-30T00:00:00Z",
        "seconds": 0.1,
    }


PHASE1: dict[str, Any] = {
    "gene": GENE,
    "cancer": None,
    "stage": "phase1",
    "status": "ok",
    "fingerprint": "1" * 64,
    "protein": None,
    "ledger": [
        _item(
            "F1",
            "APC is part of the complex that targets beta-catenin for degradation.",
            "promotes rapid degradation of CTNNB1",
            "UniProt:P25054",
            kind="function",
            stance="neutral",
        ),
        _item(
            "F2",
            "APC binds alpha- and beta-catenin.",
            "APC was found to bind the E-cadherin-associated proteins",
            "PMID:8259519",
            kind="function",
            stance="neutral",
        ),
    ],
    "references": [UNIPROT, CATENINS],
    "calls": [_call("c1", "gene_getter"), _call("c2", "search_by_gene")],
    "failures": [],
}
PHASE2: dict[str, Any] = {
    "gene": GENE,
    "cancer": CANCER,
    "stage": "phase2",
    "status": "ok",
    "fingerprint": "2" * 64,
    "hypotheses": [],
    "ledger": [
        _item(
            "E1",
            "Putting APC back into APC-/- cells removes beta-catenin from the complex.",
            "putting APC back removes beta-catenin from it",
            "DOI:10.1126/science.275.5307.1784",
        ),
        _item(
            "E2",
            "Somatic APC mutations were found in colorectal tumours.",
            "41 of 43 somatic point or frameshift mutations",
            "PMID:1338904",
            basis="clinical",
        ),
        _item(
            "E3",
            "Twenty-four genes were significantly mutated.",
            "24 genes were significantly mutated",
            "PMID:22810696",
            basis="driver_statistics",
        ),
        _item(
            "E4",
            "A screen found no alteration.",
            "no alteration was found",
            "PMID:22810696",
            kind="null_result",
            stance="refutes",
        ),
    ],
    "references": [MIYOSHI, TCF, TCGA],
    "queries": [],
    "calls": [_call("c3", "article_searcher"), _call("c4", "article_getter")],
    "failures": [],
}


@pytest.fixture
def valid() -> dict[str, Any]:
    """A supported report that breaks no rule, as JSON data to change."""
    return deepcopy(VALID)


@pytest.fixture
def not_supported() -> dict[str, Any]:
    """A report that is not supported and breaks no rule."""
    return deepcopy(NOT_SUPPORTED)


@pytest.fixture
def parse() -> Callable[[dict[str, Any]], FinalReport]:
    """Turn JSON data into a report."""
    return FinalReport.model_validate


@pytest.fixture
def phase1() -> dict[str, Any]:
    """The gene's phase1.json."""
    return deepcopy(PHASE1)


@pytest.fixture
def phase2() -> dict[str, Any]:
    """The pair's phase2.json."""
    return deepcopy(PHASE2)


@pytest.fixture
def evidence(phase1: dict[str, Any], phase2: dict[str, Any]) -> Evidence:
    """The evidence of the valid report."""
    return Evidence(Phase1.model_validate(phase1), Phase2.model_validate(phase2))


@pytest.fixture
def pair_folder(
    tmp_path: Path, valid: dict[str, Any], phase1: dict[str, Any], phase2: dict[str, Any]
) -> Path:
    """A pair's folder with report.json and phase2.json, phase1.json beside it."""
    folder = tmp_path / "APC" / "COADREAD"
    folder.mkdir(parents=True)
    for path, value in (
        (folder / "report.json", valid),
        (folder / "phase2.json", phase2),
        (folder.parent / "phase1.json", phase1),
    ):
        path.write_text(json.dumps(value))
    return folder
