"""Is each model's server there, does it take the key, and does each model answer and call tools."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from intogen_agent.config import stages
from intogen_agent.config.llm_settings import LlmSettings, Provider, role_settings
from intogen_agent.config.roles import Role
from intogen_agent.errors import StageFailure, UserError
from intogen_agent.hosts import host_of
from intogen_agent.llm import address
from intogen_agent.llm.connections import Connection
from intogen_agent.llm.endpoint import Endpoint
from intogen_agent.llm.outcomes import Failed, FailureKind
from intogen_agent.llm.profile import ProfileStore
from intogen_agent.models import Stage
from intogen_agent.preflight.finding import Finding, bounded, failed, ok, skipped
from intogen_agent.preflight.interview import interview
from intogen_agent.preflight.scene import Models, Scene
from intogen_agent.provenance.attributes import Usage

LIST_SECONDS = 10.0
MAX_LISTED = 5


def providers(llm: LlmSettings) -> Mapping[str, Models]:
    """Return the providers that a role uses, their models and the roles of each."""
    found: dict[str, dict[str, list[Role]]] = {}
    for role in dict.fromkeys(role for stage in Stage for role in stages.ROLES[stage]):
        chosen = role_settings(llm, role)
        found.setdefault(str(chosen.provider), {}).setdefault(str(chosen.model), []).append(role)
    return found


async def check_provider(scene: Scene, name: str, models: Models) -> list[Finding]:
    """Check a provider's host, key and server, and its models.

    Args:
        scene: What to look at.
        name: The provider's name.
        models: Its models, and their roles.
    """
    provider = scene.settings.llm.providers[name]
    found = [_host(scene, name, provider), _key(name, provider)]
    if any(finding.failed for finding in found):
        return [*found, *_not_asked(name, models)]
    endpoint = Endpoint(
        name,
        _impatient(scene.settings.llm, scene.seconds),
        scene.settings.network.allow_hosts,
        ProfileStore(scene.run / "models"),
        scene.logs / f"llm-{name}.log",
        [p.api_key_env for p in scene.settings.llm.providers.values() if p.api_key_env],
    )
    try:
        finding, listed = await _endpoint(scene, name, endpoint)
        if finding.failed:
            return [*found, finding, *_not_asked(name, models)[1:]]
        answers = await asyncio.gather(
            *(_model(scene, endpoint, model, roles, listed) for model, roles in models.items())
        )
        return [*found, finding, *answers]
    finally:
        for note in endpoint.transcript:
            scene.asked.add(Usage(**note.get("usage", {})))
        await endpoint.close()


def _impatient(llm: LlmSettings, seconds: float) -> LlmSettings:
    """Return settings in which nothing is tried for longer than a check may take."""
    limits = {"attempts": 2, "first_wait": 0.2, "max_wait": 1.0}
    limits |= {"request_timeout": seconds, "call_deadline": seconds}
    return llm.model_copy(update={"retry": llm.retry.model_copy(update=limits)})


def _not_asked(name: str, models: Models) -> list[Finding]:
    why = f"not asked, {name} cannot be used"
    return [skipped(f"endpoint {name}", why)] + [
        skipped(f"model {name}/{model}", why) for model in models
    ]


def _host(scene: Scene, name: str, provider: Provider) -> Finding:
    """Tell whether a provider's host may be asked."""
    about = f"host of {name}"
    try:
        url = address.base_url(name, provider)
    except address.NoAddress as missing:
        remedy = "start the job that serves the model and wait until it has written the file"
        return failed(about, str(missing), remedy)
    refusal = address.refusal(name, url, scene.settings.network.allow_hosts)
    if refusal is not None:
        return failed(about, refusal)
    restricted = scene.settings.network.allow_hosts is not None
    return ok(about, f"{host_of(url)} {'is allowed' if restricted else '(any is allowed)'}")


def _key(name: str, provider: Provider) -> Finding:
    """Tell whether a provider's key is there; the key itself is never shown."""
    about = f"key of {name}"
    try:
        address.api_key(name, provider)
    except UserError as error:
        return failed(about, str(error))
    if provider.api_key_file is not None:
        return ok(about, f"in {provider.api_key_file}")
    return ok(about, f"in {provider.api_key_env}" if provider.api_key_env else "none is needed")


async def _endpoint(
    scene: Scene, name: str, endpoint: Endpoint
) -> tuple[Finding, Sequence[str] | None]:
    """Tell whether a provider answers; also return the models that it lists."""
    about = f"endpoint {name}"
    listed: list[Sequence[str] | None] = [None]

    async def ask() -> list[Finding]:
        try:
            connection = await endpoint.connect()
            problem, listed[0] = await _listed(connection)
        except StageFailure as error:
            return [failed(about, error.message, "see docs/check.md")]
        if problem is not None:
            provider = scene.settings.llm.providers[name]
            told = f"{connection.url}: {problem.message}"
            return [failed(about, told, remedy(problem.kind, name, provider))]
        api = "Responses" if connection.wire.name == "responses" else "Chat Completions"
        return [ok(about, f"{connection.url} answers ({api})")]

    advice = "is the server running, and can this machine reach it?"
    [finding] = await bounded(ask(), about, scene.left / 2, advice)
    return finding, listed[0]


async def _listed(connection: Connection) -> tuple[Failed | None, Sequence[str] | None]:
    """Ask for the list of models: a server without one is there all the same."""
    import openai

    try:
        client = connection.client.with_options(timeout=LIST_SECONDS)
        raw = await client.models.with_raw_response.list()
    except openai.APITimeoutError:
        return Failed(FailureKind.TIMEOUT, f"no answer within {LIST_SECONDS:g} s"), None
    except openai.APIConnectionError as error:
        cause = type(error.__cause__ or error).__name__
        return Failed(FailureKind.TRANSPORT, f"no connection ({cause})"), None
    except openai.APIStatusError as error:
        code = error.status_code
        if code in (401, 403):
            message = f"the server refused the key (HTTP {code})"
            return Failed(FailureKind.AUTHENTICATION, message), None
        broken = (
            Failed(FailureKind.TRANSPORT, f"HTTP {code}") if code >= 500 or code < 400 else None
        )
        return broken, None
    try:
        body: Any = raw.http_response.json()
        return None, [str(item["id"]) for item in body["data"]]
    except (ValueError, KeyError, TypeError):
        return None, None


async def _model(
    scene: Scene,
    endpoint: Endpoint,
    model: str,
    roles: Sequence[Role],
    listed: Sequence[str] | None,
) -> Finding:
    """Tell whether a model answers in the asked-for shape and calls tools."""
    about = f"model {endpoint.name}/{model}"
    provider = scene.settings.llm.providers[endpoint.name]

    async def ask() -> list[Finding]:
        try:
            result = await interview(
                endpoint, model, scene.asked, ProfileStore(scene.run / "models")
            )
        except StageFailure as error:
            return [failed(about, error.message)]
        except OSError as error:
            return [failed(about, f"what it can do cannot be kept ({error})", "see results above")]
        if isinstance(result, Failed):
            advice = remedy(result.kind, endpoint.name, provider)
            if result.kind is FailureKind.REJECTED and listed:
                shown = ", ".join(listed[:MAX_LISTED]) + (
                    " ..." if len(listed) > MAX_LISTED else ""
                )
                advice += f"; the server lists: {shown}"
            return [failed(about, f"{result.kind.value}: {result.message}", advice)]
        return [ok(about, f"{result} ({_who(roles)})")]

    advice = "a slow model may need a longer --seconds; llm.retry has a run's own limits"
    [finding] = await bounded(ask(), about, scene.left, advice)
    return finding


def _who(roles: Sequence[Role]) -> str:
    others = [role.value for role in Role if role not in roles]
    if len(others) < len(roles):
        return f"all roles but {', '.join(others)}" if others else "all roles"
    return ", ".join(role.value for role in roles)


def remedy(kind: FailureKind, name: str, provider: Provider) -> str:
    """Return what to do after a failure of a provider or its model."""
    place = f"llm.providers.{name}"
    key = f"the key in {provider.api_key_file or provider.api_key_env}"
    if provider.api_key_file is None and provider.api_key_env is None:
        key = f"whether {place} needs a key (api_key_env)"
    match kind:
        case FailureKind.AUTHENTICATION:
            return f"check {key}"
        case FailureKind.QUOTA:
            return "add credit to the account, or choose another provider"
        case FailureKind.THROTTLED:
            return "wait and try again; for the run lower llm_slots in the profile"
        case FailureKind.TRANSPORT:
            return f"start the server, and check {place}.base_url and the way there"
        case FailureKind.TIMEOUT:
            return "the server is busy, or the model still loads: try again"
        case FailureKind.REJECTED:
            return f"check the model's name and {place}.api"
        case FailureKind.CONTEXT_OVERFLOW:
            return "give the server a longer context"
    return "see docs/llm.md; choose another model for these roles"
