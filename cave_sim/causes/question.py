"""The question that is asked of a run and of each counterfactual: a measure, a figure, or whether a condition held."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from cave_sim.entity.entity import Entity
from cave_sim.entity.preparation import types_of
from cave_sim.errors import WorldError, did_you_mean, nearest
from cave_sim.history.asked_classes import expect_heard
from cave_sim.history.condition import Condition, NoEntityNamed
from cave_sim.history.evaluation import FUNCTIONS
from cave_sim.history.measures_by_name import as_named, names_of
from cave_sim.simulation.measuring import is_function, measure_of
from cave_sim.simulation.simulation import Simulation

MISSPELT = 0.8
"""How alike a text and the name of a measure are, so that the text is no expression of its own."""


@dataclass(frozen=True)
class Asked:
    """What is to be explained.

    Attributes:
        text: the name of a measure of the run; or an expression, ``town.treasury_cents``, in which measures may stand
            by name: one that comes to true or false is a condition; or a function of a module.
        ever: whether a condition counts as soon as it held after any step, and not only at the end.
    """

    text: str
    ever: bool = False

    def value(self, simulation: Simulation) -> float | bool:
        """Return what it comes to now; a condition is true or false.

        Raises:
            WorldError: there is no such measure, or it is no finite number and no truth; it has none at this step, too.
        """
        if self.text in simulation.measures:
            if self.text not in simulation.latest_measures:
                raise WorldError(f"there is nothing to measure of {self.text!r} at step {simulation.world.clock.step}")
            return self._finite(simulation.latest_measures[self.text])
        if is_function(self.text):
            value: object = measure_of(self.text)(simulation.world)
        else:
            value = self._evaluated(simulation)
        if not isinstance(value, bool | int | float):
            raise WorldError(self._no_figure(value))
        return value if isinstance(value, bool) else self._finite(value)

    def fields(self, measures: Mapping[str, str]) -> frozenset[tuple[str, str]]:
        """Return the fields that the question names, each with its entity; "" for an entity that is not named.

        Args:
            measures: what the run measures by texts, by name. What others are made of is not known: they name none.
        """
        text = measures.get(self.text, self.text)
        if is_function(text) or re.fullmatch(r"\w+", text.strip()):
            return frozenset()
        Condition(text)
        nodes = list(ast.walk(ast.parse(text.strip(), mode="eval")))
        bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        places = ((_entity(node.value, bound), node.attr) for node in nodes if isinstance(node, ast.Attribute))
        return frozenset(place for place in places if place != ("world", "all"))

    def names(self) -> frozenset[str]:
        """Return what the question names of the world: entities, and texts that stand in it."""
        try:
            nodes = list(ast.walk(ast.parse(self.text.strip(), mode="eval")))
        except (SyntaxError, ValueError):
            return frozenset()
        bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        named = {node.id for node in nodes if isinstance(node, ast.Name)} - bound - {"world"} - FUNCTIONS.keys()
        texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        return frozenset(named | {text for text in texts if len(text) > 2})

    def unit(self, simulation: Simulation) -> str:
        """Return the unit of a question that is one field of one entity, as the field declares it; else nothing."""
        try:
            node = ast.parse(self.text.strip(), mode="eval").body
            if not isinstance(node, ast.Attribute):
                return ""
            owner = Condition(ast.unparse(node.value)).value(simulation.world)
        except (SyntaxError, ValueError, WorldError):
            return ""
        return (types_of(owner)[node.attr].field.unit or "") if isinstance(owner, Entity) else ""

    def _evaluated(self, simulation: Simulation) -> object:
        """Return what the expression comes to; where a measure may have been meant, the error names it."""
        measures = simulation.measures
        known = ", ".join(map(repr, sorted(measures))) or "none"
        try:
            condition = Condition(self.text)
        except WorldError:
            hint = did_you_mean(self.text, measures) or f" It has: {known}"
            raise WorldError(f"{self.text!r} is no expression, and no measure of this run.{hint}") from None
        try:
            return condition.value(simulation.world, names=names_of(simulation.latest_measures, simulation.world))
        except NoEntityNamed as error:
            is_all, near = error.name == self.text.strip(), nearest(error.name, measures)
            way_out = f" Measures of this run: {known}" if is_all else ""
            if near:
                way_out = f" Did you mean the measure {near if is_all else as_named(near)!r}?"
            end = "" if str(error).endswith(("?", ".")) else "."
            raise WorldError(f"{error}{end}{way_out}") from None
        except WorldError as error:  # a name with a unit, treasury (EUR), is read as a call
            if near := nearest(self.text, measures, MISSPELT):
                raise WorldError(f"{self.text!r} is no measure of this run. Did you mean {near!r}?") from None
            raise error from None

    def expect_heard(self, simulation: Simulation) -> None:
        """Refuse a question that asks for a class by a slip, which would count nobody; raises WorldError."""
        if self.text not in simulation.measures and not is_function(self.text):
            expect_heard(self.text, simulation.world)

    def _finite(self, value: float) -> float:
        """Return a figure, from which another one can be taken away."""
        try:
            figure = float(value)
        except OverflowError:
            figure = math.inf
        if not math.isfinite(figure):
            raise WorldError(f"{self.text!r} comes to {figure}, which has no effects: why asks of finite numbers")
        return figure

    def _no_figure(self, value: object) -> str:
        """Say what was asked for, and what can be asked of it."""
        kinds = {
            str: "a text",
            list: "a list",
            tuple: "a list",
            dict: "a dict",
            set: "a set",
            type(None): "nothing (None)",
        }
        what = "an entity" if isinstance(value, Entity) else kinds.get(type(value), type(value).__name__)
        if isinstance(value, Entity):
            way = f"name a field of it, {self.text}.FIELD"
        elif isinstance(value, str | None):
            way = (
                f"a condition, such as {self.text} == {value!r}" if value is None or len(value) < 40 else "a condition"
            )
        else:
            way = f"such as len({self.text})"
        return f"{self.text!r} is {what}, and why asks of a number or of what is true or false: {way}"


def _entity(node: ast.expr, bound: Collection[str]) -> str:
    """Return the entity that an expression names; "" where it names none, as a variable."""
    if isinstance(node, ast.Name) and node.id not in bound:
        return node.id
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value) if isinstance(node.value, ast.Name) and node.value.id == "world" else ""
    return ""
