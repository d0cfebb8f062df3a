"""Can results be written where they are to go, and can the evidence store be read."""

import asyncio
import fcntl
import os
import tempfile
import time
from pathlib import Path

from intogen_agent.errors import UserError
from intogen_agent.file_systems import between_machines, file_system
from intogen_agent.files import write_bytes
from intogen_agent.preflight.finding import Finding, apart, bounded, failed, ok, skipped
from intogen_agent.preflight.scene import Scene
from intogen_agent.store.reader import Reader
from intogen_agent.workflow import Plan

MEGABYTE = 1_000_000
# Measured with the demo: 0.3 MB a pair; language models and full answers write more.
MEGABYTES_PER_PAIR = 1
FILES_PER_PAIR = 20
PROBE = b"x" * 65536
WHOLE_CHECK_BYTES = 300 * MEGABYTE
TRIED_BYTES = 30 * MEGABYTE
SECONDS = 4.0


async def check_results(plan: Plan) -> Finding:
    """Tell whether results can be written, renamed and locked, and whether they will fit."""
    results = plan.settings.results.absolute()
    about = f"results {plan.settings.results}"
    remedy = "the file system hangs; set results, or run in another directory (--directory)"

    async def look() -> list[Finding]:
        return [await apart(lambda: _results(about, results, len(plan.cohort.tasks)))]

    [finding] = await bounded(look(), about, SECONDS, remedy)
    return finding


def _results(about: str, results: Path, pairs: int) -> Finding:
    folder = results / "_run"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # The way that every file of a run is written.
        place = folder / f".check-{os.uname().nodename}-{os.getpid()}"
        try:
            write_bytes(place, PROBE)
            locks = _locks(place)
        finally:
            place.unlink(missing_ok=True)
    except OSError as error:
        remedy = "make room or set results to a folder that you may write"
        return failed(about, f"cannot be written ({error.strerror})", remedy)
    state = os.statvfs(folder)
    free, needed = state.f_bavail * state.f_frsize / MEGABYTE, pairs * MEGABYTES_PER_PAIR
    if free < needed:
        problem = f"{free:,.0f} MB are free, {pairs:,} pairs may need {needed:,} MB"
        return failed(about, problem, "make room or set results to another file system")
    if state.f_files and state.f_favail < pairs * FILES_PER_PAIR:
        problem = (
            f"room for {state.f_favail:,} files, {pairs:,} pairs need {pairs * FILES_PER_PAIR:,}"
        )
        return failed(about, problem, "ask for a higher quota or set results elsewhere")
    kind = file_system(folder)
    texts = [f"writable, {kind}, {free / 1000:,.1f} GB free", locks]
    if locks == LOCKS and between_machines(folder):
        texts[1] += " on this machine (between machines: not tried)"
    return ok(about, ", ".join(texts))


LOCKS = "locks work"


def _locks(place: Path) -> str:
    """Tell whether a lock keeps a second one out."""
    with place.open("ab") as one, place.open("ab") as two:
        try:
            fcntl.flock(one, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return "no file locks: do not start the same run twice at the same time"
        try:
            fcntl.flock(two, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return LOCKS
    return "file locks without effect: do not start the same run twice at the same time"


async def check_store(
    scene: Scene, ready: asyncio.Future[str | None], trial: Path
) -> list[Finding]:
    """Tell whether the local evidence store can be read, or built.

    Args:
        scene: What to look at.
        ready: Gets the path of a store that servers can be tried with, or None.
        trial: A folder for a store that is built for the check alone.
    """
    about = "store"
    try:
        remedy = "the file system hangs; copy the store to another one (store.path)"
        found, path = await _bounded_store(scene.plan, about, scene.seconds / 2, remedy, trial)
    except BaseException:
        ready.set_result(None)
        raise
    ready.set_result(path)
    return found


async def _bounded_store(
    plan: Plan, about: str, seconds: float, remedy: str, trial: Path
) -> tuple[list[Finding], str | None]:
    paths: list[str | None] = [None]

    async def look() -> list[Finding]:
        finding, paths[0] = await apart(lambda: _store(plan, about, trial))
        return [finding] if finding else []

    return await bounded(look(), about, seconds, remedy), paths[0]


def _store(plan: Plan, about: str, trial: Path) -> tuple[Finding | None, str | None]:
    try:
        path = plan.store
        if path is None:
            return None, None
        if plan.store_records is None or Path(path).exists():
            return _built(about, path), path
        return _to_be_built(plan, about, path, trial)
    except UserError as error:
        advice = "" if plan.settings.store.path or plan.store_records is None else _ANEW
        return failed(about, str(error), advice), None
    except OSError as error:
        return failed(about, f"cannot be read or tried ({error})", "mend the file or folder"), None


_ANEW = "delete a damaged file below _run/store; the run builds it anew"


def _built(about: str, path: str) -> Finding:
    size = Path(path).stat().st_size if Path(path).exists() else 0
    reader = Reader(Path(path))
    try:
        told = "its size is right, too large to be read through"
        if size <= WHOLE_CHECK_BYTES:
            [(answer,), *_] = reader.rows("PRAGMA quick_check(1)")
            if answer != "ok":
                raise UserError(f"{path}: damaged ({answer})")
            told = "read through"
        articles = reader.counts["articles"]
        day = f", as of {reader.as_of}" if reader.as_of else ""
        gaps = f", {reader.gaps:,} questions never answered (store fetch)" if reader.gaps else ""
        known = f"{path}, digest {reader.digest[:12]}, {articles:,} articles"
        return ok(about, f"{known}, {told}{day}{gaps}")
    finally:
        reader.close()


def _to_be_built(plan: Plan, about: str, path: str, trial: Path) -> tuple[Finding, str | None]:
    from intogen_agent.store.build import build_store

    records = Path(str(plan.store_records))
    size = sum(file.stat().st_size for file in records.iterdir())
    if size > TRIED_BYTES:
        told = f"not built yet, and too large to try ({size / MEGABYTE:,.0f} MB of records)"
        return skipped(about, f"{told}; the run builds it first, or `snakemake ... {path}`"), None
    start = time.monotonic()
    output = trial / "trial.sqlite"
    result = build_store(records, output, plan.cancer_types)
    seconds = time.monotonic() - start
    articles = result.counts["articles"]
    told = f"built when the run starts; tried: {articles:,} articles in {seconds:.1f} s"
    return ok(about, told), str(output)


def temporary() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is gone after the check."""
    return tempfile.TemporaryDirectory(prefix="intogen-agent-check-", ignore_cleanup_errors=True)
