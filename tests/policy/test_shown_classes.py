"""The classes that cells get of values: of ours, they make objects only of those that some name offers."""

import pytest

from cave_sim.entity.entity import Entity
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.module_proxy import ModuleProxy, members_of
from cave_sim.policy.libraries.modules import OFFERED_CLASSES
from cave_sim.policy.shown_classes import PACKAGE, class_of_value
from tests.policy import square


def met(values):
    """Yield values that a cell can get hold of, and those within modules."""
    for value in values:
        yield value
        if isinstance(value, ModuleProxy):
            yield from met(members_of(value).values())


def test_no_class_of_ours_is_called_by_a_cell_that_no_name_offers():
    shown, scope = [], square.build().interpreter.scope
    offered = OFFERED_CLASSES | {each for each in scope.values() if isinstance(each, type)}
    for value in met(scope.values()):
        if not isinstance(value, (type, Entity)):
            kind = class_of_value(value)
            if PACKAGE in kind.__module__ and kind not in offered:
                assert isinstance(value, kind)
                with pytest.raises(Blocked, match="made by the world alone"):
                    kind()
                shown.append(kind.__name__)
    assert {"Connection", "module", "Random", "ufunc", "World", "function"} <= set(shown)


def test_two_values_of_one_kind_are_of_one_class():
    world = square.build()
    cell = "print(type(db) == type(db), isinstance(rng, type(rng)), type(rng) == type(db), type(db).__name__)"
    assert world.execute(cell, agent="ann").output == "True True False Connection\n"


def test_intervals_of_a_polynomial_are_its_own():
    world = square.build()
    cell = "p = np.polynomial.Polynomial([1, 2])\np.domain[0] = 5\np.window[0] = 5"
    assert world.execute(cell, agent="ann").committed
    asked = world.execute("p = np.polynomial.Polynomial([1, 2])\nprint(*p.domain, *p.window)", agent="bob")
    assert asked.output == "-1.0 1.0 -1.0 1.0\n"
