"""The documents say what the code has: options, commands, files, rules, packages, links."""

import importlib.util
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
import yaml
from pydantic import BaseModel

from intogen_agent.cli import COMMANDS
from intogen_agent.config.load import load_settings
from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.delivery.cohort_file import COLUMNS
from intogen_agent.delivery.rows import (
    FailureRow,
    MechanismRow,
    ReferenceRow,
    ReportRow,
    RetiredRow,
)
from intogen_agent.delivery.scope import default_config, merged_config
from intogen_agent.errors import ErrorClass
from intogen_agent.llm.outcomes import FailureKind
from intogen_agent.models import STAGE_FILES
from intogen_agent.offline.faults import KINDS
from intogen_agent.report.rules.check import LEDGER_RULES, RULES, rule_id
from intogen_agent.schemas import MODELS
from intogen_agent.store.records import ArticleRecord, GeneRecord, ProteinRecord
from intogen_agent.workflow import TABLES

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", *DOCS.glob("*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]

pages = pytest.mark.parametrize("page", PAGES, ids=NAMES)


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def code(name: str) -> set[str]:
    """Return every text in backticks of a page."""
    outside = re.sub(r"^```.*?^```", "", text(name), flags=re.DOTALL | re.MULTILINE)
    return set(re.findall(r"`([^`\n]+)`", outside))


def missing(wanted: Iterator[str] | list[str], name: str) -> list[str]:
    known = code(name)
    return sorted({word for word in wanted if word not in known})


# Configuration


def option_paths(model: type[BaseModel], above: str = "") -> Iterator[str]:
    """Yield the dotted path of every option; `<name>` and `<role>` for keys, `[]` for items."""
    for name, field in model.model_fields.items():
        path = f"{above}{name}"
        yield path
        for suffix, inner in inner_models(field.annotation):
            yield from option_paths(inner, f"{path}{suffix}.")


def inner_models(annotation: Any) -> Iterator[tuple[str, type[BaseModel]]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield "", annotation
        return
    origin, arguments = get_origin(annotation), get_args(annotation)
    step = {list: "[]", dict: ".<role>" if arguments[:1] == (Role,) else ".<name>"}.get(origin, "")
    for argument in arguments:
        for suffix, model in inner_models(argument):
            yield f"{step}{suffix}", model


def is_section(path: str) -> bool:
    return any(other.startswith(f"{path}.") for other in option_paths(Settings))


def test_every_option_is_documented() -> None:
    options = [path for path in option_paths(Settings) if not is_section(path)]
    assert "llm.providers.<name>.launch.health" in options
    assert "cohort.extra_pairs[].gene" in options
    assert missing(options, "configuration.md") == []


def test_no_option_is_documented_that_does_not_exist() -> None:
    rows = re.findall(r"^\| `([\w.<>\[\]]+)` \|", text("configuration.md"), flags=re.MULTILINE)
    assert set(rows) <= set(option_paths(Settings))


def shipped_default(path: str) -> Any:
    value: Any = merged_config([default_config()])
    for part in path.split("."):
        value = value[part]
    return value


def test_documented_defaults_are_those_of_the_configuration_file() -> None:
    rows = re.findall(
        r"^\| `([\w.]+)` \| `([^`]+)` \|", text("configuration.md"), flags=re.MULTILINE
    )
    assert len(rows) > 50
    for path, shown in rows:
        if path != "mcp.servers":
            assert yaml.safe_load(shown) == shipped_default(path), path


def snippets() -> list[Any]:
    found = []
    for page in PAGES:
        blocks = re.findall(
            r"^```yaml\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
        )
        found += [
            pytest.param(block, id=f"{page.name}-{number}")
            for number, block in enumerate(blocks, start=1)
        ]
    return found


@pytest.mark.parametrize("snippet", snippets())
def test_every_configuration_example_is_valid(snippet: str, tmp_path: Path) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(snippet, encoding="utf-8")
    load_settings(merged_config([default_config(), path]))


def test_every_role_is_described() -> None:
    roles = [role.value for role in Role]
    assert missing(roles, "agents.md") == []
    assert missing(roles, "configuration.md") == []


# Commands


def command_modules() -> list[str]:
    return [
        name
        for name in COMMANDS
        if importlib.util.find_spec(f"intogen_agent.cli.{name.replace('-', '_')}")
    ]


def test_every_command_has_a_section() -> None:
    headings = set(re.findall(r"^### (.+)$", text("commands.md"), flags=re.MULTILINE))
    assert set(command_modules()) == headings


@pytest.mark.parametrize("command", command_modules())
def test_every_option_of_a_command_is_named(command: str) -> None:
    source = ROOT / "scripts/intogen_agent/cli" / f"{command.replace('-', '_')}.py"
    options = re.findall(r'"(--[a-z-]+)"', source.read_text(encoding="utf-8"))
    section = text("commands.md").split(f"### {command}\n")[1].split("\n### ")[0]
    assert [option for option in options if option not in section] == []


def test_every_make_target_is_named() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [phony] = re.findall(r"^\.PHONY: (.+)$", makefile, flags=re.MULTILINE)
    known = text("commands.md") + (ROOT / "README.md").read_text(encoding="utf-8")
    targets = [target for target in phony.split() if target != "setup-dev"]
    assert [target for target in targets if f"make {target}" not in known] == []


def test_every_fault_is_described() -> None:
    assert missing(list(KINDS), "offline-model.md") == []


# Files


def field_names(model: type[BaseModel], seen: set[type[BaseModel]]) -> Iterator[str]:
    if model in seen:
        return
    seen.add(model)
    for name, field in model.model_fields.items():
        yield name
        for _, inner in inner_models(field.annotation):
            yield from field_names(inner, seen)


def test_every_stage_file_is_documented() -> None:
    known = text("files.md")
    names = ["phase1.json", *(name for files in STAGE_FILES.values() for name in files), *TABLES]
    assert [name for name in names if name not in known] == []


@pytest.mark.parametrize("name", [name for name in MODELS if name != "config"])
def test_every_field_of_a_json_file_is_documented(name: str) -> None:
    # A section's bullets stand under their full path.
    known = {part for word in code("files.md") for part in re.split(r"[^\w]+", word)}
    assert sorted(set(field_names(MODELS[name], set())) - known) == []


@pytest.mark.parametrize("model", [ReportRow, ReferenceRow, MechanismRow, FailureRow, RetiredRow])
def test_every_column_is_documented(model: type[BaseModel]) -> None:
    assert missing(list(model.model_fields), "files.md") == []


def test_every_column_of_the_task_table_is_documented_in_order() -> None:
    [row] = re.findall(r"^\| `_run/cohort\.tsv` \|(.+)$", text("files.md"), flags=re.MULTILINE)
    named = [word for word in re.findall(r"`(\w+)`", row) if word not in ("task", "dropped")]
    assert named == [column for column in COLUMNS if column != "task"]


@pytest.mark.parametrize("model", [GeneRecord, ProteinRecord, ArticleRecord])
def test_every_field_of_a_store_record_is_documented(model: type[BaseModel]) -> None:
    assert missing(list(model.model_fields), "store.md") == []


def test_every_error_class_is_explained() -> None:
    assert missing([error.value for error in ErrorClass], "files.md") == []


def test_every_failure_of_a_model_is_explained() -> None:
    assert missing([kind.value for kind in FailureKind], "llm.md") == []


# Rules


def test_every_rule_is_listed_with_its_source() -> None:
    rows: Mapping[str, str] = dict(
        re.findall(r"^\| `([a-z.-]+)` \| (.+) \|$", text("report-rules.md"), flags=re.MULTILINE)
    )
    ids = [*map(rule_id, RULES), *map(rule_id, LEDGER_RULES)]
    assert list(rows) == ids


# Packages


@pytest.mark.parametrize("name", ["requirements.in", "requirements-dev.in"])
def test_every_direct_dependency_is_documented_with_its_version(name: str) -> None:
    lines = (ROOT / "envs" / name).read_text(encoding="utf-8").splitlines()
    pins = [line.split("==") for line in lines if "==" in line]
    rows = dict(
        re.findall(r"^\| ([\w-]+) \| ([\w.]+) \|", text("dependencies.md"), flags=re.MULTILINE)
    )
    assert pins
    assert {package: rows.get(package) for package, _ in pins} == dict(pins)


# Links


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pages
def test_relative_links_resolve(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)\s]+)\)", page.read_text(encoding="utf-8"))
    assert links
    for link in links:
        target, _, anchor = link.partition("#")
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), link
        assert path.is_relative_to(ROOT), link
        if anchor:
            assert anchor in anchors(path), link


def test_every_page_is_on_the_map() -> None:
    named = set(re.findall(r"\]\(([\w-]+\.md)\)", text("index.md")))
    assert named == {page.name for page in DOCS.glob("*.md")} - {"index.md"}


def test_modules_named_in_the_method_exist() -> None:
    library = ROOT / "scripts" / "intogen_agent"
    named = re.findall(r"`([a-z_0-9]+/[a-z_0-9/]*(?:\.py)?)`", text("method.md"))
    assert len(named) > 40
    assert [name for name in named if not (library / name).exists()] == []


INDEX = re.compile(
    r"pypi\.org|pythonhosted|/simple\b|index-url|registry\.npmjs|anaconda\.org|find-links", re.I
)


@pages
def test_no_page_names_a_package_index(page: Path) -> None:
    assert not INDEX.search(page.read_text(encoding="utf-8"))


def test_nothing_in_the_readme_is_left_to_fill_in() -> None:
    assert "<!--" not in (ROOT / "README.md").read_text(encoding="utf-8")
