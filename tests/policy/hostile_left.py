"""Hostile cells of what a turn leaves: objects and hooks that act when it is over.

The rule that they stand for: what is kept is data or a cell's own code, made anew in its own agent's turns.
"""

PAGES = {
    "what is left for other turns": """
def g():
    try:
        yield 1
    finally:
        try:
            yield 2
        finally:
            me.mood = 0.9
kept = g()
next(kept)
#> bob
x = 1
#> ann
kept.close()
del kept

def g():
    try:
        yield 1
    except GeneratorExit:
        vault.treasury_cents = 0
kept = g()
next(kept)
kept.close()

def g():
    try:
        yield 1
    except BaseException:
        me.mood = 0.9
kept = g()
next(kept)
kept.throw(SystemExit)

def g():
    try:
        yield 1
    finally:
        while True:
            pass
kept = g()
next(kept)
kept.close()

def g():
    try:
        vault.treasury_cents = 0
    finally:
        yield 1
kept = g()
next(kept)
kept.close()

from contextlib import suppress
def g():
    with suppress(BaseException):
        yield 1
    vault.treasury_cents = 0
    me.mood = 0.9
kept = g()
next(kept)
del kept
print(me.mood)

from contextlib import suppress, contextmanager
@contextmanager
def cm():
    try:
        yield 1
    except BaseException:
        me.mood = 0.9
    finally:
        me.mood = 0.8
def g():
    with cm():
        yield 1
    me.mood = 0.7
kept = g()
next(kept)
del kept
#> bob
print(ann.mood)

class CM:
    def __enter__(self):
        return self
    def __exit__(self, *a):
        me.mood = 0.9
        return True
def g():
    with CM():
        yield
    me.mood = 0.8
kept = g()
next(kept)
#> bob
print(ann.mood)
#> ann
del kept
print(me.mood)

def g():
    for x in h():
        yield x
def h():
    try:
        yield 1
        yield 2
    except GeneratorExit if False else Exception:
        me.mood = 0.9
    else:
        me.mood = 0.8
    finally:
        me.mood = 0.7
kept = g()
next(kept)
kept.close()
print(me.mood)

async def f():
    try:
        await other()
    finally:
        vault.treasury_cents = 0
async def other():
    return 1
kept = f()
#> bob
x = 1

async def agen():
    try:
        yield 1
    finally:
        me.mood = 0.9
kept = agen()
a = kept
#> bob
x = 1

class L:
    def __init__(self, f):
        self.f = f
    def __eq__(self, o):
        me.mood = 0.9
        return True
    def __hash__(self):
        me.mood = 0.9
        return 1
    def __lt__(self, o):
        me.mood = 0.9
        return True
    def __repr__(self):
        me.mood = 0.9
        return "L"
    def __len__(self):
        me.mood = 0.9
        return 1
    def __iter__(self):
        me.mood = 0.9
        return iter([1])
    def __bool__(self):
        me.mood = 0.9
        return True
kept = L(1)
others = [kept, {1: kept}, (kept,)]
#> bob
print(ann.mood)
#> ann
1 / 0
#> bob
print(ann.mood)

class L(Exception):
    def __init__(self):
        me.mood = 0.9
kept = KeyError("a")
kept.add_note("x")
try:
    raise kept
except KeyError as e:
    again = e
#> ann
raise again
#> ann
raise kept from again

r = rng.random
print(r())
#> ann
print(r(), rng.random())
#> bob
print(rng.random())

r = rng
d = rng.choice
p = print
s = me.notes.append
b = shop.buy
w = world
c = clock
u = str.upper
q = board.post
#> ann
p(r.random(), d([1, 2, 3]))
s("a")
print(b(me, "bread"), u("a"), c.time_s, q("x"), len(board.lines))
print(me.notes)
#> ann
p(r.random(), d([1, 2, 3]))

def counter():
    n = 0
    def f():
        nonlocal n
        n += 1
        return n
    return f
f = counter()
print(f())
#> ann
print(f())
1 / 0
#> ann
print(f())

import functools
calls = []
@functools.lru_cache(2)
def f(x):
    calls.append(x)
    return x * 2
print(f(1), calls)
#> ann
print(f(1), calls)
#> ann
print(f(1), f(2), f(3), calls)
1 / 0
#> ann
print(f(1), f(2), calls)

class A:
    n = 0
    seen = []
    def go(self):
        A.n += 1
        A.seen.append(A.n)
        return A.n
a = A()
print(a.go())
#> ann
a.go()
1 / 0
#> ann
print(a.go(), A.seen, type(a) is A, isinstance(a, A))

def f(x, seen=[]):
    seen.append(x)
    return seen
f(1)
#> ann
print(f(2))
1 / 0
#> ann
f.calls = 1
print(f(3), f.calls)
#> ann
print(f(4), f.calls)

it = iter([1, 2, 3])
print(next(it))
#> ann
print(next(it))
1 / 0
#> ann
print(list(it))

z = zip([1, 2, 3], itertools.count())
m = map(str, [1, 2, 3])
e = enumerate("abc")
print(next(z), next(m), next(e))
#> ann
print(next(z), next(m), next(e))

a = np.arange(6)
v = a[:3]
w = a.reshape(2, 3)
t = pd.DataFrame({"a": [1, 2, 3]})
s = t["a"]
l = [1]
shared = {"x": l, "y": l}
#> ann
v[0] = 99
w[1, 1] = 77
l.append(5)
print(a, w, shared)
#> ann
print(a, v, w, shared, t, s)

a = me.grid
b = me.grid
a[0] = 5
c = me.grid[1:]
c[0] = 7
#> ann
a[1] = 9
c[1] = 8
print(me.grid, a, b, c)
#> ann
print(me.grid, a, b, c)
""",
}
