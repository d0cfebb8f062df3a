"""Sentences, and bullets that start with a verb, on labelled bullets."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from intogen_agent.report.text import sentences, starts_with_verb

SENTENCES = [
    ("", 0),
    ("Binds DNA", 1),
    ("Binds DNA.", 1),
    ("Binds DNA. Regulates transcription.", 2),
    ("Binds DNA. Regulates transcription. Acts in the nucleus.", 3),
    ("Binds DNA! Regulates transcription? Acts in the nucleus.", 3),
    ("Binds kinases, e.g. CDK2 and CDK4, in G1.", 1),
    ("Binds kinases (e.g. CDK2). Acts in G1.", 2),
    ("Binds the second messenger, i.e. PIP3. Recruits AKT1.", 2),
    ("Binds adaptors, cf. GRB2, at the membrane.", 1),
    ("Prefers serine vs. threonine. Acts in the cytosol.", 2),
    ("Acts as described by Su et al. in 1993. Binds catenins.", 2),
    ("Acts as shown by Su et al. (Science). Binds catenins.", 2),
    ("Folds as in Fig. 2. Binds zinc.", 2),
    ("Folds as in Figs. 2 and 3.", 1),
    ("Loses binding with p.R175H. Keeps its fold.", 2),
    ("Carries c.35G>A at codon 12. Hydrolyses GTP.", 2),
    ("Spans 2.5 kb. Encodes 393 residues.", 2),
    ("Binds with a Kd of 0.5 nM.", 1),
    ("Resembles Cdc4 of S. cerevisiae. Binds SKP1.", 2),
    ("Complements the E. coli enzyme. Needs zinc.", 2),
    ("Complements the enzyme of C. elegans, D. melanogaster and S. pombe.", 1),
    ("Binds DNA. p53 tetramers are the active form.", 2),
    ("Binds RAPTOR. mTOR is its kinase. c-Myc is a substrate.", 3),
    ("Binds cyclin D. p27 competes with it.", 2),
    ("Binds axin. β-catenin is then phosphorylated.", 2),
    ("Modifies histones, lipids, RNA, etc. Acts in the nucleus.", 2),
    ("Modifies histones, etc., in the nucleus.", 1),
    ("Is known as protein No. 3. Binds zinc.", 2),
    ('Is called "the guardian." Binds DNA.', 2),
    ("Binds DNA (as a tetramer). Acts in the nucleus.", 2),
    ("Binds DNA.\nRegulates transcription.", 2),
    ("Binds DNA; regulates transcription.", 1),
    ("Is the isoform of transcript NM_000546.5. Binds DNA.", 2),
    ("Contributes approx. half of the activity.", 1),
    ("Binds ATP ... and GTP", 2),
    ("Binds DNA.It acts. It turns.It folds. It dies.It ends.", 6),
    ("Binds catenins (Fig. 2).Acts in the nucleus.", 2),
    ("Binds Cdc4.It acts, e.g.in G1.", 2),
    ("Carries p.Arg175His and NM_000546.5:p.Arg175His.", 1),
    ("Binds Ras.GTP and IgG1.Fc.", 1),
    ("Cooperates with RNA Pol. II. Binds the promoter.", 2),
    ("Lies on Chr. X. Binds DNA.", 2),
    ("Is copied by RNA Pol. It binds DNA.", 2),
]


@pytest.mark.parametrize(("text", "count"), SENTENCES)
def test_sentences_are_counted(text: str, count: int) -> None:
    assert len(sentences(text)) == count, sentences(text)


@settings(deadline=None)
@example("AA?\rA")
@given(st.text())
def test_sentences_lose_no_letter(text: str) -> None:
    joined = "".join("".join(sentences(text)).split())
    letters = [character for character in text if character.isalpha()]
    kept = [character for character in joined if character.isalpha()]
    assert kept == letters or len(letters) < 2


VERB_FIRST = [
    "Encodes a GTPase of the RAS family.",
    "Binds beta-catenin.",
    "Acts as a scaffold.",
    "Functions as an E3 ligase.",
    "Functions in DNA repair.",
    "Forms a tetramer.",
    "Regulates the cell cycle.",
    "Phosphorylates PIP2 to PIP3.",
    "Catalyzes the transfer of phosphate.",
    "Catalyses the transfer of phosphate.",
    "Hydrolyzes GTP.",
    "Ubiquitinates cyclin E.",
    "Ubiquitylates cyclin E.",
    "Localizes to the nucleus.",
    "Localises to the nucleus.",
    "Modifies histones.",
    "Undergoes cleavage by caspases.",
    "Is a transcription factor.",
    "Has GTPase activity.",
    "Does not bind DNA.",
    "Cannot hydrolyse GTP without a GAP.",
    "May act as a chaperone.",
    "Can form dimers.",
    "Directly binds SKP1.",
    "Negatively regulates WNT signalling.",
    "Positively and negatively regulates transcription.",
    "Normally, restrains growth.",
    "Also binds RNA.",
    "Both activates and represses transcription.",
    "Co-activates nuclear receptors.",
    "Coactivates nuclear receptors.",
    "Auto-phosphorylates on tyrosine.",
    "Autophosphorylates on tyrosine.",
    "Trans-activates p21.",
    "Mono-ubiquitinates H2A.",
    "Down-regulates MYC.",
    "Upregulates CDKN1A.",
    "Cross-links actin filaments.",
    "Self-associates through its BTB domain.",
    "Dephosphorylates PIP3.",
    "Heterodimerizes with MAX.",
    "Consists of 393 residues.",
    "Belongs to the forkhead family.",
    "Serves as substrate-recognition subunit.",
    "Recruits ATM to breaks.",
    "Carries two zinc fingers.",
    "Plays a role in autophagy.",
    "Senses oxidative stress through cysteines.",
    "Transduces signals of growth factors.",
    "Gates chloride flux.",
    "Ferries the cargo to the Golgi.",
    "Zigzags a path through the membrane.",
    "Binds.",
    "binds DNA in lower case.",
    "Targets NRF2 for degradation.",
    "Signals through PI3K.",
    "Transports glucose.",
    "Processes microRNA precursors.",
    "Complexes with elongin B and C.",
    "Shuttles between nucleus and cytoplasm.",
    "SUMOylates beta-catenin.",
    "NEDDylates cullins.",
    "DeSUMOylates PML.",
    "De-SUMOylates PML.",
    "O-GlcNAcylates serine.",
]
NOT_VERB_FIRST = [
    "",
    "   ",
    "APC binds beta-catenin.",
    "KRAS encodes a GTPase.",
    "KRAS, the GTPase, binds RAF.",
    "p53 binds DNA.",
    "mTOR phosphorylates S6K.",
    "The protein binds DNA.",
    "This kinase phosphorylates AKT.",
    "It binds DNA.",
    "A kinase that binds AKT.",
    "Kinases phosphorylate it.",
    "Receptors such as EGFR bind it.",
    "Proteins bind it.",
    "Mutations of the gene are frequent.",
    "Genes of this family encode kinases.",
    "Homologs exist in yeast.",
    "Homologues in yeast bind it.",
    "Isoforms differ in the C terminus.",
    "Domains include a SH2 domain.",
    "Substrates include cyclin E.",
    "Phosphates are removed.",
    "Functions of the protein include repair.",
    "Functions include DNA repair.",
    "Targets include MYC and JUN.",
    "Targets of the ligase are degraded.",
    "Forms are found in the nucleus.",
    "Located in the nucleus.",
    "Required for mitosis.",
    "Expressed in epithelia.",
    "Binding to DNA is needed.",
    "Binding the DNA.",
    "To bind DNA, it forms tetramers.",
    "Bind DNA as a tetramer.",
    "Encode a GTPase.",
    "Transcription factor that binds DNA.",
    "Tumor protein p53 binds DNA.",
    "Loss of the protein stabilises HIF.",
    "In the nucleus, binds DNA.",
    "Thus binds DNA.",
    "Thus the protein binds DNA.",
    "Across the membrane it moves ions.",
    "As a scaffold, binds AXIN.",
    "Apoptosis the process.",
    "Its the kinase.",
    "Family kinases phosphorylate it.",
    "Assembly factors bind it.",
    "Nucleus and cytosol hold the protein.",
    "Process of repair needs it.",
    "Mitosis requires it.",
    "ATPs are used.",
    "mRNAs are bound.",
    "Zinc-binds DNA.",
    "123 residues form the domain.",
    "(Binds) DNA.",
    "Directly.",
    "Vertebrates have two copies.",
    "States of the switch differ.",
    "Sizes vary.",
    "Besides the kinase, it binds lipids.",
    "SUMO conjugates bind it.",
    "SUMOylation stabilises it.",
    "SUMOylated forms bind it.",
]


@pytest.mark.parametrize("text", VERB_FIRST)
def test_a_bullet_that_starts_with_a_verb_passes(text: str) -> None:
    assert starts_with_verb(text)


@pytest.mark.parametrize("text", NOT_VERB_FIRST)
def test_a_bullet_that_starts_otherwise_is_refused(text: str) -> None:
    assert not starts_with_verb(text)


@settings(deadline=None)
@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert starts_with_verb(text) in (True, False)
