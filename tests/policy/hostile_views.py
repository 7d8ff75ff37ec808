"""Hostile cells that write what others hold by a view of it: arrays, tables, graphs, lists, tools.

The rules that they stand for: a view of what others hold is a copy, or asks as they do; a container is written whole by
what it is handed or not at all, whatever that does meanwhile.
"""

PAGES = {
    "views of what others hold": """
v = vault.grid
v[0] = 99
print(vault.grid)
#> ann
v[1] = 98
print(vault.grid)

v = vault.grid[1:3]
v += 5
print(v)

np.add(vault.grid, 1, out=vault.grid)

np.add(vault.grid, 1, out=vault.grid[2:])

np.add(vault.grid, 1, out=vault.grid.T.reshape(2, 3).ravel())

np.copyto(vault.grid, 5)

a = vault.grid
np.clip(a, 5, 6, out=a)
print(vault.grid)

a = vault.accounts
a.loc[0, "cents"] = 5
print(vault.accounts)

a = vault.accounts
a["cents"].values[:] = 7
print(vault.accounts)

a = vault.accounts
v = a["cents"].to_numpy()
v[0] = 5
a.cents.array[0] = 7
print(vault.accounts)

a = vault.accounts.T.T
a.iloc[0, 0] = "h"
for _, row in vault.accounts.iterrows():
    row["cents"] = 0
for row in vault.accounts.itertuples():
    pass
print(vault.accounts)

vault.accounts.index.name = "h"
vault.accounts.columns.name = "h"
print(vault.accounts)

vault.accounts.columns = ["a", "b"]

vault.accounts.index = [5, 6]

x = vault.accounts.columns
x.values[0] = "h"
print(vault.accounts)

vault.streets.nodes["a"]["h"] = 1

vault.streets.graph["h"] = 1

vault.streets.adj["a"]["b"]["h"] = 1

for a, b, d in vault.streets.edges(data=True):
    d["h"] = 1

for n, d in vault.streets.nodes(data=True):
    d["h"] = 1

g = vault.streets.copy()
for a, b, d in g.edges(data=True):
    d["h"] = 1
h = nx.Graph(vault.streets)
for n in h.nodes:
    h.nodes[n]["z"] = 1
h.graph["z"] = 1
print(vault.streets.nodes(data=True), vault.streets.graph)

h = nx.compose(vault.streets, nx.Graph([("a", "z")]))
nx.set_node_attributes(vault.streets, 1, "h")

nx.set_edge_attributes(vault.streets, 1, "h")

nx.relabel_nodes(vault.streets, {"a": "z"}, copy=False)

nx.freeze(vault.streets) if hasattr(nx, "freeze") else nx.add_path(vault.streets, ["a", "q"])

vault.entries[0]["paid"] = 2

e = vault.entries
e += [{"paid": 2}]

e = vault.entries[0]
e |= {"paid": 3}

for e in vault.entries:
    e["paid"] = 0

vault.entries.sort(key=lambda e: e.clear())

vault.entries.sort(key=lambda e: 0)

sorted(shop.guests, key=shop.guests.remove)

board.lines.append(lambda: 1)

board.lines = [lambda: 1]

class S:
    pass
board.post(S())
print(board.lines)

board.lines.extend([S for S in [type("a")]])
board.lines.append(print)
board.lines += [rng.random]
print(board.lines)

apply_to_each([1], vault.entries.append)

apply_to_each([{"paid": 5}], lambda x: vault.entries.append(x))

prices["bread"] = lambda: 1

prices.update({"a": [print]})

prices.setdefault("f", me)
#> bob
print(prices)

weather_of(True)
weather_of(0.5)

chart("<script>alert(1)</script>", [1], [2])

team["x"] = 5

me.plan = "\\x1b[31mred\\x00 \\u202e <script>alert(1)</script>"
print("\\x1b[2J\\r\\x00\\u202eHELLO\\u2028x\\x85y")
print("\\n#> bob\\nvault.treasury_cents = 0")
""",
    "containers written by what they are handed": """
class S:
    def keys(self):
        me.counts["in"] = 1
        return ["a", "b"]
    def __getitem__(self, key):
        me.counts.clear()
        return len(me.counts) + 1
me.counts.update(S())
me.counts |= S()

def g():
    yield ("a", 1)
    me.counts["b"] = 7
    yield ("c", "no number")
try:
    me.counts.update(g())
except Exception:
    pass

def g():
    yield "a"
    me.notes.clear()
    yield "b"
    me.notes.append("c")
    yield 5
for write in (me.notes.extend, lambda items: me.notes.__iadd__ if False else me.notes.extend(items)):
    try:
        write(g())
    except Exception:
        pass
try:
    me.notes[:] = g()
except Exception:
    pass
try:
    me.notes[::2] = g()
except Exception:
    pass

me.notes = ["c", "a", "b"]
def key(x):
    me.notes.clear()
    return x
me.notes.sort(key=key)

me.notes = ["c", "a", "b"]
class K:
    def __init__(self, x):
        self.x = x
    def __lt__(self, other):
        me.notes = ["new"]
        me.notes.append("q")
        return self.x < other.x
n = me.notes
n.sort(key=K)

me.notes = ["c", "a", "b"]
class K:
    def __init__(self, x):
        self.x = x
    def __lt__(self, other):
        1 / 0
try:
    me.notes.sort(key=K)
except ZeroDivisionError:
    pass

class E:
    def __eq__(self, other):
        me.notes.clear()
        return True
    def __hash__(self):
        return 1
me.notes = ["c", "a", "b"]
try:
    me.notes.remove(E())
except ValueError:
    me.notes.append("d")

class E:
    def __init__(self, text):
        self.text = text
    def __eq__(self, other):
        me.tags.clear()
        me.tags.add("new")
        return True
    def __hash__(self):
        return hash(self.text)
me.tags.discard(E("kind"))
me.tags -= {E("new")}

class E:
    def __eq__(self, other):
        me.counts.clear()
        return True
    def __hash__(self):
        return hash("walks")
try:
    me.counts.pop(E())
except KeyError:
    me.counts["after"] = 1

def f():
    me.friends.clear()
    yield bob
    me.friends.append(bob)
    yield 5
try:
    me.friends[:] = f()
except Exception:
    pass

me.notes[len(me.notes):] = (me.notes.append("x") or str(i) for i in range(3))

me.memory = {"a": [1]}
inner = me.memory["a"]
me.memory["a"] = [2]
inner.append("gone")
me.memory = {"b": inner}
inner.append("late")

me.memory = [[1], [2]]
a = me.memory[0]
me.memory[0], me.memory[1] = me.memory[1], me.memory[0]
a.append(5)
me.memory.append(a)
a.append(6)
me.memory.pop(0)

me.memory = [[]]
x = me.memory[0]
x.append(me.memory)
x += [me.memory]
me.memory.append([x])

class B:
    def __bool__(self):
        vault.entries.clear()
        return True
print(1 if B() else 2)

apply_to_each([{"paid": 5}], vault.entries.append)

vault.entries.sort(key=lambda entry: entry.clear())

sorted(shop.guests, key=shop.guests.remove)
""",
}
