"""The contract that every world must satisfy, as tests to inherit."""

from __future__ import annotations

import json

from cave_sim.entity.entity import Entity, decode_entity, encode_fields
from cave_sim.errors import SchemaError
from cave_sim.world.world import World


class WorldContract:
    """A world rolls back, forks, restores and repeats itself.

    Attributes:
        agent: a name that may act in it.
        steps: how far the world's own dynamics are followed.
    """

    agent = "operator"
    steps = 3

    def make(self, seed: int) -> World:
        """Return a new world."""
        raise NotImplementedError

    def test_same_seed_gives_the_same_state_after_every_step(self) -> None:
        one, other = self.make(3), self.make(3)
        for _ in range(self.steps):
            assert one.state_hash() == other.state_hash()
            one.advance()
            other.advance()
        assert one.state_hash() == other.state_hash()

    def test_a_failing_cell_leaves_no_trace(self) -> None:
        world = self.make(3)
        before, state = world.state_hash(), world.snapshot()
        turn = world.execute("kept = 1\nraise ValueError('on purpose')", agent=self.agent)
        assert (turn.status, turn.changes) == ("failed", [])
        assert world.state_hash() == before
        assert _entities(world.snapshot()) == _entities(state)

    def test_a_fork_has_the_same_future_and_a_life_of_its_own(self) -> None:
        world = self.make(3)
        twin = world.fork()
        assert twin.state_hash() == world.state_hash()
        for _ in range(self.steps):
            world.advance()
            twin.advance()
        assert twin.state_hash() == world.state_hash()
        before = world.state_hash()
        twin.advance()
        assert world.state_hash() == before

    def test_a_snapshot_restores_to_the_same_state(self) -> None:
        world = self.make(3)
        for _ in range(self.steps):
            world.advance()
        restored = World.restore(world.snapshot())
        assert restored.state_hash() == world.state_hash()
        assert _entities(restored.snapshot()) == _entities(world.snapshot())

    def test_the_state_hash_follows_the_fields_alone(self) -> None:
        world = self.make(3)
        world.advance()
        state_hash = world.state_hash()
        world.turns.state_hash.touch_all(world.undo_log.entities)  # forces a full recomputation
        assert world.state_hash() == state_hash

    def test_every_field_holds_what_it_declares(self) -> None:
        world = self.make(3)
        for _ in range(self.steps):
            world.advance()
        for entity in world.all(Entity):
            data = json.loads(json.dumps(encode_fields(entity)))
            try:
                again = decode_entity(type(entity), data)
            except SchemaError as error:
                raise AssertionError(f"{entity.id}: {error}") from error
            assert encode_fields(again) == data

    def test_what_an_agent_observes_is_plain_data(self) -> None:
        world = self.make(3)
        observation = world.observe(self.agent)
        assert json.loads(json.dumps(observation)) == observation

    def test_looking_changes_nothing(self) -> None:
        world = self.make(3)
        before = world.state_hash()
        world.observe(self.agent)
        world.describe(self.agent)
        for name in world:
            repr(world[name])
        assert world.state_hash() == before


def _entities(state: bytes) -> object:
    return json.loads(state)["entities"]
