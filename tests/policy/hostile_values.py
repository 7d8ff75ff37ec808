"""Hostile cells that leave something behind in values: bombs, poison, and containers of the wrong shape."""

PAGES = {
    "late bombs": """
class Evil:
    def __repr__(self):
        while True:
            pass
me.memory = Evil()

me.memory = lambda: 1

me.memory = (x for x in [1])

me.memory = {"f": print}

me.memory = float("nan")

me.memory = [1.0, float("inf")]

me.memory = []
me.memory.append(me.memory)
me.memory[0].append(me.memory)

x = []
x.append(x)
me.memory = x

x = [1]
for _ in range(60):
    x = [x, x]
me.memory = x

x = [1]
for _ in range(20):
    x = [x, x]
me.memory = x

me.memory = 2 ** 5000

me.plan = chr(0xD800)

me.memory = str(print)

me.memory = me

me.memory = [me, shop]

me.memory = {me: 1}

me.memory = {(1, 2): {3: 4}}

me.memory = {"$ref": "vault"}
me.memory = {"$tuple": [1]}
me.memory["$set"] = [2]

me.memory = type(me)

import collections
me.memory = collections.defaultdict(lambda: vault)
me.memory["x"]

P = collections.namedtuple("P", "item ndim", module="numpy")
me.memory = P(lambda: 1, 0)

P = collections.namedtuple("P", "x y")
me.memory = P(1, [2, print])

me.memory = np.array([print])

me.memory = bytes(10)

me.memory = Exception("x")

class Evil:
    def __eq__(self, other):
        vault.treasury_cents = 0
        return True
me.diary["text"] = [Evil(), Evil()]

class Evil:
    def __hash__(self):
        vault.treasury_cents = 0
        return 1
me.diary = me.diary.set_index(pd.Series([Evil(), Evil()]))

me.grid = np.array([print, print, 1, 2])

me.diary["f"] = [print, print]

me.map.nodes[0]["x"] = me.map.nodes[1]

me.map.nodes[0]["x"] = me.map.nodes[0]

me.map.nodes[0]["x"] = vault.streets.nodes["a"]

me.map.nodes[0]["x"] = lambda: 1

me.map.add_node(print)

me.map.add_edge(0, float("nan"))

me.map.graph["x"] = me.map.adj
""",
    "poison values": """
class Evil:
    def __getitem__(self, key):
        vault.treasury_cents = 0
    def __contains__(self, key):
        return True
shop.look_up(Evil())

d = collections.defaultdict(lambda: setattr(vault, "treasury_cents", 0))
d["missing!"] = 1
shop.look_up(d)

P = collections.namedtuple("P", "item ndim", module="numpy")
shop.look_up(P(lambda: setattr(vault, "treasury_cents", 0), 0))

shop.look_up(lambda: 1)

shop.look_up(x for x in [1])

shop.look_up(map(print, [1]))

shop.look_up([1, {"a": print}])

shop.look_up(np.array([print]))

shop.look_up(pd.DataFrame({"a": [lambda: 1]}))

g = nx.Graph()
g.add_node("a", f=print)
shop.look_up(g)

apply_to_each([1], lambda x: setattr(vault, "treasury_cents", 0))

class Evil:
    def __call__(self, x):
        vault.treasury_cents = 0
apply_to_each([1], Evil())

weather_of(lambda: 1)

class Evil:
    def __str__(self):
        vault.treasury_cents = 0
        return "x"
board.post(Evil())

class Evil:
    def __mod__(self, other):
        return 1
weather_of(Evil())

shop.buy(bob, "bread", -5)
#> ann
shop.buy(me, "bread", True)

shop.buy(bob, "bread", 10**30)

bad = lambda: setattr(vault, "treasury_cents", 0)
#> mayor
f = team["ann"].retrieve("bad")
f()

class Bad:
    def __repr__(self):
        vault.treasury_cents = 0
        return "x"
bad = [Bad()]
#> mayor
print(team["ann"].retrieve("bad"))

shop.look_up("x" * 300_000)
""",
    "corrupt structure": """
import heapq
heapq.heappush(shop.guests, "a")

import heapq
heapq.heappush(me.notes, 5)

import bisect
bisect.insort(me.notes, "a")

me.notes.append(5)

me.notes += [5]

me.notes[:] = [1, 2]

me.notes[0:0] = [None]

list(map(me.notes.append, [1, 2]))

me.notes.extend(["x", 5])

me.notes *= 1000

me.notes.sort(key=lambda note: me.notes.append("x"))

me.notes.sort(key=lambda note: 1 / 0)

me.counts["x"] = "many"

me.counts |= {"x": 1.5}

me.counts.update(x="y")

me.counts.setdefault("x", None)

me.counts[5] = 5

me.tags |= {5}

me.tags.update([None])

me.friends.append("bob")

me.friends = [vault]

me.friends.append(Citizen())

#> mayor
shop.owner = Citizen()

me.mood = 7

me.mood = "0.7"

me.mood = True

me.plan = 5

me.grid = [1, 2]

me.grid = np.array(["a"], dtype=object)

me.unknown = 5

me.diary.columns = ["a", "a"]

me.diary = pd.DataFrame([[1, 2]], columns=["a", "a"])

list.__init__(me.notes, [5])

random.shuffle(shop.guests)

shop.guests.reverse()
""",
}
