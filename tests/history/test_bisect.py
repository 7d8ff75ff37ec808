"""Bisect: the first turn that broke a condition."""

import json
import math

import pytest

from cave_sim import Entity, JournalError, Simulation, World, WorldError, field, open_run
from cave_sim.cli.main import main
from cave_sim.history.bisect import bisect
from cave_sim.history.blame import blame


class BudgetShares(Entity):
    """Holds money."""

    cents: int = field(100)


@pytest.fixture
def spent(tmp_path):
    """Make a run of steps; in each, ann pays what a list says, cell by cell."""

    def run(*steps):
        world = World(seed=7)
        world.add("ann", BudgetShares())
        simulation = Simulation(world, out=tmp_path / "run")
        for cells in steps:
            for cents in cells:
                world.execute(f"me.cents -= {cents}", "ann")
            simulation.step()
        simulation.close()
        return open_run(tmp_path / "run")

    return run


def test_the_first_turn_that_broke_a_condition_is_found_within_its_step(spent):
    with spent(*[[1, 1]] * 20, [1, 50, 100, 1], *[[1, 1]] * 20) as run:
        broken = bisect(run, 'world["ann"].cents >= 0')
    assert broken.turn.code == "me.cents -= 100"
    assert broken.committed_in == 21
    assert broken.changes[0] == "ann.cents 9 → -91"


def test_few_states_are_rebuilt(spent):
    with spent(*[[1]] * 120) as run:
        broken = bisect(run, "ann.cents > 20")
    assert broken.turn.step == 79
    assert broken.rebuilds <= math.log2(121) + 4


def test_a_condition_that_holds_to_the_end_was_not_broken(spent):
    with spent([1], [1]) as run:
        assert bisect(run, "ann.cents > 0") is None


def test_a_break_that_its_own_step_mended_is_passed_over_by_halving(spent):
    with spent([1], [500, -500], [700]) as run:
        assert bisect(run, "ann.cents > 0").turn.code == "me.cents -= 700"


def test_a_break_that_was_mended_is_found_by_looking_after_every_turn(spent):
    with spent([1], [500], [-500], [1]) as run:
        assert bisect(run, "ann.cents > 0") is None
        assert bisect(run, "ann.cents > 0", scan=True).turn.code == "me.cents -= 500"


def test_a_condition_that_never_held_is_said(spent):
    with spent([1]) as run, pytest.raises(JournalError, match="does not even hold at step 0, so no turn broke it"):
        bisect(run, "ann.cents > 1000")


def test_bisect_and_blame_name_the_same_turn(town):
    broken = bisect(town, 'weather.kind != "rain"', scan=True)
    rained = next(written for written in blame(town, "weather.kind") if written.new == "rain")
    assert broken.turn.turn == rained.turn


@pytest.mark.long
def test_the_command_prints_the_turn_or_that_there_is_none(town_folder, capsys):
    assert main(["bisect", str(town_folder), "len(town.announcements) == 0"]) == 0
    assert "announcements.append" in capsys.readouterr().out
    assert main(["bisect", str(town_folder), "len(town.announcements) == 0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["turn"]["agent"] == "mayor"
    assert main(["bisect", str(town_folder), "len(town.announcements) >= 0"]) == 0
    assert "holds at the first and the last step" in capsys.readouterr().out


def test_a_measure_that_broke_a_condition_is_found_to_the_step_in_which_it_was_taken(tmp_path, capsys):
    world = World(seed=7)
    world.add("ann", BudgetShares())
    simulation = Simulation(world, measures={"left": lambda world: world["ann"].cents}, out=tmp_path / "run")
    for cents in (1, 1, 90, 5, 1):
        world.execute(f"me.cents -= {cents}", "ann")
        simulation.step()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        for scan in (False, True):
            broken = bisect(run, "left > 50", scan=scan)
            assert (broken.turn, broken.committed_in, broken.changes) == (None, 3, ("left 98 → 8",))
        assert bisect(run, 'measures["left"] >= 2') is None
        with pytest.raises(WorldError, match=r"no entity 'lefft'.* Did you mean left\?"):
            bisect(run, "lefft > 50")
    assert main(["bisect", str(tmp_path / "run"), "left > 50"]) == 0
    assert "left > 50 was broken in step 3" in capsys.readouterr().out


def test_measures_are_listed_by_their_names_in_every_process(tmp_path):
    names = [f"{letter} left" for letter in "abcdefgh"]  # eight of a set come in order by chance once in 40,000 times
    simulation = Simulation(World(seed=7), measures={name: lambda world: 1 for name in names}, out=tmp_path / "run")
    simulation.run(steps=1)
    simulation.close()
    with open_run(tmp_path / "run") as run, pytest.raises(WorldError) as refused:
        bisect(run, "unheard > 1")
    assert str(refused.value).endswith(", ".join(f'measures["{name}"]' for name in names))
