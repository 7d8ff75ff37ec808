"""Hostile cells of what answers otherwise than it is: to a bound, to somebody else's turn, or in another process.

The rules that they stand for: a number and a text answer for themselves; what all hold takes data; an error says the
same everywhere; one call in C takes no longer than a moment.
"""

PAGES = {
    "numbers and texts that answer otherwise": """
from enum import IntEnum
class N(IntEnum):
    A = 10**6
    def bit_length(self):
        return 0
N.A ** 10**7

from enum import IntEnum
class N(IntEnum):
    A = -10**9
    def __abs__(self):
        return 0
round(10**20, N.A)

from enum import IntEnum
class N(IntEnum):
    A = 10**8
    def __gt__(self, other):
        return False
math.factorial(N.A)

from enum import IntEnum
class N(IntEnum):
    A = 10**9
    def __int__(self):
        return 0
[0] * N.A

from enum import StrEnum
class T(StrEnum):
    A = "ab"
    def __len__(self):
        return 0
T.A * 10**9

from enum import IntEnum
class N(IntEnum):
    A = 10**9
    def __gt__(self, other):
        return False
"a".ljust(N.A), (1).to_bytes(N.A), 1 << N.A

from enum import IntEnum
class N(IntEnum):
    A = 20_000
    def __mul__(self, other):
        return 0
    __rmul__ = __mul__
np.eye(N.A)

from enum import IntEnum
class N(IntEnum):
    A = 128
    def __and__(self, other):
        return 0
re.compile("a[bc]", N.A)

from enum import StrEnum
class T(StrEnum):
    A = "999999999"
    def __iter__(self):
        return iter("1")
format(1, T.A)

from enum import StrEnum
class T(StrEnum):
    A = "%c"
    def __contains__(self, x):
        return False
format(datetime.date(2020, 1, 1), T.A)

from enum import StrEnum
class T(StrEnum):
    A = "ij,kl,mn->"
    def partition(self, sep):
        return ("", "", "")
np.einsum(T.A, np.ones((2000, 2000)), np.ones((2000, 2000)), np.ones((2000, 2000)))

from enum import StrEnum
class T(StrEnum):
    A = "ij,kl,mn->"
T.partition = lambda self, sep: ("", "", "")
np.einsum(T.A, np.ones((2000, 2000)), np.ones((2000, 2000)), np.ones((2000, 2000)))

from enum import StrEnum
class T(StrEnum):
    A = "ij,kl,mn->"
T.A.partition = lambda sep: ("", "", "")
np.einsum(T.A, np.ones((2000, 2000)), np.ones((2000, 2000)), np.ones((2000, 2000)))

from enum import StrEnum
class T(StrEnum):
    A = "ij,kl,mn->"
    def __init__(self, value):
        self.partition = lambda sep: ("", "", "")
np.einsum(T.A, np.ones((2000, 2000)), np.ones((2000, 2000)), np.ones((2000, 2000)))

from enum import IntEnum
class N(IntEnum):
    A = 10**6
setattr(N.A, "bit_length", lambda: 0)
N.A ** 10**7

from enum import IntEnum
class N(IntEnum):
    A = 10**6
    @property
    def bit_length(self):
        return lambda: 0
N.A ** 10**7

from enum import IntEnum
from functools import cache
class N(IntEnum):
    A = 10**8
    @cache
    def __gt__(self, other):
        return False
math.factorial(N.A)
""",
    "code left in what all hold": """
class E:
    def __eq__(self, other):
        bob.mood = 0.1
        return False
board.lines.append(E())
#> bob
"x" in board.lines
assert me.mood == 0.5 and not board.lines

board.lines.append(lambda: bob.notes.clear())
#> bob
assert [f() for f in board.lines] == []

x = board.lines
await team["ann"].run("board.lines")
x[:] = [print]
#> bob
assert board.lines == []

x = board.lines
x.append("a note")
x.append([("a", lambda: 1)])
x.append({"k": [lambda: 1]})
x.append({lambda: 1: 1})
1 / 0
#> bob
assert board.lines == ["a note", [], {"k": []}, {}]

import collections
board.lines.append(collections.defaultdict(lambda: bob.notes.clear()))
board.lines.append(collections.Counter("aab"))
board.lines.append({1, (3, print)})
#> bob
assert board.lines == [collections.Counter("aab"), {1}]

x = board.lines
x.append(x)
x.append(lambda: 1)
#> bob
assert len(board.lines) == 1

board.tags.add(lambda: 1)
#> bob
assert sorted(board.tags) == ["new", "old"]

board.pairs[0][1].add(print)
board.pairs[0][1].add(5)
#> bob
assert [*board.pairs[0][1]] == [3, 5]

board.queue[0].append(lambda: 1)
#> bob
assert [*board.queue[0]] == [1]

x = []
for _ in range(9000):
    x = [x]
board.lines.append(x)
#> bob
assert len(str(board.lines)) < 100
""",
    "errors that list sets": """
names = ["oak", "ash", "elm", "fir", "yew", "bay"]
try:
    pd.DataFrame({"b": [1]}).groupby("b")[names]
except KeyError as error:
    print(error, error.args)

import io
names = ["oak", "ash", "elm", "fir", "yew", "bay"]
pd.read_csv(io.StringIO("a,b"), usecols=names)

names = ["oak", "ash", "elm", "fir", "yew", "bay"]
try:
    pd.DataFrame({"b": [1]}).drop_duplicates(names)
except KeyError as error:
    me.plan = str(error)

names = ["oak", "ash", "elm", "fir", "yew", "bay"]
pd.Categorical(names).add_categories(names)

pd.Categorical(["a"]).remove_categories(["oak", "ash", "elm", "fir"])

try:
    nx.to_numpy_array(nx.path_graph(3), nodelist=["oak", "ash", "elm", "fir"])
except nx.NetworkXError as error:
    me.plan = f"{error}"

nx.to_numpy_array(nx.path_graph(3), nodelist=[("oak", 1), ("ash", 2), ("elm", 3), ("fir", 4)])

class Kept:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        me.plan = str(error)
        return True
with Kept():
    pd.Categorical(["oak", "ash", "elm"]).add_categories(["oak", "ash", "elm"])
""",
    "one call that goes on and on": """
np.roots(np.ones(5000))

p = np.poly1d(np.ones(1000))
(p * p * p * p * p).roots

p = np.poly1d(np.ones(1000))
(p * p * p * p * p).r

p = np.polynomial.Polynomial(np.ones(1000))
(p * p * p * p * p).roots()

import unicodedata
unicodedata.normalize("NFD", "a" + chr(0x301) * 300_000 + chr(0x327) * 300_000)

pd.Series([(chr(0x301) + chr(0x327)) * 200_000]).str.normalize("NFC")

pd.DataFrame(np.ones((3000, 3000))).corr()

pd.DataFrame(np.ones((3000, 3000))).cov()

pd.DataFrame(np.ones((1000, 1000))).corr("kendall")

pd.DataFrame(np.ones((1000, 1000))).corr(method="spearman")
""",
    "groups of errors without end": """
error = ValueError("x")
for _ in range(2000):
    error = ExceptionGroup("a", [error])
raise error

error = ValueError("x")
for _ in range(60):
    error = ExceptionGroup("a", [error, error])
raise error

error = ValueError("x")
for _ in range(60):
    error = ExceptionGroup("a", [error, error])
try:
    raise error
except ExceptionGroup as caught:
    me.mood = 0.9
""",
}
