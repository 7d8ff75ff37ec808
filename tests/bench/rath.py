"""openrath's sessions beside ours: the same rows, requests, notes, tools and calls, each engine in its own process.

What grows with the session there, an append, a request and its memory, a recall that reads every note, and a tool's
process that begins anew with each call, must cost five times as much at least; the rest, more than ours.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.peer_environments import FOLDER, REPEATS, command, environment
from tests.bench.peers import middle
from tests.bench.start_up import process
from tests.bench.table import Row

RIVAL = "openrath==2.0.0"
ECHO = [sys.executable, "tests/bench/echo_server.py"]
ROWS = {
    "append_10_us": ("append to a session of 10 rows", "µs", 1),
    "append_100000_us": ("append to a session of 100,000 rows", "µs", 5),
    "first_request_ms": ("first request of 100,000 rows", "ms", 1),
    "request_ms": ("next request of 100,000 rows", "ms", 5),
    "request_kib": ("memory of the next request", "KiB", 5),
    "recall_ms": ("first recall among 5,000 notes, wall clock", "ms", 5),
    "tool_call_ms": ("call of a tool over MCP, wall clock", "ms", 5),
    "sessions_ms": ("100 sessions of one 0.3 s call, wall clock", "ms", 1),
    "import_ms": ("import of the session", "ms", 1),
}
"""What is measured -> how it is called, its unit, and how many times ours the rival's cost is to be."""
IMPORTS = {"cave_sim": "from cave_sim.session.session import Session", "openrath": "from rath.session import Session"}


def rows(_python: str | None) -> Iterator[Row]:
    """Measure both engines in turns and yield how many times ours the rival's costs are.

    Raises:
        NoPeer: the rival cannot be installed.
    """
    pythons = {"cave_sim": Path(sys.executable), "openrath": environment(sys.executable, FOLDER / "openrath", RIVAL)}
    results: dict[str, list[dict[str, float]]] = {engine: [] for engine in pythons}
    for _repeat in range(REPEATS):
        for engine, python in pythons.items():
            results[engine].append(costs_of(engine, python))
    ours, theirs = (middle(each) for each in results.values())
    for key, (what, unit, times) in ROWS.items():
        shown = f"{ours[key]:.3g} {unit}", f"openrath {theirs[key]:.3g} {unit}"
        yield Row(what, *shown, theirs[key] / ours[key], times, at_least=True)


def costs_of(engine: str, python: Path) -> dict[str, float]:
    """Return what one engine costs in a fresh process, by the keys of :data:`ROWS`."""
    costs = json.loads(command([str(python), "-m", "tests.bench.session_worker", engine, json.dumps(ECHO)]))
    return costs | {"import_ms": process("-c", IMPORTS[engine], python=str(python))(3) * 1e3}
