"""Entity classes by where they are declared: two of one bare name are never taken for each other."""

import json
import random
import sys
from types import ModuleType

import pytest

from cave_sim import Entity, SchemaError, World, WorldError, field
from tests.world.market import make_market

SHOP = """
from cave_sim import Entity, field

class Shop(Entity):
    till_cents: int = field(0{bounds})
"""

OWNER = """
from cave_sim import Entity, field

class Owner(Entity):
    shop: "Shop | None" = field(None)
"""


@pytest.fixture
def module(monkeypatch):
    """Return what makes a module of some source, importable by its name while the test runs."""

    def make(name, source):
        made = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, made)
        exec(source, vars(made))
        return made

    return make


@pytest.fixture
def shops(module):
    return module("bounded_shops", SHOP.format(bounds=", ge=0")), module("free_shops", SHOP.format(bounds=""))


def test_a_world_takes_one_class_of_a_name(shops):
    bounded, free = shops
    world = World()
    world.add("corner", bounded.Shop())
    with pytest.raises(WorldError, match=r"its class is free_shops:Shop, .* another of that name, bounded_shops:Shop"):
        world.add("mall", free.Shop())
    assert list(world) == ["corner"]
    world.add("second", bounded.Shop())


def test_two_worlds_may_each_have_their_own_class_of_a_name(shops):
    for each in shops:
        world = World()
        world.add("corner", each.Shop(till_cents=3))
        again = World.restore(world.snapshot())
        assert type(again["corner"]) is each.Shop
        assert again.state_hash() == world.state_hash()


def test_the_bounds_of_a_class_hold_behind_a_snapshot_whatever_was_loaded_since(module):
    bounded = module("bounded_shops", SHOP.format(bounds=", ge=0"))
    world = World()
    world.add("corner", bounded.Shop())
    module("free_shops", SHOP.format(bounds=""))
    again = World.restore(world.snapshot())
    assert again.execute("corner.till_cents = -5").status == "failed"


def test_a_snapshot_of_another_modules_class_is_refused_with_both_names(shops):
    bounded, free = shops
    world, other = World(), World()
    world.add("corner", bounded.Shop())
    other.add("corner", free.Shop())
    from cave_sim.world.snapshot import restore_into

    with pytest.raises(WorldError, match="written with bounded_shops:Shop; in this world it is free_shops:Shop"):
        restore_into(other, world.snapshot())


def test_a_snapshot_of_a_class_that_is_not_loaded_is_refused_with_its_module(shops):
    world = World()
    world.add("corner", shops[0].Shop())
    state = world.snapshot().replace(b"bounded_shops:Shop", b"closed_shops:Shop")
    with pytest.raises(WorldError, match=r"written with closed_shops:Shop; what is loaded is .*free_shops:Shop"):
        World.restore(state)
    unheard = world.snapshot().replace(b"Shop", b"Hop")
    with pytest.raises(WorldError, match="no entity class 'Hop' is loaded; import bounded_shops"):
        World.restore(unheard)


def older(snapshot):
    """Return a snapshot as versions wrote it that did not say where classes are declared."""
    state = json.loads(snapshot)
    del state["classes"]
    return json.dumps(state).encode()


def test_an_older_snapshot_is_restored_by_bare_names_where_these_are_clear(shops):
    market = make_market()
    assert World.restore(older(market.snapshot())).state_hash() == market.state_hash()
    world = World()
    world.add("corner", shops[0].Shop())
    with pytest.raises(WorldError, match=r"'Shop' may be .*Shop, and the data does not say which"):
        World.restore(older(world.snapshot()))


def test_data_with_other_fields_than_the_class_has_now_is_refused(module):
    before = module("shops", SHOP.format(bounds=""))
    world = World()
    world.add("corner", before.Shop())
    state = world.snapshot()
    module("shops", SHOP.format(bounds="") + "    floors: int = 1\n")
    with pytest.raises(WorldError, match="shops:Shop has 'floors' besides"):
        World.restore(state)


@pytest.mark.parametrize("name", ["System", "Shared"])
def test_a_class_may_not_be_taken_for_one_of_ours(name):
    world = World()
    world.inject("motto", "open all hours")
    with pytest.raises(WorldError, match=f"another of that name, cave_sim.entity.builtin_entities:{name}"):
        world.add("mine", type(name, (Entity,), {})())
    assert list(world) == ["motto"]


def test_a_class_whose_name_begins_like_one_of_ours_is_restored():
    class SharedBike(Entity):
        rides: int = 0

    world = World()
    world.add("bike", SharedBike(rides=3))
    assert World.restore(world.snapshot())["bike"].rides == 3


def test_a_reference_by_bare_name_means_the_nearest_class(module):
    for place in ("north", "south"):
        module(f"{place}.shops", SHOP.format(bounds=""))
    owners = module("north.owners", OWNER)
    assert owners.Owner(shop=sys.modules["north.shops"].Shop()).shop.till_cents == 0
    with pytest.raises(SchemaError, match="Input should be a Shop of this world"):
        owners.Owner(shop=sys.modules["south.shops"].Shop())


def test_a_reference_by_bare_name_to_one_of_two_equally_near_classes_is_refused(module):
    for place in ("north", "south"):
        module(f"{place}.shops", SHOP.format(bounds=""))
    owners = module("owners", OWNER)
    with pytest.raises(TypeError, match=r"'Shop' may mean .*north.shops:Shop.*; import the one that is meant"):
        owners.Owner()


def test_two_classes_of_a_test_may_refer_to_each_other_by_name():
    class Dog(Entity):
        owner: "Master | None" = field(None)

    class Master(Entity):
        dogs: list["Dog"] = field([])

    world = World()
    dog = world.add("rex", Dog())
    world.add("bob", Master()).dogs.append(dog)
    dog.owner = world["bob"]
    assert (dog.owner.id, [each.id for each in dog.owner.dogs]) == ("bob", ["rex"])


def test_who_is_listed_by_class_follows_all_who_come_and_go_and_come_back():
    class Shape(Entity):
        pass

    class Square(Shape):
        pass

    draws, world = random.Random(5), World(seed=1)
    for number in range(30):
        world.add(f"shape_{number}", draws.choice((Shape, Square))())
    for round_ in range(120):
        many = 40 if round_ % 30 == 0 else 1
        for _ in range(many):
            name = f"shape_{draws.randrange(90)}"
            cell = (
                f"world.remove({name!r})"
                if name in world
                else f"world.add({name!r}, {draws.choice(('Shape', 'Square'))}())"
            )
            undone = draws.random() < 0.3
            turn = world.execute(f"world.all(Shape)\n{cell}\nprint(len(world.all(Shape)))" + "\n1 / 0" * undone)
            assert turn.committed is not undone, turn.error
        for kind in (Shape, Square, Entity):
            expected = sorted(name for name in world if isinstance(world[name], kind))
            assert [each.id for each in world.all(kind)] == expected
        assert len(world) == len(list(world))


class Lantern(Entity):
    """Gives light."""

    lit: bool = field(False)


def test_the_class_that_was_written_down_comes_before_a_programs_of_that_name():
    of_a_program = type("Lantern", (Entity,), {"__module__": "__main__"})
    world = World(seed=1)
    world.add("lamp", Lantern(lit=True))
    again = World.restore(world.snapshot())
    assert type(again["lamp"]) is Lantern is not of_a_program
