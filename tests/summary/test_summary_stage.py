"""The summary stage with scripted models, over HTTP."""

import asyncio
import json
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.review import pair
from tests.review.scripted import KNOWN, Script, scripted, serving
from tests.samples import apc_task

from intogen_agent.config.settings import Settings
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.jobs import Job, Run
from intogen_agent.llm.models import Models
from intogen_agent.models import Stage
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder
from intogen_agent.summary.models import SummaryReport
from intogen_agent.summary.stage import run_summary

DRAFT: dict[str, Any] = {
    "headline": "Loss of APC turns on WNT target genes in colon carcinoma.",
    "general": "APC marks beta-catenin for degradation. Its loss turns on WNT target genes.",
    "gene_function": "The APC protein scaffolds a complex that marks beta-catenin for degradation.",
    "assessment": "APC was inactivated in 41 of 43 colorectal tumours; mutations of APC, KRAS and "
    "p53 seldom occur together.",
    "mechanistic_hypothesis": "Loss of APC turns on WNT target genes and drives growth of the "
    "epithelium.",
    "role_of_action": "tumor suppressor",
    "role_reason": "Its loss drives growth.",
}
NOT_SUPPORTED: dict[str, Any] = {
    **DRAFT,
    "headline": "The evidence does not support a role of APC.",
    "assessment": "A role is not supported: two references of the three needed were found.",
    "mechanistic_hypothesis": None,
    "role_of_action": "unclear",
    "role_reason": "No mechanism.",
}
REASON = "Thresholds of supported missed: 2 references of the 3 needed."


def not_supported() -> dict[str, Any]:
    data = pair.report()
    data["assessment"].update(involvement="not_supported", reason=REASON)
    data["mechanistic_hypothesis"] = None
    data["references"] = data["references"][:5]
    return data


@dataclass
class Ran:
    summary: SummaryReport
    script: Script


def summarise(
    folder: Path, script: Script, data: dict[str, Any] | None = None, **options: Any
) -> Ran:
    """Run the summary stage on the pair's report."""
    with serving(script) as url:
        settings = Settings.model_validate(
            {
                "results": str(folder / "results"),
                "llm": {
                    "providers": {"here": {"base_url": url, "api": "chat", "capabilities": KNOWN}},
                    "default": {"provider": "here", "model": "offline-extractive-1"},
                    "retry": {"attempts": 2, "first_wait": 0.001, "max_wait": 0.002},
                },
                "summary": options,
            }
        )
        return Ran(asyncio.run(_stage(folder, settings, data or pair.report())), script)


async def _stage(folder: Path, settings: Settings, data: dict[str, Any]) -> SummaryReport:
    task = apc_task(search_terms=pair.TERMS)
    own = folder / "results" / "APC" / "COADREAD"
    job = Job(Stage.SUMMARY, task, settings, own, "s" * 16, None, "", folder / "logs")
    with Journal(own / ".journal" / "summary.jsonl") as journal:
        recorder = Recorder(journal, Stage.SUMMARY.value)
        async with Models(settings, recorder, folder / "logs") as models:
            (made,) = (await run_summary(Run(job, recorder, models), pair.parsed(data))).values()
    return SummaryReport.model_validate(made)


def style(*issues: dict[str, Any], accept: bool | None = None, score: float = 0.7) -> Any:
    return {
        "overall_accept": not issues if accept is None else accept,
        "overall_score": score,
        "readability": [{"summary": "general", "score": 0.8}],
        "overview": "Read.",
        "issues": list(issues),
    }


def issue(summary: str = "assessment", severity: str = "medium") -> dict[str, Any]:
    return {
        "summary": summary,
        "category": "flow",
        "severity": severity,
        "why": "Two thoughts in one sentence.",
        "suggested_rewrite": None,
    }


def rewrites(**texts: str) -> dict[str, Any]:
    return {"rewrites": [{"summary": name, "text": text} for name, text in texts.items()]}


def draft(**changes: Any) -> dict[str, Any]:
    return {**deepcopy(DRAFT), **changes}


SPLIT = (
    "APC was inactivated in 41 of 43 colorectal tumours. Mutations of APC, KRAS and p53 seldom "
    "occur together."
)

# The summary helper.


def test_it_receives_the_validated_bullets_of_each_section(tmp_path: Path) -> None:
    ran = summarise(tmp_path, scripted(SummaryDraft=[DRAFT], WireStyleCritique=[style()]))
    (asked,) = ran.script.asked("SummaryDraft")
    report = asked.record("report")
    assert report["gene_function"]["bullets"][0]["text"].startswith("Scaffolds")
    assert {"assessment", "mechanistic_hypothesis"} <= set(report)
    assert "references" not in report and "provenance" not in report


def test_short_prose_a_headline_and_a_role_of_action(tmp_path: Path) -> None:
    ran = summarise(tmp_path, scripted(SummaryDraft=[DRAFT], WireStyleCritique=[style()]))
    assert ran.summary.summaries.headline == DRAFT["headline"]
    assert ran.summary.role_of_action.value == "tumor suppressor"
    assert ran.summary.controller_edits == [] and ran.summary.why_not_supported is None


SENT_BACK = {
    "a citation": ({"general": "APC is lost [3]."}, "holds citations"),
    "a number": ({"general": "APC is lost in 80% of tumours."}, "the number 80"),
    "a gene": ({"headline": "Loss of TP53 turns on WNT."}, "the name TP53"),
    "a drug": ({"general": "APC loss responds to imatinib."}, "the drug imatinib"),
    "a cancer": ({"general": "APC is lost in lung cancer."}, "the cancer lung"),
    "a mechanism": ({"general": "APC loss drives metastasis."}, "metastasis"),
    "a role": ({"role_of_action": "oncogene"}, "loss of function alone"),
    "nothing": ({"general": " "}, "it is empty"),
    "a verdict turned": (
        {"headline": "APC plays no role in colorectal adenocarcinoma."},
        "verdict is supported",
    ),
    "a role in prose": ({"general": "APC is an oncogene."}, "calls the gene oncogene"),
    "a gain": ({"mechanistic_hypothesis": "Gain of APC drives growth."}, "speaks of a gain"),
    "a reason": ({"role_reason": "APC acts as an oncogene."}, "role_reason: 'APC acts"),
}


@pytest.mark.parametrize(("change", "told"), SENT_BACK.values(), ids=SENT_BACK.keys())
def test_what_is_not_in_the_report_is_sent_back(
    tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    ran = summarise(
        tmp_path, scripted(SummaryDraft=[draft(**change), DRAFT], WireStyleCritique=[style()])
    )
    first, second = ran.script.asked("SummaryDraft")
    assert told in second.said and not first.drafts
    assert ran.summary.summaries.general == DRAFT["general"]


PUT_RIGHT = {
    "a number": {"general": f"{DRAFT['general']} It is lost in 80% of tumours."},
    "a citation": {"general": f"{DRAFT['general']} See PMID 3."},
    "a gene": {"general": f"{DRAFT['general']} TP53 is lost as well."},
}


@pytest.mark.parametrize("change", PUT_RIGHT.values(), ids=PUT_RIGHT.keys())
def test_what_no_attempt_mends_is_left_out(tmp_path: Path, change: dict[str, Any]) -> None:
    ran = summarise(tmp_path, scripted(SummaryDraft=[draft(**change)], WireStyleCritique=[style()]))
    assert len(ran.script.asked("SummaryDraft")) == 3
    assert ran.summary.summaries.general == DRAFT["general"]
    assert ran.summary.controller_edits == [
        "general: sentences that do not keep to the report were left out"
    ]


def test_a_verdict_that_no_attempt_puts_right_is_put_right(tmp_path: Path) -> None:
    given = draft(headline="APC is a passenger.", general="APC is an oncogene. It binds WNT.")
    ran = summarise(tmp_path, scripted(SummaryDraft=[given], WireStyleCritique=[style()]))
    assert len(ran.script.asked("SummaryDraft")) == 3
    summaries = ran.summary.summaries
    assert summaries.headline == (
        "The evidence found supports a role of APC in Colorectal Adenocarcinoma."
    )
    assert summaries.general == "It binds WNT."
    assert [edit.split(":")[0] for edit in ran.summary.controller_edits] == ["headline", "general"]


def test_a_gene_without_support_is_affirmed_in_no_text(tmp_path: Path) -> None:
    sure = {
        **NOT_SUPPORTED,
        "headline": "There is no doubt that APC drives colorectal adenocarcinoma.",
        "general": "APC marks beta-catenin. APC is a driver of this cancer, not a passenger.",
    }
    ran = summarise(
        tmp_path,
        scripted(SummaryDraft=[sure, NOT_SUPPORTED], WireStyleCritique=[style()]),
        not_supported(),
    )
    told = ran.script.asked("SummaryDraft")[1].said
    assert told.count("verdict is not supported") == 2
    assert ran.summary.summaries.headline == NOT_SUPPORTED["headline"]
    assert ran.summary.controller_edits == []


def test_nothing_left_of_a_summary_fails_the_stage(tmp_path: Path) -> None:
    given = draft(gene_function="TP53 is lost in 80% of tumours.")
    with pytest.raises(StageFailure) as caught:
        summarise(tmp_path, scripted(SummaryDraft=[given], WireStyleCritique=[style()]))
    assert caught.value.error is ErrorClass.LLM_INVALID and len(caught.value.requests) == 3


def test_the_role_is_constrained_to_match_the_mechanistic_content(tmp_path: Path) -> None:
    given = draft(role_of_action="oncogene", role_reason="It drives growth.")
    ran = summarise(tmp_path, scripted(SummaryDraft=[given], WireStyleCritique=[style()]))
    assert ran.summary.role_of_action.value == "unclear"
    assert ran.summary.role_reason.startswith("The mechanisms speak of loss of function alone")
    assert "mechanisms rule it out" in ran.summary.controller_edits[0]


def test_not_supported_pairs_get_no_mechanism_prose_and_say_why(tmp_path: Path) -> None:
    ran = summarise(
        tmp_path,
        scripted(SummaryDraft=[DRAFT], WireStyleCritique=[style()]),
        not_supported(),
    )
    told = ran.script.asked("SummaryDraft")[1].said
    assert "write null" in told and "say that it is not supported" in told
    summaries = ran.summary.summaries
    assert summaries.mechanistic_hypothesis is None and ran.summary.why_not_supported == REASON
    assert summaries.assessment.endswith(REASON) and "does not support" in summaries.headline
    assert ran.summary.role_of_action.value == "unclear"


def test_a_draft_that_says_why_is_taken_at_once(tmp_path: Path) -> None:
    ran = summarise(
        tmp_path,
        scripted(SummaryDraft=[NOT_SUPPORTED], WireStyleCritique=[style()]),
        not_supported(),
    )
    assert len(ran.script.asked("SummaryDraft")) == 1 and ran.summary.controller_edits == []


# The style editor.


def test_rewrites_are_taken_where_the_feedback_was_judged_valid(tmp_path: Path) -> None:
    ran = summarise(
        tmp_path,
        scripted(
            SummaryDraft=[DRAFT],
            WireStyleCritique=[style(issue(), issue("general")), style(score=0.9)],
            StyleRevision=[rewrites(assessment=SPLIT)],
        ),
    )
    first, second = ran.summary.style_iterations
    assert (first.rewritten, first.declined, first.refused) == (["assessment"], ["general"], {})
    assert ran.summary.summaries.assessment == SPLIT
    assert ran.summary.summaries.general == DRAFT["general"]
    assert ran.summary.style_accepted and ran.summary.style_score == 0.9
    assert second.measured["assessment"].reading_ease > first.measured["assessment"].reading_ease
    assert ran.summary.measured == second.measured


SMUGGLED = {
    "number": SPLIT.replace("41", "42"),
    "gene": SPLIT.replace("KRAS", "NRAS"),
    "drug": f"{SPLIT} Cetuximab helps.",
    "mechanism": f"{SPLIT} They drive metastasis.",
    "direction": SPLIT.replace("inactivated", "activated"),
    "negation": SPLIT.replace("was inactivated", "was not inactivated"),
    "numbers": SPLIT.replace("41 of 43", "43 of 41"),
    "frequency": SPLIT.replace("seldom", "often"),
    "cancer type": f"{SPLIT} So it is in anaplastic astrocytoma.",
}


@pytest.mark.parametrize("text", SMUGGLED.values(), ids=SMUGGLED.keys())
def test_revisions_preserve_all_factual_claims(tmp_path: Path, text: str) -> None:
    ran = summarise(
        tmp_path,
        scripted(
            SummaryDraft=[DRAFT],
            WireStyleCritique=[style(issue())],
            StyleRevision=[rewrites(assessment=text)],
        ),
    )
    (round_one,) = ran.summary.style_iterations
    assert set(round_one.refused) == {"assessment"} and not round_one.rewritten
    assert ran.summary.summaries.assessment == DRAFT["assessment"]


def test_the_verdict_is_checked_again_after_style(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if the check of facts had missed it.
    monkeypatch.setattr("intogen_agent.summary.style.rewrite_problem", lambda *_: None)
    ran = summarise(
        tmp_path,
        scripted(
            SummaryDraft=[DRAFT],
            WireStyleCritique=[style(issue("general"))],
            StyleRevision=[rewrites(general="APC is a mere passenger.")],
        ),
    )
    assert "denies it" in ran.summary.style_iterations[0].refused["general"]
    assert ran.summary.summaries.general == DRAFT["general"]


def test_a_rewrite_that_no_feedback_asks_for_is_refused(tmp_path: Path) -> None:
    ran = summarise(
        tmp_path,
        scripted(
            SummaryDraft=[DRAFT],
            WireStyleCritique=[style(issue("general"))],
            StyleRevision=[rewrites(assessment=SPLIT)],
        ),
    )
    assert ran.summary.style_iterations[0].refused == {"assessment": "no feedback asks for it"}


def test_the_style_loop_is_bounded_and_counts_its_rounds(tmp_path: Path) -> None:
    ran = summarise(
        tmp_path,
        scripted(
            SummaryDraft=[DRAFT],
            WireStyleCritique=[style(issue())],
            StyleRevision=[rewrites(assessment=SPLIT), rewrites(assessment=DRAFT["assessment"])],
        ),
        max_iterations=3,
    )
    assert [one.number for one in ran.summary.style_iterations] == [1, 2, 3]
    assert len(ran.script.asked("StyleRevision")) == 2 and not ran.summary.style_accepted


def test_a_high_style_issue_rules_out_acceptance(tmp_path: Path) -> None:
    given = style(issue(severity="high"), accept=True)
    ran = summarise(
        tmp_path, scripted(SummaryDraft=[DRAFT], WireStyleCritique=[given]), max_iterations=1
    )
    assert not ran.summary.style_accepted


def test_without_rounds_the_summaries_stay_and_have_no_score(tmp_path: Path) -> None:
    ran = summarise(tmp_path, scripted(SummaryDraft=[DRAFT]), max_iterations=0)
    assert ran.summary.style_score is None and ran.summary.style_iterations == []
    assert set(ran.summary.measured) == {
        "general", "gene_function", "assessment", "mechanistic_hypothesis",
    }  # fmt: skip


def test_a_malformed_style_critique_is_asked_for_again(tmp_path: Path) -> None:
    bad = json.dumps(style({**issue(), "category": "science"}))
    ran = summarise(tmp_path, scripted(SummaryDraft=[DRAFT], WireStyleCritique=[bad, style()]))
    assert ran.summary.style_accepted and len(ran.script.asked("WireStyleCritique")) == 2
