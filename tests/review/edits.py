"""Edits of the pair's report, as a refiner may make them."""

from collections.abc import Callable
from typing import Any

from tests.review.scripted import contested, draft

Change = Callable[[dict[str, Any]], None]


def changed(change: Change) -> dict[str, Any]:
    """Return the pair's report with an edit, as the refiner writes it."""
    written = draft()
    change(written)
    return written


def drop_mechanism(written: dict[str, Any]) -> None:
    del written["mechanisms"][1]


def drop_citation(written: dict[str, Any]) -> None:
    written["gene_function"][0]["citations"] = ["PMID:8259519"]


def drop_evidence(written: dict[str, Any]) -> None:
    written["gene_function"][0]["evidence"] = ["F2", "F3"]


def turn_verdict(written: dict[str, Any]) -> None:
    written.update(involvement="not_supported", reason="Two references only.", mechanisms=[])


def rewrite(written: dict[str, Any]) -> None:
    text = "APC inactivation is of no consequence for patients with colorectal cancer."
    written["rationale"][0]["text"] = text


def silence(written: dict[str, Any]) -> None:
    written["rationale"][2]["text"] = "KRAS mutation is one of several alternative routes."


def turn_chain(written: dict[str, Any]) -> None:
    written["mechanisms"][0]["cause"] = "APC amplification"


def drop_what_stands_elsewhere(written: dict[str, Any]) -> None:
    del written["mechanisms"][0]  # Its evidence and paper carry rationale[1] as well.


def drop_sentence(written: dict[str, Any]) -> None:
    written["gene_function"][1]["text"] = "Binds alpha-catenin. Binds actin."


def add_statement(written: dict[str, Any]) -> None:
    written["rationale"].append(contested()["rationale"][-1])


LOSSES = [drop_mechanism, drop_citation, drop_evidence, turn_verdict]
# Where each edit is made; none loses an identifier that stands nowhere else.
EDITS: list[tuple[Change, str]] = [
    (rewrite, "assessment"),
    (silence, "assessment"),
    (turn_chain, "mechanistic_hypothesis"),
    (drop_what_stands_elsewhere, "mechanistic_hypothesis"),
    (drop_sentence, "gene_function"),
    (add_statement, "assessment"),
]
