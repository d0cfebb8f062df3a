"""Ways to damage a report."""

from collections.abc import Callable
from typing import Any

from intogen_agent.report.models import FinalReport
from intogen_agent.report.thresholds import THRESHOLD_NAMES

Report = dict[str, Any]
Parse = Callable[[Report], FinalReport]


def function(report: Report) -> list[Any]:
    return report["gene_function"]["bullets"]


def rationale(report: Report) -> list[Any]:
    return report["assessment"]["rationale"]


def mechanisms(report: Report) -> list[Any]:
    return report["mechanistic_hypothesis"]["bullets"]


def put(container: Any, **values: Any) -> None:
    container.update(values)


def reference(report: Report, index: int) -> Report:
    return report["references"][index - 1]


def other_bullets(bullet: Report, count: int) -> list[Report]:
    """Return bullets like one that are worded otherwise."""
    return [{**bullet, "text": f"{bullet['text'].rstrip('.')} ({n})."} for n in "abcdef"[:count]]


def new_reference(report: Report, **fields: Any) -> int:
    """Add a tracked reference that the last rationale bullet cites."""
    index = len(report["references"]) + 1
    seen = {"stage": "phase2", "tool": "article_searcher", "call": "c3"}
    report["references"].append({"index": index, "tracked": True, "first_seen": seen, **fields})
    report["assessment"]["rationale"][-1]["citations"].append(index)
    # References are numbered by first appearance, the mechanisms come later and cite old ones.
    return index


def only_one_reference(report: Report) -> None:
    for bullet in rationale(report):
        bullet["citations"] = [3]
    mechanisms(report)[0]["citations"] = [3]
    del report["references"][3:]


def one_journal(report: Report) -> None:
    for index in (3, 4, 5):
        reference(report, index)["journal"] = "Science"


def one_journal_written_in_two_ways(report: Report) -> None:
    for index, name in ((3, "Hum. Mol. Genet."), (4, "Human Molecular Genetics")):
        reference(report, index)["journal"] = name
    reference(report, 5)["journal"] = "hum mol genet"


def unknown_journals(report: Report) -> None:
    for index in (3, 4, 5):
        reference(report, index)["journal"] = None


def tool_among_three(report: Report) -> None:
    put(
        reference(report, 5),
        kind="tool",
        id="article_searcher",
        also=[],
        url=None,
        journal=None,
        title=None,
        year=None,
    )


def one_citing_bullet(report: Report) -> None:
    rationale(report)[0]["citations"] = [3, 4, 5]
    rationale(report)[1]["citations"] = []
    rationale(report)[2]["citations"] = []


def same_paper_by_doi(report: Report) -> None:
    put(reference(report, 5), kind="doi", id="10.1126/science.275.5307.1784", also=[], url=None)


def same_paper_by_address(report: Report) -> None:
    put(
        reference(report, 5),
        kind="url",
        id="https://www.ncbi.nlm.nih.gov/pubmed/9065401",
        url="https://www.ncbi.nlm.nih.gov/pubmed/9065401",
        also=[],
    )


def swap_citations(report: Report) -> None:
    rationale(report)[0]["citations"], rationale(report)[1]["citations"] = [4], [3]


def put_thresholds(report: Report, **found: int) -> Report:
    """List the thresholds as met, but for those that are given."""
    assessment: Report = report["assessment"]
    assessment["thresholds"] = [
        {"threshold": name, "needed": needed, "found": found.get(name, needed)}
        for name, needed in zip(THRESHOLD_NAMES, (2, 3, 2, 1), strict=True)
    ]
    return assessment


MECHANISM_TEXTS = "Loss of APC stabilises beta-catenin and drives growth."


def second_mechanism(report: Report, **chain: str) -> None:
    first = mechanisms(report)[0]
    mechanisms(report).append(
        {**first, "text": MECHANISM_TEXTS, "chain": {**first["chain"], **chain}}
    )
