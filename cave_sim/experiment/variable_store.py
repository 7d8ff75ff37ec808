"""The variables of a task for agents that cannot hold objects: they read and write them as plain data."""

from __future__ import annotations

import copy
import functools
import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.entity.codecs import codec_of
from cave_sim.experiment.call_log import LoggedObjects
from cave_sim.experiment.comparison import parts, plain
from cave_sim.experiment.task import Variable


class VariableStore:
    """Holds variables behind functions; what was called of these is state of the world, and the variables follow.

    Attributes:
        initial: the native objects by name, as they are handed over.
    """

    def __init__(self, variables: Mapping[str, Variable]) -> None:
        self.initial: dict[str, Any] = {name: variable.value for name, variable in variables.items()}
        self._about = {name: variable.about for name, variable in variables.items()}
        self._objects: LoggedObjects | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The native objects by name, as they are now."""
        live: dict[str, Any] = self.initial if self._objects is None else self._objects.live
        return live

    def offer_to(self, world: Any) -> None:
        """Inject the read and write functions into a world, and the methods of each object that has some."""
        names = "; ".join(f"{name} ({about})" if about else name for name, about in self._about.items())
        self._objects = LoggedObjects(world, lambda: copy.deepcopy(self.initial), self._act)
        world.inject("read_variable", self.read_variable, f"Return a variable as plain data. There are: {names}")
        world.inject("write_variable", self.write_variable, "Set a variable, in the form in which it is read.")
        for name, value in self.initial.items():
            for method in _methods(value) if is_own(value) else ():
                world.inject(f"{name}_{method}", self._method(f"{name}_{method}", getattr(value, method)))

    def read_variable(self, name: str) -> Any:
        """Return a variable as plain data."""
        return self._call("read_variable", {"name": name})

    def write_variable(self, name: str, value: Any) -> str:
        """Set a variable from plain data, converted to the type of its current value."""
        return str(self._call("write_variable", {"name": name, "value": value}))

    def _call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        if self._objects is None:  # no world knows them so far
            return self._act(self.initial, "", name, arguments)
        return self._objects.call("", name, arguments)

    def _method(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(method)

        @functools.wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:
            return self._call(name, signature.bind(*args, **kwargs).arguments)

        del call.__wrapped__  # its signature has self
        call.__name__ = name
        call.__signature__ = signature  # type: ignore[attr-defined]
        return call

    def _act(self, values: dict[str, Any], _caller: str, name: str, arguments: Mapping[str, Any]) -> Any:
        if name == "read_variable":
            return plain(_named(values, **arguments))
        if name == "write_variable":
            return _write(values, **arguments)
        for variable, value in values.items():
            if is_own(value) and name.removeprefix(f"{variable}_") in _methods(value):
                return getattr(value, name.removeprefix(f"{variable}_"))(**arguments)
        raise KeyError(name)


def _named(values: Mapping[str, Any], name: str) -> Any:
    if name not in values:
        raise KeyError(f"there is no variable {name!r}; there are: {', '.join(values)}")
    return values[name]


def _write(values: dict[str, Any], name: str, value: Any) -> str:
    before = values.get(name)
    data = json.loads(json.dumps(value))  # a copy, in what there is of it in JSON
    if before is None or not is_own(before):
        values[name] = as_type_of(before, data)
        return "done"
    if not isinstance(data, dict):
        raise TypeError(f"{name!r} is written as it is read, as a dict of {', '.join(parts(before))}")
    if unknown := [part for part in data if part not in parts(before)]:
        raise KeyError(f"{name!r} has no {unknown[0]!r}; there are: {', '.join(parts(before))}")
    vars(before).update(data)
    return "done"


def _methods(value: Any) -> list[str]:
    return [name for name, _ in inspect.getmembers(type(value), inspect.isfunction) if not name.startswith("_")]


def is_own(value: Any) -> bool:
    """Say whether an object is of a user-defined class, with attributes and methods."""
    return codec_of(type(value)) is None and bool(parts(value))


def as_type_of(model: Any, data: Any) -> Any:
    """Return plain data as an object of the type of another one.

    A table may be written as it is read, by rows or by columns, a series by its labels, an array as lists in lists.

    Raises:
        ValueError: the data are no such object.
    """
    if isinstance(model, pd.DataFrame):
        return pd.DataFrame(**_read_back(data, "rows", "columns"))
    if isinstance(model, pd.Series):
        return pd.Series(**_read_back(data, "values", "index"))
    if isinstance(model, np.ndarray):
        told = _read_back(data, "values", "shape")
        array, each = np.array(told["data"]), np.array(told["data"], dtype=object)
        if repr(list(array.shape)) != repr(told.get("shape", list(array.shape))):
            raise ValueError(f"the values are of shape {list(array.shape)}, not {told['shape']}")
        is_mixed = array.dtype != bool and any(isinstance(item, bool) for item in each.flat)
        return each if is_mixed else array  # to numpy a yes among numbers is a 1
    if isinstance(model, float) and type(data) is int:
        return float(data)
    return type(model)(data) if isinstance(model, tuple | set | frozenset) else data


def _read_back(data: Any, items: str, labels: str) -> dict[str, Any]:
    """Return the data of a table, series or array, and what they are labelled with if they are as they are read."""
    if isinstance(data, dict) and data.keys() == {items, labels}:
        return {"data": data[items], labels: data[labels]}
    return {"data": data}
