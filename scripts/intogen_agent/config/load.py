"""From a dictionary (Snakemake's `config`, a YAML file) to checked settings."""

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError

from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.errors import UserError

MADE_UNDER = "made_under"
"""The key of a snapshot under which stands what is no option (`config.snapshot`)."""


def load_settings(config: Mapping[str, Any], source: str = "configuration") -> Settings:
    """Check a configuration.

    Args:
        config: The configuration as nested dictionaries.
        source: What to call it in errors, for example a file name.

    Raises:
        UserError: One line for the first problem: the option, the value and the remedy; for an
            unknown key the nearest valid one.
    """
    try:
        options = {name: value for name, value in config.items() if name != MADE_UNDER}
        return Settings.model_validate(options)
    except ValidationError as error:
        raise UserError(f"{source}: {_explain(error)}") from None


def read_config(path: Path) -> dict[str, Any]:
    """Read a YAML configuration file.

    Raises:
        UserError: The file is missing, is not YAML, or is not a mapping.
    """
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; give an existing configuration file") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        raise UserError(f"{path}{place}: not valid YAML; mend the file") from None
    if not isinstance(value, dict):
        raise UserError(f"{path}: not a mapping of options; see config/config.yaml") from None
    return value


def _explain(error: ValidationError) -> str:
    # A misspelt option often also misses under its right name; the misspelling is the cause.
    problems = sorted(error.errors(), key=lambda item: item["type"] != "extra_forbidden")
    problem = problems[0]
    place = ".".join(str(part) for part in problem["loc"] if not _is_branch(part))
    if problem["type"] == "extra_forbidden":
        key = str(problem["loc"][-1])
        nearest = _nearest(key, problem["loc"][:-1])
        hint = f"; did you mean '{nearest}'?" if nearest else "; see config/config.yaml"
        return f"unknown option '{place}'{hint}"
    if problem["type"] == "enum" and problem["loc"][-1] == "[key]":
        match = difflib.get_close_matches(str(problem["input"]), list(Role), n=1)
        hint = f"did you mean '{match[0]}'?" if match else f"there are: {', '.join(Role)}"
        return f"unknown role '{place}'; {hint}"
    message = problem["msg"].removeprefix("Value error, ")
    value = problem.get("input")
    shown = "" if isinstance(value, dict | list) else f" (got {value!r})"
    return f"{place or 'options'}: {message[:1].lower()}{message[1:]}{shown}"


def _is_branch(part: int | str) -> bool:
    """Pydantic names the branch of a union in a location; people do not know it."""
    return isinstance(part, str) and ("[" in part or part in {"path", "lax-or-strict"})


def _nearest(key: str, parents: tuple[int | str, ...]) -> str | None:
    """Return the dotted path of the valid option most like an unknown one.

    Options of the same section come first, then those below it, then all others.
    """
    model = _model_at(parents)
    for options in (
        {name: (*parents, name) for name in model.model_fields},
        {path[-1]: (*parents, *path) for path in _paths(model, ())},
        {path[-1]: path for path in _paths(Settings, ())},
    ):
        match = difflib.get_close_matches(key, options, n=1)
        if match:
            return ".".join(str(part) for part in options[match[0]])
    return None


def _model_at(location: tuple[int | str, ...]) -> type[BaseModel]:
    """Return the model that holds a location; a provider's name selects the provider model."""
    model: type[BaseModel] = Settings
    for part in location:
        field = model.model_fields.get(str(part))
        if field is not None:
            model = _model_in(field.annotation) or model
    return model


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = (_model_in(argument) for argument in get_args(annotation))
    return next((model for model in inner if model is not None), None)


def _paths(model: type[BaseModel], above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the path of every option below a model; `<name>` where people choose the key."""
    for name, field in model.model_fields.items():
        yield (*above, name)
        inner = _model_in(field.annotation)
        if inner is not None:
            chosen = ("<name>",) if get_origin(field.annotation) is dict else ()
            yield from _paths(inner, (*above, name, *chosen))
