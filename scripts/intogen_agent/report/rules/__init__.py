"""Every rule of a report.

A rule is a function that yields (path, message) for each breach; its name, with hyphens, is the id
that violations carry. Messages are written so that a model can mend what they name.
"""

from intogen_agent.report.rules.base import Violation
from intogen_agent.report.rules.check import check_text, violations
from intogen_agent.report.rules.ledger import Evidence, read_evidence

__all__ = ["Evidence", "Violation", "check_text", "read_evidence", "violations"]
