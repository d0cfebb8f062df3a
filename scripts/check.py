"""Rule `check`: is everything there that the run needs."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from intogen_agent.preflight.rule import check_rule

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake


def main() -> int:
    return check_rule(
        config=snakemake.config,
        root=Path(snakemake.scriptdir).parent,
        executor=snakemake.params.executor,
        resources=dict(snakemake.resources.items()),
        qos=snakemake.params.qos,
        log=Path(snakemake.log[0]),
    )


if __name__ == "__main__":
    sys.exit(main())
