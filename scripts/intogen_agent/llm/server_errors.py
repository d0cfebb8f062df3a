"""Errors that servers answer with, in their many words, as outcomes."""

import re
from collections.abc import Mapping
from typing import Any

from intogen_agent.llm.outcomes import Failed, FailureKind

_CONTEXT = re.compile(
    r"context[ _](length|size|window)|maximum context|too many tokens|exceed_context_size"
    r"|prompt is too long|reduce the length|maximum model length|max_new_tokens"
    r"|token count.*exceed",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient[_ ](quota|credits|balance|funds)|billing_hard_limit|exceeded your current quota",
    re.IGNORECASE,
)
_FILTER = re.compile(r"content[_ ](filter|management policy)", re.IGNORECASE)
_OTHER_API = "/v1/responses"


def error_outcome(status: int, body: Any) -> Failed:
    """Classify an HTTP error, or an error body that came with status 200."""
    body = body if isinstance(body, Mapping) else {}
    # {"error": {...}}, {"error": "text"}, or the error itself (older vLLM), or FastAPI's "detail".
    error = body.get("error") or body
    error = error if isinstance(error, Mapping) else {"message": error}
    message = str(error.get("message") or error.get("detail") or "no message")[:300]
    words = " ".join([message, *(str(error.get(name) or "") for name in ("code", "type"))])
    if status == 402 or _QUOTA.search(words):
        return Failed(FailureKind.QUOTA, message)
    if status in (401, 403):
        return Failed(FailureKind.AUTHENTICATION, f"the server refused the key (HTTP {status})")
    if status == 429:
        return Failed(FailureKind.THROTTLED, message)
    if status == 413 or _CONTEXT.search(words):
        return Failed(FailureKind.CONTEXT_OVERFLOW, message)
    if _FILTER.search(words):
        return Failed(FailureKind.REFUSAL, message)
    if status == 408:
        return Failed(FailureKind.TIMEOUT, message)
    if status >= 500 or status == 409:
        return Failed(FailureKind.TRANSPORT, f"HTTP {status}: {message}")
    if status == 200:
        return Failed(FailureKind.TRANSPORT, f"an error came with HTTP 200: {message}")
    if 300 <= status < 400:
        told = f"HTTP {status}: it redirects elsewhere; give the final address in base_url"
        return Failed(FailureKind.REJECTED, told)
    if _OTHER_API in message:
        message = f"{message} (set api: responses for this provider)"
    return Failed(FailureKind.REJECTED, f"HTTP {status}: {message}")
