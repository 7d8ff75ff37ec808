"""What happens by itself: scheduled events in the order of their time, and the dynamics of a step."""

import pytest

from cave_sim import Entity, World, WorldError, field


class Diary(Entity):
    """Notes what happens to it."""

    notes: list[str] = field([])

    def note(self, text: str) -> None:
        """Write a line."""
        self.notes.append(text)

    def note_again(self, text: str) -> None:
        """Write a line, and have another written at once."""
        self.notes.append(text)
        self.world.schedule_event("diary", "note", args={"text": f"{text}, again"})


@pytest.fixture
def world():
    world = World(step_s=60)
    world.add("diary", Diary())
    return world


def later(world, after_s, text, method="note"):
    return world.schedule_event("diary", method, after_s=after_s, args={"text": text})


def test_due_events_happen_in_the_order_of_their_time_and_then_of_their_number(world):
    for after_s, text in ((50, "fourth"), (10, "first"), (30, "second"), (30, "third")):
        later(world, after_s, text)
    world.advance()
    assert world["diary"].notes == ["first", "second", "third", "fourth"]


def test_ten_events_of_one_moment_happen_in_the_order_in_which_they_were_scheduled(world):
    for number in range(11):
        later(world, 5, str(number))
    world.advance()
    assert world["diary"].notes == [str(number) for number in range(11)]


def test_an_event_happens_in_the_step_that_reaches_its_time_and_not_before(world):
    later(world, 60, "on the border")
    later(world, 61, "behind it")
    world.advance()
    assert world["diary"].notes == ["on the border"]
    world.advance()
    assert world["diary"].notes == ["on the border", "behind it"]


def test_an_event_that_an_event_schedules_for_now_happens_now(world):
    later(world, 10, "one", "note_again")
    world.advance()
    assert world["diary"].notes == ["one", "one, again"]


def test_nothing_is_scheduled_in_the_past_or_for_what_is_not_there(world):
    with pytest.raises(WorldError, match="lies in the past"):
        later(world, -1, "late")
    with pytest.raises(WorldError, match="no method"):
        later(world, 1, "wrong", "sing")


def test_an_event_of_one_who_left_is_dropped(world):
    later(world, 10, "nobody hears")
    world.remove("diary")
    assert world.advance().committed


def test_a_step_that_fails_leaves_the_world_as_it_was_and_the_next_turn_alone(world):
    later(world, 10, "noted")
    fails = [True]

    @world.dynamics
    def stumble(world):
        world["diary"].notes.append("half a step")
        if fails.pop():
            raise ValueError("a mistake in the dynamics")

    before = world.state_hash()
    with pytest.raises(ValueError, match="a mistake"):
        world.advance()
    assert world.state_hash() == before
    assert world.execute("1", agent="ann").parent is None
    fails.append(False)
    world.advance()
    assert world["diary"].notes == ["noted", "half a step"]
