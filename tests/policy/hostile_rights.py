# ruff: noqa: E501 -- what is told on one line there is told so here
"""Hostile cells of ordinary Python that came late to cells: structs, stacks of contexts, groups of errors, user containers.

The rule that they stand for: whatever of Python there is, it ends with the turn and has its agent's rights.
"""

PAGES = {
    "ordinary Python past its rights": """
import struct
struct.pack("999999999x")

import struct
print(struct.calcsize("9999999999999x"))
struct.unpack("100000000c", bytes(100_000_000))

import struct
struct.pack_into("i", vault.grid, 0, 5)

import struct
struct.pack_into("i", me.grid, 0, 5)
print(me.grid)

x = bytearray(5_000_000)
x *= 1000

x = bytearray(b"a") * 10**9

x = bytearray(b"ab")
me.memory = x

x = memoryview(vault.grid) if "memoryview" in dir() else bytearray(vault.grid)
x[0] = 9
print(vault.grid)

x = bytearray(1000)
y = np.frombuffer(x)
x.extend(b"aaaa")

from string import Template
class T(Template):
    idpattern = "(a+)+b"
    flags = 0
print(T("$" + "a" * 40).safe_substitute({}))

from string import Template
class T(Template):
    pattern = "(?P<named>__class__)(?P<braced>)(?P<escaped>)(?P<invalid>)"
T("__class__").substitute({"__class__": 1})

from string import Template
print(Template("$x" * 4000).substitute(x="a" * 1_000_000)[:10])

from collections import UserDict
class D(UserDict):
    def __getitem__(self, key):
        vault.treasury_cents = 0
        return 1
me.counts.update(D(a=1))

from collections import UserDict, UserList
class D(UserDict):
    def __getitem__(self, key):
        vault.treasury_cents = 0
        return 1
    def __contains__(self, key):
        return True
    def __len__(self):
        shop.till_cents = 5
        return 1
print(shop.look_up(D(missing=1)))

from collections import UserDict
print(shop.look_up(UserDict(missing=1)))

from collections import UserList
x = UserList(["a"])
x.data = vault.entries
x.append({"paid": 4})

from collections import UserDict
x = UserDict()
x.data = shop.stock
x["bread"] = 0

from collections import UserDict
x = UserDict()
x.data = me.counts
x["a"] = "no number"

from collections import ChainMap
x = ChainMap(shop.stock)
x["bread"] = 0

from collections import ChainMap
x = ChainMap(me.counts, shop.stock)
x["bread"] = 1
x.maps[1]["bread"] = 0

from contextlib import ExitStack
s = ExitStack()
s.callback(lambda: me.notes.append("late"))
s.push(lambda *a: me.notes.append("late"))
#> bob
print(ann.notes)
#> ann
s.close()

from contextlib import ExitStack
with ExitStack() as s:
    s.callback(lambda: me.notes.append("late"))
    vault.treasury_cents = 0

from contextlib import ExitStack, closing
class C:
    def close(self):
        me.notes.append("late")
def g():
    with closing(C()):
        yield 1
    me.notes.append("later")
x = g()
next(x)
#> bob
assert ann.notes == ["I am ann"]

try:
    vault.treasury_cents = 0
except* Exception as e:
    print(e)

try:
    try:
        1 / 0
    except* ZeroDivisionError:
        vault.treasury_cents = 0
except* BaseException if False else Exception:
    me.mood = 0.9

def g():
    try:
        yield 1
    except* ValueError:
        me.mood = 0.9
    finally:
        me.mood = 0.8
x = g()
next(x)
del x
assert me.mood == 0.5

raise ExceptionGroup("a", [ExceptionGroup("b", [ValueError("x" * 100_000)] * 1000)] * 1000)

class G(ExceptionGroup):
    def derive(self, excs):
        vault.treasury_cents = 0
        return self
raise G("a", [ValueError()])

class G(ExceptionGroup):
    @property
    def exceptions(self):
        vault.treasury_cents = 0
        return []
raise G("a", [ValueError()])

class G(ExceptionGroup):
    @property
    def message(self):
        me.mood = 0.9
        return "x"
    def __str__(self):
        me.mood = 0.9
        return "x"
raise G("a", [ValueError()])

from functools import singledispatch
@singledispatch
def show(x):
    return 1
@show.register
def _(x: int):
    return vault.entries.clear()
show.register(type(me), lambda x: me.notes.append("x"))
#> bob
print(show(1))

from functools import singledispatch, cached_property
show = singledispatch(vault.entries.append)
show({"paid": 1})

from functools import cached_property
class A:
    @cached_property
    def world(self):
        return vault.entries
a = A()
a.world.append({"paid": 2})

from functools import cached_property
cached_property(lambda self: 1).__get__(me) if False else cached_property(lambda self: 1).func

class P:
    mood = property(lambda self: vault.entries.clear())
P().mood

from enum import IntFlag
class F(IntFlag):
    A = 1
    def __or__(self, other):
        return 0
    def bit_length(self):
        return 0
F.A ** 10**7

from enum import IntFlag
class F(IntFlag):
    A = 2**63
F.A.bit_length = lambda: 0
F.A ** 10**7

from enum import IntFlag
class F(IntFlag):
    A = 10**6
    def __init__(self, value):
        self.bit_length = lambda: 0
F.A ** 10**7

from enum import IntFlag, Flag
class F(IntFlag):
    A = 1
    B = 2
class G(Flag):
    A = 1
    B = 2
print(F.A | F.B, G.A | G.B, [m for m in F.A | F.B], ~G.A)

def f():
    return 1
f.calls = lambda: vault.entries.clear()
f.__code__ = 1

def f():
    return 1
f.is_numbering = True
f.own = lambda self: 1
class A:
    __hash__ = f if False else None
print(f.own)

def f(self):
    return 1
f.__isabstractmethod__ = True

setattr(lambda: 1, "_x", 5)

class A:
    def __setitem__(self, k, v):
        super().__setitem__(k, v)
A()[1] = 2

from collections import UserDict
class A(UserDict):
    def __setitem__(self, k, v):
        super().__setitem__(k, v)
        me.notes.append(k)
a = A(x=1)
a.update({"y": 2})
print(me.notes)

from typing import NamedTuple
class P(NamedTuple):
    a: int
    def __len__(self):
        return 0
    def __iter__(self):
        return iter([vault.entries.clear()])
me.memory = P(1)
shop.look_up(P(1))

from typing import NamedTuple
class P(NamedTuple):
    a: int
    def __eq__(self, other):
        vault.entries.clear()
        return True
    def __hash__(self):
        vault.entries.clear()
        return 1
board.lines.append(P(1))
#> bob
assert board.lines == []

from collections import UserList
board.lines.append(UserList([lambda: 1]))
import collections
board.lines.append(bytearray(b"a"))
#> bob
print(board.lines)

import graphlib
graphlib.TopologicalSorter({1: [2], 2: [1]}).prepare()

import secrets
print(secrets.token_hex(8))

from types import SimpleNamespace, MappingProxyType
x = SimpleNamespace(a=vault.entries)
x.a.append({"paid": 5})

from types import SimpleNamespace
x = SimpleNamespace()
x.x = x
me.memory = x

from itertools import batched
print(list(batched("abc", 2)))

float.fromhex("0x" + "f" * 4_000_000)
(1e300).hex()

class W:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        print(kind, error, trace)
        return True
with W():
    {}["a"]
""",
}
