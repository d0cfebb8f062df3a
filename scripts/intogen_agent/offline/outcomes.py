"""The last link of a chain: what a cell or a tumour does, as a noun phrase."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from intogen_agent.offline.sentences import lower_first

_DRUG = (
    r"(?:[\w-]*[a-z](?:tinib|fenib|lisib|limus|ciclib|parib|rasib|zomib|mab|metinib|menib|ifan"
    r"|platin|taxel|aurin)|[A-Z]{2,4}-?\d{3,5}|5-FU|chemotherapy|radiotherapy|cytarabine"
    r"|[\w/-]+ inhibitors?|rapamycin|glutaminase inhibition|MEK inhibition|immunotherapy)"
)
_DRUGS = rf"{_DRUG}(?:(?:, | and | or |, and ){_DRUG})*"
_TISSUE = (
    r"(?: of (?:the )?[\w/-]+(?: (?:and )?[\w/-]+){0,3}(?= (?:fibroblasts|cells|epithelium)) "
    r"(?:fibroblasts|cells|epithelium))?"
)
_NEGATED = re.compile(
    r"(?:\bnot|\bno|\bwithout|\bneither|\bnor|\brather than|\bnever|\bbut not|\bless|\bfewer"
    r"|\breduced|\blower|\bmore slowly)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
# Before a faculty or an activity: it is held back.
HELD_BACK = re.compile(
    r"\b(?:block(?:s|ed|ing|ade)?|suppress\w*|impair\w*|inhibit\w*|reduc\w*|los[et]s?|loss of"
    r"|prevent\w*|abolish\w*|evad\w*|escap\w*|fail\w* to|breaks?|disrupts?|without|do(?:es)? not"
    r"|cannot|disturbs?)\s+(?:[\w-]+\s+){0,3}(?:and\s+)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Outcome:
    """An outcome candidate: a noun phrase, how sure, and where it stands."""

    text: str
    rank: int
    start: int


Maker = Callable[[re.Match[str]], str]

_HARMFUL: tuple[tuple[int, str, Maker], ...] = (
    (
        9,
        r"\b(anchorage-independent|factor-independent|cytokine-independent) (growth|proliferation)",
        lambda m: f"{m[1]} {m[2]}",
    ),
    (9, r"\b(?:to|gave|confers?) factor independence", lambda _: "factor independence"),
    (8, r"\b(?:micronuclei and )?chromosom(?:e|al)[- ]instability", lambda m: _dash(m[0])),
    (
        8,
        r"\btransform(?:s|ed|ing)? ([\w/-]+(?: [\w/-]+)? (?:cells|fibroblasts)"
        r"|[\w/-]+ and [\w/-]+ cells)",
        lambda m: f"transformation of {m[1]}",
    ),
    (8, rf"\btransformation(?! (?:study|assay)){_TISSUE}", lambda m: m[0]),
    (8, r"\btransformed growth", lambda m: m[0]),
    (
        8,
        r"\b(?:clon(?:e|al) expansion(?: and adenoma formation)?|adenoma formation"
        r"|tumou?r (?:initiation|formation|progression|growth|development|angiogenesis|maintenance)"
        r"|tumou?rigenesis|leuka?emogenesis|colony formation)",
        lambda m: m[0],
    ),
    (
        8,
        r"\b(?:maintain(?:s|ing)?|maintenance of) (?:the |this )?"
        r"((?:acute |chronic |myeloid |\w+oid |\w+blastic )*leuka?emi\w+(?: state)?)",
        lambda m: f"maintenance of {_the(m[1])}",
    ),
    (8, r"\bexpansion of \S+ clones|\bformation of (?:adenomas|tumou?rs|colonies)", lambda m: m[0]),
    (8, r"\bself-renewal", lambda m: m[0]),
    (
        7,
        r"\b(?:suppress(?:es|ed)?) (tumours|tumors)( in (?:nude )?mice)",
        lambda m: f"{m[1].replace('s', '', 0)[:-1]} growth{m[2]}",
    ),
    (
        7,
        r"\b(?:gives?|gave|gets?|develops?|developed|forms?|formed) (?:[\w-]+,? ){0,3}"
        r"((?:metastatic |squamous |invasive )(?:adenocarcinomas|carcinomas|lung tumou?rs))",
        lambda m: m[1],
    ),
    (8, r"\bsymmetric stem cell division|\bstem cell (?:overpopulation|expansion)", lambda m: m[0]),
    (
        7,
        r"\b(?:cell |tumou?r cell |uncontrolled |abnormal |enhanced |increased )?"
        r"(?:proliferation|cell growth|migration and invasion|cell division)\b",
        lambda m: m[0],
    ),
    (
        7,
        r"\b(?:changed |increased |enhanced )?(?:invasiveness|invasion|metastasis"
        r"|dissemination|angiogenesis|cell migration|immortali[sz]ation)\b",
        lambda m: m[0],
    ),
    (6, r"\bgrowth in culture and (?:in )?(?:nude mice|xenografts)", lambda m: m[0]),
    (6, r"\b(?:genomic|genome|microsatellite|genetic) instability", lambda m: m[0]),
    (6, r"\bchemoresistance", lambda m: m[0]),
    (6, rf"\b(?:acquired |primary )?resistance to ({_DRUGS})", lambda m: m[0]),
    (6, rf"\b(?:acquired |primary )?({_DRUGS}) resistance", lambda m: m[0]),
    (5, rf"\b({_DRUG})-resistan(?:t|ce)", lambda m: f"resistance to {m[1]}"),
    (
        5,
        r"\bresistan(?:t|ce) to (oxidative stress(?: and radiotherapy)?)",
        lambda m: f"resistance to {m[1]}",
    ),
    (5, rf"\brelaps(?:ed|es|ing) on ({_DRUG})", lambda m: f"relapse on {m[1]}"),
    (5, r"\blocal recurrence after radiotherapy", lambda m: m[0]),
    (5, rf"\b(?:sensitivity|response|sensitive) to ({_DRUGS})", lambda m: f"sensitivity to {m[1]}"),
    (
        5,
        rf"\b(?:higher |greater |increased )?({_DRUGS}) sensitivity",
        lambda m: f"sensitivity to {m[1]}",
    ),
    (5, rf"\b({_DRUG})-sensitive", lambda m: f"sensitivity to {m[1]}"),
    (
        5,
        rf"\bpredict(?:s|ed|ive)? (?:of )?(?:response|benefit) (?:to|from) ({_DRUGS})",
        lambda m: f"response to {m[1]}",
    ),
    (4, rf"\b({_DRUG}) (?:responders|response)", lambda m: f"response to {m[1]}"),
    (4, rf"\b(?:inhibited by|blocked by) ({_DRUG})", lambda m: f"sensitivity to {m[1]}"),
    (
        4,
        r"\bdepend(?:s|ence)? (?:selectively )?on (\w+ signall?ing|glutaminolysis|\w+lysis)",
        lambda m: f"dependence on {m[1]}",
    ),
    (3, r"\bkeeps? (?:their |its )?transcription active\b", lambda _: "active transcription"),
    (3, r"\bactive transcription\b|\bexpression of stem-cell genes", lambda m: m[0]),
)

# Faculties of normal cells: an outcome only where the text says that they are held back.
_NORMAL = re.compile(
    r"\b(differentiation|apoptosis|senescence|quiescence|cell cycle exit|cell death|cell-cycle"
    r" arrest|cell cycle arrest|DNA repair|luminal fate|gland development)\b"
)
_LEAVES_CYCLE = re.compile(r"\bdo(?:es)? not leave the cell cycle")
_CHANGED = re.compile(r"\bchang(?:es|ed) (differentiation|cell fate|growth)\b")


def outcomes(text: str) -> list[Outcome]:
    """Return outcome candidates, the surest first; negated ones are left out."""
    found = [*_harmful(text), *_held_back(text)]
    kept: list[Outcome] = []
    for one in sorted(found, key=lambda item: (-item.rank, item.start)):
        if not any(one.text.lower() in other.text.lower() for other in kept):
            kept.append(one)
    return kept


def _harmful(text: str) -> Iterator[Outcome]:
    for rank, pattern, make in _HARMFUL:
        for match in re.finditer(pattern, text):
            if not _NEGATED.search(text[: match.start()]):
                yield Outcome(lower_first(make(match).strip()), rank, match.start())


def _held_back(text: str) -> Iterator[Outcome]:
    for match in _NORMAL.finditer(text):
        if HELD_BACK.search(text[: match.start()]):
            yield Outcome(f"impaired {match[1]}", 7, match.start())
    stays = _LEAVES_CYCLE.search(text)
    if stays:
        yield Outcome("failure to leave the cell cycle", 6, stays.start())
    for match in _CHANGED.finditer(text):
        yield Outcome(f"changed {match[1]}", 6, match.start())


def _dash(text: str) -> str:
    return text.replace("chromosomal-instability", "chromosomal instability")


def _the(text: str) -> str:
    return f"the {text}" if "state" in text else text
