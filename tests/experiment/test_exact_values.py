"""What is the same to a study that is about types, and what is not: pairs of values, each of a kind of its own."""

import array
import collections
import datetime
import decimal
import enum
import fractions
import re
import types
import uuid
import zoneinfo

import numpy as np
import pandas as pd

from cave_sim.experiment.comparison import exact, same

NAN = float("nan")
DAYS = pd.date_range("2024-01-01", periods=3)
UTC, ABIDJAN, OSLO = datetime.UTC, zoneinfo.ZoneInfo("Africa/Abidjan"), zoneinfo.ZoneInfo("Europe/Oslo")
AUTUMN = datetime.datetime(2024, 10, 27, 2, 30, tzinfo=OSLO)
"""The hour that there is twice."""


def table(**more):
    return pd.DataFrame({"a": [1, 2, 3], "b": [0.1, 0.2, NAN]}, **more)


def labelled(*names):
    return pd.DataFrame({"v": [1, 2]}, index=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=names))


def sizes(*categories, ordered=False):
    return pd.Series(pd.Categorical(["x", "y"], categories=categories, ordered=ordered))


def locked(values):
    values.setflags(write=False)
    return values


class Row(list):
    pass


class Table(dict):
    pass


class Word(str):
    __slots__ = ()


class Share(float):
    pass


class Level(enum.IntEnum):
    LOW = 1


class Pair(tuple):
    __slots__ = ()


class Half:
    def __init__(self, shown, hidden):
        self.shown, self._hidden = shown, hidden


Spot = collections.namedtuple("Spot", "x y")

SAME = {
    "a whole number of numpy": (np.int64(3), 3),
    "a truth of numpy": (np.bool_(True), True),
    "a text of numpy": (np.str_("a"), "a"),
    "a number of numpy in a list": ([np.float64(0.1)], [0.1]),
    "minus nothing": (-0.0, 0.0),
    "a last digit": ([0.1 + 0.2], [0.3]),
    "the order of keys": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "the order of a set": ({3, 1, 2}, {1, 2, 3}),
    "nan, deep inside": ([{"a": [NAN]}], [{"a": [NAN]}]),
    "an index made otherwise": (table(), table(index=[0, 1, 2])),
    "a column made otherwise": (pd.DataFrame({"a": range(3)}), pd.DataFrame({"a": [0, 1, 2]})),
    "labels made otherwise": (pd.DataFrame(np.ones((1, 2))), pd.DataFrame([[1.0, 1.0]], columns=[0, 1])),
    "a name of numpy": (pd.Series([1], name=np.str_("a")), pd.Series([1], name="a")),
    "no frequency": (pd.Series([1, 2, 3], DAYS), pd.Series([1, 2, 3], pd.DatetimeIndex([*DAYS]))),
    "a period made otherwise": (pd.period_range("2024-01", periods=1, freq="M"), pd.PeriodIndex(["2024-01"], freq="M")),
    "a layout by columns": (np.asfortranarray(np.ones((2, 3))), np.ones((2, 3))),
    "every other": (np.arange(6)[::2], np.array([0, 2, 4])),
    "an array that is locked": (locked(np.ones(2)), np.ones(2)),
    "categories": (sizes("x", "y"), sizes("x", "y")),
    "no moment": (pd.Series([pd.NaT, DAYS[0]]), pd.Series([pd.NaT, DAYS[0]])),
    "a moment of a zone": (pd.Timestamp("2024-01-01", tz="UTC"), pd.Timestamp("2024-01-01", tz=UTC)),
    "what an object hides": (Half(1, 2), Half(1, 3)),
    "a default": (collections.defaultdict(int, a=1), collections.defaultdict(int, a=1)),
}  # fmt: skip

OTHER = {
    "a short whole number": (np.int32(1), 1),
    "a short fraction": (np.float32(1), 1.0),
    "a truth in a list": ([True], [1]),
    "a truth in a set": ({True}, {1}),
    "a truth in a dict": ({"a": True}, {"a": 1}),
    "a truth as a key": ({True: 1}, {1: 1}),
    "a fraction as a key": ({1.0: 1}, {1: 1}),
    "a text as a key": ({"1": 1}, {1: 1}),
    "none for nan": ([None], [NAN]),
    "none for nan in a dict": ({"a": None}, {"a": NAN}),
    "nothing for nan": ([NAN], [0.0]),
    "without end": ([NAN], [float("inf")]),
    "without end, down": (float("-inf"), float("inf")),
    "a generator": ((each for each in [1]), [1]),
    "keys": ({"a": 1}.keys(), ["a"]),
    "a range": (range(3), [0, 1, 2]),
    "a map": (map(int, "1"), [1]),
    "pairs": (zip([1], strict=True), [(1,)]),
    "a tuple in a list": ([(1,)], [[1]]),
    "a class of lists": (Row([1]), [1]),
    "a class of dicts": (Table(a=1), {"a": 1}),
    "a class of texts": (Word("a"), "a"),
    "a class of texts, in a list": ([Word("a")], ["a"]),
    "a class of fractions": (Share(1.0), 1.0),
    "a class of tuples": (Pair((1,)), (1,)),
    "a member of an enum": (Level.LOW, 1),
    "a named tuple": (Spot(1, 2), (1, 2)),
    "a dict with defaults": (collections.defaultdict(int, a=1), {"a": 1}),
    "another default": (collections.defaultdict(int, a=1), collections.defaultdict(list, a=1)),
    "a dict that counts": (collections.Counter("a"), {"a": 1}),
    "a view of a dict": (types.MappingProxyType({"a": 1}), {"a": 1}),
    "bytes that change": (bytearray(b"a"), b"a"),
    "names for a dict": (types.SimpleNamespace(a=1), {"a": 1}),
    "a fraction under a name": (types.SimpleNamespace(a=1.0), types.SimpleNamespace(a=1)),
    "an array of Python's": (array.array("i", [1]), [1]),
    "another code of such": (array.array("i", [1]), array.array("l", [1])),
    "digits of a decimal": (decimal.Decimal("1.00"), decimal.Decimal("1.0")),
    "a ratio": (fractions.Fraction(1, 2), 0.5),
    "a complex number": (1 + 0j, 1.0),
    "flags of a pattern": (re.compile("a", re.IGNORECASE), re.compile("a")),
    "a slice": (slice(1, 2), slice(1, 3)),
    "a class": (int, float),
    "a function": (len, sum),
    "an error": (ValueError("a"), ValueError("b")),
    "the class of an error": (ValueError("a"), TypeError("a")),
    "an id": (uuid.UUID(int=1), uuid.UUID(int=2)),
    "a day for a moment": (datetime.date(2024, 1, 1), datetime.datetime(2024, 1, 1)),
    "a moment of pandas": (pd.Timestamp("2024-01-01"), datetime.datetime(2024, 1, 1)),
    "a span of pandas": (pd.Timedelta("1D"), datetime.timedelta(1)),
    "a moment of a zone": (pd.Timestamp("2024-01-01", tz="UTC"), pd.Timestamp("2024-01-01")),
    "another zone of that offset": (pd.Timestamp("2024-01-01", tz="UTC"), pd.Timestamp("2024-01-01", tz=ABIDJAN)),
    "another zone of Python's": (AUTUMN.replace(tzinfo=UTC), AUTUMN.replace(tzinfo=ABIDJAN)),
    "a time of a zone": (datetime.time(1, tzinfo=UTC), datetime.time(1)),
    "the hour once more": (AUTUMN.replace(fold=1), AUTUMN),
    "moments of a zone": (pd.Series(DAYS.tz_localize("UTC")), pd.Series(DAYS)),
    "moments of another zone": (pd.Series(DAYS.tz_localize(UTC)), pd.Series(DAYS.tz_localize(UTC).tz_convert(OSLO))),
    "moments of a zone, as labels": (pd.Series([1, 2, 3], DAYS.tz_localize("UTC")), pd.Series([1, 2, 3], DAYS)),
    "moments by the second": (pd.Series(DAYS.as_unit("s")), pd.Series(DAYS.as_unit("ns"))),
    "an array of seconds": (np.array(["2024-01-01"], "M8[s]"), np.array(["2024-01-01"], "M8[D]")),
    "spans": (pd.Series([pd.Timedelta("1D")]), pd.Series([1])),
    "days for months": (pd.Period("2024-01", "M"), pd.Period("2024-01-01", "D")),
    "another year's end": (pd.Period("2024Q1", "Q-DEC"), pd.Period("2024Q1", "Q-NOV")),
    "periods of days": (pd.period_range("2024-01", periods=1, freq="M"), pd.period_range("2024", periods=1, freq="D")),
    "an interval's end": (pd.Interval(0, 1), pd.Interval(0, 1, closed="left")),
    "intervals' ends": (pd.interval_range(0, 2), pd.interval_range(0, 2, closed="left")),
    "the order of categories": (sizes("x", "y"), sizes("y", "x")),
    "categories that are ordered": (sizes("x", "y", ordered=True), sizes("x", "y")),
    "a category more": (sizes("x", "y", "z"), sizes("x", "y")),
    "no categories": (sizes("x", "y"), pd.Series(["x", "y"])),
    "truths in a column": (pd.Series([True]), pd.Series([1])),
    "a truth among objects": (pd.Series([True, None], dtype=object), pd.Series([1, None], dtype=object)),
    "a fraction among objects": (pd.Series([1.0, "a"], dtype=object), pd.Series([1, "a"], dtype=object)),
    "tuples in a column": (pd.Series([(1,)]), pd.Series([[1]])),
    "truths in dicts of a column": (pd.Series([{"a": True}]), pd.Series([{"a": 1}])),
    "numbers that may be missing": (pd.Series([1], dtype="Int64"), pd.Series([1])),
    "truths that may be missing": (pd.Series([True], dtype="boolean"), pd.Series([True])),
    "texts as objects": (pd.Series(["a"], dtype="string"), pd.Series(["a"], dtype=object)),
    "few that are not nothing": (pd.Series(pd.arrays.SparseArray([1, 0])), pd.Series([1, 0])),
    "an empty column": (pd.DataFrame({"a": pd.Series([], dtype=float)}), pd.DataFrame({"a": pd.Series([], dtype=int)})),
    "nan filled": (table().fillna(0), table()),
    "the order of columns": (table()[["b", "a"]], table()),
    "the order of rows": (table().iloc[::-1], table()),
    "columns twice": (pd.concat([table(), table()], axis=1), table()),
    "a table in a dict": ({"a": table().astype("float32")}, {"a": table()}),
    "the name of an index": (table().rename_axis("n"), table()),
    "the name of columns": (table().rename_axis("n", axis=1), table()),
    "the order of names of levels": (labelled("p", "q"), labelled("q", "p")),
    "no names of levels": (labelled("p", "q"), labelled(None, None)),
    "levels swapped": (labelled("p", "q").swaplevel(), labelled("p", "q")),
    "labels as texts": (pd.DataFrame([[1]], columns=["0"]), pd.DataFrame([[1]], columns=[0])),
    "labels as fractions": (pd.Series([1], [0.0]), pd.Series([1], [0])),
    "labels as objects": (pd.Series([1, 2], pd.Index([0, 1], dtype=object)), pd.Series([1, 2])),
    "a name": (pd.Series([1], name="a"), pd.Series([1])),
    "a name as a text": (pd.Series([1], name="1"), pd.Series([1], name=1)),
    "an array of short numbers": (np.array([1], "int16"), np.array([1])),
    "such an array in a list": ([np.ones(1, "f4")], [np.ones(1)]),
    "an array without axes": (np.array(1), 1),
    "a column for a row": (np.ones((3, 1)), np.ones(3)),
    "an array of objects": (np.array([1, 2], object), np.array([1, 2])),
    "the order of bytes": (np.array([1], ">i8"), np.array([1], "<i8")),
    "names of fields": (np.array([(1,)], [("a", int)]), np.array([(1,)], [("b", int)])),
    "a mask": (np.ma.masked_array([1, 2], [0, 1]), np.ma.masked_array([1, 2], [0, 0])),
}  # fmt: skip


def test_what_depends_on_how_a_value_was_made_is_no_difference():
    assert [kind for kind, (one, other) in SAME.items() if not same(exact(one), exact(other))] == []


def test_whatever_tells_two_values_apart_is_one():
    assert [kind for kind, (one, other) in OTHER.items() if same(exact(one), exact(other))] == []
