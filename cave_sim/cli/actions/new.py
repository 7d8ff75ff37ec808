"""``cave-sim new``: something small of one's own that works, with its test."""

from __future__ import annotations

import argparse
import json
import keyword
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Literal, get_args, get_origin, get_type_hints

from cave_sim.cli.options import json_output
from cave_sim.cli.options.vocabulary_help import commented_lines, described
from cave_sim.errors import WorldError
from cave_sim.files.whole_files import write_whole
from cave_sim.replay.settings import Setting, settings
from cave_sim.replay.simulation_names import find
from cave_sim.sharding.sharded_simulation import ShardedSimulation

TEMPLATES = files("cave_sim.cli") / "templates"
NEXT = {
    "simulation": "cave-sim run {file}; pytest {test}; cave-sim new scenario {name}",
    "world": "pytest {test}",
    "agent": "pytest {test}",
    "scenario": "cave-sim study {file}; pytest {test}",
}


def call(options: argparse.Namespace) -> int:
    """Write two files, and say what to do with them."""
    if options.simulation is not None and options.kind != "scenario":
        raise WorldError(f"--simulation says what a scenario is about; a new {options.kind} is about itself")
    _expect_name(options.name, options.kind)
    is_scenario = options.kind == "scenario"
    written = {
        Path(f"{options.name}.yaml" if is_scenario else f"{options.name}.py"): options.kind,
        Path(f"test_{options.name}_scenario.py" if is_scenario else f"test_{options.name}.py"): f"test_{options.kind}",
    }
    if there := [str(path) for path in written if path.exists()]:
        raise WorldError(
            f"{' and '.join(there)} {'is' if len(there) == 1 else 'are'} there already; choose another name"
        )
    words = {"name": options.name, "Class": _class_name(options.name)}
    if is_scenario:
        words |= _words_of_scenario(options.name, options.simulation)
    for path, template in written.items():
        write_whole(path, Template((TEMPLATES / f"{template}.txt").read_text("utf-8")).substitute(words))
    file, test = map(str, written)
    if options.json:
        json_output.show({"files": [file, test]})
    else:
        print(f"wrote {file} and {test}. Next: {NEXT[options.kind].format(file=file, test=test, name=options.name)}")
    return 0


def _expect_name(name: str, kind: str) -> None:
    """Refuse what no module can be called, or one that is there already is called.

    Raises:
        WorldError: say which.
    """
    if not (name.isidentifier() and name.isascii()) or keyword.iskeyword(name):
        raise WorldError(
            f"{name!r} is no name: take letters, digits and _, and no word of Python's own, such as my_{kind}"
        )
    if kind != "scenario" and not Path(f"{name}.py").exists() and find_spec(name) is not None:
        raise WorldError(f"Python has a module {name!r} already; take another name, such as my_{name}")


def _class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_")) or "Mine"


def _words_of_scenario(name: str, simulation: str | None) -> dict[str, object]:
    """Return what a scenario of a simulation begins with: its steps, and another value of one of its options.

    Raises:
        WorldError: there is no such simulation, it lies in shards, or it has no option with a number or a choice.
    """
    if simulation is None and not Path(f"{name}.py").is_file():
        raise WorldError(f"a scenario is about a simulation, and there is no {name}.py here: say --simulation NAME")
    simulation = simulation or f"{name}.py"
    module = find(simulation)
    if get_type_hints(module.create).get("return") is ShardedSimulation:
        raise WorldError(f"{simulation} lies in shards; scenarios are for one world")
    for another in (_another_number, _another_choice):
        for setting in settings(module).values():
            if (value := another(setting)) is not None:
                words = {"option": setting.name, "value": json.dumps(value), "condition": f"other_{setting.name}"}
                names = commented_lines(described(simulation))
                return {"simulation": simulation, "steps": module.STEPS, "names": names, **words}
    raise WorldError(
        f"{simulation} has no option with a number or a choice, which a scenario could vary; write one whose conditions"
        " differ by interventions, see docs/how_to/scenarios.md"
    )


def _another_number(setting: Setting) -> float | None:
    """Return a value that an option may take beside its default, twice or half of it; None if it is no number."""
    if isinstance(setting.default, bool) or not isinstance(setting.default, int | float) or not setting.default:
        return None
    for value in (setting.default * 2, setting.default // 2 or 1):
        try:
            number: float = setting.fit(value)
        except WorldError:
            continue
        return number
    return None


def _another_choice(setting: Setting) -> object:
    """Return what else may be chosen than the default; None if there is no choice."""
    choices = (True, False) if isinstance(setting.default, bool) else get_args(setting.annotation)
    if setting.default not in choices or get_origin(setting.annotation) not in (None, Literal):
        return None
    return next((each for each in choices if each != setting.default), None)
