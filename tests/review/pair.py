"""A pair with its evidence and a valid report that no check has anything against."""

from copy import deepcopy
from typing import Any

from tests.samples import ledger_item

from intogen_agent.cohort.cancer_types import default_path, load_cancer_types
from intogen_agent.evidence.models import Phase1, Phase2
from intogen_agent.models import Cancer
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence
from intogen_agent.report.thresholds import Thresholds
from intogen_agent.review.checks import Checker
from intogen_agent.review.naming import CancerTerms

GENE: dict[str, Any] = {
    "symbol": "APC",
    "name": "APC regulator of WNT signaling pathway",
    "uniprot": "P25054",
    "aliases": ["DP2", "DP3"],
}
CANCER: dict[str, Any] = {
    "code": "COADREAD",
    "scheme": "oncotree",
    "name": "Colorectal Adenocarcinoma",
    "pan_cancer": False,
}
TERMS = ("colorectal adenocarcinoma", "colorectal cancer", "colon cancer", "colon carcinoma")

# PMIDs with titles and journals.
PAPERS: dict[str, tuple[str, str]] = {
    "8259519": ("Association of the APC tumor suppressor protein with catenins", "Science"),
    "9065401": ("Constitutive transcriptional activation in APC-/- colon carcinoma", "Science"),
    "1338904": ("Somatic mutations of the APC gene in colorectal tumors", "Hum Mol Genet"),
    "22810696": ("Molecular characterization of human colon and rectal cancer", "Nature"),
    "14672538": ("Role of APC in the development of colorectal cancers", "Mol Cancer"),
    "12093899": ("Mutations in APC, KRAS and p53 seldom co-occur in colorectal cancer", "PNAS"),
    "17000000": ("APC in gastric cancer", "Gut"),
    "17000001": ("KRAS in colorectal cancer", "Oncogene"),
    "17000002": ("APC in cultured colon cancer cells", "Cell"),
}


def reference(pmid: str, stage: str = "phase2") -> dict[str, Any]:
    title, journal = PAPERS[pmid]
    return {
        "kind": "pmid",
        "id": pmid,
        "title": title,
        "journal": journal,
        "year": 2000,
        "url": f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/",
        "first_seen": {"stage": stage, "tool": "article_search", "call": "c1"},
    }


UNIPROT: dict[str, Any] = {
    "kind": "database",
    "id": "UniProt:P25054",
    "database": "UniProt",
    "record_id": "P25054",
    "url": "https://www.uniprot.org/uniprotkb/P25054/entry",
    "first_seen": {"stage": "phase1", "tool": "protein_record", "call": "c2"},
}


def item(name: str, text: str, pmid: str, **fields: Any) -> dict[str, Any]:
    """Return a ledger item; its statement is its quote."""
    return ledger_item(name, text, f"PMID:{pmid}" if pmid.isdigit() else pmid, **fields)


def call(name: str, tool: str) -> dict[str, Any]:
    return {
        "id": name,
        "server": "store",
        "tool": tool,
        "arguments": {"gene": "APC"},
        "outcome": "content",
        "started": "2026-11-30T00:00:00Z",
        "seconds": 0.1,
    }


def head(stage: str, cancer: dict[str, Any] | None = CANCER) -> dict[str, Any]:
    return {"gene": GENE, "cancer": cancer, "stage": stage, "status": "ok", "fingerprint": "f" * 16}


FUNCTION = {"kind": "function", "stance": "neutral"}
SCAFFOLD = "The protein scaffolds the complex that marks beta-catenin for degradation."
MARKS = "APC marks beta-catenin for degradation."
BINDS = "APC binds alpha- and beta-catenin."
TCF = (
    "In colon carcinoma cells without APC, beta-catenin forms an active complex with hTcf-4. "
    "Loss of APC turns on WNT target genes and drives growth of the epithelium."
)
COUNTS = "APC was inactivated by mutations in 41 of 43 colorectal tumours."
ROUTE = (
    "Mutation of APC starts the chromosomal-instability route of colorectal cancer by stabilising "
    "beta-catenin."
)
SELDOM = "Mutations of APC, KRAS and p53 seldom occur together in colorectal cancer."
GASTRIC = "APC was mutated in gastric cancer of the intestinal type."
OTHER_GENE = "KRAS was mutated in 40% of colorectal cancers."
CELLS = "APC restoration lowers growth of cultured colon cancer lines."
AGAINST = "APC mutations did not change the outcome of colorectal cancer."

PHASE1: dict[str, Any] = {
    **head("phase1", None),
    "protein": None,
    "ledger": [
        item("F1", SCAFFOLD, "UniProt:P25054", **FUNCTION),
        item("F2", BINDS, "8259519", **FUNCTION),
        item("F3", MARKS, "UniProt:P25054", **FUNCTION),
    ],
    "references": [UNIPROT, reference("8259519", "phase1")],
    "calls": [call("c1", "gene_record"), call("c2", "protein_record")],
    "failures": [],
}
CHAINS: list[dict[str, str]] = [
    {"cause": "APC loss", "mediator": "WNT target genes", "outcome": "growth of the epithelium"},
    {"cause": "APC mutation", "mediator": "beta-catenin", "outcome": "chromosomal instability"},
]
HYPOTHESIS: dict[str, Any] = {
    "id": "H1",
    "statement": "Loss of APC stabilises beta-catenin.",
    "chain": CHAINS[1],
    "alteration": "mutation",
    "expected_studies": [],
    "fate": "confirmed",
    "evidence": ["E3"],
}
PHASE2: dict[str, Any] = {
    **head("phase2"),
    "hypotheses": [HYPOTHESIS],
    "ledger": [
        item("E1", TCF, "9065401", system="cell line"),
        item("E2", COUNTS, "1338904", basis="clinical"),
        item("E3", ROUTE, "14672538", system="not stated"),
        item("E4", SELDOM, "12093899", kind="alteration", basis="clinical"),
        item("E5", GASTRIC, "17000000", scope="other", basis="clinical"),
        item("E6", OTHER_GENE, "17000001", basis="clinical"),
        item("E7", CELLS, "17000002", system="cell line"),
    ],
    "references": [
        *PHASE1["references"],
        *(reference(pmid) for pmid in PAPERS if pmid not in ("8259519", "22810696")),
    ],
    "queries": [
        {"call": "c1", "arguments": {"genes": ["APC"]}, "outcome": "content", "records": 7}
    ],
    "calls": [call("c1", "article_search")],
    "failures": [],
}


def bullet(text: str, citations: list[int], evidence: list[str], **more: Any) -> dict[str, Any]:
    return {"text": text, "citations": citations, "evidence": evidence, **more}


REPORT: dict[str, Any] = {
    **head("report"),
    "gene_function": {
        "bullets": [
            bullet(
                "Scaffolds the complex that marks beta-catenin for degradation. Binds alpha- and "
                "beta-catenin.",
                [1, 2],
                ["F1", "F2", "F3"],
            ),
            bullet("Binds alpha-catenin. Binds beta-catenin as well.", [2], ["F2"]),
        ]
    },
    "assessment": {
        "involvement": "supported",
        "rationale": [
            bullet(COUNTS, [3], ["E2"]),
            bullet(TCF, [4], ["E1"]),
            bullet(SELDOM, [5], ["E4"]),
        ],
    },
    "mechanistic_hypothesis": {
        "bullets": [
            bullet(TCF, [4], ["E1"], chain=CHAINS[0]),
            bullet(ROUTE, [6], ["E3"], chain=CHAINS[1]),
        ]
    },
    "references": [
        {"index": number, "tracked": True, **found}
        for number, found in enumerate(
            [
                UNIPROT,
                reference("8259519", "phase1"),
                *(reference(pmid) for pmid in ("1338904", "9065401", "12093899", "14672538")),
            ],
            start=1,
        )
    ],
    "provenance": {},
}


def report() -> dict[str, Any]:
    """Return the valid report as JSON data to change."""
    return deepcopy(REPORT)


def phase2() -> dict[str, Any]:
    """Return the evidence of phase 2 as JSON data to change."""
    return deepcopy(PHASE2)


def evidence(changed: dict[str, Any] | None = None) -> Evidence:
    """Return the evidence, with another phase 2 if one is given."""
    return Evidence(Phase1.model_validate(PHASE1), Phase2.model_validate(changed or PHASE2))


def parsed(data: dict[str, Any]) -> FinalReport:
    return FinalReport.model_validate(data)


def checker(cancer: dict[str, Any] = CANCER, terms: tuple[str, ...] = TERMS) -> Checker:
    types = load_cancer_types(default_path())
    return Checker(CancerTerms(Cancer.model_validate(cancer), terms, types), Thresholds())
