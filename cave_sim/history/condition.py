"""Conditions and figures over a state, ``world["town"].treasury_cents >= 0``: a small language, read and never run.

It has what a formula needs: fields, items, arithmetic, comparisons, ``and or not if``, lists, comprehensions, a few
functions, and a few methods of texts and dicts. A recorded state and a live world are read alike. What it says of the
states before is worked out by :class:`~cave_sim.history.condition_over_steps.ConditionOverSteps`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from cave_sim.errors import Blocked, WorldError
from cave_sim.history.evaluation import EntityNotThere, Evaluation, NotThere
from cave_sim.history.looking_back import EARLIER, WAS, LookBack, Remembered, StepsBefore
from cave_sim.history.other_notations import (
    misread,
    unread,
)
from cave_sim.policy.syntax import parse


class Condition:
    """An expression over a state.

    Args:
        text: Python's notation. Names are ``world``, and entities whose names are identifiers.

    Attributes:
        fields: the names behind dots, fields among them.
        names: all others: of entities, measures, functions, and what it binds itself.
        looks_back: how many steps; 0 for one of a single state.
        memories: what of earlier steps it remembers for good.

    Raises:
        WorldError: it is no expression, or uses what the small language does not have.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        if not isinstance(text, str):
            raise WorldError(f"condition {text!r} is no text, such as 'town.treasury_cents >= 0'")
        try:
            statements = parse(text.strip()).body
        except (Blocked, SyntaxError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else error
            raise WorldError(f"condition {text!r} cannot be read: {reason}{unread(text)}") from None
        if len(statements) == 1 and isinstance(statements[0], ast.Assign):
            raise WorldError(f"condition {text!r} gives a value; to compare two, write == in the place of =")
        if len(statements) != 1 or not isinstance(statements[0], ast.Expr):
            raise WorldError(f'condition {text!r} must be one expression, such as world["town"].treasury_cents >= 0')
        if slip := misread(statements[0].value):
            raise WorldError(f"condition {text!r}: {slip}")
        self._tree = statements[0].value
        nodes = list(ast.walk(self._tree))
        self.fields: frozenset[str] = frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute))
        self.names: frozenset[str] = frozenset(node.id for node in nodes if isinstance(node, ast.Name))
        look = LookBack(self._tree, text)
        self.looks_back: int = look.steps
        self.memories: Sequence[Remembered] = tuple(look.memories.values())
        self._memories = look.memories

    def value(self, world: Any, past: StepsBefore | None = None, *, names: Mapping[str, Any] | None = None) -> Any:
        """Return what the expression comes to.

        Args:
            world: a :class:`~cave_sim.changes.plain_world.PlainWorld`, or a live world.
            past: what was before, for one that looks back.
            names: what else it may name than ``world`` and entities.

        Raises:
            WorldError: it names what is not there, or cannot be worked out.
        """
        if self.looks_back and past is None:
            raise WorldError(
                f"condition {self.text!r}: {WAS}() and {EARLIER}() look back, which only a watch point, --stop-when"
                " and stop in a scenario can, for they are looked at after each step"
            )
        try:
            return Evaluation(world, past, self._memories).value(self._tree, names or {})
        except EntityNotThere as error:
            raise NoEntityNamed(f"condition {self.text!r}: {error}", error.name) from None
        except NotThere as error:
            raise WorldError(f"condition {self.text!r}: {error}") from None
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
            raise WorldError(f"condition {self.text!r}: {type(error).__name__}: {error}") from None

    def holds(self, world: Any) -> bool:
        """Say whether the expression is true of a state."""
        return bool(self.value(world))

    def __repr__(self) -> str:
        return f"Condition({self.text!r})"


class NoEntityNamed(WorldError):
    """A condition names an entity that is not there; what asked it may know another meaning of the word.

    Attributes:
        name: as it was written.
    """

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name: str = name
