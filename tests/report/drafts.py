"""Drafts and what the reference manager knows, for tests of the assembly."""

from intogen_agent.evidence.models import FirstSeen, OtherId, TrackedReference
from intogen_agent.models import Cancer, GeneIdentity, Stage
from intogen_agent.report.assemble import (
    Head,
)
from intogen_agent.report.models import ReportProvenance

HEAD = Head(
    gene=GeneIdentity(symbol="APC", aliases=["DP2"]),
    cancer=Cancer(code="COADREAD", scheme="oncotree", name="Colorectal Adenocarcinoma"),
    stage=Stage.REPORT,
    fingerprint="f" * 64,
    provenance=ReportProvenance(controller_edits=["earlier"]),
)


SEEN = FirstSeen(stage="phase2", tool="article_getter", call="c4")


TCF = TrackedReference(
    kind="pmid",
    id="9065401",
    also=[OtherId(kind="doi", id="10.1126/science.275.5307.1784")],
    url="https://pubmed.ncbi.nlm.nih.gov/9065401/",
    title="Constitutive transcriptional activation",
    journal="Science",
    year=1997,
    first_seen=SEEN,
)


TCGA = TrackedReference(
    kind="pmid", id="22810696", journal="Nature", retracted=True, first_seen=SEEN
)


UNIPROT = TrackedReference(
    kind="database",
    id="UniProt:P25054",
    database="UniProt",
    record_id="P25054",
    first_seen=SEEN,
)


SEARCHER = TrackedReference(kind="tool", id="article_searcher", first_seen=SEEN)


KNOWN = {
    "PMID:9065401": TCF,
    "DOI:10.1126/science.275.5307.1784": TCF,
    "PMID:22810696": TCGA,
    "UniProt:P25054": UNIPROT,
    "TOOL:article_searcher": SEARCHER,
}


def resolve(text: str) -> TrackedReference | None:
    return KNOWN.get(text)
