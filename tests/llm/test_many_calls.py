"""A hundred calls at once through one client: nothing is left over."""

import asyncio
import gc
from pathlib import Path
from typing import Any

import pytest
from scripted_server import SYSTEM, Reply, ScriptedServer, error, message, run

from intogen_agent.config.roles import Role
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Answer

pytestmark = pytest.mark.usefixtures("api")
CALLS = 100
ROUNDS = 3


def talk(text: str) -> list[dict[str, str]]:
    return [SYSTEM, {"role": "user", "content": text}]


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="file descriptors as Linux shows")
def test_a_hundred_calls_at_once_leave_nothing_behind(tmp_path: Path) -> None:
    servers: list[ScriptedServer] = []
    objects: list[int] = []
    tasks: list[int] = []
    answered = 0

    async def act(models: Models) -> None:
        nonlocal answered
        for number in range(ROUNDS):
            talks = [talk(f"{number}-{call}") for call in range(CALLS)]
            outcomes = await asyncio.gather(*(models.chat(Role.SUMMARIZER, t) for t in talks))
            answered += sum(isinstance(outcome, Answer) for outcome in outcomes)
            # What is on record grows by design; what is counted is the rest.
            for record in (models._recorder.used, models._recorder._journal.entries):
                record.clear()
            servers[0].requests.clear()
            del talks, outcomes
            gc.collect()
            objects.append(len(gc.get_objects()))
            tasks.append(len(asyncio.all_tasks()))

    open_before = descriptors()
    run(tmp_path, [message("x" * 1000)], act, before=servers.append, concurrency=CALLS)
    gc.collect()
    assert answered == CALLS * ROUNDS
    assert descriptors() <= open_before
    # The test's own server has a task for each open connection; their number does not grow.
    assert tasks[-1] <= tasks[0]
    # One leaked object a call would be a hundred.
    assert objects[-1] - objects[1] < CALLS / 2


def test_failures_of_some_do_not_touch_the_others(tmp_path: Path) -> None:
    async def act(models: Models) -> list[Any]:
        talks = [talk(str(call)) for call in range(40)]
        return await asyncio.gather(*(models.chat(Role.SUMMARIZER, each) for each in talks))

    replies: list[Reply] = []
    for _ in range(10):
        replies += [
            error(500, message="down"),
            error(429, {"Retry-After": "0"}, message="slow down"),
            Reply(b"<html>", headers={"Content-Type": "text/html"}),
        ]
    ran = run(tmp_path, [*replies, message("x")], act, retry={"attempts": 31})
    assert all(isinstance(outcome, Answer) for outcome in ran.value)
    assert len(ran.requests) == 40 + len(replies)


@pytest.mark.parametrize("most", [1, 3])
def test_no_more_requests_are_open_at_once_than_configured(tmp_path: Path, most: int) -> None:
    opened: list[int] = [0]

    def watch(server: ScriptedServer) -> None:
        answer = server._answer

        async def counted(*arguments: Any) -> None:
            opened.append(opened[-1] + 1)
            await answer(*arguments)
            opened.append(opened[-1] - 1)

        server._answer = counted  # type: ignore[method-assign]

    async def act(models: Models) -> list[Any]:
        talks = [talk(str(number)) for number in range(12)]
        return await asyncio.gather(*(models.chat(Role.SUMMARIZER, one) for one in talks))

    ran = run(tmp_path, [Reply(message("x").body, delay=0.01)], act, before=watch, concurrency=most)
    assert all(isinstance(outcome, Answer) for outcome in ran.value)
    assert len(ran.requests) == 12
    assert max(opened) == most
