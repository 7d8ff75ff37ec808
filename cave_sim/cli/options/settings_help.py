"""What a simulation takes with ``--set``, in words: for ``cave-sim list NAME`` and ``cave-sim run NAME --help``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from cave_sim.errors import CaveSimError


def about(name: str, module: ModuleType) -> dict[str, Any]:
    """Return what a simulation is about, how many steps it has, and its options, as plain data."""
    from cave_sim.replay.settings import settings

    purpose = (module.__doc__ or "").strip().partition("\n")[0].removeprefix(f"``{name}``: ")
    options = {
        each.name: {"about": each.about, "takes": each.takes, "usual": each.usual} for each in settings(module).values()
    }
    return {"command": f"cave-sim run {name}", "purpose": purpose, "steps": module.STEPS, "options": options}


def about_lines(description: dict[str, Any]) -> list[str]:
    """Return the same as lines for people."""
    steps = "" if description["steps"] is None else f"; {description['steps']:,} steps unless --steps says otherwise"
    head = [part for part in (description["command"], description["purpose"].rstrip(".")) if part]
    options = [_line(name, option) for name, option in description["options"].items()]
    return [f"{': '.join(head)}{steps}", *(options or ["  it takes nothing with --set"])]


def _line(name: str, option: dict[str, str] | str) -> str:
    if isinstance(option, str):
        return f"  --set {name}=...  {option}"
    kind = "; ".join(part for part in (option["takes"], option["usual"]) if part)
    about = f"{option['about'].removesuffix('.')} " if option["about"] else ""
    return f"  --set {name}=...  {about}({kind})"


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
                print("", *about_lines(about(name, find(name))), sep="\n")
            except CaveSimError as error:
                parser.exit(1, f"cave-sim: {error}\n")
        parser.exit()
