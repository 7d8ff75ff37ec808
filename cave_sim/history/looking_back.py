"""What a condition says of earlier steps: ``was(x)``, ``was(x, 3)`` and ``earlier(x)``.

These are the past operators of linear temporal logic (Lichtenstein, Pnueli and Zuck, The Glory of the Past, Logics of
Programs 1985): x as it was a step before, or three steps before; and whether x held after any step before this one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from cave_sim.changes.plain_world import PlainWorld
from cave_sim.errors import WorldError

WAS, EARLIER = "was", "earlier"
MOST_STEPS_BACK = 1_000


@dataclass(frozen=True, eq=False)
class Remembered:
    """An ``earlier(...)`` of a condition.

    Attributes:
        what: is to be remembered.
        generators: of the comprehensions that it stands in, the outermost first.
    """

    what: ast.expr
    generators: tuple[ast.comprehension, ...]


class StepsBefore(Protocol):
    """What was after earlier steps."""

    def before(self, steps: int) -> Iterable[PlainWorld]:
        """Return the state that many steps ago, or the first there is, and those after it but for the present one."""

    def has_been(self, memory: Remembered, names: Mapping[str, Any]) -> bool:
        """Say whether something that is to be remembered was so after an earlier step."""


class LookBack:
    """How a condition looks back.

    Args:
        tree: the condition.
        text: the same, for messages.

    Attributes:
        steps: how many states before the present one are needed; 1 at least if it looks back.
        memories: what it remembers, by where that stands.

    Raises:
        WorldError: it looks back in a way that means nothing.
    """

    def __init__(self, tree: ast.expr, text: str) -> None:
        self.steps: int = 0
        self.memories: dict[ast.Call, Remembered] = {}
        self._text = text
        self._look(tree, "", ())

    def _look(self, node: ast.AST, within: str, generators: tuple[ast.comprehension, ...]) -> None:
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            for generator in node.generators:
                self._look(generator.iter, within, generators)
                everybody = ast.comprehension(generator.target, generator.iter, [], 0)  # whom a test lets by later, too
                generators = (*generators, everybody)
                for test in generator.ifs:
                    self._look(test, within, generators)
            self._look(node.elt, within, generators)
            return
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if isinstance(node, ast.Call) and name in (WAS, EARLIER):
            self._take(node, name, within, generators)
            within = name
        for child in ast.iter_child_nodes(node):
            self._look(child, within, generators)

    def _take(self, node: ast.Call, name: str, within: str, generators: tuple[ast.comprehension, ...]) -> None:
        if within and (within == WAS or name == EARLIER):
            self._refuse(f"{name}() stands within {within}(); {WAS}(x, 2) is x two steps before")
        if name == EARLIER:
            if len(node.args) != 1:
                self._refuse(f"{EARLIER}() takes what was so after some step before: {EARLIER}(town.closed)")
            self.memories[node] = Remembered(node.args[0], generators)
        elif not node.args or steps_back(node) < 1:
            example = f"{WAS}(town.treasury_cents, 3)"
            self._refuse(f"{WAS}() takes a value and how many steps back, from 1 to {MOST_STEPS_BACK:,}: {example}")
        self.steps = max(self.steps, steps_back(node) if name == WAS else 1)

    def _refuse(self, why: str) -> NoReturn:
        raise WorldError(f"condition {self._text!r}: {why}")


def steps_back(node: ast.Call) -> int:
    """Return how many steps a ``was`` looks back; 0 if it does not say so rightly."""
    if len(node.args) == 1:
        return 1
    steps = node.args[1].value if len(node.args) == 2 and isinstance(node.args[1], ast.Constant) else 0
    return steps if type(steps) is int and steps <= MOST_STEPS_BACK else 0
