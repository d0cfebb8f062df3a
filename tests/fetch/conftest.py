"""The invented services and the command that fetches from them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fetch_world import Fetch, small_world
from public_services import World, served

from intogen_agent.cli import main
from intogen_agent.fetch.service import Patience


@pytest.fixture
def world() -> Iterator[World]:
    """The invented services, running."""
    with served(small_world()) as running:
        yield running


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> Patience:
    """Short waits."""
    short = Patience(
        attempts=3, first_wait=0.001, max_wait=0.002, max_asked=0.05, silence=0.3, request=0.5
    )
    monkeypatch.setattr("intogen_agent.cli.store_fetch.PATIENCE", short)
    return short


@pytest.fixture
def fetch(
    world: World, patience: Patience, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Fetch:
    """Run `store fetch` for pairs of gene and cancer type."""
    monkeypatch.chdir(tmp_path)
    for name in ("NCBI_API_KEY", "NCBI_EMAIL"):
        monkeypatch.delenv(name, raising=False)

    def run(*pairs: str, options: tuple[str, ...] = ()) -> int:
        rows = [pair.replace(" ", "\t") for pair in pairs or ("KRAS COADREAD",)]
        Path("cohort.tsv").write_text("\n".join(["gene\tcancer_type", *rows]) + "\n")
        urls = [f"--{name}-url={world.url}/{name}" for name in ("uniprot", "hgnc")]
        return main(
            [
                "store",
                "fetch",
                "--cohort=cohort.tsv",
                "--email=me@example.org",
                "--rate=2000",
                f"--ncbi-url={world.url}/eutils",
                *urls,
                *options,
            ]
        )

    return run
