"""The changes of docs/reruns.md, each as a function that makes it in a copy of a finished run."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from tests.workflow.finished_run import HEADER, ROWS, Trial

Change = Callable[[Trial], None]

NEW_GENE = ("TP53", "LUAD", "COHORT_3", "cbase", "300", "1e-20", "LoF")
SERVER = ["-m", "intogen_agent", "serve-store", "--store", "{store}", "--log", "{log}"]
# The same server and the same answers, in other words.
OTHER_COMMAND = ["{python}", "-u", *SERVER]


def nothing(_: Trial) -> None:
    """Change nothing."""


def options(**changes: Any) -> Change:
    """Set options; `__` stands for the dots."""
    return lambda trial: trial.configure({k.replace("__", "."): v for k, v in changes.items()})


def instruction(role: str) -> Change:
    def change(trial: Trial) -> None:
        path = trial.clone / "config" / "prompts" / f"{role}.md"
        path.write_text(path.read_text(encoding="utf-8") + "\nBe brief.\n", encoding="utf-8")

    return change


def model(role: str) -> Change:
    return lambda trial: trial.configure({f"llm.roles.{role}.model": "another-model"})


def stage_version(stage: str) -> Change:
    path = "scripts/intogen_agent/config/stages.py"
    return lambda trial: trial.edit(path, rf"(Stage\.{stage}: )\d+,", r"\g<1>99,")


def drivers(rows: list[tuple[str, ...]]) -> Change:
    return lambda trial: trial.write_drivers(rows)


def comments(trial: Trial) -> None:
    turned = dict(reversed(trial.config.items()))
    text = "# A comment.\n" + yaml.safe_dump(turned, sort_keys=False)
    (trial.directory / "config.yaml").write_text(text)


def other_profile(trial: Trial) -> None:
    trial.arguments = ["--profile", str(trial.clone / "profiles" / "local")]


def touched(trial: Trial) -> None:
    files = [trial.directory / "config.yaml", trial.directory / "drivers.tsv"]
    files += [path for path in trial.clone.rglob("*") if path.is_file()]
    for path in files:
        path.touch()


def edited_code(trial: Trial) -> None:
    for folder in ("scripts", "rules"):
        for path in (trial.clone / folder).rglob("*"):
            if path.suffix in (".py", ".smk"):
                path.write_text(path.read_text(encoding="utf-8") + "\n# Edited.\n")


def moved(trial: Trial) -> None:
    place = trial.directory.parent / "elsewhere"
    place.mkdir()
    trial.clone = trial.clone.rename(place / "code")
    trial.directory = trial.directory.rename(place / "data")


def fresh_clone(trial: Trial) -> None:
    shutil.rmtree(trial.directory / ".snakemake")
    for path in trial.clone.rglob("*"):
        path.touch()


def without_company(trial: Trial) -> None:
    for name in ("logs", "models", "config", "store"):
        shutil.rmtree(trial.results / "_run" / name)


def built_store(trial: Trial) -> None:
    [store] = (trial.results / "_run" / "store").glob("*.sqlite")
    place = trial.directory / "my.sqlite"
    shutil.copy2(store, place)
    trial.configure({"store.path": str(place), "store.records": None})


def moved_store(trial: Trial) -> None:
    built_store(trial)
    # Takes the results for made under this configuration.
    done = trial.run("--touch")
    assert done.returncode == 0, done.stderr[-3000:]
    assert trial.planned() == {}
    place = Path(trial.config["store"]["path"])
    trial.configure({"store.path": str(place.rename(trial.directory / "moved.sqlite"))})


def record_added(trial: Trial) -> None:
    path = trial.clone / "config" / "demo" / "evidence" / "articles.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    record = {**json.loads(lines[0]), "pmid": 39999999, "pmcid": None, "doi": None}
    path.write_text("\n".join([*lines, json.dumps(record)]) + "\n", encoding="utf-8")


def other_order(trial: Trial) -> None:
    rows = [(*row, "x") for row in reversed(ROWS)]
    trial.write_drivers(rows, (*HEADER, "CGC_GENE"))


def deleted(path: str) -> Change:
    return lambda trial: Path(trial.results, path).unlink()


PROVIDER = {
    "llm__providers__offline__base_url": "http://localhost:{port}/v1",
    "llm__providers__offline__api": "chat",
    "llm__providers__offline__capabilities": {"tools": "json_action", "context_length": 9000},
}
WAITS = {
    "llm__retry": {"attempts": 2, "request_timeout": 9, "call_deadline": 99},
    "llm__default__call_deadline": 9,
    "mcp__servers__store": {"start_timeout": 9, "call_timeout": 9},
    "report__repair_first_wait": 1,
}
PRICE = {"offline-extractive-1": {"input": 1, "output": 2}}

CHANGES: dict[str, Change] = {
    "nothing": nothing,
    "a comment, or another order of keys, in the configuration": comments,
    "another profile": other_profile,
    "files touched: configuration, drivers, records, instructions, rules, scripts": touched,
    "code of rules, scripts and library edited, stage versions kept": edited_code,
    "the clone moved, the run's directory too": moved,
    "a fresh clone over existing results, without Snakemake's metadata": fresh_clone,
    "the run's logs, model profiles, snapshots and its own store deleted": without_company,
    "the store named in `store.path` moved": moved_store,
    "address, wire and `capabilities` of a provider": options(**PROVIDER),
    "`service_tier`, `prices`": options(llm__default__service_tier="flex", llm__prices=PRICE),
    "`retry`, `call_deadline`, timeouts and waits": options(**WAITS),
    "`network.allow_hosts`": options(network__allow_hosts=["gpu01"]),
    "`fresh` alone": options(fresh="again"),
    "instructions of the gene investigator": instruction("gene_investigator"),
    "instructions of the mechanism investigator": instruction("mechanism_investigator"),
    "instructions of the report creator": instruction("report_creator"),
    "instructions of the scientific reviewer": instruction("scientific_reviewer"),
    "instructions of the style critic": instruction("style_critic"),
    "models of every role": options(llm__default__model="another-model"),
    "models of the summarizer": model("summarizer"),
    "models of the hypothesis planner": model("hypothesis_planner"),
    "models of the refiner": model("refiner"),
    "models of the style refiner": model("style_refiner"),
    "a UniProt cap": options(evidence__uniprot__isoforms=4),
    "a bound of the literature search": options(evidence__max_calls=20),
    "a threshold of `supported`": options(report__min_supported_references=4),
    "a bound of the reviewer": options(review__max_iterations=2),
    "a bound of the style critic": options(summary__max_iterations=1),
    "the command of an MCP server of both phases": options(
        mcp__servers__store__command=OTHER_COMMAND
    ),
    "another MCP server for phase 2": options(
        mcp__servers__papers={"command": OTHER_COMMAND}, mcp__phase2=["papers"]
    ),
    "a built store of the same records, named in `store.path`": built_store,
    "a record added to the store's": record_added,
    "stage versions of phase 1": stage_version("PHASE1"),
    "stage versions of critique": stage_version("CRITIQUE"),
    "stage versions of render": stage_version("RENDER"),
    "a pair added": drivers([*ROWS, ("APC", "LUAD", *ROWS[2][2:])]),
    "a pair of a new gene added": drivers([*ROWS, NEW_GENE]),
    "a pair removed": drivers(ROWS[:2]),
    "statistics of a pair changed": drivers([*ROWS[:2], (*ROWS[2][:4], "13", *ROWS[2][5:])]),
    "rows in another order, a column more": other_order,
    "`cohort.pan_cancer` switched on": options(cohort__pan_cancer=True),
    "the `phase1.json` of a gene": deleted("APC/phase1.json"),
    "the `report.json` of a pair": deleted("APC/COADREAD/report.json"),
    "the `report.md` of a pair": deleted("APC/COADREAD/report.md"),
}
