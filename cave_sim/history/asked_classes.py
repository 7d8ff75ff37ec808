"""Classes that expressions ask for, ``world.all(Person)``: whether anybody is of one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cave_sim.changes.plain_world import PlainWorld
from cave_sim.entity.entity import Entity
from cave_sim.errors import WorldError, nearest
from cave_sim.journal.reader import Run


@dataclass(frozen=True)
class UnheardClass:
    """A class that an expression asks for and nobody is of.

    Attributes:
        name: of it, as it was asked for.
        meant: what to ask for in its place; empty where nothing comes near, and somebody of it may come later.
        is_near: whether that is no more than a guess, by how it is spelt.
    """

    name: str
    meant: str
    is_near: bool = False

    def __str__(self) -> str:
        return f"there is nothing of class {self.name!r}{self.meant}"


def unheard_classes(text: str, world: Any) -> Iterator[UnheardClass]:
    """Yield each class that an expression asks for by ``world.all`` and nobody is of.

    Expressions take exact classes: a run is read without its code, which alone knows what is a kind of what.

    Args:
        text: the expression.
        world: a live world, or a :class:`~cave_sim.changes.plain_world.PlainWorld`.
    """
    asked = list(dict.fromkeys(_asked_for(text)))
    if not asked:
        return
    kinds = _kinds(world)
    for name in asked:
        if name in kinds:
            continue
        if more_special := sorted(kind for kind, above in kinds.items() if name in above):
            hint = f": expressions take exact classes, and nobody is a plain {name}; ask for {', '.join(more_special)}"
            yield UnheardClass(name, hint)
        else:
            near = nearest(name, sorted(kinds))
            yield UnheardClass(name, f". Did you mean {near!r}?" if near else "", bool(near))


def expect_heard(text: str, world: Any, run: Run | None = None) -> None:
    """Refuse an expression that asks for a class by a slip: without a word, it would count nobody.

    Args:
        text: the expression.
        world: a live world, or a recorded state.
        run: whose state it is; somebody of the class may come later in it, or have gone. Without one, a class that is
            declared in this process is no slip.

    Raises:
        WorldError: nobody is of it, and another class is near, or nothing but kinds of it is there.
    """
    for unheard in unheard_classes(text, world):
        if unheard.meant and not (unheard.is_near and unheard.name in (_declared() if run is None else _came(run))):
            raise WorldError(f"condition {text!r}: {unheard}")


def _kinds(world: Any) -> dict[str, frozenset[str]]:
    """Return the classes that somebody is of, each with what it is a kind of; recorded states do not know that."""
    if isinstance(world, PlainWorld):
        return {world.entities[name]["type"]: frozenset() for name in world}
    return {
        kind.__name__: frozenset(above.__name__ for above in kind.__mro__[1:] if _is_entity(above))
        for kind in {type(world[name]) for name in world}
    }


def _declared() -> set[str]:
    """Return the names of all classes of entities, whether anybody is of them or not."""
    names, waiting = set[str](), [Entity]
    while waiting:
        below = waiting.pop().__subclasses__()
        names |= {kind.__name__ for kind in below}
        waiting += below
    return names


def _came(run: Run) -> set[str]:
    """Return the classes of all who were ever in a run."""
    rows = run.query("SELECT DISTINCT json_extract(new, '$.type') FROM changes WHERE op = 'create'")
    return {kind for (kind,) in rows}


def _is_entity(kind: type) -> bool:
    return issubclass(kind, Entity) and kind is not Entity


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
