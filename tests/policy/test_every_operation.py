"""Whatever a cell does to whatever it holds, with an object of its own at hand, costs at most its own turn."""

import ast
from random import Random

import pytest

from cave_sim.policy.attributes import ALLOWED
from cave_sim.policy.operators import OPERATORS
from cave_sim.policy.syntax import CHILDREN, CLASS_METHODS, Cleaned, Method, OwnHandler
from tests.long_cases import cases
from tests.policy import square
from tests.policy.judge import explained, true_hash
from tests.policy.test_late_code import watched
from tests.policy.touching import EXPRESSIONS, HELD, STATEMENTS, cell

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning"),
]
DEEDS = ("raise ValueError(self)", "vault.treasury_cents = 0", "change()\n        return {}")
RETURNED = {
    "__str__": "'a'",
    "__repr__": "'a'",
    "__format__": "'a'",
    "__iter__": "iter([1, 2])",
    "__hash__": "3",
    "__len__": "2",
    "__bool__": "True",
    "__float__": "1.0",
}
CHANGE = """
count = [0]
def change():
    count[0] += 1
    if count[0] > 40:
        raise StopIteration
    for way in (lambda: x.clear(), lambda: x.append(7), lambda: x.pop(), lambda: x.update({9: count[0]}), put):
        try:
            way()
        except Exception:
            pass
def put():
    x[0] = count[0]
"""
OPERATIONS = EXPRESSIONS + STATEMENTS
MADE_BY_THE_GATE = {Cleaned, Method, OwnHandler, ast.Expression, ast.Module}


def hooks(deed: str) -> str:
    """Return a class with every special method that a class of a cell may have, all of which do one thing."""
    names = sorted(CLASS_METHODS - {"__init__", "__post_init__"})
    made = [f"    def {name}(self, *rest):\n        {deed.replace('{}', RETURNED.get(name, '1'))}" for name in names]
    return "\n".join([CHANGE, "class E:", *made])


HOOKS = tuple(map(hooks, DEEDS))


def harm(codes: list[str]) -> list[tuple[str, str]]:
    """Run cells of ann's, and return what they did that they must not, each with the cell."""
    found, world = [], None
    for code in codes:
        if world is None:
            world = square.build(deadline_s=1.0)
            before = true_hash(world)
        turn, unguarded = watched(world, code, "ann")
        after = true_hash(world)
        found += [(place, code) for place in unguarded]
        if after != (explained([turn]) if turn.committed else before):
            found.append(("its changes do not explain the state", code))
        if (world["vault"].treasury_cents, list(world["bob"].notes)) != (100_000, ["I am bob"]):
            found.append(("it wrote what is not ann's", code))
        if not world.execute("mood = me.mood", agent="bob").committed:
            found.append(("the next turn failed", code))
        if after != before:
            world = None
    return found


@pytest.fixture(scope="module")
def kinds():
    """The exact type of what each line of HELD makes."""
    world, found, seen = square.build(), {}, []
    world.inject("seen", lambda held: seen.append(type(held)))
    for held in HELD:
        world.execute(cell(held, "seen(x)", ""), agent="ann")
        found[held] = seen[-1] if seen else None
        seen.clear()
    return found


@pytest.mark.long
def test_every_kind_of_syntax_that_the_gate_lets_through_is_among_the_operations():
    trees = [ast.parse(cell(HELD[0], operation, HOOKS[0])) for operation in OPERATIONS]
    reached = {type(node) for tree in trees for node in ast.walk(tree)}
    assert set(CHILDREN) - MADE_BY_THE_GATE <= reached
    assert set(OPERATORS) <= reached


@pytest.mark.parametrize("part", cases(range(4), lambda part: part > 0))
def test_no_operation_with_a_hostile_object_costs_more_than_its_own_turn(part):
    numbered = [each for each in enumerate(OPERATIONS) if each[0] % 4 == part]
    assert not harm([cell(HELD[7 * at % len(HELD)], operation, HOOKS[at % len(HOOKS)]) for at, operation in numbered])


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_no_operation_on_anything_costs_more_than_its_own_turn(operation):
    chosen = Random(operation).sample(HELD, 12)
    assert not harm([cell(held, operation, each) for held in chosen for each in HOOKS])


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("held", HELD)
def test_no_method_that_is_handed_a_hostile_object_costs_more_than_its_own_turn(held, kinds):
    calls = [f"x.{name}(E(), E())" for name in sorted(ALLOWED.get(kinds[held], ()))]
    assert not harm([cell(held, call, HOOKS[at % len(HOOKS)]) for at, call in enumerate(calls)])
