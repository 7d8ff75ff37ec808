"""What shares objects with code of cells, or with a cursor, comes out of a sandbox as it does where cells run here."""

import sqlite3
from contextlib import ExitStack

import pytest

from cave_sim import World
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.shape import without_code
from cave_sim.runtime.graph.writer import HEAP, SEE, VALUE

CELLS = (
    "cursor = db.execute('select a, b from t order by a')\nrows = cursor.fetchall()\nfirst = rows[0]",
    "names = [column[0] for column in cursor.description]\nboth = {'rows': rows, 'names': names}",
    "again = db.cursor()\none = again.execute('select a from t order by a').fetchone()",
    "def double(x):\n    return 2 * x\nmarks = [1, [2]]\nholds = {'how': double, 'marks': marks}\npart = (marks, {3})",
)
ROWS = [(1, "x"), (2, None)]


def build() -> World:
    """Return a world with a database."""
    world = World(seed=1)
    connection = sqlite3.connect(":memory:")
    connection.execute("create table t (a int, b text)")
    connection.executemany("insert into t values (?, ?)", ROWS)
    connection.commit()
    world.inject("db", connection)
    return world


@pytest.fixture(params=["here", "in processes"])
def world(request):
    made = build()
    with ExitStack() as ends:
        if request.param == "in processes":
            host = ends.enter_context(ProcessHost("tests.hosts.process.test_variables_beside_code:build"))
            host.attach(made)
        for cell in CELLS:
            assert made.execute(cell, agent="ann").committed
        yield made


def test_what_shares_objects_with_a_cursor_or_a_function_is_retrieved_on_every_host(world):
    expected = {
        "rows": ROWS,
        "first": ROWS[0],
        "names": ["a", "b"],
        "both": {"rows": ROWS, "names": ["a", "b"]},
        "one": (1,),
        "marks": [1, [2]],
        "part": ([1, [2]], {3}),
    }
    assert {name: world.retrieve(name, agent="ann") for name in expected} == expected
    found = world.variables("ann")
    assert {name: found[name] for name in expected} == expected
    assert found["both"]["rows"] is found["rows"]
    assert world.retrieve("again", agent="ann").fetchall() == [(2,)]


def test_what_leads_to_code_is_looked_for_once_however_many_names_share_it():
    looked_at = []
    heap = {str(label): [label, {SEE: str(label + 1)}] for label in range(50)} | {"50": [{"$function": "f"}], "51": [1]}
    named = {f"a{at}": {VALUE: {SEE: "51"}, HEAP: heap} for at in range(20)} | {"b": {VALUE: {SEE: "0"}, HEAP: heap}}
    kept = without_code(named, lambda tag, _: looked_at.append(tag) or tag == "$function")
    assert set(kept) == {f"a{at}" for at in range(20)}
    assert kept["a0"] == {VALUE: {SEE: "51"}, HEAP: {"51": [1]}}
    assert len(looked_at) == len(heap) - 1 + len(named)


def test_code_itself_stays_in_the_sandbox():
    world = build()
    with ProcessHost("tests.hosts.process.test_variables_beside_code:build") as host:
        host.attach(world)
        assert world.execute(CELLS[3], agent="ann").committed
        for name in ("double", "holds"):
            with pytest.raises(
                KeyError, match=f"{name} of ann is code or holds some, be it a name of Python's, which stays"
            ):
                world.retrieve(name, agent="ann")
        assert sorted(world.variables("ann")) == ["marks", "part"]


@pytest.mark.parametrize(
    "path", [["print"], ["math"], ["sklearn"], ["db", "execute"], ["db", "_connection"], "db", [], [["db"]], None]
)
def test_no_name_but_that_of_a_database_is_read_where_code_is_not(path):
    with pytest.raises(Malformed):
        build().interpreter.unpack({"forged": {"$name": path}})
