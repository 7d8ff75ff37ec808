"""Cells that could end otherwise in another process: by its salt for hashes, its time zone, language and threads."""

PAGES = {
    "the process shows": """
def f():
    pass
me.plan = str(f)
kept = repr(f)
print(f, [f], {"f": f})

def f():
    pass
print(f"{f}", f"{f!r:>60}", f"{f!s}", "%s %r" % (f, f), "{} {!r}".format(f, f))

s = "%s"
s %= print
print(s)

s = ""
s += str(me.cheer)
print(s, repr(shop.buy), str(print))

print(iter([1]), iter({}), (x for x in []), zip([1]), map(str, [1]), enumerate([1]))

kept = [str(x) for x in (object(), lambda: 1, me.cheer, math.sin, str.upper, range(3))]
print(kept)

raise ValueError(object())

raise KeyError(lambda: 1)

assert False, object()

class E(Exception):
    pass
raise E(E)

class A:
    pass
print(A(), [A()], A, "%s" % A(), {1: A()})
kept = str(A())

class A:
    pass
me.plan = str(sorted([str(A()) for _ in range(5)]))

me.plan = "-".join(map(str, [object(), print]))

me.notes.append(str(object()))

me.plan = ascii(object())

import textwrap
me.plan = textwrap.shorten(str(object()), 200)

me.plan = json.dumps(str(object()))

json.dumps({"a": object()}, default=str)

me.plan = json.dumps({"a": object()}, default=repr)

me.plan = str(np.array([object()]))

me.plan = str(pd.Series([object()]))

pd.Series([print, object()]).astype(str).tolist()

pd.DataFrame({"a": [object()]}).to_string()

me.plan = str(collections.Counter([print]))

me.plan = format(print)

me.plan = "{0!r:^90}".format(print)

me.plan = "{x}".format_map({"x": print})

me.plan = str({print: 1})

from functools import partial
me.plan = str(partial(print, 1))

from functools import lru_cache
@lru_cache
def f():
    pass
me.plan = str(f)

me.plan = str(re.compile("a")) + str(re.match("a", "a"))

from dataclasses import dataclass, field
@dataclass
class A:
    x: object = field(default_factory=object)
me.plan = str(A())

from enum import Enum
class E(Enum):
    A = print
me.plan = str(E.A) + repr(E.A)

from collections import namedtuple
P = namedtuple("P", "x")
me.plan = str(P(print))

me.plan = str(rng) + str(clock) + str(world) + str(np.random)

try:
    me.nothing
except AttributeError as error:
    me.plan = str(error) + str(error.args)

try:
    print(*5)
except TypeError as error:
    me.plan = str(error)

try:
    (lambda: 1)(2)
except TypeError as error:
    me.plan = str(error)
""",
    "the order of sets": """
me.plan = str({"b", "a", "c", "zz", "q"})

kept = {"b", "a", "c"}
print(kept, list(kept), [*kept], sorted(kept))

kept = list({f"n{i}" for i in range(50)})
me.plan = kept[0]

a, *rest = {"x", "y", "z", "w"}
me.plan = a

me.plan = {"x", "y", "z", "w"}.pop()

me.plan = next(iter({"x", "y", "z", "w"}))

me.plan = "".join({"x", "y", "z", "w"})

me.plan = str({"a", "b", "c"} | {"d", "e"}) + str({"a", "b"} ^ {"b", "c"}) + str({"q", "r"} - {"r"})

me.plan = str(frozenset(["x", "y", "z"])) + str(set("hello"))

me.plan = str(dict.fromkeys({"x", "y", "z"}))

me.plan = str({k: 1 for k in {"x", "y", "z"}})

me.plan = str({"x": 1, "y": 2}.keys() | {"z", "q"}) + str({"x": 1, "y": 2}.items() & {("x", 1), ("y", 2)})

for each in {"x", "y", "z"}:
    me.plan += each

me.plan = str([*me.tags]) + str(me.tags | {"zebra"})

me.plan = str(max({"aa", "bb", "cc"}, key=len))

me.plan = str(sorted({"aa", "bb", "cc"}, key=len))

me.plan = collections.Counter({"a", "b", "c"}).most_common(1)[0][0]

me.plan = str(list(map(str.upper, {"a", "b", "c"})))

me.plan = str(rng.choice(list({"a", "b", "c"})))

me.plan = json.dumps(list({"a", "b", "c"}))

me.plan = str(pd.Series(list({"a", "b", "c"})).tolist())

me.plan = str(pd.Series(["b", "a", "b"]).unique().tolist())

me.plan = str(pd.Series(list({"a", "b", "c"}.union({"d"}))).tolist())

me.plan = str(nx.Graph([("a", "b"), ("b", "c")]).nodes & {"a", "b", "c"})

g = nx.Graph([("a", "b"), ("c", "d"), ("e", "f")])
me.plan = str([sorted(c) for c in nx.connected_components(g)]) + str(list(nx.connected_components(g)))

g = nx.Graph([("a", "b"), ("b", "c"), ("a", "c"), ("c", "d")])
me.plan = str(nx.shortest_path(g, "a", "d")) + str(nx.pagerank(g)) + str(list(nx.minimum_spanning_tree(g).edges))

class A:
    pass
x = {A(), A(), A()}
me.plan = str([type(each).__name__ for each in x])

def f():
    pass
def g():
    pass
me.plan = str([each.__name__ for each in {f, g}])

me.plan = str({int, str, float})

me.plan = str({None, True, "a", 1.5, (1, "b")})

me.plan = str(np.unique(np.array(["b", "a"])).tolist()) + str(np.array(list({"q", "r"})))
""",
    "what hashes tell": """
me.plan = str(hash("a")) + str(hash(b"a")) + str(hash(("a", 1)))

me.plan = str(hash(frozenset({"a", "b"})))

me.plan = str(hash(print))

class A:
    pass
me.plan = str(hash(A()))

class A:
    def __eq__(self, other):
        return True
    def __hash__(self):
        return hash("a")
me.plan = str(hash(A()))

me.plan = str("a".__hash__())

me.plan = str(id(me))

me.plan = str(object() < object())

me.plan = str([each is object for each in [object]])

me.plan = str(sorted([object(), object()]))

me.plan = str(hash(None)) + str(hash(...)) + str(hash(int))

me.plan = str(hash(1.5)) + str(hash(float("nan"))) + str(hash(float("inf")))

me.plan = str(hash(clock.now)) + str(hash(datetime.date(2020, 1, 1)))
""",
    "where the machine stands": """
me.plan = datetime.datetime(2020, 6, 1, 12).strftime("%Z %z %s")

me.plan = datetime.datetime(2020, 6, 1, 12).strftime("%c %x %X %p")

me.plan = datetime.datetime(2020, 6, 1, 12).strftime("%B %A %b %a")

me.plan = str(datetime.datetime(2020, 6, 1, 12).timestamp())

me.plan = str(datetime.datetime.fromtimestamp(0))

me.plan = str(datetime.datetime(2020, 6, 1, 12).astimezone())

me.plan = f"{datetime.datetime(2020, 6, 1, 12):%Z%s}"

me.plan = format(datetime.datetime(2020, 6, 1, 12), "%s")

me.plan = str(datetime.datetime.strptime("UTC", "%Z"))

me.plan = str(pd.Timestamp(0)) + str(pd.Timestamp(2020, 1, 1).timestamp())

me.plan = str(pd.Timestamp("2020-01-01").tz_localize("Europe/Helsinki"))

me.plan = str(pd.to_datetime("2020-01-01 12:00").day_name()) + str(pd.to_datetime(["2020-01-01"]).month_name()[0])

me.plan = str(pd.Series(pd.to_datetime(["2020-01-01"])).dt.strftime("%A %s").tolist())

me.plan = pd.Timestamp("2020-01-01").strftime("%s %Z")

me.plan = str(pd.to_datetime("01/02/2020")) + str(pd.to_datetime(0, unit="s"))

me.plan = str(clock.now) + clock.text

me.plan = f"{1234567.891:n}" + f"{1234567.891:,}" + format(12345, "n")

me.plan = str(0.1 + 0.2) + str(1e22) + repr(1 / 3) + f"{2.675:.2f}" + str(1e-7) + str(-0.0)

import time
me.plan = str(time.time())

import locale

me.plan = "straße ıI".upper() + "İ".lower() + "ß".casefold()

me.plan = str(sorted(["ä", "z", "a", "Z"]))
""",
    "how it computes": """
x = np.arange(40_000.0).reshape(200, 200) / 7
me.plan = repr(float((x @ x).sum())) + repr(float(np.dot(x, x)[3, 5]))

x = np.sin(np.arange(90_000.0)).reshape(300, 300)
me.plan = repr(float(np.linalg.inv(x + np.eye(300))[7, 9]))

x = np.sin(np.arange(90_000.0)).reshape(300, 300)
me.plan = repr(float(np.linalg.det(x + np.eye(300)))) + repr(float(np.linalg.norm(x)))

x = np.sin(np.arange(10_000.0)).reshape(100, 100)
me.plan = repr(np.linalg.eigh(x + x.T)[0][:3].tolist())

x = np.sin(np.arange(1_000_000.0))
me.plan = repr(float(x.sum())) + repr(float(x.mean())) + repr(float(x.std())) + repr(float(x.dot(x)))

me.plan = repr(sum([0.1] * 1000)) + repr(math.fsum([0.1] * 1000)) + repr(float(np.sum([0.1] * 1000)))

x = np.sin(np.arange(5_000.0))
me.plan = repr(np.polyfit(np.arange(5_000.0), x, 3).tolist()) + repr(float(np.corrcoef(x, x[::-1])[0, 1]))

t = pd.DataFrame(np.sin(np.arange(30_000.0)).reshape(10_000, 3))
me.plan = repr(t.corr().iloc[0, 1]) + repr(t.cov().iloc[0, 1]) + repr(t.sum().tolist())

def deep(n):
    try:
        return deep(n + 1)
    except RecursionError:
        return n
me.plan = str(deep(0))

def deep(n):
    return deep(n + 1)
try:
    deep(0)
except Exception as error:
    me.plan = str(error)

try:
    x = ["a" * 4_000_000 for _ in range(10_000)]
except MemoryError:
    me.plan = "no memory"

try:
    x = ["a" * 4_000_000 for _ in range(10_000)]
except Exception:
    me.plan = "no memory"

me.plan = repr(rng.random()) + repr(random.random()) + repr(np.random.rand())

random.seed(5)
me.plan = repr(random.random())

import random
me.plan = str(random.sample(range(100), 5)) + str(random.choices("abc", k=5))

me.plan = repr(float(np.random.default_rng(3).normal()))

me.plan = repr(statistics.stdev([0.1, 0.2, 0.4])) + repr(statistics.quantiles([1, 2, 3, 4]))

me.plan = str(np.sort(np.array([3, 1, 2]))) + str(np.argsort([1, 1, 1]).tolist())
""",
}
