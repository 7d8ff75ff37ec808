"""Rewards: what each turn was worth, from the states before and after it and from its changes."""

import json

import pytest

from cave_sim import Simulation, World, WorldError, open_run
from cave_sim.history.rewards import delta_reward, trajectories
from tests.history.test_blame import Jar

CELLS = ("jar.take(3)", "jar.take(99)", 'jar.stock["rye"] = 2; jar.notes.append("a")', "print(1)", "jar.biscuits = 9")


@pytest.fixture
def kitchen(tmp_path):
    world = World(seed=7)
    world.add("jar", Jar())
    world.grant("ann", "*")
    world.dynamics(lambda world: world["jar"].take(1))
    simulation = Simulation(world, out=tmp_path / "run")
    for cell in CELLS:
        world.execute(cell, "ann")
        simulation.step()
    world.execute('world.add("tin", Jar(biscuits=4))\njar.biscuits = 1', "ann")
    world.execute('world.remove("tin")', "ann")
    simulation.step()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        yield run


def test_a_turn_is_worth_what_a_figure_gained_by_it(kitchen):
    assert [row["reward"] for row in trajectories(kitchen, "jar.biscuits")] == [-3, 0, 0, 0, 6, -7, 0]


def test_the_states_before_and_after_are_whole_whatever_came_or_went(kitchen):
    figure = "sum(each.biscuits for each in world.all(Jar))"
    assert [row["reward"] for row in trajectories(kitchen, figure)] == [-3, 0, 0, 0, 6, -3, -4]


def test_a_reward_sees_before_after_and_changes(kitchen):
    seen = []

    def reward(before, after, changes):
        if changes:
            seen.append((len(before["jar"].stock), len(after["jar"].stock), before["jar"].notes, after["jar"].notes))
        return len(changes)

    rows = list(trajectories(kitchen, reward))
    assert [row["reward"] for row in rows] == [len(row["changes"]) for row in rows]
    assert (0, 1, [], ["a"]) in seen


def test_what_the_world_did_by_itself_is_credited_to_nobody(kitchen):
    total = sum(row["reward"] for row in trajectories(kitchen, "jar.biscuits"))
    biscuits = [change.new for change in kitchen.changes("jar", "biscuits")]
    by_itself = sum(change.new - change.old for change in kitchen.changes("jar", "biscuits") if change.kind == "world")
    assert total + by_itself == biscuits[-1] - 10


def test_a_trajectory_tells_what_was_asked_and_answered(tmp_path):
    simulation = Simulation(World(seed=7), out=tmp_path / "run")
    messages = [{"role": "user", "text": "What now?"}]
    simulation.journal.add_call(
        {
            "run": "", "agent": "ann", "step": 0, "attempt": 0, "retry": 0, "hash": "h", "model": {"name": "m"},
            "request": {"messages": messages}, "reply": {"text": "```python\nx = 1\n```"}, "error": None,
        }
    )  # fmt: skip
    simulation.world.execute("x = 1", "ann")
    simulation.world.execute("y = 1", "bob")
    simulation.step()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        ann, bob = trajectories(run, delta_reward("1"))
    assert (ann["prompt"], ann["reply"], ann["cell"]) == (messages, "```python\nx = 1\n```", "x = 1")
    assert (bob["prompt"], bob["reply"]) == (None, None)
    assert json.loads(json.dumps(ann)) == ann


def test_a_figure_that_cannot_be_worked_out_is_one_clear_error(kitchen):
    with pytest.raises(WorldError, match="no field 'crumbs'"):
        list(trajectories(kitchen, "jar.crumbs"))


@pytest.mark.parametrize(
    ("reward", "words"),
    [
        ("type(jar)", "there is no function 'type'"),
        ("jar.notes", r"the reward jar.notes comes to \[\], which is no number"),
        (3, r"the reward 3 is neither: it is a figure, .* or a function of \(before, after, changes\)"),
        (lambda before, after: 1, "does not take three arguments .*too many positional"),
        (lambda before, after, changes: "much", "the reward of its function comes to 'much', which is no number"),
    ],
)
def test_what_is_no_reward_is_one_clear_error(kitchen, reward, words):
    with pytest.raises(WorldError, match=words):
        list(trajectories(kitchen, reward))
