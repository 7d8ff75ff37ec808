"""Hostile cells that try what is ordinary in Python: named tuples with methods, flags."""

PAGES = {
    "named tuples with methods": """
from typing import NamedTuple
class P(NamedTuple):
    x: int
    def __eq__(self, other):
        return True

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def __iter__(self):
        while True:
            yield 1

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def __hash__(self):
        return 1

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def __getitem__(self, i):
        return me

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def _make(self):
        return 1

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def count(self):
        return 1

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def f(self):
        return self.__class__.__mro__
P(1).f()

from typing import NamedTuple
class P(NamedTuple):
    x: int
P._make.__func__.__globals__

from typing import NamedTuple
class P(NamedTuple):
    x: int = 3
P._fields = ("__class__",)

from typing import NamedTuple
class P(NamedTuple):
    x: int = 3
P._field_defaults["y"] = 4
#> ann
P()

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def __repr__(self):
        while True: pass
me.memory = P(1)

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def __repr__(self):
        vault.treasury_cents = 0
        return "P"
shop.look_up(P(1))

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def __repr__(self):
        vault.treasury_cents = 0
        return "P"
shop.buy(me, P(1))

from typing import NamedTuple
class P(NamedTuple):
    x: int
    @property
    def y(self):
        vault.treasury_cents = 0
shop.look_up([{"a": (P(1),)}])

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def __str__(self):
        vault.treasury_cents = 0
        return "P"
me.notes = [P(1)]

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def __str__(self):
        vault.treasury_cents = 0
        return "P"
me.memory = P(1)
#> mayor
print(world["ann"].memory, type(world["ann"].memory))

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def __lt__(self, other):
        vault.treasury_cents = 0
        return True
kept = {P(2), P(1)}
#> ann
kept

from typing import NamedTuple
class P(NamedTuple):
    x: object
    def show(self):
        return 1
me.memory = [P(P)]

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def f(self):
        return 1
P.f = lambda self: 2
P.__slots__ = ()

from typing import NamedTuple
class P(NamedTuple):
    x: int
match me:
    case P(_undo_log=found):
        print(found)

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def f(self): return 1
match P(1):
    case P(f=found):
        print(found.__func__)

from typing import NamedTuple
class P(NamedTuple):
    _x: int

from typing import NamedTuple
class P(NamedTuple, Citizen):
    x: int
""",
    "flags and their members": """
from enum import Flag
Flag("F", "A B")

from enum import IntFlag
class F(IntFlag):
    A = 1
F("G", "A B")

from enum import IntFlag
class F(IntFlag):
    A = 1
F(1 << 10 ** 9)

from enum import IntFlag
class F(IntFlag):
    A = 1
x = F(2 ** 19_000)
#> ann
len(list(x)), x * x

from enum import Flag
class F(Flag):
    A = 1
F.A._value_ = 2

from enum import Flag
class F(Flag):
    A = 1
setattr(F.A, "_value_", 2)

from enum import Flag
class F(Flag):
    A = 1
F.A.value = 2

from enum import Flag
class F(Flag):
    A = 1
F._value2member_map_

from enum import Flag
class F(Flag):
    A = 1
    @classmethod
    def _missing_(cls, value):
        return me
F(9)

from enum import Flag
class F(Flag):
    A = 1
me.memory = F.A

from enum import Enum
class E(Enum):
    A = 1
    def __init__(self, n):
        self._name_ = "x"

from enum import Enum
class E(Enum):
    A = 1
    def __init__(self, n):
        vault.treasury_cents = 0

from enum import Enum
class E(Enum):
    A = 1
    def __init__(self, n):
        me.memory = self
        me.memory = lambda: 1

from enum import Flag
class F(Flag):
    A = 1
    B = 2
x = F.A | F.B
#> ann
x.__class__.__mro__

from enum import IntFlag, auto
class F(IntFlag):
    A = auto()
[0] * F(10 ** 9)

from enum import Enum
class E(Enum):
    A = 1
    def __init__(self, n):
        shop.look_up(self)
    def __str__(self):
        vault.treasury_cents = 0
        return "E"

from enum import Enum
class E(Enum):
    A = 1
    def __init__(self, n):
        self.n = {self}
        board.post(self)
    def __str__(self):
        vault.treasury_cents = 0
        return "E"
""",
}
