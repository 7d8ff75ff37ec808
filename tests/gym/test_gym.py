"""Environments: PettingZoo's own tests, and rewards that a journal confirms."""

import subprocess
import sys

import pytest

from cave_sim import WorldError, open_run
from cave_sim.history.rewards import trajectories
from cave_sim.simulations import town_day

pytest.importorskip("pettingzoo")

from pettingzoo.test import parallel_api_test, parallel_seed_test

from cave_sim.gym import LiveEnv, RecordedEnv

FIGURE = "town.turnover_cents"
CELLS = ("", "me.rest(10)", "me.money_cents = 3", "no python at all")


def make(seed):
    return town_day.create(seed=seed, residents=3)


def test_a_live_world_passes_pettingzoos_own_test():
    parallel_api_test(LiveEnv(make, FIGURE, steps=8, samples=CELLS), num_cycles=12)


def test_a_recorded_world_passes_pettingzoos_own_test(town):
    parallel_api_test(RecordedEnv(town, FIGURE), num_cycles=100)


def test_the_same_seed_and_cells_give_the_same_course():
    parallel_seed_test(lambda: LiveEnv(make, FIGURE, steps=8, samples=CELLS), num_cycles=6)


def test_an_agent_is_paid_for_its_own_cell():
    env = LiveEnv(make, "len(town.announcements)", agents=["mayor"], steps=4)
    env.reset(seed=7)
    _, rewards, _, _, infos = env.step({"mayor": 'town.announcements.append("one")\ntown.announcements.append("two")'})
    assert rewards == {"mayor": 2.0}
    assert [turn["status"] for turn in infos["mayor"]["turns"]] == ["committed"]


def test_a_cell_that_fails_is_worth_nothing_and_says_why():
    env = LiveEnv(make, FIGURE, agents=["mayor"], steps=4)
    env.reset(seed=7)
    _, rewards, _, _, infos = env.step({"mayor": "me.work()"})
    assert rewards == {"mayor": 0.0}
    assert "You are not at work" in infos["mayor"]["turns"][0]["error"]


def test_everybody_is_truncated_after_the_last_step():
    env = LiveEnv(make, FIGURE, steps=2)
    env.reset()
    env.step({})
    truncated = env.step({})[3]
    assert all(truncated.values())
    assert env.agents == []
    with pytest.raises(WorldError, match="nobody is to act"):
        env.step({})
    assert env.simulation.world.clock.step == 2


@pytest.mark.long
def test_an_agent_whose_entity_left_is_terminated():
    env = LiveEnv(make, FIGURE, steps=5)
    env.reset(seed=7)
    gone = next(agent for agent in env.agents if agent != "mayor")
    heir = f"town.treasury_cents += {gone}.money_cents"  # money is neither made nor lost
    ended = env.step({"mayor": f'{heir}\nworld.remove("{gone}")'})[2]
    assert ended[gone]
    assert gone not in env.agents


def test_a_live_course_pays_what_its_journal_says(tmp_path):
    env = LiveEnv(lambda seed: town_day.create(seed=seed, residents=4, out=_free(tmp_path)), FIGURE, steps=6)
    env.reset(seed=7)
    paid = 0.0
    while env.agents:
        paid += sum(env.step(dict.fromkeys(env.agents, "me.location and me.enjoy(30)"))[1].values())
    env.close()
    with open_run(sorted(tmp_path.iterdir())[-1]) as run:
        assert paid == sum(row["reward"] for row in trajectories(run, FIGURE))


def test_a_recording_pays_the_same_and_tells_what_was_done(town):
    env = RecordedEnv(town, FIGURE)
    observed, _ = env.reset()
    paid, cells = 0.0, []
    while env.agents:
        observed, rewards, _, _, infos = env.step({})
        paid += sum(rewards.values())
        cells += [turn["cell"] for agent in infos for turn in infos[agent]["turns"]]
    rows = list(trajectories(town, FIGURE))
    assert paid == sum(row["reward"] for row in rows)
    assert sorted(cells) == sorted(row["cell"] for row in rows)
    assert observed["mayor"]["step"] == 60
    assert observed["mayor"]["me"]["title"]


def test_an_agent_that_is_not_there_is_said():
    with pytest.raises(WorldError, match="there is no agent 'major'"):
        LiveEnv(make, FIGURE, agents=["major"])
    with pytest.raises(WorldError, match="nobody's cells are chosen; there are "):
        LiveEnv(make, FIGURE, agents=[])
    env = LiveEnv(make, FIGURE, agents=["mayor"])
    env.reset()
    with pytest.raises(WorldError, match="Did you mean 'mayor'"):
        env.step({"major": ""})
    assert env.simulation.world.clock.step == 0
    env.close()


@pytest.mark.long
def test_without_the_extra_one_line_says_how_to_install_it():
    code = "import sys; sys.modules['pettingzoo'] = None\nimport cave_sim.gym"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stderr
    assert "an environment needs an extra: pip install 'cave_sim[gym]'" in told.splitlines()[-1]


def _free(folder):
    """Return a folder for the next run; an environment makes one before its first reset."""
    return folder / f"run-{len(list(folder.iterdir()))}"
