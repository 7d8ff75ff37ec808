"""What the prompts of a run consisted of."""

import json

import pytest

from cave_sim import JournalError, Simulation, World, open_run
from cave_sim.cli.main import main
from cave_sim.history.prompts import prompt_costs
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel
from cave_sim.models.base import Reply, Usage


class Caching(ScriptedModel):
    """Has half of every prompt in its cache."""

    async def reply(self, request):
        return Reply("Yes.", Usage(1_000, 5, 500))


class Moody(LLMAgent):
    """Tells something else of itself in every other call."""

    def identity(self):
        return f"You are {self.name}{'!' * (self.model.world.clock.step // 2)}"


@pytest.fixture
def folder(tmp_path):
    def minds(simulation):
        habits = Habits(context="step")
        return [LLMAgent(simulation, "ann", habits=habits), Moody(simulation, "bob", habits=habits)]

    Simulation(World(seed=1), minds, llm=Caching([]), out=tmp_path / "run").run(until=5).close()
    return tmp_path / "run"


def test_parts_add_up_to_what_the_provider_counted(folder):
    with open_run(folder) as run:
        ann, bob = prompt_costs(run)
    assert (ann.agent, ann.calls, ann.tokens, ann.cached) == ("ann", 5, 1_000, 0.5)
    assert sum(ann.parts.values()) == pytest.approx(1_000, rel=0.02)
    assert ann.parts["instructions"] > ann.parts["clock"] > 0
    assert (ann.front_stable, bob.front_stable) == (1.0, 0.5)


def test_a_part_that_comes_later_stands_where_it_is_sent_and_a_trackers_behind_the_others(tmp_path):
    def minds(simulation):
        habits = Habits(context="state", tracker="model")
        return [LLMAgent(simulation, "ann", habits=habits)]

    Simulation(World(seed=1), minds, llm=ScriptedModel(lambda _: "note: it rains"), out=tmp_path / "run").run(until=3)
    with open_run(tmp_path / "run") as run:
        first, *_, last = (list(call["parts"]) for call in run.calls() if "instructions" in call["parts"])
        (ann,) = prompt_costs(run)
    assert "log" not in first
    assert "log" in last
    assert list(ann.parts) == [*last, "tracker_rules", "new_messages"]


def test_the_command_prints_what_the_function_returns(folder, capsys):
    assert main(["prompts", str(folder), "bob", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    with open_run(folder) as run:
        assert told == prompt_costs(run, "bob")[0].to_data()
    assert main(["prompts", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ann: 5 calls, 1,000 tokens each, 1,000 in a step, front the same in 100%, cached 50%"
    assert any(line.split()[0] == "transcript" for line in lines)


def test_a_run_without_a_model_has_no_prompts_to_tell_of(tmp_path, capsys):
    Simulation(World(seed=1), out=tmp_path / "run").run(until=1).close()
    with open_run(tmp_path / "run") as run, pytest.raises(JournalError, match="nobody in this run"):
        prompt_costs(run)
    assert main(["prompts", str(tmp_path / "run")]) == 1
    assert "nobody in this run" in capsys.readouterr().err
