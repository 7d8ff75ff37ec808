"""Running tests on a copy of the tree with one mistake in it, in a process that has the heavy imports behind it."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

from tests.mutants.mutant import ROOT, Mutant

HEAVY = ("mesa", "networkx", "numpy", "pandas", "plotly.graph_objects", "pydantic", "pytest", "starlette")
"""Imported once, before anything is forked; nothing of ours, and no plugin of pytest, which it rewrites itself."""
OURS = ("agents", "cave_sim", "dashboards", "simulations", "tests", "worlds")
OUTCOMES = {0: "survived", 1: "killed"}
"""Of pytest's exit codes; any other means that the tests could not even begin."""
PLAIN = ("-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "--no-header", "--tb=line")


def import_heavy() -> None:
    """Import what all tests need, as far as it is installed."""
    for name in HEAVY:
        with suppress(ImportError):
            import_module(name)


class Copy:
    """A copy of the tree, as git knows it and as it lies there now.

    Args:
        folder: where; it must not be there yet.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
        for name in filter(None, names):
            if (ROOT / name).is_symlink() or (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
        subprocess.run([sys.executable, "-m", "compileall", "-q", *OURS], cwd=folder, check=False)

    def outcome(self, mutant: Mutant, limit_s: float) -> tuple[str, str]:
        """Return what the tests of a mutant come to: ``killed``, ``survived``, ``broken``; and their last words."""
        file = self.folder / mutant.file(ROOT)
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
            compiled.unlink()  # it may be as long as the one with the mistake, and of the same second
        file.write_text(mutant.text(ROOT))
        try:
            return self.tested(mutant.tests, limit_s)
        finally:
            shutil.copy2(ROOT / mutant.file(ROOT), file)

    def tested(self, tests: tuple[str, ...], limit_s: float, workers: int = 0) -> tuple[str, str]:
        """Return what tests come to in this copy; one that does not end in time was killed.

        Args:
            tests: files below ``tests/``.
            limit_s: seconds that all of them have.
            workers: processes that share them; 0 for one that runs them all.
        """
        log = self.folder / "pytest.log"
        paths = [str(Path("tests") / test) for test in tests]
        process = get_context("fork").Process(target=_test, args=(self.folder, log, [*paths, f"--workers={workers}"]))
        process.start()
        process.join(limit_s)
        late = process.exitcode is None
        with suppress(ProcessLookupError):
            os.killpg(process.pid or 0, signal.SIGKILL)  # with all that the tests have started
        process.join()
        words = log.read_text().strip() if log.exists() else ""
        return ("killed", "it did not end") if late else (OUTCOMES.get(process.exitcode or 0, "broken"), words[-2_000:])


def _test(folder: Path, log: Path, arguments: list[str]) -> None:
    """Be the process that runs the tests."""
    os.setsid()
    os.chdir(folder)
    os.environ.update(PYTHONPATH=str(folder), PYTHONDONTWRITEBYTECODE="1")
    sys.dont_write_bytecode = True
    sys.path[:] = [str(folder), *(path for path in sys.path if path not in ("", str(ROOT)))]
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]
    pytest = import_module("pytest")
    with log.open("w") as file, redirect_stdout(file), redirect_stderr(io.StringIO()):
        code = pytest.main([*arguments, *PLAIN, "--rootdir", str(folder), "-c", str(folder / "pyproject.toml")])
    os._exit(int(code))


def timed(copy: Copy, mutant: Mutant, limit_s: float) -> tuple[str, str, float]:
    """Return the outcome of a mutant, the last words of its tests, and the seconds that they took."""
    started = time.monotonic()
    outcome, words = copy.outcome(mutant, limit_s)
    return outcome, words, time.monotonic() - started
