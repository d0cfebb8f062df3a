"""A finished report as the composer reads it: back in the form of a draft."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from intogen_agent.offline import values

Bullet = dict[str, Any]


@dataclass
class Draft:
    """A report in the form that models write (`ReportDraft`)."""

    gene_function: list[Bullet]
    involvement: str
    undetermined: bool
    reason: str
    rationale: list[Bullet]
    mechanisms: list[Bullet]

    @property
    def supported(self) -> bool:
        """Whether the verdict is `supported`."""
        return self.involvement == "supported"

    def cited_items(self) -> set[str]:
        """Return the ids of all ledger items that rationale and mechanisms rest on."""
        return {one for bullet in (*self.rationale, *self.mechanisms) for one in bullet["evidence"]}

    def as_wire(self) -> dict[str, Any]:
        """Return the draft as the wire wants it; bullets without text are left out."""
        return {
            "gene_function": [one for one in self.gene_function if one["text"]],
            "involvement": self.involvement,
            "undetermined": self.undetermined,
            "reason": self.reason,
            "rationale": [one for one in self.rationale if one["text"]],
            "mechanisms": [one for one in self.mechanisms if one["text"] and self.supported],
        }


def from_report(report: Mapping[str, Any]) -> Draft:
    """Turn the JSON of a FinalReport into a draft: citation numbers become identifiers."""
    texts = {
        int(reference["index"]): identifier(reference)
        for reference in values.objects(report.get("references"))
        if isinstance(reference.get("index"), int)
    }
    assessment = values.mapping(report.get("assessment"))
    hypothesis = values.mapping(report.get("mechanistic_hypothesis"))
    function = values.mapping(report.get("gene_function"))
    return Draft(
        gene_function=[_bullet(one, texts) for one in values.objects(function.get("bullets"))],
        involvement=str(assessment.get("involvement") or "not_supported"),
        undetermined=bool(assessment.get("undetermined")),
        reason=str(assessment.get("reason") or ""),
        rationale=[_bullet(one, texts) for one in values.objects(assessment.get("rationale"))],
        mechanisms=[_mechanism(one, texts) for one in values.objects(hypothesis.get("bullets"))],
    )


def identifier(reference: Mapping[str, Any]) -> str:
    """Write a reference's identifier as citations do."""
    kind, name = str(reference.get("kind") or ""), str(reference.get("id") or "")
    if kind == "database" and reference.get("database") and reference.get("record_id"):
        return f"{reference['database']}:{reference['record_id']}"
    prefix = {"pmid": "PMID:", "doi": "DOI:", "pmcid": "PMCID:", "tool": "TOOL:"}.get(kind, "")
    return name if name.upper().startswith(prefix.upper()) else f"{prefix}{name}"


def _bullet(raw: Mapping[str, Any], texts: Mapping[int, str]) -> Bullet:
    return {
        "text": str(raw.get("text") or ""),
        "citations": [texts[one] for one in _numbers(raw.get("citations")) if one in texts],
        "evidence": values.texts(raw.get("evidence")),
    }


def _mechanism(raw: Mapping[str, Any], texts: Mapping[int, str]) -> Bullet:
    chain = values.mapping(raw.get("chain"))
    links = {name: str(chain.get(name) or "") for name in ("cause", "mediator", "outcome")}
    return {**_bullet(raw, texts), **links}


def _numbers(value: Any) -> list[int]:
    return [one for one in value if isinstance(one, int)] if isinstance(value, list) else []
