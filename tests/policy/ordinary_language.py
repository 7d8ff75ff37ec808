# ruff: noqa: E501, ISC004 -- a cell a line reads best
"""Ordinary Python that models write by habit: private names, context managers, enums, abstract classes, patterns."""

LANGUAGE: list[tuple[str, object]] = [
    (
        "class A:\n    pass\na = A()\nsetattr(a, '', 3)\ngetattr(a, ''), getattr(world, '', 7), hasattr(me, ''), hasattr([], ''), getattr(np, '', 4)",
        (3, 7, False, False, 4),
    ),
    (
        "def told(text, *args):\n    try:\n        return text.format(*args)\n    except ValueError as error:\n        return str(error)\n"
        "told('{.real}, {} and {[0]:>{}}', 3, 'a', 'bc', 4), told('{.}', 3), told('{} {0}', 1), told('{0} {.real}', 1)",
        (
            "3, a and    b",
            "Empty attribute in format string",
            "cannot switch from automatic field numbering to manual field specification",
            "cannot switch from manual field specification to automatic field numbering",
        ),
    ),
    (
        "import sys\nfor i in range(5, sys.maxsize):\n    if i > 7:\n        break\nfor j in range(10 ** 30, 0, -(10 ** 29)):\n    pass\n"
        "i, j == 10 ** 29, next(n for n in range(2, 10 ** 30) if n % 97 == 0), [n for n in range(*[2, 4])], [n for n in range(3)]",
        (8, True, 97, [2, 3], [0, 1, 2]),
    ),
    (
        "def told(code):\n    try:\n        return code()\n    except TypeError as error:\n        return str(error)\n"
        "def none():\n    for _ in range():\n        pass\ndef text():\n    return [n for n in range('a')]\ntold(none), told(text)",
        ("range expected at least 1 argument, got 0", "'str' object cannot be interpreted as an integer"),
    ),
    ("range = lambda n: [n, n]\n[n for n in range(5)]", [5, 5]),
    (
        "from functools import reduce\nset.union(*[{1}, {2}]), set.intersection(*map(set, ['abc', 'cde'])), sorted(reduce(frozenset.union, map(frozenset, ['a', 'b']))), set.issubset({1}, {1, 2})",
        ({1, 2}, {"c"}, ["a", "b"], True),
    ),
    (
        "from collections import Counter, deque\nx, d, queue = [3, 1], {1: 2}, deque([1])\nlist.sort(x)\nlist.append(x, 5)\ndict.update(d, {3: 4})\ndeque.append(queue, 2)\n"
        "x, d, list(queue), dict.get(d, 1), list(dict.items(d)), list.index(x, 3), list.count([1, 1], 1), tuple.index((1, 2), 2), bytes.decode(b'a'), Counter.most_common(Counter('aab'), 1)",
        ([1, 3, 5], {1: 2, 3: 4}, [1, 2], 2, [(1, 2), (3, 4)], 1, 2, 1, "a", [("a", 2)]),
    ),
    (
        "import datetime\nlist(map(list.copy, [[1]])), list(map(str.format, ['{}!', '{:.1f}'], ['a', 2.0])), list(map(datetime.date.isoformat, [datetime.date(2024, 2, 1)])), list(map(str.zfill, ['7'], [3]))",
        ([[1]], ["a!", "2.0"], ["2024-02-01"], ["007"]),
    ),
    (
        "list.append(me.notes, 'new')\nset.add(me.tags, 'tall')\ndict.update(me.counts, walks=2)\nme.notes[-1], 'tall' in me.tags, me.counts['walks']",
        ("new", True, 2),
    ),
    (
        "def told(function, *args):\n    try:\n        return function(*args)\n    except TypeError as error:\n        return str(error)\n"
        "told(set.union, [1]), told(list.sort), repr(set.union), set.union == set.union, set.union == set.copy, type(list.sort).__name__, dict.get.__name__",
        (
            "descriptor 'union' for 'set' objects doesn't apply to a 'list' object",
            "unbound method list.sort() needs an argument",
            "<method 'union' of 'set' objects>",
            *(True, False, "method_descriptor", "get"),
        ),
    ),
    (
        "table = pd.DataFrame({'k': [1, 1, 2], 'v': [3, 3, 4]})\ntable.groupby('k')['v'].agg(pd.Series.mode).tolist(), table.apply(pd.Series.nunique).tolist(), [int(each) for each in map(np.ndarray.sum, [np.arange(3)])]",
        ([3, 4], [2, 2], [3]),
    ),
    ("from __future__ import annotations\nx: int = 1\nx", 1),
    (
        "isinstance(range(3), range), isinstance([], range), type(range(3)) is range, list(map(range, [2]))",
        (True, False, True, [range(2)]),
    ),
    (
        "__author__, __all__ = 'Ann', ['double']\n__version__: str = '1.0'\ndef __twice(x):\n    return x * 2\ndef double(x):\n    return __twice(x)\ndouble(2), __version__, __all__",
        (4, "1.0", ["double"]),
    ),
    (
        'def half(x):\n    """\n    >>> half(4)\n    2\n    """\n    return x // 2\nif __name__ == \'__main__\':\n    import doctest\n    doctest.testmod(optionflags=doctest.ELLIPSIS)\nhalf(4)',
        2,
    ),
    (
        "class Outer:\n    class Inner:\n        def __init__(self):\n            self.__x = 3\nOuter.Inner()._Inner__x",
        3,
    ),
    ("class _:\n    def __init__(self):\n        self.__x = 3\n_().__x", 3),
    ("class Sign:\n    __version__ = '2'\nsign = Sign()\nsign.__note = 'x'\nSign.__version__, sign.__note", ("2", "x")),
    ("class Box:\n    __slots__ = ('size',)\nbox = Box()\nbox.size, box.note = 1, 'any'\nbox.note", "any"),
    ("def _helper(x):\n    return x + 1\n_helper(2)", 3),
    (
        "class Cart:\n    _made = 0\n    def __init__(self):\n        self._items = []\n    def _add(self, x):\n        self._items.append(x)\n"
        "    def go(self):\n        self._add(1)\n        self._made += 1\n        return self._items, self._made\n_cart = Cart()\n_cart.go()",
        ([1], 1),
    ),
    (
        "class Node:\n    pass\nnode = Node()\nsetattr(node, '_next', 3)\ngetattr(node, '_next'), hasattr(node, '_back')",
        (3, False),
    ),
    (
        "from abc import ABC, abstractmethod\nclass Shape(ABC):\n    @abstractmethod\n    def area(self): ...\nclass Square(Shape):\n    def area(self):\n        return 4\nSquare().area()",
        4,
    ),
    (
        "from enum import Enum, auto\nclass Colour(Enum):\n    RED = auto()\n    BLUE = 2\n    def small(self):\n        return self.name.lower()\n"
        "[each.value for each in Colour], Colour.RED.small(), Colour['BLUE'] is Colour(2), str(Colour.RED)",
        ([1, 2], "red", True, "Colour.RED"),
    ),
    (
        "from enum import IntEnum\nclass Level(IntEnum):\n    LOW = 1\n    HIGH = 2\nLevel.HIGH > Level.LOW, sorted({Level.HIGH, Level.LOW})[0].name",
        (True, "LOW"),
    ),
    (
        "from dataclasses import dataclass\n@dataclass\nclass Point:\n    x: int\n    y: int = 0\nmatch Point(1, 2):\n    case Point(x=1, y=height):\n        found = height\nfound",
        2,
    ),
    (
        "from enum import Enum\nclass Colour(Enum):\n    RED = 1\nmatch Colour.RED:\n    case Colour.RED:\n        found = 'red'\nfound",
        "red",
    ),
    (
        "class Guarded:\n    def __enter__(self):\n        return 5\n    def __exit__(self, kind, error, trace):\n        return kind is ValueError\nwith Guarded() as five:\n    raise ValueError('x')\nfive",
        5,
    ),
    ("from contextlib import suppress\nwith suppress(KeyError):\n    {}['a']\n'on'", "on"),
    (
        "from contextlib import contextmanager\n@contextmanager\ndef lent():\n    yield 3\nwith lent() as three:\n    pass\nthree",
        3,
    ),
    (
        "import functools\n@functools.total_ordering\nclass Card:\n    def __init__(self, rank):\n        self.rank = rank\n    def __eq__(self, other):\n        return self.rank == other.rank\n    def __lt__(self, other):\n        return self.rank < other.rank\nCard(3) >= Card(2)",
        True,
    ),
    ("import random\nrandom.seed(42)\n0 <= random.random() < 1", True),
    (
        "from collections.abc import Iterable\nimport collections.abc\nisinstance([1], Iterable), isinstance(1, collections.abc.Iterable)",
        (True, False),
    ),
    ("hash('a') == hash('a'), hash(5)", (True, 5)),
    (
        "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass Box(Generic[T]):\n    def __init__(self, value: T):\n        self.value = value\nBox(3).value",
        3,
    ),
    ("import operator, functools\noperator.mul(3, 4), functools.reduce(operator.mul, [1, 2, 3])", (12, 6)),
    (
        "class Money:\n    def __init__(self, cents):\n        self.cents = cents\n    def __rmul__(self, times):\n        return Money(self.cents * times)\n    def __abs__(self):\n        return abs(self.cents)\n    def __mod__(self, other):\n        return self.cents % other\nabs(2 * Money(-3)), Money(7) % 4",
        (6, 3),
    ),
    (
        "class V:\n    def __init__(self, *x):\n        self.x = x\n    def __matmul__(self, other):\n        return sum(a * b for a, b in zip(self.x, other.x))\n    def __rmatmul__(self, other):\n        return 'r'\n    def __divmod__(self, n):\n        return self.x[0] // n, self.x[0] % n\n    def __ior__(self, other):\n        self.x += (other,)\n        return self\n    def __itruediv__(self, n):\n        self.x = tuple(a / n for a in self.x)\n        return self\n    def __floor__(self):\n        return min(self.x)\nimport math\nv = V(7, 2)\nfound = [v @ V(1, 1), 3 @ v, divmod(v, 3), math.floor(v)]\nv |= 5\nv /= 2\n(*found, v.x)",
        (9, "r", (2, 1), 2, (3.5, 1.0, 2.5)),
    ),
    (
        "from datetime import UTC, datetime, timedelta, timezone\nhere = timezone(timedelta(hours=2))\nmoment = datetime(2020, 1, 1, tzinfo=UTC)\nmoment.astimezone(here).isoformat(), moment.tzinfo is timezone.utc, here.utcoffset(moment) == moment.astimezone(here).utcoffset(), f'{moment:%H:%M}'",
        ("2020-01-01T02:00:00+02:00", True, True, "00:00"),
    ),
    (
        "import datetime as dt\none = dt.datetime.fromisoformat('2020-01-01T00:00+02:00')\none.timestamp(), dt.datetime(2020, 1, 1).timestamp() - one.timestamp(), dt.datetime.fromtimestamp(0).isoformat(), dt.datetime.fromtimestamp(0, dt.timezone(dt.timedelta(hours=1))).isoformat()",
        (1577829600.0, 7200.0, "1970-01-01T00:00:00", "1970-01-01T01:00:00+01:00"),
    ),
    ("import heapq\nheap = [3, 5]\nheapq.heapify(heap)\nheapq.heappushpop(heap, 4)", 3),
    (
        "try:\n    raise TimeoutError('late')\nexcept (TimeoutError, OSError) as error:\n    found = str(error)\nfound",
        "late",
    ),
    (
        "from collections import namedtuple\nPoint = namedtuple('Point', 'x y')\nPoint(1, 2)._replace(x=5)._asdict()",
        {"x": 5, "y": 2},
    ),
    ("a = {'n': [1]}\na['n'] *= 3\na['n']", [1, 1, 1]),
    ("row = [7, 8]\nrow[0] %= 4\nrow[1] **= 2\nrow", [3, 64]),
    (
        "kinds = {'name': str, 'age': int}\nisinstance('x', kinds['name']), kinds['name'](5), type('x') is str, type('x') == kinds['name']",
        (True, "5", True, True),
    ),
    ("list(map(str, [1, 2])), sorted([10, 9], key=str), isinstance('a', (int, str))", (["1", "2"], [10, 9], True)),
    ("str.upper('a'), ' '.join(map(str.title, ['ann', 'bob']))", ("A", "Ann Bob")),
    ("def shout(str):\n    return str.upper()\nshout('a')", "A"),
    (
        "seen = set()\nclass Step:\n    def __init__(self, n):\n        self.n = n\nfor n in (3, 1, 2):\n    seen.add(Step(n))\n[each.n for each in seen]",
        [1, 2, 3],
    ),
    (
        "import datetime\nf'{datetime.date(2020, 5, 1):%d %B %Y} {0.256:.1%} {datetime.datetime(2020, 5, 1).strftime(\"%H:%M\")}'",
        "01 May 2020 25.6% 00:00",
    ),
    (
        "class Vault:\n    __slots__ = ('x',)\n    __made = 0\n    def __init__(self):\n        self.__items = [1]\n    def __count(self):\n        return len(self.__items)\n    def look(self):\n        return self.__count() + self.__made\nVault().look()",
        1,
    ),
    ("from abc import ABCMeta\nclass A(metaclass=ABCMeta):\n    x = 2\nA().x", 2),
    (
        "a = b = np.eye(2)\na @= [[1, 2], [3, 4]]\nclass Path:\n    def __init__(self):\n        self.steps = []\n    def __imatmul__(self, step):\n        self.steps.append(step)\n        return self\npath = start = Path()\npath @= 'left'\nb.tolist(), start.steps, path is start",
        ([[1.0, 2.0], [3.0, 4.0]], ["left"], True),
    ),
]
