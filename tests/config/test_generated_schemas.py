"""The schemas in schemas/ are the models'."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, ValidationError

from intogen_agent.config.load import read_config
from intogen_agent.schemas import MODELS, main, schema_text


@pytest.mark.parametrize("name", MODELS)
def test_the_schema_file_is_what_the_model_gives(root: Path, name: str) -> None:
    path = root / "schemas" / f"{name}.schema.json"
    assert path.read_text(encoding="utf-8") == schema_text(name), "run `make schemas`"


def test_no_schema_file_is_without_its_model(root: Path) -> None:
    found = {path.name for path in (root / "schemas").iterdir()}
    assert found == {f"{name}.schema.json" for name in MODELS}


@pytest.mark.parametrize("name", MODELS)
def test_the_schemas_are_valid_and_refuse_unknown_keys(name: str) -> None:
    schema = json.loads(schema_text(name))
    Draft202012Validator.check_schema(schema)
    parts = [schema, *schema.get("$defs", {}).values()]
    closed = [part for part in parts if part.get("type") == "object"]
    assert closed and all(part["additionalProperties"] is False for part in closed)


def test_main_writes_all_schemas(tmp_path: Path) -> None:
    main(tmp_path)
    assert len(list(tmp_path.iterdir())) == len(MODELS)


def test_the_configuration_schema_accepts_the_shipped_file_and_no_other_key(root: Path) -> None:
    schema = json.loads((root / "schemas" / "config.schema.json").read_text(encoding="utf-8"))
    config = read_config(root / "config" / "config.yaml")
    validator = Draft202012Validator(schema)
    validator.validate(config)
    with pytest.raises(ValidationError):
        validator.validate({**config, "evidense": {}})
