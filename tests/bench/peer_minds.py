"""mesa-llm side by side: a hundred minds, each asked once a step by a model that answers at once, who then rest.

Its minds reason in one call and act in another, as its ReAct does; ours write a cell, and the run has a journal.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.peer_environments import FOLDER, REPEATS, command, environment, find_python
from tests.bench.peers import OURS, middle
from tests.bench.table import Row, shown_us

MESA_LLM = "mesa-llm==0.3.2"


def rows(python: str | None) -> Iterator[Row]:
    """Yield how many times ours a mind's step of mesa-llm costs, early and late in a run."""
    rival = environment(python or find_python(), FOLDER / "mesa-llm", MESA_LLM)
    engines = {OURS: Path(sys.executable), "mesa-llm": rival}
    results: dict[str, list[dict[str, float]]] = {engine: [] for engine in engines}
    for _repeat in range(REPEATS):
        for engine, interpreter in engines.items():
            told = command([str(interpreter), "-m", "tests.bench.mind_worker", engine])
            results[engine].append(json.loads(told.splitlines()[-1]))
    ours, theirs = map(middle, results.values())
    for what in ours:
        costs = shown_us(ours[what]), f"mesa-llm {shown_us(theirs[what])}"
        yield Row(f"a mind's step, {what}", *costs, theirs[what] / ours[what], 1, at_least=True)
