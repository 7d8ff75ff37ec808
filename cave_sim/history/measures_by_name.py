"""Measures in conditions: how an expression names them, and whether it holds with them."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

from cave_sim.errors import WorldError, nearest
from cave_sim.history.condition import Condition, NoEntityNamed
from cave_sim.history.condition_over_steps import ConditionOverSteps
from cave_sim.history.other_notations import is_meant_otherwise, later_told

MEASURES = "measures"
"""What holds all of them by their names, which need not be identifiers: ``measures["treasury (EUR)"]``."""


def names_of(measures: Mapping[str, float], world: Any) -> dict[str, Any]:
    """Return what an expression may say of measures, by name; entities keep theirs."""
    named = {MEASURES: measures, **measures}
    return {name: value for name, value in named.items() if name.isidentifier() and name not in world}


def named(text: str) -> str | None:
    """Return the measure that a text is the name of, as ``served`` and ``measures["treasury (EUR)"]`` are; or None."""
    try:
        return _name(ast.parse(text.strip(), mode="eval").body)
    except SyntaxError:  # a template, say
        return None


def names_in(text: str) -> set[str]:
    """Return what an expression names that may be a measure."""
    return {name for node in ast.walk(ast.parse(text.strip(), mode="eval")) if (name := _name(node)) is not None}


def _name(node: ast.AST) -> str | None:
    match node:
        case ast.Name(name) | ast.Subscript(ast.Name("measures"), ast.Constant(str(name))):
            return name
    return None


def holds(condition: ConditionOverSteps, world: Any, measures: Mapping[str, float], own: Collection[str]) -> bool:
    """Say whether a condition holds in which measures may stand by name, unless it looks back.

    Args:
        condition: it.
        world: as it is after a step.
        measures: what they came to then.
        own: the names of all there are; there may be nothing to measure of some.

    Returns:
        Whether it does; it does not where it names a measure of which there is nothing then.

    Raises:
        WorldError: it names what is not there, or a measure although it looks back; or cannot be worked out.
    """
    try:
        return condition.holds(world, names_of(measures, world))
    except NoEntityNamed as error:
        if error.name not in own and error.name != MEASURES:
            raise WorldError(with_meant(error, own)) from None
        if condition.condition.looks_back:
            message = f"{error.name!r} is measured, and of measures nothing earlier is kept: look back at fields"
            raise WorldError(f"condition {condition.text!r}: {message}") from None
        return False
    except WorldError as error:
        if "KeyError" in str(error) and MEASURES in condition.condition.names:
            if any(repr(name) in str(error) for name in names_in(condition.text) & {*own} - {*measures}):
                return False
            raise WorldError(with_meant(error, own)) from None
        if way := unquoted(condition.text, own):
            raise WorldError(f"{error}{way}") from None
        raise error from None


def holds_now(
    condition: Condition, world: Any, own: Collection[str], measure: Callable[[], Mapping[str, float]]
) -> bool:
    """Say whether a condition of one state holds, in which measures may stand by name; they are taken if one does.

    Args:
        condition: it.
        world: as it is.
        own: the names of all that is measured of it.
        measure: what takes the measures.

    Raises:
        WorldError: it names what is not there, looks back, or cannot be worked out.
    """
    if condition.looks_back:
        return condition.holds(world)
    named = MEASURES in condition.names or any(name in own and name not in world for name in condition.names)
    return holds(ConditionOverSteps(condition), world, measure() if named else {}, own)


def with_meant(error: WorldError, measures: Collection[str]) -> str:
    """Return an error with which measure was meant by what it names, or else which ones there are."""
    way, message = meant(error, measures), str(error)
    if isinstance(error, NoEntityNamed) and way.startswith(" Did you mean"):
        message = message.removesuffix(later_told(error.name))
    return message + way


def unquoted(text: str, measures: Collection[str]) -> str:
    """Return how a measure is named that a text spells as it is called, ``fish (t) < 5``, and that is no identifier."""
    plain = text.replace(f"{MEASURES}[", "\0")
    spelt = next((name for name in measures if not name.isidentifier() and _stands_alone(name, plain)), None)
    return "" if spelt is None else f"; the measure is named so: {as_named(spelt)}"


def _stands_alone(name: str, text: str) -> bool:
    before, found, _ = text.partition(name)
    return bool(found) and before.rstrip("'\"")[-1:] != "\0"


def meant(error: WorldError, measures: Collection[str]) -> str:
    """Return which measure was meant by what an expression names, or else which ones there are, as it names them."""
    unknown = error.name if isinstance(error, NoEntityNamed) else None
    near = None if unknown is None or is_meant_otherwise(unknown) else nearest(unknown, measures)
    if near is not None:
        return f" Did you mean {as_named(near)}?"
    stop = "" if str(error).endswith((".", "?")) else "."
    return f"{stop} Measures are named so: {', '.join(map(as_named, measures))}" if measures else ""


def as_named(name: str) -> str:
    """Return how an expression names a measure."""
    return name if name.isidentifier() else f"{MEASURES}[{json.dumps(name, ensure_ascii=False)}]"
