# Loads and checks the configuration and the cohort once; a problem is one line and exit code 2.
import sys

sys.path.append(str(Path(workflow.basedir, "scripts")))

from intogen_agent.models import Stage
from intogen_agent.workflow import plan_or_exit

PLAN = plan_or_exit(config, workflow.basedir)
RESULTS = PLAN.results


wildcard_constraints:
    gene=r"[A-Za-z0-9+][^/]*",
    cancer=r"[A-Za-z0-9+][^/]*",


onstart:
    PLAN.start(workflow)


onsuccess:
    PLAN.collect()


onerror:
    PLAN.collect()
