"""One set of certificates for all clients: reading it takes longer than a test."""

import ssl

import pytest
import scripted_server

CONTEXT = ssl.create_default_context()


@pytest.fixture(autouse=True)
def one_set_of_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "httpx2._transports.default.create_ssl_context", lambda **_: CONTEXT, raising=False
    )


@pytest.fixture(params=["chat", "responses"])
def api(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test over both wires: the same script, the same outcomes."""
    monkeypatch.setattr(scripted_server, "API", request.param)
    return str(request.param)
