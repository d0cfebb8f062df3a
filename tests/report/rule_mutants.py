"""Reports with one fault each, and the rule that must object."""

from collections.abc import Callable
from typing import Any

from reference_mutants import REFERENCE_MUTANTS
from report_damage import (
    Report,
    function,
    mechanisms,
    one_citing_bullet,
    one_journal,
    one_journal_written_in_two_ways,
    only_one_reference,
    other_bullets,
    put,
    rationale,
    reference,
    same_paper_by_address,
    same_paper_by_doi,
    second_mechanism,
    swap_citations,
    tool_among_three,
    unknown_journals,
)

MUTANTS: dict[str, tuple[str, Callable[[Report], Any]]] = {
    # Gene/Protein Function: 2-5 bullets, each 2-3 sentences, verb-first, free of cancer.
    "a stage that makes no report": ("accepted-report", lambda r: r.update(stage="phase1")),
    "a report that failed": ("accepted-report", lambda r: r.update(status="failed")),
    "the id of another record": (
        "database-id",
        lambda r: next(x for x in r["references"] if x["kind"] == "database").update(id="99999999"),
    ),
    "one function bullet": ("function-bullet-count", lambda r: function(r).pop()),
    "no function bullet": ("function-bullet-count", lambda r: function(r).clear()),
    "six function bullets": (
        "function-bullet-count",
        lambda r: function(r).extend(other_bullets(function(r)[1], 4)),
    ),
    "one sentence": (
        "function-sentence-count",
        lambda r: put(function(r)[0], text="Binds DNA, e.g. as a tetramer."),
    ),
    "six sentences without blanks between": (
        "function-sentence-count",
        lambda r: put(
            function(r)[0],
            text="Binds DNA.It acts. It turns.It folds. It dies.It ends.",
        ),
    ),
    "four sentences": (
        "function-sentence-count",
        lambda r: put(function(r)[1], text="Binds DNA. Binds RNA. Binds zinc. Binds ATP."),
    ),
    "a name first": (
        "function-verb-first",
        lambda r: put(function(r)[0], text="APC scaffolds a complex. It binds axin."),
    ),
    "a noun first": (
        "function-verb-first",
        lambda r: put(function(r)[0], text="Scaffold of a complex. Binds axin."),
    ),
    "a cancer in the function": (
        "function-without-cancer",
        lambda r: put(function(r)[1], text="Binds axin. Prevents colorectal cancer."),
    ),
    "an acronym of a cancer in the function": (
        "function-without-cancer",
        lambda r: put(function(r)[1], text="Is lost in GBM and AML. Binds axin."),
    ),
    "resistance to treatment in the function": (
        "function-without-cancer",
        lambda r: put(function(r)[1], text="Binds axin. Confers resistance to chemotherapy."),
    ),
    "an outcome in the function": (
        "function-without-cancer",
        lambda r: put(function(r)[1], text="Binds axin. Predicts overall survival."),
    ),
    # Assessment: 2-4 rationale bullets.
    "one rationale bullet": (
        "rationale-bullet-count",
        lambda r: put(r["assessment"], rationale=rationale(r)[:1]),
    ),
    "five rationale bullets": (
        "rationale-bullet-count",
        lambda r: rationale(r).extend(other_bullets(rationale(r)[2], 2)),
    ),
    # Mechanistic Hypothesis: 1-6 bullets only when supported, exactly one chain each.
    "no mechanism though supported": (
        "mechanism-bullet-count",
        lambda r: put(r, mechanistic_hypothesis=None),
    ),
    "an empty section of mechanisms": ("mechanism-bullet-count", lambda r: mechanisms(r).clear()),
    "seven mechanisms": (
        "mechanism-bullet-count",
        lambda r: [second_mechanism(r, outcome=f"outcome number {n}") for n in range(6)],
    ),
    "mechanisms though not supported": (
        "mechanisms-only-when-supported",
        lambda r: put(r["assessment"], involvement="not_supported", reason="too little"),
    ),
    "an empty section though not supported": (
        "mechanisms-only-when-supported",
        lambda r: (
            put(r["assessment"], involvement="not_supported", reason="too little"),
            mechanisms(r).clear(),
        ),
    ),
    "no cause": ("mechanism-one-chain", lambda r: put(mechanisms(r)[0]["chain"], cause=" ")),
    "no mediator": ("mechanism-one-chain", lambda r: put(mechanisms(r)[0]["chain"], mediator="")),
    "an outcome that is none": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], outcome="unknown"),
    ),
    "a whole chain as cause": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], cause="APC loss → WNT → growth"),
    ),
    "an arrow of two characters": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], mediator="WNT -> MYC"),
    ),
    "two outcomes": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], outcome="growth; MYC loss drives apoptosis"),
    ),
    "two sentences as mediator": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], mediator="WNT signaling. Also MYC"),
    ),
    "an outcome that nobody reported": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], outcome="not reported"),
    ),
    "one letter as cause": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], cause="x"),
    ),
    "a letter in each part": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], cause="x", mediator="x", outcome="x"),
    ),
    "several links as cause": (
        "mechanism-one-chain",
        lambda r: put(
            mechanisms(r)[0]["chain"], cause="APC loss, then KRAS mutation, then TP53 loss"
        ),
    ),
    "a chain in words as cause": (
        "mechanism-one-chain",
        lambda r: put(
            mechanisms(r)[0]["chain"],
            cause="APC loss leads to beta-catenin accumulation and this to MYC",
        ),
    ),
    "a mediator that causes something": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], mediator="WNT signaling, which results in MYC"),
    ),
    "a mediator that is the outcome": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], mediator="transformation of colonic epithelium"),
    ),
    "a mediator that is the cause": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0]["chain"], mediator="inactivation of APC"),
    ),
    "two chains in the text": (
        "mechanism-one-chain",
        lambda r: put(mechanisms(r)[0], text="APC loss → WNT → growth and KRAS → RAF → growth"),
    ),
    # Citation logic.
    "a function bullet without citation": (
        "bullet-cited",
        lambda r: put(function(r)[0], citations=[]),
    ),
    "a rationale bullet without citation": (
        "bullet-cited",
        lambda r: put(rationale(r)[0], citations=[]),
    ),
    "a mechanism without citation": (
        "bullet-cited",
        lambda r: put(mechanisms(r)[0], citations=[]),
    ),
    "a citation of reference 0": (
        "citation-exists",
        lambda r: put(rationale(r)[0], citations=[0, 3]),
    ),
    "a negative citation": ("citation-exists", lambda r: put(rationale(r)[0], citations=[-1, 3])),
    "a citation past the list": (
        "citation-exists",
        lambda r: put(rationale(r)[2], citations=[5, 6]),
    ),
    "indices from 0": (
        "indices-contiguous",
        lambda r: [put(each, index=each["index"] - 1) for each in r["references"]],
    ),
    "a gap in the indices": ("indices-contiguous", lambda r: put(reference(r, 5), index=6)),
    "an index twice": ("indices-contiguous", lambda r: put(reference(r, 5), index=4)),
    "references in the wrong order": (
        "indices-contiguous",
        lambda r: r["references"].reverse(),
    ),
    "an uncited reference": (
        "reference-cited",
        lambda r: rationale(r).pop(),
    ),
    "references not by first appearance": ("references-by-appearance", swap_citations),
    "descending citations": (
        "citations-ascending",
        lambda r: put(mechanisms(r)[0], citations=[4, 3]),
    ),
    "a citation twice": (
        "citations-ascending",
        lambda r: put(mechanisms(r)[0], citations=[3, 3, 4]),
    ),
    # Assessment and mechanism consistency.
    "supported by one reference": ("supported-references", only_one_reference),
    "supported by two references and a tool": ("supported-references", tool_among_three),
    "supported by two references and a retracted one": (
        "supported-references",
        lambda r: put(reference(r, 5), retracted=True),
    ),
    "supported by one paper under two ids": ("supported-references", same_paper_by_doi),
    "supported by one paper under an address": ("supported-references", same_paper_by_address),
    "supported by one journal": ("supported-sources", one_journal),
    "supported by one journal in two spellings": (
        "supported-sources",
        one_journal_written_in_two_ways,
    ),
    "supported by unknown journals": ("supported-sources", unknown_journals),
    "supported by one citing bullet": ("supported-rationale", one_citing_bullet),
    "not supported without a reason": (
        "not-supported-reason",
        lambda r: put(r["assessment"], involvement="not_supported"),
    ),
    "not supported with a blank reason": (
        "not-supported-reason",
        lambda r: put(r["assessment"], involvement="not_supported", reason="  "),
    ),
    "supported and undetermined": (
        "supported-determined",
        lambda r: put(r["assessment"], undetermined=True),
    ),
    "the same mechanism twice": ("mechanisms-non-redundant", second_mechanism),
    "the same mechanism in other words": (
        "mechanisms-non-redundant",
        lambda r: second_mechanism(
            r, cause="Inactivation of DP2", mediator="Wnt/β-catenin pathway"
        ),
    ),
    **REFERENCE_MUTANTS,
    # Text.
    "an empty bullet": ("text-present", lambda r: put(rationale(r)[0], text="")),
    "a bullet of one letter": ("text-present", lambda r: put(rationale(r)[0], text="x")),
    "a bullet of two words": ("text-present", lambda r: put(rationale(r)[0], text="APC loss.")),
    "a function bullet twice": (
        "bullets-distinct",
        lambda r: put(function(r)[1], text=function(r)[0]["text"]),
    ),
    "a function bullet twice, in other case": (
        "bullets-distinct",
        lambda r: put(function(r)[1], text=function(r)[0]["text"].upper().capitalize()),
    ),
    "a rationale bullet twice": (
        "bullets-distinct",
        lambda r: put(rationale(r)[1], text=rationale(r)[0]["text"].rstrip(".")),
    ),
    "a bullet of punctuation": ("text-present", lambda r: put(rationale(r)[0], text="...")),
    "a tag": ("text-plain", lambda r: put(rationale(r)[0], text="APC <b>is</b> lost.")),
    "a script": ("text-plain", lambda r: put(rationale(r)[0], text="APC <script src=x is lost.")),
    "a comment": ("text-plain", lambda r: put(rationale(r)[0], text="APC <!-- is lost.")),
    "a link": ("text-plain", lambda r: put(rationale(r)[0], text="[APC](x) is lost.")),
    "a table cell": ("text-plain", lambda r: put(rationale(r)[0], text="APC | is lost")),
    "a second line": ("text-plain", lambda r: put(rationale(r)[0], text="APC is lost.\n# Title")),
    "a hidden direction": ("text-plain", lambda r: put(rationale(r)[0], text="APC \u202eis lost.")),
    "markup in a chain": (
        "text-plain",
        lambda r: put(mechanisms(r)[0]["chain"], cause="APC **loss**"),
    ),
    "markup in the reason": ("text-plain", lambda r: put(r["assessment"], reason="`x`")),
    "a number in brackets": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost [3]."),
    ),
    "numbers in brackets": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost [1, 3-5]."),
    ),
    "a ledger id in brackets": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost [E3]."),
    ),
    "a PMID in parentheses": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost (PMID: 9065401)."),
    ),
    "a DOI in the text": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost (doi:10.1038/nature11252)."),
    ),
    "an address in the text": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost, see https://example.org/x."),
    ),
    "a tool in the text": (
        "text-without-citations",
        lambda r: put(rationale(r)[0], text="APC is lost (TOOL:article_searcher)."),
    ),
    # Schema.
    "an unknown key": ("schema", lambda r: put(r, extra=1)),
    "an unknown verdict": ("schema", lambda r: put(r["assessment"], involvement="likely")),
    "a citation as text": ("schema", lambda r: put(rationale(r)[0], citations=["3"])),
    "a citation with decimals": ("schema", lambda r: put(rationale(r)[0], citations=[3.5])),
    "a bullet without text": ("schema", lambda r: rationale(r)[0].pop("text")),
    "a mechanism without chain": ("schema", lambda r: mechanisms(r)[0].pop("chain")),
    "no references": ("schema", lambda r: r.pop("references")),
    "no provenance": ("schema", lambda r: r.pop("provenance")),
    "an unknown kind": ("schema", lambda r: put(reference(r, 1), kind="book")),
    "another schema version": ("schema", lambda r: put(r, schema_version="9")),
    "null as cancer": ("schema", lambda r: put(r, cancer=None)),
}
