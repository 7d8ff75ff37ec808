# ruff: noqa: E501 -- what is too deep for a parser is long
"""Hostile cells that try the limits: time, memory, depth, output, and what differs from run to run."""

PAGES = {
    "CPU loops": """
while True:
    pass

for x in iter(int, 1):
    pass

for x in itertools.count():
    pass

sum(itertools.count())

list(itertools.cycle([1]))

max(itertools.repeat(1))

def f():
    return f()
f()

def g():
    while True:
        yield 1
sum(g())

x = [1]
for each in x:
    x.append(each)

x = [1]
x.extend(map(str, x))

class Forever:
    def __getitem__(self, key):
        return key
list(Forever())

class Forever:
    def __iter__(self):
        return self
    def __next__(self):
        return 1
sorted(Forever())

[1 for a in range(10**6) for b in range(10**6)]

range(10**12)

math.factorial(10**7)

math.comb(10**8, 5 * 10**7)

round(1, -10**8)

re.match("(a+)+$", "a" * 60 + "b")

any(x == 2 for x in itertools.repeat(1))

functools.reduce(lambda a, b: a, itertools.count())

await team["ann"].run("while True: pass")
await team["ann"].run("while True: pass")

for _ in range(100):
    await team["ann"].run("for _ in range(20_000): pass")
""",
    "memory": """
"a" * 10**12

x = [0] * 10**9

x = "a"
x *= 10**6
x *= 10**6
x *= 10**6

2 ** (2 ** 40)

pow(9, 10**9)

x = 3
for _ in range(60):
    x = x ** 2

x = 3
for _ in range(60):
    x **= 2

x = 3
for _ in range(99):
    x *= x

1 << 10**10

"%99999999d" % 1

"%*d" % (10**8, 1)

f"{1:999999999}"

w = 9999
f"{1:{w}{w}}"

class W:
    def __str__(self):
        return "99999999"
f"{1:{W()}}"

format(1, "999999999")

"{:999999999}".format(1)

"a".ljust(10**10)

"a".center(10**10)

"1".zfill(10**10)

"\\t".expandtabs(10**10)

np.zeros((10**6, 10**6))

np.arange(10**12)

np.tile(np.zeros(10**6), 10**6)

np.outer(np.zeros(10**6), np.zeros(10**6))

collections.deque([1]) * 10**9

list(itertools.product(range(1000), repeat=5))
""",
    "recursion, parser": """
x = 1
for _ in range(100_000):
    x = [x]
print(x)

x = 1
for _ in range(5000):
    x = [x]
me.memory = x

json.loads("[" * 100_000)

((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))

x = -------------------------------------------------------------------------------------------------------------------------1

def f(n):
    return f(n + 1)
try:
    f(0)
except RecursionError:
    f(0)

class Deep:
    def __repr__(self):
        return repr(self)
print(Deep())

class Deep:
    def __eq__(self, other):
        return self == other
Deep() == Deep()

re.compile("(" * 5000)

it = iter([])
for _ in range(20_000):
    it = filter(None, it)
del it

f = lambda: 0
for _ in range(20_000):
    f = (lambda g: lambda: g)(f)
del f

it = iter([1])
for _ in range(20_000):
    it = (x for x in it)
list(it)
""",
    "output floods": """
while True:
    print("x" * 1000)

print("x" * 5_000_000)

"x" * 4_000_000

print(*range(100_000))

print("\\x1b[2J\\x07\\r", chr(0x9B), chr(0xD800), chr(0x202E))

raise ValueError("x" * 4_000_000)

print("a", end="b" * 1_000_000, sep="c", file=board)
""",
    "exits": """
exit()

quit(1)

raise SystemExit

import sys
sys.exit(1)

raise KeyboardInterrupt

raise GeneratorExit

raise StopIteration

os._exit(1)

import signal
signal.alarm(0)

import threading

import multiprocessing
""",
    "timeout evasion": """
def take_turn():
    xs = list(range(100000))
    while True:
        sorted(xs, key=str)
take_turn()

while True:
    try:
        while True:
            pass
    except Exception:
        pass

while True:
    try:
        while True:
            pass
    finally:
        continue

def f():
    try:
        while True:
            pass
    finally:
        return 1
while True:
    f()

while True:
    try:
        try:
            sum(range(3_000_000))
        finally:
            1 / 0
    except Exception:
        pass

while True:
    try:
        try:
            sum(range(3_000_000))
        except (1 / 0):
            pass
    except Exception:
        pass

class Loop:
    def __iter__(self):
        return self
    def __next__(self):
        try:
            sum(range(3_000_000))
        finally:
            raise StopIteration
while True:
    for x in Loop():
        pass

def g():
    while True:
        try:
            yield sum(range(3_000_000))
        except ValueError:
            pass
for x in g():
    pass

for _ in range(30):
    await team["ann"].run("while True: sum(range(3_000_000))")

class Slow:
    def __lt__(self, other):
        return sum(range(3_000_000)) < 0
sorted([Slow() for _ in range(1000)])

[sum(range(3_000_000)) for _ in range(10_000)]

class Evil:
    @property
    def trap(self):
        try:
            while True:
                sum(range(3_000_000))
        finally:
            raise AttributeError("trap")
e = Evil()
while True:
    getattr(e, "trap", 0)

while True:
    hasattr(me, "x") and sum(range(3_000_000))
    sum(range(3_000_000))
""",
    "non-determinism": """
print(id(me))

print(hash("abc"))

print(list({"a", "b", "c", "d", "e"}))

print([x for x in frozenset(["x", "y", "z", "w"])])

print(list({"a": 1, "b": 2, "c": 3}.keys() & ["c", "a", "b"]))

print(list({"a": 1, "b": 2, "c": 3}.keys() - ["z"]))

print(list({"a": 1, "b": 2}.items() | {("q", 1), ("r", 2)}))

print([list(part) for part in nx.connected_components(vault.streets)])

print(list(nx.descendants(nx.DiGraph([("a", "b"), ("b", "c"), ("b", "d")]), "a")))

print(list(vault.streets.subgraph(["d", "c", "b"]).nodes))

print(nx.betweenness_centrality(vault.streets, k=2))

print(lambda: 0)

print(repr(print), f"{print}", "%s" % print, "{}".format(print), format(print))

print([object()], (x for x in [1]))

me.plan = str(object())

me.plan = f"{(lambda: 0)}"

import time
print(time.time())

import random
print(random.random(), rng.random(), rng.choice(["a", "b"]), random.sample(range(100), 3))

print(random.SystemRandom().random())

print(census.sample(2))

print(np.empty(5))

print(np.random.random())

class A:
    pass
print(A(), [A()])

print(set(["b", "a", "c"]).union(["d"]), {"x", "y"} | {"z"}, {"p", "q"} ^ {"r"})

tags = me.tags
print(list(tags), [tag for tag in tags], tags.pop())

for name in set(world):
    print(name)

print(clock.now.timestamp())

print(me.tags - {"kind"}, {*me.tags}, max(set("hello")))

print(json.dumps(sorted(set("hello"))), "".join(set("hello")), dict.fromkeys(set("hello")))

print(pd.Series(list(set("hello"))).tolist(), np.array(list({"b", "a"})).tolist())

def f(*names):
    return names
print(f(*{"x", "y", "z"}), [*{"k", "l", "m"}], tuple(frozenset("world")))

a, b, *rest = {"one", "two", "three", "four"}
print(a, b, rest)

print(collections.Counter(set("hello")).most_common(2), list(zip({"u", "v"}, {"s", "t"})))
""",
}
