"""The API as a menu: classes with the names of what they have, and no types, units or docs; ``help`` tells the rest.

The full reference of a town takes 2,000 tokens, its menu 200 (:mod:`cave_sim.world.api_reference` writes both forms'
names alike). "Efficient on-device agents" (§3.3) does the same with tools: a menu first, a schema when one is chosen.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection

from cave_sim.entity.entity import Entity
from cave_sim.entity.preparation import fields_of
from cave_sim.policy.permissions import EVERYTHING
from cave_sim.world.api_reference import injected, method_names, unreadable
from cave_sim.world.state import WorldState

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
    lines += injected(world, agent)
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
    told = [*shown, *calls] if len(shown) <= MOST_FIELDS else [f"{len(shown)} fields", f"{len(calls)} methods"]
    title = kind.__name__ if base is Entity else f"{kind.__name__}({base.__name__})"
    return f"{title}: {', '.join(told)}".removesuffix(": ")


def call_of(kind: type, method: str) -> str:
    """Return a method as it is called: its name, and those of its parameters."""
    return f"{method}({', '.join(list(inspect.signature(getattr(kind, method)).parameters)[1:])})"
