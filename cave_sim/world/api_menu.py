"""The API as a menu: classes with the names of what they have, and no types, units or docs; ``help`` tells the rest.

The full reference of a town takes 2,000 tokens, its menu 200 (:mod:`cave_sim.world.api_reference` writes both forms'
names alike). "Efficient on-device agents" (§3.3) does the same with tools: a menu first, a schema when one is chosen.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection
from typing import Any

from pydantic.fields import FieldInfo

from cave_sim.entity.entity import Entity
from cave_sim.entity.preparation import fields_of
from cave_sim.policy.permissions import EVERYTHING
from cave_sim.world.api_reference import method_names, offered, shared, unreadable
from cave_sim.world.docstrings import first_line
from cave_sim.world.effects import EffectTool
from cave_sim.world.signatures import comment, shown
from cave_sim.world.state import WorldState
from cave_sim.world.tool_reference import EFFECTS_NOTE
from cave_sim.world.tool_signature import signature_of
from cave_sim.world.tools import Tool

MOST_FIELDS = 16
"""A class with more fields is told by their number: which of them matter nobody can say beforehand."""


def menu(world: WorldState, agent: str, by_name: Collection[str] | None = None) -> str:
    """Return what there is for an agent, a line for each class and for each injected object.

    Args:
        world: where it is.
        agent: whose menu it is.
        by_name: the classes whose fields and methods are named; of others the reader knows enough, or asks ``help``.
            None for all classes.
    """
    kinds = sorted(world.types, key=lambda kind: (len(kind.__mro__), kind.__name__))
    me = world.undo_log.entities.get(agent)
    lines = [] if me is None else [f"me: {type(me).__name__}"]
    described = [kind for kind in kinds if by_name is None or kind.__name__ in by_name]
    lines += [_class_line(kind, kinds, unreadable(world, agent, kind)) for kind in described]
    if others := [kind.__name__ for kind in kinds if kind not in described]:
        lines.append(f"Also: {', '.join(others)}")
    lines += _injected(world, agent)
    always = "world['any name'], world.all(Class), clock, rng; help(Class), help(name) print types, units and docs"
    granted = world.rights_of(agent).targets
    may = [EVERYTHING] if EVERYTHING in granted else [*([f"{agent}.*"] if me is not None else []), *granted]
    return "\n".join([*lines, f"Always: {always}", f"You may write: {', '.join(may) or 'nothing; call methods'}"])


def _class_line(kind: type[Entity], kinds: list[type[Entity]], without: frozenset[str]) -> str:
    base = next((each for each in kind.__mro__[1:] if each in kinds), Entity)
    above = fields_of(base) if base is not Entity else {}
    fields = [name for name, declared in fields_of(kind).items() if above.get(name) is not declared]
    shown = [name for name in fields if name not in without]
    methods = [name for name in method_names(kind) if getattr(kind, name) is not getattr(base, name, None)]
    calls = [call_of(kind, name) for name in methods]
    members = [*shown, *calls] if len(shown) <= MOST_FIELDS else [f"{len(shown)} fields", f"{len(calls)} methods"]
    title = kind.__name__ if base is Entity else f"{kind.__name__}({base.__name__})"
    return f"{title}: {', '.join(members)}".removesuffix(": ")


def call_of(kind: type, method: str) -> str:
    """Return a method as it is called: its name, and those of its parameters; with ``await`` if it takes that."""
    return _call(method, getattr(kind, method), 1)


def _call(name: str, function: Any, bound: int) -> str:
    """Return a function as it is called, without so many parameters at the beginning."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[bound:]
    except (TypeError, ValueError):
        return f"{name}(...)"
    hints = signature_of(function).hints
    parts = [
        f"{_STARS.get(each.kind, '')}{each.name}{_example(hints.get(each.name))}"
        for each in parameters
        if not each.name.startswith("_")
    ]
    return f"{'await ' * inspect.iscoroutinefunction(function)}{name}({', '.join(parts)})"


def _example(annotation: Any) -> str:
    """Return ``="18:00"`` for ``Annotated[str, pydantic.Field(examples=["18:00"])]``, so that a name tells how."""
    examples = [each.examples for each in getattr(annotation, "__metadata__", ()) if isinstance(each, FieldInfo)]
    return f"={shown(examples[0][0])}" if examples and examples[0] else ""


_STARS: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def _injected(world: WorldState, agent: str) -> list[str]:
    """Return a line for each object that was injected for an agent: how it is called, and what it does."""
    plain, effects = offered(world, agent)
    lines = [*shared(world), *map(_tool_line, plain)]
    return [*lines, EFFECTS_NOTE, *map(_tool_line, effects)] if effects else lines


def _tool_line(tool: Tool) -> str:
    value = tool.value.function if isinstance(tool.value, EffectTool) else tool.value
    if inspect.isroutine(value):
        head = _call(tool.name, value, 0)
    elif isinstance(value, type):
        methods = [name for name, each in vars(value).items() if name[:1] != "_" and inspect.isfunction(each)]
        head = f"{tool.name}: {', '.join(call_of(value, name) for name in methods)}".removesuffix(": ")
    else:
        head = f"{tool.name}: {type(value).__name__}"
    about = first_line(value) if isinstance(value, type) or inspect.isroutine(value) else ""
    return f"{head}{comment(tool.about or about)}"
