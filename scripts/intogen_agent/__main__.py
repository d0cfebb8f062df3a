"""`python -m intogen_agent`: the command line without an installed console script."""

import sys

from intogen_agent.cli import main

sys.exit(main())
