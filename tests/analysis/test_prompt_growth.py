"""Whether prompts grow: their length day by day, and the slope of that over agents."""

import json

import pytest

from cave_sim import Simulation, World, open_run
from cave_sim.analysis.prompt_growth import prompt_growth
from cave_sim.cli.main import main
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel
from cave_sim.models.base import Reply, Usage

HOURS_6 = 21_600.0
GROWTH = {"ann": 10, "bob": 20, "cleo": 0, "dora": 0}
"""Tokens a day by which the prompts of each grow; those of dora are 30 shorter on the first day, and no other."""


class Growing(ScriptedModel):
    """Counts prompts that grow by the day, and are 40 tokens longer in the last quarter of each."""

    async def reply(self, request):
        day, quarter = divmod(request.key.step, 4)
        begins = -30 * (day == 0) * (request.key.agent == "dora")
        return Reply("Yes.", Usage(400 + begins + day * GROWTH[request.key.agent] + 40 * (quarter == 3), 5))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return live(tmp_path_factory.mktemp("growth") / "run", 12)


def live(out, steps):
    habits = Habits(context="step")
    world = World(seed=1, step_s=HOURS_6)
    minds = lambda simulation: [LLMAgent(simulation, name, habits=habits) for name in GROWTH]  # noqa: E731
    Simulation(world, minds, llm=Growing([]), out=out).run(until=steps).close()
    return out


def test_the_slope_is_that_of_whole_days_and_each_agent_is_one_observation(folder):
    with open_run(folder) as run:
        found, bob = prompt_growth(run), prompt_growth(run, "bob")
    assert found.days["bob"] == {0: 400, 1: 420, 2: 440}
    assert (found.slope.mean, found.slope.n) == (11.25, 4)  # 10, 20, 0, and 15 for dora
    assert found.slope.halfwidth == pytest.approx(3.182 * 8.539 / 2, abs=0.01)  # t of 3, deviation of the slopes
    assert found.settled.mean == 7.5
    assert (bob.slope.mean, bob.slope.has_interval) == (20, False)
    assert 400 <= found.tokens <= 420


@pytest.mark.long
def test_the_command_says_so_and_draws_it(folder, tmp_path, capsys):
    assert main(["prompts", str(folder), "--growth", "--plot", str(tmp_path / "growth.svg")]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "day 1: 400 tokens an agent-step, median of 4"
    assert [line.partition(" [")[0] for line in told[-2:]] == ["slope: 11.2", "without the first day: 7.5"]
    assert "tokens of an agent-step" in (tmp_path / "growth.svg").read_text()
    assert main(["prompts", str(folder), "--growth", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["slope_a_day"]["mean"] == 11.25


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--plot", "growth.svg"], "give --growth as well"),
        (["--growth", "--plot", "growth.txt"], "ends in .svg or .png"),
        (["nobody", "--growth"], "'nobody' was answered by no language model"),
    ],
)
def test_what_cannot_be_told_is_said_in_one_line(folder, options, told, capsys):
    assert main(["prompts", str(folder), *options]) == 1
    said = capsys.readouterr().err
    assert told in said
    assert len(said.splitlines()) == 1


def test_a_part_of_a_day_is_told_of_and_is_in_no_slope(tmp_path, capsys):
    assert main(["prompts", str(live(tmp_path / "short", 6)), "--growth"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[1].startswith("day 2 (a part of it): ")
    assert told[-1] == "no slope: nobody was asked on two whole days"
    assert main(["prompts", str(live(tmp_path / "longer", 9)), "bob", "--growth"]) == 0
    assert "slope: 20" in (said := capsys.readouterr().out)
    assert "mean over 1 agent\n" in said


def test_weekends_are_told_apart_from_working_days_where_the_world_keeps_dates(tmp_path, capsys):
    """Prompts are 40 tokens longer on the weekend that the week begins with, and grow by 2 a day."""

    class Weekly(ScriptedModel):
        async def reply(self, request):
            day = request.key.step // 4
            return Reply("Yes.", Usage(400 + 2 * day + 40 * (day < 2), 5))

    habits = Habits(context="step")
    world = World(seed=1, step_s=HOURS_6, start="2026-11-28T00:00")  # a Saturday
    minds = lambda simulation: [LLMAgent(simulation, name, habits=habits) for name in ("ann", "bob")]  # noqa: E731
    Simulation(world, minds, llm=Weekly([]), out=tmp_path / "run").run(until=28).close()
    assert main(["prompts", str(tmp_path / "run"), "--growth"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[-3].startswith("slope: -5.1")
    assert told[-2].partition(" [")[0] == "weekends told apart from working days: 2 in each of 2"
