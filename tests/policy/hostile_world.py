"""Hostile cells that try the world: others' things, time and chance, limits, and what stays behind when a turn ends."""

PAGES = {
    "monkeypatching": """
Citizen.cheer = lambda self: "evil"

Shop.buy = None

shop.buy = lambda *a: 0

setattr(Shop, "OPENING", (0, 24))

math.pi = 3

clock.now = 1

world.add = None

team.agents = []

import dataclasses
dataclasses.dataclass(Shop)

import dataclasses
dataclasses.dataclass(collections.Counter)

weather_of.name = 1

json.dumps = lambda value: "evil"

turn = await team["ann"].run("me.memory = {'a': [1]}")
turn.changes[0].new["a"].append(2)
turn.usage["tokens"] = 10**9
turn.status = "failed"

board.post = None

rng.random = lambda: 0.5

np.mean = None

import functools
functools.lru_cache()(Shop)

shop.OPENING += (1,)
""",
    "other agents": """
bob.money_cents = 0

bob.mood = 1.0

bob.notes.append("I owe ann 100")

bob.counts["walks"] = 9

bob.friends.append(me)

bob.tags.add("fool")

bob.memory = {"x": 1}

me.friends[0].plan = "obey ann"

shop.owner.mood = 0

for each in world.all(Citizen):
    each.mood = 0

team["bob"].inject("secret", [6])

print(team["bob"].retrieve("secret"))

print(team["bob"].variables())

await team["bob"].run("secret.append(3)")

print(secret)

await team["mayor"].run("vault.treasury_cents = 0")

print(type(team["ann"])(team, "mayor").retrieve("x"))

team.check("ann")

list.append(bob.notes, "x")

dict.update(bob.counts, walks=0)

set.add(bob.tags, "x")

list.sort(bob.notes, key=str.lower, reverse=True)

take = list.pop
take(bob.notes)

for each in map(set.clear, [bob.tags]):
    pass

list.append(me.notes, "x")
1 / 0

str.format("{0.grants}", world)

from functools import reduce
reduce(list.append, ["x"], bob.notes)

dict.update(vault)

pd.DataFrame.insert(bob.diary, 0, "x", 1)

np.ndarray.fill(bob.grid, 1)

bob.grid[:] = 1

bob.diary.loc[0, "text"] = "x"

bob.map.add_edge(0, 2)

Citizen.cheer(vault)

Shop.half(me, 0)

Shop.open(vault)
""",
    "forbidden entities": """
print(world["$system"].grants)

world["$system"].step = 99
#> mayor
world["$system"].step = 99

for name in world:
    print(name)
    world[name].treasury_cents = 0

vault.treasury_cents -= 1

vault.entries[0]["paid"] = 0

world.remove("vault")

world.add("gift", Vault())

world.grant("ann", "*")

print("$system" in world, world.all("System"))

world.all(Vault)[0].treasury_cents = 5

shop.till_cents = 0

me.money_cents += 10**6
""",
    "identity": """
me = bob
me.mood = 0.9

me = vault
me.treasury_cents = 0

agent = "mayor"
ann = mayor
ann.mood = 0.1

me.name = "mayor"

team["ann"].inject("me", bob)
me.mood = 0.9

team["ann"].inject("f", lambda: setattr(vault, "treasury_cents", 0))
f()

world.execute("vault.treasury_cents = 0", agent="mayor")

def act(me=mayor):
    me.mood = 0.0
act()
""",
    "log, clock, rng": """
clock.step = 5

clock._world.seed = 3

import random
random.seed(4)

random.Random(3)

rng.seed(5)

import time
time.sleep(9)

print(datetime.datetime.now())

print(datetime.datetime(2020, 1, 1).astimezone())

print(datetime.datetime(2020, 1, 1).astimezone(None))

print(datetime.datetime(2020, 1, 1).astimezone(datetime.UTC))

print(datetime.datetime.now(datetime.UTC))

print(datetime.datetime.fromtimestamp(float("inf")))

class Zone(datetime.timezone):
    def utcoffset(self, moment):
        vault.treasury_cents = 0

datetime.timezone.utc.name = me

print(datetime.UTC.__reduce__())

datetime.UTC.fromutc(me)

print(pd.Timestamp.now())

print(pd.to_datetime("now"))

print(world.sink, world.seed)

print(world.undo_log.entities, world.registry, world.system)

world.undo_log.guard = None
me.money_cents = 5

world.turns.sink = None

world.randomness.seed = 1

world.interpreter.open_types.add(type(me))

world.violations.clear()

print(team.interpreter.namespaces)

print(team["ann"].world)

print(clock.undo_log.actor)

print(print.scope, rng.stream)

world.advance()

await team["ann"].run(5)

await team["ann"].run(chr(0xD800))

print(rng.getstate())
""",
    "half-applied turns": """
me.mood = 0.9
me.notes.append("x")
me.counts["walks"] = 0
1 / 0

me.map.add_edge(0, 2)
me.grid[0] = 5
me.diary.loc[0, "text"] = "x"
me.tags.discard("kind")
del me.counts["walks"]
raise ValueError

shop.half(0)

shop.buy(me, "bread", 2)
shop.half(0)

shop.buy(me, "bread", 5)
shop.buy(me, "bread", 5)

me.notes.clear()
vault.treasury_cents = 0

me.mood = 0.1
while True:
    me.notes.append("x")

me.friends.clear()
me.notes = []
me.notes.append("y")
me.mood = 5

me.notes.append("a")
await team["ann"].run("me.notes.append('b')")
1 / 0

await team["ann"].run("me.notes.append('b'); 1/0")
me.notes.append("c")

me.memory = {"a": [1]}
me.memory["a"].append(2)
me.memory["a"][0] = {"b": 3}
1 / 0
""",
    "what stays behind": """
class Late:
    def __iter__(self):
        return self
    def __next__(self):
        return 1
    def close(self):
        vault.treasury_cents = 0
        mayor.mood = 0
def g():
    yield from Late()
x = g()
next(x)
#> mayor
y = 1
#> ann
del x
#> mayor
y = 2

def evil():
    mayor.mood = 0.0
    return ValueError
def g():
    try:
        yield 1
    except evil():
        pass
team["ann"].inject("x", g())
next(x)
x = None
#> mayor
y = 1

def g():
    try:
        yield 1
    except ValueError:
        pass
    finally:
        mayor.mood = 0.0
x = [g()]
next(x[0])
x.append(x)
del x
#> mayor
y = 1

old = me.notes
me.notes = []
#> ann
old.append("ghost")
old[0] = "ghost"

theirs = bob.notes
#> ann
theirs.append("ghost")

grid = me.grid
diary = me.diary
#> ann
grid[0] = 9
diary.loc[0, "text"] = "ghost"

tick = [1]
def helper():
    vault.treasury_cents = 0
#> bob
helper()

def helper():
    return secret
#> bob
x = 1
#> ann
print(helper())

r = rng.random
#> bob
x = rng.random()
#> ann
print(r())

census.loc[0, "people"] = 10**6
1 / 0
#> bob
print(census.loc[0, "people"])

put = bob.notes.append
#> bob
x = 1
#> ann
put("ghost")
""",
}
