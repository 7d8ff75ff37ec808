# ruff: noqa: E501 -- a cell a line reads best
"""What language models and students write with Python's own modules, each with what its last line shows."""

from tests.policy.ordinary_numbers import EXACT, NUMBERS

QUEUES: list[tuple[str, object]] = [
    ("import string\nstring.capwords('the  old town'), string.capwords('a-b', '-')", ("The Old Town", "A-B")),
    (
        "import json\ntry:\n    json.loads('{bad')\nexcept json.JSONDecodeError as error:\n    found = error.pos, error.lineno, error.colno, error.msg\nfound",
        (1, 1, 2, "Expecting property name enclosed in double quotes"),
    ),
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
    ("import copy\nmine = copy.deepcopy(me.counts)\nmine['naps'] = 5\n'naps' in me.counts, mine['naps']", (False, 5)),
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
HELPERS: list[tuple[str, object]] = [
    (
        "from dataclasses import dataclass, fields, astuple\n@dataclass\nclass Spot:\n    x: int = 1\n    near: list = None\n[each.name for each in fields(Spot)], fields(Spot)[0].default, astuple(Spot(2, [Spot()]))",
        (["x", "near"], 1, (2, [(1, None)])),
    ),
    ("(1000).to_bytes(2, 'big'), int.from_bytes(b'\\x03\\xe8', 'big'), (5).to_bytes()", (b"\x03\xe8", 1000, b"\x05")),
    ("import operator\nlist(map(operator.methodcaller('replace', 'a', 'o'), ['ann', 'bart']))", ["onn", "bort"]),
    (
        "from itertools import tee\ndef pairs(items):\n    one, other = tee(items)\n    next(other, None)\n    return list(zip(one, other))\npairs([1, 2, 3])",
        [(1, 2), (2, 3)],
    ),
    ("left = [3, 2, 0, 1]\nlist(iter(lambda: left.pop(0), 0)), left", ([3, 2], [1])),
    (
        'import json\njson.loads(\'[{"a": {"b": 1}}]\', object_hook=lambda found: sorted(found.items()))',
        [[("a", [("b", 1)])]],
    ),
    (
        "import html, shlex\nhtml.escape('<b>'), html.unescape('&lt;'), shlex.split('say \"to ann\" now')",
        ("&lt;b&gt;", "<", ["say", "to ann", "now"]),
    ),
    ("import re\nre.sub(r'(\\d+)  # digits', '#', 'a12', flags=re.VERBOSE), re.findall(r'\\w', 'é', re.A)", ("a#", [])),
    (
        "class Money:\n    def __init__(self, cents):\n        self.cents = cents\n    def __mul__(self, times):\n        return Money(self.cents * times)\n    __rmul__ = __mul__\n    def __repr__(self):\n        return f'{self.cents} c'\n    __str__ = __repr__\nstr(3 * Money(5))",
        "15 c",
    ),
    (
        "from abc import ABCMeta, abstractmethod\nclass Shape(metaclass=ABCMeta):\n    @abstractmethod\n    def area(self): ...\ntry:\n    Shape()\nexcept TypeError as error:\n    told = 'abstract' in str(error)\ntold",
        True,
    ),
]
MODULES = [*HELPERS, *EXACT, *QUEUES, *COPIES, *CLASSES, *TEXTS, *NUMBERS]
