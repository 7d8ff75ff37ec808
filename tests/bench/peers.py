"""cave-agent, smolagents, AgentSociety 2 and plain Python side by side: the same new cells, in turns.

Each engine has a process of its own. cave-agent runs cells in an IPython shell, smolagents walks their tree, the other
two compile and run them: no transaction, no changes, no journal. cave-agent is timed as it comes and with the
rules that its documentation shows; ours with every guard, rollback, changes and the journal on.
"""

import json
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.peer_environments import FOLDER, REPEATS, command, environment, find_python
from tests.bench.table import Row, shown_us

CAVE_AGENT, SMOLAGENTS, AGENT_SOCIETY = "cave-agent==0.8.0", "smolagents==1.26.0", "agentsociety2==2.9.3"
OURS = "cave_sim"


def cave_agent(python: str | None) -> Iterator[Row]:
    """Yield how many times ours the costs of cave-agent are, which needs Python >= 3.12; ours run on the same one."""
    interpreter = environment(python or find_python(), FOLDER / "peers", "-r", "requirements.txt", CAVE_AGENT)
    return compared(dict.fromkeys((OURS, "cave-agent", "cave-agent with its rules"), interpreter), at_least=1.5)


def smolagents(_python: str | None) -> Iterator[Row]:
    """Yield how many times ours the costs of smolagents are."""
    rival = environment(sys.executable, FOLDER / "smolagents", SMOLAGENTS)
    return compared({OURS: Path(sys.executable), "smolagents": rival}, at_least=1.5)


def agent_society(python: str | None) -> Iterator[Row]:
    """Yield how many times ours the costs of code are that AgentSociety 2's router had written."""
    rival = environment(python or find_python(), FOLDER / "agentsociety2", AGENT_SOCIETY)
    return compared({OURS: Path(sys.executable), "AgentSociety 2": rival}, at_least=1)


def plain_python(_python: str | None) -> Iterator[Row]:
    """Yield how many times ours the costs of plain Python are, which guards and notes nothing."""
    return compared(dict.fromkeys((OURS, "plain Python"), Path(sys.executable)), at_least=1 / 4)


def compared(engines: dict[str, Path], *, at_least: float) -> Iterator[Row]:
    """Measure engines in turns; yield how many times ours each cost of the others is, and what they leave behind.

    Args:
        engines: which, by the interpreter that runs each; the first one is ours.
        at_least: how many times it is to be.
    """
    results: dict[str, list[dict[str, float]]] = {engine: [] for engine in engines}
    for _repeat in range(REPEATS):
        for engine, python in engines.items():
            told = command([str(python), "-m", "tests.bench.peer_worker", engine])
            results[engine].append(json.loads(told.splitlines()[-1]))
    ours, *others = map(middle, results.values())
    for name, theirs in zip(list(engines)[1:], others, strict=True):
        for kind in (kind for kind in ours if kind != "growth_kib"):
            costs = f"{name} {shown_us(theirs[kind])}"
            yield Row(
                f"new cell, {kind}", shown_us(ours[kind]), costs, theirs[kind] / ours[kind], at_least, at_least=True
            )
        ours_mib, theirs_mib = ours["growth_kib"] / 1024, theirs["growth_kib"] / 1024
        yield Row("memory kept after 10,000 new cells", "", f"{name} {theirs_mib:.1f} MiB", ours_mib, 1, "MiB")


def middle(results: list[dict[str, float]]) -> dict[str, float]:
    """Return the median of each figure."""
    return {kind: statistics.median(result[kind] for result in results) for kind in results[0]}
