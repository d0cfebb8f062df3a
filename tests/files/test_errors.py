"""The errors that leave the library."""

import pytest

from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.llm.outcomes import Failed, FailureKind

CLASSES = {
    FailureKind.REFUSAL: ErrorClass.LLM_REFUSED,
    FailureKind.CUT_OFF: ErrorClass.LLM_INVALID,
    FailureKind.EMPTY: ErrorClass.LLM_INVALID,
    FailureKind.CONTEXT_OVERFLOW: ErrorClass.LLM_CONTEXT,
    FailureKind.QUOTA: ErrorClass.LLM_QUOTA,
    FailureKind.AUTHENTICATION: ErrorClass.LLM_AUTHENTICATION,
    FailureKind.THROTTLED: ErrorClass.LLM_UNREACHABLE,
    FailureKind.TIMEOUT: ErrorClass.LLM_UNREACHABLE,
    FailureKind.TRANSPORT: ErrorClass.LLM_UNREACHABLE,
    FailureKind.REJECTED: ErrorClass.LLM_REJECTED,
    FailureKind.INVALID: ErrorClass.LLM_INVALID,
}


@pytest.mark.parametrize("kind", FailureKind)
def test_every_failure_of_a_model_has_its_error_class(kind: FailureKind) -> None:
    with pytest.raises(StageFailure) as caught:
        Failed(kind, "because").stop("summarizer")
    assert caught.value.error is CLASSES[kind]
    assert caught.value.message == f"summarizer: {kind.value}: because" == str(caught.value)


def test_error_classes_are_words_for_a_table() -> None:
    for error in ErrorClass:
        assert error.value == error.name.lower()
        assert error.value.replace("_", "").isalpha()
