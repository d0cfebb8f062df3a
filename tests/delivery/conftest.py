"""A tree of results to fill."""

from pathlib import Path

import pytest
from trees import Tree


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path / "results")
