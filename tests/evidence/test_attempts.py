"""Failed calls and what was tried in their place."""

from typing import Any

from intogen_agent.evidence.attempts import Attempts, Question
from intogen_agent.evidence.models import Scope
from intogen_agent.mcp.answers import FailureKind, ToolAnswer, failure

DOWN = failure(FailureKind.TIMEOUT, "no answer in 60 s")


def begin(attempts: Attempts, *words: str, tested: tuple[str, ...] = (), **more: Any) -> Any:
    arguments = {"genes": ["KEAP1"], "keywords": [*words], **more}
    return attempts.begin("article_search", arguments, repr(sorted(words)), [*tested])


def failing(attempts: Attempts, *words: str, **more: Any) -> Question:
    question: Question = begin(attempts, *words, **more)
    attempts.end(question, ToolAnswer(**{**DOWN.__dict__, "call": f"c{words}"}))
    return question


def test_searches_that_share_no_words_are_questions_of_their_own() -> None:
    attempts = Attempts(2)
    one, two = failing(attempts, "loss"), failing(attempts, "fusion")
    assert one is not two
    assert [found.attempts for found in attempts.failures()] == [1, 1]


def test_words_left_out_added_or_mostly_kept_ask_the_same_question_again() -> None:
    for words in ([], ["loss"], ["loss", "NRF2", "CUL3"], ["loss", "NRF2"]):
        attempts = Attempts(2)
        first = failing(attempts, "loss", "NRF2")
        assert begin(attempts, *words) is first, words


def test_two_failed_searches_for_one_hypothesis_are_each_followed_by_their_own_words() -> None:
    attempts = Attempts(2)
    loss = failing(attempts, "loss", "NRF2", tested=("H1",))
    against = failing(attempts, "passenger", tested=("H2",))
    assert begin(attempts, "neutral", tested=("H2",)) is against
    assert begin(attempts, "nonsense", tested=("H1",)) is loss


def test_another_question_may_be_asked_after_one_was_given_up() -> None:
    attempts = Attempts(1)
    failing(attempts, "loss", "NRF2")
    failing(attempts, "loss")
    assert begin(attempts, "loss") is None
    assert begin(attempts, "fusion") is not None
    assert begin(attempts) is not None
    [found] = attempts.failures()
    assert (found.attempts, found.error) == (2, "timeout")
    assert '"keywords":["loss","NRF2"]' in found.message.replace(" ", "")


def test_without_further_attempts_a_failed_call_is_not_made_again() -> None:
    attempts = Attempts(0)
    failing(attempts, "loss")
    assert begin(attempts, "loss") is None


def test_another_tool_or_article_is_another_question() -> None:
    attempts = Attempts(2)
    first = attempts.begin("article_fetch", {"pmid": "1"}, "1", [])
    assert first is not None
    attempts.end(first, DOWN)
    assert attempts.begin("article_fetch", {"pmid": "2"}, "2", []) is not first
    assert attempts.begin("article_fetch", {"pmid": "1"}, "1", []) is first


def test_an_answered_attempt_is_no_failure() -> None:
    attempts = Attempts(2)
    assert attempts.end(begin(attempts, "empty"), ToolAnswer("empty", "No articles found.")) == 0
    assert attempts.failures() == []


def test_a_refused_attempt_has_asked_nobody() -> None:
    attempts = Attempts(2)
    question = begin(attempts, "amplification")
    left = attempts.end(question, DOWN)
    assert begin(attempts, "amplification") is question
    assert attempts.end(question, ToolAnswer("refused", "", "bad arguments")) == left
    (failure,) = attempts.failures()
    assert failure.attempts == 1


def test_an_answer_about_another_cancer_leaves_the_outage_of_the_targets_search() -> None:
    attempts = Attempts(2)
    arguments = {"genes": ["MET"], "keywords": ["amplification"]}
    here = attempts.begin("article_search", arguments, "here", [], Scope.TARGET)
    assert here is not None
    attempts.end(here, DOWN)
    elsewhere = attempts.begin("article_search", arguments, "elsewhere", [], Scope.OTHER)
    assert elsewhere is not None and elsewhere is not here
    attempts.end(elsewhere, ToolAnswer("empty", "No articles found."))
    assert [found.error for found in attempts.failures()] == ["timeout"]
