"""Two towns that differ in what is private to bob alone, and everything that ann could try to learn of it."""

from cave_sim import Simulation
from cave_sim.worlds.feed import open_feed
from cave_sim.worlds.town.contagion import open_health
from cave_sim.worlds.town.neighbour import Neighbour
from cave_sim.worlds.town.society import Society
from tests.worlds.line_town import line_town, person, wait

STEPS = 1
BUSY = {f"{hour:02d}:00": "meet eve at park" for hour in range(10, 22)}
SECRETS = (
    {"plan": {}, "diary": ["Fri 07:00 I love eve"], "heard": ["08:50 Eve (eve): I pay you back"], "money_cents": 9_000},
    {"plan": BUSY, "diary": ["Fri 07:00 I hate dan", "and all"], "heard": ["08:50 overheard Dan (dan) to Eve: Hush"]}
    | {"money_cents": 100, "attitudes": {"tolls": -1.0}, "learned": {"office": "08:00-12:00"}, "haunts": ["park"]}
    | {"belongings": {"groceries": 9, "ring": 1}, "wage_cents_h": 9_000, "hunger": 0.9, "energy": 0.2, "did": "eating"},
)


def build(*, secret=0, apart=False, granted=False):
    """Return a town with phones, a feed and illness: ann sits beside bob, or knows nobody and is elsewhere."""
    world = line_town(Society, Neighbour)
    for name in ("dan", "eve"):
        world["town"].money_supply_cents += person(world, name, "office", Neighbour).money_cents
    open_feed(world)
    open_health(world, 0.1, 0.1)
    relations, bob = world["town"].relations, world["bob"]
    if not apart:
        person_at(world["ann"], world["cafe"])
        relations.add_edge("ann", "bob", strength=0.3)
        wait(world, 1)
    if granted:
        world.grant("ann", "*")
    kept = SECRETS[secret]
    relations.add_edge("bob", "eve", strength=(0.2, 0.9)[secret])
    if secret:
        relations.add_edge("bob", "dan", strength=0.4)
        world["health"].caught.append("bob")
    world["eve"].money_cents += bob.money_cents - kept["money_cents"]
    for name, value in kept.items():
        setattr(bob, name, value)
    return world


def create(*, secret=0, **options):
    """Return a simulation of such a town, in which nobody acts by themselves."""
    return Simulation(build(secret=secret), **options)


def person_at(person, place):
    """Put somebody into a place."""
    person.location.guests.discard(person)
    person.location, person.node, person.lon, person.lat = place, place.node, place.lon, place.lat
    place.guests.add(person)


WAYS = """
print(me.meet(bob, park, at="18:00"))
me.meet(bob, park, at="18:00")

for hour in range(10, 22):
    try:
        print(hour, me.meet(bob, park, at=f"{hour}:00"))
    except Refused as no:
        print(hour, no)

me.meet(eve, park, at="18:00")

#> bob
me.say(ann, "Hello")
#> ann
me.meet(bob, cafe, at="20:30")

me.invite(bob, park, at="18:00")

print(me.promise(bob, at="18:00", place=park))
print(me.promise(bob, at="19:00", cents=500))

print(me.text(bob, "Are you free at 18:00? What do you think of tolls?"), me.text(eve, "Hello"))

me.attitudes["tolls"] = 1.0

print(me.say(bob, "I am for tolls."), me.attitudes, me.heard)

for cents in (1, 1_000, 2_000):
    print(me.give(bob, cents))

bob.give(me, 4_000)

bob.meet(me, park, at="18:00")

bob.say(me, "my diary says")

bob.note("ann was here")

bob.observe()

print(bob.title, bob.age, bob.job, bob.activity, bob.mood, bob.location)
print(repr(bob), str(bob), dir(bob))
help(bob)

for name in dir(bob):
    try:
        value = getattr(bob, name)
        print(name, value if not callable(value) else "method")
    except Exception as e:
        print(name, type(e).__name__, e)

print([each.id for each in world.all("Neighbour") if each.plan])

print(sorted(world.all("Neighbour"), key=lambda each: each.money_cents))

print(bob.plan == me.plan, bob.diary == [], bob.heard == me.heard)

print(len(bob.plan))

print("18:00" in bob.plan)

bob.plan["18:00"] = "meet ann at park"

bob.plan.setdefault("18:00", "meet ann at park")

del bob.plan["18:00"]

bob.heard.append("09:00 you to ann: yes")

bob.money_cents -= 4_000

bob.attitudes["tolls"] = 0.0

me.plan = bob.plan

me.diary.append(bob.diary)

me.note(f"{bob.heard}")

print(town.strength("bob", "eve"))

print(town.strength("ann", "bob"), town.relations)

print(town.treasury_cents, town.turnover_cents, town.announcements, town.norms)
print(town.influence)

print(health.state_of("bob"))

print(health.caught, health.ill_until_s)

health.stay_at_home()

print(feed.post("@bob what are you up to?"), feed.read(), feed.follow("bob"), feed.read(20))

print(feed.follows)

me.go(bobs)

print(bobs.guests, cafe.guests, cafe.cash_cents, office.guests)

import json
print(json.dumps({"b": bob.learned}, default=str))

import copy
print(copy.deepcopy(bob))

from operator import attrgetter
print(attrgetter("plan", "diary")(bob))

import pandas as pd
print(pd.DataFrame([{"who": each.id, "cents": each.money_cents} for each in world.all("Neighbour")]))

class Peek:
    def __eq__(self, other):
        print("seen", other)
        return True
print(Peek() == bob, bob == Peek(), bob in [Peek()])

print(f"{bob.belongings}")

print(f"{bob.hunger:.2f}", bob.energy)

print(bob.home, bob.workplace, bob.wage_cents_h, bob.haunts)

print(vars(bob))

print(bob.__dict__)

print(world.observe("bob"))

print(world.retrieve("bob.plan"))

try:
    bob.plan["18:00"]
except KeyError as e:
    print("free", e)
except Exception as e:
    print(type(e), e, e.args, e.__cause__, e.__context__)

match bob:
    case object(plan={}):
        print("free")
    case _:
        print("not to be seen")

print(me._town().relations)

print(me._said_unanswered(bob, "09:00"), me._bystanders(bob))

print(me._tell(bob, "hush"))
"""
