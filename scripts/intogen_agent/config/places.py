"""The files that a configuration names: where they are."""

from collections.abc import Callable
from pathlib import Path

from intogen_agent.config.llm_settings import LlmSettings
from intogen_agent.config.settings import Settings

Find = Callable[[Path], Path]


def checkout() -> Path:
    """Return the repository that this package is in."""
    return Path(__file__).resolve().parents[3]


def ambiguous_symbols() -> Path:
    """Return the shipped table of names of genes that mean something else too."""
    return checkout() / "config" / "ambiguous_symbols.tsv"


def found(settings: Settings, root: Path) -> Settings:
    """Find relative paths in the working directory, then in the repository.

    Args:
        settings: The configuration.
        root: The repository.
    """

    def find(path: Path) -> Path:
        if path.is_absolute() or path.exists():
            return path
        shipped = root / path
        return shipped if shipped.exists() else path

    return _with_paths(settings, find)


def absolute(settings: Settings, root: Path) -> Settings:
    """Return a configuration that names the same files from any directory.

    The folder of results stays as it is: it belongs to the directory of a run.
    """

    def placed(path: Path) -> Path:
        return path.expanduser().absolute()

    located = found(settings, root)
    llm = _with_provider_files(located.llm, placed)
    return _with_paths(located.model_copy(update={"llm": llm}), placed)


def _with_paths(settings: Settings, change: Find) -> Settings:
    """Return a configuration with its input files' paths changed."""

    def maybe(path: Path | None) -> Path | None:
        return None if path is None else change(path)

    drivers, cohort, store = settings.drivers, settings.cohort, settings.store
    types = settings.cancer_types
    chosen = cohort.select.model_copy(update={"list": maybe(cohort.select.list)})
    tables = [change(path) for path in drivers] if isinstance(drivers, list) else maybe(drivers)
    return settings.model_copy(
        update={
            "drivers": tables,
            "cohort": cohort.model_copy(update={"select": chosen}),
            "store": store.model_copy(
                update={"path": maybe(store.path), "records": maybe(store.records)}
            ),
            "cancer_types": types.model_copy(update={"table": maybe(types.table)}),
        }
    )


def _with_provider_files(llm: LlmSettings, change: Find) -> LlmSettings:
    """Return the models' settings with the files of addresses and keys changed.

    Jobs look for them in the working directory alone, so no repository is asked.
    """
    providers = {
        name: provider.model_copy(
            update={
                field: change(path)
                for field in ("base_url_file", "api_key_file")
                if (path := getattr(provider, field)) is not None
            }
        )
        for name, provider in llm.providers.items()
    }
    return llm.model_copy(update={"providers": providers})
