"""Programs put together at random: values of every kind, shared, changed in place, and written to every field type."""

from hypothesis import strategies as st

KINDS = {
    "int": ("7", ["{v} += 1"]),
    "float": ("0.1 + 0.2", ["{v} = -{v}", "{v} = {v} * 1e300 * 1e10", "{v} = 0.0 * -1"]),
    "text": ("'añ\\n' * 3", ["{v} = {v}[1:] + '\\U0001f600'"]),
    "list": (
        "[1, 1.0, True, None, 'a', [2]]",
        ["{v}.append([{v}])", "{v}.append({w})", "{v}[:2] = []", "{v} += {v}[:1]"],
    ),
    "tuple": ("(1, [2], ('x',))", ["{v}[1].append({w})", "{v} = {v} + ({w},)"]),
    "dict": (
        "{{'b': 1, 'a': [2], 3: 'i', (1, 2): 't', None: 0.5}}",
        ["{v}['w'] = {w}", "{v}.pop('b', 0)", "{v}['me'] = {v}"],
    ),
    "set": ("{{3, 'x', (1, 2), 2.5}}", ["{v}.add(9)", "{v} = {v} - {{3}}"]),
    "deque": ("deque([1, 2, 3], maxlen=3)", ["{v}.append({w})", "{v}.rotate(1)"]),
    "counter": ("Counter('banana')", ["{v}.update('nan')", "{v}['q'] -= 2"]),
    "defaultdict": ("defaultdict(lambda: [0])", ["{v}['k'].append({w})", "{v}[7]"]),
    "ordered": ("OrderedDict(b=1, a=2)", ["{v}.move_to_end('b')", "{v}['c'] = {w}"]),
    "named": ("Pair(1, [2])", ["{v} = {v}._replace(one=5)", "{v}.two.append({w})"]),
    "object": ("Node(1)", ["{v}.next = {w}", "{v}.next = {v}", "{v}.up()", "{v}.tags.append(len({v}.tags))"]),
    "record": ("Record('r')", ["{v}.more.append({w})", "{v} = Record('s', {v}.more)"]),
    "member": ("Mode.SLOW", ["{v} = Mode.FAST if {v} is Mode.SLOW else Mode.SLOW"]),
    "closure": ("counter()", ["{v}()", "{v}(); {v}()"]),
    "partial": ("partial(max, 3)", ["{v} = partial({v}, 5)"]),
    "method": ("Node(5).up", ["{v}()"]),
    "array": ("np.arange(6.0).reshape(2, 3)", ["{v}[0, 1] = -0.0", "{v} *= 2", "{v} = {v}.T"]),
    "view": ("grid[1:, ::2]", ["{v}[0, 0] += 10", "grid[:] = 1"]),
    "table": (
        "pd.DataFrame({{'k': ['x', 'y', 'x'], 'n': [1, 2, 3]}})",
        ["{v}['m'] = {v}.n * 2", "{v}.loc[0, 'n'] = 9", "{v} = {v}.set_index('k')"],
    ),
    "column": ("pd.Series([1.5, None, 2], index=['a', 'b', 'c'])", ["{v}['b'] = 7", "{v} = {v}.astype('object')"]),
    "zoned": ("pd.date_range('2024-03-30', periods=3, tz='+02:00')", ["{v} = {v}[1:]", "{v} = {v}[0]"]),
    "category": ("pd.Series(['a', 'b', 'a']).astype('category')", ["{v} = {v}.cat.codes"]),
    "graph": (
        "nx.Graph([('b', 'a'), ('a', 'c')])",
        ["{v}.add_edge('c', 'd', w=[1])", "{v}.remove_node('b') if 'b' in {v} else None", "{v}.nodes['a']['x'] = {w}"],
    ),
    "roads": ("nx.DiGraph([(2, 1), (1, 3)])", ["{v}.add_edge(3, 2, w=0.5)", "{v}.add_node((4, 5))"]),
    "day": ("dt.datetime(2012, 6, 1, 12)", ["{v} += dt.timedelta(hours=5)"]),
    "pattern": ("re.match('(a)(b)?', 'ab')", ["{v} = {v}.group(1) if hasattr({v}, 'group') else {v}"]),
    "entity": ("bob", ["{v} = me"]),
    "notes": ("me.notes", ["{v}.append('more')", "me.notes.append('again')", "me.notes = ['anew']"]),
    "counts": ("me.counts", ["{v}['new'] = 1", "{v}.pop('walks', None)"]),
    "tags": ("me.tags", ["{v}.add('new')", "{v}.discard('kind')"]),
    "friends": ("me.friends", ["{v}.append(ann)", "{v}.clear()"]),
    "map": ("me.map", ["{v}.add_edge(0, 9, w=1)", "{v}.remove_edge(0, 1) if {v}.has_edge(0, 1) else None"]),
    "streets": ("me.map.nodes[0]", ["{v}['name'] = 'Main'"]),
    "grid": ("me.grid", ["{v}[0] = 5", "me.grid[1] = 7"]),
    "diary": ("me.diary", ["{v}.loc[0, 'text'] = 'snow'", "me.diary.loc[1, 'day'] = 9"]),
}
"""What a variable may hold: how it is made, and what changes it; ``w`` is another variable."""

FIELDS = ("memory", "notes", "counts", "tags", "friends", "map", "grid", "diary", "mood", "plan")
PRELUDE = """
import datetime as dt
import re
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
import networkx as nx
import numpy as np
import pandas as pd
Pair = namedtuple('Pair', 'one two')
class Node:
    made = 0
    def __init__(self, n):
        Node.made += 1
        self.n, self.tags, self.next = n, [], None
    def up(self, by=[1]):
        by.append(self.n)
        self.n += len(by)
        return self.n
@dataclass
class Record:
    name: str
    more: list = field(default_factory=list)
class Mode(Enum):
    SLOW = [1]
    FAST = 'f'
def counter():
    n = 0
    def up():
        nonlocal n
        n += 1
        return n
    return up
grid = np.zeros((3, 4))
"""
IMPORTS = "\n".join(line for line in PRELUDE.splitlines() if "import" in line)


@st.composite
def programs(draw):
    """Return four cells: one that makes variables, two that change and share them, one that shows all there is."""
    kinds = draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=3, max_size=6))
    made = {f"v{number}": kind for number, kind in enumerate(kinds)}
    first = [f"{name} = {KINDS[kind][0].format()}" for name, kind in made.items()]
    cells = [PRELUDE + "\n".join(first)]
    for _ in range(2):
        count = draw(st.integers(1, 4))
        cells.append("\n".join([IMPORTS, *(draw(statements(made)) for _ in range(count))]))
    names = sorted({*made, "box", "same"})
    shown = "\n".join(f"print({name!r}, {name}) if {name!r} in there else None" for name in names)
    shared = f"print([(a, b) for a in there for b in there if a < b and there[a] is there[b]])\nprint({names})"
    there = "there = {" + ", ".join(f"{name!r}: {name}" for name in made) + "}"
    last = "\n".join([there, *(line for line in shown.splitlines() if "'v" in line), shared, "Node.made, grid, there"])
    return [*cells, last]


@st.composite
def statements(draw, made):
    """Return a statement that changes a variable, shares it, or writes it to a field."""
    name, other = draw(st.sampled_from(sorted(made))), draw(st.sampled_from(sorted(made)))
    match draw(st.integers(0, 7)):
        case 0:
            return f"{name} = {other}"
        case 1:
            return f"{name} = [{other}, {{'k': {other}}}, {name}]"
        case 2:
            field = draw(st.sampled_from(FIELDS))
            return f"me.{field} = {other}"
        case _:
            return draw(st.sampled_from(KINDS[made[name]][1])).format(v=name, w=other)
