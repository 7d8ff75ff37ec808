"""``--set KEY=VALUE``: options of a simulation, in their types."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from cave_sim.errors import WorldError, did_you_mean, nearest

OF_ITS_OWN = ("residents", "seed", "steps", "days", "out", "model", "host")
"""What people write behind ``--set`` and what is an option of the command."""


def given_options(module: ModuleType, given: Sequence[str]) -> dict[str, Any]:
    """Return what a command line says of a simulation's options.

    Args:
        module: of the simulation.
        given: as ``KEY=VALUE``.

    Raises:
        WorldError: the simulation has no such option, or it does not take that; with what it takes.
    """
    from cave_sim.replay.settings import settings, what_it_takes

    known, name = settings(module), module.__name__.rpartition(".")[2]
    values = {}
    for each in given:
        key, equals, value = each.partition("=")
        if not equals:
            raise WorldError(f"--set {each}: write it as KEY=VALUE")
        if key not in known:
            meant = nearest(key, [*known, *OF_ITS_OWN])
            own = f" Write --{meant} {value}." if meant in OF_ITS_OWN else did_you_mean(key, known)
            raise WorldError(f"--set {each}: {name} has no option {key!r}.{own} {what_it_takes(known)}")
        try:
            values[key] = known[key].plain(value)
        except WorldError:
            raise WorldError(f"--set {each}: {name} takes for {key} {known[key].takes}") from None
    return values
