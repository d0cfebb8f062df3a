"""Edits that do no accepted report any harm."""

from demo_mutants import Change, bullets, of_kind, record, references, text
from report_damage import Report, function, put, rationale


def renumber(report: Report) -> None:
    """Number the references anew by first appearance and drop those that nobody cites."""
    order: list[int] = []
    for bullet in bullets(report):
        order += [index for index in sorted(bullet["citations"]) if index not in order]
    places = {old: new for new, old in enumerate(order, start=1)}
    kept = {each["index"]: each for each in references(report) if each["index"] in places}
    report["references"] = [{**kept[old], "index": places[old]} for old in order]
    for bullet in bullets(report):
        bullet["citations"] = sorted(places[index] for index in bullet["citations"])


def drop_last(report: Report, held: list[Report], least: int) -> None:
    if len(held) > least:
        held.pop()
    renumber(report)


HARMLESS: dict[str, Change] = {
    "a reworded bullet": lambda r: put(rationale(r)[0], text="The gene behaves as reported here."),
    "a reworded function bullet": lambda r: put(
        function(r)[0], text="Encodes a protein. Does not bind DNA, e.g. in S. cerevisiae."
    ),
    "three sentences": lambda r: put(function(r)[0], text="Binds DNA. Acts in G1. Forms dimers."),
    "a function bullet removed and references renumbered": lambda r: drop_last(r, function(r), 2),
    "another model in provenance": lambda r: put(
        r["provenance"], models={"report_creator": {"provider": "p", "model": "m"}}
    ),
    "another server and version in provenance": lambda r: put(
        r["provenance"], servers={"store": "store 9.9 (2031-01-01)"}
    ),
    "another fingerprint": lambda r: put(r, fingerprint="0" * 16),
    "no provenance of pruning": lambda r: r["provenance"].pop("pruning"),
    "a note of the controller": lambda r: r["provenance"]["controller_edits"].append(
        "citations were put in order (2031-01-01)"
    ),
    "an open issue in provenance": lambda r: r["provenance"]["unresolved"].append("A gap."),
    "the stage of the reviewer": lambda r: put(r, stage="critique"),
    "a report that was not reviewed": lambda r: put(r, stage="critique", status="not_reviewed"),
    "a reference without title and year": lambda r: put(of_kind(r, "pmid"), title=None, year=None),
    "a PMID with its prefix": lambda r: put(
        of_kind(r, "pmid"), id=f"PMID:{of_kind(r, 'pmid')['id']}"
    ),
    "a PMID without address": lambda r: put(of_kind(r, "pmid"), url=None),
    "the old address of PubMed": lambda r: put(
        of_kind(r, "pmid"), url=f"https://www.ncbi.nlm.nih.gov/pubmed/{of_kind(r, 'pmid')['id']}"
    ),
    "an earlier reference cited once more": lambda r: put(
        rationale(r)[-1], citations=sorted({1, *rationale(r)[-1]["citations"]})
    ),
    "an untracked reference of function": lambda r: put(record(r), tracked=False, first_seen=None),
    "no aliases": lambda r: put(r["gene"], aliases=[]),
    "a report of a version without counts": lambda r: r["assessment"].pop("thresholds"),
    "a decimal and a protein change in the text": lambda r: text(
        rationale(r)[0], "It carries p.R175H (c.35G>A) in 2.5% of cases, e.g. in two."
    ),
}
