"""Hostile cells that raise what cannot be told, and read from errors and texts what lies in the machine's memory."""

PAGES = {
    "groups that share their parts": """
e = ValueError(1)
for n in range(60):
    e = ExceptionGroup("g", [e, e])
e.split(TypeError)

e = ValueError(1)
for n in range(60):
    e = ExceptionGroup("g", [e, e])
e.subgroup(lambda each: True)

e = ValueError(1)
for n in range(60):
    e = ExceptionGroup("g", [e, e])
try:
    raise e
except* TypeError:
    pass
""",
    "errors past their texts": """
raise UnicodeEncodeError("u", "a" * 10, -100, -99, "x")

raise UnicodeDecodeError("u", b"a" * 10, -100, -99, "x")

print(UnicodeDecodeError("u", b"a", -(10 ** 12), -(10 ** 12) + 1, "x"))

class E(UnicodeDecodeError):
    pass
e = E("u", b"a", 0, 1, "x")
e.start = -(10 ** 12)
e.end = e.start + 1
print(e)

class E(UnicodeEncodeError):
    pass
e = E("u", "a", 0, 1, "x")
e.object, e.start, e.end = None, 5, 6
raise e

try:
    b"\\\\xff".decode()
except UnicodeDecodeError as error:
    kind = type(error)
    raise kind("u", b"a", -(10 ** 12), -(10 ** 12) + 1, "x")

try:
    "\\\\ud800".encode()
except UnicodeEncodeError as error:
    raise error.__class__("u", "a", -5, -4, "x")

try:
    b"\\\\xff".decode()
except UnicodeDecodeError as error:
    for kind in map(type, [error]):
        print(kind("u", b"a", -5, -4, "x"))

class E(OSError):
    pass
e = E(1, "a", "b")
e.filename = e
raise e

class E(ImportError):
    pass
e = E("a")
e.msg, e.name = 5, [e]
raise e

class E(KeyError):
    def __repr__(self):
        return 5
raise ExceptionGroup("g", [E(E()), KeyError(E())])

class E(StopIteration):
    value = property(lambda self: 1 / 0)
raise E(E())

e = ValueError(1)
for _ in range(500):
    e = ExceptionGroup("g", [e])
raise e

raise ValueError(*range(20_000))

raise KeyError({("a",): [1] * 1000})

raise KeyError("\\\\ud800" * 10)

class E(AttributeError):
    name, obj = property(lambda self: vault), property(lambda self: vault)
raise E(1)
""",
    "places in memory": """
f = lambda: 1
me.plan = f"{f:}"[-13:-1]

me.plan = "".join(f"{x:}" for x in [object()])[-10:]

try:
    [].index(lambda: 1)
except ValueError as error:
    me.plan = error.args[0][10:40]

f = lambda: 1
try:
    [].remove(f)
    {}[f]
except Exception as error:
    me.plan = f"{error:}"[-20:] + error.args[0][-20:]

try:
    me.counts[lambda: 1]
except Exception as error:
    me.plan = f"{error:}"[-30:]

class P:
    def m(self):
        pass
p = P()
me.plan = f"{p.m:}"[-20:]

g = (x for x in [1])
me.plan = f"{g:}"[-14:]
g = None

o = [object() for _ in range(9)]
me.plan = str(sorted(range(9), key=lambda i: f"{o[i]:}"))
o = None

import io, csv
f = lambda: 1
text = io.StringIO()
csv.writer(text).writerow([f, object()])
me.plan = text.getvalue()[10:40]

import pprint
me.plan = pprint.pformat(lambda: 1)[-12:-1] + pprint.pformat([object()])[-12:]

from dataclasses import dataclass
@dataclass
class P:
    f: object
me.plan = f"{P(lambda: 1):}"[-14:]

class A:
    pass
class B(A):
    def number(self):
        return super().__hash__()
me.memory = B().number()

class A(Exception):
    pass
class B(A):
    def number(self):
        return super().__hash__()
me.memory = B().number()

from dataclasses import dataclass
@dataclass(frozen=True)
class A:
    name: str
class B(A):
    def number(self):
        return super().__hash__()
me.memory = B("x").number()

from dataclasses import dataclass
@dataclass(frozen=True)
class A:
    name: str
me.memory = hash(A("x"))

from dataclasses import dataclass
@dataclass(unsafe_hash=True)
class A:
    name: str
me.memory = hash((A("x"),)) + hash(A("y"))
""",
    "clocks of databases": """
me.plan = db.execute("select datetime(x'6e6f77')").fetchone()[0]

me.plan = db.execute("select date(?)", (b"now",)).fetchone()[0]

me.plan = db.execute("select date(cast('now' as blob))").fetchone()[0]

me.plan = str(db.execute("select strftime('%s', cast('now' as blob))").fetchone()[0])

me.plan = db.execute("select date('now' || char(0) || 'x')").fetchone()[0]

me.plan = db.execute("select julianday('NOW' || char(0))").fetchone()[0]

me.plan = db.execute("select datetime('2020-01-01', cast('localtime' as blob))").fetchone()[0]

me.plan = db.execute("select datetime('2020-01-01', 'localtime' || char(0) || 'x')").fetchone()[0]

me.plan = db.execute("select unixepoch(trim(' now '))").fetchone()[0]

me.plan = db.execute("select time(:at)", {"at": b"now"}).fetchone()[0]

me.plan = pd.read_sql("select date(?) as d", db, params=(b"now",)).d[0]
""",
}
