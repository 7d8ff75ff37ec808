"""A table or an array in a field is the very one that a run which goes on has: as it comes back from a snapshot."""

import re

import pandas as pd
import pytest

from cave_sim import Entity, World, field
from cave_sim.hosts.process import ProcessHost


class Desk(Entity):
    """Keeps tables."""

    u: pd.DataFrame = field(
        pd.DataFrame({"x": [1, 2, 1], "y": ["a", "b", "c"], "z": [1.5, 2, 3]}, index=["a", "b", "c"])
    )
    s: pd.Series = field(pd.Series([1, 2], index=["a", "b"]))


KEPT = """
m.u = m.u.pivot(index='x', columns='y', values='z')
m.u.columns.name = 'c'
m.u = pd.crosstab(m.u.x, m.u.y)
m.u = m.u.T
m.u = m.u.rename_axis(columns='k')
m.u = m.u.groupby('x').sum(numeric_only=True)
m.u = m.u.describe()
m.u = m.u.set_index('x')
m.s = m.u.x.value_counts()
m.s = m.u.groupby('y').x.sum()
m.u = m.u.astype({'x': 'category'})
m.u = m.u.astype({'y': 'category'}); m.u['n'] = m.u.y.cat.codes
m.u = m.u.astype({'x': 'Int64'})
m.u = m.u.astype({'x': 'UInt8', 'z': 'Float32'})
m.u = m.u.assign(b=pd.array([True, None, False], dtype='boolean'))
m.u = m.u.assign(x=m.u.x.astype('int8'))
m.u = pd.DataFrame()
m.u = pd.DataFrame([[1, 2], [3, 4]])
m.u = m.u.iloc[:0]
m.s = m.u.x.rolling(2).mean()
m.s = m.u.loc['a']
m.u = m.u.assign(n=None)
m.u = m.u.assign(y=m.u.y.astype('string'))
m.u = m.u.assign(y=[None, 'a', 1])
m.u = m.u.assign(y=['a', pd.NA, 'b'])
m.u = m.u.assign(d=pd.date_range('2020', periods=3, freq='D'))
m.u = m.u.assign(t=pd.to_timedelta([1, 2, 3], unit='h'))
m.u.index = pd.date_range('2020', periods=3, freq='D')
m.u.index = pd.CategoricalIndex(['a', 'b', 'a'])
m.u.index = pd.RangeIndex(0, 6, 2)
m.u.index = ['a', 'b', None]
m.u.columns = [1, 2, 3]
m.s = pd.Series({'a': 1, 2: 3})
m.s = pd.Series([1, 'a', None], name=5)
m.u = pd.concat([m.u, m.u])
""".strip().splitlines()
REFUSED = """
m.u = m.u.set_index(['x', 'y'])
m.u = m.u.assign(l=[[1], [2], [3]])
m.u = m.u[['x', 'x']]
m.u.columns = ['a', None, 1.5]
m.u.columns.name = ('a', 'b')
m.u.index.name = ('a', 'b')
m.s = pd.Series([1, 2], name=('a', 'b'))
m.s.name = ('a', 'b')
m.u.index = pd.period_range('2020', periods=3, freq='D')
m.u = m.u.assign(d=pd.Timestamp('2020-01-01', tz='UTC'))
m.u = m.u.assign(c=[1 + 2j, 2, 3])
""".strip().splitlines()


def build(desks=("m",)):
    """Make the world that has the desks."""
    world = World(seed=1)
    for name in desks:
        world.add(name, Desk())
    return world


@pytest.fixture(scope="module")
def jail():
    with ProcessHost(f"{__name__}:build") as host:
        yield host


def all_of(table):
    """Return all that a cell could tell of a table or a column."""
    index = table.index
    told = [repr(table), type(index).__name__, repr(index), str(index.dtype), str(getattr(index, "freq", None))]
    if isinstance(table, pd.Series):
        return [*told, table.name, str(table.dtype), [type(item) for item in table.tolist()]]
    items = [[type(item) for item in table.iloc[:, at].tolist()] for at in range(table.shape[1])]
    return [*told, repr(table.columns), *map(str, table.dtypes), items]


def test_a_table_that_was_written_is_as_it_comes_back_and_as_a_process_writes_it(jail, subtests):
    cells = {f"d{number}": re.sub(r"\bm\.", f"d{number}.", cell) for number, cell in enumerate(KEPT)}
    world, there = build(cells), build(cells)
    jail.attach(there)
    for desk, cell in cells.items():
        with subtests.test(cell):
            for each in (world, there):
                turn = each.execute(cell, agent=desk)
                assert turn.committed, turn.error
                assert turn.changes
                looked = each.execute(f"({desk}.u.shape, {desk}.s.shape)", agent=desk)
                assert (looked.committed, looked.changes) == (True, []), looked.error
    again = World.restore(world.snapshot())
    for other in (again, there):
        assert other.state_hash() == world.state_hash()
        for desk, cell in cells.items():
            with subtests.test(cell):
                for mine, its in ((world[desk].u, other[desk].u), (world[desk].s, other[desk].s)):
                    assert all_of(mine) == all_of(its)


@pytest.mark.parametrize("cell", REFUSED)
def test_what_could_not_come_back_is_refused_where_it_is_written(cell):
    world = build()
    before = world.state_hash()
    turn = world.execute(cell, agent="m")
    assert turn.status == "failed"
    assert "SchemaError: m." in turn.error
    assert world.state_hash() == before
    assert world.execute("m.u.shape", agent="m").committed


def test_an_array_is_kept_row_by_row_as_it_comes_back():
    world = World()
    world.inject("grid", pd.DataFrame({"a": [1.0, 2], "b": [3.0, 4], "c": [5.0, 6]}).to_numpy())
    world.inject("turned", pd.DataFrame({"a": [1.0, 2], "b": [3.0, 4], "c": [5.0, 6]}).to_numpy().T)
    for each in (world, World.restore(world.snapshot())):
        for name in ("grid", "turned"):
            in_memory = each.execute(f"print({name}.ravel('K'))", agent="m").output
            assert in_memory == each.execute(f"print({name}.ravel())", agent="m").output
