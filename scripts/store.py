"""Rule `store`: the local evidence store, built from record files."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from intogen_agent import stages

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake


def main() -> int:
    return stages.store(
        config=snakemake.config,
        root=Path(snakemake.scriptdir).parent,
        output=next(iter(snakemake.output), None),
        log=snakemake.log[0],
    )


if __name__ == "__main__":
    sys.exit(main())
