"""No line of a cell runs outside of its turn: with the guard off, after the deadline is gone, or while a turn lands."""

import sys
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import Turn, World
from cave_sim.entity.asking import CELL_FILE
from cave_sim.errors import Blocked
from tests.policy import parlour, square
from tests.policy.hostile import HOSTILE
from tests.policy.judge import turns_of
from tests.policy.ordinary_language import LANGUAGE

PAGES = [
    *("late authority", "stand-ins", "notes for others", "late bombs", "new doors"),
    *("attributes of functions", "stacks of contexts", "descriptors and dispatch", "named tuples with methods"),
]


def watched(world: World, code: str, agent: str) -> tuple[Turn, list[str]]:
    """Run a cell, and return its turn, and where its functions were entered while nobody's rights were asked."""
    found: list[str] = []

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename == CELL_FILE and world.undo_log.guard is None:
            found.append(f"{frame.f_code.co_name}, line {frame.f_lineno}")

    sys.setprofile(look)
    try:
        turn = world.execute(code, agent=agent)
    finally:
        sys.setprofile(None)
    return turn, found


def unguarded_lines(world: World, code: str, agent: str) -> list[str]:
    """Run a cell, and return where its functions were entered while nobody's rights were asked."""
    return watched(world, code, agent)[1]


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("page", [page for page in PAGES if page in HOSTILE])
def test_no_hostile_cell_is_entered_with_the_guard_off(page):
    for script in HOSTILE[page]:
        world = square.build()
        for agent, code in turns_of(script):
            assert not unguarded_lines(world, code, agent), code


def test_no_ordinary_cell_is_entered_with_the_guard_off():
    for code, _ in LANGUAGE:
        assert not unguarded_lines(square.build(), code, "ann"), code


HOOKS = [
    "__eq__",
    "__str__",
    "__repr__",
    "__hash__",
    "__len__",
    "__iter__",
    "__bool__",
    "__lt__",
    "__getitem__",
    "__index__",
]
DEEDS = [
    "vault.treasury_cents = 0",
    "raise ValueError('x')",
    "return 5",
    "return None",
    "while True: pass",
    "bob.notes.append('x')",
]
USES = [
    "raise E(E())",
    "raise E('a')",
    "print(E('a'), sep=E(), end=E())",
    "E('a')",
    "me.plan = str(E('a'))",
    "me.tags.add(E('a'))",
    "me.counts[E('a')] = 1",
    "me.diary.loc[0, 'text'] = E('a')",
    "me.map.add_node(E('a'))",
    "me.notes.append(E('a'))",
    "me.memory = [E('a')]",
    "kept = [E('a'), {1: E('b')}]",
    "world[E('a')]",
    "shop.buy(E('a'), E('b'), E('c'))",
    "weather_of(E('a'))",
    "json.dumps(E('a'))",
    "np.array([E('a')])",
    "pd.DataFrame({'a': [E('a')]})",
    "sorted([E('a'), E('b')], key=E('c'))",
    "assert False, E('a')",
    "raise KeyError(E('a'))",
    "team[E('a')]",
    "from sklearn.linear_model import LinearRegression\nLinearRegression().fit([[E('a')], [1]], [0, E('b')])",
    "from sklearn.cluster import KMeans\nKMeans(n_clusters=E('a'), random_state=E('b')).fit([[0], [1]])",
    "from sklearn.tree import DecisionTreeClassifier as T\nkept = T().fit([[0], [1]], [E('a'), E('b')])",
    "from scipy import stats\nstats.ttest_ind([1, E('a')], [2, 3], axis=E('b'))",
    "from scipy import stats\nstats.norm(E('a'), E('b')).cdf(E('c'))",
    "import plotly.express as px\npx.scatter(x=[E('a')], y=[1], title=E('b'))",
    "chart('a', [1.0], [2.0]).update_layout(title=E('a'))",
    "chart(E('a'), [E('b')], [2.0])",
    "board.tags.add(E('a'))",
    "board.tags | {E('a')}",
    "board.lines.append(E('a'))",
    "board.queue.extend([E('a')])",
    "board.pairs[0][1].add(E('a'))",
    "board.post(E('a'))",
    "board.lines = E('a')",
    "board == E('a'), board in [E('a')], E('a') in board.lines",
    "apply_to_each([E('a')], E('b'))",
    "apply_to_each([1], lambda x: {E('a')})[0].pop()",
    "db.execute('select ?', (E('a'),)).fetchmany(E('b'))",
    "db.execute(E('a'), E('b'))",
    "census['part'] = E('a')",
    "census.groupby(E('a')).agg(E('b'))",
    "next(iter({E('a'), E('b')})), frozenset([E('a')]) - {E('b')}",
    "match E('a'):\n    case E(args=x) | [x] | {'a': x}:\n        me.plan = x",
    "f'{E(1):{E(2)}}'",
    "import itertools\nlist(itertools.islice(E('a'), E('b'))), itertools.tee(E('a'), E('b'))",
    "from decimal import Decimal\nDecimal(E('a')) + E('b')",
    "from fractions import Fraction\nFraction(E('a'), E('b'))",
    "import re\nre.sub(E('a'), E('b'), E('c'))",
    "import json\njson.loads(E('a'), object_hook=E('b'))",
    "nx.shortest_path(me.map, E('a'), E('b'), weight=E('c'))",
    "np.where(E('a'), E('b'), E('c'))",
    "np.zeros(3)[E('a')] = E('b')",
]


@pytest.mark.long
@given(
    hooks=st.dictionaries(st.sampled_from([*HOOKS, "args", "name"]), st.sampled_from(DEEDS), max_size=4),
    base=st.sampled_from(["Exception", "KeyError", "object"]),
    use=st.sampled_from(USES),
)
def test_a_hostile_object_in_any_guarded_operation_costs_its_own_turn_alone(hooks, base, use):
    methods = "".join(
        f"    {'@property' if name in ('args', 'name') else 'pass'}\n    def {name}(self, *rest):\n        {deed}\n"
        for name, deed in hooks.items()
    )
    world = square.build()
    before = world["vault"].treasury_cents, list(world["bob"].notes)
    code = f"class E({base}):\n    def __init__(self, *rest):\n        pass\n{methods}{use}"
    assert not unguarded_lines(world, code, "ann"), code
    assert (world["vault"].treasury_cents, list(world["bob"].notes)) == before, code
    assert World.restore(world.snapshot()).state_hash() == world.state_hash(), code
    assert world.execute("me.mood = 0.25", agent="bob").committed, code


def test_no_attribute_of_a_function_hides_that_a_hash_is_code_of_a_cell():
    world = square.build()
    cell = """
def mark(function):
    function.is_numbering, function.own = True, len
    return function
class Thing:
    @mark
    def __hash__(self):
        return 1
things = {Thing()}
"""
    assert world.execute(cell, agent="ann").committed
    with pytest.raises(KeyError, match="a cell's own code"):
        world.retrieve("things", agent="ann")


AT_LANDING = """
class Heir:
    def act(self, b=bob):
        b.title = 'an heir'
    def __eq__(self, other):
        self.act()
        return True
    def __hash__(self):
        return 7
    def __lt__(self, other):
        self.act()
        return True
    def __add__(self, other):
        self.act()
        return 1
"""
HEIRS = """
me.accounts.index.name = Heir()
me.accounts.columns.name = Heir()
me.accounts.columns = [Heir()]
me.accounts.index = [Heir()]
me.accounts.index = pd.Index([Heir()])
me.accounts = pd.DataFrame({'a': [1]}, index=['x']); me.accounts.index = pd.Index([Heir()])
me.accounts = pd.DataFrame({'a': ['x']}).astype({'a': 'category'}); me.accounts['a'] = pd.Categorical([Heir()])
me.accounts.index = pd.CategoricalIndex([Heir()])
me.accounts['z'] = pd.Series([Heir()], dtype='category')
me.accounts['z'] = [Heir()]
bob.wearing[0] = Heir()
bob.hands[Heir] = []
bob.chart.add_node(Heir)
bob.chart.nodes[0]['x'] = Heir()
""".strip().splitlines()


@pytest.mark.parametrize("cell", HEIRS)
def test_no_code_of_a_cell_runs_with_the_worlds_rights_when_its_turn_lands(cell):
    world = parlour.build()
    before = world.state_hash()
    turn = world.execute(AT_LANDING + cell, agent="ann")
    assert not turn.committed
    assert world["bob"].title == "somebody"
    assert world.state_hash() == before


def test_code_of_a_cell_that_a_rule_of_the_world_calls_is_stopped_when_the_cell_has_ended():
    world, kept = parlour.build(), []
    world.inject("remember", kept.append, about="keep a function")
    world.invariant("whatever was kept is well", lambda world: all(function() is None for function in kept))
    cell = """
def pay(b=bob):
    b.title = 'an heir'
remember(pay)
me.title = 'a giver'
"""
    turn = world.execute(cell, agent="ann")
    assert not turn.committed
    assert "code of a cell was called when the cell had ended" in turn.error
    assert (world["bob"].title, world["ann"].title, len(kept)) == ("somebody", "somebody", 1)


LEAVES = """
def pay(*_, b=bob):
    b.title = 'an heir'
class Heir:
    def __lt__(self, other):
        return pay()
    def __call__(self):
        return pay()
    act = pay
def yields():
    yield
    pay()
def delegates():
    yield from [1]
    pay()
def begun(generator):
    next(generator)
    return generator
for it in (pay, Heir(), lambda: pay(), next(iter([Heir().act])), begun(yields()), begun(delegates())):
    remember(it)
del it
"""
ASKS = ["ask(0)", "ask(1)", "ask(2)", "ask(3)", "rank()", "pay = ask(0)", "go_on(4)", "go_on(5)"]


@pytest.mark.parametrize("asked", ASKS)
def test_code_that_a_function_of_the_researchers_kept_runs_in_no_turn_of_another_and_in_none_at_all(asked):
    world, kept = parlour.build(), []
    world.inject("remember", kept.append, about="keep a function")
    world.inject("ask", lambda at: kept[at](), about="call one")
    world.inject("go_on", lambda at: next(kept[at]), about="go on with one")
    world.inject("rank", lambda: len(sorted(kept[1:2] * 2)), about="compare them")
    assert world.execute(LEAVES, agent="ann").committed
    before = world.state_hash()
    turn = world.execute(asked, agent="bob")
    assert turn.status == "blocked"
    assert "code that a cell left behind" in turn.error
    for function in kept[:4]:
        with pytest.raises(Blocked, match="left behind"):
            function()
    assert world.state_hash() == before


def test_code_of_a_turn_runs_in_no_turn_that_it_has_another_agent_take():
    world, kept = parlour.build(), []
    world.grant("ann", "*")
    world.inject("remember", kept.append, about="keep a function")
    world.inject("ask", lambda: kept[0](), about="call it")
    cell = "remember(lambda: 5)\nprint(ask())\nturn = await team['bob'].run('ask()')\nprint(turn.status, ask())"
    turn = world.execute(cell, agent="ann")
    assert (turn.output, turn.error) == ("5\nblocked 5\n", None)


def test_a_function_that_was_retrieved_is_the_scripts_to_call():
    world = parlour.build()
    assert world.execute("def double(x):\n    return helper(x)\nhelper = lambda x: 2 * x", agent="ann").committed
    double = world.retrieve("double", agent="ann")
    assert double(4) == 8
    world.inject("double_of_ann", double)
    assert world.execute("print(double_of_ann(5))", agent="bob").output == "10\n"
