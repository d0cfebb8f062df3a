"""What is changed about requests to a model when its server refuses one.

A refused parameter is left out, another name or form is tried, and the profile remembers it. What
a server says about the content of a request (too long, a schema that is broken) changes nothing.
"""

import re
from collections.abc import Mapping
from typing import Any

from intogen_agent.files import canonical_json
from intogen_agent.llm.profile import Profile

_MAX_TOKENS = ("max_completion_tokens", "max_tokens")
# Parameters that a request can do without. A limit on output tokens is not one of them.
_OPTIONAL = (
    "temperature",
    "seed",
    "reasoning_effort",
    "reasoning",
    "tool_choice",
    "service_tier",
    "prompt_cache_key",
    "include",
    "store",
)
# They are also words: only a quoted one is meant.
_WORDS = {"reasoning", "include", "store"}
_REFUSED = re.compile(
    r"unsupported|not support|n't support|not permitted|unrecognized|unknown|unexpected|unavailable"
    r"|not available|not allowed|forbidden|extra (inputs|fields)|only the default|deprecated"
    r"|not implemented|invalid[ _](parameter|argument)|requires --",
    re.IGNORECASE,
)
_FORM = re.compile(rf"{_REFUSED.pattern}|must be|invalid|grammar", re.IGNORECASE)
_ABOUT_SCHEMA = re.compile(r"invalid[_ ](json[_ ])?schema", re.IGNORECASE)
_FORMAT = re.compile(
    r"response_format|json_schema|text\.format|structured output|grammar", re.IGNORECASE
)
_NO_TOOLS = re.compile(
    r"not support\w*( \w+){0,2} (tool|function)|(tools?|function) call\w* (is |are )?not"
    r"|tools? (is |are )?(not|un)|unsupported (tool|function)|requires --\S*tool",
    re.IGNORECASE,
)
_OTHER_API = re.compile(r"/v1/responses|reasoning_effort|with reasoning", re.IGNORECASE)
_CHOICE = re.compile(r"tool[_ ]choice", re.IGNORECASE)
_CONTENT = re.compile(r"content", re.IGNORECASE)
_NULL = re.compile(r"\bnull\b|none\b|nil\b|missing|string|required|empty|blank", re.IGNORECASE)
_SYSTEM = re.compile(r"system", re.IGNORECASE)
_ROLE = re.compile(r"role|messages", re.IGNORECASE)


def adapted(profile: Profile, sent: Mapping[str, Any], body: Any) -> tuple[Profile, str] | None:
    """Return a profile that avoids what a server has refused, and what was changed.

    Args:
        profile: How the refused request was formed.
        sent: The parameters that were sent.
        body: The server's answer.

    Returns:
        None when the refusal is not about something that a request can do without.
    """
    words, param = _words(body)
    if _ABOUT_SCHEMA.search(words):
        return None
    for change in (_content, _max_tokens, _optional, _format, _system, _tools):
        found = change(profile, sent, words, param)
        if found is not None and found[0] != profile:
            return found
    return None


Change = tuple[Profile, str] | None


def _words(body: Any) -> tuple[str, str]:
    """Return what a server says about the request, and the parameter it names.

    What it repeats of the model's answer or of the request is no part of it.
    """
    error = body.get("error") or body if isinstance(body, Mapping) else body
    if not isinstance(error, Mapping):
        return str(error or ""), ""
    kept = [error.get(name) for name in ("message", "code", "type")]
    words = " ".join(str(item) for item in kept if item)
    return f"{words} {_details(error.get('detail'))}", str(error.get("param") or "")


def _details(detail: Any) -> str:
    """Return FastAPI's details: places in quotes, and what is wrong there."""
    if not isinstance(detail, list):
        return str(detail or "")
    items = [item for item in detail if isinstance(item, Mapping)]
    return "; ".join(f"{canonical_json(item.get('loc'))} {item.get('msg')}" for item in items)


def _content(profile: Profile, sent: Mapping[str, Any], words: str, param: str) -> Change:
    """Try null for empty text, or empty text for null, in turns that only call tools."""
    calls = [m for m in sent.get("messages", ()) if m.get("tool_calls") and not m["content"]]
    named = _CONTENT.search(param) or (not param and _CONTENT.search(words))
    if not calls or not named or not _NULL.search(words):
        return None
    other = "text" if profile.empty_content == "null" else "null"
    return profile.model_copy(update={"empty_content": other}), f"empty content as {other}"


def _max_tokens(profile: Profile, sent: Mapping[str, Any], words: str, param: str) -> Change:
    field = profile.max_tokens_field
    if field not in sent or not _named(field, words, param) or not _REFUSED.search(words):
        return None
    other = _MAX_TOKENS[1 - _MAX_TOKENS.index(field)]
    if other in profile.refused:
        # Without a limit an answer could cost anything.
        return None
    changed = profile.model_copy(
        update={"max_tokens_field": other, "refused": (*profile.refused, field)}
    )
    return changed, f"{other} instead of {field}"


def _optional(profile: Profile, sent: Mapping[str, Any], words: str, param: str) -> Change:
    for name in _OPTIONAL:
        # The forms of tool_choice differ between servers; other values are the user's choice.
        refusal = _FORM if name == "tool_choice" else _REFUSED
        if name in sent and _named(name, words, param) and refusal.search(words):
            return _without(profile, "reasoning_effort" if name == "reasoning" else name)
    return None


def _named(name: str, words: str, param: str) -> bool:
    """Tell whether a server names a parameter: in its field for that, or in its words."""
    if param:
        return param.split(".")[0].split("[")[0] == name
    quote = r"[\'\"`]" if name in _WORDS else ""
    return re.search(rf"{quote}(?<![\w.]){name}(?!\w)", words) is not None


def _without(profile: Profile, name: str) -> tuple[Profile, str]:
    return profile.model_copy(update={"refused": (*profile.refused, name)}), f"without {name}"


def _format(profile: Profile, sent: Mapping[str, Any], words: str, param: str) -> Change:
    """Go down one step: json_schema, json_object, the schema in the prompt."""
    if "response_format" not in sent and "text" not in sent:
        return None
    if not _FORMAT.search(f"{words} {param}") or not _FORM.search(words):
        return None
    lower = "json_object" if profile.structured == "json_schema" else "prompt"
    return profile.model_copy(update={"structured": lower}), f"structured answers as {lower}"


def _system(profile: Profile, sent: Mapping[str, Any], words: str, param: str) -> Change:
    if not _SYSTEM.search(words) or not _ROLE.search(f"{words} {param}"):
        return None
    if not _REFUSED.search(words):
        return None
    changed = profile.model_copy(update={"system_role": False})
    return changed, "the instruction in the first user message"


def _tools(profile: Profile, sent: Mapping[str, Any], words: str, param: str) -> Change:
    if not sent.get("tools") or _CHOICE.search(param) or _OTHER_API.search(words):
        return None
    if not _NO_TOOLS.search(words):
        return None
    changed = profile.model_copy(update={"tools": "json_action"})
    return changed, "tool calls as JSON actions"
