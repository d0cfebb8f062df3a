"""From the model's draft to the public report, and back.

The model writes statements and identifiers; numbering, order, addresses, metadata and marks are
put in here, without judgement. What needs judgement is left as it is, for the rules to find.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from intogen_agent.evidence.identifiers import canonical_url, make_identifier, parse_identifier
from intogen_agent.evidence.models import Chain, FirstSeen, TrackedReference
from intogen_agent.models import Cancer, GeneIdentity, Stage, Status
from intogen_agent.report.circular import is_circular
from intogen_agent.report.models import (
    Assessment,
    Bullet,
    FinalReport,
    GeneFunction,
    Involvement,
    MechanismBullet,
    MechanisticHypothesis,
    Reference,
    ReportProvenance,
)
from intogen_agent.report.rules import Evidence, Violation
from intogen_agent.report.sources import (
    citation_text,
    reference_keys,
    text_key,
)
from intogen_agent.report.triples import normalised_triple
from intogen_agent.report.wire import DraftBullet, DraftMechanism, ReportDraft

Resolver = Callable[[str], TrackedReference | None]


@dataclass(frozen=True)
class Head:
    """What a report has besides the model's draft."""

    gene: GeneIdentity
    cancer: Cancer
    stage: Stage
    fingerprint: str
    provenance: ReportProvenance = field(default_factory=ReportProvenance)
    status: Status = Status.OK


class Assembled(NamedTuple):
    """A report made of a draft.

    Attributes:
        report: The report; it may break rules.
        edits: What was put right on the way, for people; also in the report's provenance.
        problems: What of the draft could not go into the report, with paths of the draft.
        mechanisms: For each mechanism of the report its place in the draft.
    """

    report: FinalReport
    edits: list[str]
    problems: list[Violation]
    mechanisms: list[int]

    def for_model(self, found: Iterable[Violation]) -> list[Violation]:
        """Give violations of the report the paths of the draft, and put the problems first."""
        return [*self.problems, *(self._in_draft(violation) for violation in found)]

    def _in_draft(self, violation: Violation) -> Violation:
        path = violation.path.removeprefix("assessment.")
        path = path.replace("gene_function.bullets", "gene_function")
        path = path.replace(".chain.", ".")
        path = path.replace("mechanistic_hypothesis.bullets", "mechanisms")
        path = re.sub(r"^mechanistic_hypothesis\b", "mechanisms", path)
        place = re.match(r"mechanisms\[(\d+)\]", path)
        if place and int(place.group(1)) < len(self.mechanisms):
            path = f"mechanisms[{self.mechanisms[int(place.group(1))]}]{path[place.end() :]}"
        return violation._replace(path=path)


def assemble(draft: ReportDraft, head: Head, resolve: Resolver) -> Assembled:
    """Make the report of a draft.

    Identifiers become references, numbered by first appearance across gene function, assessment
    and mechanisms; citations ascend, each once; mechanisms with the same normalised triple are
    merged with all their citations and evidence (seed: "merged during a final deduplication
    pass"); addresses are canonical; metadata come from the resolver, and a reference that it does
    not know is untracked.

    Args:
        draft: The model's answer.
        head: Gene, cancer, stage and provenance.
        resolve: Finds the tracked reference of an identifier (`PMID:9065401`, `TOOL:name`).
    """
    table = _References(resolve)
    supported = draft.involvement == "supported"
    function = [
        table.bullet(bullet, f"gene_function[{place}]")
        for place, bullet in enumerate(draft.gene_function)
    ]
    rationale = [
        table.bullet(bullet, f"rationale[{place}]") for place, bullet in enumerate(draft.rationale)
    ]
    merged, places, edits = _merge(draft.mechanisms, head.gene)
    mechanisms = [
        MechanismBullet(
            **table.bullet(bullet, f"mechanisms[{place}]").model_dump(),
            chain=_chain(bullet),
        )
        for place, bullet in zip(places, merged, strict=True)
    ]
    reason = _clean(draft.reason) or None
    if supported and reason:
        edits.append("assessment: the reason was left out, the verdict is supported")
    edits = [*table.edits, *edits]
    report = FinalReport(
        gene=head.gene,
        cancer=head.cancer,
        stage=head.stage,
        status=head.status,
        fingerprint=head.fingerprint,
        gene_function=GeneFunction(bullets=function),
        assessment=Assessment(
            involvement=Involvement(draft.involvement),
            undetermined=draft.undetermined,
            reason=None if supported else reason,
            rationale=rationale,
        ),
        mechanistic_hypothesis=MechanisticHypothesis(bullets=mechanisms) if mechanisms else None,
        references=table.references,
        provenance=head.provenance.model_copy(
            update={"controller_edits": [*head.provenance.controller_edits, *edits]}
        ),
    )
    return Assembled(report, edits, table.problems, places)


def _clean(text: str) -> str:
    return " ".join(text.split())


def _chain(bullet: DraftMechanism) -> Chain:
    return Chain(
        cause=_clean(bullet.cause), mediator=_clean(bullet.mediator), outcome=_clean(bullet.outcome)
    )


class _References:
    """The growing reference list of one report."""

    def __init__(self, resolve: Resolver) -> None:
        self._resolve = resolve
        self._index: dict[str, int] = {}
        self.references: list[Reference] = []
        self.edits: list[str] = []
        self.problems: list[Violation] = []

    def bullet(self, draft: DraftBullet | DraftMechanism, path: str) -> Bullet:
        """Number a bullet's citations."""
        indices: list[int] = []
        for place, text in enumerate(draft.citations):
            index = self._number(text, f"{path}.citations[{place}]")
            if index in indices:
                self.edits.append(f"{path}: {text} was cited twice")
            elif index is not None:
                indices.append(index)
        if indices != sorted(indices):
            self.edits.append(f"{path}: citations were put in order")
        evidence = list(dict.fromkeys(name.strip() for name in draft.evidence))
        return Bullet(text=_clean(draft.text), citations=sorted(indices), evidence=evidence)

    def _number(self, text: str, path: str) -> int | None:
        identifier = parse_identifier(text)
        if identifier is None:
            self._problem(
                path,
                f"'{text}' is no identifier; cite identifiers of the references block as they "
                "are written there, such as PMID:9065401.",
            )
            return None
        known = self._index.get(text_key(text))
        if known is not None:
            return known
        tracked = self._resolve(identifier.text)
        if tracked is not None and tracked.mentioned:
            tracked = None  # Another paper names it; no tool returned it.
        if tracked is None and identifier.kind == "tool":
            self._problem(path, f"{identifier.text} names no tool that was called; take it out.")
            return None
        fields = (
            {**tracked.model_dump(exclude={"mentioned"}), "tracked": True}
            if tracked
            else {
                "kind": identifier.kind,
                "id": identifier.id,
                "database": identifier.database,
                "record_id": identifier.record_id,
                "url": canonical_url(identifier),
            }
        )
        return self._add(Reference(index=len(self.references) + 1, **fields), text)

    def _add(self, reference: Reference, text: str) -> int:
        if reference.url is None:
            home = make_identifier(
                reference.kind, reference.id, reference.database, reference.record_id
            )
            reference = reference.model_copy(update={"url": canonical_url(home) if home else None})
        reference = reference.model_copy(update={"circular": is_circular(reference)})
        keys = reference_keys(reference) | {text_key(text)}
        # Another identifier of a paper that already has its number.
        index = next((self._index[key] for key in sorted(keys) if key in self._index), None)
        if index is None:
            self.references.append(reference)
            index = reference.index
        for key in keys:
            self._index.setdefault(key, index)
        return index

    def _problem(self, path: str, message: str) -> None:
        self.problems.append(Violation("citation-identifier", path, message))


def _merge(
    drafts: Sequence[DraftMechanism], gene: GeneIdentity
) -> tuple[list[DraftMechanism], list[int], list[str]]:
    """Merge mechanisms that share a normalised triple; return them, their places, the edits."""
    names = [gene.symbol, *gene.aliases]
    kept: dict[tuple[str, str, str], tuple[int, DraftMechanism]] = {}
    edits = []
    for place, draft in enumerate(drafts):
        triple = normalised_triple(_chain(draft), names)
        if triple not in kept:
            kept[triple] = place, draft
            continue
        first, same = kept[triple]
        kept[triple] = (
            first,
            same.model_copy(
                update={
                    "citations": list(dict.fromkeys([*same.citations, *draft.citations])),
                    "evidence": list(dict.fromkeys([*same.evidence, *draft.evidence])),
                }
            ),
        )
        edits.append(f"mechanisms[{place}]: merged into mechanisms[{first}], the same triple")
    return [draft for _, draft in kept.values()], [place for place, _ in kept.values()], edits


def to_draft(report: FinalReport) -> ReportDraft:
    """Turn a report back into the form that models write (inverse of `assemble`)."""
    texts = {
        reference.index: citation_text(
            reference.kind, reference.id, reference.database, reference.record_id
        )
        for reference in report.references
    }

    def common(bullet: Bullet) -> dict[str, object]:
        return {
            "text": bullet.text,
            "citations": [texts[index] for index in bullet.citations if index in texts],
            "evidence": bullet.evidence,
        }

    hypothesis = report.mechanistic_hypothesis
    return ReportDraft.model_validate(
        {
            "gene_function": [common(bullet) for bullet in report.gene_function.bullets],
            "involvement": report.assessment.involvement.value,
            "undetermined": report.assessment.undetermined,
            "reason": report.assessment.reason or "",
            "rationale": [common(bullet) for bullet in report.assessment.rationale],
            "mechanisms": [
                {**common(bullet), **bullet.chain.model_dump()}
                for bullet in (hypothesis.bullets if hypothesis else [])
            ],
        }
    )


def with_tools(resolve: Resolver, evidence: Evidence) -> Resolver:
    """Let a resolver know the tools that were called, also those that failed or found nothing.

    Their pseudo-identifiers (`TOOL:article_search`) stand in no payload, so no reference manager
    sees them.
    """
    tools: dict[str, TrackedReference] = {}
    for phase in (evidence.phase1, evidence.phase2):
        for call in phase.calls:
            for name in call.labels:
                seen = FirstSeen(stage=phase.stage.value, tool=name, call=call.id)
                reference = TrackedReference(kind="tool", id=name, first_seen=seen)
                tools.setdefault(text_key(f"TOOL:{name}"), reference)
    return lambda text: tools.get(text_key(text)) or resolve(text)
