"""Hostile cells with numpy's dates: for the time of the machine, its zone, code of their own, and giants."""

PAGES = {
    "dates of numpy": """
print(np.datetime64("now"))

print(np.datetime64(b"now"), np.datetime64(np.str_("now")))

print(np.datetime64(np.array("today")))

print(type(np.datetime64("2024-01-01"))("now"))

print(list(map(np.datetime64, ["now"])))

print(np.array([b"now"], "M8[s]"), np.array(["now"], dtype=np.datetime64))

print(np.asanyarray(["now"], "M8[s]"))

print(np.array(["now"], object).astype("M8[s]"), np.array(["now"], "S").astype("M8[s]"))

print(np.char.add(["n"], ["ow"]).astype("M8[s]"))

print(np.full(2, "now", dtype="M8[s]"), np.full_like(np.zeros(1, "M8[s]"), "now"))

print(np.insert([np.datetime64("2024-01-01T00:00")], 0, "now"))

print(np.insert(pd.DataFrame({"day": np.zeros(2, "M8[s]")}), 0, "now", axis=0))

print(np.pad(np.zeros(1, "M8[s]"), 1, constant_values="now"))

print(np.arange("now", "2100-01-01", dtype="M8[D]")[0])

print(np.busday_count("2020-01-01", "today"), np.is_busday("today"))

print(np.busday_count("2020-01-01", "2021-01-01", holidays=["today"]))

days = np.zeros(2, "M8[s]")
days[0] = "now"
print(days)

days = np.zeros(2, "M8[s]")
days[:] = np.array(["now", "now"], object)
print(days)

days = np.zeros(2, "M8[s]")
for days[0] in ["now"]:
    print(days)

import operator
days = np.zeros(2, "M8[s]")
operator.setitem(days, 0, "now")
print(days)

days = np.zeros(2, "M8[s]")
days.flat[0] = "now"
days.fill("now")
print(days)

days = np.zeros(1, "M8[s]")
np.add(np.array(["n"]), np.array(["ow"]), out=days, casting="unsafe")
print(days)

days = np.zeros(1, "M8[s]")
np.add(np.array(["n"]), np.array(["ow"]), days, casting="unsafe")
print(days)

days = np.zeros(1, "M8[s]")
np.choose([0], [np.array(["now"])], days, "clip")
print(days)

days = np.zeros((), "M8[s]")
np.array(["now"], object).max(0, days)
print(days)

days = np.zeros((), "M8[s]")
np.array(["now"], object).any(0, days)
print(days)

days = np.zeros(1, "M8[s]")
np.array(["now"], object).clip("a", "z", days, casting="unsafe")
print(days)

print(np.vectorize(lambda place: np.datetime64("2024-01-01T00:00") if place == 0 else "now")(np.arange(2)))

days = np.zeros(1, "M8[s]")
print(np.apply_along_axis(lambda row: np.array(["now"]) if row[0] else days, 1, np.array([[0], [1]])))

print(np.piecewise(np.zeros(2, "M8[s]"), [[True, True]], [lambda part: "now"]))

print(pd.Series(["now"]).to_numpy("M8[s]"), pd.Series([None], dtype="string").to_numpy("M8[s]", na_value="now"))

print(np.loadtxt(["now"], dtype="M8[s]"))

print(np.datetime_as_string(np.datetime64("2024-06-01T12:00"), timezone="local"))

import datetime as dt
class Zone(dt.tzinfo):
    def utcoffset(self, moment):
        return dt.timedelta(hours=vault.treasury_cents)
print(np.datetime_as_string(np.datetime64("2024-06-01T12:00"), timezone=Zone()))

class Day:
    month = day = 1
    @property
    def year(self):
        days[1] = "now"
        return 2024
days = np.array([Day(), "2024"], object)
print(days.astype("M8[s]"))

class Day:
    month = day = 1
    @property
    def year(self):
        found[1] = "now"
        return 2024
found = np.array([Day(), "2024"], object)
days = np.zeros(2, "M8[s]")
days[:] = found
print(days)

class Kind:
    dtype = np.dtype("M8[s]")
print(np.array(["now"], Kind()))

np.datetime64("2024-01-01").__class__.__base__.__subclasses__()

np.datetime64.mro()

np.datetime64.__new__(np.datetime64, "now")

np.datetime64.fromisoformat = len

np.datetime64("2024-01-01").astype = len

np.arange("2020", "9999", dtype="M8[s]")

np.arange(np.timedelta64(0, "D"), np.timedelta64(10**6, "D"), np.timedelta64(1, "s"))

np.arange(0, 10**9, dtype="M8[s]")

np.arange("2020-01-01", 10**9, dtype="M8")

np.repeat(np.datetime64("2024-01-01"), 10**9)

vault.treasury_cents = np.timedelta64(5, "ns")

me.plan = np.datetime64("2024-01-01")

shop.price_cents = np.datetime64(5, "ns")

world.execute(np.datetime64("2024-01-01"))

cat = pd.Categorical(pd.to_datetime(["2024-01-01T00:00:00"]))
print(np.insert(cat, 0, "now"), np.full_like(cat, "now"), np.pad(cat, 1, constant_values="now"))

cat = pd.Series(pd.Categorical(pd.to_datetime(["2024-01-01T00:00:00"])))
print(np.insert(cat, 0, "now"))

cat = pd.Categorical(pd.to_datetime(["2024-01-01T00:00:00"]))
print(np.insert(pd.DataFrame({"a": cat}), 0, "now"))

cat = pd.Categorical(pd.to_datetime(["2024-01-01T00:00:00"]))
print(np.apply_along_axis(lambda r: cat if r[0] == 0 else np.array(["now"]), 1, np.array([[0], [1]])))

from collections import UserDict, UserList, deque, namedtuple
print(np.insert(deque([np.datetime64("2024-01-01T00:00:00")]), 0, "now"))

from collections import UserDict, UserList, deque, namedtuple
print(np.insert(namedtuple("P", "a")(np.datetime64("2024-01-01T00:00:00")), 0, "now"))

from collections import UserDict, UserList, deque, namedtuple
print(np.insert([namedtuple("P", "a")(np.datetime64("2024-01-01T00:00:00"))], 0, "now"))

from collections import UserDict, UserList, deque, namedtuple
print(np.insert(UserList([np.datetime64("2024-01-01T00:00:00")]), 0, "now"))

from collections import UserDict, UserList, deque, namedtuple
print(np.insert(UserDict({np.datetime64("2024-01-01T00:00:00"): 1}), 0, "now"))

np.arange(np.datetime64("2024-01-01T00:00"), np.timedelta64(30_000_000, "us"))
""",
}
