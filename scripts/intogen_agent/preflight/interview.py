"""The questions that a model is asked before a run: the probe's, and those that it leaves open."""

from collections.abc import Sequence
from typing import Any

from intogen_agent.llm import probe
from intogen_agent.llm.endpoint import Endpoint
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind, ToolCalls
from intogen_agent.llm.profile import Profile, ProfileStore
from intogen_agent.llm.request import Request
from intogen_agent.preflight.scene import Asked


async def interview(
    endpoint: Endpoint, model: str, asked: Asked, profiles: ProfileStore
) -> str | Failed:
    """Find out what a model can do, as a run does, and that it does so now.

    What is found is kept where the run looks for it. A model that was known before, and what the
    probe has not seen answered, is asked in the known form.

    Args:
        endpoint: The model's provider.
        model: The model.
        asked: Where the questions are counted that are not in the endpoint's transcript.
        profiles: Where profiles are kept.

    Returns:
        What the model can do, in words, or why it cannot be used.
    """
    path = endpoint.profile_path(model)
    before = profiles.read(path)
    profile = await endpoint.profile(model)
    if isinstance(profile, Failed):
        return profile
    after = profiles.read(path)
    transcript = after.probe[len(before.probe) if before else 0 :] if after else []
    notes = await _open_questions(endpoint, model, asked, profile, transcript)
    if isinstance(notes, Failed):
        return notes
    known = before is not None and not transcript
    return "; ".join([_abilities(profile, known=known), *notes])


async def _open_questions(
    endpoint: Endpoint,
    model: str,
    asked: Asked,
    profile: Profile,
    transcript: Sequence[dict[str, Any]],
) -> list[str] | Failed:
    """Ask what a probe has not seen answered in the form that the profile has."""
    answered = {note["asked"] for note in transcript if "usage" in note}
    notes = []
    if profile.structured == "prompt" or probe.STRUCTURED not in answered:
        notes.append(await _structured(endpoint, probe.structured_question(model), asked, profile))
    if profile.tools == "json_action" or probe.TOOLS not in answered:
        notes.append(await _tool(endpoint, probe.tool_question(model), asked, profile))
    problem = next((note for note in notes if isinstance(note, Failed)), None)
    return problem or [note for note in notes if isinstance(note, str) and note]


async def _structured(
    endpoint: Endpoint, question: Request, asked: Asked, profile: Profile
) -> str | Failed:
    call = await endpoint.question(question, profile)
    asked.add(call.usage)
    if probe.reasoned_too_long(call.reply):
        return f"the shape was not seen, {_REASONED}"
    if isinstance(call.outcome, Failed):
        return call.outcome
    if isinstance(call.outcome, Answer) and probe.has_shape(call.outcome.text):
        return ""
    return Failed(FailureKind.INVALID, "its answer to a small question has not the asked-for shape")


async def _tool(
    endpoint: Endpoint, question: Request, asked: Asked, profile: Profile
) -> str | Failed:
    call = await endpoint.question(question, profile)
    asked.add(call.usage)
    if probe.reasoned_too_long(call.reply):
        return f"no tool call was seen, {_REASONED}"
    if isinstance(call.outcome, Failed):
        return call.outcome
    if isinstance(call.outcome, ToolCalls):
        return ""
    return Failed(FailureKind.INVALID, "it did not call the offered tool when told to")


_REASONED = f"{probe.PROBE_TOKENS} tokens of reasoning came first"


def _abilities(profile: Profile, *, known: bool) -> str:
    """Return what a model can do, for people."""
    tools = f"tools {profile.tools}"
    if profile.tools == "json_action":
        tools += " (it writes its calls as JSON, having no tools of its own)"
    length = profile.context_length
    parts = [tools, profile.structured, f"context {length if length else 'not told'}"]
    if profile.refused:
        parts.append(f"refuses {' and '.join(profile.refused)}")
    return ", ".join(parts) + (", as known before" if known else "")
