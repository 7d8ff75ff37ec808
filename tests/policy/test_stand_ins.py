"""What cells have in the place of a library's own functions and methods: a guard that is lost is missed here.

Without it, its name leads to the library's own, which works as well for honest cells. So the names are listed.
"""

import importlib
from pathlib import Path

import pytest

from cave_sim import World
from cave_sim.policy.libraries.adapters import ADAPTERS
from tests.long_cases import cases

LISTED = dict(line.split(": ") for line in Path(__file__).with_name("stand_ins.txt").read_text().splitlines())
METHODS = {name.removeprefix("methods of "): of for name, of in LISTED.items() if name.startswith("methods of ")}
FUNCTIONS = {name: of for name, of in LISTED.items() if name[:11] != "methods of "}
AT_ONCE = 200
SLOW = ("plotly", "scipy", "sklearn")


@pytest.mark.parametrize("module", cases(FUNCTIONS, lambda module: module.startswith(SLOW)))
def test_a_cell_has_what_stands_in_for_a_library(module):
    world, seen, own = World(), {}, importlib.import_module(module)
    world.inject("look", lambda **values: seen.update(values))
    names = FUNCTIONS[module].split()
    for first in range(0, len(names), AT_ONCE):
        some = names[first : first + AT_ONCE]
        handed = ", ".join(f"{name}={name}" for name in some)
        listed = ", ".join(some)
        turn = world.execute(f"from {module} import {listed}\nlook({handed})\ndel {listed}", agent="ann")
        assert turn.committed, turn.error
    assert [name for name in names if seen[name] is getattr(own, name)] == []


def test_no_guard_of_a_method_is_lost():
    methods: dict[str, list[str]] = {}
    for kind, name in ADAPTERS:
        methods.setdefault(f"{kind.__module__}.{kind.__qualname__}", []).append(name)
    lost = {kind: sorted({*of.split()} - {*methods.get(kind, ())}) for kind, of in METHODS.items()}
    assert {kind: names for kind, names in lost.items() if names} == {}
