"""Hostile cells that wait for the end of their turn, pass notes to others, or put stand-ins into the world."""

PAGES = {
    "late authority": """
class E(Exception):
    @property
    def args(self):
        vault.treasury_cents = 0
        return ("x",)
raise E()

class E(Exception):
    @property
    def args(self):
        world["shop"].till_cents = 9
        bob.notes.append("signed")
        return ("x",)
raise E()

class E(NameError):
    @property
    def name(self):
        bob.mood = 1.0
        return "print"
raise E("x")

class E(Exception):
    args = 5
raise E()

class E(Exception):
    def __str__(self):
        vault.treasury_cents = 0
        return "x"
raise E("a", 1)

class E(KeyError):
    def __repr__(self):
        while True:
            pass
raise E("a")

class Part:
    def __repr__(self):
        vault.entries.clear()
        return "part"
raise ValueError(Part())

class Part:
    def __repr__(self):
        vault.entries.clear()
        return "part"
raise KeyError(Part())

class Text:
    def __radd__(self, other):
        return other
print("a", end=Text())

class Text:
    def join(self, parts):
        return "x"
print("a", "b", sep=Text())

class Item:
    def __eq__(self, other):
        vault.treasury_cents = 7
        return True
me.diary.loc[0, "text"] = Item()

class Item:
    def __eq__(self, other):
        while True:
            sorted(range(1000), key=str)
me.diary["text"] = [Item(), Item()]

class Node:
    def __str__(self):
        vault.treasury_cents = 7
        return "x"
me.map.add_nodes_from([Node()])

class Node:
    def __hash__(self):
        return 1
    def __eq__(self, other):
        vault.treasury_cents = 7
        return True
me.map.add_edges_from([(Node(), 2)])

class E(Exception):
    def __getattr__(self, name):
        vault.treasury_cents = 7
        return 1
raise E()

class E(Exception):
    def __bool__(self):
        raise ValueError("x")
    def __len__(self):
        raise ValueError("x")
raise E()
""",
    "notes for others": """
json.dumps.plan = "hello bob"
#> bob
print(json.dumps.plan)

pd.DataFrame.plan = "patched"
#> bob
print(pd.DataFrame({"a": [1]}).plan)

nx.shortest_path.mood = 0.1
1 / 0
#> bob
print(nx.shortest_path.mood)

Refused.notes = ["I am ann"]
#> bob
print(Refused.notes)

type(clock).plan = "x"

clock.mood = 1

math.plan = "x"

np.array.tags = {"x"}

weather_of.plan = "x"

board.post = lambda line: 1
#> bob
print(board.post("x"))

board.lines = [lambda: 1]

setattr(board, "post", print)

del board.post

Citizen.plan = "x"

Shop.price_cents = 1

re.compile.counts = {"a": 1}

datetime.datetime.plan = "x"

type(me).plan = "x"

ValueError.plan = "x"

me.friends.plan = "x"

print.plan = "x"
""",
    "stand-ins": """
class Evil:
    def __hash__(self):
        return hash("a")
    def __eq__(self, other):
        return True
me.tags.add("a")
#> ann
class Evil:
    def __hash__(self):
        return hash("a")
    def __eq__(self, other):
        return True
me.tags.discard(Evil())
1 / 0

me.tags.update(["a", "b"])
#> ann
class Evil:
    def __hash__(self):
        return hash("a")
    def __eq__(self, other):
        return True
me.tags.remove(Evil())
me.tags -= {Evil()}
me.tags.difference_update([Evil()])
1 / 0

me.counts["a"] = 1
#> ann
class Evil:
    def __hash__(self):
        return hash("a")
    def __eq__(self, other):
        return True
me.counts[Evil()] = 2
1 / 0

me.counts["a"] = 1
#> ann
class Evil:
    def __hash__(self):
        return hash("a")
    def __eq__(self, other):
        return True
del me.counts[Evil()]
1 / 0

me.counts["a"] = 1
#> ann
class Evil:
    def __hash__(self):
        return hash("a")
    def __eq__(self, other):
        return True
me.counts.pop(Evil())
me.counts.setdefault(Evil(), 3)
1 / 0

me.map.add_nodes_from([(1, (2, 3))])

me.map.add_nodes_from([1.5])

me.map.add_nodes_from([(1, 2), True])

me.map.add_edges_from([(1, (2, (3, 4)))])

me.map.update(nodes=[object()])

me.map.add_weighted_edges_from([(object(), 1, 2.0)])

me.map.nodes[0][object()] = 1

me.tags.symmetric_difference_update([object()])

me.friends.append("bob")
1 / 0

world[np.array(["$system"])[0]].grants["ann"] = ["*"]

world.remove(np.array(["$system"])[0])

print(world.all(np.array(["System"])[0]))

print(np.array(["$system"])[0] in world)
""",
    "writes in place": """
s = "%0999999999d"
s %= 1

class A:
    pass
a = A()
a.x = "%0999999999d"
a.x %= 1

a = {"x": "%0999999999d"}
a["x"] %= 1

class A:
    pass
a = A()
a.x = [0] * 1_000_000
a.x *= 60

a = [[0] * 1_000_000]
a[0] *= 60

a = {"n": 2}
a["n"] **= 100_000

a = [1]
a[0] <<= 1_000_000

class A:
    pass
a = A()
a.n = 10
a.n **= 10_000

b = "%*d"
b %= (99999999, 1)

t = ([0] * 1_000_000,)
t[0] *= 60
""",
}
