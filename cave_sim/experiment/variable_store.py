"""The variables of a task for agents that cannot hold objects: they read and write them as plain data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.entity.codecs import codec_of
from cave_sim.experiment.comparison import parts, plain
from cave_sim.experiment.task import Variable


class VariableStore:
    """Holds variables. Like every tool it is outside the world state: writes persist even if the turn rolls back.

    Attributes:
        values: the native objects by name.
    """

    def __init__(self, variables: Mapping[str, Variable]) -> None:
        self.values: dict[str, Any] = {name: variable.value for name, variable in variables.items()}
        self._about = {name: variable.about for name, variable in variables.items()}

    def offer_to(self, world: Any) -> None:
        """Inject the read and write functions into a world, and each object that has methods of its own."""
        names = "; ".join(f"{name} ({about})" if about else name for name, about in self._about.items())
        world.inject("read_variable", self.read_variable, f"Return a variable as plain data. There are: {names}")
        world.inject("write_variable", self.write_variable, "Set a variable, in the form in which it is read.")
        for name, value in self.values.items():
            if is_own(value):
                world.inject(name, value, self._about[name])

    def read_variable(self, name: str) -> Any:
        """Return a variable as plain data."""
        if name not in self.values:
            raise KeyError(f"there is no variable {name!r}; there are: {', '.join(self.values)}")
        return plain(self.values[name])

    def write_variable(self, name: str, value: Any) -> str:
        """Set a variable from plain data, converted to the type of its current value."""
        before = self.values.get(name)
        if before is not None and is_own(before):
            if not isinstance(value, Mapping):
                raise TypeError(f"{name!r} is written as it is read, as a dict of {', '.join(parts(before))}")
            vars(before).update({part: value[part] for part in parts(before) if part in value})
        else:
            self.values[name] = _like(before, json.loads(json.dumps(value)))
        return "done"


def is_own(value: Any) -> bool:
    """Say whether an object is of a user-defined class, with attributes and methods."""
    return codec_of(type(value)) is None and bool(parts(value))


def _like(before: Any, data: Any) -> Any:
    """Convert plain data to the type of an existing object."""
    if isinstance(before, pd.DataFrame):
        return pd.DataFrame(data["rows"], columns=data["columns"]) if isinstance(data, dict) else pd.DataFrame(data)
    if isinstance(before, pd.Series):
        return pd.Series(data["values"], index=data["index"]) if isinstance(data, dict) else pd.Series(data)
    if isinstance(before, np.ndarray):
        return np.array(data["values"] if isinstance(data, dict) else data)
    if isinstance(before, float) and isinstance(data, int):
        return float(data)
    return type(before)(data) if isinstance(before, tuple | set | frozenset) else data
