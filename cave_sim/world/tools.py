"""Injected objects that are no state, and how a cell holds them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cave_sim.diagnostics.told_names import told_as
from cave_sim.entity.asking import entrance
from cave_sim.entity.handed_values import handed
from cave_sim.entity.undo_log import UndoLog
from cave_sim.policy.guards import facade_type
from cave_sim.policy.permissions import carries_code
from cave_sim.world.tool_signature import ToolSignature


@dataclass(frozen=True)
class Tool:
    """An injected object that is no state: a function, or an object of a class without a codec.

    Attributes:
        name: under which cells find it.
        value: the object.
        about: one line for the agents that use it.
        agent: whose it is; everybody's if None.
        values: its attributes as they were when it was injected, as code. They are told to models as they were, so
            that a prompt is the same on every host and after every stop.
    """

    name: str
    value: Any
    about: str
    agent: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)


class WorldBound:
    """An object that cells of one world use and that must know which: a copy of the world gets its own."""

    __slots__ = ()

    def _bound_to(self, world: Any) -> Any:
        """Return the object for this world."""
        raise NotImplementedError


@facade_type
class InjectedFunction:
    """A function in a cell's hands: it can be called, and runs with the world's rights; it cannot be changed.

    What a cell hands it must fit its annotations, as with methods of entities.
    """

    __slots__ = ("_function", "_key", "_signature", "_undo_log")

    def __init__(self, key: str, function: Callable[..., Any], undo_log: UndoLog) -> None:
        self._key, self._function, self._undo_log = key, function, undo_log
        self._signature: ToolSignature | None = None

    @entrance
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        undo_log = self._undo_log
        fitted, named = (args, kwargs) if undo_log.guard is None else self._fitted(args, kwargs)
        if undo_log.guard is None or carries_code((*args, *kwargs.values())):  # a cell's code keeps the cell's rights
            result = self._function(*fitted, **named)
            return result if undo_log.guard is None else handed(result, self._key)
        undo_log.write_through()
        recorder = undo_log.world.recorder
        if recorder is not None:
            recorder.call(None, self._key, args, kwargs)
        with undo_log.as_world():
            try:
                return handed(self._function(*fitted, **named), self._key)
            finally:
                undo_log.write_through()
                if recorder is not None:
                    recorder.returned()

    def _fitted(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
        if self._signature is None:
            self._signature = ToolSignature(self._function)
        return self._signature.fitted(getattr(self._function, "__name__", self._key), args, kwargs)

    def __repr__(self) -> str:
        return f"<function {self._function.__name__}>"


def native(value: Any) -> Any:
    """Return what an injected function calls, and any other value as it is."""
    return value._function if isinstance(value, InjectedFunction) else value  # private: cells hold these


told_as(InjectedFunction, "function")
