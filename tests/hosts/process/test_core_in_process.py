"""What holds of worlds on the local host holds where cells run in processes: the same tests, the same hashes."""

import inspect
import sys

import pytest

from cave_sim import World, WorldError
from cave_sim.hosts.process import ProcessHost
from cave_sim.testing import WorldContract
from tests.hosts.process.conftest import attached
from tests.long_cases import cases
from tests.policy import square
from tests.world import test_injection, test_turn_execution, test_variables_of_turns
from tests.world.market import make_market

LATE = (
    "test_an_invariant_that_does_not_hold_now_is_refused_at_once",
    "test_an_invariant_may_look_at_the_changes_alone",
    "test_a_method_that_refuses_leaves_nothing_half_done_even_if_the_cell_catches_it",
    "test_functions_are_tools_that_run_with_the_worlds_rights",
    "test_a_function_gets_what_was_handed_to_it_where_its_annotations_say_more_than_a_type",
)
"""They add code to a world that stands, which another process cannot know."""
TURNS = {
    name: test
    for module in (test_turn_execution, test_injection, test_variables_of_turns)
    for name, test in vars(module).items()
    if name.startswith("test_") and [*inspect.signature(test).parameters] == ["market"] and name not in LATE
}


EVERY_SECOND = [*TURNS][::2]
"""All of them pass in this process each time."""


@pytest.mark.parametrize("name", cases(TURNS, lambda name: name not in EVERY_SECOND))
def test_a_test_of_turns_passes(market, name):
    TURNS[name](market)
    assert market.host.canonical_hash() == market.state_hash()


class TestAMarketInProcess(WorldContract):
    agent = "ann"

    @pytest.fixture(autouse=True)
    def _host(self, market_host):
        self.host = market_host

    def make(self, seed: int) -> World:
        world = make_market(seed)
        self.host.attach(world)
        return world


CELLS = [
    ("ann", "stall.sell(me)\nme.mood = rng.random()\nseen = [stall.apples]"),
    ("bob", "stall.sell(me); stall.sell(me)\nme.diary.append(str(rng.randint(1, 9)))"),
    ("mayor", "turn = await team['ann'].run('stall.sell(me)\\nseen.append(rng.random())')\nstall.restock(3)"),
    ("mayor", "await team['bob'].run('me.mood = 0.9')\nstall.restock(-100)"),
    ("cem", "me.grid[1, 1] = 5\nstall.sell(me)\nme.grid[2, 2] = me.grid.sum()\nme.table['z'] = 1"),
    ("cem", "me.table['x'].idxmax()"),
    ("cem", "me.table = me.table.set_index('x')\nmine = me.table.copy()\nmine"),
    ("cem", "(me.table['z'].idxmax(), mine['z'].idxmax(), mine.reset_index()['z'].idxmax())"),
    ("cem", "me.map.add_edge('x', 'y', w=2)\nme.basket = {'a': 1}\nme.basket['b'] = 2\ndel me.basket['a']"),
    ("ann", "stall.price_cents = 1"),
    ("ann", "me.mood = sum(seen) % 1\nwhile True: pass"),
    ("ann", "me.friends = [cem, bob]\nme.favourite = stall\nme.tags = {'b', 'a'}\nme.shelves['a'][0] = 9"),
    ("mayor", "world.add('kiosk', Stall(title='Kiosk'))\nworld['kiosk'].restock(2)\nworld.remove('cem')"),
    ("mayor", "world['kiosk'].price_cents = 7\nworld.add('dan', Buyer(purse_cents=0, favourite=world['kiosk']))"),
]


def play(world, order):
    """Act for three steps; returns all that is told, and the state after each step."""
    told = []
    world.sink = told.append
    hashes = []
    for step in range(3):
        if order == "sequential":
            for agent, code in CELLS:
                world.execute(code, agent=agent)
        else:
            world.execute_batch(dict(CELLS[step:]), order)
        world["bob"].mood = step / 10
        world.advance()
        hashes.append(world.state_hash())
    world.sink = None
    return [(t.id, t.step, t.agent, t.status, t.changes, t.output, t.error, t.parent, t.kind) for t in told], hashes


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("order", ["sequential", "simultaneous"])
def test_a_play_is_told_alike_and_comes_to_the_same_state(market, order):
    here = make_market()
    there = play(market, order)
    for one, other in zip(play(here, order)[0], there[0], strict=True):
        assert one[:5] == other[:5]
        assert one[6:] == other[6:]
    assert there[1][-1] == here.state_hash() == market.host.canonical_hash()


@pytest.mark.long
def test_any_number_of_workers_comes_to_the_same(market_host, market):
    market_host._workers = 1
    assert play(market, "simultaneous")[1] == play(make_market(), "simultaneous")[1]


def test_variables_come_back_as_what_they_were(hosted):
    world = hosted()
    world.execute(
        "import heapq\nfrom math import sqrt\nxs = [1, 2]\nys = xs\n"
        "class Plan:\n    def __init__(self, n):\n        self.n = n\n        self.who = me\n"
        "plans = [Plan(3)]\ndouble = lambda n: 2 * n\ndef size(of=xs):\n    return len(of)\n"
        "best = float('inf')\nday = datetime.date(2020, 1, 2)\nkinds = (Citizen, len, np)\n"
        "counts = collections.Counter('aab')\ntable = pd.DataFrame({'a': [1.5]})\ntags = me.tags",
        agent="ann",
    )
    turn = world.execute(
        "ys.append(5)\ntags.add('new')\nheapq.heappush(xs, 0)\n"
        "(xs, plans[0].n, plans[0].who is me, double(2), size(), best, day.year, kinds[0] is Citizen, counts['a'], "
        "float(table['a'].sum()), sqrt(4), 'new' in me.tags)",
        agent="ann",
    )
    assert turn.output == "([0, 1, 5, 2], 3, True, 4, 4, inf, 2020, True, 2, 1.5, 2.0, True)"


def test_what_cannot_be_kept_is_told_by_name(hosted):
    turn = hosted().execute("numbers = (n for n in [1])\nn = 1", agent="ann")
    assert turn.status == "failed"
    assert "numbers is a generator, which cannot be kept between turns: keep list(numbers)" in turn.error


def test_the_script_gives_variables_and_takes_them(hosted):
    world = hosted()
    world.inject("seats", [1, 2], agent="ann")
    assert world.execute("seats.append(3)\nseats", agent="ann").output == "[1, 2, 3]"
    assert world.retrieve("seats", agent="ann") == [1, 2, 3]
    with pytest.raises(WorldError, match="give code in what builds the world"):
        world.inject("tool", lambda: 1, agent="ann")


def test_rules_that_the_other_process_does_not_know_are_refused(hosted):
    with pytest.raises(WorldError, match="give it in what builds the world"):
        hosted().invariant("late", lambda world: True)


def test_a_world_of_another_kind_is_refused(square_host):
    with pytest.raises(WorldError, match="builds a world with other invariants"):
        square_host.attach(make_market())


def test_a_method_may_not_run_cells_in_the_world_process(square_host):
    assert square.build().host is None


def test_what_a_cell_does_to_an_injected_object_ends_with_its_turn(square_host):
    world = attached(square_host, square.build())
    assert world.execute("board.post('hello'), len(board.lines)", agent="ann").output == "(1, 1)"
    assert world.execute("len(board.lines)", agent="ann").output == "0"


DRAW = (
    "import plotly.graph_objects as go\nfrom plotly.subplots import make_subplots\nrows = make_subplots(rows=2, cols=1)"
)
ADD = "rows.add_trace(go.Bar(x=['a'], y=[len(rows.data)]), row=2, col=1)\nrows.data[-1].xaxis"


def test_a_library_that_a_cell_names_is_there_and_in_later_cells_too(hosted):
    here, there = square.build(), hosted()
    lost = there.host.lost  # by tests before this one
    for cell in (DRAW, ADD, ADD, "def draw():\n    import plotly.express as px\n    return px.pie(values=[1, 2])"):
        one, other = (world.execute(cell, agent="ann") for world in (here, there))
        assert (one.status, one.output, one.error) == (other.status, other.output, other.error)
        assert one.committed, one.error
    assert len(there.retrieve("rows", agent="ann").data) == 2
    assert there.host.lost == lost
    again = hosted()
    again.interpreter.namespace("bob").put(there.interpreter.namespaces["ann"].data)
    again.host.attach(again)
    assert again.execute("draw().data[0].type, len(rows.data)", agent="bob").output == "('pie', 2)"


def without_libraries():
    """Return a market where nothing is installed that is loaded late."""
    sys.modules.update(dict.fromkeys(("plotly", "plotly.express", "sklearn", "sklearn.linear_model")))
    return make_market(7)


@pytest.mark.long
def test_a_library_that_is_not_installed_costs_the_cell_that_names_it_and_nobody_else():
    world = make_market(7)
    with ProcessHost(f"{__name__}:without_libraries") as host:
        host.attach(world)
        for cell, needed in {
            "import plotly.express as px\npx.bar(x=[1], y=[1])": "pip install 'cave_sim[plots]'",
            "from sklearn.linear_model import Ridge\nRidge()": "pip install 'cave_sim[learn]'",
        }.items():
            assert needed in world.execute(cell, agent="ann").error
        assert world.execute("stall.sell(me)", agent="ann").committed
        assert host.lost == 0


@pytest.mark.long
def test_scipy_is_loaded_once_for_all_cells_and_comes_to_the_same(hosted):
    here, there = square.build(), hosted(deadline_s=0.4)
    for cell in ("from scipy import stats\nfound = stats.ttest_ind([1, 2, 4], [3, 5, 8])", "me.mood = found.pvalue"):
        turns = [world.execute(cell, agent="ann") for world in (here, there)]
        assert [turn.error for turn in turns] == [None, None]
    assert here.state_hash() == there.state_hash() == there.host.canonical_hash()


LAYOUTS = ("spring_layout(nx.path_graph(500), iterations=1)", "kamada_kawai_layout(nx.path_graph(4))")


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout_for_which_networkx_loads_scipy_is_drawn_there_as_here(hosted, layout):
    cell = f"x = nx.{layout}\nprint(x[3].round(6).tolist())"
    here, there = (world.execute(cell, agent="ann") for world in (square.build(), hosted()))
    assert (there.status, there.output) == (here.status, here.output), there.error
