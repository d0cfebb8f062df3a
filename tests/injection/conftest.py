"""The scripted OpenAI-compatible server of the tests of models is used here too."""

import ssl
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "llm"))
CONTEXT = ssl.create_default_context()


@pytest.fixture
def one_set_of_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading certificates takes longer than a test."""
    monkeypatch.setattr(
        "httpx2._transports.default.create_ssl_context", lambda **_: CONTEXT, raising=False
    )
