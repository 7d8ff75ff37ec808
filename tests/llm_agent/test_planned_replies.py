"""A mind whose model was measured asks for no more than can be written, makes room first, or says that none is left."""

import json
from dataclasses import replace

import pytest

from cave_sim import Entity, Simulation, World, WorldError, field, open_run
from cave_sim.agents.function_calling import FunctionCaller
from cave_sim.agents.tool_user import Kit, ToolUser
from cave_sim.capacity.degradation import Logistic
from cave_sim.capacity.output_capacity import Occupancy, OutputLimits, most_used_tokens, output_capacity
from cave_sim.capacity.stalling_model import StallingModel
from cave_sim.cli.main import main
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import Reply, Sampling, ScriptedModel, Tuned
from cave_sim.models.for_agents import ForAgents
from cave_sim.models.from_cli import ModelChoice
from cave_sim.models.tokens import ESTIMATE
from cave_sim.replay.recipe import Recipe

LIMITS = OutputLimits(Logistic(8.2, 0.58), window_tokens=2_000)
SHORT = replace(LIMITS, longest_tokens=200)


class Lamp(Entity):
    """A lamp that can be dimmed."""

    watts: float = field(0.0, unit="W", ge=0)

    def dim(self, watts: float) -> str:
        """Dim it."""
        self.watts = watts
        return f"at {watts} W now"


def room(script, *, mind=LLMAgent, limits=LIMITS, steps=12, model=None, **options):
    """Return a simulation of one mind after some steps, and what its model was asked."""
    world, asked = World(seed=3), []
    world.add("lamp", Lamp())
    world.grant("ann", "lamp")

    def told(request):
        asked.append(request)
        return script(request)

    llm = StallingModel(told, LIMITS) if model is None else model(told)
    simulation = Simulation(world, lambda sim: [mind(sim, "ann", **options)], llm=llm)
    simulation.output_limits = ForAgents((("*", limits),)) if limits else ForAgents()
    return simulation.run(until=steps), asked


def lengthy(request):
    """Write a cell of as many tokens as are wanted, and print as much."""
    return "```python\nprint('dim ' * 90)\nlamp.watts += 1\n" + "# so\n" * int(0.7 * (request.max_tokens or 0)) + "```"


def capacity_of(request):
    return output_capacity(Occupancy(LIMITS.window_tokens, ESTIMATE.of_request(request)), LIMITS)


@pytest.mark.parametrize("context", ["summary", "window", "step", "state"])
def test_no_more_is_asked_for_than_can_be_written(context):
    simulation, asked = room(lengthy, habits=Habits(max_cells=2, context=context, max_tokens=1_500))
    assert all(request.max_tokens <= capacity_of(request) for request in asked)
    assert "empty" not in {row.data.get("outcome") for row in simulation.by_name["ann"].session}
    assert simulation.world["lamp"].watts >= 20


def test_a_mind_that_knows_nothing_of_its_model_runs_into_its_silence():
    simulation, asked = room(lengthy, limits=None, habits=Habits(max_cells=2, context="window", max_tokens=1_500))
    assert any(request.max_tokens > capacity_of(request) for request in asked)
    assert "empty" in {row.data.get("outcome") for row in simulation.by_name["ann"].session}


def test_room_is_made_before_a_reply_gets_too_short():
    simulation, asked = room(lengthy, habits=Habits(max_cells=2, context="summary", max_tokens=400))
    assert min(request.max_tokens for request in asked) >= 300
    assert "compress" in {row.kind for row in simulation.by_name["ann"].session}


def test_what_cannot_be_answered_is_not_asked_and_said():
    tight = OutputLimits(LIMITS.degradation, window_tokens=300)
    simulation, asked = room(lengthy, limits=tight, steps=2)
    assert not asked
    (first, *_) = [row for row in simulation.by_name["ann"].session if row.kind == "model_error"]
    assert first.data["reason"] == "no_capacity"
    assert first.data["capacity_tokens"] < 64 < first.data["used_tokens"]
    assert "the model was not asked" in first.text


def test_a_wish_of_the_run_for_long_replies_goes_no_further_than_the_capacity():
    def imposing(script):
        return Tuned(StallingModel(script, LIMITS), Sampling(max_tokens=1_900))

    _, asked = room(lengthy, model=imposing, steps=3)
    assert all(request.max_tokens <= capacity_of(request) for request in asked)
    assert max(request.max_tokens for request in asked) > 400


def test_the_provider_says_how_full_the_window_is():
    class Wordy(ScriptedModel):
        """Counts twice as many tokens as we do."""

        async def reply(self, request):
            reply = await super().reply(request)
            usage = reply.usage.__class__(2 * ESTIMATE.of_request(request), 10)
            return Reply(reply.text, usage, model=self.name)

    _, asked = room(lambda request: "```python\nlamp.watts += 1\n```", model=Wordy, steps=3, habits=Habits(max_cells=1))
    first, second = asked[0], asked[1]
    assert first.max_tokens == min(500, capacity_of(first))
    used = 2 * ESTIMATE.of_request(second)
    assert second.max_tokens == min(500, output_capacity(Occupancy(LIMITS.window_tokens, used), LIMITS))


@pytest.mark.parametrize("wanted", [1, 64, 300, 1_999])
def test_the_most_that_may_be_used_leaves_just_enough(wanted):
    most = most_used_tokens(wanted, 2_000, LIMITS.degradation)
    assert output_capacity(Occupancy(2_000, most), LIMITS) >= wanted
    assert output_capacity(Occupancy(2_000, most + 1), LIMITS) < wanted


class Callers(ScriptedModel):
    """Cuts off what its script ends in an ellipsis."""

    async def reply(self, request):
        reply = await super().reply(request)
        return Reply(reply.text, reply.usage, finish_reason="length" if reply.text.endswith("…") else "stop")


def assistant(simulation, name):
    return ToolUser(simulation, name, Kit("lamp", schemas="signatures"))


CALLS = {
    FunctionCaller: '{"name": "Lamp_dim", "arguments": {"entity": "lamp", "watts": 3}}',
    assistant: '{"name": "dim", "arguments": {"watts": 3}}',
}


@pytest.mark.parametrize("mind", CALLS)
@pytest.mark.parametrize(
    ("replies", "most"),
    [(["", "", "CALL"], [1_024, 512, 256]), (['{"name": "Lamp_d…', "CALL"], [1_024, 1_024])],
    ids=["silent", "cut off"],
)
def test_who_acts_by_calls_descends_the_cascade_within_a_step(mind, replies, most):
    coming = iter([*replies, "Done."])
    simulation, asked = room(
        lambda request: next(coming).replace("CALL", CALLS[mind]), mind=mind, model=Callers, limits=None, steps=0
    )
    simulation.by_name["ann"].ask("Dim the lamp.")
    assert simulation.world["lamp"].watts == 3
    assert [request.max_tokens for request in asked][: len(most)] == most


@pytest.mark.parametrize("mind", CALLS)
def test_silence_that_lasts_costs_a_caller_three_questions_and_then_one(mind):
    simulation, asked = room(lambda request: "", mind=mind, model=ScriptedModel, limits=None, steps=0)
    for _ in range(3):
        simulation.by_name["ann"].ask("Dim the lamp.")
    assert len(asked) == 3 + 1 + 1


@pytest.fixture
def capacity_file(tmp_path):
    (tmp_path / "capacity.json").write_text(json.dumps({"limits": SHORT.to_data()}))
    return tmp_path / "capacity.json"


@pytest.mark.long
def test_a_calibration_is_kept_in_a_run_and_goes_on_with_it(tmp_path, capacity_file):
    begin = ["run", "town_day", "--residents", "2", "--model", "scripted", "--host", "local", "--quiet"]
    out = str(tmp_path / "run")
    assert main([*begin, "--steps", "8", "--limits", str(capacity_file), "--out", out]) == 0
    capacity_file.unlink()
    assert main(["resume", out, "--steps", "12", "--quiet"]) == 0
    with open_run(out) as run:
        assert run.manifest["model"]["output_limits"] == SHORT.to_data()
        assert Recipe.of(run.manifest).make().output_limits.of("mayor") == SHORT
        assert {call["request"]["max_tokens"] for call in run.calls()} == {200}


@pytest.mark.parametrize("written", ["", "[]", '{"limits": 3}', '{"limits": {"degradation": {"kind": "table"}}}'])
def test_what_is_no_calibration_is_refused_in_a_line(tmp_path, capacity_file, capsys, written):
    capacity_file.write_text(written)
    out = tmp_path / "run"
    assert main(["run", "town_day", "--model", "scripted", "--limits", str(capacity_file), "--out", str(out)]) == 1
    assert "capacity calibrate writes such a file" in capsys.readouterr().err
    assert not out.exists()


def test_a_model_choice_takes_limits_as_data_alone():
    with pytest.raises(WorldError, match="--limits"):
        ModelChoice("scripted", output_limits="capacity.json")
