"""The databases whose records may be cited: names, accessions, record pages.

A database reference needs both the source's name and the accession; this table says which names
are sources, how their accessions look, and where a record is shown.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

# https://www.uniprot.org/help/accession_numbers
UNIPROT_ACCESSION = r"(?:[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2})"


@dataclass(frozen=True)
class Database:
    """A citable database.

    Attributes:
        name: The name used in references.
        accession: Matches a whole accession; group 1 is the part without prefix, version or
            isoform.
        page: Address of a record with `{}` for the accession; None where there is no stable one.
        names: Other names of the source, lower-case.
        elsewhere: More addresses of a record, host and path, `{}` for the accession.
        fold: Makes the canonical case of an accession.
        telling: How accessions start whose form alone names the source; empty where only the
            source's name makes a word an accession.
    """

    name: str
    accession: re.Pattern[str]
    page: str | None
    names: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    fold: Callable[[str], str] = str.upper
    telling: tuple[str, ...] = ()

    def record_id(self, accession: str) -> str | None:
        """Return the canonical accession, or None if it does not have the database's form."""
        match = self.accession.fullmatch(accession.strip())
        return self.fold(match.group(1)) if match else None


def _database(
    name: str,
    accession: str,
    page: str | None,
    names: tuple[str, ...] = (),
    elsewhere: tuple[str, ...] = (),
    *,
    telling: tuple[str, ...] = (),
    fold: Callable[[str], str] = str.upper,
) -> Database:
    pattern = re.compile(accession, re.IGNORECASE)
    return Database(name, pattern, page, names, elsewhere, fold, telling)


UNIPROT = _database(
    "UniProt",
    rf"({UNIPROT_ACCESSION})(?:-\d{{1,3}})?",
    "https://www.uniprot.org/uniprotkb/{}/entry",
    (
        "uniprotkb",
        "uniprotkb/swiss-prot",
        "uniprotkb/trembl",
        "uniprot/swiss-prot",
        "uniprot/trembl",
        "swiss-prot",
        "swissprot",
    ),
    ("uniprot.org/uniprot/{}", "rest.uniprot.org/uniprotkb/{}", "purl.uniprot.org/uniprot/{}"),
)
HGNC = _database(
    "HGNC",
    r"(?:HGNC:)?([1-9]\d{0,5})",
    "https://www.genenames.org/data/gene-symbol-report/#!/hgnc_id/HGNC:{}",
    elsewhere=("genenames.org/cgi-bin/gene_symbol_report?hgnc_id={}",),
)
NCBI_GENE = _database(
    "NCBI Gene",
    r"([1-9]\d{0,8})",
    "https://www.ncbi.nlm.nih.gov/gene/{}",
    (
        "ncbigene",
        "ncbi-gene",
        "ncbi_gene",
        "entrez gene",
        "entrezgene",
        "entrez",
        "geneid",
        "gene id",
    ),
)
ENSEMBL = _database(
    "Ensembl",
    r"(ENS[A-Z]{0,6}[GTPE]\d{11})(?:\.\d{1,3})?",
    "https://www.ensembl.org/id/{}",
    ("ensembl gene",),
    ("ensembl.org/homo_sapiens/gene/summary?g={}", "ensembl.org/mus_musculus/gene/summary?g={}"),
)
# What gene and protein tools return.
GENE_AND_PROTEIN = (UNIPROT, HGNC, NCBI_GENE, ENSEMBL)
# Known where a text names them together with an accession.
OTHERS = (
    _database("OMIM", r"([1-9]\d{5})", "https://www.omim.org/entry/{}", ("mim",)),
    _database(
        "ClinVar", r"((?:VCV|RCV|SCV)\d{9})(?:\.\d{1,3})?", None, telling=("VCV0", "RCV0", "SCV0")
    ),
    _database("dbSNP", r"(rs[1-9]\d{0,10})", "https://www.ncbi.nlm.nih.gov/snp/{}", fold=str.lower),
    _database("PDB", r"([1-9](?=[A-Z0-9]*[A-Z])[A-Z0-9]{3})", "https://www.rcsb.org/structure/{}"),
    _database(
        "Reactome",
        r"(R-[A-Z]{3}-\d{1,9})",
        "https://reactome.org/content/detail/{}",
        telling=("R-HSA-", "R-MMU-"),
    ),
    _database("InterPro", r"(IPR\d{6})", "https://www.ebi.ac.uk/interpro/entry/InterPro/{}/"),
    _database("Pfam", r"(PF\d{5})", "https://www.ebi.ac.uk/interpro/entry/pfam/{}/"),
    _database(
        "GEO",
        r"(G(?:SE|DS)\d{1,8})",
        "https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc={}",
        telling=("GSE",),
    ),
    _database(
        "ArrayExpress",
        r"(E-[A-Z]{4}-\d{1,6})",
        "https://www.ebi.ac.uk/biostudies/arrayexpress/studies/{}",
        telling=("E-MTAB-", "E-GEOD-", "E-MEXP-"),
    ),
    _database("EGA", r"(EGA[SDC]\d{11})", None, telling=("EGAS0", "EGAD0", "EGAC0")),
    _database(
        "dbGaP",
        r"(phs\d{6})(?:\.v\d{1,2}(?:\.p\d{1,2})?)?",
        "https://www.ncbi.nlm.nih.gov/projects/gap/cgi-bin/study.cgi?study_id={}",
        fold=str.lower,
        telling=("phs0",),
    ),
    _database(
        "BioProject",
        r"(PRJ[NED][AB]\d{1,8})",
        "https://www.ncbi.nlm.nih.gov/bioproject/{}",
        telling=("PRJ",),
    ),
    _database("COSMIC", r"(COS[A-Z]\d{1,10})", None, telling=("COSM", "COSV")),
    _database("CIViC", r"((?:EID|AID|VID|GID|MPID)\d{1,7})", None),
)
# Registers of trials besides ClinicalTrials.gov. A trial may stand in several; that one payload
# names two of them does not say that they are one trial, so each stays a record of its own.
REGISTERS = (
    _database(
        "ISRCTN",
        r"(?:ISRCTN)?(\d{8})",
        "https://www.isrctn.com/ISRCTN{}",
        telling=("ISRCTN",),
    ),
    _database(
        "EudraCT",
        # The WHO's portal: EUCTR2010-024004-98-GB.
        r"(?:EUCTR)?((?:19|20)\d\d-\d{6}-\d\d)(?:-[A-Z]{2})?",
        None,
        ("eudract number",),
        telling=("EUCTR",),
    ),
    # The successor of EudraCT: four groups of digits.
    _database(
        "CTIS",
        r"((?:19|20)\d\d-\d{6}-\d\d-\d\d)",
        None,
        ("eu ct", "euct", "eu ct number"),
    ),
    _database("ANZCTR", r"(?:ACTRN)?(126\d{11})", None, ("actrn",), telling=("ACTRN",)),
    _database("ChiCTR", r"(?:ChiCTR)?(\d{10})", None, telling=("ChiCTR",)),
    _database(
        "DRKS", r"(?:DRKS)?(\d{8})", "https://drks.de/search/en/trial/DRKS{}", telling=("DRKS",)
    ),
    _database("UMIN", r"(?:UMIN)?(\d{9})", None, ("umin-ctr", "jprn"), telling=("UMIN0",)),
)
DATABASES = GENE_AND_PROTEIN + OTHERS + REGISTERS

_BY_NAME = {
    name: database for database in DATABASES for name in (database.name.lower(), *database.names)
}
# Longest first, so that an alternation of them never stops at a shorter name.
DATABASE_NAMES = tuple(sorted(_BY_NAME, key=len, reverse=True))


def _bare(address: str) -> str:
    return address.lower().removeprefix("https://").removeprefix("www.")


_PAGES = tuple(
    (_bare(page).split("{}")[0], database)
    for database in DATABASES
    for page in (*([database.page] if database.page else []), *database.elsewhere)
)
_ACCESSION_END = re.compile(r"[/?#&;]|\.(?:json|txt|xml|fasta|rdf)\b")


def find_database(name: str) -> Database | None:
    """Return the database of a name, in any case and spacing, or None if it is not known."""
    return _BY_NAME.get(" ".join(name.lower().split()))


def record_of_page(address: str) -> tuple[Database, str] | None:
    """Return the database and accession of a record's page.

    Args:
        address: An address without scheme and `www.`.
    """
    lowered = address.lower()
    for start, database in _PAGES:
        if lowered.startswith(start):
            accession = _ACCESSION_END.split(address[len(start) :], maxsplit=1)[0]
            record_id = database.record_id(accession)
            if record_id:
                return database, record_id
    return None
