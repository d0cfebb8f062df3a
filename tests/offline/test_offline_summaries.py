"""`SummaryDraft`, `WireStyleCritique` and `StyleRevision`."""

from typing import Any

import pytest
from offline_world import DRIVER, PASSENGER, answer, block, final_report, journey, task

from intogen_agent.offline import style
from intogen_agent.report.text import sentences


def draft(papers: Any = DRIVER, gene: str = "ABX1", **changes: Any) -> dict[str, Any]:
    case = journey(papers, task(gene))
    report = final_report(case.about, {**case.report(), **changes})
    return answer("SummaryDraft", block("task", case.about), block("report", report))


def mechanism(cause: str, text: str = "It acts.") -> dict[str, Any]:
    return {
        "text": text,
        "cause": cause,
        "mediator": "QRS2 signalling",
        "outcome": "tumour growth",
        "citations": ["PMID:9000102"],
        "evidence": ["E2"],
    }


def test_a_supported_report_is_summarised_in_its_own_words() -> None:
    found = draft()
    assert found["headline"] == (
        "ABX1 loss is linked to anchorage-independent growth through QRS2 signalling in invasive "
        "breast carcinoma."
    )
    assert "supports a role of ABX1" in found["assessment"]
    assert "14%" in found["assessment"]
    assert found["gene_function"].startswith("The ABX1 protein binds QRS2")
    assert found["mechanistic_hypothesis"] == (
        "ABX1 loss is linked to anchorage-independent growth through QRS2 signalling."
    )


def test_a_report_that_is_not_supported_has_no_mechanism_and_says_why() -> None:
    found = draft(PASSENGER, "LNG9")
    assert found["mechanistic_hypothesis"] is None
    assert "does not support a role of LNG9" in found["headline"]
    assert "0 of 3 references" in found["assessment"]
    assert found["role_of_action"] == "unclear"


def test_what_was_shown_in_a_model_is_not_said_of_the_cancer() -> None:
    model = {**mechanism("ABX1 deletion"), "outcome": "transformation of NIH-3T3 cells"}
    assert draft(mechanisms=[model])["headline"] == (
        "ABX1 deletion is linked to transformation of NIH-3T3 cells through QRS2 signalling."
    )
    assert draft(mechanisms=[model, mechanism("ABX1 loss")])["headline"] == (
        "ABX1 loss is linked to tumour growth through QRS2 signalling in invasive breast carcinoma."
    )


def test_the_general_summary_does_not_repeat_the_headline() -> None:
    found = draft()
    assert found["headline"].split(" is linked")[0] not in found["general"]
    assert "supports a role of ABX1" in found["general"]


def test_a_sentence_that_ends_with_a_subunits_letter_ends_there() -> None:
    told = "Carries an alpha domain that binds elongin C. Binds elongin B, CUL2 and RBX1."
    bullet = {"text": told, "citations": ["UniProt:P00001"], "evidence": ["F1"]}
    found = draft(gene_function=[bullet])["gene_function"]
    assert found == "The ABX1 protein carries an alpha domain that binds elongin C."


def test_an_undetermined_report_is_not_called_negative() -> None:
    found = draft((), undetermined=True)
    assert "open" in found["headline"]
    assert "does not support" not in found["headline"]


@pytest.mark.parametrize(
    ("causes", "role"),
    [
        (["ABX1 loss"], "tumor suppressor"),
        (["ABX1 inactivation", "truncating ABX1 mutation"], "tumor suppressor"),
        (["activating ABX1 mutation"], "oncogene"),
        (["ABX1 amplification", "ABX1-ITD"], "oncogene"),
        (["ABX1 loss", "ABX1 amplification"], "context-dependent"),
        (["ABX1 mutation"], "unclear"),
        (["ABX1 exon 19 deletion"], "unclear"),
        (["ABX1 in-frame deletion"], "unclear"),
    ],
)
def test_the_role_follows_the_chains(causes: list[str], role: str) -> None:
    found = draft(mechanisms=[mechanism(cause) for cause in causes])
    assert found["role_of_action"] == role
    assert found["role_reason"].endswith(".")


def test_where_a_cause_is_silent_the_text_tells_the_direction() -> None:
    text = "Mutant ABX1 is needed for growth of breast cancer cells that lost contact."
    assert draft(mechanisms=[mechanism("mutant ABX1", text)])["role_of_action"] == "oncogene"


def test_summaries_cite_nothing() -> None:
    for value in draft().values():
        assert "PMID" not in str(value)
        assert "[" not in str(value)


def test_no_sentence_is_far_longer_than_the_target() -> None:
    for papers, gene in ((DRIVER, "ABX1"), (PASSENGER, "LNG9")):
        for text in draft(papers, gene).values():
            assert all(len(one.split()) <= 50 for one in sentences(str(text)))


LONG = (
    "ABX1 was mutated in 14% of the breast cancers that were sequenced in the first cohort of "
    "patients; the second cohort was smaller and was not sequenced for QRS2 or any other gene."
)
SHORT = "ABX1 was mutated in 14% of breast cancers."
TARGETS = block("targets", {"max_sentence_words": 20})


def criticise(**texts: str) -> dict[str, Any]:
    return answer("WireStyleCritique", block("task", task()), block("summaries", texts), TARGETS)


def revise(critique: dict[str, Any], **texts: str) -> dict[str, str]:
    value = answer(
        "StyleRevision",
        block("task", task()),
        block("summaries", texts),
        block("style_critique", critique),
        TARGETS,
    )
    return {one["summary"]: one["text"] for one in value["rewrites"]}


def test_short_summaries_are_accepted() -> None:
    found = criticise(general=SHORT)
    assert found["overall_accept"]
    assert found["issues"] == []
    assert found["readability"] == [{"summary": "general", "score": 1.0}]


def test_a_long_sentence_is_split_where_a_clause_begins() -> None:
    found = criticise(general=LONG)
    (issue,) = found["issues"]
    assert not found["overall_accept"]
    assert issue["category"] == "length"
    assert issue["suggested_rewrite"] == LONG.replace("; the", ". The")
    assert revise(found, general=LONG) == {"general": LONG.replace("; the", ". The")}


def test_a_long_sentence_that_cannot_be_split_is_only_remarked() -> None:
    text = " ".join(["ABX1 acts"] + ["with many others"] * 10) + "."
    found = criticise(general=text)
    assert found["overall_accept"]
    assert found["issues"][0]["suggested_rewrite"] is None
    assert revise(found, general=text) == {}


@pytest.mark.parametrize(
    "rewrite",
    [
        LONG.replace("14", "15"),
        LONG.replace("QRS2", "a gene"),
        LONG.replace("not ", ""),
        LONG + " TUV4 helps.",
    ],
)
def test_a_rewrite_that_changes_a_number_name_or_negation_is_not_taken(rewrite: str) -> None:
    issue = {"summary": "general", "category": "length", "severity": "medium", "why": "x"}
    critique = {"issues": [{**issue, "suggested_rewrite": rewrite}]}
    assert rewrite not in revise(critique, general=LONG).values()


def test_a_rewrite_that_keeps_the_facts_is_taken() -> None:
    rewrite = "In 14% of breast cancers ABX1 was mutated."
    critique = {"issues": [{"summary": "general", "suggested_rewrite": rewrite}]}
    assert revise(critique, general=SHORT) == {"general": rewrite}


def test_only_summaries_with_issues_are_rewritten() -> None:
    found = criticise(general=LONG, assessment=SHORT)
    assert list(revise(found, general=LONG, assessment=SHORT)) == ["general"]


def test_readability_falls_with_length() -> None:
    assert style.readable(SHORT, 20) > style.readable(LONG, 20)
