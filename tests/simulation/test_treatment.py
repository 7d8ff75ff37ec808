"""Planned interventions: turns of the run, done once, however often it is stopped, resumed, forked and verified."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import Entity, World, WorldError, field, open_run
from cave_sim.replay.fork import fork
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from cave_sim.simulation.control import Control
from cave_sim.simulation.treatment import Intervention, Treatment
from tests.long_cases import cases

ROOT = Path(__file__).parents[2]
STORM = Intervention("town.announcements.append('A storm is coming.')", at=3)
PLANNED = (
    STORM,
    Intervention("town.announcements.append('It is late.')", "mayor", at="2012-06-01T07:00"),
    Intervention("town.announcements.append('Read all about it.')", when="len(town.announcements) > 0"),
)
MEASURES = {"awake": "sum(p.activity != 'sleeping' for p in world.all(Resident))", "people": "tests.small_runs:people"}


def recipe(*interventions, **more):
    return Recipe("town_day", {"seed": 7, "residents": 3}, interventions=interventions, **more)


def planned_turns(folder):
    with open_run(folder) as run:
        events = run.query("SELECT step, data FROM events WHERE kind = 'intervention' ORDER BY entry")
        return [(step, run.data(data)) for step, data in events]


def hashes(folder):
    with open_run(folder) as run:
        return {row.step: row.state_hash for row in run.steps()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "whole"
    recipe(*PLANNED, measures=MEASURES).make(folder).run(until=12).close()
    return folder


def test_what_is_planned_happens_at_its_moment_and_is_a_turn_of_the_run(whole):
    told = planned_turns(whole)
    assert [step for step, _ in told] == [4, 5, 7]  # behind step 3, when that was read, and at seven
    assert {about["status"] for _, about in told} == {"committed"}
    with open_run(whole) as run:
        assert verify(run, lambda: Recipe.of(run.manifest).without_model().make()).holds


def test_a_planned_cell_is_the_same_as_one_that_is_submitted_live(whole, tmp_path):
    live = Recipe("town_day", {"seed": 7, "residents": 3}).make(tmp_path / "live")
    live.control = Control()
    told = dict.fromkeys(hashes(whole))
    steps = {step - 1: about["plan"] for step, about in planned_turns(whole)}
    by_key = {each.key: each for each in PLANNED}
    for step in range(12):
        if step in steps:
            live.control.submit(by_key[steps[step]].code, by_key[steps[step]].agent)
        live.step()
    live.close()
    assert hashes(tmp_path / "live") == hashes(whole)
    assert list(told) == list(range(13))


@pytest.mark.long
@pytest.mark.parametrize("stop", cases(range(1, 12), lambda stop: stop % 4 != 3))
def test_a_run_that_was_cut_off_anywhere_does_each_planned_cell_once(whole, tmp_path, stop):
    cut = recipe(*PLANNED, measures=MEASURES).make(tmp_path / "run").run(until=stop)
    cut.journal.abandon()  # as by kill -9
    resume(tmp_path / "run").run(until=12).close()
    assert hashes(tmp_path / "run") == hashes(whole)
    assert planned_turns(tmp_path / "run") == planned_turns(whole)


@pytest.mark.long
def test_kill_9_in_the_middle_leaves_each_planned_cell_done_once(whole, tmp_path):
    script = (
        "import os, signal, sys\nfrom tests.simulation.test_treatment import *\n"
        "run = recipe(*PLANNED, measures=MEASURES).make(sys.argv[1]).run(until=5)\n"
        "run._intervene()\nos.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script, str(tmp_path / "run")], cwd=ROOT)
    assert killed.returncode == -9
    resume(tmp_path / "run").run(until=12).close()
    assert hashes(tmp_path / "run") == hashes(whole)
    assert planned_turns(tmp_path / "run") == planned_turns(whole)


@pytest.mark.parametrize("at", [0, 2, 3, 6, 11])
def test_a_branch_goes_on_with_what_its_parent_had_planned_and_done(whole, tmp_path, at):
    fork(whole, at, tmp_path / "branch").run(until=12).close()
    assert hashes(tmp_path / "branch")[12] == hashes(whole)[12]


@pytest.mark.long
def test_a_branch_of_a_plain_run_takes_the_plan_of_its_recipe(tmp_path):
    recipe().make(tmp_path / "plain").run(until=6).close()
    recipe(STORM).make(tmp_path / "stormy").run(until=6).close()
    fork(tmp_path / "plain", 3, tmp_path / "branch", recipe=recipe(STORM)).run(until=6).close()
    assert hashes(tmp_path / "branch")[6] == hashes(tmp_path / "stormy")[6] != hashes(tmp_path / "plain")[6]
    fork(tmp_path / "stormy", 3, tmp_path / "calm", recipe=recipe()).run(until=6).close()
    assert hashes(tmp_path / "calm")[6] == hashes(tmp_path / "plain")[6]


def test_a_temporary_copy_has_the_same_future():
    simulation = recipe(*PLANNED).make().run(until=4)
    assert simulation.fork().run(until=12).state_hash == simulation.run(until=12).state_hash


def test_measures_are_taken_from_the_first_step_on_and_change_nothing(whole):
    with open_run(whole) as run:
        table = run.measures()
    assert {*MEASURES} < {*table.columns}
    assert len(table) == 13
    assert (table["people"] == 4).all()
    assert recipe(*PLANNED).make().run(until=12).state_hash == hashes(whole)[12]


@pytest.mark.long
def test_probes_tell_when_others_would_have_acted_and_do_nothing(whole, tmp_path):
    simulation = recipe().make(tmp_path / "run")
    simulation.treatment.probes = PLANNED
    simulation.run(until=12).close()
    with open_run(tmp_path / "run") as run:
        probed = run.query("SELECT step, data FROM events WHERE kind = 'probed' ORDER BY entry")
    assert [(step, run.data(data)["plan"]) for step, data in probed[:1]] == [(4, STORM.key)]
    assert hashes(tmp_path / "run")[12] == recipe().make().run(until=12).state_hash


def by_measures(folder):
    """Play a run whose plan names measures, cut off in the middle; return in which steps it was carried out."""
    warm = Intervention("pass", when="degrees > 13.3 and measures['at work (share)'] == 0", repeat=True)
    written_out = Intervention("pass  # the same", when="weather.temperature_c > 13.3", repeat=True)
    cut = recipe(warm, written_out, measures={"degrees": "weather.temperature_c"}).make(folder).run(until=2)
    cut.journal.abandon()  # as by kill -9
    resume(folder).run(until=9).close()
    steps = {warm.key: [], written_out.key: []}
    for step, about in planned_turns(folder):
        steps[about["plan"]].append(step)
    return steps.values()


def test_a_plan_waits_for_a_measure_as_for_what_it_is_made_of_also_behind_a_resume(tmp_path):
    named, written_out = by_measures(tmp_path / "run")
    assert named == written_out != []


def test_a_measure_that_a_plan_misspells_is_told_with_the_nearest():
    with pytest.raises(WorldError, match=r"no entity 'moood'.* Did you mean mood\?"):
        recipe(Intervention("pass", when="moood > 0.5")).make().step()


class Tap(Entity):
    """A tap that runs or not."""

    level: int = field(0, about="how much")


levels = st.lists(st.integers(0, 3), min_size=1, max_size=30)


@given(levels, st.booleans())
def test_a_condition_counts_where_it_turns_true_once_or_each_time(course, repeat):
    world = World(seed=1)
    world.add("tap", Tap())
    treatment = Treatment([Intervention("pass", when="tap.level > 1", repeat=repeat)])
    acted = []
    for step, level in enumerate(course):
        world["tap"].level = level
        kept = treatment.keep()
        treatment = treatment.copy()
        assert treatment.keep() == kept
        acted += [step] * len(treatment.due(world)[0])
    high = [level > 1 for level in course]
    rises = [step for step, (before, now) in enumerate(pairwise([False, *high])) if now and not before]
    assert acted == (rises if repeat else rises[:1])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"at": 1, "when": "True"}, "leave one of them away"),
        ({"repeat": True, "at": 3}, "give `when`"),
        ({"at": "tomorrow"}, "a world time such as"),
        ({"at": "2012-06-01T08:00+02:00"}, "no time zone"),
        ({"when": "tap.level >"}, "cannot be read"),
    ],
)
def test_a_moment_that_is_none_is_refused(words, said):
    with pytest.raises(WorldError, match=said):
        Intervention("pass", **words)


@pytest.mark.parametrize(("code", "agent"), [(None, "mayor"), ("pass", 5)])
def test_what_is_no_cell_of_somebody_is_refused(code, agent):
    with pytest.raises(WorldError, match="takes the text of a cell"):
        Intervention(code, agent, at=1)


def test_what_is_for_at_once_cannot_be_planned():
    with pytest.raises(WorldError, match="needs a moment"):
        Treatment([Intervention("pass")])


def test_a_condition_over_what_is_not_there_says_so_instead_of_waiting_for_ever():
    with pytest.raises(WorldError, match="no entity 'cofee'"):
        recipe(Intervention("pass", when="cofee.open")).make().step()
