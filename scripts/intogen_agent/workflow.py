"""What the Snakefile needs: the checked configuration, the tasks, and each rule's parameters."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from intogen_agent.allocation import note_lock
from intogen_agent.cohort.cancer_types import load_cancer_types
from intogen_agent.cohort.handover import gene_text, statistics_text, task_text
from intogen_agent.cohort.options import CohortOptions, ExtraCancerType
from intogen_agent.cohort.tasks import Cohort, Task, build_cohort
from intogen_agent.config import places, planned, stages
from intogen_agent.config.load import load_settings
from intogen_agent.config.settings import Settings
from intogen_agent.config.snapshot import differences, present
from intogen_agent.errors import UserError
from intogen_agent.files import digest
from intogen_agent.models import STAGE_FILES, Stage
from intogen_agent.planning_checks import check_place, check_surroundings
from intogen_agent.store.schema import RECORD_FILES, records_digest

PAIR_FILES = tuple(name for files in STAGE_FILES.values() for name in files)
TABLES = ("reports.tsv", "references.tsv", "mechanisms.tsv")
REFUSED_TRIGGERS = {"code", "software-env"}


@dataclass(frozen=True)
class Plan:
    """A run as planned: what the rules ask for, nothing per pair is read from disk.

    Attributes:
        root: The repository (where the Snakefile lies).
    """

    settings: Settings
    cohort: Cohort
    root: Path

    @property
    def results(self) -> str:
        """The folder of results, relative to the working directory."""
        return self.settings.results.as_posix()

    @cached_property
    def _tasks(self) -> dict[str, Task]:
        return {task.path: task for task in self.cohort.tasks}

    @cached_property
    def _genes(self) -> dict[str, Task]:
        return {task.gene_path: task for task in self.cohort.tasks}

    def pair_files(self) -> list[str]:
        """Return every file of every pair, and phase 1 of every gene."""
        files = [f"{self.results}/{gene}/phase1.json" for gene in self._genes]
        return files + [f"{self.results}/{path}/{n}" for path in self._tasks for n in PAIR_FILES]

    def finished(self) -> list[str]:
        """Return the last file of every pair's journey."""
        return [f"{self.results}/{path}/provenance.json" for path in self._tasks]

    def tables(self) -> list[str]:
        """Return the tables over all pairs."""
        return [f"{self.results}/{name}" for name in TABLES]

    def pair_task(self, wildcards: Any) -> str:
        """Return a pair's task as JSON: a scalar parameter, without intOGen's statistics."""
        return task_text(self._task(wildcards))

    def statistics(self, wildcards: Any) -> str:
        """Return intOGen's statistics of a pair as JSON."""
        return statistics_text(self._task(wildcards))

    def _task(self, wildcards: Any) -> Task:
        path = f"{wildcards.gene}/{wildcards.cancer}"
        if path not in self._tasks:
            raise ValueError(
                f"{path} is no task of this run (any longer); see `intogen-agent cohort`"
            )
        return self._tasks[path]

    def gene_task(self, wildcards: Any) -> str:
        """Return a gene's task as JSON; it does not depend on any cancer type."""
        if wildcards.gene not in self._genes:
            raise ValueError(f"{wildcards.gene} is no gene of this run; see `intogen-agent cohort`")
        return gene_text(self._genes[wildcards.gene])

    def stage_settings(self, stage: Stage) -> list[str]:
        """Return what a stage depends on, as sorted `key=value` lines."""
        return stages.stage_settings(self.settings, stage, self.store_identity)

    def table_settings(self) -> str:
        """Return a digest of the tasks and statistics that the tables show."""
        shown = [[task_text(task), statistics_text(task)] for task in self.cohort.tasks]
        return digest([shown, [self.stage_settings(stage) for stage in Stage]])

    @property
    def store_records(self) -> str | None:
        """The record files that the workflow builds a store from, if it does."""
        if self.settings.store.path is not None or not self._store_needed:
            return None
        return str(self.settings.store.records) if self.settings.store.records else None

    @property
    def _store_needed(self) -> bool:
        mcp = self.settings.mcp
        used = {*mcp.phase1, *mcp.phase2}
        return any("{store}" in word for name in used for word in mcp.servers[name].command)

    @cached_property
    def store(self) -> str | None:
        """The local evidence store; a built one carries the digest of its records in its name."""
        if not self._store_needed:
            return None
        if self.settings.store.path is not None:
            return str(self.settings.store.path)
        if self.settings.store.records is None:
            raise UserError("store: give a store (store.path) or record files (store.records)")
        return f"{self.results}/_run/store/evidence-{self._records.digest[:12]}.sqlite"

    @cached_property
    def _records(self) -> planned.RecordFiles:
        folder = Path(str(self.settings.store.records))
        paths = [*(folder / name for name in RECORD_FILES), self.cancer_types]
        try:
            return planned.records(
                self.settings.results, paths, lambda: records_digest(folder, self.cancer_types)
            )
        except OSError as error:
            raise UserError(
                f"store.records: cannot read {error.filename}; give a folder with genes.jsonl, "
                "proteins.jsonl and articles.jsonl, or a built store (store.path)"
            ) from None

    @property
    def cancer_types(self) -> Path:
        """The table of cancer types."""
        return self.settings.cancer_types.table or cancer_type_table(self.root)

    @cached_property
    def store_identity(self) -> str | None:
        """What tells the store's content from another's: the digest of its records.

        It is the same for a store that the workflow builds and for the built one, wherever it lies.

        Raises:
            UserError: A configured store is missing, damaged or no store.
        """
        if self.store is None:
            return None
        if self.settings.store.path is None:
            return self._records.digest[:16]
        from intogen_agent.store.reader import Reader

        reader = Reader(self.settings.store.path)
        reader.close()
        return reader.digest[:16]

    def store_inputs(self) -> dict[str, str]:
        """Return the files that a store is built from, by name."""
        folder = Path(str(self.store_records))
        records = {name.split(".")[0]: str(folder / name) for name in RECORD_FILES}
        return {**records, "cancer_types": str(self.cancer_types)}

    def store_output(self) -> list[str]:
        """Return what the rule `store` has to build: nothing where the store is there already.

        It is put into place in one step, so one that is there is whole. As an output it could be
        forced, or taken for incomplete after a kill of the controller, and Snakemake leaves out all
        that follows such a job by ancient inputs alone: the run would end well with nothing made.
        """
        return [] if Path(str(self.store)).exists() else [str(self.store)]

    def store_dependency(self) -> list[str]:
        """Return the store as an input of the evidence stages, if the workflow builds it.

        A configured one is none: moving it must not make its answers anew.
        """
        return [str(self.store)] if self.store_records else []

    @property
    def review_literature_slots(self) -> int:
        """How many literature slots a review takes: one if refinement may search."""
        review = self.settings.review
        return int(review.enabled and review.new_evidence)

    def review_store(self) -> list[str]:
        """Return the store as an input of the review, if refinement may search in it."""
        return self.store_dependency() if self.review_literature_slots else []

    def start(self, workflow: Any) -> None:
        """At the start of a run: refuse harmful triggers, note the lock, write the task table.

        Triggers that hold `code` end the run with exit code 2: every edit of a script would make
        (and pay for) everything again.
        """
        from intogen_agent.delivery.cohort_file import write_cohort

        triggers = {str(trigger) for trigger in workflow.rerun_triggers}
        refused = sorted(
            word for word in REFUSED_TRIGGERS if any(word in t.lower() for t in triggers)
        )
        if refused:
            print(
                f"ERROR: rerun-triggers hold '{refused[0]}': every edit of a script would make all "
                "reports again; use --rerun-triggers mtime params input (profiles/default)",
                file=sys.stderr,
            )
            sys.exit(2)
        note_lock()
        write_cohort(self.cohort, self.settings.results)

    def collect(self, failed_logs: Sequence[str] = ()) -> None:
        """After a run, good or bad: write failures.tsv and the partial tables.

        Args:
            failed_logs: Snakemake's log files of a run that failed.
        """
        from intogen_agent.delivery.collect import collect
        from intogen_agent.delivery.silent import record_silent_failures

        results, fingerprints = self.settings.results, self.fingerprints()
        record_silent_failures(failed_logs, results, self.cohort.tasks, fingerprints)
        collect(results, self.cohort, fingerprints)

    def hand_over(self) -> None:
        """Let the jobs of this run know what it was planned from."""
        built = self.store is not None and self.settings.store.path is None
        plan = planned.Planned(
            stages={stage: self.stage_settings(stage) for stage in Stage},
            made_under=present(),
            records=self._records if built else None,
        )
        planned.hand_over(self.settings.results, plan)

    def fingerprints(self) -> dict[str, str]:
        """Return each stage's fingerprint under the present configuration."""
        return {stage.value: digest(self.stage_settings(stage))[:16] for stage in Stage}


def cancer_type_table(root: Path) -> Path:
    """Return the shipped table of cancer types."""
    return root / "config" / "cancer_types.tsv"


def plan(config: Mapping[str, Any], root: Path, *, surroundings: bool = True) -> Plan:
    """Check the configuration and build the cohort; nothing is written.

    Args:
        config: Snakemake's configuration.
        root: The repository.
        surroundings: Check keys, commands and files too; whoever only reads results need not.

    Raises:
        UserError: Something in the configuration, the drivers table, the environment or the
            files it names is wrong.
    """
    settings = places.found(load_settings(config), root)
    if surroundings:
        check_surroundings(settings)
    return Plan(settings, cohort_of(settings, root), root)


def cohort_of(settings: Settings, root: Path) -> Cohort:
    """Build the cohort that a configuration describes.

    Raises:
        UserError: There is no drivers table, or it cannot be read.
    """
    tables = settings.drivers
    if tables is None:
        raise UserError(
            "drivers: no table given; name your intOGen drivers table in config/config.yaml or "
            "with --config drivers=FILE (the demo: --profile profiles/demo)"
        )
    tables = tables if isinstance(tables, list) else [tables]
    for table in tables:
        if not table.exists():
            raise UserError(
                f"drivers: {table}: no such file; it is read before any job runs, so a table that "
                "another workflow makes must be there already"
            )
    options = settings.cohort
    extra = tuple(
        ExtraCancerType(
            code=item.code,
            name=item.name,
            search_terms=tuple(item.search_terms),
            parent=item.parent or "",
        )
        for item in settings.cancer_types.extra
    )
    types = load_cancer_types(settings.cancer_types.table or cancer_type_table(root))
    return build_cohort(
        tables,
        CohortOptions(
            scheme=options.scheme,
            pan_cancer=options.pan_cancer,
            extra_pairs=tuple((pair.gene, pair.cancer_type) for pair in options.extra_pairs),
            select_genes=tuple(options.select.genes),
            select_cancer_types=tuple(options.select.cancer_types),
            select_cohorts=tuple(options.select.cohorts),
            select_list=options.select.list,
            columns=options.columns.model_dump(exclude_none=True),
            extra_cancer_types=extra,
        ),
        types,
    )


def plan_or_exit(
    config: Mapping[str, Any], root: Path, *, prefixed: bool = False, main: bool = False
) -> Plan:
    """Plan a run for the Snakefile; a user's error is one line and exit code 2.

    Args:
        config: Snakemake's configuration.
        root: The folder of this workflow's Snakefile.
        prefixed: Whether another workflow that uses this one puts a prefix before its paths.
        main: Whether this is the controlling process, whose plan holds for all jobs.
    """
    try:
        check_place(root, prefixed)
        made = plan(config, root)
        if main:
            planned.take_back(made.settings.results)
            made.hand_over()
        made.table_settings()
        for line in differences(config):
            print(f"NOTE: not as in the snapshot: {line}", file=sys.stderr)
    except UserError as error:
        print(f"ERROR: {error}", file=sys.stderr)
        sys.exit(2)
    return made
