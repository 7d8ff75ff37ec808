"""Injection and retrieval of native Python objects (CaveAgent §3.1.1)."""

from __future__ import annotations

import enum
import inspect
import keyword
import sqlite3
from typing import Any

from cave_sim.entity.builtin_entities import Shared, shared_class
from cave_sim.entity.codecs import codec_of
from cave_sim.entity.entity import Entity
from cave_sim.errors import CaveSimError, SchemaError, WorldError, did_you_mean
from cave_sim.policy.libraries.databases import Database
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.namespace import Namespace
from cave_sim.world import gifts
from cave_sim.world.docstrings import first_line
from cave_sim.world.effects import EffectFunction, EffectTool, provide
from cave_sim.world.state import WorldState
from cave_sim.world.tool_reference import is_known_by_heart, short_values
from cave_sim.world.tools import InjectedFunction, Tool, WorldBound, native


def inject(world: WorldState, name: str, value: Any, about: str, agent: str | None) -> None:
    """See :meth:`World.inject`."""
    _expect_names(world, name, agent)
    try:
        _inject(world, name, value, about, agent)
    except CaveSimError:
        raise
    except Exception as error:  # code of its class runs where it is looked at
        raise WorldError(
            f"inject {name!r}: looking at it raises {type(error).__name__}: {error}; inject functions that use it"
        ) from error


def _inject(world: WorldState, name: str, value: Any, about: str, agent: str | None) -> None:
    if isinstance(value, sqlite3.Connection):
        value = Database(value)
    if agent is not None:
        _give(world, name, value, about, agent)
    elif isinstance(value, Entity):
        world.add(name, value)
    elif (shared := _shared_class_of(value)) is None:
        _add_tool(world, name, value, about)
    else:
        if name in world.interpreter.shared:
            world.remove(name)
        world.add(name, shared(value=value, about=about))


def _give(world: WorldState, name: str, value: Any, about: str, agent: str) -> None:
    """Make a value an agent's own variable."""
    is_from_a_cell, in_hand = world.undo_log.guard is not None, value
    if not is_from_a_cell:  # what a cell hands on gains no rights by it
        _open_type(world, value)
        in_hand = _in_hand(world, f"{agent}.{name}", value)
    namespace = world.interpreter.namespace(agent)
    if world.host is not None:
        gifts.give(world, agent, _as_data(namespace, name, in_hand))
        return
    gifts.tell(world, agent, namespace.give(name, in_hand, by_cell=is_from_a_cell))
    if not is_from_a_cell:  # what a cell hands on is undone with it, and shows among the variables
        tool_value = value if isinstance(value, EffectTool) else native(in_hand)
        world.tools[f"{agent}.{name}"] = _tool(name, tool_value, about, agent)


def _shared_class_of(value: Any) -> type[Entity] | None:
    """Return the class of entities that hold such a value as state of the world; None for what is a tool."""
    codec = codec_of(type(value))
    if codec is not None:
        return shared_class(codec.type)
    is_data = isinstance(value, (str, int, float, bool, list, tuple, dict, set, type(None)))
    return Shared if is_data and not isinstance(value, enum.Enum) else None  # members of an IntEnum are numbers, too


def _add_tool(world: WorldState, name: str, value: Any, about: str) -> None:
    """Let all cells use an object that is no state of the world."""
    if world.host is not None:
        raise WorldError(f"inject {name!r}: a tool is code; give it in what builds the world for its host")
    if name in world.undo_log.entities:
        raise WorldError(f"inject {name!r}: an entity has that name; give the tool another one")
    _open_type(world, value)
    world.tools[name] = _tool(name, value, about)
    world.interpreter.show(name, _in_hand(world, name, value))


def _expect_names(world: WorldState, name: Any, agent: Any) -> None:
    if not isinstance(name, str) or not name.isidentifier() or name.startswith("_") or keyword.iskeyword(name):
        raise WorldError(
            f"inject {name!r}: cells find it by name, so it must be a Python name without leading underscore"
        )
    if not isinstance(agent, str | None):
        raise WorldError(f"inject {name!r}: agent={agent!r}: takes the name of the agent whose variable it becomes")
    if world.interpreter.has_of_its_own(name):
        raise WorldError(f"inject {name!r}: cells know something else by that name; choose another")


def retrieve(world: WorldState, name: str, agent: str | None) -> Any:
    """See :meth:`World.retrieve`."""
    if agent is not None:
        namespace = world.interpreter.namespace(agent)
        if name not in (names := namespace.names()):
            raise KeyError(f"{agent} has no variable {name!r}; it has: {', '.join(names) or 'none'}")
        try:
            return native(namespace.variable(name, with_code=world.host is None))
        except (KeyError, Malformed) as error:
            why = f": {error}" if isinstance(error, Malformed) else ""
            raise KeyError(
                f"{name} of {agent} is code or holds some, be it a name of Python's, which stays in the process"
                f" that runs cells{why}"
            ) from None
    if name in world.interpreter.shared:
        return world.interpreter.shared[name].value
    if name in world.tools:
        return world.tools[name].value
    if name in world:
        return world[name]
    near = did_you_mean(name, [*world.interpreter.shared, *world.tools, *world.undo_log.entities])
    raise KeyError(f"nothing called {name!r} was injected.{near}")


def _tool(name: str, value: Any, about: str, agent: str | None = None) -> Tool:
    if not about and not is_known_by_heart(value):
        about = first_line(value.function if isinstance(value, EffectTool) else value)
    return Tool(name, value, about, agent, {} if _is_known(value) else short_values(value))


def _is_known(value: Any) -> bool:
    """Say whether models know the class of a value by heart, or it has nothing but its name."""
    return (
        isinstance(value, (type, WorldBound, EffectTool))
        or inspect.isroutine(value)
        or codec_of(type(value)) is not None
    )


def _as_data(namespace: Namespace, name: str, value: Any) -> dict[str, Any]:
    try:
        return namespace.form_of(name, value, with_code=False)
    except SchemaError as error:
        raise WorldError(f"inject {name!r}: {error}; give code in what builds the world for its host") from None


def _in_hand(world: WorldState, key: str, value: Any) -> Any:
    if isinstance(value, WorldBound):
        return value._bound_to(world)
    if isinstance(value, EffectTool):
        provide(world)
        return EffectFunction(key, value, world)
    value = native(value)  # it may be an injected function of the world that this one is a copy of
    plain_function = inspect.isroutine(value)
    return InjectedFunction(key, value, world.undo_log) if plain_function else value


def _open_type(world: WorldState, value: Any) -> None:
    """Let cells use the public names of an injected object; the researcher vouches for its class."""
    if isinstance(value, EffectTool):
        return
    if inspect.isroutine(value):
        world.interpreter.expect_foreign()  # it may return anything
    elif not inspect.ismodule(value):
        world.interpreter.open_type(value if isinstance(value, type) else type(value))
    else:
        raise WorldError(
            f"inject: {value.__name__} is a module, which hands cells everything it imports; inject functions of it"
        )
