import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.summary.agreement import role_agreement, winning_role
from intogen_agent.summary.models import RoleOfAction

VOTES = st.dictionaries(st.sampled_from(["Act", "LoF", "ambiguous"]), st.integers(0, 5))


@pytest.mark.parametrize(
    ("votes", "winner"),
    [
        ({}, None),
        ({"Act": 0}, None),
        ({"Act": 1}, "Act"),
        ({"Act": 1, "LoF": 2}, "LoF"),
        ({"Act": 2, "LoF": 2}, "ambiguous"),
        ({"ambiguous": 1}, "ambiguous"),
        ({"Act": 1, "ambiguous": 3}, "ambiguous"),
    ],
)
def test_the_role_with_most_votes(votes, winner):
    assert winning_role(votes) == winner


@pytest.mark.parametrize(
    ("role", "votes", "agreement"),
    [
        ("oncogene", {}, "no vote"),
        ("unclear", {}, "no vote"),
        ("oncogene", {"Act": 3}, "agrees"),
        ("oncogene", {"LoF": 3}, "disagrees"),
        ("oncogene", {"Act": 3, "LoF": 1}, "agrees"),
        ("oncogene", {"Act": 1, "LoF": 3}, "disagrees"),
        ("oncogene", {"Act": 2, "LoF": 2}, "unclear"),
        ("oncogene", {"ambiguous": 1}, "unclear"),
        ("tumor suppressor", {"LoF": 3}, "agrees"),
        ("tumor suppressor", {"Act": 3}, "disagrees"),
        ("tumor suppressor", {"ambiguous": 3}, "unclear"),
        ("context-dependent", {"ambiguous": 3}, "agrees"),
        ("context-dependent", {"Act": 3, "LoF": 1}, "agrees"),
        ("context-dependent", {"Act": 3}, "unclear"),
        ("context-dependent", {"LoF": 3}, "unclear"),
        ("unclear", {"Act": 3}, "unclear"),
        ("unclear", {"ambiguous": 3}, "unclear"),
        ("oncogene", {"something new": 3}, "unclear"),
    ],
)
def test_agreement(role, votes, agreement):
    assert role_agreement(RoleOfAction(role), votes) == agreement


@given(VOTES)
def test_opposite_roles_never_agree_with_the_same_votes(votes):
    both = {
        role_agreement(RoleOfAction.ONCOGENE, votes),
        role_agreement(RoleOfAction.TUMOR_SUPPRESSOR, votes),
    }
    assert both in ({"agrees", "disagrees"}, {"unclear"}, {"no vote"})
