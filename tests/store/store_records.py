"""Small records of a store, and the table of cancer types."""

from typing import Any

HEADER = "scheme\tcode\tname\tparent\tsearch_terms\tefo_id"
CANCER_TYPES = [
    "oncotree\tCANCER\tAny Cancer Type\t\tcancer|tumor|tumour|neoplasm|carcinoma|malignancy\t",
    "oncotree\tBOWEL\tBowel\tCANCER\tbowel cancer|intestinal cancer\t",
    "oncotree\tCOADREAD\tColorectal Adenocarcinoma\tBOWEL\tcolorectal cancer|colon cancer\t",
    "oncotree\tREAD\tRectal Adenocarcinoma\tCOADREAD\trectal adenocarcinoma|rectal cancer\t",
    "oncotree\tLUNG\tLung\tCANCER\tlung cancer\t",
    "oncotree\tNSCLC\tNon-Small Cell Lung Cancer\tLUNG\tnon-small cell lung cancer|NSCLC\t",
    "oncotree\tLUAD\tLung Adenocarcinoma\tNSCLC\tlung adenocarcinoma\t",
    "oncotree\tSCLC\tSmall Cell Lung Cancer\tLUNG\tsmall cell lung cancer\t",
    "oncotree\tAML\tAcute Myeloid Leukemia\tCANCER\tacute myeloid leukemia|AML\t",
    "oncotree\tMEL\tMelanoma\tCANCER\tmelanoma\t",
    "2020\tCOREAD\tColorectal adenocarcinoma\tCANCER\tcolorectal cancer|colorectal tumor\t",
]


def gene(symbol: str, **fields: Any) -> dict[str, Any]:
    return {"symbol": symbol, "name": f"{symbol} name", "aliases": [], "previous": []} | fields


def article(
    pmid: int | str, text: str, title: str | None = "A title", **fields: Any
) -> dict[str, Any]:
    head = {"pmid": str(pmid), "title": title, "journal": "J Test", "year": 2001}
    return head | {"first_author": "Doe J", "text": text, "text_kind": "synopsis"} | fields


def protein(symbol: str, accession: str, **fields: Any) -> dict[str, Any]:
    return {
        "gene": symbol,
        "accession": accession,
        "organism": "Homo sapiens",
        "taxon_id": 9606,
        "reviewed": True,
        "text_kind": "uniprot",
        "function": [{"text": "Binds things.", "pmids": ["123"]}],
    } | fields


GENES = [
    gene(
        "APC",
        hgnc_id="HGNC:583",
        entrez_id="324",
        ensembl_id="ENSG00000134982",
        uniprot="P25054",
        aliases=["DP2", "DP2.5", "PPP1R46"],
    ),
    gene("TTN", aliases=["CMD1G"], previous=["CMPD4"], uniprot="Q8WZ42"),
    gene("FBXW7", aliases=["AGO", "FBW7", "CDC4", "SHARED1"], entrez_id="55294"),
    gene("KRAS", aliases=["K-ras", "SHARED1"], previous=["KRAS2"]),
    gene("KIT", aliases=["CD117", "p1"]),
    gene("EML4"),
    gene("ALK"),
    gene("TP53", aliases=["p53", "TRP53"]),
]
PROTEINS = [
    protein("APC", "P25054", entry_name="APC_HUMAN", name="Adenomatous polyposis coli protein"),
    protein("APC", "Q61315", organism="Mus musculus", taxon_id=10090),
    protein("TTN", "Q8WZ42", name="Titin", text_kind="general_knowledge", length=34350),
]
ARTICLES = [
    article(
        101,
        "APC loss activates WNT signalling in colorectal cancer. Truncating mutations are common.",
        "APC in colorectal cancer",
        doi="10.1038/ABC",
        pmcid="PMC77",
    ),
    article(102, "We saw APC once. Methylation was high in rectal adenocarcinoma.", year=2010),
    article(103, "APC regulates the mitotic spindle."),
    article(104, "TTN-AS1 promotes lung adenocarcinoma.", "TTN-AS1 in lung cancer"),
    article(105, "TTN is long, so passenger mutations pile up in lung adenocarcinoma."),
    article(106, "KRAS-mutant melanoma is rare.", retracted=True, text_kind="abstract"),
    article(107, "Colorectal cohorts were sequenced.", genes=["FBXW7"], cancers=["COADREAD"]),
    article(108, "Sunlight causes melanoma by DNA damage."),
]
