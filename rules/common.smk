# Loads and checks the configuration and the cohort once; a problem is one line and exit code 2.
import sys

sys.path.append(str(ROOT / "scripts"))

from intogen_agent.models import Stage
from intogen_agent.workflow import plan_or_exit

_paths = workflow.modifier.path_modifier
PLAN = plan_or_exit(
    config,
    ROOT,
    prefixed=bool(_paths.prefix or _paths.modifies_prefixes),
    main=workflow.is_main_process,
)
RESULTS = PLAN.results


wildcard_constraints:
    gene=r"[A-Za-z0-9+][^/]*",
    cancer=r"[A-Za-z0-9+][^/]*",


onstart:
    PLAN.start(workflow)


onsuccess:
    PLAN.collect()


onerror:
    PLAN.collect(log)
