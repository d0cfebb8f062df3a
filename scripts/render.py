"""Rule `render`: pages for people and the provenance record of a pair."""

import sys
from typing import TYPE_CHECKING

from intogen_agent import stages

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake


def main() -> int:
    return stages.render(
        stages.Handed(
            config=snakemake.config,
            task=snakemake.params.task,
            settings=snakemake.params.settings,
            output=snakemake.output.report,
            log=snakemake.log[0],
        ),
        snakemake.params.statistics,
    )


if __name__ == "__main__":
    sys.exit(main())
