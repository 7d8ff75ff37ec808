"""What an agent may read and not write it has as a copy; a cell that writes to it in place is told so."""

import re

import pandas as pd
import pytest

from cave_sim import Entity, World, field
from cave_sim.hosts.process import ProcessHost
from tests.policy import parlour

IN_PLACE = {
    "list(bob.wearing)": [
        "bob.wearing.append('a coat')",
        "bob.wearing[0] = 'nothing'",
        "mine = bob.wearing\nmine += ['a coat']",
        "bob.wearing.clear()",
        "bob.wearing.insert(0, me)",
        "for worn in [bob.wearing]:\n    worn.pop()",
        "bob.wearing.extend(['a', 'b'])",
        "bob.wearing.append('a coat')\nbob.wearing.sort()\nprint(bob.wearing)",
        "class Odd:\n    def __eq__(self, other):\n        return True\nbob.wearing[0] = Odd()",
        "me.title = 'a'\nkept = bob.wearing\nkept.append('x')\nme.title = 'b'\nprint(bob.wearing)",
    ],
    "dict(bob.hands)": [
        "bob.hands['right'] = []",
        "bob.hands['left'].append('a fork')",
        "del bob.hands['left']",
        "bob.hands.setdefault('right', [])",
        "bob.hands['left'] = tuple(bob.hands['left'])",
        "hands = bob.hands\nhands |= {'right': []}",
    ],
    "bob.scores.copy()": [
        "bob.scores[0] = 1",
        "bob.scores[()] = 6",
        "bob.scores[1:] += 1",
        "bob.scores.fill(3)",
        "np.add(bob.scores, 1, out=bob.scores)",
        "np.add.at(bob.scores, [0], 1)",
        "mine = bob.scores\nmine *= 0\nmine -= 1",
        "bob.scores.reshape(2, 1)[0, 0] = 4",
    ],
    "bob.chart.copy()": ["bob.chart.add_edge(0, 7)", "bob.chart.nodes[0]['seen'] = 1", "bob.chart.remove_node(0)"],
}
HIDDEN = {
    "list(bob.diary)": ["bob.diary.append('x')"],
    "dict(bob.counts)": ["bob.counts.clear()"],
    "set(bob.marks)": ["bob.marks.add('x')", "bob.marks.clear()"],
    "set(bob.circle)": ["bob.circle.clear()", "bob.circle.add(me)"],
    "bob.grid.copy()": ["bob.grid[0] = -1"],
    "bob.accounts.copy()": [
        "bob.accounts.loc[0, 'cents'] = -1",
        "bob.accounts['more'] = 1",
        "bob.accounts.drop(columns='cents', inplace=True)",
        "bob.accounts['who'] = [print]",
    ],
    "bob.streets.copy()": ["bob.streets.add_node('x')"],
    "dict(bob.memory)": ["bob.memory['is'].append(1)"],
}
WAYS = [(way_out, cell) for page in (IN_PLACE, HIDDEN) for way_out, cells in page.items() for cell in cells]
FINE = [
    "mine = list(bob.wearing)\nmine.append('a coat')\nprint(len(mine))",
    "hands = {hand: list(held) for hand, held in bob.hands.items()}\nhands['left'].append('x')\nprint(hands)",
    "mine = bob.scores.copy()\nmine += 1\nprint(mine)",
    "print(bob.scores + 1, bob.scores.sum(), sorted(bob.wearing), bob.chart.number_of_edges())",
    "frame = bob.accounts.assign(more=1)\nprint(frame.columns.tolist())",
    "frame = bob.accounts\nframe = frame.copy()\nframe.loc[0, 'cents'] = 1\nprint(frame.cents.sum())",
    "me.wearing = bob.wearing\nme.wearing.append('a coat')\nprint(me.wearing)",
    "me.diary = [*bob.wearing, 'and more']\nprint(me.diary)",
    "print(bob.marks | {'x'}, len(bob.circle), (bob.marks - {'rosebud'}))",
]


def house():
    world = parlour.build()
    world.grant_reading("ann", "bob")
    return world


@pytest.fixture(scope="module")
def jail():
    with ProcessHost(f"{__name__}:house") as host:
        yield host


@pytest.mark.parametrize(("way_out", "cell"), WAYS)
def test_a_cell_that_writes_to_what_it_was_lent_does_not_land_and_is_told_the_way_out(way_out, cell):
    world = house()
    before = world.state_hash()
    turn = world.execute(cell, agent="ann")
    what = re.search(r"bob\.\w+", way_out).group()
    assert turn.status == "blocked"
    assert f"ann may not write {what}, and this cell changed in place what it had read of it" in turn.error
    assert turn.error.rstrip().endswith(f"Work on a copy of your own: {way_out}")
    assert world.state_hash() == before


@pytest.mark.long
@pytest.mark.parametrize(("way_out", "cell"), WAYS)
def test_it_is_told_the_same_in_a_process(way_out, cell, jail):
    here, there = house(), house()
    jail.attach(there)
    expected, turn = here.execute(cell, agent="ann"), there.execute(cell, agent="ann")
    assert (turn.status, turn.error) == (expected.status, expected.error)
    assert there.state_hash() == here.state_hash()


@pytest.mark.parametrize("cell", FINE)
def test_reading_and_working_on_copies_of_ones_own_lands(cell, jail):
    here, there = house(), house()
    jail.attach(there)
    expected, turn = here.execute(cell, agent="ann"), there.execute(cell, agent="ann")
    assert expected.committed, expected.error
    assert (turn.status, turn.output) == (expected.status, expected.output)
    assert there.state_hash() == here.state_hash()


def test_a_cell_sees_what_a_method_did_meanwhile_and_keeps_what_it_had_read():
    world = house()
    turn = world.execute(
        "before = bob.diary\nme.remind(bob, 'milk')\nprint(before, bob.diary, before is bob.diary)", agent="ann"
    )
    assert turn.output.strip() == "['rosebud'] ['rosebud', 'milk'] False"


@pytest.mark.parametrize("field", ["wearing", "scores", "chart", "accounts"])
def test_what_is_read_again_is_the_same_copy(field):
    assert house().execute(f"print(bob.{field} is bob.{field})", agent="ann").output.strip() == "True"


def test_a_cell_sees_the_array_that_somebody_wrote_meanwhile():
    world = house()
    world.grant("eve", "bob.scores")
    world.inject("let_eve", lambda: world.execute("bob.scores[0] = 5", agent="eve").status, about="have eve write")
    turn = world.execute("before = bob.scores\nlet_eve()\nprint(before, bob.scores)", agent="ann")
    assert turn.output.strip() == "[0. 0.] [5. 0.]"


def test_what_was_written_to_before_the_field_changed_is_not_forgotten():
    world = house()
    turn = world.execute("bob.diary.append('x')\nme.remind(bob, 'milk')\nprint(bob.diary)", agent="ann")
    assert "may not write bob.diary" in turn.error
    assert world["bob"].diary == ["rosebud"]


def test_what_a_variable_kept_is_ones_own_in_later_turns():
    world = house()
    assert world.execute("kept = bob.wearing", agent="ann").committed
    assert world.execute("kept.append('a coat')\nprint(kept)", agent="ann").output.strip() == "['a hat', 'a coat']"
    assert world["bob"].wearing == ["a hat"]


class Looker(parlour.Guest):
    """Looks at bob, and works on what it sees."""

    def observe(self):
        seen = self.world["bob"].wearing
        seen.append("shoes, surely")
        return {"seen": seen}


def test_the_worlds_own_code_may_work_on_what_it_reads_with_an_agents_rights():
    world = house()
    world.add("spy", Looker())
    world.inject("look", lambda: world.observe("spy")["seen"], about="look at bob")
    turn = world.execute("print(look())", agent="spy")
    assert turn.committed, turn.error
    assert turn.output.strip() == "['a hat', 'shoes, surely']"
    assert world["bob"].wearing == ["a hat"]


def test_who_may_write_the_field_writes_in_place():
    world = house()
    world.grant("ann", "bob.wearing", "bob.scores")
    turn = world.execute("bob.wearing.append('a coat')\nbob.scores[0] = 2", agent="ann")
    assert turn.committed, turn.error
    assert (world["bob"].wearing, world["bob"].scores[0]) == (["a hat", "a coat"], 2)


class Ledger(Entity):
    """What a town earned."""

    table: pd.DataFrame = field(pd.DataFrame({"cents": [1.0, 2.0, 3.0]}))


@pytest.mark.parametrize("window", ["rolling(2)", "expanding()"])
def test_a_function_of_windows_gets_copies_of_a_column_of_the_world(window):
    world = World(seed=1)
    ledger = world.add("ledger", Ledger())
    world.add("ann", Entity())
    cell = f"def seize(part):\n    part[:] = 9\n    return 1.0\nledger.table['cents'].{window}.apply(seize, raw=True)"
    assert world.execute(cell, agent="ann").committed
    assert list(ledger.table["cents"]) == [1.0, 2.0, 3.0]
