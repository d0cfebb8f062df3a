"""A small made-up literature, and the whole journey through the offline model without a server."""

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from intogen_agent import prompts
from intogen_agent.evidence.wire import HypothesisPlan, HypothesisVerdicts, ToolSummary
from intogen_agent.offline import composer
from intogen_agent.report.wire import RefinedDraft, ReportDraft
from intogen_agent.review.wire import WireCritique
from intogen_agent.summary.wire import StyleRevision, SummaryDraft, WireStyleCritique

WIRE: dict[str, type[BaseModel]] = {
    model.__name__: model
    for model in (
        ToolSummary,
        HypothesisPlan,
        HypothesisVerdicts,
        ReportDraft,
        RefinedDraft,
        WireCritique,
        SummaryDraft,
        WireStyleCritique,
        StyleRevision,
    )
}
RULES = {
    "min_supported_rationale": 2,
    "min_supported_references": 3,
    "min_supported_sources": 2,
    "function_bullets": [2, 5],
    "rationale_bullets": [2, 4],
    "mechanism_bullets": [1, 6],
    "function_sentences": [2, 3],
}


@dataclass(frozen=True)
class Paper:
    """A paper of the made-up literature."""

    pmid: int
    journal: str
    text: str
    title: str = "Genes of breast cancer"


DRIVER = (
    Paper(
        9000101,
        "Journal of A",
        "Exomes of 120 breast cancers were sequenced. ABX1 is one of 9 significantly mutated genes "
        "and was mutated in 14% of breast cancers.",
    ),
    Paper(
        9000102,
        "Journal of B",
        "ABX1 was deleted in breast cancer cells. Loss of ABX1 activates QRS2 signalling and "
        "causes anchorage-independent growth of breast cancer cells.",
    ),
    Paper(
        9000103,
        "Journal of C",
        "In 210 patients with breast cancer, ABX1 mutation predicted resistance to olaratinib.",
    ),
    Paper(
        9000104,
        "Journal of D",
        "ABX1 mutation had no link to survival in 400 patients with breast cancer.",
    ),
)
PASSENGER = (
    Paper(
        9000201,
        "Journal of A",
        "LNG9 is not among the significantly mutated genes of breast cancer despite its raw count.",
    ),
    Paper(
        9000202,
        "Journal of B",
        "High raw counts in a very long gene such as LNG9 are what a neutral model expects in "
        "breast cancer.",
    ),
    Paper(
        9000203,
        "Journal of C",
        "The LNG9 mutations of breast cancer are passengers without functional support.",
    ),
)
FUNCTION = (
    "Binds QRS2 and keeps it in the cytoplasm.",
    "Restrains QRS2 signalling by the degradation of TUV4.",
    "Regulates the proliferation of cells.",
    "Forms a homodimer.",
    "Is phosphorylated by WXY5 at S12.",
)
TERMS = ["breast cancer", "breast carcinoma"]


def task(
    gene: str = "ABX1",
    *,
    aliases: Sequence[str] = (),
    name: str = "",
    cancer: str | None = "Invasive Breast Carcinoma",
    terms: Sequence[str] = TERMS,
    pan: bool = False,
) -> dict[str, Any]:
    """Return a task block's value."""
    about = {"code": "X", "name": cancer, "terms": list(terms), "pan_cancer": pan}
    return {
        "gene": gene,
        "name": name,
        "aliases": list(aliases),
        "cancer": about if cancer is not None else None,
    }


def block(tag: str, value: Any, **attributes: str) -> str:
    """Return a tagged block, as the stages write it."""
    return prompts.block(tag, value, **attributes)


def markdown(papers: Iterable[Paper], width: int = 72) -> str:
    """Return papers as BioMCP-like Markdown records with wrapped text."""
    records = []
    for number, paper in enumerate(papers, start=1):
        body = textwrap.fill(paper.text, width, initial_indent="  ", subsequent_indent="  ")
        records.append(
            f"# Record {number}\nPmid: {paper.pmid}\nTitle: {paper.title}\n"
            f"Journal: {paper.journal}\nSynopsis:\n{body}\n"
        )
    return "\n".join(records)


def request(
    *parts: str, schema: str | None = None, messages: Sequence[dict[str, Any]] = (), **more: Any
) -> dict[str, Any]:
    """Return a chat completion request."""
    said = [
        {"role": "system", "content": "You work on genes. Sentences of at most 25 words."},
        {"role": "user", "content": "\n\n".join(["Do it.", *parts])},
        *messages,
    ]
    asked: dict[str, Any] = {"model": "any", "messages": said, **more}
    if schema is not None:
        described = {"name": schema, "schema": WIRE[schema].model_json_schema(), "strict": True}
        asked["response_format"] = {"type": "json_schema", "json_schema": described}
    return asked


def answer(schema: str, *parts: str, messages: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """Return a structured answer, checked against its wire model."""
    reply = composer.reply(request(*parts, schema=schema, messages=messages))
    assert reply.text is not None
    WIRE[schema].model_validate_json(reply.text, strict=True)
    value: dict[str, Any] = json.loads(reply.text)
    return value


def summary(
    payload: str,
    about: Mapping[str, Any] | None = None,
    allowed: Sequence[str] = (),
    tool: str = "article_searcher",
) -> list[dict[str, Any]]:
    """Return the bullets of a payload."""
    return answer(
        "ToolSummary",
        block("task", about or task()),
        block("allowed_identifiers", list(allowed)),
        block("payload", payload, tool=tool, call="c1"),
    )["bullets"]


def one(text: str, about: Mapping[str, Any] | None = None) -> dict[str, Any] | None:
    """Return the first bullet of a paper with this text, or None."""
    bullets = summary(markdown([Paper(9000001, "Journal", text)]), about, ["PMID:9000001"])
    return bullets[0] if bullets else None


@dataclass
class Journey:
    """The blocks of a pair after both evidence phases, and its report."""

    about: dict[str, Any]
    ledger: list[dict[str, Any]]
    references: list[dict[str, Any]]
    failures: list[dict[str, Any]] = field(default_factory=list)
    hypotheses: list[dict[str, Any]] = field(default_factory=list)

    @property
    def blocks(self) -> list[str]:
        """The blocks that report and review requests share."""
        return [
            block("task", self.about),
            block("ledger", self.ledger),
            block("hypotheses", self.hypotheses),
            block("failures", self.failures),
            block("references", self.references),
            block("rules", RULES),
        ]

    def report(self, messages: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
        """Return the report draft."""
        return answer("ReportDraft", *self.blocks, messages=messages)

    def final(self, draft: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return a draft as the sections and references of a FinalReport."""
        return final_report(self.about, draft or self.report())


def journey(
    papers: Sequence[Paper],
    about: Mapping[str, Any] | None = None,
    function: Sequence[str] = FUNCTION,
    retracted: Sequence[int] = (),
) -> Journey:
    """Summarise papers and a protein record into a ledger."""
    about = dict(about or task())
    known = [f"PMID:{paper.pmid}" for paper in papers]
    record = {"accession": "P00001", "reviewed": True, "function": list(function)}
    first = summary(
        json.dumps(record, indent=1),
        {**about, "cancer": None},
        ["UniProt:P00001"],
        "search_by_gene",
    )
    second = summary(markdown(papers), about, known)
    ledger = [_item(f"F{n}", bullet) for n, bullet in enumerate(first, start=1)]
    ledger += [_item(f"E{n}", bullet) for n, bullet in enumerate(second, start=1)]
    references = [
        {
            "id": f"PMID:{paper.pmid}",
            "title": paper.title,
            "journal": paper.journal,
            "year": 2020,
            "retracted": paper.pmid in retracted,
        }
        for paper in papers
    ]
    return Journey(about, ledger, references)


def _item(name: str, bullet: Mapping[str, Any]) -> dict[str, Any]:
    item = {key: value for key, value in bullet.items() if key not in ("text", "citations")}
    return {"id": name, "statement": bullet["text"], "references": bullet["citations"], **item}


def final_report(about: Mapping[str, Any], draft: Mapping[str, Any]) -> dict[str, Any]:
    """Return a draft in the shape of a FinalReport's JSON."""
    order: dict[str, int] = {}

    def numbered(bullet: Mapping[str, Any]) -> dict[str, Any]:
        for name in bullet["citations"]:
            order.setdefault(name, len(order) + 1)
        made = {
            "text": bullet["text"],
            "citations": sorted(order[name] for name in bullet["citations"]),
            "evidence": bullet["evidence"],
        }
        if "cause" in bullet:
            made["chain"] = {key: bullet[key] for key in ("cause", "mediator", "outcome")}
        return made

    function = [numbered(bullet) for bullet in draft["gene_function"]]
    rationale = [numbered(bullet) for bullet in draft["rationale"]]
    mechanisms = [numbered(bullet) for bullet in draft["mechanisms"]]
    references = []
    for name, index in order.items():
        kind, _, rest = name.partition(":")
        if kind in ("PMID", "TOOL"):
            references.append({"index": index, "kind": kind.lower(), "id": rest})
        else:
            references.append(
                {
                    "index": index,
                    "kind": "database",
                    "id": rest,
                    "database": kind,
                    "record_id": rest,
                }
            )
    return {
        "gene": {"symbol": about["gene"], "name": about["name"], "aliases": about["aliases"]},
        "cancer": about["cancer"],
        "gene_function": {"bullets": function},
        "assessment": {
            "involvement": draft["involvement"],
            "undetermined": draft["undetermined"],
            "reason": draft["reason"] or None,
            "rationale": rationale,
        },
        "mechanistic_hypothesis": {"bullets": mechanisms} if mechanisms else None,
        "references": references,
    }


def renamed(papers: Iterable[Paper], names: Mapping[str, str]) -> list[Paper]:
    """Return papers with genes renamed, all at once."""
    import re

    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    return [
        Paper(p.pmid, p.journal, pattern.sub(lambda m: names[m.group()], p.text), p.title)
        for p in papers
    ]
