"""Does a report's role of action agree with intOGen's own role?"""

from collections.abc import Mapping
from typing import Literal

from intogen_agent.summary.models import RoleOfAction

Agreement = Literal["agrees", "disagrees", "no vote", "unclear"]

MEANING = {
    "Act": RoleOfAction.ONCOGENE,
    "LoF": RoleOfAction.TUMOR_SUPPRESSOR,
    "ambiguous": RoleOfAction.CONTEXT_DEPENDENT,
}
"""What intOGen's roles are in the words of the reports."""

_OPPOSITE = {RoleOfAction.ONCOGENE, RoleOfAction.TUMOR_SUPPRESSOR}


def winning_role(votes: Mapping[str, int]) -> str | None:
    """Return the role with most votes, `ambiguous` on a tie, None without votes."""
    given = {role: count for role, count in votes.items() if count > 0}
    if not given:
        return None
    most = max(given.values())
    leaders = [role for role, count in given.items() if count == most]
    return leaders[0] if len(leaders) == 1 else "ambiguous"


def role_agreement(role_of_action: RoleOfAction, votes: Mapping[str, int]) -> Agreement:
    """Compare a role of action with the votes of intOGen's cohorts.

    intOGen's role is a per-cohort dN/dS call and weak evidence, so only the plain contradiction
    (oncogene against LoF, tumor suppressor against Act) counts as disagreement.

    Args:
        role_of_action: The report's.
        votes: Cohorts by intOGen's role (Act, LoF, ambiguous).

    Returns:
        `no vote` where intOGen gives no role. `agrees` for oncogene with Act, tumor suppressor
        with LoF, context-dependent with an ambiguous or mixed vote. `unclear` where one of the two
        leaves it open.
    """
    winner = winning_role(votes)
    if winner is None:
        return "no vote"
    intogen = MEANING.get(winner)
    mixed = votes.get("Act", 0) > 0 and votes.get("LoF", 0) > 0
    if role_of_action is RoleOfAction.CONTEXT_DEPENDENT:
        return "agrees" if mixed or intogen is RoleOfAction.CONTEXT_DEPENDENT else "unclear"
    if role_of_action is intogen:
        return "agrees"
    return "disagrees" if {role_of_action, intogen} == _OPPOSITE else "unclear"
