"""`ToolSummary`: the findings of one tool answer."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from intogen_agent.offline import (
    features,
    function_facts,
    guard,
    molecules,
    payloads,
    sentences,
    words,
)
from intogen_agent.offline.conversation import Conversation, Task
from intogen_agent.offline.features import Finding

MAX_BULLETS = 40
_PER_RECORD = 3
_MAX_SENTENCES = 3
_MAX_WORDS = 95
_SHORT_RECORD = 5
_SHORT_TAIL = 14
_ANAPHOR = re.compile(
    r"^(?:Th(?:is|ese|ose)|The same|It|Its|They|Their|Such|Both|Thus|Hence|Therefore|Moreover"
    r"|Consequently|Loss of it|The (?:mutants?|mutations?|variants?|alleles?|effects?|association"
    r"|protein|receptor|gene|kinase|difference|results?|findings?"
    r"|(?:\w+ ){1,2}(?:mutants?|mutation|allele|routes?))|Mutants?|Carriers|Mutated|Disrupted"
    r"|Most|Neither|Similar|Here|In (?:these|those|this|both))\b"
    r"|^(?:[A-Z][a-z]+ )?(?:[Ii]nactivation|[Dd]eletion|[Dd]isruption|[Dd]epletion|[Kk]nock-?out"
    r"|[Ll]oss|[Rr]e-?expression|[Rr]estoration|[Ss]ilencing)\b(?! of)"
)
_LEANS_BACK = re.compile(
    r"\b(?:therefore|thus|hence|the same|did so|these|those|such (?:cells|tumou?rs|mice))\b"
    r"|\bsuch an? \w+ model\b|^(?:It|This|They|Its|Their)\b|\bit\b(?= (?:is|was|co|does))"
    r"|\bbesides\b|(?<!among )\bthem\b|\bin this (?:trial|study|subgroup)\b"
    r"|^The (?:repression|activation|inhibition|binding|instability|activity|overexpression)\b"
    r"|\b(?:does|do|did)(?:,|\.$| so\b)"
)
_CULTURED = re.compile(r"\bcells\b|\bcell lines?\b|\bin vitro\b|\bcultured?\b", re.IGNORECASE)
_CONTEXT = re.compile(r"\d|\btrial\b|\bpatients\b|\bcells?\b|\bmice\b|\btreated\b|^Review")


def compose(conversation: Conversation) -> dict[str, Any]:
    """Return the bullets of the payload block."""
    task = conversation.task
    payload = conversation.text("payload")
    tool = conversation.attribute("payload", "tool") or "unknown"
    value = conversation.value("allowed_identifiers")
    allowed = [str(one) for one in value] if isinstance(value, list) else []
    if task.cancer is None:
        bullets = function_facts.bullets(task.gene, payload, allowed, tool)
    else:
        bullets = list(_literature(task, payload, allowed, tool))
    return {"bullets": bullets[:MAX_BULLETS]}


def _literature(
    task: Task, payload: str, allowed: list[str], tool: str
) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for record in payloads.articles(payload):
        cited = [one for one in record.ids if one in allowed][:1] or [f"TOOL:{tool}"]
        for span, finding in _findings(record, task):
            quote = sentences.quote(" ".join(span), payload)
            text = sentences.statement(span)
            if quote is None or text in seen:
                continue
            seen.add(text)
            assert task.cancer is not None
            scope = task.cancer.scope(text, record.title, " ".join(record.texts))
            yield {
                "text": text,
                "citations": cited,
                "quote": quote,
                "kind": finding.kind,
                "stance": finding.stance,
                "scope": scope,
                "system": finding.system,
                "basis": finding.basis,
                "alteration": finding.alteration,
            }


def _findings(record: payloads.Record, task: Task) -> list[tuple[list[str], Finding]]:
    """Return the record's best findings, each a run of consecutive sentences, in text order."""
    found: list[tuple[list[str], Finding]] = []
    for text in record.texts:
        parts = sentences.split(text)
        for span in _spans(parts, task, record.title):
            finding = _read(span, task, record.title)
            if finding is not None:
                found.append((span, _placed(finding, span, record)))
    ranked = sorted(range(len(found)), key=lambda i: (_rank(found[i][1]), i))[:_PER_RECORD]
    return [found[i] for i in sorted(ranked)]


def _placed(finding: Finding, span: list[str], record: payloads.Record) -> Finding:
    """Return a finding with the system that its record tells: clones in mice, not in culture."""
    told = " ".join([record.title, *record.texts])
    cultured = _CULTURED.search(" ".join(span))
    if finding.system == "cell line" and not cultured and words.ANIMAL.search(told):
        return replace(finding, system="animal")
    return finding


def _read(span: list[str], task: Task, title: str) -> Finding | None:
    """Read a run of sentences; an opening that is not about the gene brings no doubt with it."""
    whole = features.read(sentences.statement(span), task.gene, title)
    own = span[1:] if len(span) > 1 and not task.gene.named_in(span[0]) else span
    inner = features.read(sentences.statement(own), task.gene, title)
    if whole and inner and whole.stance == "neutral" != inner.stance:
        return replace(whole, stance=inner.stance, kind=inner.kind)
    return whole


def _rank(finding: Finding) -> int:
    if finding.stance == "refutes":
        return 0
    order = {"mechanism": 1, "alteration": 2, "clinical": 2, "contradiction": 3, "null_result": 3}
    return order.get(finding.kind, 4)


def _spans(parts: list[str], task: Task, title: str) -> list[list[str]]:
    """Group sentences around those that hold a finding about the gene.

    A sentence that leans on its neighbour (`This ...`, `therefore`) takes it along; in a short
    record the opening sentence, which says who or what was studied, comes along too. A sentence
    that addresses the reader ends a run and is never part of one.
    """
    usable = [not guard.addresses_reader(part) for part in parts]
    cores = [
        ok and features.read(part, task.gene, title) is not None
        for ok, part in zip(usable, parts, strict=True)
    ]
    runs: list[tuple[int, int]] = []
    for index, core in enumerate(cores):
        if not core or (runs and index <= runs[-1][1]):
            continue
        first = runs[-1][1] + 1 if runs else 0
        start = _back(parts, usable, index, first, task)
        end = _forward(parts, usable, cores, start, index)
        if _leans(parts[index]) and start == index and runs and runs[-1][1] == index - 1:
            joined = (runs[-1][0], end)
            if _fits(parts, *joined):
                runs[-1] = joined
                continue
        runs.append((start, end))
    return [parts[start : end + 1] for start, end in runs]


def _back(parts: list[str], usable: list[bool], index: int, first: int, task: Task) -> int:
    """Return where a run that ends at `index` begins."""
    start = index
    while start > first and usable[start - 1] and _fits(parts, start - 1, index):
        before = parts[start - 1]
        opening = len(parts) <= _SHORT_RECORD and start == 1 and _is_context(before, task)
        if not (_leans(parts[start]) or task.gene.named_in(before) or opening):
            break
        start -= 1
    return start


def _is_context(sentence: str, task: Task) -> bool:
    """Say whether a record's opening tells what was studied, and not another gene's result."""
    if not _CONTEXT.search(sentence) or words.MIXED.search(sentence) or words.NULL.search(sentence):
        return False
    others = molecules.tokens(sentence, task.gene)
    return not (others and (words.RECURRENCE.search(sentence) or words.FREQUENCY.search(sentence)))


def _forward(
    parts: list[str], usable: list[bool], cores: list[bool], start: int, index: int
) -> int:
    """Return where a run ends: sentences that lean on it, and a short last word, come along."""
    end = index
    while end + 1 < len(parts) and usable[end + 1] and _fits(parts, start, end + 1):
        following = parts[end + 1]
        short = cores[end + 1] and sentences.words(following) <= _SHORT_TAIL
        if not (_leans(following) or short):
            break
        end += 1
    return end


def _leans(sentence: str) -> bool:
    text = sentences.without_label(sentence)
    return bool(_ANAPHOR.search(text) or _LEANS_BACK.search(text))


def _fits(parts: list[str], start: int, end: int) -> bool:
    run = parts[start : end + 1]
    return len(run) <= _MAX_SENTENCES and sum(map(sentences.words, run)) <= _MAX_WORDS
