"""Rule `tables`: one row per pair, per reference and per mechanism."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from intogen_agent import stages

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake


def main() -> int:
    return stages.tables(
        config=snakemake.config,
        root=Path(snakemake.scriptdir).parent,
        planned_as=snakemake.params.tasks,
        outputs=dict(snakemake.output.items()),
        log=snakemake.log[0],
    )


if __name__ == "__main__":
    sys.exit(main())
