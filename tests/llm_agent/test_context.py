"""A mind that outgrows its window makes room, goes on, and is the same mind wherever its run is resumed."""

import subprocess
import sys

import pytest

from cave_sim import Entity, Simulation, World, field, open_run
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ModelError, RecordedModel, ScriptedModel
from cave_sim.models.cassette import Cassette
from cave_sim.models.for_agents import ForAgents
from cave_sim.models.tokens import ESTIMATE
from cave_sim.replay.resume import continue_run
from cave_sim.session.compression import digest_of

WINDOW = 2_000
STEPS = 60


class Lamp(Entity):
    """A lamp that can be dimmed."""

    watts: float = field(0.0, unit="W", ge=0, le=100)


def block(code):
    return f"Let me see.\n```python\n{code}\n```\n"


class Strict(ScriptedModel):
    """A model that refuses what does not fit, as providers do; it may say that its window is larger than it is."""

    def __init__(self, script, *, window=WINDOW, declared=None, words="does not fit into a window of {window} tokens"):
        super().__init__(script, counter=ESTIMATE, window_tokens=window if declared is None else declared)
        self.window, self.words, self.requests = window, words, []

    async def reply(self, request):
        self.requests.append(request)
        if ESTIMATE.of_request(request) + (request.max_tokens or 0) > self.window:
            raise ModelError("too_long", self.words.format(window=self.window))
        return await super().reply(request)


def busy(request):
    """Act by what was said last alone, so that a resumed run gets the same replies."""
    if "Summary" in request.messages[0].text or "Write down" in request.messages[0].text:
        return "I dim lamps."
    if request.key.attempt % 2:
        return block(f"lamp.watts = 500  # {request.key.step}")
    return block(f"print('dim ' * 60)\nlamp.watts = (lamp.watts * 3 + {request.key.step} + 1) % 100")


def town(llm, habits=None, out=None, names=("ann", "bob")):
    world = World(seed=3)
    world.add("lamp", Lamp())
    for name in names:
        world.grant(name, "lamp")
    habits = habits or Habits(max_cells=2)
    return Simulation(world, lambda sim: [LLMAgent(sim, name, habits=habits) for name in names], llm=llm, out=out)


def events(folder):
    with open_run(folder) as run:
        return {kind for (kind,) in run.query("SELECT DISTINCT kind FROM events")}


CONTEXTS = {
    "window": Habits(max_cells=2, context="window"),
    "by rules": Habits(max_cells=2, context="summary"),
    "by its model": Habits(max_cells=2, context="summary", summary="model"),
    "step": Habits(max_cells=2, context="step"),
}


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("habits", CONTEXTS.values(), ids=CONTEXTS.keys())
def test_sixty_steps_in_a_window_of_two_thousand_mute_nobody(habits, tmp_path):
    llm = Strict(busy)
    simulation = town(llm, habits, tmp_path / "run").run(until=STEPS)
    simulation.close()
    assert not simulation.calls.quarantine.agents(STEPS)
    assert events(tmp_path / "run") <= {"no_code"}  # nothing was refused
    turns = dict.fromkeys(simulation.by_name, 0)
    with open_run(tmp_path / "run") as run:
        for turn in run.turns():
            if turn.agent in turns:
                turns[turn.agent] += 1
    assert set(turns.values()) == {2 * STEPS}
    assert all(ESTIMATE.of_request(request) + request.max_tokens <= WINDOW for request in llm.requests)
    compressed = [row for row in simulation.by_name["ann"].session if row.kind == "compress"]
    assert bool(compressed) == (habits.context != "step")


def test_all_is_sent_to_one_who_wants_it_so_and_that_ends_where_the_window_does(tmp_path):
    simulation = town(Strict(busy), Habits(max_cells=2, context="full"), tmp_path / "run").run(until=STEPS)
    simulation.close()
    assert {"model_failed", "quarantined"} <= events(tmp_path / "run")


def test_the_front_stays_byte_for_byte_and_prompts_grow_until_there_is_no_room():
    llm = Strict(lambda request: block("print('dim ' * 3_000)\nlamp.watts += 1"), window=8_000)
    town(llm, Habits(max_cells=2), names=("ann",)).run(until=30)
    assert len({request.messages[0] for request in llm.requests}) == 1
    grew = [
        later.messages[: len(earlier.messages) - 1] == earlier.messages[:-1]
        for earlier, later in zip(llm.requests, llm.requests[1:], strict=False)
    ]
    assert sum(grew) / len(grew) > 0.7


@pytest.mark.long
def test_what_is_not_shown_any_more_is_in_the_journal_with_what_stands_for_it(tmp_path):
    simulation = town(Strict(busy), None, tmp_path / "run").run(until=STEPS)
    session = simulation.by_name["ann"].session
    compressed = [row for row in session if row.kind == "compress"]
    for row in compressed:
        first, last = session.position(row.data["first"]), session.position(row.data["last"])
        assert digest_of(list(session)[first : last + 1]) == row.data["digest"]
    assert [row.kind for row in session].count("cell") == 2 * STEPS
    assert compressed[-1].data["first"] == session[0].id  # what stood for rows makes room with them
    simulation.close()


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("habits", CONTEXTS.values(), ids=CONTEXTS.keys())
def test_resumed_at_any_step_it_ends_as_if_it_had_never_stopped(habits, tmp_path):
    whole = town(Strict(busy), habits).run(until=STEPS)
    folder, asked = tmp_path / "run", 0
    town(Strict(busy), habits, folder).run(until=1).close()
    for step in range(2, STEPS + 1, 7):
        resumed = town(llm := Strict(busy), habits)
        continue_run(resumed, folder)
        resumed.run(until=min(step + 6, STEPS)).close()
        asked += len(llm.requests)
    resumed = town(Strict(busy), habits)
    continue_run(resumed, folder)
    assert resumed.state_hash == whole.state_hash
    for name, mind in whole.by_name.items():
        assert list(resumed.by_name[name].session) == list(mind.session)


@pytest.mark.long
def test_a_replay_from_the_recording_asks_for_what_was_recorded(tmp_path):
    habits = CONTEXTS["by its model"]
    first = town(Strict(busy), habits, tmp_path / "run").run(until=30)
    first.close()
    with open_run(tmp_path / "run") as run:
        calls = list(run.calls())
    again = town(RecordedModel(Cassette(calls), run=calls[0]["run"]), habits).run(until=30)
    assert again.state_hash == first.state_hash


WORDS = {
    "it says which": "This model's maximum context length is {window} tokens. However, you requested 9,000 tokens",
    "it does not say": "the prompt is too long",
}


@pytest.mark.long
@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS.keys())
@pytest.mark.parametrize("declared", [0, 8_192])
def test_a_window_that_nobody_knew_is_learned_and_the_step_goes_on(words, declared, tmp_path):
    llm = Strict(busy, declared=declared, words=words)
    simulation = town(llm, None, tmp_path / "run", names=("ann",)).run(until=STEPS)
    simulation.close()
    with open_run(tmp_path / "run") as run:
        assert len(list(run.turns("ann"))) == 2 * STEPS  # no step was lost
        failures = [call for call in run.calls() if call["error"]]
    assert 1 <= len(failures) <= 4
    learned = [row.data["window_tokens"] for row in simulation.by_name["ann"].session if row.kind == "model_error"]
    assert learned == sorted(learned, reverse=True)
    assert "quarantined" not in events(tmp_path / "run")


@pytest.mark.long
def test_a_resumed_run_knows_the_window_that_was_learned(tmp_path):
    folder = tmp_path / "run"
    town(Strict(busy, declared=8_192), None, folder, names=("ann",)).run(until=STEPS // 2).close()
    resumed = town(llm := Strict(busy, declared=8_192), names=("ann",))
    continue_run(resumed, folder)
    resumed.run(until=STEPS).close()
    refused = [each for each in llm.requests if ESTIMATE.of_request(each) + each.max_tokens > WINDOW]
    assert not refused


KILLED = """
import os, signal, sys
from pathlib import Path
from cave_sim.replay.resume import continue_run
from tests.llm_agent.test_context import CONTEXTS, Strict, busy, town

folder, asked, die_at = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])

class Mortal(Strict):
    async def reply(self, request):
        with asked.open("a") as file:
            print(request.key, request.hash, file=file)
        if len(self.requests) == die_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().reply(request)

simulation = town(Mortal(busy, declared=8_192), CONTEXTS["by its model"], None if folder.exists() else folder, ["ann"])
if simulation.journal is None:
    continue_run(simulation, folder)
simulation.run(until=30).close()
"""


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("die_at", [9, 23])  # in the middle of a step, after a refusal and after a summary
def test_killed_in_the_middle_of_a_step_it_asks_nothing_twice(die_at, tmp_path):
    folder, asked = tmp_path / "run", tmp_path / "asked"
    for at, code in ((die_at, -9), (-1, 0)):
        done = subprocess.run([sys.executable, "-c", KILLED, folder, asked, str(at)], check=False)
        assert done.returncode == code
    whole = town(Strict(busy, declared=8_192), CONTEXTS["by its model"], names=["ann"]).run(until=30)
    lines = asked.read_text().splitlines()
    assert len(lines) - len(set(lines)) == 1  # the one that was under way had no answer yet
    assert lines.count(lines[die_at]) == 2
    with open_run(folder) as run:
        assert run.steps()[-1].state_hash == whole.state_hash


def test_one_thing_that_is_longer_than_the_window_loses_its_middle():
    llm = Strict(lambda request: "Yes.")
    mind = town(llm, names=("ann",)).by_name["ann"]
    assert mind.ask("Read: " + "word " * 20_000 + "Is it long?") == "Yes."
    assert "characters are left out here" in llm.requests[0].messages[-1].text
    assert llm.requests[0].messages[-1].text.endswith("Is it long?")
    assert len(mind.session[0].text) > 100_000


def test_different_failures_before_equal_ones_stay():
    codes = ["missing", "lamp.watts = 400", "lamp.watts = 400  # again", "lamp.watts = 400  # and again"]
    mind = town(ScriptedModel([block(code) for code in codes]), Habits(), names=("ann",)).by_name["ann"]
    mind.ask("As bright as you can.")
    said = mind._context_window.transcript.messages(mind.session)
    assert "missing" in said[1].text
    assert "NameError" in said[2].text
    assert "3 cells in a row failed" in said[3].text
    assert len(said) == 4
    assert [row.kind for row in mind.session].count("cell") == 4


def test_a_run_may_say_how_much_is_repeated_for_some_of_its_agents():
    simulation = town(Strict(busy))
    simulation.contexts = ForAgents((("b*", "step"),))
    assert [mind.context for mind in simulation.by_name.values()] == ["summary", "step"]


def test_a_summary_that_its_model_does_not_write_is_written_by_rule():
    def script(request):
        return "" if "Write down" in request.messages[0].text else busy(request)

    simulation = town(Strict(script), CONTEXTS["by its model"], names=("ann",)).run(until=30)
    text = next(row.text for row in simulation.by_name["ann"].session if row.kind == "compress")
    assert text.startswith("Earlier, in short")


def test_what_a_summary_cost_is_with_it():
    simulation = town(Strict(busy), CONTEXTS["by its model"], names=("ann",)).run(until=30)
    session = simulation.by_name["ann"].session
    row = next(row for row in session if row.kind == "compress")
    assert row.usage.completion_tokens > 0
    assert "I dim lamps." in row.text
    assert session.usage.tokens == simulation.calls.budgets.spent.tokens


def test_each_part_of_a_prompt_is_recorded_with_its_tokens(tmp_path):
    town(Strict(busy), None, tmp_path / "run").run(until=3).close()
    with open_run(tmp_path / "run") as run:
        calls = list(run.calls())
    for call in calls:
        assert {"identity", "api", "instructions", "clock", "transcript"} <= set(call["parts"])
        assert sum(call["parts"].values()) == pytest.approx(call["reply"]["usage"]["prompt_tokens"], rel=0.1)


def test_replies_are_no_longer_than_the_window_has_room_for():
    llm = Strict(lambda request: "Yes.", window=1_200)
    town(llm, names=("ann",)).by_name["ann"].ask("Hello?")
    assert llm.requests[0].max_tokens == 300
