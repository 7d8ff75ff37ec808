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
""",
}
