"""Sets of prompts that come with the package, one TOML file each."""

from __future__ import annotations

from pathlib import Path

from cave_sim.errors import WorldError, did_you_mean
from cave_sim.simulation.prompts import Prompts

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Return the names of the sets that come with the package."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def prompts_of(choice: str) -> Prompts:
    """Return the set that a command line names: one of ours by its name, or a file.

    Raises:
        WorldError: there is neither, or the file holds something else.
    """
    if choice in names():
        return Prompts.read(FOLDER / f"{choice}.toml")
    if "/" not in choice and not choice.endswith(".toml"):
        hint = did_you_mean(choice, names())
        raise WorldError(f"there are no prompts {choice!r}.{hint} There are {', '.join(names())}, or name a .toml file")
    return Prompts.read(choice)
