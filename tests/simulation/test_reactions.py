"""Who is spoken to answers within the step, until there is nothing to say; and all of it can be run again."""

from typing import ClassVar

import pytest

from cave_sim import Entity, Refused, Simulation, World, field, open_run
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.deliberation import Cell
from cave_sim.simulation.schedulers import RandomOrder, Simultaneous

NAMES = ("ann", "bob", "cat")


class Neighbour(Entity):
    """Somebody who can be spoken to."""

    heard: list[str] = field([], merge="extend", guarded=True)

    def tell(self, other: "Neighbour", words: int) -> None:
        """Say something of so many words."""
        if not words:
            raise Refused("That is nothing.")
        other.heard.append(f"{self.id}: {'word ' * words}")

    def observe(self) -> dict[str, object]:
        """Return what one has heard."""
        return {"heard": list(self.heard)}


def telling(*others, words):
    return "\n".join(f"me.tell({other}, words={words})" for other in others)


class Chatty(Agent):
    """Opens in each step as it is told to, and answers everybody with one word less."""

    opens: ClassVar[dict[str, str]] = {}
    reactions = 9
    looks = 0

    def act(self, observation):
        return self.opens.get(self.name, "")

    def react(self, observation, to):
        self.looks += 1
        left = len(observation["heard"][-1].split()) - 2
        if left:
            yield Cell(telling(*to, words=left))


class Deaf(Chatty):
    """Never answers."""

    reactions = 0


def made(opens, kind=Chatty, *, residents=False, **options):
    class Talker(kind):
        pass

    Talker.opens = opens
    world = World(seed=7)
    for name in NAMES:
        world.add(name, Neighbour())
    if residents:  # agents that come and go with their entities
        return Simulation(world, agent_factories={Neighbour: Talker}, **options)
    return Simulation(world, [(Talker, name) for name in NAMES], **options)


def lines(simulation, name):
    return [f"{line.partition(':')[0]} {line.count('word')}" for line in simulation.world[name].heard]


@pytest.mark.parametrize("scheduler", [RandomOrder(), Simultaneous()])
def test_a_talk_goes_to_and_fro_within_one_step_and_ends_by_itself(scheduler):
    simulation = made({"ann": "me.tell(bob, words=4)"}, scheduler=scheduler)
    simulation.step()
    assert (lines(simulation, "bob"), lines(simulation, "ann")) == (["ann 4", "ann 2"], ["bob 3", "bob 1"])
    assert simulation.turns_taken == 4


def test_all_who_were_spoken_to_answer_in_one_round():
    simulation = made({"ann": telling("bob", "cat", words=2)})
    simulation.step()
    assert lines(simulation, "ann") == ["bob 1", "cat 1"]


def test_nobody_reacts_more_often_in_a_step_than_they_may():
    simulation = made({"ann": "me.tell(bob, words=50)"}, type("Brief", (Chatty,), {"reactions": 2}))
    simulation.step()
    assert (len(lines(simulation, "ann")), len(lines(simulation, "bob"))) == (2, 3)
    simulation.step()
    assert (len(lines(simulation, "ann")), len(lines(simulation, "bob"))) == (4, 6)


def test_who_reacts_to_nothing_is_not_even_shown_what_happened():
    simulation = made({"ann": "me.tell(bob, words=4)"}, Deaf)
    simulation.step()
    assert simulation.turns_taken == 1
    assert not any(agent.looks for agent in simulation.by_name.values())


def test_what_was_refused_was_not_said_and_what_one_does_to_oneself_is_no_reason():
    simulation = made({"ann": "me.tell(bob, words=3)\nme.tell(bob, words=0)", "cat": "me.tell(me, words=1)"})
    simulation.step()
    assert not any(agent.looks for agent in simulation.by_name.values())


def test_who_leaves_in_the_middle_of_a_talk_says_no_more():
    class Leaving(Chatty):
        def react(self, observation, to):
            yield Cell("world.remove('bob')" if self.name == "ann" else "me.observe()")
            yield Cell("me.tell(cat, words=1)")

    simulation = made({"cat": telling("ann", "bob", words=3)}, Leaving, residents=True)
    simulation.world.grant("ann", "*")
    simulation.step()
    assert "bob" not in simulation.world
    assert "ann 1" in lines(simulation, "cat")
    assert "bob 1" not in lines(simulation, "cat")


def test_each_line_is_a_turn_that_runs_again_as_it_was(tmp_path):
    opens = {"ann": telling("bob", "cat", words=4), "cat": telling("ann", words=3)}
    made(opens, out=tmp_path, scheduler=Simultaneous()).run(until=3).close()
    with open_run(tmp_path) as run:
        agents = [turn.agent for turn in run.turns() if turn.kind == "cell" and turn.step == 1]
        assert len(agents) > 8
        assert verify(run, lambda: made(opens, scheduler=Simultaneous())).holds


def test_a_run_that_stopped_between_two_talks_goes_on_to_the_same_end(tmp_path):
    opens = {"ann": "me.tell(bob, words=4)"}
    made(opens, out=tmp_path).run(until=2).close()
    resumed = resume(tmp_path, simulation=made(opens))
    assert resumed.run(until=4).state_hash == made(opens).run(until=4).state_hash
    resumed.close()
