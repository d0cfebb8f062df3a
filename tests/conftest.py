"""Fixtures shared by all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

# A test says what is right, not how fast this machine is.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real tables and payloads that may lie beside the repository; skip where they do not."""
    path = ROOT.parent / "shared" / "data"
    if not path.is_dir():
        pytest.skip("no shared data beside the repository")
    return path
