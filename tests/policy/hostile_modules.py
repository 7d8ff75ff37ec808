"""Hostile cells that try Python's own modules: queues, digests, copies, comparisons, sizes; and classes called."""

PAGES = {
    "modules past their bounds": """
from queue import Queue
q = Queue()
q._items.append(vault)

from queue import Queue
Queue().get(timeout=10**9)

from queue import Queue
q = Queue(maxsize=1)
q.put(1)
q.put(2, block=True)

from queue import PriorityQueue
class A:
    def __lt__(self, other):
        q.get()
        vault.treasury_cents = 0
        return True
q = PriorityQueue()
q.put(A())
q.put(A())

from queue import Queue
Queue.put = lambda self, item: print("PWNED")

from queue import Queue
me.memory = Queue()

from queue import Queue
q = Queue()
q.put(me)
board.post(q)
q.get().money_cents = 10**6

import hashlib
digest = hashlib.sha256()
while True:
    digest.update(b"x" * 900_000)

import hashlib
hashlib.new("/etc/passwd")

import hashlib
hashlib.file_digest(1, "md5")

import hashlib
hashlib.sha256(b"a")._data

import hashlib
hashlib.pbkdf2_hmac("sha256", b"a", b"b", 10**9)

import hashlib
hashlib.scrypt(b"a", salt=b"b", n=2**20, r=8, p=1)

import uuid
uuid.uuid1()

import uuid
uuid.getnode()

import uuid
print(uuid.UUID(int=1).fields, uuid.UUID.__init__)

import copy
other = copy.deepcopy(vault)
other.treasury_cents = 0

import copy
other = copy.copy(shop.stock)
other["bread"] = 99
shop.stock.update(other)

import copy
class A:
    def __deepcopy__(self, memo):
        return vault

import copy
class A:
    pass
a = A()
a.shop = shop
copy.deepcopy(a).shop.till_cents = 5

import copy
class Evil(Exception):
    pass
copy.deepcopy(Evil(vault)).args[0].treasury_cents = 0

import copy
x = []
for n in range(100_000):
    x = [x]
copy.deepcopy(x)

import copy
copy._deepcopy_dispatch

import copy
copy.deepcopy(board).lines.append("PWNED" * 0)
copy.deepcopy(board)._secret

import difflib
difflib.SequenceMatcher(None, "ab" * 10**6, "ba" * 10**6).ratio()

import difflib
difflib.get_close_matches("a" * 10**6, ["b" * 10**6])

import difflib
difflib.SequenceMatcher(lambda c: vault, "a", "b")

import pprint
class A:
    def __repr__(self):
        vault.treasury_cents = 0
        return "x"
pprint.pprint(A())

import pprint
x = []
x.append(x)
pprint.pprint(x)

import pprint
pprint.pformat([1], indent=10**9)

import pprint
pprint.PrettyPrinter

import sys
sys.modules["os"].system("touch hostile_canary")

import sys
sys._getframe(0)

import sys
sys.stdout.write("PWNED")

import sys
sys.exit(1)

import sys
sys.setrecursionlimit(10**9)
def f(n):
    return f(n + 1)
f(0)

import sys
sys.set_int_max_str_digits(0)

import unicodedata
unicodedata.__loader__

import binascii
binascii.hexlify(b"x" * 10**8)

import base64
base64.decode("/etc/passwd", "hostile_canary")

import calendar
calendar.day_name.__class__ = 5

import calendar
calendar.calendar.__globals__

import time
time.sleep(100)

import numbers
numbers.Number.register(Citizen)

import numpy.random
numpy.random.seed(1)

import numpy.linalg as la
la.__builtins__
""",
    "classes that are called": """
me.__class__.__bases__

me.__class__ = vault.__class__

me.__class__.shared = True

type(me).__class__

().__class__.__base__.__subclasses__()

class A:
    pass
A().__class__.__mro__

class A:
    pass
A.__class__

getattr(me, "__class__").__subclasses__()

"{0.__class__.__mro__}".format(me)

me.__class__(money_cents=10**9)

match me:
    case object(__class__=kind):
        print(kind)

from operator import attrgetter
attrgetter("_undo_log")(me)

from operator import attrgetter
attrgetter("world.entities")(me)

from operator import attrgetter
attrgetter("__class__.__mro__")(me)

from operator import attrgetter
list(map(attrgetter("__globals__"), [apply_to_each]))

from typing import NamedTuple
class P(NamedTuple):
    x: int
    def __del__(self):
        vault.treasury_cents = 0

from typing import NamedTuple
class P(NamedTuple):
    _fields: int

from typing import NamedTuple
class P(NamedTuple, metaclass=type):
    x: int

from typing import NamedTuple
class P(NamedTuple):
    mro: int
print(P.mro())

from typing import NamedTuple
P = NamedTuple("P", [("__class__", int)])

from typing import NamedTuple
P = NamedTuple("P", [("x) or print('PWNED'", int)])

from typing import TypedDict
class T(TypedDict):
    x: int
T.update(vault)

from typing import TypedDict
T = TypedDict("T", {"__del__": int})
T.__init_subclass__

from enum import Enum
class E(Enum):
    A = [vault]
#> ann
E.A.value[0].treasury_cents = 0

x = frozenset([me, vault])
for each in x:
    each.money_cents = 10**6

class A:
    def __hash__(self):
        vault.treasury_cents = 0
        return 1
frozenset([A()])

def f():
    "vault.treasury_cents = 0"
print(f.__doc__.__class__.__subclasses__)

Alias = list[Citizen]
Alias.__origin__.world

from typing import Callable
x = Callable[[vault.__class__], None]
x.__args__
""",
}
