# ruff: noqa: E501 -- a cell a line reads best
"""What language models and students write with Python's own modules, each with what its last line shows."""

EXACT: list[tuple[str, object]] = [
    ("from decimal import Decimal\nstr(Decimal('0.1') + Decimal('0.2'))", "0.3"),
    (
        "from decimal import Decimal, ROUND_HALF_UP\nstr(Decimal('2.675').quantize(Decimal('0.01'), rounding=ROUND_HALF_UP))",
        "2.68",
    ),
    (
        "from decimal import Decimal, getcontext\ngetcontext().prec = 30\nstr(Decimal(2).sqrt())",
        "1.41421356237309504880168872421",
    ),
    (
        "from decimal import Decimal, localcontext\nwith localcontext() as ctx:\n    ctx.prec = 5\n    third = Decimal(1) / 3\nstr(third), str(Decimal(1) / 3)",
        ("0.33333", "0." + "3" * 28),
    ),
    (
        "from decimal import Decimal\nprices = [Decimal('1.10'), Decimal('2.20')]\nf'{sum(prices):.2f} {max(prices)} {sum(prices) / len(prices)}'",
        "3.30 2.20 1.65",
    ),
    (
        "from decimal import Decimal, InvalidOperation\ntry:\n    Decimal('ten')\nexcept InvalidOperation:\n    found = 'no number'\nfound",
        "no number",
    ),
    (
        "from decimal import Decimal, DivisionByZero\ntry:\n    Decimal(1) / 0\nexcept DivisionByZero as error:\n    found = str(error)\nfound",
        "division by zero",
    ),
    (
        "from decimal import Decimal\nround(Decimal('3.14159'), 2) == Decimal('3.14'), int(Decimal('7.9')), float(Decimal('0.5'))",
        (True, 7, 0.5),
    ),
    (
        "from decimal import Decimal\nisinstance(Decimal(1), Decimal), type(Decimal(1) + 1).__name__, Decimal('1.50').normalize() == 1.5",
        (True, "Decimal", True),
    ),
    (
        "from decimal import Decimal\ntotal = Decimal(0)\nfor price in ('19.99', '5.01'):\n    total += Decimal(price) * 2\nstr(total)",
        "50.00",
    ),
    (
        "import decimal\nstr(decimal.Decimal(10) ** -2), decimal.Decimal('1E+3').adjusted(), decimal.Decimal('-2').copy_abs() == 2",
        ("0.01", 3, True),
    ),
    (
        "from decimal import Decimal\nmatch Decimal('2'):\n    case Decimal() as two:\n        found = str(two)\nfound",
        "2",
    ),
    ("from fractions import Fraction\nstr(Fraction(1, 3) + Fraction(1, 6))", "1/2"),
    (
        "from fractions import Fraction\nhalf = Fraction('0.5')\nhalf.numerator, half.denominator, float(half), half == 0.5",
        (1, 2, 0.5, True),
    ),
    (
        "from fractions import Fraction\nstr(Fraction(3.14159).limit_denominator(100)), str(Fraction(3, 4) ** 2), str(2 ** Fraction(3))",
        ("311/99", "9/16", "8"),
    ),
    (
        "from fractions import Fraction\nshares = [Fraction(1, n) for n in (2, 3, 6)]\nsum(shares) == 1, str(max(shares)), sorted(shares)[0].denominator",
        (True, "1/2", 6),
    ),
    (
        "from fractions import Fraction\nfrom decimal import Decimal\nstr(Fraction(Decimal('1.5'))), isinstance(1 / Fraction(2), Fraction), round(Fraction(7, 2))",
        ("3/2", True, 4),
    ),
    (
        "from fractions import Fraction\nimport statistics\nstr(statistics.mean([Fraction(1, 2), Fraction(1, 3)]))",
        "5/12",
    ),
    ("from decimal import Decimal\nimport statistics\nstr(statistics.mean([Decimal('1.1'), Decimal('2.2')]))", "1.65"),
    (
        "import statistics\ntry:\n    statistics.mean([])\nexcept statistics.StatisticsError:\n    found = 'nothing'\nfound",
        "nothing",
    ),
    (
        "import statistics\nround(statistics.stdev([2, 4, 4, 5]), 3), statistics.median([3, 1, 2]), statistics.mode('aab'), statistics.quantiles([1, 2, 3, 4], n=2)",
        (1.258, 2, "a", [2.5]),
    ),
    (
        "import numbers\nfrom fractions import Fraction\nisinstance(3, numbers.Integral), isinstance(2.5, numbers.Real), isinstance(Fraction(1), numbers.Rational)",
        (True, True, True),
    ),
    ("import math\nmath.isclose(math.gamma(5), 24), round(math.cbrt(27), 9), math.comb(5, 2)", (True, 3.0, 10)),
    ("n = 115792089237316195423570985008687907853269984665640564039457584007908834671663\nn % 1000", 663),
]
QUEUES: list[tuple[str, object]] = [
    (
        "from queue import Queue\nwaiting = Queue()\nfor name in ('ann', 'bob'):\n    waiting.put(name)\nwaiting.get(), waiting.qsize(), waiting.empty()",
        ("ann", 1, False),
    ),
    (
        "from queue import PriorityQueue\ntasks = PriorityQueue()\ntasks.put((2, 'sweep'))\ntasks.put((1, 'cook'))\ntasks.get()[1]",
        "cook",
    ),
    (
        "from queue import LifoQueue, Empty\nstack = LifoQueue(maxsize=2)\nstack.put(1)\nstack.put(2)\nstack.full(), stack.get(), stack.get_nowait(), stack.empty()",
        (True, 2, 1, True),
    ),
    (
        "import queue\nq = queue.Queue()\ntry:\n    q.get_nowait()\nexcept queue.Empty:\n    found = 'empty'\nfound",
        "empty",
    ),
    (
        "from queue import Queue\ngraph = {1: [2, 3], 2: [4], 3: [4], 4: []}\nseen, order, todo = {1}, [], Queue()\ntodo.put(1)\nwhile not todo.empty():\n    node = todo.get()\n    order.append(node)\n    for near in graph[node]:\n        if near not in seen:\n            seen.add(near)\n            todo.put(near)\norder",
        [1, 2, 3, 4],
    ),
    ("import heapq\nlist(heapq.merge([1, 4], [2, 3])), heapq.nsmallest(2, [5, 1, 3])", ([1, 2, 3, 4], [1, 3])),
    (
        "import heapq\ngraph = {'a': {'b': 1, 'c': 4}, 'b': {'c': 2}, 'c': {}}\ndistance, heap = {'a': 0}, [(0, 'a')]\nwhile heap:\n    far, node = heapq.heappop(heap)\n    for near, step in graph[node].items():\n        if far + step < distance.get(near, float('inf')):\n            distance[near] = far + step\n            heapq.heappush(heap, (far + step, near))\ndistance",
        {"a": 0, "b": 1, "c": 3},
    ),
    (
        "import bisect\nscores = [10, 20, 30]\nbisect.insort(scores, 25)\nbisect.bisect_left(scores, 25), scores",
        (2, [10, 20, 25, 30]),
    ),
    (
        "edges = {frozenset(('ann', 'bob')): 3}\nedges[frozenset(('bob', 'ann'))], frozenset('ab') in {frozenset('ba')}",
        (3, True),
    ),
    (
        "group = frozenset([3, 1, 2])\nlist(group), len(group | {4}), group & {1, 9} == {1}, isinstance(group, frozenset)",
        ([1, 2, 3], 4, True, True),
    ),
    (
        "from collections import OrderedDict\nseen = OrderedDict(a=1, b=2)\nseen.move_to_end('a')\nlist(seen)",
        ["b", "a"],
    ),
    (
        "from collections import Counter\nwords = Counter('the cat the dog'.split())\nwords.update(['cat'])\n[w for w, _ in words.most_common(2)], sum(words.values())",
        (["the", "cat"], 5),
    ),
    (
        "from collections import deque\ntrail = deque(maxlen=3)\nfor step in range(5):\n    trail.append(step)\ntrail.rotate(1)\nlist(trail)",
        [4, 2, 3],
    ),
    (
        "_MISSING = object()\ndef get(d, key, default=_MISSING):\n    if key in d:\n        return d[key]\n    if default is _MISSING:\n        raise KeyError(key)\n    return default\nget({}, 'a', 5)",
        5,
    ),
]
COPIES: list[tuple[str, object]] = [
    (
        "import copy\nclass Board:\n    def __init__(self):\n        self.cells = [[0] * 2 for _ in range(2)]\n    def after(self, x, y):\n        board = copy.deepcopy(self)\n        board.cells[x][y] = 1\n        return board\nstart = Board()\nstart.after(0, 1).cells, start.cells",
        ([[0, 1], [0, 0]], [[0, 0], [0, 0]]),
    ),
    (
        "import copy\nrow = [0]\ngrid = [row, row]\ntwin = copy.deepcopy(grid)\ntwin[0].append(1)\ntwin, grid",
        ([[0, 1], [0, 1]], [[0], [0]]),
    ),
    (
        "from copy import copy\nclass Bag:\n    pass\nbag = Bag()\nbag.items = [1]\nother = copy(bag)\nother.items is bag.items, other is bag",
        (True, False),
    ),
    (
        "import copy\nfrom dataclasses import dataclass, field\n@dataclass\nclass Node:\n    name: str\n    near: list = field(default_factory=list)\na = Node('a')\na.near.append(a)\nb = copy.deepcopy(a)\nb.near[0] is b, b.name",
        (True, "a"),
    ),
    ("import copy\nmine = copy.deepcopy(me.counts)\nmine['walks'] += 5\nmine['walks'] - me.counts['walks']", 5),
    (
        "import copy\ncopy.deepcopy((1, [2])), copy.copy({1, 2}), copy.deepcopy({'a': {'b': [1]}})",
        ((1, [2]), {1, 2}, {"a": {"b": [1]}}),
    ),
    (
        "from dataclasses import dataclass, replace\n@dataclass(frozen=True)\nclass Stop:\n    name: str\n    minutes: int = 0\nreplace(Stop('park'), minutes=4).minutes",
        4,
    ),
]
CLASSES: list[tuple[str, object]] = [
    (
        "from typing import NamedTuple\nclass Stop(NamedTuple):\n    name: str\n    minutes: int = 5\nStop('park').minutes, Stop('a', 1)._replace(minutes=2).minutes",
        (5, 2),
    ),
    (
        "from typing import TypedDict\nclass Note(TypedDict):\n    text: str\n    hour: int\nNote(text='hi', hour=3)['hour']",
        3,
    ),
    (
        "from typing import Callable, Optional, TypeVar\nT = TypeVar('T')\nScore = Callable[[float], float]\nMaybe = Optional[int]\nVector = list[float]\ndef best(items: list[T], key: Score) -> T:\n    return max(items, key=key)\nbest([1, 3, 2], lambda x: -x)",
        1,
    ),
    ("Number = int | float\nisinstance(2.5, Number), isinstance('x', Number)", (True, False)),
    (
        "class Dog:\n    def __repr__(self):\n        return f'{self.__class__.__name__}()'\nrepr(Dog()), Dog().__class__ is Dog",
        ("Dog()", True),
    ),
    (
        "from enum import Enum\nclass Words(Enum):\n    ONES = {0: ''}\n    TEENS = {0: 'ten'}\nWords.TEENS.value[0]",
        "ten",
    ),
    (
        "from enum import Enum\nclass Meal(Enum):\n    LUNCH = ['soup', 12]\n    DINNER = ['stew', 18]\n    SUPPER = DINNER\nMeal.SUPPER.name, Meal.DINNER.value[1]",
        ("DINNER", 18),
    ),
    (
        "from functools import wraps\ndef logged(function):\n    @wraps(function)\n    def inner(*args, **kwargs):\n        return function(*args, **kwargs) + 1\n    return inner\n@logged\ndef twice(x):\n    'Double it.'\n    return 2 * x\ntwice(3), twice.__name__, twice.__doc__",
        (7, "twice", "Double it."),
    ),
    (
        "from functools import partial, lru_cache, reduce\n@lru_cache(maxsize=128)\ndef steps(n):\n    return 1 if n < 2 else steps(n - 1) + steps(n - 2)\nadd = partial(lambda a, b: a + b, 10)\nsteps(20), add(5), reduce(lambda a, b: a * b, [1, 2, 3, 4])",
        (10946, 15, 24),
    ),
    (
        "from contextlib import contextmanager\nlog = []\n@contextmanager\ndef noted(name):\n    log.append('in ' + name)\n    yield name.upper()\n    log.append('out ' + name)\nwith noted('a') as upper:\n    log.append(upper)\nlog",
        ["in a", "A", "out a"],
    ),
    (
        "class Stack:\n    def __init__(self):\n        self._items = []\n    def push(self, item):\n        self._items.append(item)\n    def pop(self):\n        return self._items.pop()\n    def __len__(self):\n        return len(self._items)\ns = Stack()\ns.push(1)\ns.push(2)\ns.pop(), len(s)",
        (2, 1),
    ),
    (
        "class Vector:\n    def __init__(self, x, y):\n        self.x, self.y = x, y\n    def __add__(self, other):\n        return Vector(self.x + other.x, self.y + other.y)\n    def __eq__(self, other):\n        return (self.x, self.y) == (other.x, other.y)\nVector(1, 2) + Vector(3, 4) == Vector(4, 6)",
        True,
    ),
    (
        "class Tree:\n    def __init__(self, value, left=None, right=None):\n        self.value, self.left, self.right = value, left, right\n    def walk(self):\n        if self.left:\n            yield from self.left.walk()\n        yield self.value\n        if self.right:\n            yield from self.right.walk()\nlist(Tree(2, Tree(1), Tree(3)).walk())",
        [1, 2, 3],
    ),
    (
        "class Thermostat:\n    def __init__(self):\n        self._celsius = 20\n    @property\n    def celsius(self):\n        return self._celsius\n    @celsius.setter\n    def celsius(self, value):\n        if value > 40:\n            raise ValueError('too hot')\n        self._celsius = value\nt = Thermostat()\nt.celsius = 21\nt.celsius",
        21,
    ),
    (
        "class Shape:\n    def area(self):\n        raise NotImplementedError\nclass Square(Shape):\n    def __init__(self, side):\n        self.side = side\n    def area(self):\n        return self.side ** 2\n[s.area() for s in (Square(2), Square(3))], issubclass(Square, Shape)",
        ([4, 9], True),
    ),
    (
        "class Account:\n    rate = 2\n    @classmethod\n    def doubled(cls):\n        cls.rate *= 2\n        return cls.rate\n    @staticmethod\n    def fee(x):\n        return x // 10\nAccount.doubled(), Account.fee(55)",
        (4, 5),
    ),
    (
        "class NotEnough(Exception):\n    def __init__(self, need, have):\n        super().__init__(f'need {need}, have {have}')\n        self.need = need\ntry:\n    raise NotEnough(5, 3)\nexcept NotEnough as error:\n    found = (str(error), error.need)\nfound",
        ("need 5, have 3", 5),
    ),
    (
        "from operator import attrgetter, itemgetter\nclass P:\n    def __init__(self, n):\n        self.n = n\n[p.n for p in sorted([P(3), P(1)], key=attrgetter('n'))], sorted([(1, 'b'), (0, 'c')], key=itemgetter(1))[0]",
        ([1, 3], (1, "b")),
    ),
    (
        "match ('move', 3, 4):\n    case ('move', x, y) if x < y:\n        found = y - x\n    case _:\n        found = 0\nfound",
        1,
    ),
    (
        "def parse(line):\n    match line.split():\n        case ['go', ('north' | 'south') as way]:\n            return way\n        case ['say', *words]:\n            return ' '.join(words)\n        case []:\n            return ''\nparse('go north'), parse('say hi there'), parse('')",
        ("north", "hi there", ""),
    ),
]
TEXTS: list[tuple[str, object]] = [
    (
        "import hashlib\nhashlib.sha256('ann'.encode()).hexdigest()[:8], hashlib.md5(b'x').hexdigest()[:6]",
        ("49915e0d", "9dd4e4"),
    ),
    (
        "import hashlib\ndigest = hashlib.sha256()\ndigest.update(b'a')\ndigest.update(b'bc')\ndigest.hexdigest()[:8]",
        "ba7816bf",
    ),
    (
        "import base64\nbase64.b64encode('hello'.encode()).decode(), base64.b64decode('aGk=').decode()",
        ("aGVsbG8=", "hi"),
    ),
    (
        "import binascii, zlib\nbinascii.hexlify(b'az').decode(), zlib.crc32(b'a') == binascii.crc32(b'a')",
        ("617a", True),
    ),
    ("import uuid\nuuid.uuid4().version, str(uuid.uuid5(uuid.NAMESPACE_DNS, 'ann'))[:8]", (4, "96f839ea")),
    (
        "import unicodedata\nunicodedata.normalize('NFKD', 'café').encode('ascii', 'ignore').decode(), unicodedata.category('A')",
        ("cafe", "Lu"),
    ),
    (
        "import difflib\ndifflib.get_close_matches('appel', ['ape', 'apple', 'peach'], n=1), round(difflib.SequenceMatcher(None, 'abcd', 'bcde').ratio(), 2)",
        (["apple"], 0.75),
    ),
    ("import difflib\nlist(difflib.unified_diff(['a', 'b'], ['a', 'c'], lineterm=''))[-2:]", ["-b", "+c"]),
    ("import pprint\npprint.pformat({'b': [1, 2], 'a': 3})", "{'a': 3, 'b': [1, 2]}"),
    ("from pprint import pprint\npprint({'plan': ['swim', 'eat']})", None),
    ("import sys\nprint('careful', file=sys.stderr)\nsys.maxsize > 2**40", True),
    (
        "import sys\nsys.setrecursionlimit(10_000)\ndef depth(n):\n    return 0 if n == 0 else 1 + depth(n - 1)\ndepth(100)",
        100,
    ),
    (
        "import calendar\ncalendar.isleap(2012), calendar.monthrange(2012, 2), calendar.day_name[clock.date.weekday()], calendar.month_abbr[6]",
        (True, (2, 29), "Friday", "Jun"),
    ),
    ("import time\nstart = time.perf_counter()\ntime.time() - start >= 0, time.perf_counter() - start", (True, 0.0)),
    (
        "import json\ntry:\n    json.loads('{oops')\nexcept json.JSONDecodeError as error:\n    found = error.__class__.__name__\nfound",
        "JSONDecodeError",
    ),
    (
        "import json\njson.loads(json.dumps({'when': str(clock.date), 'n': [1, 2]}, indent=2, sort_keys=True))['when']",
        "2012-06-01",
    ),
    (
        "import string\n''.join(c for c in 'a-b!' if c not in string.punctuation), string.ascii_lowercase[:3]",
        ("ab", "abc"),
    ),
    (
        "import textwrap\ntextwrap.fill('one two three', width=7), textwrap.dedent('  a\\n  b')",
        ("one two\nthree", "a\nb"),
    ),
    (
        "import re\npattern = re.compile(r'(?P<hour>\\d+):(?P<minute>\\d+)')\n[m.group('hour') for m in pattern.finditer('8:30 and 12:45')]",
        ["8", "12"],
    ),
    (
        "import re\nre.split(r'[,;]\\s*', 'a, b;c'), bool(re.fullmatch(r'[a-z]+', 'abc')), re.sub('a', 'o', 'banana', count=2)",
        (["a", "b", "c"], True, "bonona"),
    ),
    (
        "def caesar(text, shift):\n    return ''.join(chr((ord(c) - 97 + shift) % 26 + 97) if c.islower() else c for c in text)\ncaesar(caesar('hello', 3), -3)",
        "hello",
    ),
    (
        "text = 'A man a plan'\nletters = [c.lower() for c in text if c.isalpha()]\nletters == letters[::-1], ''.join(reversed('abc')), text.translate(str.maketrans('a', 'o'))",
        (False, "cba", "A mon o plon"),
    ),
    (
        "words = 'the quick brown fox'.split()\n{len(w): [v for v in words if len(v) == len(w)] for w in words}[5]",
        ["quick", "brown"],
    ),
    (
        'f\'{"left":<8}|{"right":>8}|{3.14159:.2f}|{255:#x}|{1_000_000:,}|{0.5:.0%}\'',
        "left    |   right|3.14|0xff|1,000,000|50%",
    ),
    ("'{0[name]} is {1.mood:.1f}'.format({'name': 'Ann'}, me)", "Ann is 0.5"),
]
NUMBERS: list[tuple[str, object]] = [
    (
        "import random\nrandom.seed(7)\ndraw = random.Random(42)\n0 <= draw.random() < 1 and 1 <= draw.randint(1, 6) <= 6",
        True,
    ),
    (
        "import random\ndeck = list(range(10))\nrandom.shuffle(deck)\nsorted(deck) == list(range(10)), len(random.sample(deck, 3)), random.choices('ab', weights=[1, 0], k=2)",
        (True, 3, ["a", "a"]),
    ),
    (
        "import itertools\nlist(itertools.accumulate([1, 2, 3])), [''.join(p) for p in itertools.permutations('ab')], list(itertools.chain.from_iterable([[1], [2]]))",
        ([1, 3, 6], ["ab", "ba"], [1, 2]),
    ),
    ("from itertools import groupby\n{key: len(list(group)) for key, group in groupby('aabbb')}", {"a": 2, "b": 3}),
    (
        "from itertools import product, combinations, zip_longest\nlen(list(product('ab', repeat=3))), list(combinations([1, 2, 3], 2))[-1], list(zip_longest('ab', 'c', fillvalue='-'))[-1]",
        (8, (2, 3), ("b", "-")),
    ),
    (
        "def sieve(n):\n    prime = [True] * (n + 1)\n    prime[0:2] = [False, False]\n    for i in range(2, int(n ** 0.5) + 1):\n        if prime[i]:\n            prime[i * i :: i] = [False] * len(prime[i * i :: i])\n    return [i for i, yes in enumerate(prime) if yes]\nsieve(20)",
        [2, 3, 5, 7, 11, 13, 17, 19],
    ),
    (
        "def gcd(a, b):\n    while b:\n        a, b = b, a % b\n    return a\ngcd(48, 18), divmod(17, 5), pow(2, 10, 1000), -7 // 2",
        (6, (3, 2), 24, -4),
    ),
    (
        "def quicksort(items):\n    if len(items) < 2:\n        return items\n    pivot, *rest = items\n    return quicksort([x for x in rest if x < pivot]) + [pivot] + quicksort([x for x in rest if x >= pivot])\nquicksort([3, 1, 2])",
        [1, 2, 3],
    ),
    (
        "def hanoi(n, a='A', b='B', c='C'):\n    return [] if n == 0 else hanoi(n - 1, a, c, b) + [(a, c)] + hanoi(n - 1, b, a, c)\nlen(hanoi(5))",
        31,
    ),
    (
        "matrix = [[1, 2], [3, 4]]\n[list(row) for row in zip(*matrix)], sum(matrix, []), [[sum(a * b for a, b in zip(r, c)) for c in zip(*matrix)] for r in matrix]",
        ([[1, 3], [2, 4]], [1, 2, 3, 4], [[7, 10], [15, 22]]),
    ),
    (
        "def knapsack(items, room):\n    best = [0] * (room + 1)\n    for weight, value in items:\n        for left in range(room, weight - 1, -1):\n            best[left] = max(best[left], best[left - weight] + value)\n    return best[room]\nknapsack([(2, 3), (3, 4), (4, 5)], 5)",
        7,
    ),
    (
        "def lcs(a, b):\n    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]\n    for i, x in enumerate(a):\n        for j, y in enumerate(b):\n            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])\n    return table[-1][-1]\nlcs('kitten', 'sitting')",
        4,
    ),
    (
        "from numpy.linalg import norm, inv\nimport numpy as np\nfloat(norm([3, 4])), inv(np.eye(2)).tolist()",
        (5.0, [[1.0, 0.0], [0.0, 1.0]]),
    ),
    ("import numpy.random as npr\nrandom_numbers = npr.default_rng(3)\n0 <= float(random_numbers.random()) < 1", True),
    (
        "import numpy as np\nfrom numpy.typing import NDArray\ndef spread(values: NDArray) -> float:\n    return float(np.max(values) - np.min(values))\nspread(np.array([1.0, 4.0]))",
        3.0,
    ),
    (
        "bits = 0b1011\nbin(bits).count('1'), bits & -bits, bits >> 1, bits ^ 0xF, ~bits, (5).bit_length()",
        (3, 1, 5, 4, -12, 3),
    ),
    ("complex(3, 4).real, abs(3 + 4j), (1 + 2j).conjugate() == 1 - 2j", (3.0, 5.0, True)),
    (
        "from datetime import datetime, timedelta\nstart = datetime(2012, 6, 1, 9, 30)\nend = start + timedelta(minutes=45)\nend.strftime('%H:%M'), (end - start).total_seconds(), datetime.strptime('2012-06-02', '%Y-%m-%d').day",
        ("10:15", 2700.0, 2),
    ),
    (
        "counts = {}\nfor letter in 'banana':\n    counts[letter] = counts.get(letter, 0) + 1\nmax(counts, key=counts.get), dict(sorted(counts.items(), key=lambda kv: -kv[1]))",
        ("a", {"a": 3, "n": 2, "b": 1}),
    ),
    (
        "first, *middle, last = range(5)\na = b = [0]\nb += [1]\nx, y = 1, 2\nx, y = y, x\nmiddle, a, (x, y), [*middle, *'ab'], {**{'k': 1}, 'j': 2}",
        ([1, 2, 3], [0, 1], (2, 1), [1, 2, 3, "a", "b"], {"k": 1, "j": 2}),
    ),
    (
        "def outer():\n    total = 0\n    def add(n, /, *, times=1):\n        nonlocal total\n        total += n * times\n        return total\n    return add\nadd = outer()\nadd(2), add(3, times=2)",
        (2, 8),
    ),
    (
        "for n in range(2, 10):\n    for d in range(2, n):\n        if n % d == 0:\n            break\n    else:\n        last_prime = n\nlast_prime",
        7,
    ),
    (
        "try:\n    result = 10 / 0\nexcept ZeroDivisionError:\n    result = None\nelse:\n    result += 1\nfinally:\n    tidy = True\nresult, tidy",
        (None, True),
    ),
    (
        "try:\n    try:\n        int('x')\n    except ValueError as error:\n        raise KeyError('bad') from error\nexcept KeyError as error:\n    found = str(error)\nfound",
        "'bad'",
    ),
    (
        "any(x > 2 for x in (1, 3)), all([]), next((x for x in [1, 4] if x > 3), None), list(filter(None, [0, 1, ''])), list(map(max, [1, 5], [4, 2])), sorted('bca', reverse=True)",
        (True, True, 4, [1], [4, 5], ["c", "b", "a"]),
    ),
]
MODULES = [*EXACT, *QUEUES, *COPIES, *CLASSES, *TEXTS, *NUMBERS]
