"""What names of molecules look like, and the words around them that make them a mediator.

No molecule is known here: names are told by their shape (capitals and digits, Greek letters, a
hyphened or numbered form) and by the words that stand beside them.
"""

import re

from intogen_agent.offline.sentences import word_set

_GREEK = r"(?:alpha|beta|gamma|delta|epsilon|kappa|zeta)"
_TOKEN = (
    # beta-abcdin, Ab.1
    rf"(?:{_GREEK}-[a-z]{{4,}}|[A-Z][A-Za-z]{{0,6}}\.\d+(?![\w.])"
    # ABC1, Abc2, hABC-4, ABC-1alpha
    r"|(?:[hpmc]-?)?[A-Z][A-Za-z]{0,8}-?\d{1,3}[A-Za-z]{0,7}(?:-(?:alpha|beta|gamma))?"
    # p12, c-abc, AB-kappa-B, abcin D
    rf"|p\d{{2,3}}(?!\w)|c-[A-Z]?[a-z]{{2,4}}\b|[A-Z]{{1,3}}-{_GREEK}-?[A-Z]"
    r"|[A-Za-z][a-z]{2,9}in [A-Z]\d?(?![\w-])|[A-Z]-[a-z]{4,10}in\b"
    # ABC-alpha, ABC, ABC/DEalpha, mABC, A/ABCalpha
    rf"|[A-Z]{{2,5}}-?\d?-{_GREEK}|m[A-Z]{{2,5}}\d?|[A-Z]/[A-Z]{{2,5}}{_GREEK}?"
    rf"|[A-Z]{{2,8}}(?:/[A-Z]{{1,8}}\d?)?{_GREEK}?"
    # abcin-DEF; Abc within a sentence or a compound; Abcde signalling
    r"|[a-z]{3,9}in(?=-[A-Z]{2})|(?<=[a-z,;(/] )[A-Z][a-z]{2}(?![\w-])"
    r"|(?<=[/-])[A-Z][a-z]{2}(?![\w-])"
    r"|(?<=[a-z,;(/] )[A-Z][a-z]{2,8}(?= (?:signall?ing|pathway|axis|target genes)))"
)
UNIT = rf"{_TOKEN}(?:[-/]{_TOKEN})*"
_LIST = rf"{UNIT}(?:(?:, | and |, and | or ){UNIT})*"
_HEAD = (
    r"(?:signall?ing(?: pathway)?|pathways?|cascades?|axis|target genes|response genes|promoter"
    r"|complex(?:es)?|expression|activity|response|reporter|loci|transcription|degradation|binding"
    r"|repression|accumulation|levels?|antagonists?|phosphorylation|activation|level|mRNA|protein)"
)
PHRASE = re.compile(rf"(?<![\w/.-])({_LIST})(?: (?:gene )?({_HEAD}))?(?![\w/]|-[a-z])")

# Capitals that are methods, statistics, nucleotides, studies or ordinary abbreviations.
NOT_MOLECULES = word_set(
    """
    TCGA ICGC HR OS PFS CI CR CRH SD DNA RNA MRNA MIRNA CDNA CTDNA PCR NGS WES WGS IHC USA US UK EU
    CRISPR TKI TKIS MRD FISH GTP GDP ADP AMP GWAS OR RR MSS TMB CNS ITD TKD PTD WT LOH CNV SNP SNV
    PDX EMT ROS ECM UPD TNM WHO FDA NIH II III IV VS VAF NA GEF SCF AND THE NOT ONE TWO ALL
    """
)
CELL_LINE = re.compile(r"^(?:[A-Z]{2,4}-?\d{2,5}|[A-Z]\d{2,4}|\d+[A-Z]|[A-Z]{2,3}-\d+)$")
_RESIDUE = (
    r"(?:[A-Z]|Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val)"
)
VARIANT = re.compile(rf"^(?:p\.)?{_RESIDUE}-?\d{{1,4}}(?:{_RESIDUE}(?:fs)?|\*)?$")

# After a molecule: it is another gene's alteration, a drug's target, a domain or a study.
ANOTHERS_ALTERATION = re.compile(
    r"^\s*-?(?:mutations?|mutant|mutated|loss|amplification|deletions?|fusions?|status"
    r"|alterations?|co-alterations?|wild|negativity|gain|inhibitors?|inhibition|blockade|testing"
    r"|driven|domains?\b|repeats?\b|motifs?\b|type\b|boxes\b|lines?\b|cells?\b|cohort|study"
    r"|trial|positive|negative|family|score|data|patients|cases)",
    re.IGNORECASE,
)
# Before a molecule: something is done to it.
EFFECT_BEFORE = re.compile(
    r"(?:activat\w*|hyperactivat\w*|stabili[sz]\w*|bind(?:s|ing)?|bound|interact\w*|repress\w*"
    r"|induc\w*|suppress(?:es|ed|ing)|rais(?:es|ed|ing)|increas\w*|lower(?:s|ed|ing)|reduc\w*"
    r"|regulat\w*|target\w*|degrad\w*|recruit\w*|inhibit(?:s|ed|ing)|drives?|driving|secret\w*"
    r"|depend\w* (?:\w+ )?on|through|via|holds?|keeps?|on chromatin at|limits?|weaken\w*"
    r"|accumul\w*|antagoni[sz]\w*|mediat\w*|turns on|leaves?|removes?|downstream of|less|more"
    r"|express\w*|control of|changes?|(?:repress|activat|accumulat|stabili[sz]at|degradat|induct"
    r"|regulat)ion of)\s+(?:(?!(?:in|of|with|from|by)\b)[\w-]+\s+){0,3}(?:and\s+)?$",
    re.IGNORECASE,
)
# A cell answers to it: a drug or a ligand from outside, no link of the chain.
STIMULUS_BEFORE = re.compile(r"\b(?:response|sensitivity|sensitive|resistance|resistant) to $")
RISE_AFTER = re.compile(
    r"^\s+(?:rises?|becomes?|accumulat|is (?:degraded|stabili)|are (?:degraded))"
)
# Another gene's alteration as the one that acts.
ACTOR = re.compile(r"([A-Z][\w/-]+) (?:amplification|mutations?|loss|deletion|inactivation|gain)\b")
ACTIVITY = re.compile(
    r"\b((?:(?:lost or reduced|reduced|impaired|raised|lost|increased|weaker|stronger|higher) )?"
    r"(?:DNA binding(?: and transactivation)?|transactivation|drug binding|binding of the drug"
    r"|(?:lipid |protein )?kinase activity|ligase activity|GTPase activity|GTP binding"
    r"|substrate recognition|(?:nuclear|cytoplasmic) locali[sz]ation|nuclear export"
    r"|target gene expression|signall?ing under (?:the )?drug|transcriptional program(?:me)?"
    r"|chromatin accessibility|\w+ (?:cell )?fate|aberrant transcripts|autophosphorylation"
    r"|oxidative stress|[a-z]{5,}olysis|growth factor independence))\b",
    re.IGNORECASE,
)
PROCESS = re.compile(
    r"\b(?:arrest of the cell cycle(?:, repair of DNA or apoptosis)?|cell[- ]cycle arrest"
    r"|apoptosis|repair of DNA(?: double-strand breaks)?|DNA repair|exit from the cell cycle"
    r"|proliferation of cells|cell proliferation|duplication of centrosomes"
    r"|assembly of extracellular matrix)\b"
)
_UNDOES = r"(?:revers|stopp|block|abolish|reduc|slow|suppress|prevent)(?:es|ed|s)\b"
REVERSERS = (
    re.compile(rf"\b({UNIT})(?: inhibitors?| inhibition| blockade) {_UNDOES}"),
    re.compile(
        rf"\b(?:[Bb]locking|[Ii]nhibition of|[Ii]nhibiting|[Kk]nock-?down of) ({UNIT})\b"
        rf"[^.;]{{0,40}}?\b{_UNDOES}"
    ),
)
CASCADES = re.compile(
    r"signall?ing (?:cascades|pathways) \(([A-Z][\w/-]*(?:(?:, | and )[\w/-]+)*)\)"
)
PATHWAY_HEAD = re.compile(r"signall?ing|pathway|axis|cascade")
EFFECT_HEAD = re.compile(r"target genes|response genes|complex|expression|transcription|activity")
