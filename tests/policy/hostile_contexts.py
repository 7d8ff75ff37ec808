"""Hostile cells that try what is ordinary in Python: stacks of contexts, groups of errors."""

PAGES = {
    "stacks of contexts": """
from contextlib import ExitStack
with ExitStack() as s:
    s.push(lambda *a: True)
    vault.treasury_cents = 0

from contextlib import ExitStack
with ExitStack() as s:
    s.push(lambda *a: True)
    while True: pass

from contextlib import ExitStack
def again():
    s.callback(again)
with ExitStack() as s:
    s.callback(again)

from contextlib import ExitStack
class Swallow:
    def __enter__(self): return self
    def __exit__(self, *_): return True
with ExitStack() as s:
    s.enter_context(Swallow())
    s.callback(lambda: setattr(vault, "treasury_cents", 0))
me.mood = 0.1

from contextlib import ExitStack
with ExitStack() as s:
    s.push(lambda *a: True)
    s.callback(world.remove, "bob")
me.mood = 0.1

from contextlib import ExitStack
s = ExitStack()
s.callback(world.remove, "bob")
#> ann
s.close()

from contextlib import ExitStack
ExitStack().enter_context(me)

from contextlib import ExitStack
ExitStack().push(vault)

from contextlib import ExitStack
s = ExitStack()
s._exits

from contextlib import ExitStack
def f():
    return f()
with ExitStack() as s:
    s.push(lambda *a: True)
    f()
me.mood = 0.1

from contextlib import ExitStack
with ExitStack() as s:
    s.push(lambda *a: me.__setattr__)
    1 / 0

from contextlib import closing
with closing(world): pass

from contextlib import closing
with closing(shop): pass

from contextlib import closing
with closing(db): pass

from contextlib import suppress
with suppress(BaseException):
    vault.treasury_cents = 0
me.mood = 0.1

from contextlib import suppress
s = suppress(BaseException)
#> ann
with s:
    while True: pass

from contextlib import suppress
with suppress(RecursionError, MemoryError):
    def f(): return f()
    f()
me.mood = 0.1

from contextlib import redirect_stdout
with redirect_stdout(me): print(1)

from contextlib import redirect_stdout
class W:
    def write(self, text):
        vault.treasury_cents = 0
with redirect_stdout(W()): print(1)

from contextlib import redirect_stdout
import io
out = io.StringIO()
with redirect_stdout(out):
    while True: print("x" * 10 ** 5)

from contextlib import redirect_stdout
import io
def g():
    with redirect_stdout(io.StringIO()):
        yield 1
x = next(g())
#> bob
print("seen")

from contextlib import redirect_stdout
import io
out = io.StringIO()
with redirect_stdout(out):
    print(object(), lambda: 1)
me.plan = out.getvalue()

from contextlib import nullcontext
with nullcontext(vault) as v:
    v.treasury_cents = 0
""",
    "groups of errors": """
try:
    vault.treasury_cents = 0
except* BaseException:
    pass
me.mood = 0.1

try:
    while True: pass
except* BaseException:
    me.mood = 0.1

try:
    raise ExceptionGroup("g", [ValueError()])
except* ValueError:
    vault.treasury_cents = 0
me.mood = 0.1

try:
    try:
        raise ExceptionGroup("g", [ValueError()])
    except* ValueError:
        vault.treasury_cents = 0
except BaseException:
    me.mood = 0.1

try:
    try:
        raise ExceptionGroup("g", [ValueError()])
    except* ValueError:
        while True: pass
except BaseException:
    me.mood = 0.1

def f(): return f()
try:
    f()
except* RecursionError:
    me.mood = 0.1

def f(): return f()
try:
    try:
        raise ExceptionGroup("g", [ValueError()])
    except* ValueError:
        f()
except ExceptionGroup:
    me.mood = 0.1

try:
    raise ValueError()
except* ValueError as _held1_:
    pass

try:
    raise ValueError()
except* ValueError as _attr_:
    pass

try:
    raise ValueError()
except* ValueError:
    _held1_.rest

try:
    raise ValueError()
except* (vault, me):
    pass

try:
    1 / 0
except* setattr(vault, "treasury_cents", 0):
    pass

class G(ExceptionGroup):
    def derive(self, errors):
        return me
raise G("g", [ValueError()])

ExceptionGroup("g", [ValueError()]).__class__

ExceptionGroup("g", [ValueError()]).split(lambda e: setattr(vault, "treasury_cents", 0))

def loop(e):
    while True: pass
ExceptionGroup("g", [ValueError()]).split(loop)

g = ValueError()
for _ in range(5000):
    g = ExceptionGroup("g", [g])
repr(g)

g = ValueError()
for _ in range(5000):
    g = ExceptionGroup("g", [g])
raise g

g = ValueError()
for _ in range(5000):
    g = ExceptionGroup("g", [g])
try:
    raise g
except* ValueError:
    me.mood = 0.1

g = ExceptionGroup("g", [ValueError(me), KeyError(vault)])
#> ann
g.exceptions[1].args[0].treasury_cents = 0

try:
    raise ExceptionGroup("g", [ValueError()])
except* ValueError as e:
    e.__traceback__.tb_frame

raise ExceptionGroup("g", [ValueError("x" * 10 ** 6)] * 10 ** 4)

class E(Exception):
    def __str__(self):
        while True: pass
raise ExceptionGroup("g", [E()])

BaseExceptionGroup("g", [KeyboardInterrupt()])

for _ in range(3):
    try:
        raise ValueError()
    except* ValueError:
        continue
""",
}
