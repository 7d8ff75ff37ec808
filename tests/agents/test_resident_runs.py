"""Whole runs of residents who think: the same whatever the latency, whole whatever goes wrong or stops them."""

import pytest

from cave_sim import WorldError, open_run
from cave_sim.agents import script
from cave_sim.agents.resident import LLMResident
from cave_sim.models import Cassette, Chaotic, Faults, Rate, RecordedModel, ScriptedModel, Throttle, Throttled
from cave_sim.models.base import Message
from cave_sim.replay.resume import resume
from cave_sim.session.archive import restore
from cave_sim.simulations import town_day, village_day
from tests.agents.lives import minds, town

STEPS = 24
OASIS_TOKENS = 3_356


@pytest.fixture(scope="module")
def day(tmp_path_factory):
    """Return half a day of ten residents with scripted minds, and its journal."""
    folder = tmp_path_factory.mktemp("runs") / "thinking"
    simulation = town_day.create(seed=3, residents=10, minds="scripted", out=folder)
    simulation.run(until=72)
    simulation.close()
    with open_run(folder) as run:
        yield simulation, run


def counts(run, sql):
    return dict(run.query(sql))


def test_scripted_minds_live_like_scripted_residents(day):
    _, run = day
    statuses = counts(run, "SELECT status, count(*) FROM turns WHERE kind = 'cell' GROUP BY status")
    assert statuses["committed"] > 100
    assert statuses.get("failed", 0) < 0.15 * statuses["committed"]
    assert set(statuses) <= {"committed", "failed"}
    measures = run.measures()
    assert measures["at work (share)"].loc[24:60].max() > 0.4
    assert measures["hunger"].max() < 0.8


def test_they_plan_talk_remember_and_reflect(day):
    _, run = day
    rows = [row for session in restore(run.sessions()).values() for row in session]
    assert sum("plans" in row.data for row in rows) >= 10
    assert {"event", "thought"} <= {row.data["of"] for row in rows if row.kind == "memory"}
    assert run.query("SELECT count(*) FROM changes WHERE path LIKE '[\"heard\"%'")[0][0] > 10


def test_the_summary_tells_tokens_for_an_agent_in_a_step_and_how_much_of_prompts_repeats(day):
    _, run = day
    told = town_day.summary(run)
    calls = list(run.calls())
    tokens = sum(call["reply"]["usage"]["prompt_tokens"] for call in calls) / (72 * 11)
    assert f"{tokens:,.0f} + " in told
    assert tokens < 0.3 * OASIS_TOKENS
    assert "% of a prompt repeats the one before" in told


def test_a_run_without_minds_has_nothing_to_tell_of_thinking(tmp_path):
    simulation = town_day.create(seed=3, residents=3, out=tmp_path / "run")
    simulation.run(until=3)
    simulation.close()
    with open_run(tmp_path / "run") as run:
        assert "Thinking" not in town_day.summary(run)


@pytest.mark.long
def test_the_script_reads_nothing_but_the_text_of_a_prompt(day):
    _, run = day
    for call in list(run.calls())[:200:7]:
        messages = tuple(Message(each["role"], each["text"]) for each in call["request"]["messages"])
        bare = ScriptedModel(script.reply)._answer
        request = type("Text", (), {"messages": messages})
        assert bare(request) == call["reply"]["text"]


@pytest.mark.long
@pytest.mark.parametrize("in_flight", [1, 8, 64])
def test_latency_changes_nothing(in_flight):
    quick, _ = town(residents=8)
    rate = Rate(start_in_flight=in_flight, most_in_flight=in_flight)
    late = Chaotic(ScriptedModel(script.reply), seed=in_flight, latency_s=lambda rng: rng.expovariate(300.0))
    slow, _ = town(residents=8, llm=Throttled(late, Throttle(rate)))
    for simulation in (quick, slow):
        simulation.run(until=8)
    assert quick.state_hash == slow.state_hash


@pytest.mark.long
def test_malformed_replies_and_failing_models_leave_entries_and_a_whole_run(tmp_path):
    faults = Faults(malformed=0.3, unavailable=0.2)
    llm = Chaotic(ScriptedModel(script.reply), faults, seed=3)
    simulation, _ = town(residents=10, llm=llm, out=tmp_path / "run")
    simulation.run(until=STEPS)
    simulation.close()
    with open_run(tmp_path / "run") as run:
        events = counts(run, "SELECT kind, count(*) FROM events GROUP BY kind")
        errors = sum(call["error"] is not None for call in run.calls())
        spoilt = [call["reply"]["text"] for call in run.calls() if call["reply"] and "``" in call["reply"]["text"]]
        without_fence = sum("```py" not in text or "```pyhton" in text for text in spoilt)
    assert llm.happened["malformed"] > 20
    assert events["model_failed"] == errors > 5
    assert llm.happened["unavailable"] >= errors  # signs of life are asked for as well
    assert events["no_code"] == without_fence > 5
    assert simulation.world.clock.step == STEPS


@pytest.mark.long
def test_a_stopped_run_goes_on_to_the_same_end(tmp_path):
    whole, _ = town(residents=5)
    whole.run(until=STEPS)
    first, _ = town(residents=5, out=tmp_path / "run")
    first.run(until=STEPS // 2)
    first.close()
    again, _ = town(residents=5)
    resumed = resume(tmp_path / "run", simulation=again)
    resumed.run(until=STEPS)
    resumed.close()
    assert resumed.state_hash == whole.state_hash
    for one, other in zip(minds(whole), minds(resumed), strict=True):
        assert [row.to_data() for row in one.session] == [row.to_data() for row in other.session]


def test_who_comes_back_from_a_journal_is_told_the_same(tmp_path):
    simulation, _ = town(residents=5, out=tmp_path / "run")
    simulation.run(until=STEPS)
    simulation.close()
    with open_run(tmp_path / "run") as run:
        sessions = restore(run.sessions())
    for mind in minds(simulation):
        twin = LLMResident(simulation, mind.name)
        twin.session = sessions[mind.session.id]
        assert dict(twin.remind()) == dict(mind.remind())
        assert dict(twin.front()) == dict(mind.front())


def test_what_was_answered_once_is_answered_again_without_a_model(tmp_path):
    recorded, _ = town(residents=5, out=tmp_path / "run")
    recorded.run(until=12)
    recorded.close()
    with open_run(tmp_path / "run") as run:
        cassette = Cassette(list(run.calls()))
    replayed, _ = town(residents=5, llm=RecordedModel(cassette))
    replayed.run(until=12)
    assert replayed.state_hash == recorded.state_hash


@pytest.mark.long
def test_a_village_thinks_too_and_its_mayor_looks_after_it(tmp_path):
    begun = {"start": "2012-06-01T06:00", "out": tmp_path / "run"}
    simulation = village_day.create(seed=7, residents=8, minds="scripted", **begun)
    simulation.run(until=30)
    simulation.close()
    assert all(isinstance(agent, LLMResident) for agent in simulation.by_name.values())
    assert any("Good morning" in line for line in simulation.world["town"].announcements)
    with open_run(tmp_path / "run") as run:
        assert "calls in" in village_day.summary(run)


def test_without_a_model_nobody_is_asked():
    simulation = town_day.create(seed=3, residents=3)
    assert simulation.llm is None
    assert not minds(simulation)


def test_a_model_is_given_not_named():
    with pytest.raises(WorldError, match="minds='gpt': give the model itself, with llm="):
        town_day.create(seed=3, residents=3, minds="gpt")
