"""Ordinary words that may begin a sentence; another word with a capital may be a name."""

from intogen_agent.report.verbs import VERBS, words

_WORDS = words(
    """
    a about above according across activating active additional after again against all almost
    alone along already also alteration alterations although altogether always among an analyses
    analysis and animal animals another any approximately are around as at because before being
    below beside besides between beyond binding blood both but by cancer cancers carcinoma cell
    cells cellular certain changes chronic clinical cohort cohorts combined common compared
    complete consequently control conversely copies copy current currently data death deep
    deletion deletions depending despite detailed direct disease diseases domain drug drugs due
    during each earlier early effect effects either elsewhere enough epithelial especially even
    every everything evidence exactly except experiment experiments experimental expression extra
    few fewer finally finding findings first five following for four frequent from function
    functional further furthermore gain gene genes genetic genome genomic germline given growth
    half hardly has have hence here high higher how however human if important in inactivating
    indeed independent individual individuals inside instead interestingly into is it its itself
    just kept key knocking lack large largely last later less levels like likely limited little
    long longer loss lost low lower luminal major many markers material mean meanwhile mechanism
    mechanisms median men methylation mice missense molecule molecules more moreover most mostly
    mouse much multiple mutant mutants mutated mutation mutations name namely near nearly negative
    neither nevertheless new next no none nonetheless nor normal normally not notably nothing now
    number numbers of off often on once one only open or other others otherwise our out over
    overall own pancreatic paper papers part parts pathway pathways patient patients people perhaps
    positive possible possibly present previous primary probably problem protein proteins proven
    published qualifying quite rare rarely rather recent recently recurrent reduced reference
    references relapse relapses related report reports results role roles samples search searches
    second secondary seen seldom several short shorter significant silencing similar similarly
    since single site six small so solid some somatic sometimes source sources species splicing
    statement statements still studies study such sufficient support surprisingly survival
    taken target targeted targets ten that the their them then there thereby therefore these they
    third this those though three through thus tissue to today together too toward towards treated
    treatment tumor tumors tumour tumours two type types under unlike until up upon usually
    variant variants various very via was we weak well were what when whenever where whereas
    whether which while who whole whose why wild with within without women work yes yet
    """
)
_ENDINGS = ("ing", "ed", "es", "s", "ly", "d")


def ordinary(word: str) -> bool:
    """Say whether a word is an ordinary one, in this form or as a form of a verb."""
    bare = word.casefold()
    if bare in _WORDS or bare in VERBS:
        return True
    stems = [bare.removesuffix(end) for end in _ENDINGS if bare.endswith(end)]
    # driving, bound twice: clipping
    undoubled = [stem[:-1] for stem in stems if len(stem) > 3 and stem[-1] == stem[-2]]
    forms = (form for stem in [*stems, *undoubled] for form in (stem, f"{stem}e"))
    return any(form in VERBS or form in _WORDS for form in forms)
