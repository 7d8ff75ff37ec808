"""Hostile cells that go through tables, arrays and figures: names that are called, texts that are run, giants."""

PAGES = {
    "methods by name": """
census.groupby("part").people.filter("to_csv", path_or_buf="canary.csv")

census.groupby("part").people.filter("to_csv")

census.groupby("part").filter("to_csv")

census.groupby("part").transform("pipe")

census.groupby("part").people.apply("to_csv")

census.transform("to_csv")

census.people.transform(["to_pickle"])

census.people.apply("to_csv", path_or_buf="canary.csv")

census.people.apply("to_csv", args=("canary.csv",))

census.agg(["to_pickle"])

census.agg({"people": "to_json"})

census.agg({"people": ["sum", "to_csv"]})

census.agg(x=("people", "to_csv"))

census.agg(func="__class__")

census.people.rolling(2).agg("__class__")

census.people.rolling(2).apply("to_csv")

census.people.rolling(2, win_type="hann").agg("to_csv")

census.assign(t=pd.date_range("2012-01-01", periods=3)).set_index("t").people.resample("D").agg("to_csv")

census.assign(t=pd.date_range("2012-01-01", periods=3)).set_index("t").people.resample("D").apply("to_csv")

census.pipe("to_csv")

census.pipe((open, "file"), "canary", "w")

census.people.map("to_csv", engine=print)

pd.crosstab(census.part, census.people, values=census.people, aggfunc="to_csv")

class Name:
    def __call__(self, part):
        vault.treasury_cents = 0
census.people.apply(Name())

census.groupby("part").apply(lambda part: setattr(vault, "treasury_cents", 0))

vault.accounts.apply(lambda row: row.__setitem__("cents", 0), axis=1)

def spoil(row):
    row["cents"] = 0
    return row
vault.accounts.apply(spoil, axis=1)

def spoil(part):
    part["cents"] = 0
    return part
vault.accounts.groupby("who").apply(spoil)
""",
    "texts that are run": """
census.query("__import__('os')")

census.query("people.values[0] > 1")

census.query("people == people.to_csv('canary.csv')")

limit = world
census.query("people > @limit")

census.query("people > @__builtins__")

class Evil:
    def __lt__(self, other):
        vault.treasury_cents = 0
        return True
limit = Evil()
census.query("people > @limit")

list(map(census.query, ["people > @self"]))

census.query("__pd_eval_local_world == 1")

census.query("[1] * 300000000 == 2")

census.query("part * 100000000 == 'a'")

word = "a"
census.query("@word * 100000000 == 'a'")

census.query("people > 1\\npeople = 2")

census.query("`people` > 1")

census.query("people > 9" + "9" * 2000)

census.eval("x = people")

pd.eval("1 + 1")

import operator
operator.attrgetter("_undo_log")(me)

import operator
operator.methodcaller("to_csv", "canary.csv")(census)

import operator
operator.mul("a", 10**12)

import string
string.Formatter().format("{0._undo_log}", me)

import string
string.Template("$x").substitute(x=me._undo_log)
""",
    "the clock of the machine": """
np.array(["now"], dtype="M8[s]")

np.zeros(1, dtype="datetime64[s]")

np.array([("now",)], dtype=[("a", "M8[s]")])

np.array(["now"]).astype("M8[s]")

np.concatenate([["now"], ["today"]], dtype="M8[s]", casting="unsafe")

days = pd.Series(pd.to_datetime(["2012-01-01"]))
days.to_numpy()[0] = "now"
days.to_numpy(dtype="M8[s]")

days = pd.Series(pd.to_datetime(["2012-01-01"])).values + 0
days[0] = "now"
print(days)

days = pd.Series(pd.to_datetime(["2012-01-01"]))
print(np.full_like(days, "now"))

days = np.array(pd.Series(pd.to_datetime(["2012-01-01"])))
days[0] = "now"
print(days)

days = np.unique(pd.Series(pd.to_datetime(["2012-01-01"])), return_counts=True)[0]
days[0] = "today"
print(days)

print(type(pd.Timestamp("2012-01-01"))("now"))

print(pd.Timestamp.now(), pd.Timestamp.today())

print(pd.to_datetime(["today"]))

print(pd.to_datetime("10:00"))

print(pd.date_range("now", periods=1))

print(pd.date_range(end="today", periods=1))

print(pd.Series(["now"], dtype="datetime64[ns]"))

print(pd.DataFrame({"a": ["now"]}).astype({"a": "M8[ns]"}))

days = pd.Series(pd.to_datetime(["2012-01-01"]))
print((days > "now").tolist())

days = pd.Series(pd.to_datetime(["2012-01-01"]))
print(days.isin(["now"]))

days = pd.Series(pd.to_datetime(["2012-01-01"]))
print(days.between("today", "now"))

days = pd.Series([1], index=pd.to_datetime(["2012-01-01"]))
print(days.loc["now":])

days = pd.DataFrame({"day": pd.to_datetime(["2012-01-01"])})
print(days.query("day < 'now'"))

word = "now"
days = pd.DataFrame({"day": pd.to_datetime(["2012-01-01"])})
print(days.query("day < @word"))

days = pd.Series(pd.to_datetime(["2012-01-01"]))
print(days.mask(days > "2011", "now"))

print(pd.cut(pd.Series(pd.to_datetime(["2012-01-01"])), bins=["2011", "now"]))

print(pd.Timestamp("2012-01-01", tz="tzlocal()"))

print(pd.Timestamp("2012-01-01", tz="dateutil//etc/passwd"))

print(pd.date_range("2012-01-01", periods=2, tz="dateutil//etc/passwd"))

print(pd.Series(pd.to_datetime(["2012-01-01"])).astype("datetime64[ns, dateutil//etc/passwd]"))

print(pd.Timestamp("2012-01-01").day_name(locale="fi_FI.UTF-8"))

print(np.random.rand(2), np.random.default_rng(5).integers(9), np.random.choice(["a", "b"], 3))

print(np.random.RandomState(5), np.random.seed(5))
""",
    "giants of numpy and pandas": """
np.linalg.inv(np.eye(3000) + 1)

np.zeros((20000, 1)) @ np.zeros((1, 40000))

np.dot(np.zeros((20000, 1)), np.zeros((1, 40000)))

np.zeros((20000, 1)).dot(np.zeros((1, 40000)))

a = np.zeros((20000, 1))
a @= np.zeros((1, 1))

np.zeros(10).repeat(10**9)

np.histogram([1, 2], bins=10**9)

np.polyfit([1, 2], [1, 2], 10**8)

np.split(np.zeros(10**7), 10**7)

np.bincount([1], minlength=10**9)

np.bincount([10**9])

np.zeros(10, dtype="U100000000")

np.array(["a"], "U1000000000")

np.diag([1], k=10**6)

np.triu(np.zeros(10**6))

np.maximum(np.zeros((30000, 1)), np.zeros((1, 30000)))

np.meshgrid(np.zeros(10**5), np.zeros(10**5))

x = [1]
for _ in range(40):
    x = [x, x]
np.array(x)

np.concatenate([np.zeros(10**6)] * 1000)

np.random.uniform(np.zeros((20000, 1)), np.ones((1, 40000)))

np.random.choice(10**9, 10**6, replace=False)

np.random.permutation(10**9)

pd.cut(census.people, bins=10**9)

census.people.value_counts(bins=10**9)

pd.date_range("2012-01-01", "2112-01-01", freq="ms")

pd.date_range("2012-01-01", periods=10**9)

pd.Series([1, 2], pd.to_datetime(["1912-01-01", "2112-01-01"])).resample("ms").sum()

census.assign(x=1.5).to_string(float_format="%9999999d")

census.assign(x=1.5).to_string(float_format="{0.__class__}")

census.to_string(buf="canary.txt")

census.to_string(na_rep="x" * 10**6)

census.rename(columns={"people": "x" * 10**6}).to_string()

pd.Series(range(10**6)).to_string()

import textwrap
textwrap.fill("a b " * 10_000, 1, subsequent_indent="x" * 20_000)

import textwrap
textwrap.fill("\\t" * 100, tabsize=10**7)

x = [1]
for _ in range(60):
    x = [x, x]
json.dumps(x, default=str)

json.dumps(me, default=lambda each: [each, each])

json.dumps([1, 2], indent=10**9)

json.dumps([1, 2], separators=("," * 10**6, ":"))

class Evil:
    def __str__(self):
        vault.treasury_cents = 0
        return "x"
json.dumps([Evil()], default=str)

class Evil:
    def __lt__(self, other):
        vault.treasury_cents = 0
        return True
np.sort(np.array([Evil(), Evil()], dtype=object))

next(itertools.chain.from_iterable(itertools.repeat([])))
""",
    "tables and figures past the tracking": """
vault.accounts.cents.to_numpy()[0] = 9

vault.accounts.columns = ["a", "b"]

vault.accounts.cents += 5

vault.accounts.index = [5, 6]

me.diary.columns = ["a", "a"]

census.to_csv = print

census.attrs = {}

setattr(census, "_mgr", 1)

vault.accounts.insert(0, "x", 1)

vault.accounts.pop("cents")

vault.accounts.update(vault.accounts * 2)

vault.grid.astype(float)[0] = 7

np.asarray(vault.grid)[0] = 7

np.ravel(vault.grid)[0] = 7

np.abs(vault.grid, out=vault.grid)

chart("a", [1], [2]).write_html("canary.html")

chart("a", [1], [2]).show()

chart("a", [1], [2]).data[0].parent

chart("a", [1], [2]).data[0].figure

chart("a", [1], [2]).layout.template.layout.colorway

chart("a", [1], [2])["_data"]

chart("a", [1], [2]).to_json(engine="pickle")

getattr(chart("a", [1], [2]), "write_" + "json")("canary.json")

type(chart("a", [1], [2])).write_html

#> mayor
team["ann"].inject("drawn", chart("a", [1], [2]))
#> ann
drawn.write_html("canary.html")

f = chart("a", [1], [2])
f["layout"]["template"]["layout"]["colorway"] = ["red"]
f.update_layout(template_layout_font_size=99)
#> bob
f = chart("a", [1], [2])
print(f.to_dict()["layout"], f["layout"]["template"]["layout"]["colorway"])

f = chart("a", [1], [2])
f.to_dict()["data"][0]["y"][0] = 9
f.update_traces(selector=lambda each: setattr(vault, "treasury_cents", 0))

me.memory = chart("a", [1], [2])

weather_of(chart("a", [1], [2]))
""",
}
