"""Ways to break any accepted report.

They ask nothing of a report but that it passes: they find the places in it that they change.
"""

from collections.abc import Callable
from typing import Any

from report_damage import Report, function, mechanisms, put, rationale

from intogen_agent.report.thresholds import THRESHOLD_NAMES

Change = Callable[[Report], Any]


def supported(report: Report) -> bool:
    return bool(report["assessment"]["involvement"] == "supported")


def references(report: Report) -> list[Report]:
    return report["references"]


def of_kind(report: Report, kind: str) -> Report:
    """Return the last reference of a kind; among papers that is one of the assessment."""
    return [each for each in references(report) if each["kind"] == kind][-1]


def record(report: Report) -> Report:
    """Return a database reference; where there is none, a paper is made one."""
    if not any(each["kind"] == "database" for each in references(report)):
        named = {"id": "UniProt:P04637", "database": "UniProt", "record_id": "P04637"}
        put(of_kind(report, "pmid"), kind="database", url=None, also=[], **named)
    return of_kind(report, "database")


def bullets(report: Report) -> list[Report]:
    chains = mechanisms(report) if report["mechanistic_hypothesis"] else []
    return [*function(report), *rationale(report), *chains]


def copy_of_a_reference(report: Report, **fields: Any) -> None:
    """Cite a paper a second time as a reference of its own."""
    last = len(references(report))
    references(report).append({**of_kind(report, "pmid"), "index": last + 1, **fields})
    bullets(report)[-1]["citations"].append(last + 1)


def swap_two_indices(report: Report) -> None:
    for bullet in bullets(report):
        swapped = {1: 2, 2: 1}
        bullet["citations"] = sorted(swapped.get(index, index) for index in bullet["citations"])
    first = function(report)[0]
    first["citations"] = [2]
    function(report)[-1]["citations"] = [1, 2]


def text(bullet: Report, added: str) -> None:
    bullet["text"] = f"{bullet['text']} {added}"


MUTANTS: dict[str, tuple[str, Change]] = {
    "one function bullet": ("function-bullet-count", lambda r: put_bullets(r, function(r)[:1])),
    "no function bullet": ("function-bullet-count", lambda r: put_bullets(r, [])),
    "six function bullets": (
        "function-bullet-count",
        lambda r: put_bullets(r, [function(r)[0]] * 6),
    ),
    "one sentence": ("function-sentence-count", lambda r: put(function(r)[0], text="Binds DNA.")),
    "four sentences": (
        "function-sentence-count",
        lambda r: put(function(r)[0], text="Binds DNA. Binds RNA. Binds zinc. Binds ATP."),
    ),
    "the gene's name first": (
        "function-verb-first",
        lambda r: put(function(r)[0], text=f"{r['gene']['symbol']} binds DNA. It binds RNA."),
    ),
    "a noun first": (
        "function-verb-first",
        lambda r: put(function(r)[-1], text="Kinases of this family bind DNA. They bind RNA."),
    ),
    "a participle first": (
        "function-verb-first",
        lambda r: put(function(r)[-1], text="Located in the nucleus. Binds DNA."),
    ),
    "a tumour in the function": (
        "function-without-cancer",
        lambda r: put(function(r)[0], text="Binds DNA. Suppresses tumour growth."),
    ),
    "survival in the function": (
        "function-without-cancer",
        lambda r: put(function(r)[0], text="Binds DNA. Predicts poor survival."),
    ),
    "the cancer type in the function": (
        "function-without-cancer",
        lambda r: put(function(r)[0], text="Binds DNA. Is lost in most carcinomas."),
    ),
    "one rationale bullet": (
        "rationale-bullet-count",
        lambda r: put(r["assessment"], rationale=rationale(r)[:1]),
    ),
    "five rationale bullets": (
        "rationale-bullet-count",
        lambda r: put(r["assessment"], rationale=[rationale(r)[0]] * 5),
    ),
    "a bullet without citation": ("bullet-cited", lambda r: put(rationale(r)[0], citations=[])),
    "a function bullet without citation": (
        "bullet-cited",
        lambda r: put(function(r)[1], citations=[]),
    ),
    "a citation of reference 0": (
        "citation-exists",
        lambda r: rationale(r)[0]["citations"].insert(0, 0),
    ),
    "a negative citation": (
        "citation-exists",
        lambda r: rationale(r)[0]["citations"].insert(0, -3),
    ),
    "a citation past the list": (
        "citation-exists",
        lambda r: rationale(r)[0]["citations"].append(99),
    ),
    "a citation twice": (
        "citations-ascending",
        lambda r: rationale(r)[0]["citations"].append(rationale(r)[0]["citations"][-1]),
    ),
    "descending citations": (
        "citations-ascending",
        lambda r: put(rationale(r)[-1], citations=[2, 1]),
    ),
    "indices from 0": (
        "indices-contiguous",
        lambda r: [put(each, index=each["index"] - 1) for each in references(r)],
    ),
    "a gap in the indices": (
        "indices-contiguous",
        lambda r: put(references(r)[-1], index=len(references(r)) + 1),
    ),
    "an index twice": ("indices-contiguous", lambda r: put(references(r)[1], index=1)),
    "the list turned round": ("indices-contiguous", lambda r: references(r).reverse()),
    "an uncited reference": (
        "reference-cited",
        lambda r: references(r).append(
            {
                "index": len(references(r)) + 1,
                "kind": "pmid",
                "id": "999",
                "url": "https://pubmed.ncbi.nlm.nih.gov/999/",
            }
        ),
    ),
    "a reference that lost its bullet": (
        "reference-cited",
        lambda r: [put(bullet, citations=[1]) for bullet in bullets(r)],
    ),
    "references not by first appearance": ("references-by-appearance", swap_two_indices),
    "a PMID with letters": (
        "identifier-format",
        lambda r: put(of_kind(r, "pmid"), id="90654O1", url=None),
    ),
    "a PMID with the prefix of PMC": (
        "identifier-format",
        lambda r: put(of_kind(r, "pmid"), id="PMC:9065401", url=None),
    ),
    "a PMID of nine digits": (
        "identifier-format",
        lambda r: put(of_kind(r, "pmid"), id="906540123", url=None),
    ),
    "a DOI without suffix": (
        "identifier-format",
        lambda r: put(of_kind(r, "pmid"), kind="doi", id="10.1038", url=None, also=[]),
    ),
    "a trial with seven digits": (
        "identifier-format",
        lambda r: put(of_kind(r, "pmid"), kind="nct", id="NCT0123456", url=None, also=[]),
    ),
    "a bad second identifier": (
        "identifier-format",
        lambda r: put(of_kind(r, "pmid"), also=[{"kind": "doi", "id": "doi"}]),
    ),
    "a database without record": (
        "database-complete",
        lambda r: put(record(r), record_id=None),
    ),
    "a database without name": (
        "database-complete",
        lambda r: put(record(r), database=""),
    ),
    "the id of another record": (
        "database-id",
        lambda r: put(record(r), id="UniProt:Q00000"),
    ),
    "the PubMed page of another paper": (
        "url-of-the-same-paper",
        lambda r: put(of_kind(r, "pmid"), url="https://pubmed.ncbi.nlm.nih.gov/1/"),
    ),
    "another site for a PMID": (
        "url-of-the-same-paper",
        lambda r: put(of_kind(r, "pmid"), url="https://example.org/paper"),
    ),
    "the DOI of another paper": (
        "url-of-the-same-paper",
        lambda r: put(of_kind(r, "pmid"), url="https://doi.org/10.1000/182"),
    ),
    "another site for a record": (
        "url-of-the-same-paper",
        lambda r: put(record(r), url="https://evil.example.com/record"),
    ),
    "a script as address": (
        "url-shape",
        lambda r: put(record(r), url="javascript:alert(1)"),
    ),
    "an address with a blank": (
        "url-shape",
        lambda r: put(record(r), url="https://example.org/a b"),
    ),
    "an address with a password": (
        "url-shape",
        lambda r: put(record(r), url="https://a:b@example.org/"),
    ),
    "a DOI where a PMID is known": (
        "authoritative-identifier",
        lambda r: put(
            of_kind(r, "pmid"),
            kind="doi",
            id="10.1000/182",
            url=None,
            also=[{"kind": "pmid", "id": of_kind(r, "pmid")["id"]}],
        ),
    ),
    "a paper twice": ("no-duplicates", copy_of_a_reference),
    "a paper twice, once by its page": (
        "no-duplicates",
        lambda r: copy_of_a_reference(
            r,
            kind="url",
            id=f"https://www.ncbi.nlm.nih.gov/pubmed/{of_kind(r, 'pmid')['id']}",
            url=f"https://www.ncbi.nlm.nih.gov/pubmed/{of_kind(r, 'pmid')['id']}",
            also=[],
        ),
    ),
    "tracked but never seen": (
        "tracked-consistent",
        lambda r: put(of_kind(r, "pmid"), first_seen=None),
    ),
    "seen but untracked": ("tracked-consistent", lambda r: put(of_kind(r, "pmid"), tracked=False)),
    "an unmarked paper of intOGen": (
        "circular-marked",
        lambda r: put(of_kind(r, "pmid"), id="32778778", url=None, also=[]),
    ),
    "a paper marked as intOGen's": (
        "circular-marked",
        lambda r: put(of_kind(r, "pmid"), circular=True),
    ),
    "a function bullet twice": (
        "bullets-distinct",
        lambda r: put(function(r)[1], text=function(r)[0]["text"]),
    ),
    "six sentences without blanks between": (
        "function-sentence-count",
        lambda r: put(
            function(r)[0], text="Binds DNA.It acts. It turns.It folds. It dies.It ends."
        ),
    ),
    "a threshold that needs nothing": (
        "thresholds-met",
        lambda r: put(
            r["assessment"],
            thresholds=[{"threshold": name, "needed": 0, "found": 0} for name in THRESHOLD_NAMES],
        ),
    ),
    "an empty bullet": ("text-present", lambda r: put(rationale(r)[0], text="...")),
    "a tag": ("text-plain", lambda r: text(rationale(r)[0], "It is <b>lost</b>.")),
    "a link": ("text-plain", lambda r: text(rationale(r)[0], "It is [lost](x).")),
    "a table cell": ("text-plain", lambda r: text(rationale(r)[0], "It is | lost.")),
    "a heading on a second line": ("text-plain", lambda r: text(rationale(r)[0], "\n# Lost")),
    "a hidden direction": ("text-plain", lambda r: text(rationale(r)[0], "It is \u202elost.")),
    "a number in brackets": (
        "text-without-citations",
        lambda r: text(rationale(r)[0], "It is lost [2]."),
    ),
    "a PMID in the text": (
        "text-without-citations",
        lambda r: text(rationale(r)[1], "It is lost (PMID: 9065401)."),
    ),
    "an address in the text": (
        "text-without-citations",
        lambda r: text(function(r)[0], "See https://example.org/x."),
    ),
    "a stage that makes no report": ("accepted-report", lambda r: put(r, stage="phase2")),
    "a report that failed": ("accepted-report", lambda r: put(r, status="failed")),
    "supported and undetermined": (
        "supported-determined",
        lambda r: put(r["assessment"], involvement="supported", undetermined=True),
    ),
    "not supported without a reason": (
        "not-supported-reason",
        lambda r: put(r["assessment"], involvement="not_supported", reason=" "),
    ),
    "supported though a threshold is missed": (
        "thresholds-met",
        lambda r: put(
            r["assessment"],
            involvement="supported",
            thresholds=[{"threshold": name, "needed": 2, "found": 1} for name in THRESHOLD_NAMES],
        ),
    ),
    "an unknown key": ("schema", lambda r: put(r, note="x")),
    "an unknown verdict": ("schema", lambda r: put(r["assessment"], involvement="likely")),
    "a citation as text": ("schema", lambda r: put(rationale(r)[0], citations=["1"])),
    "a bullet without text": ("schema", lambda r: rationale(r)[0].pop("text")),
    "no references": ("schema", lambda r: r.pop("references")),
    "no cancer": ("schema", lambda r: put(r, cancer=None)),
    "another version": ("schema", lambda r: put(r, schema_version="0.1")),
}

# Reports with mechanisms.
OF_SUPPORTED: dict[str, tuple[str, Change]] = {
    "supported by one citing bullet": (
        "supported-rationale",
        lambda r: [put(bullet, citations=[]) for bullet in rationale(r)[1:]],
    ),
    "supported by one reference": (
        "supported-references",
        lambda r: [put(bullet, citations=[1]) for bullet in rationale(r)],
    ),
    "supported by retracted papers": (
        "supported-references",
        lambda r: [put(each, retracted=True) for each in references(r)],
    ),
    "supported by one journal": (
        "supported-sources",
        lambda r: [put(each, journal="Nature") for each in references(r)],
    ),
    "no mechanism": ("mechanism-bullet-count", lambda r: put(r, mechanistic_hypothesis=None)),
    "seven mechanisms": (
        "mechanism-bullet-count",
        lambda r: put(r["mechanistic_hypothesis"], bullets=[mechanisms(r)[0]] * 7),
    ),
    "a mechanism twice": (
        "mechanisms-non-redundant",
        lambda r: mechanisms(r).insert(0, mechanisms(r)[0]),
    ),
    "a chain in one part": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], cause="loss → WNT → growth"),
    ),
    "no mediator": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], mediator="unknown"),
    ),
    "a mediator that is the outcome": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], mediator=mechanisms(r)[0]["chain"]["outcome"]),
    ),
    "two links in one part": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], cause="loss, then growth"),
    ),
    "mechanisms though not supported": (
        "mechanisms-only-when-supported",
        lambda r: put(r["assessment"], involvement="not_supported", reason="Too little."),
    ),
    "markup in a chain": ("text-plain", lambda r: put(mechanisms(r)[0]["chain"], cause="`x` loss")),
}
OF_NOT_SUPPORTED: dict[str, tuple[str, Change]] = {
    "called supported": (
        "mechanism-bullet-count",
        lambda r: put(r["assessment"], involvement="supported"),
    ),
    "with a mechanism": (
        "mechanisms-only-when-supported",
        lambda r: put(
            r,
            mechanistic_hypothesis={
                "bullets": [
                    {
                        **rationale(r)[0],
                        "chain": {"cause": "loss", "mediator": "WNT", "outcome": "growth"},
                    }
                ]
            },
        ),
    ),
    "markup in the reason": ("text-plain", lambda r: put(r["assessment"], reason="**Lost**.")),
    "a citation in the reason": (
        "text-without-citations",
        lambda r: put(r["assessment"], reason="Too little (PMID:9065401)."),
    ),
}


def put_bullets(report: Report, kept: list[Report]) -> None:
    report["gene_function"]["bullets"] = kept


def mutants_of(report: Report) -> dict[str, tuple[str, Change]]:
    """Return the mutants that apply to a report."""
    return {**MUTANTS, **(OF_SUPPORTED if supported(report) else OF_NOT_SUPPORTED)}
