"""Hostile cells by side doors: what Python and libraries ask of an object, and what they keep beside their data.

The rules that they stand for: a door that is not on a list is shut, whoever opens it, and no call into C is long.
"""

PAGES = {
    "side doors": r"""
class N(list):
    pass
e = ValueError("a")
e.__notes__ = ["x", vault]
raise e

class Late(ValueError):
    pass
class Sly:
    def __str__(self):
        me.plan = "noted"
        return "PWNED"
e = Late("a")
e.add_note("b")
e.__notes__.append(Sly())
getattr(e, "__notes__").append(vault)
raise e

try:
    1 / 0
except ZeroDivisionError as e:
    t = e.with_traceback(None)
    print(t.__traceback__)

import operator
def g():
    yield 1
print(operator.attrgetter("gi_frame.f_back")(g()))

class P:
    __match_args__ = ("__class__", "__dict__")
    x = 1
match P():
    case P(a, b):
        print(a, b)

class P:
    @property
    def x(self):
        vault.treasury_cents = 0
        return 1
match P():
    case P(x=1):
        print("y")

class B:
    def __set_name__(self, owner, name):
        owner.__init__ = print
class C:
    x = B()
C()

print(f"{me.mood:{'{'}{'0'}{'}'}}")

a = np.dtype([("f", "O")])
x = np.zeros(2, dtype=a)
x["f"][0] = lambda: 1
me.memory = x

x = np.frombuffer(b"a" * 8, dtype="O")
print(x)

x = np.zeros(8, dtype="u1").view("O")
print(x)

x = np.array([1, 2, 3]).astype("O").view("i8")
print(x)

x = np.array([object(), me], dtype=object)
print(x.__array_interface__)

x = np.zeros(2)
x.strides = (10**6,)
print(x)

x = np.ndarray(shape=(1000,), buffer=b"a" * 8, offset=-100, dtype="u1")
print(x)

f = np.frompyfunc(lambda a: vault, 1, 1)
print(f(np.zeros(2)))

class A:
    def __array_function__(self, func, types, args, kwargs):
        func.__globals__
        vault.treasury_cents = 0
np.concatenate([A()])

df = pd.DataFrame({"a": [1]})
print(df.pipe((print, "self"), 1))

df = pd.DataFrame({"a": [1]})
print(df.pipe(pd.DataFrame.to_pickle, "/etc/x"))

pd.api.extensions.register_dataframe_accessor("me")(lambda df: vault)
print(pd.DataFrame({"a": [1]}).me)

df = pd.DataFrame({"a": [1]})
df.flags.allows_duplicate_labels = False
df.attrs["f"] = lambda: 1
me.diary = df

nx.config.backend_priority = ["x"]

print(nx.pagerank.orig_func.__globals__)

class K(dict):
    pass
g = nx.Graph()
g.adjlist_outer_dict_factory = K
g.add_node(1)
me.map = g

import decimal
c = decimal.Context(prec=50, Emax=10**17)
print(c.power(10, 10**9))

import decimal
decimal.setcontext(decimal.Context(prec=2))
#> bob
import decimal
print(decimal.Decimal(1) / 3)

import decimal
print(decimal.Decimal("1e999999999") + decimal.Decimal("1e-999999999"))

import warnings
warnings.simplefilter("error")
warnings.showwarning = print

import re
p = re.compile("a")
print(p.scanner("a"))

db.execute("select zeroblob(1000000000)").fetchall()

db.execute("select printf('%.*c', 1000000000, 'x')").fetchall()

db.execute("select printf('%.1000000000c', 'x')").fetchall()

db.row_factory = lambda c, r: vault
db.text_factory = bytes
print(db.execute("select 1").fetchall())

db.execute("vacuum into '/etc/zzz.db'")

from sklearn.tree import DecisionTreeClassifier
m = DecisionTreeClassifier().fit([[0], [1]], [0, 1])
m.tree_.__setstate__({"nodes": 1})

f = chart("x", [1.0], [2.0])
f.data[0].on_click(lambda *a: vault.entries.clear())

async def f():
    yield 1
it = f()
it.asend(None)
await it.__anext__()

def f():
    x = yield
    while True:
        x = yield x
it = f()
it.send(None)
print(it.send(it))
it.throw(KeyboardInterrupt)

def f():
    yield
it = f()
next(it)
it.throw(SystemExit(3))

e = None
for i in range(3000):
    try:
        raise ValueError from e
    except ValueError as x:
        e = x
raise e

class A:
    def __hash__(self):
        return hash(self)
print({A()})

import typing
typing.ForwardRef("__import__('os')")._evaluate({}, {}, frozenset())

import contextlib
with contextlib.ExitStack() as s:
    s.callback(lambda: vault.entries.clear())
    s.push(lambda *a: True)
    vault.treasury_cents = 0

np.seterr(all="call")
np.seterrcall(lambda *a: vault.entries.clear())
np.zeros(1) / 0

import functools
f = functools.partial(print)
f.func = vault
f.__setstate__((vault.entries.append, (), {}, {}))
f({"paid": 1})

import functools
@functools.lru_cache(maxsize=None)
def f(x):
    return x
for i in range(20000):
    f(i)
f.cache_parameters()
print(f.__wrapped__.__globals__)

import itertools
itertools.tee(range(3), 10**9)

class A(str):
    pass
print(getattr(me, A("_undo_log")))

import copy
class A:
    def __deepcopy__(self, memo):
        return vault
    def __reduce_ex__(self, p):
        return vault.entries.clear, ()
copy.deepcopy(A()).treasury_cents = 0

import typing
typing.get_type_hints(lambda: 1, globalns={"x": 1})
""",
}
