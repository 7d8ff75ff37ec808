"""Hostile cells that try habits of Python: private names, `with`, patterns, enums, decorators, fractions."""

PAGES = {
    "new doors": """
me._name

me._undo_log.world

_attr_(me, "_undo_log")

me._name = "bob"

getattr(me, "_name")

setattr(me, "_name", "bob")

setattr(Citizen, "_declared", {})

Citizen._prepared

match me:
    case Citizen(_undo_log=found):
        print(found)

match me:
    case Citizen(money_cents=found):
        print(found)

match shop.buy:
    case Citizen.__init__:
        print("PWNED")

match 3:
    case math._members:
        print("PWNED")

"{0._undo_log}".format(me)

with me as found:
    print("PWNED")

with shop:
    pass

class M:
    def __enter__(self):
        return 1
    def __exit__(self, kind, error, trace):
        me.plan = str(trace) + str(kind)
        return True
with M():
    vault.treasury_cents = 0

class M:
    def __enter__(self):
        return 1
    def __exit__(self, kind, error, trace):
        return True
with M():
    while True:
        pass

from contextlib import suppress
with suppress(BaseException):
    while True:
        pass

from contextlib import suppress
with suppress(BaseException):
    me.__class__

from contextlib import contextmanager
@contextmanager
def f():
    try:
        yield
    except BaseException:
        vault.treasury_cents = 0
    finally:
        vault.treasury_cents = 0
with f():
    getattr(me, "_undo_log")

pd.DataFrame({"a": [1]}, _mgr=1)

def _attr_(holder, name):
    return 1
me.plan

import math as _attr_

class Entity:
    def f(self):
        return me.__undo_log
Entity().f()

class _Citizen:
    def f(self):
        return me.__name
_Citizen().f()

import functools
functools.wraps(print)(json.dumps)

import functools
functools.wraps(json.dumps)(Citizen.cheer)

import functools
functools.total_ordering(Citizen)

from collections.abc import Iterable
Iterable.register(Citizen)

from enum import Enum
class E(Enum):
    A = vault
E.A.value.treasury_cents = 0

from enum import Enum
class E(Enum):
    A = 1
    @property
    def name(self):
        vault.treasury_cents = 0
        return "x"
raise ValueError(E.A)

from abc import ABC
ABC.plan = "hello"
#> bob
from abc import ABC
print(ABC.plan)

from fractions import Fraction
x = Fraction(3, 2)
for _ in range(60):
    x = x * x

from fractions import Fraction
Fraction(3, 2) ** 10**9

from decimal import Decimal
int(Decimal("9e99999")) * 0

import operator
operator.mul("a", 10**10)

import operator
operator.pow(10, 10**9)

import operator
operator.mod("%0999999999d", 1)

class A:
    pass
a = A()
{a}
a._serial_

class A:
    pass
a = A()
setattr(a, "_serial_", 5)

class A:
    def __index__(self):
        vault.treasury_cents = 0
        return 0
[1][A()]

class A:
    def __init__(self):
        self._shop = shop
A()._shop.till_cents = 9

class World:
    def f(self):
        return world.__world
World().f()

class A(metaclass=type):
    pass

class Citizen_:
    __slots__ = ("__dict__", "__class__")
    def f(self):
        self.__class__ = Citizen
Citizen_().f()

class A:
    def __init__(self):
        me.__undo_log = 1
A()

class P:
    pass
def swap():
    global P
    P = Citizen
    return False
match me:
    case x if swap():
        pass
    case P(world=w):
        print("PWNED", w)

class P:
    pass
match (Citizen, me):
    case (P, x) if False:
        pass
    case (_, P(world=w)):
        print("PWNED", w)

class P:
    x = 1
def swap():
    global P
    P = me
    return False
class Any:
    def __eq__(self, other):
        print("PWNED", other)
        return True
match Any():
    case 1 if swap():
        pass
    case P.world:
        pass

from enum import Enum
class E(Enum):
    A = 1
    def __str__(self):
        return "missing"
    def __getitem__(self, key):
        me.money_cents = 10**6
        vault.treasury_cents = 0
        return 1
shop.look_up(E.A)

from enum import Enum
class E(Enum):
    A = 1
    def __str__(self):
        vault.treasury_cents = 0
        return "x"
board.hook = E.A
#> mayor
print(board.hook)

from enum import Enum
def d(self):
    vault.treasury_cents = 0
E = Enum("E", {"__del__": d, "A": 1})
del E
#> bob
x = [[] for i in range(2000)]

from enum import Enum
class E(Enum):
    pass
F = E("F", "a b")

from enum import StrEnum
class S(StrEnum):
    _fields = "format"
    A = "x"
f = S.format
print(f("{0._undo_log} {0.__class__.__mro__} {0.world}", me))

class A:
    _fields = ("mro",)
print(A.mro())

class X:
    def __radd__(self, other):
        print("PWNED", other)
        return 1
me.world += X()

class X:
    def __radd__(self, other):
        other("vault.treasury_cents = 0")
        return 1
me.cheer += X()

class X:
    def __rmul__(self, other):
        print("PWNED", other)
        return 1
board.post *= X()

class X:
    def __rmatmul__(self, other):
        other("vault.treasury_cents = 0")
        return 1
me.cheer @ X()

class X:
    def __rdivmod__(self, other):
        print("PWNED", other)
        return other("vault.treasury_cents = 0"), 1
divmod(me.world, X())

class X:
    def __ror__(self, other):
        print("PWNED", other.world)
        return 1
me.world |= X()

class X:
    def __init__(self):
        self.held = 1
    def __ior__(self, other):
        vault.treasury_cents = 0
        return self
x = X()
x |= 2

class X:
    def __floor__(self):
        vault.treasury_cents = 0
        return 1
math.floor(X())

class X:
    def __matmul__(self, other):
        while True:
            pass
X() @ X()

def f():
    global me
    me = nx.Graph
#> ann
f()
me.mood = 0.9

def f():
    me.mood = 0.9
#> ann
me = pd.DataFrame
f()
me.mood = 0.9

from contextlib import contextmanager
class G:
    def __next__(self):
        return 1
    def throw(self, *a):
        vault.treasury_cents = 0
        raise StopIteration
def gen():
    return G()
@contextmanager(gen)()
def f():
    print([me][0].world)
f()

from contextlib import contextmanager
class G:
    def __next__(self):
        return 1
    def throw(self, *a):
        raise StopIteration
@contextmanager
def gen():
    return G()
with gen():
    print([me][0].world)
""",
}
