"""The typed outcomes of a model call; callers never see an exception of the SDK."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, NoReturn, TypeVar

from intogen_agent.errors import ErrorClass, StageFailure

Message = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class ToolCall:
    """A tool call that a model asked for.

    Attributes:
        arguments: The parsed arguments; None when they are not a JSON object.
        problem: Why the arguments could not be read.
    """

    id: str
    name: str
    arguments: dict[str, Any] | None
    problem: str | None = None


@dataclass(frozen=True)
class Answer:
    """A text answer. `message` is what the conversation goes on with.

    Attributes:
        request: The digest of the recorded request that it answers.
    """

    text: str
    message: Message
    request: str = ""


@dataclass(frozen=True)
class ToolCalls:
    """One or more tool calls. `message` is what the conversation goes on with.

    Attributes:
        one_a_turn: Whether the model can make only one call in a turn.
    """

    calls: list[ToolCall]
    message: Message
    request: str = ""
    one_a_turn: bool = False


@dataclass(frozen=True)
class Structured(Generic[T]):
    """A structured answer that has the asked-for shape."""

    value: T
    text: str
    request: str = ""


class FailureKind(StrEnum):
    """How a model call can fail."""

    REFUSAL = "refusal"
    CUT_OFF = "cut off"
    EMPTY = "empty"
    CONTEXT_OVERFLOW = "context overflow"
    QUOTA = "quota"
    AUTHENTICATION = "authentication"
    THROTTLED = "throttled"
    TIMEOUT = "timeout"
    TRANSPORT = "transport"
    REJECTED = "rejected"
    INVALID = "invalid"


_ERROR_CLASSES = {
    FailureKind.REFUSAL: ErrorClass.LLM_REFUSED,
    FailureKind.CONTEXT_OVERFLOW: ErrorClass.LLM_CONTEXT,
    FailureKind.QUOTA: ErrorClass.LLM_QUOTA,
    FailureKind.AUTHENTICATION: ErrorClass.LLM_AUTHENTICATION,
    FailureKind.THROTTLED: ErrorClass.LLM_UNREACHABLE,
    FailureKind.TIMEOUT: ErrorClass.LLM_UNREACHABLE,
    FailureKind.TRANSPORT: ErrorClass.LLM_UNREACHABLE,
    FailureKind.REJECTED: ErrorClass.LLM_REJECTED,
}


@dataclass(frozen=True)
class Failed:
    """A call that brought no usable answer.

    Attributes:
        text: What came back all the same, for a repair and for the record.
        requests: Digests of the answered requests that led to it, to be asked anew.
        status: The HTTP status, if a server answered with an error.
    """

    kind: FailureKind
    message: str
    text: str = ""
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    status: int | None = None

    def stop(self, role: str) -> NoReturn:
        """End the stage with this failure.

        Raises:
            StageFailure: Always.
        """
        error = _ERROR_CLASSES.get(self.kind, ErrorClass.LLM_INVALID)
        raise StageFailure(error, f"{role}: {self.kind.value}: {self.message}", self.requests)


Outcome = Answer | ToolCalls | Failed
