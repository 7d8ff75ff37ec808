"""Hostile cells that make objects of classes which no name offers, and hand their constructors stand-ins."""

PAGES = {
    "classes that nobody offers": """
class Fake:
    in_transaction = False
    def backup(self, target):
        self.kind = type(target)
fake = Fake()
type(db)(fake)
print(fake.kind("/etc/passwd"))

class Fake:
    in_transaction = False
    def backup(self, target):
        target("attach 'stolen.db' as x")
db.__class__(Fake())

type(db.cursor())(db, ["a"], [[1]])

import operator
kinds = [type(each) for each in (db, rng, world, team, clock, weather_of, help)]
for kind in kinds:
    try:
        kind(None, None, None)
    except TypeError:
        print("PWNED")

me.memory = int(type(rng)(lambda: pd.Series(range(1000))).sample(1).iloc[0])

import random
me.memory = int(random.__class__(lambda: pd.DataFrame({"a": range(1000)})).sample(1).iloc[0, 0])

make = type(rng)
class Trick:
    shuffle = 1
print(make(lambda: Trick()).shuffle)

class FakeLog:
    guard = 1
    world = None
    def write_through(self):
        pass
def take():
    vault.treasury_cents = 0
type(weather_of)("take", take, FakeLog())()

class FakeWorld:
    undo_log = None
handle = type(team["bob"])(FakeWorld(), "bob")
await handle.run("1")

type(np.add)("fromfile", print).reduce([1, 2])

type(np.add)("load", print)

import hashlib
type(hashlib.sha256())("shake_128", b"")

import contextlib
with type(contextlib.redirect_stdout(None))(bob.notes, "evil"):
    bob.notes

type(math)("fake", {"pi": 3})

type(np.random.default_rng())("fake", {"integers": print}).integers(1)

next(map(type, [db]))(None)

pd.Series([db, rng]).map(type)[0](None)

type(pd.options)()

type(world)(vault)["$system"]

type(clock)(vault, "2012-01-01T00:00", 1)

type(help)(vault)(bob)

class Mine(type(db)):
    pass

class Mine(type(rng)):
    pass

type(db).execute(db, "select 1")

print(isinstance(db, type(db)), type(rng).__name__, type(rng) == type(rng), issubclass(type(rng), type(db)))

type(type(db))("x", (), {})

match db:
    case type():
        print("PWNED")

import functools
@functools.singledispatch
def show(x):
    return type(x)
show(db)(None)
""",
    "caches of the process": """
import re
class E:
    def __and__(self, other):
        return 0
    def __rand__(self, other):
        return 0
    def __or__(self, other):
        return 32
    def __ror__(self, other):
        return 32
    def __hash__(self):
        return 0
    def __eq__(self, other):
        bob.notes.append("evil")
        return True
re.compile("[a-z]+", E())
#> bob
import re
re.findall("[a-z]+", "some words")

import re
class E:
    def __hash__(self):
        return hash(0)
    def __eq__(self, other):
        print("code of ann")
        return True
    def __index__(self):
        return 0
for name in ("match", "search", "findall", "fullmatch", "finditer"):
    try:
        getattr(re, name)("x", "x", flags=E())
    except TypeError:
        pass
#> bob
import re
re.match("x", "x")

import re
class E:
    def __hash__(self):
        return 1
re.compile(E())

import re
re.sub(pattern=[], repl="", string="")

import typing
class E:
    def __call__(self):
        pass
    def __eq__(self, other):
        print("code of ann")
        return False
    def __hash__(self):
        return 12345
typing.List[E()]
#> bob
import typing
class F:
    def __call__(self):
        pass
    def __hash__(self):
        return 12345
found = typing.List[F()]
found = None

import typing
class E:
    def __eq__(self, other):
        bob.notes.append("evil")
    def __hash__(self):
        return 7
typing.Literal[E()]
#> bob
import typing
typing.Literal[7]

import typing
class E:
    def __eq__(self, other):
        bob.notes.append("evil")
    def __hash__(self):
        return 7
typing.Annotated[int, (E(), {"a": E()})]

import typing
from dataclasses import dataclass
@dataclass(frozen=True)
class E:
    n: int
    def __call__(self):
        pass
typing.Optional[E(1)]

import typing, functools
def same(function):
    return functools.partial(int, 7)
class E:
    def __call__(self):
        pass
    @same
    def __hash__(self):
        pass
typing.Dict[E(), E()]

import functools
class E:
    def __hash__(self):
        return 5
    def __eq__(self, other):
        me.plan = "again"
        return True
@functools.lru_cache
def f(x):
    return x
f(E())
f(5)

import datetime
class E(str if False else object):
    def __hash__(self):
        return 1
datetime.datetime.strptime("2020", E())
""",
}
