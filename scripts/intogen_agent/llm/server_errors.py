"""Errors that servers answer with, in their many words, as outcomes."""

import re
from collections.abc import Mapping
from typing import Any

from intogen_agent.llm.outcomes import Failed, FailureKind

_CONTEXT = re.compile(
    r"context[ _](length|size|window)|maximum context|too many tokens|exceed_context_size"
    r"|(prompt|input) is too long|reduce the length|maximum (model|prompt) length|max_new_tokens"
    r"|token count.*exceed|must be at least 1, got -",
    re.IGNORECASE | re.DOTALL,
)
_QUOTA = re.compile(
    r"insufficient[_ ](quota|credits|balance|funds)|billing_(hard_limit|not_active)"
    r"|exceeded your current quota",
    re.IGNORECASE,
)
# The same words for a limit that is over in a moment, as Gemini uses them.
_SOON = re.compile(r"retry in|retrydelay|per[ _]?minute|requests per", re.IGNORECASE)
# The model wrote a call that its server could not read; the next one may be sound (Groq).
_BAD_CALL = re.compile(r"tool_use_failed", re.IGNORECASE)
_FILTER = re.compile(r"content[_ ](filter|management policy)|moderation|flagged", re.IGNORECASE)
LONGEST_MESSAGE = 300
_OTHER_API = "/v1/responses"


def error_outcome(status: int, body: Any) -> Failed:
    """Classify an HTTP error, or an error body that came with status 200."""
    if isinstance(body, list) and body:
        body = body[0]
    body = body if isinstance(body, Mapping) else {}
    # {"error": {...}}, {"error": "text"}, or the error itself (older vLLM), or FastAPI's "detail".
    error = body.get("error") or body
    error = error if isinstance(error, Mapping) else {"message": error}
    whole = str(error.get("message") or error.get("detail") or "no message")
    words = " ".join(
        [whole, *(str(error.get(name) or "") for name in ("code", "type", "metadata", "details"))]
    )
    kind, told = _kind(status, words), whole[:LONGEST_MESSAGE]
    if kind is FailureKind.AUTHENTICATION:
        told = f"the server refused the key (HTTP {status})"
        told += "" if status == 401 else f": {whole[:LONGEST_MESSAGE]}"
    elif kind is FailureKind.TRANSPORT:
        came = "an error came with HTTP 200" if status == 200 else f"HTTP {status}"
        told = f"{came}: {told}"
    elif kind is FailureKind.REJECTED:
        told = f"HTTP {status}: {told}"
        if 300 <= status < 400:
            told = f"HTTP {status}: it redirects elsewhere; give the final address in base_url"
        if _OTHER_API in whole:
            told += " (set api: responses for this provider)"
    return Failed(kind, told, status=status)


def _kind(status: int, words: str) -> FailureKind:
    if status == 402 or (_QUOTA.search(words) and not _SOON.search(words)):
        return FailureKind.QUOTA
    if status == 429:
        return FailureKind.THROTTLED
    if _FILTER.search(words):
        return FailureKind.REFUSAL
    if status in (401, 403):
        return FailureKind.AUTHENTICATION
    if status == 413 or _CONTEXT.search(words):
        return FailureKind.CONTEXT_OVERFLOW
    if status == 408:
        return FailureKind.TIMEOUT
    if status >= 500 or status in (200, 409) or _BAD_CALL.search(words):
        return FailureKind.TRANSPORT
    return FailureKind.REJECTED
