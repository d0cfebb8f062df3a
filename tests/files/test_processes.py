"""Commands of child processes and their environment."""

import os
import sys
from pathlib import Path

import pytest

import intogen_agent
from intogen_agent.processes import fill, package_environment


@pytest.mark.parametrize(
    ("word", "filled"),
    [
        ("{python}", sys.executable),
        ("--port={port}", "--port=8000"),
        ("{port}{port}", "80008000"),
        ("{store}", "{store}"),
        ('{"json": {"port": 1}}', '{"json": {"port": 1}}'),
        ("{}", "{}"),
        ("{0}", "{0}"),
    ],
)
def test_only_the_known_placeholders_are_filled(word: str, filled: str) -> None:
    assert fill([word], port="8000") == [filled]


def test_a_child_of_this_python_finds_the_package() -> None:
    place = str(Path(intogen_agent.__file__).resolve().parents[1])
    given = {"PYTHONPATH": os.pathsep.join(["/mine", place]), "LANG": "C"}
    made = package_environment([sys.executable, "-m", "intogen_agent"], given)
    assert made == {"PYTHONPATH": os.pathsep.join([place, "/mine"]), "LANG": "C"}
    assert given["PYTHONPATH"].startswith("/mine")


def test_other_programs_get_their_environment_as_it_is() -> None:
    assert package_environment(["biomcp", "run"], {"A": "b"}) == {"A": "b"}
