"""The code of one's own that a study runs: digests of it, and what of it has changed since trials were finished."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from pathlib import Path

from cave_sim.replay.own_code import reach
from cave_sim.scenario.schema import Scenario
from cave_sim.simulation.measuring import function_of, module_of
from cave_sim.version import code_revision

OURS = "cave_sim"
ELSEWHERE = ("site-packages", "dist-packages")


def code_digests(scenario: Scenario) -> dict[str, str]:
    """Return a digest for cave_sim and for each file of one's own that a study of a scenario has imported.

    These are the modules that lie below the folders of its simulation's file and of its measures' modules; installed
    packages go by their versions. Call it when the simulation was found once. What is imported later, within a step, is
    not seen.
    """
    for measure in (*scenario.measures.values(), *scenario.outcomes.values()):
        if module_of(measure.value):
            reach(measure.value)
            function_of(measure.value)
    folders = {Path.cwd()}
    if scenario.simulation.endswith(".py"):
        folders.add(Path(scenario.simulation).resolve().parent)
    digests = {OURS: code_revision()}
    for module in list(sys.modules.values()):
        path = Path(str(getattr(module, "__file__", None) or ""))
        below = next((folder for folder in folders if path.suffix == ".py" and path.is_relative_to(folder)), None)
        if below is None or not path.is_file() or {*ELSEWHERE} & {*path.parts} or _is_ours(path):
            continue
        digests[str(path.relative_to(below))] = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return dict(sorted(digests.items()))


def changed(then: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Return the names of the code that both have, and that is not the same in both."""
    return [name for name in now if name in then and then[name] != now[name]]


def _is_ours(path: Path) -> bool:
    ours = Path(__file__).parents[1]
    return path.is_relative_to(ours) or path.resolve().is_relative_to(ours.parent.resolve())
