"""Hostile cells that try what is ordinary in Python: chains of dicts, containers of one's own, bytes, templates."""

PAGES = {
    "containers of one's own": """
from collections import ChainMap
ChainMap(world).pop("bob")

from collections import ChainMap
c = ChainMap({})
c.maps[0] = world
c.pop("bob")

from collections import ChainMap
c = ChainMap({})
c.maps.insert(0, board)
c.clear()

from collections import ChainMap
ChainMap(shop.stock)["bread"] = 0

from collections import ChainMap
ChainMap(shop.stock).clear()

from collections import ChainMap
c = ChainMap(shop.stock)
#> ann
c.update(bread=0)

from collections import ChainMap
c = ChainMap({})
c.maps.append(c)
c["x"]

from collections import ChainMap
c = ChainMap({})
c.maps.append(c)
len(c)

from collections import ChainMap
c = ChainMap({})
for _ in range(10 ** 6): c = c.new_child()

from collections import ChainMap
me.memory = ChainMap({"a": 1})

from collections import ChainMap
ChainMap({1: 2}).keys()._mapping

from collections import ChainMap
ChainMap({1: 2})._checked()

from collections import UserDict
class D(UserDict): pass
d = D()
d.data = world
d.pop("bob")

from collections import UserDict
class D(UserDict): pass
d = D()
d.data = shop.stock
d["bread"] = 0

from collections import UserDict
class D(UserDict):
    def __missing__(self, key):
        return self[key]
D()["x"]

from collections import UserDict
class D(UserDict):
    def __missing__(self, key):
        while True: pass
D()["x"]

from collections import UserDict
class D(UserDict):
    def __getitem__(self, key):
        return super().__getattribute__(key)
D()["data"]

from collections import UserDict
class D(UserDict):
    def f(self):
        return super().__reduce__()
D().f()

from collections import UserDict
class D(UserDict):
    def f(self):
        return super().__class__.__mro__
D().f()

class A:
    def f(self):
        return super().__repr__()
me.plan = A().f()

class A:
    def f(self):
        return super().__setattr__("_serial_", 1)
A().f()

super = lambda: me
super().__eq__

class A:
    def f(self):
        super = lambda: vault
        return super().__repr__
A().f().__self__

class A:
    def __setitem__(self, key, value): pass
class B(A):
    def f(self):
        return super(B, shop.stock).__setitem__
B().f()("bread", 0)

from collections import UserList
class L(UserList): pass
l = L()
l.data = world
l.remove("bob")

from collections import UserList
class L(UserList): pass
l = L()
l.data = shop.guests
l.append("ann")

from collections import UserList
l = UserList([0]) * 10 ** 9

from collections import UserList
l = UserList([0] * 10 ** 6)
while True: l += l

from collections import UserList
l = UserList([0])
l *= 10 ** 9

from collections import UserList
class N:
    def __rmul__(self, other): return world
l = UserList([0])
l *= N()
l.remove("bob")

from collections import UserList
me.memory = UserList([1])

from collections import UserDict
shop.look_up(UserDict({"missing": 1}))

class D(dict): pass

class L(list): pass

from collections.abc import Mapping
class M(Mapping): pass
""",
    "bytes and tasks": """
bytearray(10 ** 10)

bytearray(b"x") * 10 ** 9

b = bytearray(b"x")
b *= 10 ** 9

b = bytearray(b"x" * 10 ** 6)
while True: b += b

b = bytearray(b"x" * 10 ** 6)
while True: b.extend(b)

import itertools
bytearray(itertools.cycle([1]))

import itertools
bytearray().extend(itertools.cycle([1]))

bytearray(b"%999999999d") % 1

b = bytearray(b"abc")
a = np.asarray(b)
b[0] = 9
a

np.frombuffer(bytearray(b"abcdefgh"))

me.memory = bytearray(b"x")

me.notes = [bytearray(b"x")]

shop.look_up(bytearray(b"missing"))

memoryview(bytearray(b"x"))

bytearray(b"x").__class__.__mro__

bytearray.__init__(bytearray(), 10 ** 10)

class N:
    def __int__(self): return 10 ** 10
bytearray(N())

bytearray(source=10 ** 10)

bytearray.fromhex("00" * 10 ** 7)

import struct
struct.pack("1000000000x")

import struct
struct.calcsize("<" + "9" * 900 + "x")

import struct
struct.pack("<" + "100000i" * 20, 1)

import struct
struct.pack("l", 1)

import struct
struct.pack("P", 1)

import struct
struct.unpack("<1000000000s", b"")

import struct
struct.pack_into("<B", bytearray(1), 0, 1)

import struct
s = struct.Struct("<B")
s.format = "P"

import struct
struct.iter_unpack("<", b"abc")

import struct
struct.unpack("<B", me)

from graphlib import TopologicalSorter
class N:
    def __hash__(self):
        vault.treasury_cents = 0
        return 1
TopologicalSorter({N(): []})

from graphlib import TopologicalSorter
class N:
    def __hash__(self):
        while True: pass
TopologicalSorter().add(N())

from graphlib import TopologicalSorter
s = TopologicalSorter({1: [2]})
s._calls

from graphlib import TopologicalSorter
s = TopologicalSorter()
s._made().prepare()

from graphlib import TopologicalSorter
class N:
    def __hash__(self):
        return len(log)
    def __eq__(self, other):
        log.append(1)
        return True
log = []
s = TopologicalSorter({N(): [N()]})
#> ann
log, bool(s)

from graphlib import TopologicalSorter
s = TopologicalSorter()
while True: s.add(1, 2)

import difflib
difflib.ndiff(["x" * 10 ** 4] * 200, ["y" * 10 ** 4] * 200)

import difflib
difflib.ndiff(["a"] * 10 ** 5, ["b"] * 10 ** 5)

import calendar
calendar.month(2024, 1, 10 ** 9)

import calendar
calendar.calendar(2024, 2, 10 ** 9)

import calendar
calendar.TextCalendar(10 ** 30).formatmonth(2024, 1)

import textwrap
textwrap.TextWrapper(initial_indent="x" * 10 ** 6).wrap("a b" * 10 ** 4)

import json
json.loads("[" + "1.5," * 1000 + "1]", parse_float=lambda text: me._undo_log)

import json
def loop(text):
    while True: pass
json.loads("1.5", parse_float=loop)

import json
json.loads("{}", cls=dict, object_pairs_hook=world.remove)
""",
    "formats and templates": """
class M:
    def __format__(self, spec):
        while True: pass
f"{M()}"

class M:
    def __format__(self, spec):
        vault.treasury_cents = 0
        return ""
f"{M():x}"

class M:
    def __format__(self, spec):
        return me
format(M())

class M:
    def __format__(self, spec):
        return spec.__class__.__mro__
"{0:x}".format(M())

class M:
    def __format__(self, spec):
        return "x" * 10 ** 9
f"{M()}"

class M:
    def __format__(self, spec):
        return "x" * 5_000_000
"".join(f"{M()}" for _ in range(1000))

class M:
    def __format__(self, spec):
        return object.__format__(me, spec)
f"{M()}"

class M:
    def __format__(self, spec):
        return str(object())
me.plan = f"{M()}"

f"{1:{'9' * 8}}"

from string import Template
Template("$a" * 60_000).substitute(a="x" * 10 ** 6)

from string import Template
Template("${me.__class__}").substitute(me=me)

from string import Template
Template("$a").pattern

from string import Template
Template.pattern = 1

from string import Template
class T(Template):
    idpattern = "(a+)+$"

from string import Template
Template("$" * 10 ** 7)

from string import Template
Template("$a").substitute(world)

from string import Template
class L:
    def __getitem__(self, key):
        vault.treasury_cents = 0
Template("$a").substitute(L())

from string import Template
class L:
    def __getitem__(self, key):
        while True: pass
Template("$a").safe_substitute(L())

from string import Template
me.plan = Template("$a").substitute(a=object())

from string import Template
t = Template("$a")
t.template = me
""",
}
