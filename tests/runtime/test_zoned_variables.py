"""Times with zones, and tables with any index and any column, are what they were in the next turn and after a stop."""

import datetime as dt
from decimal import Decimal
from zoneinfo import ZoneInfo

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from cave_sim import SchemaError
from cave_sim.world.snapshot import restore_into
from tests.long_cases import cases
from tests.policy import square

HELSINKI = ZoneInfo("Europe/Helsinki")
HALF_PAST = dt.timezone(dt.timedelta(hours=5, minutes=30))
NAMED = dt.timezone(dt.timedelta(hours=-1, microseconds=1), "Sea")
DAYS = {
    "a key": pd.date_range("2024-03-30", periods=3, tz=HELSINKI),
    "UTC": pd.date_range("2024-03-30", periods=3, tz="UTC"),
    "a distance": pd.date_range("2024-03-30", periods=3, tz=HALF_PAST),
    "a name": pd.DatetimeIndex(["2024-03-30"]).tz_localize(dt.timezone(dt.timedelta(hours=1), "X")),
}
VALUES = {
    "a time that comes twice": dt.datetime(2024, 10, 27, 3, 30, tzinfo=HELSINKI, fold=1),
    "a time without a zone that comes twice": dt.datetime(2024, 10, 27, 3, 30, fold=1),
    "a time in UTC": dt.datetime(2024, 1, 1, tzinfo=dt.UTC),
    "a time in a zone with a name": dt.datetime(2024, 1, 1, tzinfo=NAMED),
    "a time of day": dt.time(12, tzinfo=HALF_PAST),
    "a zone by key": HELSINKI,
    "a zone by distance": NAMED,
    "a moment": pd.Timestamp("2024-03-31 04:30", tz=HELSINKI),
    "a moment in a zone with a name": pd.Timestamp("2024-01-01", tz=NAMED),
    "an interval": pd.Interval(1, 2.5, closed="both"),
    "an interval of moments": pd.Interval(pd.Timestamp("2024-01-01"), pd.Timestamp("2024-01-02")),
    **{f"days in a zone by {what}": days for what, days in DAYS.items()},
    **{f"a column in a zone by {what}": pd.DataFrame({"at": days}) for what, days in DAYS.items()},
    **{f"an index in a zone by {what}": pd.DataFrame({"v": 1}, index=days) for what, days in DAYS.items()},
    "two levels": pd.DataFrame({"v": [1, 2]}, index=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=["x", "y"])),
    "two levels of columns": pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")])),
    "periods": pd.DataFrame({"v": pd.period_range("2024-01", periods=2, freq="W")}),
    "an index of periods": pd.Series([1, 2], index=pd.period_range("2024-01", periods=2, freq="M")),
    "decimals": pd.DataFrame({"v": [Decimal("1.10"), Decimal(2)]}),
    "times as objects": pd.DataFrame({"v": pd.Series([dt.datetime(2024, 1, 1, tzinfo=HELSINKI)], dtype=object)}),
    "intervals": pd.DataFrame({"v": pd.cut(pd.Series([1, 5, 9]), [0, 3, 6, 10])}),
    "an index of intervals": pd.Series([1, 2], index=pd.interval_range(0, 2)),
}
IN_THE_WORLD = {
    name: VALUES[name] for name in ("a column in a zone by a key", "two levels", "periods", "decimals", "intervals")
}


def shown(world, cell, agent="ann"):
    turn = world.execute(cell, agent=agent)
    assert turn.committed, turn.error
    return turn.output


USUAL = [*VALUES][::2]


@pytest.mark.parametrize("name", cases(VALUES, lambda name: name not in USUAL))
def test_it_is_what_it_was(name):
    value, world = VALUES[name], square.build()
    world.inject("given", value, agent="ann")
    first = shown(world, "kept = [given, given]\nprint(repr(given))")
    resumed = square.build()
    restore_into(resumed, world.snapshot())
    again = "print(repr(kept[1]))\n"
    assert [shown(each, again) for each in (world, world.fork(), resumed)] == [first] * 3
    twice = world.retrieve("given", agent="ann")
    assert (type(twice), repr(twice)) == (type(value), repr(value))


@pytest.mark.parametrize("value", IN_THE_WORLD.values(), ids=IN_THE_WORLD)
def test_what_the_world_has_no_room_for_is_refused_where_it_is_injected_and_breaks_no_turn(value):
    world = square.build()
    with pytest.raises(SchemaError, match=r"inject it with agent=|need unique names"):
        world.inject("given", value)
    assert shown(world, "me.mood = 0.25\n'fine'", agent="bob") == "'fine'"


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (nx.path_graph(3).subgraph([0, 1]), "a view of a graph cannot be kept: keep its copy"),
        (pd.Series([1.0, 2.0]).rolling(2), "a window over a table, which cannot be kept between turns: keep the table"),
        (np.ma.array([1, 2], mask=[0, 1]), "MaskedArray"),
    ],
    ids=["a view of a graph", "a rolling window", "a masked array"],
)
def test_what_cannot_be_kept_fails_the_turn_with_its_name_and_the_way_out(value, told):
    with pytest.raises(SchemaError, match=told):
        square.build().interpreter.namespace("ann").form_of("held", [value])
