"""Hostile cells that try the language: to reach what Python keeps behind attributes, calls, frames and classes."""

PAGES = {
    "attribute walks": """
print(().__class__.__base__.__subclasses__())

print(me.__dict__)

print(me._undo_log.world)

print(shop.buy.__globals__["__builtins__"])

print(shop.buy.__wrapped__)

print((lambda: 0).__code__.co_consts)

print(math.sqrt.__self__)

me.world.seed = 3

print(me.world._undo_log)

me.id = "bob"

print(shop.world.execute("vault.treasury_cents = 0"))

me._name = "bob"

me.__class__ = Vault

del me._undo_log

print(world._world._undo_log)
""",
    "format strings": """
print("{0.__class__.__mro__}".format(me))

print("{0._undo_log}".format(me))

print("{a.__init__.__globals__}".format(a=shop))

print("{x[__builtins__]}".format_map({"x": me}))

f = "{0.__class__}".format
print(f(me))

print(f"{me.__class__}")

print("%(x)s" % {"x": me._undo_log})

print(str.format("{0._world}", me))

print("{0.world.seed}".format(me))

print("{0.buy.__globals__}".format(shop))

print("{:{}}".format("x", 99999999))
""",
    "getattr indirection": """
print(getattr(me, "world"))

print(getattr(me, "__class__"))

print(getattr(me, "_led" + "ger"))

setattr(me, "_name", "bob")

setattr(vault, "treasury_cents", 0)

delattr(me, "mood")

class Name(str):
    pass
print(getattr(me, Name("_undo_log")))

print(list(map(getattr, [me], ["__dict__"])))

print(vars(me), dir(me), globals(), locals())

print(object.__getattribute__(me, "_undo_log"))

print(next(getattr(me, name) for name in ["_undo_log"]))

print(hasattr(me, "_undo_log"), me.__getattribute__("_undo_log"))
""",
    "call indirection": """
print([eval][0]("1+1"))

exec("vault.treasury_cents = 0")

compile("1", "x", "exec")

list(map(__import__, ["os"]))

@exec
def attack():
    return "import os"

sorted(["import os"], key=exec)

print(functools.partial(open, "canary", "w")())

from functools import partial, reduce
print(reduce(partial(getattr), ["__class__"], me))

breakpoint()
""",
    "frames, tracebacks, generators": """
try:
    1 / 0
except ZeroDivisionError as error:
    print(error.__traceback__.tb_frame.f_back.f_globals)

g = (x for x in [1])
print(g.gi_frame.f_back)

def f():
    yield 1
print(f().gi_code)

try:
    me.nothing
except AttributeError as error:
    print(error.obj._undo_log)

async def c():
    return 1
print(c().cr_frame)

try:
    nothing
except NameError as error:
    print(error.with_traceback(None).__context__)

def f():
    yield 1
f().throw(ValueError)

def leak():
    try:
        yield 1
    finally:
        vault.treasury_cents = 0
g = leak()
next(g)
#> bob
x = 1
""",
    "types, metaclasses, descriptors": """
Make = type(int)
Evil = Make("Evil", (Citizen,), {"hack": lambda self: 1})

Evil = type("Evil", (object,), {"__del__": lambda self: 1})

Kind = type(Citizen)
Kind("Evil", (Citizen,), {})

class Evil(Citizen):
    def hack(self):
        self.money_cents = 10**6
world.add("evil", Evil())

class Evil(list):
    pass

class Evil(metaclass=type):
    pass

class Evil:
    def __getattribute__(self, name):
        return 1

class Evil:
    def __del__(self):
        vault.treasury_cents = 0

class Evil:
    __slots__ = ("_undo_log",)

class Evil:
    def __init_subclass__(cls):
        pass

class Evil:
    def __set_name__(self, owner, name):
        print(owner)

class Evil(type(shop.stock)):
    pass

super = lambda: vault
super().__init__()

super = lambda: shop.guests
super().__init__(["h"], None)

super = lambda: world
super().__init__(me)

class A:
    def __init__(self):
        super(Citizen, me).__setattr__("money_cents", 10**9)
A()

print(super(Citizen, me).observe())

F = type(lambda: 0)
F(F, {})

type(np.zeros(1))((1000,))

np.ndarray((1000,), dtype="u1")
""",
    "pattern matching": """
match me:
    case object(__class__=kind):
        print(kind)

match me:
    case Citizen(_undo_log=ledger):
        print(ledger)

match 3:
    case {me.mood: found}:
        print(found)

match me:
    case Citizen(money_cents, mood):
        print(money_cents)

match {"a": 1}:
    case {**__builtins__}:
        pass

match 1:
    case _tick_:
        pass
""",
    "scoping, walrus": """
_attr_ = lambda holder, name: None

(_tick_ := 1)

def f(_attr_=1):
    return me.mood

lambda _write_: 1

global __builtins__
__builtins__ = {}

for _getattr_ in [1]:
    pass

[_tick_ for _tick_ in [1]]

import math as _attr_

__name__ = "datetime"

try:
    1 / 0
except Exception as _attr_:
    pass

ann = vault
ann.treasury_cents = 0

getattr = lambda holder, name: 1
isinstance = lambda value, kind: True
print(getattr(me, "_undo_log"))
vault.treasury_cents = 1

＿attr＿ = 1

me.ｍood = 2
""",
    "exception groups": """
try:
    vault.treasury_cents = 0
except* Exception:
    pass

raise ExceptionGroup("x", [ValueError()])

raise BaseException

try:
    vault.treasury_cents = 0
except BaseException:
    pass

try:
    vault.treasury_cents = 0
except (ValueError, GeneratorExit):
    pass

try:
    vault.treasury_cents = 0
except:
    pass
me.mood = 0.9
""",
    "exceptions that tell": """
class Told(Exception):
    def __str__(self):
        vault.treasury_cents = 0
        return "told"
raise Told()

class Told(Exception):
    def __str__(self):
        while True:
            pass
raise Told()

class Arg:
    def __repr__(self):
        vault.treasury_cents = 0
        return "arg"
raise KeyError(Arg())

class Arg:
    def __str__(self):
        vault.treasury_cents = 0
        return "arg"
raise ValueError(Arg())

me.mood = 0.9
raise NameError("x", name=5)

class Arg:
    def __hash__(self):
        vault.treasury_cents = 0
        return 1
raise NameError("x", name=Arg())

raise ValueError(chr(0xD800) + chr(0x1B) + "[31m")

class Init(Exception):
    def __init__(self):
        self.args = 5
raise Init

raise ImportError("os")

raise 5
""",
    "deletion": """
del vault

del shop.stock

del vault.entries[0]

del me.mood

del print
print(1)

del __builtins__

del shop.stock["bread"]
""",
}
