"""Who may write what: by attribute, by item, in place, through a working copy; and what is not forgiven."""

import pytest

from cave_sim import Entity, World, WorldError, field, own_agent_only
from tests.policy import square

FOREIGN = {
    "a field": "vault.treasury_cents = 0",
    "a list": "vault.entries.append({'paid': 2})",
    "a dict": "shop.stock['bread'] = 500",
    "a set": "bob.tags.add('mine')",
    "a graph": "vault.streets.add_node('z')",
    "an attribute of a graph": "vault.streets.nodes['a']['x'] = 1",
}


@pytest.mark.parametrize("cell", FOREIGN.values(), ids=FOREIGN)
def test_what_belongs_to_others_is_not_written(cell):
    world = square.build()
    before = world.state_hash()
    turn = world.execute(cell, agent="ann")
    assert (turn.status, world.state_hash()) == ("blocked", before)
    assert "ann may not write" in turn.error


@pytest.mark.parametrize("cell", ["vault.grid[0] = 9", "vault.accounts['cents'] = 0"])
def test_whoever_may_not_write_a_table_or_array_changes_a_copy_of_their_own(cell):
    world = square.build()
    before = world.state_hash()
    world.execute(cell, agent="ann")
    assert world.state_hash() == before
    assert world.execute("int(vault.grid[0]), int(vault.accounts.cents.sum())", agent="bob").output == "(0, 30)"


def test_a_guarded_field_of_ones_own_is_changed_by_methods_alone():
    world = square.build()
    turn = world.execute("me.money_cents = 10 ** 6", agent="ann")
    assert "It is changed only by what you do" in turn.error
    assert world.execute("shop.buy(me, 'bread')", agent="ann").committed
    assert world["ann"].money_cents == 700


def test_a_refusal_that_a_cell_catches_still_dooms_its_turn_and_no_later_one():
    world = square.build()
    cell = "me.mood = 0.9\ntry:\n    vault.treasury_cents = 0\nexcept Exception:\n    pass"
    turn = world.execute(cell, agent="ann")
    assert (turn.status, world["ann"].mood) == ("blocked", 0.5)
    assert world.execute("me.mood = 0.9", agent="ann").committed


def test_a_refusal_that_trusted_code_swallows_dooms_the_turn_all_the_same():
    def attempt(act):
        try:
            act()
        except BaseException:
            return False
        return True

    world = square.build()
    world.inject("attempt", attempt)
    cell = "def act():\n    vault.treasury_cents = 0\nattempt(act)\nme.mood = 0.9"
    turn = world.execute(cell, agent="ann")
    assert (turn.status, world["ann"].mood, world["vault"].treasury_cents) == ("blocked", 0.5, 100_000)


def test_asking_whether_one_may_write_does_not_doom_a_turn():
    assert square.build().execute("hasattr(vault, 'nothing')\nme.mood = 0.9", agent="ann").committed


@pytest.mark.parametrize("cell", ["world.remove('shop')", "world.add('eve', type(me)())"])
def test_only_who_may_write_everything_changes_who_and_what_there_is(cell):
    world = square.build()
    assert "may not" in world.execute(cell, agent="ann").error
    assert world.execute(cell, agent="mayor").committed


def test_the_books_of_the_world_are_nobodys_to_write():
    world = square.build()
    books = world.system
    world.dynamics(lambda world: None)
    rights = world.rights_of("mayor")
    assert rights.may_write(world["vault"], "treasury_cents")
    assert not rights.may_write(books, "grants")


class Walker(Entity):
    """Goes where it wants."""

    place: str = field("home")

    @own_agent_only
    def walk(self, place: str) -> None:
        """Walk somewhere."""
        self.place = place


def test_a_deed_is_done_by_the_agent_of_the_entity_and_by_who_was_granted_it():
    world = World()
    for name in ("ann", "bob"):
        world.add(name, Walker())
    assert "Yours is me.walk()" in world.execute("ann.walk('park')", agent="bob").error
    assert world.execute("me.walk('park')", agent="ann").committed
    world.grant("bob", "ann")
    assert world.execute("ann.walk('lake')", agent="bob").committed


@pytest.mark.parametrize("code", ["lambda n: n", "print", "[print]", "(n for n in [1])"])
def test_no_code_of_a_cell_is_handed_to_a_method(code):
    turn = square.build().execute(f"shop.look_up({code})", agent="ann")
    assert (turn.status, "takes data" in turn.error) == ("failed", True)


@pytest.mark.parametrize("target", ["nobody", "vault.nothing", "Vault.nothing", "*.mood"])
def test_a_grant_that_names_nothing_is_refused(target):
    with pytest.raises(WorldError, match="grant"):
        square.build().grant("ann", target)


def test_a_grant_of_a_field_is_of_that_field_alone():
    world = square.build()
    world.grant("ann", "vault.treasury_cents")
    assert world.execute("vault.treasury_cents = 5", agent="ann").committed
    assert world.execute("vault.entries.clear()", agent="ann").status == "blocked"
