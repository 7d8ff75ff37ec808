"""Words and signs of other languages in a condition, and what is written in their place."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping
from typing import Any

from cave_sim.changes.plain_world import PlainEntity, PlainWorld
from cave_sim.entity.entity import Entity
from cave_sim.entity.preparation import types_of
from cave_sim.errors import did_you_mean

SIGNS = (
    (r"&&", "write and in the place of &&"),
    (r"\|\|", "write or in the place of ||"),
    (r"===", "write == in the place of ==="),
    (r"<>", "write != in the place of <>"),
    (r"=<|=>", "write <= or >=, with = behind"),
    (r"\b(AND|OR|NOT)\b", "and, or and not are written small"),
    (r"!(?!=)", "write not in the place of !"),
    (r"\bbetween\b", "write 1 < x < 5"),
    (r"\?|\bthen\b", "write A if CONDITION else B"),
    (r"\+\+|--$", "a condition changes nothing"),
    (r"^\s*(if|when|while|until)\b", "leave away the word in front"),
    (r"\b(any|all|exists|every|each)\s+\w", "write any(p.x > 3 for p in world.all(CLASS)), or all(...)"),
    (r"\b(and|or)\s+(and|or)\b|\b(and|or)\s*$", "one of and, or stands between two comparisons"),
    (
        r"\d\s*(%|[^\W\d_]|[^\w\s.,:()\[\]{}<>=!+*/%'\"-])",
        "a number stands without its unit, and a share is written 0.1",
    ),
)
"""Pattern of what cannot be read -> what to write."""
OPERATORS = {
    "BitAnd": "&; write and",
    "BitOr": "|; write or",
    "Invert": "~; write not",
    "Pow": "**; write x * x",
    "BitXor": "^; write x * x for a square",
    "MatMult": "@",
    "LShift": "<<",
    "RShift": ">>",
}
MEAN = "a mean is sum(p.x for p in world.all(CLASS)) / len(world.all(CLASS))"
FUNCTIONS = {
    "mean average avg": MEAN,
    "count": "write len(world.all(CLASS)), or sum(p.x > 3 for p in world.all(CLASS))",
    "range": "write 1 <= x < 5, or a list",
    "random randint": "chance has no part in a condition",
    "print": "a condition is worth what it comes to",
    "exists every": "write any(...) or all(...)",
    "getattr": "write the field behind a dot",
    "abs_ fabs": "write abs(x)",
}
NAMES = {
    "step steps tick ticks t round iteration turn": "how many steps a run has is world.step",
    "time now clock hour date day": "steps are counted, by world.step; a world time is a moment, which at takes",
    "np numpy math statistics pd pandas scipy": f"a condition has no modules; {MEAN}",
    "true": "write True",
    "false": "write False",
    "null none nil undefined": "write None",
    "self me": "name the entity",
    "rng random": "chance has no part in a condition",
    "model sim simulation": "write world, or the name of an entity",
    "p x a i each": "in a loop it is named first: sum(p.x for p in world.all(CLASS))",
}


def by_word(meant: Mapping[str, str]) -> dict[str, str]:
    """Return each of the words of a key with what is meant by them."""
    return {word: way for words, way in meant.items() for word in words.split()}


_FUNCTIONS, _NAMES = by_word(FUNCTIONS), by_word(NAMES)


def is_meant_otherwise(name: str) -> bool:
    """Say whether a name is another notation's word for something that is no entity and no measure."""
    return name in _NAMES


def unread(text: str) -> str:
    """Return what to write where a text cannot be read as Python, with "; " in front; empty if nothing is known."""
    outside = re.sub(r"'[^']*'|\"[^\"]*\"", "''", text)
    return next((f"; {way}" for pattern, way in SIGNS if re.search(pattern, outside)), "")


def misread(tree: ast.expr) -> str:
    """Return what an expression says that nobody means, though Python can read it; empty if there is no such thing."""
    if isinstance(tree, ast.Tuple):
        return f"a comma makes it a list of {len(tree.elts)}, and a number has none: write 1000, or 1_000"
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(isinstance(sign, ast.Is | ast.IsNot) for sign in node.ops):
            sides = [part.value for part in (node.left, *node.comparators) if isinstance(part, ast.Constant)]
            if value := next((repr(side) for side in sides if side is not None and not isinstance(side, bool)), None):
                return f"{value} is compared by its value: write == or != in the place of is"
    return ""


def operator_told(sign: ast.AST) -> str:
    """Return how a sign that conditions do not have is called, with what is written in its place."""
    name = type(sign).__name__
    return OPERATORS.get(name, name)


def no_function(name: str, known: Collection[str]) -> str:
    """Return that there is no such function, and what to write."""
    way = _FUNCTIONS.get(name)
    near = did_you_mean(name, known)
    return f"there is no function {name!r}; " + (way or f"there are {', '.join(known)}.{near}".removesuffix("."))


def no_entity(name: str, world: Any) -> str:
    """Return that there is no such entity, and what may be meant: a class, a field, a text without quotes."""
    message = f"there is no entity {name!r}."
    kinds = {_kind(each, world) for each in world}
    if way := _NAMES.get(name):
        return f"{message[:-1]}; {way}"
    if name in kinds:
        return f"{message[:-1]}; {name} is a class, and all of it are world.all({name})"
    if owner := next((each for each in sorted(world) if name in fields_of(world[each])), None):
        return f"{message[:-1]}; as a field it stands behind its entity: {owner}.{name}"
    if many := next((kind for kind in sorted(kinds) if name.lower() in (f"{kind.lower()}s", kind.lower())), None):
        return f"{message[:-1]}; all of a class are world.all({many})"
    return message + (did_you_mean(name, world) or later_told(name))


def later_told(name: str) -> str:
    """Return what may be meant by a name that is nothing's, and near to none."""
    return f" A text stands in quotes; of one that comes later ask {name!r} in world and {name}.FIELD."


def no_field(owner: str, name: str, fields: Collection[str], world: Any) -> str:
    """Return that something has no such field, and what may be meant.

    Args:
        owner: how the condition calls it.
        name: of the field.
        fields: what there is.
        world: the state.
    """
    message = f"{owner} has no field {name!r}."
    if name in ("length", "size", "count", "len"):
        return f"{message} How many there are is len({owner})."
    if owner != "world":
        there = f" It has: {', '.join(fields)}." if fields else ""
        return message + (did_you_mean(name, fields) or there)
    if name in world:
        return f"{message} An entity stands by itself: {name}, or world[{name!r}]."
    if name in ("agents", "entities", "people", "residents", "persons"):
        return f"{message} All of a class are world.all(CLASS)."
    return f"{message} It has step and all(CLASS){did_you_mean(name, ('step', 'all')).removesuffix('?')}."


def no_items(owner: str, key: Any) -> str:
    """Return that an entity has no items, and what may be meant."""
    return f"{owner} is an entity, and has no items; a field stands behind a dot: {owner}.{key}"


def fields_of(owner: Any) -> Collection[str]:
    """Return the names of the fields of an entity, live or recorded; nothing for anything else."""
    if isinstance(owner, PlainEntity):
        return owner.field_names()
    return types_of(owner) if isinstance(owner, Entity) else ()


def _kind(name: str, world: Any) -> str:
    return world.entities[name]["type"] if isinstance(world, PlainWorld) else type(world[name]).__name__
