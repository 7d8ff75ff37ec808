"""The mayor changes the weather and opens a café; everybody perceives it, over any line to a model, again and again."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import pytest

from cave_sim import open_run
from cave_sim.models import (
    Chaotic,
    Faults,
    LiteLLMModel,
    Message,
    OpenAIModel,
    Rate,
    Request,
    Retrying,
    ScriptedModel,
    Throttled,
)
from cave_sim.models import Throttle as Line
from cave_sim.replay.fork import fork
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.simulations import storm_warning
from cave_sim.simulations.storm_warning.script import reply
from cave_sim.simulations.storm_warning.summary import CAFE, MANAGER
from cave_sim.testing.openai_server import Answer, OpenAIServer

ROOT = Path(__file__).parents[2]
STEPS, STORM_STEP, CAFE_STEP = 12, 3, 8
SETTINGS = {"storm_h": 10.5, "hours": 0.5, "cafe_h": 11.25}
OPTIONS = {"seed": 7, "residents": 3, **SETTINGS}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Return the folder of a run with the script, and its state hash."""
    folder = tmp_path_factory.mktemp("runs") / "storm"
    simulation = Recipe("storm_warning", OPTIONS).make(folder)
    simulation.run(until=STEPS).close()
    return folder, simulation.state_hash


def run_with(llm, **options):
    simulation = storm_warning.create(**OPTIONS, llm=llm, **options).run(until=STEPS)
    simulation.close()
    return simulation.state_hash


def awake(simulation):
    return [name for name in simulation.by_name if simulation.world[name].activity != "sleeping"]


def test_everybody_perceives_the_storm_as_soon_as_the_mayor_has_made_it():
    simulation = storm_warning.create(**OPTIONS).run(until=STORM_STEP)
    before = {name: simulation.world.observe(name)["weather"]["kind"] for name in awake(simulation)}
    simulation.step()
    after = {name: simulation.world.observe(name) for name in awake(simulation)}
    assert set(before.values()) == {"sun"}
    assert {seen["weather"]["kind"] for seen in after.values()} == {"storm"}
    assert all("A storm is coming" in seen["news"][-1] for seen in after.values())


def test_everybody_knows_the_new_cafe_and_its_manager_acts_from_the_next_step_on():
    simulation = storm_warning.create(**OPTIONS).run(until=CAFE_STEP)
    assert MANAGER not in simulation.by_name
    simulation.step()
    assert MANAGER in simulation.by_name
    for name in awake(simulation):
        seen = simulation.world.observe(name)
        assert CAFE in [place["name"] for place in seen["places"]]
        assert CAFE in seen["news"][-1]
    turns = []
    simulation.world.sink = turns.append
    simulation.step()
    assert MANAGER in {turn.agent for turn in turns}


def test_the_storm_ends_at_its_hour_and_the_weather_follows_the_records_again():
    simulation = storm_warning.create(**OPTIONS)
    skies = []
    for _ in range(8):
        simulation.step()
        skies.append(simulation.world["weather"].kind)
    assert skies == ["sun"] * 3 + ["storm"] * 2 + ["sun"] * 3


def test_the_mayor_opens_a_skill_and_its_functions_run_as_a_turn_of_the_mayor(recorded):
    with open_run(recorded[0]) as run:
        rows = run.query(
            "SELECT agent, status, parent IS NULL FROM turns JOIN cells ON cells.hash = turns.cell "
            "WHERE code LIKE '%def close_parks%' OR code LIKE '%skills[%' ORDER BY turn"
        )
    assert rows == [("mayor", "committed", 1), ("mayor", "committed", 0)]


def test_a_request_of_the_mayor_takes_fewer_than_500_tokens(recorded):
    with open_run(recorded[0]) as run:
        asked = [call["reply"]["usage"]["prompt_tokens"] for call in run.calls() if call["agent"] == "mayor"]
    assert median(asked) < 500


def test_the_summary_tells_the_story(recorded):
    with open_run(recorded[0]) as run:
        told = storm_warning.summary(run)
    assert "10:30 mayor turned the weather" in told
    assert f"11:20 mayor opened {CAFE}" in told
    assert "first at 11:30" in told


# ---- the same over HTTP, from a record, at any latency


class Provider:
    """Answers as the script does, from what came over the wire; at times too busy, or with a tool call besides."""

    def __init__(self):
        self.asked = self.refused = 0

    def __call__(self, body):
        self.asked += 1
        if self.asked % 7 == 3:
            self.refused += 1
            return Answer(status=429, retry_after_s=0)
        messages = tuple(Message(each["role"], each["content"]) for each in body["messages"])
        tools = (("look", "{}"),) if self.asked % 5 == 0 else ()
        return Answer(reply(Request(messages)), tool_calls=tools)


@pytest.mark.long(cases=0)
@pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra llm")
@pytest.mark.parametrize("client", [OpenAIModel, LiteLLMModel])
def test_a_server_that_streams_what_the_script_says_gives_the_same_hash(client, recorded):
    provider = Provider()
    with OpenAIServer(provider) as server:
        line = client("openai/test", api_base=server.url, stream=True)
        found = run_with(Retrying(Throttled(line), first_s=0.001))
        streamed = [seen.body["stream"] for seen in server.seen]
    assert all(streamed)
    assert provider.refused > 3
    assert found == recorded[1]


@pytest.mark.long
def test_a_recorded_run_is_replayed_in_a_new_process_and_nobody_is_asked(recorded, tmp_path):
    settings = [part for name, value in SETTINGS.items() for part in ("--set", f"{name}={value}")]
    command = [sys.executable, "-m", "cave_sim", "run", "storm_warning", "--seed", "7", "--residents", "3"]
    replaying = ["--steps", str(STEPS), "--replay-model", str(recorded[0]), "--out", str(tmp_path / "again"), "--quiet"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    played = subprocess.run(
        [*command, *replaying, *settings], capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
    )
    assert (played.stderr, played.stdout.strip()) == ("", f"state hash: {recorded[1]}")
    with open_run(tmp_path / "again") as run:
        assert run.manifest["model"]["replay"] == str(recorded[0])


@pytest.mark.long
@pytest.mark.parametrize("in_flight", [1, 8, 64])
def test_latency_and_how_many_requests_are_in_flight_make_no_difference(recorded, in_flight):
    late = Chaotic(ScriptedModel(reply), latency_s=lambda rng: rng.uniform(0, 0.004))
    rate = Rate(start_in_flight=in_flight, most_in_flight=in_flight)
    assert run_with(Throttled(late, Line(rate))) == recorded[1]


def test_a_run_survives_malformed_replies_and_failures_and_its_journal_has_each(tmp_path):
    faulty = Chaotic(ScriptedModel(reply), Faults(malformed=0.3, broken=0.2))
    run_with(faulty, out=tmp_path)
    with open_run(tmp_path) as run:
        failed = sum(call["reply"] is None for call in run.calls())
        noted = run.query("SELECT count(*) FROM events WHERE kind = 'model_failed'")[0][0]
    assert min(faulty.happened["malformed"], faulty.happened["broken"]) > 2
    assert 0 < failed == noted < faulty.happened["broken"]  # most were asked once more, and then answered


# ---- who acts follows from who is in the world


@pytest.mark.long
def test_a_run_that_stopped_after_the_manager_came_goes_on_with_the_manager(recorded, tmp_path):
    stopped = Recipe("storm_warning", OPTIONS).make(tmp_path / "stopped")
    stopped.run(until=CAFE_STEP + 2).close()
    resumed = resume(tmp_path / "stopped")
    assert MANAGER in resumed.by_name
    resumed.run(until=STEPS).close()
    assert resumed.state_hash == recorded[1]


@pytest.mark.long
def test_a_branch_from_before_the_manager_came_gets_one_of_its_own(recorded, tmp_path):
    branch = fork(recorded[0], CAFE_STEP, tmp_path / "branch")
    assert MANAGER not in branch.by_name
    branch.run(until=STEPS).close()
    assert (MANAGER in branch.by_name, branch.state_hash) == (True, recorded[1])
