"""Hostile cells that try the small helpers of libraries: callers of methods, hooks, tees, fields, bytes."""

PAGES = {
    "helpers of libraries": """
import operator
operator.methodcaller("_begin")(me)

import operator
operator.methodcaller("__class__")(me)

import operator
list(map(operator.methodcaller("__subclasses__"), [object]))

import operator
operator.methodcaller("write_own", me)(world)

import operator
operator.methodcaller("__init_subclass__")(Citizen)

list(iter(lambda: 1, 0))

iter(world.add, me)

import itertools
one, other = itertools.tee(itertools.count())
for _ in one: pass

import itertools
itertools.tee(range(10 ** 9), 10 ** 9)

import itertools
one, other = itertools.tee(iter(lambda: me, 0))
next(one)._undo_log

import json
json.loads("[" * 4000 + "]" * 4000, object_hook=print)

import json
def hook(found):
    while True: pass
json.loads('{"a": 1}', object_hook=hook)

import json
json.loads('{"a": 1}', object_hook=lambda found: found.__class__)

import json
json.loads('{"a": 1}', object_hook=world.remove)

import json
json.loads('{"a": 1}', cls=dict)

(1).to_bytes(10 ** 9, "big")

int.from_bytes(b"x" * 10 ** 6, "big")

int.from_bytes([255] * 10 ** 6, "big")

class Odd:
    def __iter__(self): return iter(lambda: 1, 0)
int.from_bytes(Odd(), "big")

bool.from_bytes(b"x" * 10 ** 5)

from dataclasses import fields
fields(Citizen)

from dataclasses import fields, dataclass
@dataclass
class A:
    x: int = 1
fields(A)[0].default_factory

from dataclasses import fields, dataclass
@dataclass
class A:
    x: int = 1
A.__dataclass_fields__["x"].name = "__class__"

from dataclasses import astuple
astuple(me)

from dataclasses import astuple, dataclass
@dataclass
class A:
    x: object = None
a = A()
a.x = a
astuple(a)

class A:
    __class__ = __init__

class A:
    __getattribute__ = __call__

class A:
    __init_subclass__ = __init__

class A:
    def f(self): return me
    __reduce__ = f

from abc import ABCMeta
class A(Citizen, metaclass=ABCMeta): pass

class ABCMeta(type): pass
class A(metaclass=ABCMeta): pass

from abc import ABCMeta
ABCMeta("A", (Citizen,), {})

from typing import Generic, TypeVar
T = TypeVar("T")
class A(Generic[T]): pass
A[world].__class_getitem__

from typing import Generic, TypeVar
T = TypeVar("T")
class A(Generic[T], Citizen): pass

from typing import Generic
class A(Generic[me]): pass

class A:
    def __class_getitem__(cls, item): return me

from typing import Generic, TypeVar
T = TypeVar("T")
class A(Generic[T]): pass
A.__class_getitem__ = 3

Citizen[int]

import html
html.entities

import html
html._charref

import shlex
shlex.shlex("/etc/passwd")

import shlex
shlex.os

import shlex
shlex.split("'" * 5_000_001)

import re
re.DEBUG

import re
re.compile("a", 128)

import re
re.sub("a", "b", "c", 0, 128)

import re
re.search(b"a", b"c", flags=4)
""",
    "helpers without end": """
for _ in iter(lambda: [0] * 10 ** 6, None): pass

import re
re.compile("(?x)" + "a?" * 40 + "a" * 40, re.X).match("a" * 40)
""",
}
