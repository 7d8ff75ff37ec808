"""Scenarios in a file: a line of JSON each, as a file of one's own has it; the 406 of the evaluation are kept here."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from cave_sim.determinism.canonical_json import to_json
from cave_sim.errors import WorldError, did_you_mean
from cave_sim.files.given_files import expected_text
from cave_sim.simulations.handset.given_scenario import checked, parse_scenario, read_scenario
from cave_sim.simulations.handset.scenarios import VAGUE, HandsetScenario

FILE = Path(__file__).parent / "data" / "scenarios.jsonl"
"""As ``python -m cave_sim.simulations.handset --store`` writes it."""


def lines_of(scenarios: Iterable[HandsetScenario]) -> str:
    """Return scenarios as lines of JSON; what has its default is left out."""
    return "".join(f"{to_json(_given(each)).decode()}\n" for each in scenarios)


def _given(scenario: HandsetScenario) -> dict[str, Any]:
    asks = [
        {"said": ask.said}
        | ({"tool": ask.tool} if ask.tool else {})
        | ({"arguments": dict(ask.arguments)} if ask.arguments else {})
        | ({"fails": True} if ask.fails else {})
        for ask in scenario.asks
    ]
    vague = {} if scenario.vague == VAGUE else {"vague": scenario.vague}
    about = {"id": scenario.id, "category": scenario.category, "persona": scenario.persona}
    return {**about, **vague, "asks": asks}


def read_scenarios(path: Path) -> list[HandsetScenario]:
    """Return the scenarios of a file, each fulfilled on the handset of the seed that its id ends with.

    Raises:
        WorldError: it cannot be read, or one of its lines is none, or not to be fulfilled; in one line.
    """
    found: list[HandsetScenario] = []
    for number, line in enumerate(expected_text(path).splitlines(), 1):
        where = f"{path}, line {number}"
        scenario = parse_scenario(line, where)
        seed = scenario.id.rpartition("-")[2]
        if not seed.isdecimal():
            raise WorldError(f"{where}: id {scenario.id!r} does not end with the seed of its handset, as multi-7 does")
        if scenario.id in (each.id for each in found):
            raise WorldError(f"{where}: {scenario.id!r} is there already")
        checked(scenario, int(seed), where)
        found.append(scenario)
    return found


@cache
def _kept() -> dict[str, str]:
    lines = expected_text(FILE).splitlines()
    return {parse_scenario(line, str(FILE)).id: line for line in lines}


def given_scenario(name: str, seed: int) -> HandsetScenario:
    """Return the scenario of a file, or the one of the 406 that has this id.

    Raises:
        WorldError: there is none, or it is not fulfilled on the handset of this seed.
    """
    if name not in _kept():
        if not Path(name).suffix and not Path(name).exists():
            raise WorldError(
                f"scenario={name}: name a .json file, or one of the {len(_kept())} that are kept, such as"
                f" {next(iter(_kept()))}.{did_you_mean(name, _kept())}"
            )
        return read_scenario(name, seed)
    return checked(parse_scenario(_kept()[name], name), seed, name)
