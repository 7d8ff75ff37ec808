"""Dates and spans of numpy in cells are what they are in Python, in the next turn and on each host too."""

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cave_sim import Entity, World, field
from cave_sim.hosts.process import ProcessHost
from cave_sim.world.snapshot import restore_into

SETUP = """
import datetime as dt
from collections import UserDict, deque, namedtuple
import numpy as np
import pandas as pd
days = np.array(["2024-01-01", "2024-01-03", "2024-02-10"], dtype="datetime64[D]")
df = pd.DataFrame({"d": pd.to_datetime(["2024-01-01", "2024-03-05"]), "v": [1, 2]})
"""
SAME = """
np.datetime64("2024-01-01"), np.datetime64("2024-01-01T10:30", "h")
np.datetime64(dt.date(2024, 1, 1)), np.datetime64()
np.timedelta64(5, "D") * 2, np.timedelta64(90, "m").astype("timedelta64[h]")
np.timedelta64(5, "D") % np.timedelta64(2, "D")
np.arange("2024-01", "2024-03", dtype="datetime64[D]"), np.arange("2024-01-01", 5, dtype="M8[D]")
np.arange(np.datetime64("2024-01-01"), np.datetime64("2024-01-02"), np.timedelta64(6, "h"))
np.arange(3, dtype="m8[D]"), np.arange(days[0], np.timedelta64(3, "h"))
np.arange(days[0], dt.timedelta(microseconds=2))
df.select_dtypes(include=[np.datetime64]).columns.tolist(), df.select_dtypes(exclude=np.datetime64).columns.tolist()
df.describe(include=[np.datetime64]).shape
np.insert(deque([1, 2]), 0, 5), np.concatenate(deque([[1], [2, 3]])), np.insert(namedtuple("P", "a")(3), 0, 5)
days, days.dtype, str(days[0]), f"{days[0]}", days.tolist(), days[0].item(), days[::-1].copy()
days[1] - days[0], np.diff(days), days - days[0]
(days - days[0]).astype(int), np.diff(days).mean(), np.median(np.diff(days))
days + 1, days + np.timedelta64(1, "W"), (days[1] - days[0]) / np.timedelta64(1, "D")
(days - days[0]) / np.timedelta64(1, "h")
days.astype("M8[M]"), days.astype("datetime64[Y]").astype(int) + 1970, days[0].astype("M8[M]"), days.astype(str)
days > days[0], days == "2024-01-03", days[days >= np.datetime64("2024-01-02")], days.min(), days.argmax(), max(days)
np.sort(days)[::-1], np.unique(np.append(days, days)), np.isin(days, [days[1]]), np.searchsorted(days, days[1])
np.where(days > days[0], days, np.datetime64("NaT")), np.isnat(np.array(["2024-01-01", "NaT"], dtype="M8[D]"))
np.busday_count("2024-01-01", "2024-02-01"), np.busday_count("2024-01-01", "2024-02-01", holidays=["2024-01-15"])
np.busday_count(days, days + 10, weekmask="Mon Tue"), np.is_busday(days)
np.is_busday("2024-01-06", "1111110", ["2024-01-05"])
np.datetime_as_string(days), np.datetime_as_string(np.datetime64("2024-01-01T10:00"), "D")
np.datetime_as_string(days, timezone="UTC")
df["d"].values, df["d"].to_numpy(), df["d"].values.astype("datetime64[D]"), df["d"].values[1] - df["d"].values[0]
df[df["d"] > np.datetime64("2024-02-01")], pd.to_datetime(days)
pd.Series(days).dt.year.tolist(), pd.Timestamp(days[0])
isinstance(days[0], np.datetime64), type(days[0]) is np.datetime64
np.issubdtype(days.dtype, np.datetime64), type(days[0]).__name__
np.full(2, "2024-01-01", dtype="M8[D]"), np.insert(days, 0, "2023-01-01")
np.array([dt.date(2024, 1, 1)], np.datetime64)
pd.Series(["2024-01-01"]).to_numpy("M8[D]"), np.vectorize(lambda day: str(day))(days), days.clip(days[1])
{days[0]: 1}[np.datetime64("2024-01-01T00")]
hash(days[0]) == hash(np.datetime64("2024-01-01T00"))
days[0] == dt.date(2024, 1, 1)
""".strip().splitlines()
REFUSED = {
    "np.datetime64('now')": "'now' as a date is the time of the machine",
    "np.array(['2024', b' TODAY '], object).astype('M8[s]')": "'TODAY' as a date is the time of the machine",
    "days[0] = 'now'": "'now' as a date is the time of the machine",
    "days[:2] = ['2024', 'now']": "'now' as a date is the time of the machine",
    "np.insert(days, 0, 'now')": "'now' as a date is the time of the machine",
    "np.asanyarray(['now'], 'M8[s]')": "'now' as a date is the time of the machine",
    "np.is_busday('today')": "'today' as a date is the time of the machine",
    "pd.Series(['now']).to_numpy('M8[s]')": "'now' as a date is the time of the machine",
    "np.vectorize(lambda n: 'now' if n else days[0])(np.arange(2))": "'now' as a date is the time of the machine",
    "np.add(np.array(['n']), np.array(['ow']), out=days[:1], casting='unsafe')": "writes no dates; assign what",
    "np.add(np.array(['n']), np.array(['ow']), days[:1], casting='unsafe')": "take array.astype('M8[D]')",
    "np.array(['n'], object).max(0, days[0:1].reshape(()))": "make dates of them by astype('M8[D]')",
    "np.piecewise(days, [days > days[0]], ['2024'])": "take np.where",
    "np.loadtxt(['2024'], dtype='M8[D]')": "read texts, and take astype('M8[D]') of them",
    "np.datetime_as_string(days, timezone='local')": "takes timezone='UTC', 'naive'",
    "np.arange('2020', '9999', dtype='M8[s]')": "more than 10,000,000 items",
    "np.arange(np.timedelta64(0, 'D'), np.timedelta64(9**7, 'D'), dtype='m8[s]')": "more than 10,000,000 items",
    "np.arange(days[0], np.timedelta64(30_000_000, 'us'))": "more than 10,000,000 items",
    "np.arange(days[0], dt.timedelta(seconds=30))": "more than 10,000,000 items",
    "np.insert(pd.Categorical(pd.to_datetime(['2024-01-01'])), 0, 'now')": "'now' as a date is the time of the machine",
    "np.full_like(pd.Series(pd.Categorical(pd.to_datetime(['2024-01-01']))), 'now')": "'now' as a date is the time",
    "np.insert(deque([days[0]]), 0, 'now')": "dates of a deque: take texts, dates and numbers",
    "np.insert(UserDict({days[0]: 1}), 0, 'now')": "dates of a UserDict: take texts, dates and numbers",
    "np.insert([namedtuple('P', 'a')(days[0])], 0, 'now')": "dates of a P: take texts, dates and numbers",
    "np.busday_offset('now', 1)": "'now' as a date is the time of the machine",
}


class Clerk(Entity):
    notes: Any = field(None)
    day: dt.date | None = field(None)
    count: int = field(0)
    counts: list[int] = field([])
    days: np.ndarray = field(np.zeros(1, "M8[D]"))


def office():
    world = World(seed=1)
    world.add("ann", Clerk())
    world.execute(SETUP.strip(), agent="ann")
    return world


@pytest.fixture(scope="module")
def world():
    return office()


def shown(world, cell):
    turn = world.execute(cell, agent="ann")
    assert turn.committed, turn.error
    return turn.output


@pytest.mark.parametrize("line", SAME)
def test_a_line_comes_to_what_it_comes_to_in_python(world, line):
    names: dict[str, Any] = {}
    exec(SETUP, names)
    assert shown(world, f"print(repr(({line})))").strip() == repr(eval(line, names))


@pytest.mark.parametrize("cell", REFUSED)
def test_what_tells_the_time_of_the_machine_or_is_a_giant_is_refused_in_words(world, cell):
    turn = world.execute(cell, agent="ann")
    assert turn.status in ("blocked", "failed")
    assert REFUSED[cell] in turn.error


def test_an_object_of_a_cell_is_not_asked_for_its_year(world):
    cell = "class Day:\n    year, month, day = 2024, 1, 1\n"
    for make in ("np.array([Day()], 'M8[s]')", "np.array([Day()], object).astype('M8[s]')", "days[0] = Day()"):
        turn = world.execute(cell + make, agent="ann")
        assert "dates of a Day: take texts, dates and numbers" in turn.error


@pytest.mark.parametrize("cell", ["{}", "[{}]", "{{'a': {}}}"])
@pytest.mark.parametrize("value", ["days[0]", "np.datetime64(5, 'ns')", "np.timedelta64(5, 'ns')", "np.array(days[0])"])
def test_a_field_of_plain_data_takes_neither_a_date_nor_the_number_that_numpy_makes_of_one(world, value, cell):
    for target in ("me.notes", "me.day", "me.count", "me.counts"):
        turn = world.execute(f"{target} = {cell.format(value)}", agent="ann")
        assert turn.status == "failed"
        assert "SchemaError: ann." in turn.error
    assert world.execute(f"me.notes = {value}", agent="ann").error.count("is no plain data; take ") == 1
    assert (world["ann"].notes, world["ann"].day, world["ann"].count) == (None, None, 0)


def test_a_field_of_arrays_holds_dates_and_reads_no_clock():
    world = office()
    shown(world, "me.days = days\nme.days[0] = '2030-01-01'")
    assert world["ann"].days.tolist()[0] == dt.date(2030, 1, 1)
    assert world.execute("me.days[0] = 'now'", agent="ann").status == "blocked"


KEEP = """
one, fine, span = days[0], np.datetime64(5, "ns"), np.timedelta64(5, "D")
lots, none = days - days[0], np.datetime64("NaT")
window, both, kind, make, column = days[1:], {one: span}, days.dtype, np.datetime64, df["d"].values
objects, swapped = np.array([one, None], object), days.astype(">M8[D]")
grid = days.reshape(3, 1) + np.arange(2)
"""
ASK = """
days[1] = make("2031-05-05")
print(repr((one, fine, span, lots, none, window, both, kind, column)))
print(repr((objects, swapped, swapped.dtype, grid, {one, fine})))
print(hash(one), hash(span), make is np.datetime64, type(span) is np.timedelta64)
"""


def test_they_are_kept_between_turns_on_each_host_and_after_a_stop():
    first = office()
    shown(first, KEEP.strip())
    resumed = office()
    restore_into(resumed, first.snapshot())
    told = {shown(each, ASK.strip()) for each in (first.fork(), resumed, first)}
    jailed = office()
    with ProcessHost(f"{__name__}:office") as host:
        host.attach(jailed)
        shown(jailed, KEEP.strip())
        told.add(shown(jailed, ASK.strip()))
        hashes = {first.state_hash(), jailed.state_hash()}
    assert len(told) == len(hashes) == 1
    text = told.pop()
    assert "array(['2031-05-05', '2024-02-10'], dtype='datetime64[D]')" in text
    assert text.rstrip().endswith("True True")
    column = first.retrieve("column", agent="ann")
    assert column.dtype.kind == "M"
    assert pd.Timestamp(column[1]) == pd.Timestamp("2024-03-05")
