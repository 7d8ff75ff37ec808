"""Environments in which peers run, each pinned and apart; made once, below ``.bench/``."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".bench"
REPEATS = 3
IS_NEW_ENOUGH = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))"


class NoPeer(Exception):
    """The rival cannot be run here; says why, and the way out."""


def environment(python: str, home: Path, *packages: str) -> Path:
    """Return the interpreter of an environment of its own; what it holds is installed once.

    Args:
        python: that makes it.
        home: where it lies.
        packages: as pip takes them; the last of them is the rival.

    Raises:
        NoPeer: it cannot be installed.
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
    """Return the first Python >= 3.12 that can make environments, on the path or beside the one that runs this.

    Raises:
        NoPeer: there is none.
    """
    beside_ours = sorted(map(str, Path(sys.base_prefix).parent.glob("*/bin/python3")))  # as pyenv keeps them
    for candidate in (sys.executable, "python3", "python3.12", "python3.13", "python3.14", *beside_ours):
        try:
            if not subprocess.run([candidate, "-c", IS_NEW_ENOUGH], capture_output=True, check=False).returncode:
                return candidate
        except FileNotFoundError:
            continue
    raise NoPeer("needs Python >= 3.12 and none was found: name one with --peer-python PATH")
