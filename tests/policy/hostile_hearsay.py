"""More ways for a cell to learn what is not for its agent, as in `hostile_privacy`: through what libraries read for it.

Copies, tables, graphs, getters and sorts read a field themselves: what guards it must stand in their way as well.
"""

PAGES = {
    "by way of others' tools": """
import copy
print(copy.deepcopy({"b": bob})["b"].diary)

import copy
x = copy.copy(bob.friends)
print(x)

from operator import attrgetter, methodcaller
print(sorted([bob, me], key=attrgetter("purse")))

import json
print(json.dumps({"b": bob.pair}, default=str))

from dataclasses import dataclass
@dataclass
class Peek:
    who: object
    @property
    def purse(self):
        return self.who.purse
print(Peek(bob).purse)

class Peek:
    def __init__(self, who):
        self.who = who
    def __eq__(self, other):
        return self.who.diary == other
print(Peek(bob) == ["rosebud"])

import pandas as pd
print(pd.DataFrame([{"who": g, "p": g.height} for g in world.all("Guest")]))

import pandas as pd
print(pd.Series([bob, me]).map(lambda g: g.purse))

import numpy as np
print(np.array([bob, me], dtype=object) == bob, np.vectorize(lambda g: g.purse)(np.array([bob, me], dtype=object)))

import networkx as nx
g = nx.Graph()
g.add_node(bob)
print(nx.get_node_attributes(g, "purse"), [n.diary for n in g])

print(nx.to_dict_of_dicts(bob.streets))

me.friends = [bob]
print(me.friends[0].diary)

me.friends = [bob]
print(bob.letters)

me.friends = bob.friends

me.circle = bob.circle
print(me.circle)

me.circle = {bob}
bob.circle.add(me)
print(bob.letters)

bob.friends.append(me)
print(bob.letters)

bob.allied.append(me.id)
print(bob.pact)

try:
    print(bob.broken)
except Exception as e:
    print(repr(e), e.args)

me.lover = bob.lover

me.memory = bob.pair

me.pair = bob.pair

print([*bob.marks], {**bob.counts}, *bob.diary)

print(sum(bob.grid), max(bob.grid), bob.grid[0])

print(plain_sum(g.purse for g in world.all("Guest")))

def f(diary, **k):
    print(diary)
f(**{"diary": bob.diary})

from functools import cached_property, partial
print(partial(getattr, bob)("diary"))

print(list(map(getattr, [bob, me], ["diary", "diary"])))

print(next(iter(bob.diary)))

import statistics
print(statistics.mean([bob.purse, bob.pulse]))

from contextlib import suppress
with suppress(Exception):
    print(bob.diary)
print("after")

print(box.label, box.inside)

for name in world:
    print(name, getattr(world[name], "inside", None), getattr(world[name], "purse", None))
""",
}
