"""Hostile cells of what answers otherwise than it is: to a bound, to somebody else's turn, or in another process.

The rules that they stand for: a number and a text answer for themselves; what all hold takes data; how a container is
written follows what it is handed, not what that does meanwhile; an error says the same everywhere; one call in C takes
no longer than a moment.
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

x = []
for _ in range(9000):
    x = [x]
board.lines.append(x)
#> bob
assert len(str(board.lines)) < 100
""",
    "containers written by what they are handed": """
class S:
    def keys(self):
        me.counts["in"] = 1
        return ["a", "b"]
    def __getitem__(self, key):
        me.counts.clear()
        return len(me.counts) + 1
me.counts.update(S())
me.counts |= S()

def g():
    yield ("a", 1)
    me.counts["b"] = 7
    yield ("c", "no number")
try:
    me.counts.update(g())
except Exception:
    pass

def g():
    yield "a"
    me.notes.clear()
    yield "b"
    me.notes.append("c")
    yield 5
for write in (me.notes.extend, lambda items: me.notes.__iadd__ if False else me.notes.extend(items)):
    try:
        write(g())
    except Exception:
        pass
try:
    me.notes[:] = g()
except Exception:
    pass
try:
    me.notes[::2] = g()
except Exception:
    pass

me.notes = ["c", "a", "b"]
def key(x):
    me.notes.clear()
    return x
me.notes.sort(key=key)

me.notes = ["c", "a", "b"]
class K:
    def __init__(self, x):
        self.x = x
    def __lt__(self, other):
        me.notes = ["new"]
        me.notes.append("q")
        return self.x < other.x
n = me.notes
n.sort(key=K)

me.notes = ["c", "a", "b"]
class K:
    def __init__(self, x):
        self.x = x
    def __lt__(self, other):
        1 / 0
try:
    me.notes.sort(key=K)
except ZeroDivisionError:
    pass

class E:
    def __eq__(self, other):
        me.notes.clear()
        return True
    def __hash__(self):
        return 1
me.notes = ["c", "a", "b"]
try:
    me.notes.remove(E())
except ValueError:
    me.notes.append("d")

class E:
    def __init__(self, text):
        self.text = text
    def __eq__(self, other):
        me.tags.clear()
        me.tags.add("new")
        return True
    def __hash__(self):
        return hash(self.text)
me.tags.discard(E("kind"))
me.tags -= {E("new")}

class E:
    def __eq__(self, other):
        me.counts.clear()
        return True
    def __hash__(self):
        return hash("walks")
try:
    me.counts.pop(E())
except KeyError:
    me.counts["after"] = 1

def f():
    me.friends.clear()
    yield bob
    me.friends.append(bob)
    yield 5
try:
    me.friends[:] = f()
except Exception:
    pass

me.notes[len(me.notes):] = (me.notes.append("x") or str(i) for i in range(3))

me.memory = {"a": [1]}
inner = me.memory["a"]
me.memory["a"] = [2]
inner.append("gone")
me.memory = {"b": inner}
inner.append("late")

me.memory = [[1], [2]]
a = me.memory[0]
me.memory[0], me.memory[1] = me.memory[1], me.memory[0]
a.append(5)
me.memory.append(a)
a.append(6)
me.memory.pop(0)

me.memory = [[]]
x = me.memory[0]
x.append(me.memory)
x += [me.memory]
me.memory.append([x])

class B:
    def __bool__(self):
        vault.entries.clear()
        return True
print(1 if B() else 2)

apply_to_each([{"paid": 5}], vault.entries.append)

vault.entries.sort(key=lambda entry: entry.clear())

sorted(shop.guests, key=shop.guests.remove)
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
}
