"""Objects of a library's classes are kept by what they are made of; nothing that stands in their place is believed."""

import pytest

from cave_sim import Entity, World
from cave_sim.runtime.graph.errors import Malformed
from tests.policy import square

FORGED = {
    "a class that nobody has": ["World"],
    "no class": [1],
    "too few parts": ["Template"],
    "too many parts": ["Template", "a", "b"],
    "a closing of what belongs to the world": ["Closing", {"$ref": "vault"}],
    "a cached property of what is no cell's": ["CachedProperty", {"$name": ["math", "sqrt"]}, "x"],
    "steps that no stack has": ["ExitStack", [{"$tuple": ["leave", {"$ref": "vault"}, {"$tuple": []}, {}]}]],
}
USES = {
    "a closing of what belongs to the world": "with forged:\n    pass",
    "a cached property of what is no cell's": "class C:\n    x = forged\nC().x",
    "steps that no stack has": "forged.close()",
}


@pytest.mark.parametrize("title", FORGED)
def test_what_is_forged_is_refused_when_it_is_read_or_used(title):
    world = square.build()
    namespace = world.interpreter.namespace("ann")
    namespace.put({"forged": {"$kept": FORGED[title]}})
    if title not in USES:
        with pytest.raises(Malformed):
            namespace.variable("forged")
    turn = world.execute(USES.get(title, "forged"), agent="ann")
    assert turn.status in ("blocked", "failed"), turn
    assert world["vault"].treasury_cents == 100_000


def test_a_flag_that_was_inverted_is_kept_as_it_was_before():
    cell = "from enum import Flag\nclass F(Flag):\n    A = 1\n    B = 2\nkept = F.A"
    worlds = square.build(), square.build()
    for world, more in zip(worlds, ("", "\nother = ~F.A\ndel other"), strict=True):
        assert world.execute(cell + more, agent="ann").committed
    one, other = (world.interpreter.namespace("ann").data for world in worlds)
    assert one["kept"] == other["kept"]
    assert one["F"] == other["F"]


def test_prints_of_a_turn_within_a_redirect_are_that_turns_own():
    world = square.build()
    cell = """
import io
from contextlib import redirect_stdout
out = io.StringIO()
with redirect_stdout(out):
    print("outer")
    turn = await team["bob"].run("print('inner')")
    print("still outer")
out.getvalue(), turn.output
"""
    turn = world.execute(cell, agent="mayor")
    assert (turn.status, turn.error) == ("committed", None)
    assert turn.output == r"('outer\nstill outer\n', 'inner\n')"


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("from collections import namedtuple\nP = namedtuple('P', 'x y')\np = P(1, 2)", "p.y"),
        ("from typing import NamedTuple\nclass P(NamedTuple):\n    y: int\np = P(2)", "p.y"),
        ("from scipy import stats\np = stats.ttest_1samp([1, 2, 3], 2)", "round(p.pvalue) + 1"),
    ],
    ids=["namedtuple", "NamedTuple", "a result"],
)
def test_tuples_that_cells_name_are_kept_in_a_world_whose_classes_are_a_scripts(cell, shown):
    world = World(seed=7)
    world.add("ann", type("Clerk", (Entity,), {"__module__": "__main__"})())
    assert world.execute(cell, agent="ann").committed
    assert world.execute(f"print({shown})", agent="ann").output == "2\n"


def test_a_field_that_a_result_lacks_is_named_with_those_it_has():
    failed = square.build().execute("from scipy import stats\nstats.spearmanr([1, 2, 3], [2, 1, 3]).slope", agent="ann")
    assert "has no attribute 'slope'. It has: statistic, pvalue" in failed.error
