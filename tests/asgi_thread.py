"""An ASGI application behind a real socket, in a thread of the test's process."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn


@contextmanager
def served(application: Any) -> Iterator[int]:
    """Serve an application until the block ends; give its port."""
    config = uvicorn.Config(
        application, port=0, http="h11", ws="none", lifespan="off", log_config=None
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=asyncio.run, args=(server.serve(),), daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.005)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        if hasattr(application, "close"):
            application.close()
        thread.join(5)
