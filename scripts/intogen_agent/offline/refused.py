"""A request that is refused."""

from typing import Any


class Refused(Exception):
    """A request that is refused with an error body like OpenAI's.

    Attributes:
        message: What is wrong.
        param: The parameter at fault.
        code: OpenAI's error code, if there is one for it.
        status: The HTTP status.
        kind: OpenAI's error type.
        words: The whole body where another server than OpenAI's is acted out.
    """

    def __init__(
        self,
        message: str,
        param: str | None = None,
        code: str | None = None,
        status: int = 400,
        *,
        kind: str = "invalid_request_error",
        words: Any = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.param = param
        self.code = code
        self.status = status
        self.kind = kind
        self.words = words

    def body(self) -> Any:
        """Return the error body."""
        if self.words is not None:
            return self.words
        error = {
            "message": self.message,
            "type": self.kind,
            "param": self.param,
            "code": self.code,
        }
        return {"error": error}
