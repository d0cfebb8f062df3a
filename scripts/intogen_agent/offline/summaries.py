"""`SummaryDraft`: plain-language summaries out of a report's bullets."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from intogen_agent.offline import drafts, features, phrasing, rationale, sentences, values
from intogen_agent.offline.cancers import CANCER_WORD, named_cancers
from intogen_agent.offline.conversation import Conversation, Task
from intogen_agent.offline.drafts import Draft
from intogen_agent.offline.style import shortened

DEFAULT_WORDS = 25
_FUNCTION_SENTENCES = 3
_RATIONALE_STATEMENTS = 2
_CHAINS = 3
_LOSS = re.compile(
    r"\b(?:loss|inactivation|deletion|truncat\w*|silencing|methylation|haploinsufficiency|loss-of"
    r"-function|frameshift|nonsense|inactivating)\b",
    re.IGNORECASE,
)
_GAIN = re.compile(
    r"\b(?:activating|amplification|overexpression|oncogenic|hotspot|gain-of-function|ITD|fusion"
    r"|duplication)\b",
    re.IGNORECASE,
)
# A deletion within the frame or of one exon may well activate.
_IN_FRAME = re.compile(r"\b(?:in-frame[\w -]*?|exon[- ]\d+ )(?:deletion|insertion)")
# "binds elongin C. Binds elongin B": no initial of a name.
_SUBUNIT = re.compile(r"(?<=[a-z] )([A-Z]\.)\s+(?=[A-Z][a-z])")
_MODEL = re.compile(
    r"\b(?:NIH[- ]?3T3|Ba/F3|fibroblasts?|cells|cell lines?|mice|mouse|xenografts?|organoids?"
    r"|in vitro|in vivo)\b",
    re.IGNORECASE,
)
_PREFIXES = (rationale.QUALIFYING, rationale.CONFLICTING)
_COUNTS = re.compile(r"\d\s?%|significantly|\bmost often\b|\bpredict|\b\d+ of \d+\b")
_LEANS = re.compile(r"(?:Its?|This|These|They|Those|Such|The same|Both)\b")
_THUS = re.compile(r" (?:thus|therefore|hence|nevertheless)(?= )")
_PARENTHESIS = re.compile(r"\s*\([^()]*\)")


def compose(conversation: Conversation) -> dict[str, Any]:
    """Return the summaries of the report block.

    Every sentence is one of the report's own, shortened where it may be, or names a chain of it
    by its links.
    """
    report = conversation.record("report")
    draft = drafts.from_report(report)
    task = _task(conversation, report)
    limit = _limit(conversation)
    role, reason = role_of_action(draft, task)
    chains = _chain_sentences(draft)
    function = _function(draft, task, limit)
    verdict = _verdict(draft, task)
    told = sentences.split(function)
    plain = [one for one in told if " encodes " not in one] or told
    assessed = _assessment(draft, task, limit)
    # The headline is the first chain; it is not told twice.
    general = [*plain[:1], verdict, *([] if chains else assessed[:1])]
    return {
        "headline": _headline(chains, verdict, draft, task),
        "general": " ".join(general),
        "gene_function": function
        or f"The report says nothing of the function of {task.gene.symbol}.",
        "assessment": " ".join([verdict, *_scope(draft, task), *assessed]),
        "mechanistic_hypothesis": " ".join(chains) if draft.supported and chains else None,
        "role_of_action": role,
        "role_reason": reason,
    }


def role_of_action(draft: Draft, task: Task) -> tuple[str, str]:
    """Return the role that the report's mechanisms show, and why.

    Loss alone makes a tumor suppressor, gain alone an oncogene, both are context-dependent. Where
    a cause does not say which way it works, the mechanism's text does.
    """
    if not draft.supported or not draft.mechanisms:
        return "unclear", "The report holds no mechanism."
    directions = {direction(one["cause"], one["text"]) for one in draft.mechanisms}
    first = draft.mechanisms[0]["cause"]
    if directions >= {"loss", "gain"}:
        return "context-dependent", "The mechanisms speak of loss as well as of gain of function."
    if "loss" in directions:
        return "tumor suppressor", f"The mechanisms speak of loss of function ({first})."
    if "gain" in directions:
        return "oncogene", f"The mechanisms speak of gain of function ({first})."
    return "unclear", f"The mechanisms do not say which way the alteration works ({first})."


def direction(cause: str, text: str) -> str:
    """Return `loss`, `gain` or `unknown` for a mechanism."""
    if _LOSS.search(_IN_FRAME.sub("", cause)):
        return "loss"
    return "gain" if _GAIN.search(cause) else features.direction(text)


def _task(conversation: Conversation, report: Mapping[str, Any]) -> Task:
    """Return the task; its gene's aliases come from the report if the task has none."""
    task = conversation.task
    gene = report.get("gene")
    if isinstance(gene, Mapping) and not task.gene.aliases:
        aliases = tuple(values.texts(gene.get("aliases")))
        named = type(task.gene)(task.gene.symbol, aliases, values.text(gene.get("name")))
        return Task(named, task.cancer, task.cancer_name, task.terms)
    return task


def _limit(conversation: Conversation) -> int:
    """Return the words that a sentence may have: as the instruction says."""
    match = re.search(r"at most (\d+) words", conversation.instruction)
    return int(match[1]) if match else DEFAULT_WORDS


def _verdict(draft: Draft, task: Task) -> str:
    whom = f"a role of {task.gene.symbol} in {task.cancer_name}"
    if draft.supported:
        return f"The evidence found supports {whom}."
    if draft.undetermined:
        return f"Whether there is {whom} is open, because evidence could not be obtained."
    return f"The evidence found does not support {whom}."


def _chain_sentences(draft: Draft) -> list[str]:
    """Return one sentence for each of the first chains."""
    if not draft.supported:
        return []
    told = []
    for one in draft.mechanisms[:_CHAINS]:
        middle = one["mediator"]
        middle = f"its {middle}" if middle.startswith("position ") else middle
        told.append(
            f"{sentences.capitalise(one['cause'])} is linked to {one['outcome']} through {middle}."
        )
    return told


def _headline(chains: Sequence[str], verdict: str, draft: Draft, task: Task) -> str:
    if not chains:
        return verdict
    # What was shown in a model is not said of the cancer.
    place = next((i for i, told in enumerate(chains) if not _MODEL.search(told)), None)
    if place is None:
        return chains[0]
    chain, where = chains[place], task.cancer_name
    if task.cancer is not None and task.cancer.pan_cancer:
        where = next(iter(named_cancers(draft.mechanisms[place]["text"])), where)
    return chain if where in chain else f"{chain.rstrip('.')} in {where}."


def _scope(draft: Draft, task: Task) -> Iterator[str]:
    """For cancer of any type, say of which cancers the report's statements speak."""
    if task.cancer is None or not task.cancer.pan_cancer or not draft.supported:
        return
    found = named_cancers(" ".join(one["text"] for one in (*draft.rationale, *draft.mechanisms)))
    if len(found) == 1:
        yield f"Of single cancers, the statements behind it name {found[0]} only."
    elif found:
        yield f"The statements behind it name {', '.join(found[:-1])} and {found[-1]}."


def _function(draft: Draft, task: Task, limit: int) -> str:
    """Return the first sentence of each function bullet, with the gene or protein as subject."""
    chosen: list[str] = []
    for bullet in draft.gene_function:
        for sentence in _function_sentences(bullet["text"]):
            short = _short(sentence, limit)
            if short and phrasing.begins_with_verb(short) and len(chosen) < _FUNCTION_SENTENCES:
                chosen.append(short)
                if not short.startswith("Encodes "):
                    break
    told = []
    for place, sentence in enumerate(chosen):
        encodes = sentence.startswith("Encodes ")
        subject = task.gene.symbol if encodes or not place else "It"
        if not encodes and (not place or chosen[place - 1].startswith("Encodes ")):
            subject = f"The {task.gene.symbol} protein"
        told.append(f"{subject} {sentences.lower_first(sentence)}")
    return " ".join(told)


def _function_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a function bullet; one may end with a subunit's letter."""
    for sentence in sentences.split(text):
        start = 0
        for match in _SUBUNIT.finditer(sentence):
            if phrasing.begins_with_verb(sentence[match.end() :]):
                yield sentence[start : match.start()] + match[1]
                start = match.end()
        yield sentence[start:]


def _assessment(draft: Draft, task: Task, limit: int) -> list[str]:
    """Return short statements of the rationale, the qualifying one last."""
    plain: list[str] = []
    qualified: list[str] = []
    for bullet in draft.rationale:
        text = bullet["text"]
        prefix = next((one for one in _PREFIXES if text.startswith(one)), "")
        told = _telling(sentences.split(text.removeprefix(prefix)), task, limit, last=bool(prefix))
        if told and prefix:
            qualified.append(f"{prefix}{sentences.lower_first(told)}")
        elif told:
            plain.append(told)
    told_all = [*plain[:_RATIONALE_STATEMENTS], *qualified[:1]]
    if draft.supported:
        return told_all
    # What speaks against the gene comes before the counts.
    counts, *against = _reason(draft, limit) or [""]
    return [one for one in (*against, *told_all, counts) if one]


def _telling(parts: Sequence[str], task: Task, limit: int, *, last: bool) -> str | None:
    """Return the sentence of a statement that says most about the gene.

    A sentence with a count or an effect goes before others; for a qualifying statement the last
    one, which draws the conclusion. One that leans on the sentence before it, or that leaves to it
    to say of which tumours it speaks, brings it along; else its `thus` goes.
    """
    named = [i for i, part in enumerate(parts) if task.gene.named_in(part)] or [len(parts) - 1]
    strong = [i for i in named if _COUNTS.search(parts[i]) or features.has_effect(parts[i])]
    order = [*reversed(named)] if last else [*strong, *named]
    for place in order:
        leans = bool(place and _LEANS.match(parts[place]))
        told_before = place and not last and not CANCER_WORD.search(parts[place])
        context = told_before and CANCER_WORD.search(parts[place - 1])
        for start in [place - 1] if leans else [place - 1, place] if context else [place]:
            found = [_short(part, limit) for part in parts[start : place + 1]]
            if all(found):
                told = " ".join(str(one) for one in found)
                return sentences.capitalise(_THUS.sub("", told, 1) if start == place > 0 else told)
    return None


def _reason(draft: Draft, limit: int) -> list[str]:
    return [one for sentence in sentences.split(draft.reason) if (one := _short(sentence, limit))]


def _short(sentence: str, limit: int) -> str | None:
    """Return a sentence that keeps to the limit, or None: asides in brackets may go, no more."""
    for text in (sentence, _PARENTHESIS.sub("", sentence)):
        if all(
            sentences.words(part) <= limit * 3 // 2
            for part in sentences.split(shortened(text, limit))
        ):
            return shortened(text, limit)
    return None
