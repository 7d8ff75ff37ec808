"""The loop of a mind: it asks, runs the code of the reply, reads what came of it, and stops when it should."""

import pandas as pd
import pytest

from cave_sim import Entity, Simulation, World, WorldError, field, open_run
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import Budget, Budgets, Chaotic, ModelError, Rate, Reply, ScriptedModel, Throttle, Throttled
from cave_sim.session.archive import restore
from cave_sim.session.transcript import Transcript


class Lamp(Entity):
    """A lamp that can be dimmed."""

    watts: float = field(0.0, unit="W", ge=0, le=100)


def room(llm, *names, habits=None, **options):
    world = World(seed=3)
    world.add("lamp", Lamp())
    people = names or ("ann",)
    for name in people:
        world.grant(name, "lamp")

    def minds(simulation):
        return [LLMAgent(simulation, name, habits=habits) for name in people]

    return Simulation(world, minds, llm=llm, **options)


def block(code):
    return f"Let me see.\n```python\n{code}\n```\n"


def kinds(mind):
    return [row.kind for row in mind.session]


def test_a_question_is_answered_after_acting_on_the_world():
    simulation = room(ScriptedModel([block("lamp.watts = 40"), "It is lit."]))
    assert simulation.by_name["ann"].ask("Light the lamp.") == "It is lit."
    assert simulation.world["lamp"].watts == 40
    assert kinds(simulation.by_name["ann"]) == ["user", "assistant", "cell", "output", "assistant"]


def test_it_reads_what_its_cell_printed_before_it_goes_on():
    asked = []

    def script(request):
        asked.append(request.messages)
        return block("print(lamp.watts + 1)") if len(asked) == 1 else "One."

    room(ScriptedModel(script)).by_name["ann"].ask("How bright is it?")
    assert any("<output>\n1.0\n</output>" in message.text for message in asked[1])


def test_a_cell_that_failed_is_mended_in_the_next_one():
    simulation = room(ScriptedModel([block("lamp.watts = 400"), block("lamp.watts = 100"), "Done."]))
    mind = simulation.by_name["ann"]
    mind.ask("As bright as you can.")
    assert simulation.world["lamp"].watts == 100
    assert kinds(mind)[2:4] == ["cell", "error"]


def test_the_same_failure_for_the_third_time_ends_the_matter_and_is_told_once():
    simulation = room(ScriptedModel([block(f"x = {number}\nlamp.watts = 400") for number in range(9)]))
    mind = simulation.by_name["ann"]
    mind.ask("As bright as you can.")
    assert kinds(mind) == ["user", *["assistant", "cell", "error"] * 3, "compress"]
    assert "3 cells in a row" in mind.session[-1].text
    assert [message.role for message in Transcript().messages(mind.session)] == ["user", "user"]
    assert simulation.calls.budgets.spent.calls == 3
    assert mind.session.usage.tokens == simulation.calls.budgets.spent.tokens


def test_several_blocks_are_one_turn_and_by_choice_only_the_first_runs():
    reply = block("lamp.watts = 10") + block("lamp.watts = lamp.watts + 5")
    every, first = (room(ScriptedModel([reply, "Done."]), habits=Habits(only_first=only)) for only in (False, True))
    for simulation in (every, first):
        simulation.by_name["ann"].ask("More light.")
    assert (every.world["lamp"].watts, first.world["lamp"].watts) == (15, 10)
    assert kinds(every.by_name["ann"]).count("cell") == 1


def test_a_reply_that_was_cut_off_is_continued():
    class Halting(ScriptedModel):
        async def reply(self, request):
            reply = await super().reply(request)
            cut = "Go on exactly" not in request.messages[-1].text
            return Reply(reply.text, reply.usage, finish_reason="length" if cut else "stop")

    simulation = room(Halting(["```python\nlamp.wa", "tts = 30\n```"]), habits=Habits(max_cells=1))
    simulation.by_name["ann"].ask("Light.")
    assert simulation.world["lamp"].watts == 30


def test_an_empty_reply_is_asked_about_and_then_noted(tmp_path):
    simulation = room(ScriptedModel([""] * 9), out=tmp_path / "run")
    simulation.step()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        assert run.query("SELECT kind FROM events") == [("no_code",)]
        assert run.query("SELECT count(*) FROM calls") == [(3,)]


def test_no_more_cells_run_than_it_may_run_in_a_step():
    simulation = room(ScriptedModel(lambda request: block("lamp.watts += 1")), habits=Habits(max_cells=4))
    simulation.step()
    assert simulation.world["lamp"].watts == 4


def test_what_is_too_long_to_show_waits_in_a_variable():
    simulation = room(ScriptedModel([block("print('x' * 3_000)"), "Long."]), habits=Habits(output_chars=100))
    mind = simulation.by_name["ann"]
    mind.ask("Print.")
    assert len(mind.retrieve("last_output")) >= 3_000


def test_native_objects_go_in_and_come_out():
    simulation = room(ScriptedModel([block("dear = prices[prices.euros > 2]"), "Done."]))
    mind = simulation.by_name["ann"]
    mind.inject("prices", pd.DataFrame({"euros": [1.0, 3.0]}), "what things cost")
    mind.ask("Which are dear?")
    assert list(mind.retrieve("dear").euros) == [3.0]


def test_the_front_of_the_prompt_stays_the_same_from_request_to_request():
    fronts = []

    def script(request):
        fronts.append(request.messages[0].text)
        return block("lamp.watts += 1")

    simulation = room(ScriptedModel(script), habits=Habits(max_cells=2))
    simulation.run(until=3)
    assert len(fronts) == 6
    assert len(set(fronts)) == 1
    assert simulation.by_name["ann"].stability.stable_bytes > len(fronts[0]) * 5


def test_all_minds_of_a_batch_are_asked_at_once_and_land_in_seeded_order():
    names = [f"agent_{number:02}" for number in range(20)]
    llm = ScriptedModel(lambda request: block("lamp.watts += 1"), latency_s=0.01)
    simulation = room(llm, *names, habits=Habits(max_cells=1))
    simulation.step()
    assert llm.peak_in_flight == 20
    assert simulation.world["lamp"].watts == 20


@pytest.mark.long
@pytest.mark.parametrize("in_flight", [1, 7, 64])
def test_latency_changes_nothing(in_flight):
    names = [f"agent_{number:02}" for number in range(9)]

    def script(request):
        return block(f"lamp.watts = (lamp.watts * 3 + {sum(map(ord, request.key.agent))}) % 100")

    rate = Rate(start_in_flight=in_flight, most_in_flight=in_flight)
    slow = Chaotic(ScriptedModel(script), seed=in_flight, latency_s=lambda rng: rng.expovariate(200.0))
    quick = room(ScriptedModel(script), *names)
    jittered = room(Throttled(slow, Throttle(rate)), *names)
    for simulation in (quick, jittered):
        simulation.run(until=2)
    assert quick.state_hash == jittered.state_hash


def test_a_model_that_fails_costs_its_agent_a_turn_and_nobody_else_anything(tmp_path):
    def script(request):
        if request.key.agent == "bob":
            raise ModelError("refused", "not a word of this")
        return block("lamp.watts += 1")

    simulation = room(ScriptedModel(script), "ann", "bob", habits=Habits(max_cells=1), out=tmp_path / "run")
    simulation.run(until=8)
    simulation.close()
    assert simulation.world["lamp"].watts == 8
    assert simulation.calls.quarantine.agents(step=8) == {"bob"}
    with open_run(tmp_path / "run") as run:
        assert run.query("SELECT kind, count(*) FROM events GROUP BY 1") == [("model_failed", 5), ("quarantined", 1)]


WITHHELD = {
    "filtered": Reply("```python\nlamp.watts = 5\n```", finish_reason="content_filter"),
    "refused": Reply("```python\nlamp.watts = 5\n```", refusal="I will not."),
    "cut off": Reply("```python\nlamp.watts = 5\nlamp.wat", finish_reason="length"),
}


class Constant:
    """A model that always says the same."""

    is_scripted = True

    name, window_tokens, price = "stub/constant", 1_000, None

    def __init__(self, reply):
        self.said = reply

    async def reply(self, request):
        return self.said


@pytest.mark.parametrize("reply", WITHHELD.values(), ids=WITHHELD.keys())
def test_code_of_a_reply_that_is_not_whole_does_not_run(reply, tmp_path):
    simulation = room(Constant(reply), habits=Habits(max_cells=1, continuations=0), out=tmp_path / "run")
    simulation.run(until=2).close()
    assert simulation.world["lamp"].watts != 5
    with open_run(tmp_path / "run") as run:
        assert run.query("SELECT count(*) FROM turns WHERE kind = 'cell'") == [(0,)]
        assert run.query("SELECT DISTINCT kind FROM events") == [("withheld" if reply.is_withheld else "no_code",)]


def test_the_budget_of_a_run_ends_it_with_everything_in_the_journal(tmp_path):
    simulation = room(
        ScriptedModel(lambda request: block("lamp.watts += 1")),
        habits=Habits(max_cells=1),
        budgets=Budgets(run=Budget(calls=3)),
        out=tmp_path / "run",
    )
    assert "step 3, 3 cells; stopped: budget of run: 3 of calls=3 spent" in repr(simulation.run(until=10))
    simulation.close()
    assert not simulation.running
    with open_run(tmp_path / "run") as run:
        assert run.query("SELECT count(*) FROM calls") == [(3,)]
        assert run.manifest["stopped"]["limit"] == "calls"
        assert [turn.status for turn in run.turns("ann")] == ["committed"] * 3


def test_calls_sessions_and_costs_are_in_the_journal(tmp_path):
    simulation = room(ScriptedModel([block("lamp.watts = 5"), "Done."]), out=tmp_path / "run")
    simulation.step()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        (turn,) = run.turns("ann")
        assert turn.usage["model"] == "scripted"
        assert turn.usage["completion_tokens"] > 0
        assert [call["attempt"] for call in run.calls()] == [0, 1]
        sessions = restore(run.sessions())
    mind = simulation.by_name["ann"]
    assert list(sessions[mind.session.id]) == list(mind.session)


def test_a_mind_without_a_model_says_how_to_give_it_one():
    with pytest.raises(WorldError, match="give the simulation one, with llm= or --model"):
        room(None).by_name["ann"].ask("Hello?")
