"""A laboratory that Python asks by special methods for sets, and what cells get of it."""

import collections
import dataclasses
import types

from cave_sim import Entity, World

MIXED = {8, 1}
"""Read in the order of its hashes, 8 comes first: numbers need no salt to show what texts do."""


class Visitor(Entity):
    """Somebody who looks around."""

    def __call__(self):
        return set(MIXED)

    def __getitem__(self, key):
        return {key: set(MIXED)}

    @property
    def pairs(self):
        """Return sets within a tuple."""
        return (set(MIXED), 1)


class Bench:
    """Stands for an object that Python asks by special methods, behind an injected one."""

    __slots__ = ("marks",)

    def __init__(self):
        self.marks = set(MIXED)

    def __call__(self):
        return set(MIXED)

    def __iter__(self):
        return iter(self.marks)

    def __repr__(self):
        return f"Bench({self.marks})"


Pair = collections.namedtuple("Pair", "all one")


@dataclasses.dataclass
class Sample:
    """Stands for a record, whose text Python makes."""

    marks: set


class Lab:
    """Stands for an object that Python asks by special methods."""

    def __init__(self):
        self.bench, self.sample, self.log = Bench(), Sample(set(MIXED)), []

    def __call__(self, *_):
        return set(MIXED)

    def __iter__(self):
        return iter(set(MIXED))

    def __reversed__(self):
        return iter([set(MIXED)])

    def __getitem__(self, key):
        return self.log if key == "log" else {key: set(MIXED)}

    def __add__(self, _):
        return set(MIXED)

    __radd__ = __iadd__ = __lt__ = __add__

    def __neg__(self):
        return frozenset(MIXED)

    def __await__(self):
        yield from ()
        return set(MIXED)

    @property
    def made(self):
        """Return a set that nobody holds."""
        return set(MIXED)

    def lazily(self):
        """Return an iterator of Python's own."""
        return map(set, [MIXED])

    def views(self):
        """Return views of a dict."""
        held = {"all": set(MIXED)}
        return [held.values(), held.items(), {frozenset(MIXED): 1}.keys()]

    def others(self):
        """Return containers of the library."""
        return [
            collections.defaultdict(set, all=set(MIXED)),
            collections.deque([set(MIXED)], 3),
            collections.ChainMap({"all": set(MIXED)}),
            types.MappingProxyType({"all": set(MIXED)}),
            Pair(set(MIXED), 1),
        ]

    def function(self):
        """Return a function of its own."""
        return lambda: set(MIXED)

    async def later(self):
        """Return a set to whoever waits."""
        return set(MIXED)

    def sent(self):
        """Yield, and come to what it is sent."""
        got = yield 1
        yield {got, *MIXED}

    def own(self):
        """Change what it gets of itself: trusted code is handed no copy."""
        self["log"].append(1)
        self.log.append(len(self + 1) == 2 and type(self + 1) is set)
        return self.log


ASKED = {
    "lab()": "{1, 8}",
    "list(lab), [*lab], [each for each in lab], max(lab, key=lambda each: 0)": "([1, 8], [1, 8], [1, 8], 1)",
    "a, b = lab\na, b": "(1, 8)",
    "list(map(lab, [1])), [list(each) for each in reversed(lab)]": "([{1, 8}], [[1, 8]])",
    "lab['all']": "{'all': {1, 8}}",
    "lab + 1, 1 + lab, sum([lab]), lab < 1, -lab": "({1, 8}, {1, 8}, {1, 8}, {1, 8}, frozenset({1, 8}))",
    "all = lab\nall += 1\nall": "{1, 8}",
    "await lab": "{1, 8}",
    "await lab.later()": "{1, 8}",
    "lab.made, getattr(lab, 'made')": "({1, 8}, {1, 8})",
    "lab.bench(), list(lab.bench)": "({1, 8}, [1, 8])",
    "str(lab.bench), f'{lab.sample}', repr([lab.sample])": (
        "('Bench({1, 8})', 'Sample(marks={1, 8})', '[Sample(marks={1, 8})]')"
    ),
    "list(lab.lazily())": "[{1, 8}]",
    "[list(each) for each in lab.views()]": "[[{1, 8}], [('all', {1, 8})], [frozenset({1, 8})]]",
    "(lambda a, b, c, d, e: (a['all'], b[0], c['all'], d['all'], e))(*lab.others())": (
        "({1, 8}, {1, 8}, {1, 8}, {1, 8}, Pair(all={1, 8}, one=1))"
    ),
    "lab.function()()": "{1, 8}",
    "(lambda each: [next(each), each.send(9)])(lab.sent())": "[1, {1, 8, 9}]",
    "lab.own()": "[1, True]",
    "type(lab)()()": "{1, 8}",
    "me(), me['all'], me.pairs": "({1, 8}, {'all': {1, 8}}, ({1, 8}, 1))",
}
"""Cell -> what it prints; 8 comes first in all of them where nobody looks after the order."""


def lab_world():
    """Return a world with the laboratory, and ann in it."""
    world = World(seed=1)
    world.add("ann", Visitor())
    world.inject("lab", Lab())
    return world
