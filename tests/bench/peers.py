"""cave-agent side by side: the same new cells in one interpreter, in turns, each engine in a process of its own.

cave-agent runs cells in an IPython shell: no transaction, no changes, no journal. It is timed as it comes and with
the rules that its documentation shows; ours with every guard, rollback, changes and the journal on.
"""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.table import Row, shown_us

ROOT = Path(__file__).parents[2]
HOME = ROOT / ".bench" / "peers"
RIVAL = "cave-agent==0.8.0"
ENGINES = ("cave_sim", "cave-agent", "cave-agent with its rules")
REPEATS = 3
IS_NEW_ENOUGH = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))"


class NoPeer(Exception):
    """The rival cannot be run here; says why, and the way out."""


def rows(python: str | None = None) -> Iterator[Row]:
    """Measure all engines in turns and yield ours against each of the others.

    Args:
        python: a Python >= 3.12, which the rival needs; looked for if None.

    Raises:
        NoPeer: there is no such Python, or the rival cannot be installed.
    """
    interpreter = environment(python or find_python(), HOME, "-r", "requirements.txt", RIVAL)
    results: dict[str, list[dict[str, float]]] = {engine: [] for engine in ENGINES}
    for _repeat in range(REPEATS):
        for engine in ENGINES:
            results[engine].append(run(interpreter, engine))
    ours, *others = (middle(results[engine]) for engine in ENGINES)
    for name, theirs in zip(ENGINES[1:], others, strict=True):
        yield from compared(ours, name, theirs)


def compared(ours: dict[str, float], name: str, theirs: dict[str, float]) -> Iterator[Row]:
    """Yield how many times the rival's cost ours is, kind by kind, and what 10,000 new cells leave behind."""
    for kind in (kind for kind in ours if kind != "growth_kib"):
        yield Row(
            f"new cell, {kind}",
            shown_us(ours[kind]),
            f"{name} {shown_us(theirs[kind])}",
            theirs[kind] / ours[kind],
            1.5,
            at_least=True,
        )
    ours_mib, theirs_mib = ours["growth_kib"] / 1024, theirs["growth_kib"] / 1024
    yield Row("memory kept after 10,000 new cells", "", f"{name} {theirs_mib:.1f} MiB", ours_mib, 1, "MiB")


def middle(results: list[dict[str, float]]) -> dict[str, float]:
    """Return the median of each figure."""
    return {kind: statistics.median(result[kind] for result in results) for kind in results[0]}


def run(interpreter: Path, engine: str) -> dict[str, float]:
    """Run one engine over all cells in a fresh process: {kind: µs a cell, "growth_kib": KiB}."""
    return json.loads(command([str(interpreter), "-m", "tests.bench.peer_worker", engine]))


def environment(python: str, home: Path, *packages: str) -> Path:
    """Return the interpreter of an environment of its own; what it holds is installed once.

    Args:
        python: that makes it.
        home: where it lies.
        packages: as pip takes them; the last of them is the rival.
    """
    interpreter, ready = home / "bin" / "python", home / packages[-1]
    if not ready.exists():
        command([python, "-m", "venv", "--clear", str(home)])
        command([str(interpreter), "-m", "pip", "install", "-qq", *packages])
        ready.touch()
    return interpreter


def command(arguments: list[str]) -> str:
    """Run a command in the root of the repository and return what it printed.

    Raises:
        NoPeer: it failed; carries its last words.
    """
    settings = os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False, env=settings)
    if done.returncode:
        last_words = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
        raise NoPeer(f"`{' '.join(arguments[1:])}` failed: {last_words}")
    return done.stdout


def find_python() -> str:
    """Return the first Python >= 3.12 on the path that can make environments.

    Raises:
        NoPeer: there is none.
    """
    for candidate in (sys.executable, "python3", "python3.12", "python3.13", "python3.14"):
        try:
            if not subprocess.run([candidate, "-c", IS_NEW_ENOUGH], capture_output=True, check=False).returncode:
                return candidate
        except FileNotFoundError:
            continue
    raise NoPeer("cave-agent needs Python >= 3.12 and none was found: name one with --peer-python PATH")
