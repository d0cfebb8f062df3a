"""Fixtures of the cohort tests: known cancer types, written tables."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from intogen_agent.cohort.cancer_types import CancerTypes, default_path, load_cancer_types
from intogen_agent.cohort.options import CohortOptions
from intogen_agent.cohort.tasks import Cohort, build_cohort

_HEADER_2023 = (
    "SYMBOL TRANSCRIPT COHORT CANCER_TYPE METHODS MUTATIONS SAMPLES QVALUE_COMBINATION ROLE"
    " CGC_GENE CGC_CANCER_GENE DOMAINS 2D_CLUSTERS 3D_CLUSTERS EXCESS_MIS EXCESS_NON EXCESS_SPL"
)
DRIVERS_2023 = _HEADER_2023.split()


@pytest.fixture(scope="session")
def types() -> CancerTypes:
    return load_cancer_types(default_path())


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a table: text or bytes, under a name; gzip where the name ends in .gz."""

    def _write(content: str | bytes, name: str = "drivers.tsv") -> Path:
        data = content.encode() if isinstance(content, str) else content
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return _write


@pytest.fixture
def build(types: CancerTypes) -> Callable[..., Cohort]:
    """Build a cohort of tables with options given by name; no pan-cancer tasks by default."""

    def _build(*tables: Path, **options: object) -> Cohort:
        return build_cohort(tables, CohortOptions(**{"pan_cancer": False} | options), types)  # type: ignore[arg-type]

    return _build


@pytest.fixture
def row() -> Callable[..., str]:
    """Make one line of the 2023 layout."""

    def _row(gene: str, code: str, cohort: str = "C1", **values: str) -> str:
        fields = dict.fromkeys(DRIVERS_2023, "")
        fields |= {"METHODS": "cbase,dndscv", "SAMPLES": "3.0", "QVALUE_COMBINATION": "0.01"}
        fields |= {"SYMBOL": gene, "CANCER_TYPE": code, "COHORT": cohort, "ROLE": "Act"}
        return "\t".join((fields | values).values()) + "\n"

    return _row


@pytest.fixture
def drivers(write: Callable[..., Path]) -> Callable[..., Path]:
    """Write a 2023 table of these lines."""

    def _drivers(*lines: str, name: str = "drivers.tsv") -> Path:
        return write("\t".join(DRIVERS_2023) + "\n" + "".join(lines), name)

    return _drivers


@pytest.fixture
def pairs() -> Callable[[Cohort], list[tuple[str, str]]]:
    return lambda cohort: [(task.gene, task.cancer_type) for task in cohort.tasks]
