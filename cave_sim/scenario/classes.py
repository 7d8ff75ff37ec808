"""Classes that expressions of a scenario ask for, ``world.all(Person)``: whether anybody is of one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cave_sim.entity.entity import Entity
from cave_sim.errors import did_you_mean
from cave_sim.world.world import World


def unheard_classes(text: str, world: World) -> Iterator[str]:
    """Yield what is wrong with each class that an expression asks for by ``world.all`` and nobody is of.

    Expressions take exact classes: a run is read without its code, which alone knows what is a kind of what.
    """
    kinds = {type(world[name]) for name in world}
    present = {kind.__name__ for kind in kinds}
    for name in dict.fromkeys(_asked_for(text)):
        if name in present:
            continue
        more_special = sorted(kind.__name__ for kind in kinds if any(_is(base, name) for base in kind.__mro__[1:]))
        if more_special:
            kinds_of_it = ", ".join(more_special)
            yield f"nobody here is a plain {name}, and expressions take exact classes: ask for {kinds_of_it}"
        else:
            yield f"there is nothing of class {name!r} at the start.{did_you_mean(name, present)}"


def _is(kind: type, name: str) -> bool:
    return kind is not Entity and issubclass(kind, Entity) and kind.__name__ == name


def _asked_for(text: str) -> Iterator[str]:
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return  # which is said elsewhere
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "world.all" and node.args:
            asked = node.args[0]
            if isinstance(asked, ast.Name):
                yield asked.id
            elif isinstance(asked, ast.Constant) and isinstance(asked.value, str):
                yield asked.value
