"""Prompts: instruction files and the tagged blocks of user messages.

The wording lives in `config/prompts/<role>.md` (Jinja2); this module only fills it in. Text from
tools is data: it travels in blocks whose tags it cannot open or close, or in answers to tool calls,
and never with the marks by which a server's template tells who speaks. Providers bill the common
beginning of requests at a lower price, so a request begins with what most others begin with too.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intogen_agent.config.roles import Role
from intogen_agent.errors import UserError
from intogen_agent.files import text_digest
from intogen_agent.visible import visible

# In the order of every request: what all pairs share, what the cancers of a gene share, what a
# pair's requests share, and what changes from one request to the next.
BLOCKS = (
    "rules", "targets",
    "gene_function", "ledger",
    "task", "hypotheses", "failures", "references", "conversation", "tool_history",
    "allowed_identifiers", "payload", "report", "summaries", "critique", "style_critique",
    "violations",
)  # fmt: skip
_OPENING = r"(?:<|\uff1c|\ufe64|&lt;|&#0*60;|&#x0*3c;)"
_TAG = re.compile(_OPENING + r"(?=\s*[/\uff0f]?\s*(?:" + "|".join(BLOCKS) + r")\b)", re.IGNORECASE)
# Chat templates' own marks: a server that meets one in a text may take it for a change of speaker.
_SPEAKER = re.compile(
    r"<(?=[|\uff5c]|/?(?:s|bos|eos|(?:start|end)_of_turn|think|tool_calls?|tool_response)>|<SYS>>"
    r"|</SYS>>)|\[(?=/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\])",
    re.IGNORECASE,
)
_UNQUOTED = str.maketrans({'"': "'", "<": "‹", ">": "›"})


def prompt_folder() -> Path:
    """Return the folder of the shipped instruction files."""
    return Path(__file__).resolve().parents[2] / "config" / "prompts"


def prompt_path(role: Role, folder: Path | None = None) -> Path:
    """Return a role's instruction file."""
    return (folder or prompt_folder()) / f"{role.value}.md"


def prompt_digest(role: Role, folder: Path | None = None) -> str:
    """Return the digest of a role's instruction file.

    Raises:
        UserError: There is no such file.
    """
    path = prompt_path(role, folder)
    try:
        return text_digest(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such prompt file; restore it from the repository") from None


def instruction(role: Role, values: Mapping[str, Any], folder: Path | None = None) -> str:
    """Render a role's instruction.

    Args:
        role: Whose instruction.
        values: What the template may use; a name that the template uses and nobody gives is an
            error, not an empty string.
        folder: Another folder than the shipped one.

    Raises:
        UserError: The template is missing or broken.
    """
    import jinja2

    path = prompt_path(role, folder)
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 - the result is a prompt, not a page
    )
    try:
        return environment.from_string(path.read_text(encoding="utf-8")).render(values).strip()
    except FileNotFoundError:
        raise UserError(f"{path}: no such prompt file; restore it from the repository") from None
    except jinja2.TemplateError as error:
        line = getattr(error, "lineno", None)
        place = f"{path}:{line}" if line else str(path)
        raise UserError(f"{place}: not a valid template: {error}") from None


def block(name: str, content: Any, **attributes: str) -> str:
    """Return a tagged block of a user message.

    Args:
        name: The tag.
        content: Text as it is, anything else as JSON.
        attributes: Attributes of the opening tag.
    """
    if not isinstance(content, str):
        content = json.dumps(content, ensure_ascii=False, indent=1)
    written = "".join(f' {key}="{_attribute(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>\n{data(content)}\n</{name}>"


def data(text: str) -> str:
    """Return foreign text that opens and closes no block, changes no speaker and hides nothing."""
    return _SPEAKER.sub("‹", _TAG.sub("‹", visible(text)))


def _attribute(value: str) -> str:
    return data(" ".join(value.split())).translate(_UNQUOTED)


def tool_answer(call: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a model's tool call.

    Args:
        call: The id that the model gave the call.
        content: What it is told.
    """
    text = data(json.dumps(content, ensure_ascii=False))
    return {"role": "tool", "tool_call_id": call, "content": text}


def system(text: str) -> dict[str, Any]:
    """Return a system message."""
    return {"role": "system", "content": text}


def user(*parts: str) -> dict[str, Any]:
    """Return a user message of several parts."""
    return {"role": "user", "content": "\n\n".join(parts)}
