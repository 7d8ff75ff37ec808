"""What a simulation takes with ``--set``, in words: for ``cave-sim list NAME`` and ``cave-sim run NAME --help``."""

from __future__ import annotations

import argparse
import inspect
import textwrap
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from cave_sim.errors import CaveSimError

COLUMNS = 100
OF_EVERY = ("residents",)
"""What is given by an option of its own, and not by ``--set``."""


def about(name: str, module: ModuleType) -> dict[str, Any]:
    """Return what a simulation is about, how many steps it has, and its options, as plain data."""
    from cave_sim.replay.settings import parameters, with_residents

    paragraph = inspect.cleandoc(module.__doc__ or "").strip().partition("\n\n")[0]
    purpose = " ".join(paragraph.split()).removeprefix(f"``{name}``: ")
    options = {
        each.name: {"about": each.about, "takes": each.takes, "usual": each.usual}
        for each in with_residents(module).values()
    }
    asks = {"asks_model": "llm" in parameters(module)}
    return {"command": f"cave-sim run {name}", "purpose": purpose, "steps": module.STEPS, "options": options, **asks}


def about_lines(description: dict[str, Any]) -> list[str]:
    """Return the same as lines for people."""
    steps = "" if description["steps"] is None else f"; {description['steps']:,} steps unless --steps says otherwise"
    purpose = description["purpose"]
    head = [
        part for part in (description["command"], purpose if purpose.endswith("?") else purpose.rstrip(".")) if part
    ]
    options = [line for name, option in description["options"].items() for line in _lines(name, option)]
    asks = {
        None: [],
        True: ["  --model NAME  asks a language model; without it, agents follow scripts"],
        False: ["  it asks no language model"],
    }[description.get("asks_model")]
    head_lines = textwrap.wrap(f"{': '.join(head)}{steps}", COLUMNS)
    return [*head_lines, *(options or ["  it takes nothing with --set"]), *asks]


def _lines(name: str, option: dict[str, str] | str) -> list[str]:
    if isinstance(option, str):
        text = option
    else:
        kind = "; ".join(part for part in (option["takes"], option["usual"]) if part)
        text = f"{option['about'].removesuffix('.')} ({kind})".strip()
    head = f"  --{name} N  " if name in OF_EVERY else f"  --set {name}=...  "
    return textwrap.wrap(head + text, COLUMNS, subsequent_indent=" " * 10, break_on_hyphens=False)


class HelpOfSimulation(argparse.Action):
    """``--help`` behind the name of a simulation, which tells what that one takes as well."""

    def __init__(self, option_strings: Sequence[str], dest: str = argparse.SUPPRESS, **_: Any) -> None:
        help_text = "show this help message and exit"  # as argparse has it
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help=help_text)

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Print the help; of a simulation that is named but not there, say so."""
        parser.print_help()
        name = getattr(namespace, "simulation", None)
        if name is not None:
            from cave_sim.replay.simulation_names import find

            try:
                more = f"cave-sim list {name} says what it measures, and what a scenario of it can name"
                print("", *about_lines(about(name, find(name))), more, sep="\n")
            except CaveSimError as error:
                parser.exit(1, f"cave-sim: {error}\n")
        parser.exit()
