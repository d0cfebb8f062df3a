"""The settings of language models: endpoints, what they can do, and who plays which role."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from intogen_agent.config.roles import Role
from intogen_agent.config.section import NotNegative, Positive, Seconds, Section

NotNegativeFloat = Annotated[float, Field(ge=0)]


class Launch(Section):
    """A server that each job starts for itself and ends with itself.

    `{python}`, `{port}` and `{port_file}` are filled in. With `{port_file}` the server chooses its
    port and writes it there; with `{port}` it is told one.
    """

    command: list[str] = Field(min_length=1)
    health: str = Field("/health", description="Path that answers 200 when the server is ready")
    start_timeout: Seconds = 60.0


class Capabilities(Section):
    """What an endpoint's models can do; `auto` and null are found out by asking them once."""

    tools: Literal["auto", "native", "json_action"] = Field(
        "auto", description="Tool calls by the server, or written by the model as a JSON object"
    )
    structured: Literal["auto", "json_schema", "json_object", "prompt"] = Field(
        "auto", description="How structured answers are asked for"
    )
    max_tokens_field: Literal["auto", "max_completion_tokens", "max_tokens"] = Field(
        "auto", description="Chat Completions: the name of the limit on output tokens"
    )
    empty_content: Literal["auto", "null", "text"] = Field(
        "auto",
        description="Chat Completions: content of a turn that only calls tools: null or empty text",
    )
    system_role: bool | None = Field(
        None, description="Whether the model takes a system message; null: until it refuses one"
    )
    refused: list[str] = Field([], description="Parameters that are never sent")
    context_length: Positive | None = Field(
        None, description="Tokens that a request and its answer may have; null: as the server says"
    )


class Provider(Section):
    """An OpenAI-compatible endpoint."""

    base_url: str | None = Field(
        None, description="For example https://api.openai.com/v1; may hold {port}"
    )
    base_url_file: Path | None = Field(
        None, description="A file with the address instead; read anew for every request"
    )
    api_key_env: str | None = Field(
        None, description="Environment variable that holds the key; null: no key is needed"
    )
    api_key_file: Path | None = Field(
        None, description="A file with the key instead, readable by its owner alone (mode 0600)"
    )
    api: Literal["auto", "chat", "responses"] = Field(
        "auto", description="auto: Responses for OpenAI and Azure OpenAI, else Chat Completions"
    )
    capabilities: Capabilities = Capabilities()
    launch: Launch | None = None

    @model_validator(mode="after")
    def _one_address_one_key(self) -> "Provider":
        if (self.base_url is None) == (self.base_url_file is None):
            raise ValueError("give base_url or base_url_file, and null for the other")
        if "@" in (self.base_url or ""):
            raise ValueError("base_url holds a user or password; use api_key_env or api_key_file")
        if self.api_key_env is not None and self.api_key_file is not None:
            raise ValueError("give api_key_env or api_key_file, and null for the other")
        if self.launch is not None and self.base_url is None:
            raise ValueError("a launched server needs base_url")
        if self.launch is None and "{port}" in (self.base_url or ""):
            raise ValueError("base_url holds {port}, which only a launched server has")
        return self


class RoleSettings(Section):
    """Provider, model, parameters and limits of one role; null takes the default role's value."""

    provider: str | None = None
    model: str | None = None
    temperature: float | None = Field(None, ge=0, le=2)
    seed: int | None = None
    reasoning_effort: str | None = Field(
        None, description="As the model's maker names it, for example low, medium or high"
    )
    max_output_tokens: Positive | None = None
    service_tier: str | None = Field(
        None, description="OpenAI: flex is cheaper and slower; a change re-runs nothing"
    )
    call_deadline: Seconds | None = Field(
        None, description="Seconds for one call; null: as llm.retry says; a change re-runs nothing"
    )


class RetrySettings(Section):
    """Retries of language-model calls: capped exponential backoff within two deadlines."""

    attempts: Positive = 6
    first_wait: Seconds = 1.0
    max_wait: Seconds = 30.0
    request_timeout: Seconds = 180.0
    call_deadline: Seconds = 600.0
    stage_deadline: Seconds = Field(
        3000.0, description="For all calls of a stage together; keep it below the job's runtime"
    )


class Price(Section):
    """A model's price for a million tokens, in one currency for all models."""

    input: NotNegativeFloat
    cached_input: NotNegativeFloat | None = Field(None, description="null: as input")
    output: NotNegativeFloat


OFFLINE = Provider(
    base_url="http://127.0.0.1:{port}/v1",
    launch=Launch(
        command=[
            "{python}", "-m", "intogen_agent", "serve-offline-model",
            "--port-file", "{port_file}", "--log", "{log}",
        ]
    ),
)  # fmt: skip
OPENAI = Provider(base_url="https://api.openai.com/v1", api_key_env="OPENAI_API_KEY")


class LlmSettings(Section):
    """Language models: endpoints, and which model plays which role."""

    providers: dict[str, Provider] = {"offline": OFFLINE, "openai": OPENAI}
    default: RoleSettings = RoleSettings(provider="offline", model="offline-extractive-1")
    roles: dict[Role, RoleSettings] = {}
    retry: RetrySettings = RetrySettings()
    concurrency: Positive = Field(
        8, description="Requests that one job has open at a time; a change re-runs nothing"
    )
    structured_attempts: Positive = Field(
        3, description="How often a structured answer of the wrong shape is asked for"
    )
    nudges: NotNegative = Field(1, description="Reminders to a model that answers without a tool")
    min_prompt_share: float = Field(
        0.6,
        ge=0,
        le=1,
        description="A server that has read less of a long prompt than this share of its "
        "estimated tokens has dropped a part of it; 0: do not look",
    )
    prices: dict[str, Price] = Field({}, description="By model name; a change re-runs nothing")

    @model_validator(mode="after")
    def _providers_exist(self) -> "LlmSettings":
        for name, role in [("default", self.default), *self.roles.items()]:
            if role.provider is not None and role.provider not in self.providers:
                known = ", ".join(sorted(self.providers))
                raise ValueError(f"role {name}: no provider '{role.provider}'; there are: {known}")
        if self.default.provider is None or self.default.model is None:
            raise ValueError("default: name a provider and a model")
        return self


def role_settings(settings: LlmSettings, role: Role) -> RoleSettings:
    """Return a role's settings, with the default role's values where it has none."""
    own = settings.roles.get(role, RoleSettings()).model_dump(exclude_none=True)
    return RoleSettings(**{**settings.default.model_dump(exclude_none=True), **own})
