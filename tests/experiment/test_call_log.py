"""Foreign functions as benchmarks bring them: what they were called is noted, whatever their annotations say."""

from cave_sim import World
from cave_sim.experiment.call_log import LoggedObjects, calls_of, unchecked_annotations


def test_a_call_that_annotations_forbid_is_told_as_forbidden_and_noted_for_the_judge():
    world = World()
    objects = LoggedObjects(world, dict, lambda _objects, _caller, _name, arguments: arguments)

    def close(ticket: int, tags: list[str]) -> None:
        """Close a ticket."""
        return objects.call("", "close", {"ticket": ticket, "tags": tags})

    close.__annotations__ = unchecked_annotations(close)
    world.inject("close", close)
    assert "close(ticket: int, tags: list[str]) -> None" in world.describe("ann")
    turn = world.execute("close(ticket='7', tags=['b', 'a'])", "ann")
    assert turn.committed, turn.error
    assert [(call.name, call.arguments) for call in calls_of(world)] == [("close", {"ticket": "7", "tags": ["b", "a"]})]
