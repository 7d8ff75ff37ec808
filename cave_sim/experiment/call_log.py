"""Calls of foreign functions as world state: what a benchmark's own objects were asked to do, in order.

A benchmark brings live objects that no journal knows. Here the log of the calls is the state, an entity of the world
that no cell sees, and the objects follow from it: they are made anew and brought up to the log wherever they are
missing, or have done more than the log says. So a cell that fails has called nothing, a jailed cell's calls count, and
a judge in another process, or on another day, can do all of them again.
"""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import SkipValidation

from cave_sim.entity.entity import Entity
from cave_sim.entity.field import field
from cave_sim.world.world import World

NAME = "$calls"
"""The name of the log; no cell can spell it."""


class CallLog(Entity):
    """The calls that were made of foreign objects in one world."""

    turn: int = field(0, ge=0, about="the query under way")
    calls: list[list[Any]] = field([], about="turn, caller, function, arguments as code; in their order")


class NotPlain(TypeError):
    """A call was handed something that no log can keep as code."""


@dataclass(frozen=True)
class LoggedCall:
    """A call: in which query, by whom, of what, and with what.

    Attributes:
        arguments: by name; None if they cannot be read back, as those that are no literals.
    """

    turn: int
    caller: str
    name: str
    arguments: Mapping[str, Any] | None
    code: str


def log_of(world: World) -> CallLog:
    """Return the log of a world, which gets one if it has none."""
    if NAME not in world.undo_log.entities:
        world.registry.enter(NAME, CallLog())
    log: CallLog = world.undo_log.entities[NAME]
    return log


def next_turn(world: World) -> None:
    """Let the calls from now on be of the next query; for scripts."""
    log_of(world).turn += 1


def note_call(world: World, name: str) -> None:
    """Note a call of what there is not, which did nothing; for judges to whom it counts."""
    log = log_of(world)
    log.calls.append([log.turn, "", name, "{}"])


def calls_of(world: World) -> list[LoggedCall]:
    """Return the calls that were made, in their order."""
    return [LoggedCall(turn, caller, name, _read(code), code) for turn, caller, name, code in log_of(world).calls]


def unchecked_annotations(function: Callable[..., Any]) -> dict[str, Any]:
    """Return a function's annotations as what is told and not checked: a judge is to see the calls that they forbid."""
    unchecked: Any = SkipValidation
    return {name: Annotated[each, unchecked()] for name, each in inspect.get_annotations(function).items()}


class LoggedObjects:
    """Live objects of a benchmark, behind a log.

    Args:
        world: whose log.
        make: makes them as they are at the start.
        act: does one call on them: the objects, who calls, which function, arguments by name.
    """

    def __init__(
        self, world: World, make: Callable[[], Any], act: Callable[[Any, str, str, Mapping[str, Any]], Any]
    ) -> None:
        self._world, self._make, self._act = world, make, act
        self._live: Any = None
        self._done = -1
        log_of(world)

    @property
    def live(self) -> Any:
        """The objects as the log says that they are."""
        calls = calls_of(self._world)
        if self._done < 0 or self._done > len(calls):
            self._live, self._done = self._make(), 0
        for call in calls[self._done :]:
            self._done += 1
            if call.arguments is not None:
                try:
                    self._act(self._live, call.caller, call.name, call.arguments)
                except Exception:  # it raised then, too, and the cell went on
                    continue
        return self._live

    def call(self, caller: str, name: str, arguments: Mapping[str, Any]) -> Any:
        """Do a call and note it; what it raises is raised, and the call stays noted if the cell goes on.

        Raises:
            NotPlain: an argument is no number, text, list or dictionary; nothing was called.
        """
        live, log = self.live, log_of(self._world)
        code = repr(dict(arguments))
        if _read(code) is None:
            raise NotPlain(f"{name}() takes plain values: numbers, texts, lists, dictionaries")
        log.calls.append([log.turn, caller, name, code])
        self._done += 1
        return copy.deepcopy(self._act(live, caller, name, arguments))  # some return what they go on to change


def _read(code: str) -> Mapping[str, Any] | None:
    try:
        arguments: Mapping[str, Any] = ast.literal_eval(code)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return arguments
