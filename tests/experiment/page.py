"""The page of studies: `python -m tests.experiment.page` runs its commands and writes what they print below them."""

import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "studies.md"
MADE = re.compile(
    r"(```console\n\$ cave-sim (?P<command>study [^\n]+)\n```\n\n<!-- output -->\n)(?P<output>.*?)(<!-- end -->)", re.S
)


def outputs() -> dict[str, str]:
    """Return what the page says that its commands print."""
    return {found["command"]: found["output"] for found in MADE.finditer(PAGE.read_text(encoding="utf-8"))}


def rewritten(text: str, printed: Callable[[str], str]) -> str:
    """Return the page with the outputs that a function gives for its commands."""
    return MADE.sub(lambda found: f"{found[1]}{printed(found['command'])}{found[4]}", text)


def _run(command: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        arguments = [sys.executable, "-m", "cave_sim", *shlex.split(command)]
        arguments[arguments.index("--out") + 1] = f"{folder}/study"
        done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=True)
    return spaced(done.stdout)


def spaced(printed: str) -> str:
    """Return what a study printed as Markdown: its lines around the table are paragraphs."""
    return "\n" + re.sub(r"(?m)^(?!\|)(.+)\n(?!\n)", r"\1\n\n", printed).strip() + "\n\n"


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8"), _run), encoding="utf-8")
