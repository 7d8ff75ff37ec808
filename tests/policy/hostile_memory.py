"""Cells that ask for more memory than a turn may take, by every way that makes much of little."""

PAGE = """
x = "a" * 5_000_000
for i in range(40):
    x = x + x

x = bytes(10 ** 9)

x = [0] * 1_000_000
while True:
    x = x + x

x = "a" * 1_000_000
x.replace("a", x)

",".join(["a" * 1_000_000] * 10_000)

"{0}{0}{0}{0}".format("a" * 5_000_000) * 1 + "{0}{0}{0}{0}{0}{0}{0}{0}{0}{0}{0}{0}".format("a" * 5_000_000)

("{0}" * 10_000).format("a" * 100_000)

("%(a)s" * 10_000) % {"a": "b" * 100_000}

x = ["a" * 1_000_000] * 5_000
f"{x}"

x = ["a" * 1_000_000] * 5_000
"%s" % (x,)

repr(["a" * 1_000_000] * 5_000)

print(*["a" * 5_000_000] * 500)

json.dumps(["a" * 190_000] * 100_000)

re.sub("a", "b" * 1_000_000, "a" * 1_000_000)

("a" * 1_000_000).translate({97: "b" * 1_000_000})

"a".center(10 ** 9)

"a".zfill(10 ** 9)

f"{1:>{10 ** 9}}"

"%*d" % (10 ** 9, 1)

format(1, "0" + "9" * 9)

x = b"a" * 1_000_000
while True:
    x = x.hex().encode()

[list(range(1_000_000)) for _ in range(1_000)]

{i: [0] * 1_000_000 for i in range(1_000)}

(lambda *rest: rest)(*itertools.repeat(0, 1_900_000), *itertools.repeat(0, 10 ** 9))

list(itertools.repeat(1))

sorted(itertools.count())

list(itertools.product(range(1_000), repeat=3))

list(itertools.permutations(range(12)))

list(itertools.combinations(range(40), 20))

dict.fromkeys(range(10_000_000))

set(range(10_000_000))

x = [1]
x.extend(itertools.repeat(1))

x = [1]
x += itertools.repeat(1)

collections.deque(itertools.repeat(1))

x = collections.deque([1])
x *= 10 ** 9

x = collections.Counter("a")
x["a"] = 10 ** 10
list(x.elements())

[*zip(*[range(1_000_000)] * 100)]

sum([[0] * 1_000_000] * 1_000, [])

import functools
functools.reduce(lambda a, b: a + b, ["a" * 1_000_000] * 1_000)

from itertools import accumulate
list(accumulate(["a" * 1_000_000] * 1_000))

x = 3
while True:
    x *= x

x = 3
while True:
    x = x ** 2

1 << 10 ** 10

10 ** 10 ** 10

math.prod([10 ** 300] * 100_000)

math.lcm(*range(1, 100_000))

math.comb(10 ** 9, 10 ** 8)

math.factorial(10 ** 9)

int("9" * 4_000) ** 4_000

[np.zeros(1_000_000) + i for i in range(1_000)]

np.zeros((1, 10_000_000)) + np.zeros((1_000, 1))

np.zeros(10 ** 12)

np.ones((10 ** 6, 10 ** 6))

np.full(10_000_000, "a" * 60)

np.arange(10_000_000).astype("U60")

np.repeat(np.arange(1_000), 10 ** 7)

np.tile(np.arange(1_000), 10 ** 7)

np.meshgrid(*[np.arange(100)] * 6)

np.outer(np.arange(10 ** 5), np.arange(10 ** 5))

np.linspace(0, 1, 10 ** 10)

np.arange(0, 1, 1e-12)

np.eye(10 ** 6)

np.diag(np.ones(10 ** 5))

np.stack([np.arange(5_000_000)] * 50)

np.random.normal(size=10 ** 10)

np.array([10], dtype=object) ** 10 ** 9

np.power(np.array([10], dtype=object), 10 ** 9)

np.array([1], dtype=object) << 10 ** 10

np.prod(np.array([10 ** 4_000] * 100_000, dtype=object))

np.array([10 ** 4_000] * 100_000, dtype=object).cumprod()

pd.Series([10 ** 4_000] * 100_000, dtype=object).prod()

np.array(["a"], dtype=object) * 10 ** 10

pd.Series(["a"]) * 10 ** 10

pd.Series([[1]]) * 10 ** 9

pd.date_range("2000", periods=10 ** 9)

pd.date_range("1900", "2100", freq="s")

pd.DataFrame(0, index=range(10_000_000), columns=range(100))

pd.DataFrame({"a": [1] * 100_000}).merge(pd.DataFrame({"a": [1] * 100_000}), on="a")

x = pd.DataFrame({"a": range(100_000)})
x.merge(x, how="cross")

x = pd.DataFrame({"a": range(20_000), "b": range(20_000), "c": 1})
x.pivot_table(index="a", columns="b")

pd.Series([1, 2], pd.to_datetime(["1800-01-01", "2200-01-01"])).resample("s").sum()

pd.DataFrame({"a": [1, 2]}).reindex(range(10 ** 8))

x = pd.DataFrame({"a": ["x"]})
while True:
    x = pd.concat([x, x])

g = nx.Graph()
g.add_nodes_from(itertools.count())

random.choices([1], k=10 ** 9)

random.randbytes(10 ** 9)

random.getrandbits(10 ** 10)
"""
