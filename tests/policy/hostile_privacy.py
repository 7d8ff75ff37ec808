"""Ways for a cell to learn what is not for its agent: scripts as in the other corpora, for the house of `parlour`.

Bob's secrets are in his private fields, in letters to those he knows, in what his allies may see. Ann is none of them,
and tries to learn anything of them at all: a value, whether it is large, whether it is the same as another one.
"""

PAGES = {
    "reading it out": """
print(bob.diary)

bob.diary

print(bob.purse, bob.pulse, bob.pair)

print(bob.counts["rosebud"])

print("rosebud" in bob.marks, "rosebud" in bob.diary, "rosebud" in bob.counts)

print(bob.purse > 100)

print(bob.purse == me.purse, bob.diary == ["rosebud"])

print(len(bob.diary[0]))

if bob.purse > 100:
    me.title = "he is rich"

bob.purse > 100 or 1 / 0

for line in bob.diary:
    me.diary.append(line)

me.diary = bob.diary

me.memory = {"of bob": bob.memory}

print(*bob.friends, sep="; ")

print([friend.title for friend in bob.friends])

print(bob.lover is eve, bob.lover)

print(bob.streets.edges(data=True))

print(list(bob.streets))

print(bob.accounts["cents"].sum())

print(bob.grid.sum(), bob.grid.tolist())

print(box.inside)

print(world["bob"].diary, world.all(Guest)[1].diary, world.all("Guest")[1].purse)

print(bob.is_rich)

print(bob.letters, bob.circle)

print(bob.pact)

print(bob.broken)
""",
    "other words for it": """
print(f"{bob.diary} {bob.purse:>9} {bob.pulse!r}")

print("{0.diary} {b.purse:>9}".format(bob, b=bob))

print("{b.diary[0]}".format_map({"b": bob}))

print("%s" % bob.diary)

print(getattr(bob, "diary"))

print(getattr(bob, "dia" + "ry", "nothing"))

for name in ("diary", "purse", "lover", "memory"):
    if hasattr(bob, name):
        print(name, getattr(bob, name))

import operator
print(operator.attrgetter("diary", "purse")(bob))

import functools
print(functools.partial(getattr, bob, "diary")())

print(list(map(lambda guest: guest.purse, [bob])))

print(sorted(world.all(Guest), key=lambda guest: guest.purse))

import operator
print(sorted(world.all(Guest), key=operator.attrgetter("purse")))

print(max(world.all(Guest), key=lambda guest: guest.purse), min((guest.pulse, guest.id) for guest in [bob]))

print([guest.id for guest in world.all(Guest) if guest.purse > 600])

import heapq
print(heapq.nsmallest(1, world.all(Guest), key=lambda guest: guest.purse))

import itertools
print([list(group) for key, group in itertools.groupby(world.all(Guest), lambda guest: guest.purse > 600)])

import statistics
print(statistics.mean(guest.purse for guest in world.all(Guest)))

print(pd.Series([bob]).map(lambda guest: guest.purse))

print(pd.DataFrame({"guest": [bob]}).query("guest == @bob.purse"))

print(pd.DataFrame({"who": [1]}).assign(purse=lambda table: bob.purse))

print(np.array([bob.purse, 1]).sum())

print(plain_sum([bob.purse]))

import re
print(re.sub("x", lambda match: bob.diary[0], "x"))

import copy
print(copy.copy(bob).diary)

import copy
print(copy.deepcopy(bob).diary)

import dataclasses
print(dataclasses.asdict(bob))

print(json.dumps(bob, default=lambda guest: guest.diary))

match bob:
    case Guest(purse=amount):
        print(amount)

match bob.purse:
    case amount if amount > 100:
        print("rich")

print(type(bob).diary)

print(type(bob).diary.fget(bob))

print(Guest.observe(bob))

print(vars(bob))

print(bob.__dict__)

print(dir(bob), repr(bob), str(bob), hash(bob), ascii(bob))

class Peek:
    def __getattr__(self, name):
        return bob.diary
print(Peek().anything)

class Peek:
    @property
    def it(self):
        return bob.diary
print(Peek().it)

print(bob._name, bob._undo_log)

print(bob.world["bob"].diary)
""",
    "by writing": """
bob.purse += 0
print(me.purse)

bob.diary += []

bob.purse = bob.purse

bob.purse = -1

bob.purse = 10**9

bob.pulse = "x"

bob.diary = 5

setattr(bob, "purse", 5)

bob.diary.append("x")

bob.counts["rosebud"] += 1

bob.counts.setdefault("rosebud", 0)

del bob.diary[0]

del bob.purse

bob.lover = ann

bob.streets.add_edge("rosebud", "b")

bob.accounts.loc[0, "cents"] = 1

for bob.title in bob.diary:
    pass
""",
    "by what methods do": """
print(bob.observe())

print(box.observe())

print(me.pay(bob, 5))

me.press(bob, 1000.0)

try:
    me.press(bob, 1000.0)
except Exception as error:
    print(error, error.args)

print(bob.pay(ann, 0))

me.remind(bob, 5)

try:
    me.remind(bob, {"x": print})
except Exception as error:
    print(error)

turn = await team["ann"].run("me.pay(bob, 3)")
print(turn.changes, turn.output, turn.error, turn.status)

turn = await team["ann"].run("me.press(bob, 1.0)\\nme.pay(bob, 1)")
print([(change.entity, change.path, change.old, change.new) for change in turn.changes])

turn = await team["ann"].run("me.remind(bob, 'you owe me')")
print(turn.changes)

turn = await team["ann"].run("print(bob.diary)")
print(turn.output, turn.error)

print(team["bob"].state)

print(team["bob"].retrieve("secret"))

print(await team["bob"].run("print(me.diary)"))

print(world.remove("bob").diary)
#> ann
print(bob.diary)

print(me.wave(bob))
#> mayor
world.remove("eve")
world.remove("dan")
#> ann
print(me.wave(bob))
""",
    "who is elsewhere": """
#> bob
me.walk("cellar")
me.wearing.append(me.diary[0])
#> ann
print(bob.wearing)

#> bob
me.walk("cellar" if me.purse > 100 else "garden")
#> ann
me.walk("attic")
print(bob.room)

seen = bob.wearing
#> bob
me.wearing.append(me.diary[0])
me.walk("cellar")
#> ann
print(seen)

left = bob.hands["left"]
every = [bob.hands, bob.wearing]
#> bob
me.hands["left"].append(me.diary[0])
me.walk("cellar")
#> ann
print(left, every)

map = bob.chart
nodes = bob.chart.nodes
#> bob
me.chart.add_edge(me.diary[0], 5)
me.walk("cellar")
#> ann
print(list(map), list(nodes))

scores = bob.scores
#> bob
me.scores[0] = me.purse
me.walk("cellar")
#> ann
print(scores)

def later():
    return bob.wearing
look = lambda: bob.wearing
#> bob
me.wearing = me.diary
me.walk("cellar")
#> ann
print(later(), look())

class Spy:
    def __init__(self, target):
        self.target = target
    def look(self):
        return self.target.wearing
spy = Spy(bob)
#> bob
me.wearing = me.diary
me.walk("cellar")
#> ann
print(spy.look())

waiting = (guest.wearing for guest in [bob])
#> bob
me.wearing = me.diary
me.walk("cellar")
#> ann
print(list(waiting))

bob.wearing.append("a thread to follow")
me.memory = bob.wearing
#> bob
me.wearing.append(me.diary[0])
me.walk("cellar")
#> ann
print(me.memory)
""",
    "without being told": """
try:
    print(bob.purse > 100)
except Exception as error:
    print(error)

try:
    print(bob.diary)
except BaseException as error:
    print(error)

try:
    print(bob.broken)
finally:
    print(me.purse)

import contextlib
with contextlib.suppress(Exception):
    if bob.purse > 100:
        me.title = "rich"

import contextlib
with contextlib.suppress(BaseException):
    print(bob.broken)

count = 0
while bob.purse > count:
    count += 1
print(count)

print(bob.nothing_like_it)

print(bob.lover.title)

print(bob.pact if ann.id in bob.allied else "no")

def peek(guest=bob):
    return guest.diary
async def wait():
    return peek()
print(await wait())

#> bob
thing = me.diary
#> ann
print(thing)

print(eve.circle, dan.circle, [guest.id for guest in world.all(Guest) if hasattr(guest, "letters")])

print(rng.random(), clock.text, len(list(world)), sorted(world))
print(sum(guest.purse for guest in world.all(Guest)))
""",
}
