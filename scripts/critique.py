"""Rule `critique`: the reviewer's loop over a pair's report."""

import sys
from typing import TYPE_CHECKING

from intogen_agent import stages

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake


def main() -> int:
    return stages.critique(
        stages.Handed(
            config=snakemake.config,
            task=snakemake.params.task,
            settings=snakemake.params.settings,
            output=snakemake.output.critique,
            log=snakemake.log[0],
            store=snakemake.input.store,
        )
    )


if __name__ == "__main__":
    sys.exit(main())
