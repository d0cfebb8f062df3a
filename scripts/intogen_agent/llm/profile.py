"""What a model at an endpoint can do: found once, kept in one file, learned from refusals."""

import asyncio
import contextlib
import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from intogen_agent import locks
from intogen_agent.config.llm_settings import Capabilities
from intogen_agent.files import digest, write_json

POLL_SECONDS = 0.1
QUESTIONS = ("structured", "tools")
LADDER = ("json_schema", "json_object", "prompt")

logger = logging.getLogger(__name__)


class Profile(BaseModel):
    """How requests to a model are formed.

    Attributes:
        refused: Parameters that the server refused; they are not sent.
        context_length: Tokens that a request and its answer may have, if the server says so.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    tools: Literal["native", "json_action"] = "native"
    structured: Literal["json_schema", "json_object", "prompt"] = "json_schema"
    max_tokens_field: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    empty_content: Literal["null", "text"] = "null"
    system_role: bool = True
    refused: tuple[str, ...] = ()
    context_length: int | None = None

    def asking_lower(self, steps: int) -> "Profile":
        """Return this profile with schemas asked for some steps further down the ladder."""
        place = min(LADDER.index(self.structured) + steps, len(LADDER) - 1)
        return self.model_copy(update={"structured": LADDER[place]})

    def with_changes(self, before: "Profile", after: "Profile") -> "Profile":
        """Return this profile with what differs between two others."""
        old, new = before.model_dump(), after.model_dump()
        changed = {name: value for name, value in new.items() if value != old[name]}
        if "refused" in changed:
            changed["refused"] = tuple(dict.fromkeys([*self.refused, *after.refused]))
        return self.model_copy(update=changed)


class ProfileFile(BaseModel):
    """A profile on disk.

    Attributes:
        asked: The questions that were asked; what the configuration fixes is not.
        learned: What a server refused, in its words, and what was changed for it.
        probe: The questions of the probe, how they ended and their tokens.
    """

    model_config = ConfigDict(extra="forbid")

    provider: str
    endpoint: str
    model: str
    api: str
    profile: Profile
    asked: list[str] = []
    learned: list[dict[str, str]] = []
    probe: list[dict[str, Any]] = []


def settled(profile: Profile, given: Capabilities) -> Profile:
    """Return a profile in which the configuration has the last word."""
    own = {
        name: value
        for name, value in given.model_dump(exclude={"refused"}).items()
        if value not in ("auto", None)
    }
    refused = dict.fromkeys([*profile.refused, *given.refused])
    refused.pop(str(own.get("max_tokens_field")), None)
    return profile.model_copy(update={**own, "refused": tuple(refused)})


def to_ask(given: Capabilities, kept: "ProfileFile | None") -> list[str]:
    """Return what is left to be found out: `structured`, `tools`."""
    known = kept.asked if kept is not None else []
    return [name for name in QUESTIONS if getattr(given, name) == "auto" and name not in known]


class ProfileStore:
    """The profiles of a run, one file for each endpoint and model.

    Args:
        folder: Where they are kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, provider: str, endpoint: str, model: str, api: str) -> Path:
        """Return the file of an endpoint and a model."""
        name = re.sub(r"[^A-Za-z0-9.-]+", "-", f"{provider}-{model}")[:80].strip(".-")
        return self._folder / f"{name}-{digest([provider, endpoint, model, api])[:8]}.json"

    def read(self, path: Path) -> ProfileFile | None:
        """Return a kept profile; None if there is none that can be read."""
        try:
            return ProfileFile.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except ValidationError:
            logger.warning("%s cannot be read; the model is asked anew what it can do", path)
            return None

    def write(self, path: Path, kept: ProfileFile) -> None:
        """Keep a profile; call it under the lock."""
        write_json(path, kept.model_dump(mode="json"))

    @contextlib.asynccontextmanager
    async def lock(self, path: Path) -> AsyncIterator[None]:
        """Hold the lock of a profile; other jobs of the run wait for it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with (path.parent / f".{path.stem}.lock").open("a") as handle:
            # Without locks several jobs may ask the same questions; nothing else is lost.
            while locks.take(handle.fileno()) is False:  # noqa: ASYNC110 - another process
                await asyncio.sleep(POLL_SECONDS)
            yield
