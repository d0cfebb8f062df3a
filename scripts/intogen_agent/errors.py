"""The two kinds of error that leave the library, and the classes a failed stage can have."""

from collections.abc import Sequence
from enum import StrEnum


class UserError(Exception):
    """Bad input from the user.

    The message is one line that names the place (file, line, column or option), the value and
    the remedy. The command line prints it as ``ERROR: ...`` and exits with 2.
    """


class ErrorClass(StrEnum):
    """Why a stage of a pair failed; the `error` column of failures.tsv."""

    CANCER_UNNAMED = "cancer_unnamed"
    EVIDENCE_UNAVAILABLE = "evidence_unavailable"
    TOOL_MISSING = "tool_missing"
    SERVER_FAILED = "server_failed"
    LLM_UNREACHABLE = "llm_unreachable"
    LLM_QUOTA = "llm_quota"
    LLM_AUTHENTICATION = "llm_authentication"
    LLM_REFUSED = "llm_refused"
    LLM_CONTEXT = "llm_context"
    LLM_REJECTED = "llm_rejected"
    LLM_INVALID = "llm_invalid"
    HOST_NOT_ALLOWED = "host_not_allowed"
    REPORT_INVALID = "report_invalid"
    CHANGED = "changed"
    BUSY = "busy"
    STORAGE = "storage"
    INTERRUPTED = "interrupted"
    BLOCKED = "blocked"
    INTERNAL = "internal"


class StageFailure(Exception):
    """A stage ended without a result, in a way that is understood and recorded.

    Attributes:
        error: The class of the failure.
        message: One line for people.
        requests: Digests of answered model requests that led to it: the next start asks them
            anew, everything else that was answered is taken from the record.
    """

    def __init__(self, error: ErrorClass, message: str, requests: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.error = error
        self.message = message
        self.requests = list(requests)
