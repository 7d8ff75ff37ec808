"""Hostile cells that take their choices from the machine: its memory, its hashes, its clock's zone, its stack."""

PAGES = {
    "choices of the machine": """
def f():
    pass
me.plan = str(f).split("0x")[-1]

me.plan = f"{object()}".split("0x")[-1]

me.plan = ("%s" % print).split("0x")[-1]

me.plan = "{}".format(lambda: 1).split("0x")[-1]

me.plan = "{0!r:>60}".format(object()).split("0x")[-1]

me.plan = repr(lambda: 1).split("0x")[-1]

me.plan = "".join(map(str, [object(), object()])).split("0x")[-1]

text = str
me.plan = text(object()).split("0x")[-1]

me.plan = min([object()], key=str).__class__

me.plan = json.dumps([print], default=str).split("0x")[-1]

me.plan = format(object(), "").split("0x")[-1]

me.plan = str(iter([1])).split("0x")[-1]

class A:
    def __init__(self, n):
        self.n = n
    def __repr__(self):
        return "A"
me.plan = ",".join(str(a.n) for a in {A(i) for i in range(12)})

class A:
    def __init__(self, n):
        self.n = n
    def __lt__(self, other):
        return False
me.plan = ",".join(str(a.n) for a in {A(i) for i in range(12)})

class A:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        return hash_of(str(self.n))
    def __eq__(self, other):
        return self.n == other.n
me.plan = ",".join(str(a.n) for a in {A(i) for i in range(12)})

me.plan = str([f() for f in {lambda n=n: n for n in range(9)}])

me.plan = str([f.__name__ for f in {len, max, min, sorted, abs}])

g = nx.Graph([("a", "b"), ("c", "d"), ("e", "f")])
me.plan = ",".join(g.nodes & {"a", "b", "c", "d", "e"})

g = nx.Graph([("a", "b"), ("c", "d"), ("e", "f")])
me.plan = ",".join({"a", "b", "c", "d", "e"} - (g.nodes - {"b"}))

g = nx.Graph([("a", x) for x in "bcdefgh"])
me.plan = ",".join(g.adj["a"].keys() - {"b"})

g = nx.Graph([("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")])
me.plan = str([*(g.edges - set())])

g = nx.DiGraph([("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")])
me.plan = str([*(g.out_edges | g.in_edges)])

g = nx.Graph([("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")])
me.plan = str([*(g.nodes(data="x") | set())])

g = nx.Graph([("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")])
me.plan = str([*(g.adj.keys() - {"a"})])

try:
    datetime.datetime.strptime("JST", "%Z")
    me.plan = "Tokyo"
except ValueError:
    me.plan = "elsewhere"

me.plan = datetime.datetime(2020, 1, 1).strftime("%s")

me.plan = f"{datetime.datetime(2020, 1, 1):%s}"

me.plan = format(datetime.date(2020, 1, 1), "%s")

me.plan = "{:%s}".format(datetime.datetime(2020, 1, 1))

me.plan = pd.Series(pd.to_datetime(["2020-01-01"])).dt.strftime("%s").iloc[0]

me.plan = pd.Timestamp("2020-01-01").strftime("%+")

me.plan = f"{pd.Timestamp('2020-01-01'):%s}"

def depth(n):
    try:
        return depth(n + 1)
    except RecursionError:
        return n
me.plan = str(depth(0))

def depth(n):
    try:
        return depth(n + 1)
    except Exception:
        return n
me.plan = str(depth(0))

try:
    x = [0] * 1_000_000
    y = [x * 1 for _ in range(20)]
except MemoryError:
    me.plan = "full"

from enum import Enum
class E(Enum):
    A = 1
    B = 2
    C = 3
    def __lt__(self, other):
        return False
me.plan = str(list({E.A, E.B, E.C})) + str(hash(E.A))

nan = float("nan")
other = float("inf") - float("inf")
me.plan = str(list({nan, 1.0, other, 2.0})) + str(hash(nan))

class A:
    pass
me.plan = str(hash(A()))

me.plan = f"{object()!s:>60}"[-13:]

me.plan = type("")(object()).split("0x")[-1]

def g(str):
    return str
me.plan = str(object()).split("0x")[-1]

def full(f):
    return f(object())
me.plan = full(str).split("0x")[-1]

class K:
    def __getitem__(self, f):
        return f(object())
me.plan = K()[str].split("0x")[-1]

me.plan = [(y := str(object()))] == 1 or y.split("0x")[-1]
""",
}
