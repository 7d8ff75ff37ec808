"""Hostile cells that try what is ordinary in Python: functions' attributes, getters, descriptors."""

PAGES = {
    "attributes of functions": """
def f(): pass
f.__code__ = (lambda: 1).__code__

def f(): pass
setattr(f, "__globals__", {})

def f(): pass
f.x = f.__globals__

def f(): pass
f.__wrapped__ = world

math.sqrt.note = 1

len.note = 1

me.cheer.note = 1

Citizen.cheer.note = 1

weather_of.note = 1

apply_to_each.calls = 0

def f(): pass
f._attr_ = 1

def f(): pass
f._serial_ = 1

def f(): pass
f.held = (n for n in range(3))
#> ann
next(f.held)

def f(): pass
f.held = world
f.who = vault
#> ann
f.who.treasury_cents = 0

def mark(f):
    f.is_numbering = True
    f.own = len
    return f
class A:
    @mark
    def __hash__(self):
        vault.treasury_cents = 0
        return 1
s = {A()}
#> ann
len(s)

def f(): pass
f.__isabstractmethod__ = True

from functools import wraps
@wraps(world.remove)
def f(): pass
f.__wrapped__("bob")

from functools import wraps
@wraps(np.mean)
def f(): pass
f.__dict__

def f(): pass
f.note = 1
np.vectorize(f)

def f(): return 1
f.__name__ = "_attr_"

def f(n): return n
f.pipe = f.__class__
f.pipe("x", (), {})
""",
    "getters of operator": """
from operator import attrgetter
attrgetter("__class__.__mro__")(me)

from operator import attrgetter
attrgetter("_undo_log.world")(me)

from operator import attrgetter
attrgetter("cheer.__func__.__globals__")(me)

from operator import attrgetter
attrgetter("_get")(attrgetter("mood"))

from operator import methodcaller
methodcaller("_get", me, "_undo_log")(methodcaller("x"))

from operator import attrgetter
g = attrgetter("_undo_log")
#> ann
g(me)

from operator import methodcaller
g = methodcaller("remove", "bob")
#> ann
g(world)

from operator import attrgetter
list(map(attrgetter("__globals__"), [lambda: 1]))

from operator import attrgetter
attrgetter(".".join(["real"] * 10 ** 6))(1)

from operator import attrgetter
attrgetter("kept_as.__self__._get")(attrgetter("x"))

from operator import setitem
setitem(shop.stock, "bread", 0)

from operator import setitem, delitem
delitem(vault.entries, 0)

from operator import iadd
iadd(vault.entries, [{"paid": 2}])

from operator import imul
imul([0], 10 ** 9)

from operator import ipow
ipow(10, 10 ** 9)

from operator import ilshift, lshift
lshift(1, 10 ** 9)

from operator import imod
imod("%99999999d", 1)

from operator import iadd
iadd.func("No such", 1, 2)

from operator import indexOf
import itertools
indexOf(itertools.repeat(1), 2)

from operator import countOf
import itertools
countOf(itertools.cycle([1]), 1)
""",
    "descriptors and dispatch": """
from functools import cached_property
cached_property(world.remove)

from functools import cached_property
class C:
    x = cached_property(len)

from functools import cached_property
class C:
    @cached_property
    def x(self):
        return 1
C.x._function.__globals__

from functools import cached_property
class C:
    @cached_property
    def x(self):
        vault.treasury_cents = 0
C().x

from functools import cached_property
class C:
    @cached_property
    def __dict__(self):
        return 1

from functools import cached_property
@cached_property
def x(self):
    return self._undo_log
Citizen.x = x

from functools import cached_property
def f(self):
    while True: pass
class C:
    x = cached_property(f)
C().x

from functools import cached_property
class C:
    @cached_property
    def x(self):
        return (n for n in range(3))
c = C()
c.x

from functools import partialmethod
class C:
    f = partialmethod(world.remove, "bob")
C().f()

from functools import partialmethod
class C:
    def g(self, who): return who._undo_log
    f = partialmethod(g, me)
C().f()

from functools import partialmethod
class C:
    def g(self, x): return x
    f = partialmethod(g, 1)
C().f.func.__func__.__globals__

from functools import singledispatch
@singledispatch
def f(x): pass
f.register(int, world.remove)
f._default.__globals__

from functools import singledispatch
@singledispatch
def f(x): pass
f.register(str, world.remove)
f("bob")

from functools import singledispatch
singledispatch(world.remove)("bob")

from functools import singledispatch
@singledispatch
def f(x): return f(x)
f(1)

from functools import singledispatch
@singledispatch
def f(x): pass
f.dispatch(int).__code__

from functools import singledispatch
@singledispatch
def f(x): pass
f._made.registry

from functools import singledispatch
@singledispatch
def f(x): pass
@f.register
def _(x: vault.__class__): pass

from functools import singledispatch
@singledispatch
def f(x): pass
f._dispatches_ = 1
@world.register
def g(x: int): pass

from functools import singledispatch
@singledispatch
def f(x): pass
@f.register
def _(x: Citizen):
    x.money_cents = 10 ** 6
f(bob)

from functools import singledispatchmethod
class C:
    @singledispatchmethod
    def f(self, x): return self.f.args
C().f(1).__self__

from functools import lru_cache
@lru_cache(None)
def f(n): return [n] * 10 ** 6
for n in range(10 ** 6): f(n)

from functools import lru_cache
@lru_cache
def f(n): return n
f.cache_parameters.__self__

from functools import lru_cache
lru_cache(world.remove).cache_info.__self__
""",
}
