"""The goal of a search: a condition that is to flip, and by how much it holds.

A comparison of numbers holds by the difference of its sides; ``and`` by the least of its parts, ``or`` by the most,
``not`` by the negative: the robustness of a formula (Fainekos and Pappas, Robustness of Temporal Logic Specifications,
Theoretical Computer Science 410, 2009). What is no comparison of numbers holds by 1 or by -1. The margin is an
expression of the same language, so it is measured like any other figure.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from cave_sim.errors import WorldError
from cave_sim.history.asked_classes import expect_heard
from cave_sim.history.condition import Condition, NoEntityNamed
from cave_sim.history.measures_by_name import meant, names_of
from cave_sim.scenario.schema import Scenario
from cave_sim.simulation.measuring import is_function, measure_of
from cave_sim.simulation.runnable import measured
from cave_sim.simulation.simulation import Simulation

HOLDS, MARGIN = "goal_holds", "goal_margin"
"""What trials of a search measure besides what their scenario does."""
_ABOVE = (ast.Gt, ast.GtE)
_BELOW = (ast.Lt, ast.LtE)


@dataclass(frozen=True)
class Goal:
    """A condition that is to flip.

    Attributes:
        text: of it; names of the scenario's measures stand for their expressions, those of the simulation's own for
            what they come to.
        ever: whether it counts as soon as it holds after any step, and not only at the end.
    """

    text: str
    ever: bool = False

    def __str__(self) -> str:
        return f"{self.text} (ever)" if self.ever else self.text

    def condition(self, scenario: Scenario) -> str:
        """Return it with the scenario's measures written out; raises WorldError if it is none."""
        Condition(self.text)  # which says what is wrong with it
        known = {name: each.value for name, each in scenario.measures.items() if not is_function(each.value)}
        tree = _WrittenOut(known).visit(ast.parse(self.text.strip(), mode="eval"))
        return ast.unparse(ast.fix_missing_locations(tree))

    def expect_known(self, scenario: Scenario, simulation: Simulation) -> None:
        """Look at the simulation that trials begin with, before one is run.

        Raises:
            WorldError: the goal names what is neither there nor a measure of the scenario; with what comes nearest.
        """
        text, world, own = self.condition(scenario), simulation.world, simulation.measures
        functions = {name: each.value for name, each in scenario.measures.items() if is_function(each.value)}
        taken = {name: measure_of(function)(world) for name, function in functions.items()}
        known = measured(simulation) | {name: value for name, value in taken.items() if value is not None}
        try:
            Condition(text).value(world, names=names_of(known, world))
        except WorldError as error:
            if isinstance(error, NoEntityNamed) and error.name in own:
                raise WorldError(f"there is nothing to measure of {error.name!r} at the start") from None
            if "ZeroDivisionError" not in str(error):  # which may be another matter later on
                raise WorldError(f"{error}{meant(error, [*scenario.measures, *own])}") from None
        expect_heard(self.text, world)

    def scenario(self, scenario: Scenario) -> Scenario:
        """Return a scenario that measures it as well, and, asked for ever, ends where it holds."""
        text = self.condition(scenario)
        data = scenario.to_data()
        data["measures"] = {**data.get("measures", {}), HOLDS: f"1 if {text} else 0", MARGIN: margin(text)}
        if self.ever:
            data["stop"] = f"({scenario.stop}) or ({text})" if scenario.stop else text
        return Scenario.model_validate(data)


def margin(text: str) -> str:
    """Return by how much a condition holds, as an expression; below 0 where it does not."""
    return _margin(ast.parse(text, mode="eval").body)


def _margin(node: ast.expr) -> str:
    if isinstance(node, ast.BoolOp):
        return f"{'max' if isinstance(node.op, ast.Or) else 'min'}({', '.join(map(_margin, node.values))})"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"-({_margin(node.operand)})"
    if isinstance(node, ast.Compare) and all(isinstance(sign, (*_ABOVE, *_BELOW)) for sign in node.ops):
        sides = [ast.unparse(each) for each in (node.left, *node.comparators)]
        parts = [
            f"({one}) - ({other})" if isinstance(sign, _ABOVE) else f"({other}) - ({one})"
            for sign, one, other in zip(node.ops, sides, sides[1:], strict=False)
        ]
        return parts[0] if len(parts) == 1 else f"min({', '.join(parts)})"
    return f"(1 if {ast.unparse(node)} else -1)"


class _WrittenOut(ast.NodeTransformer):
    """Puts the expressions of measures in the places of their names."""

    def __init__(self, measures: Mapping[str, str]) -> None:
        self._measures = measures

    def visit_Name(self, node: ast.Name) -> ast.expr:
        text = self._measures.get(node.id)
        return node if text is None else ast.parse(text.strip(), mode="eval").body
