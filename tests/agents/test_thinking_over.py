"""What a mind thinks over if it is switched on: importance, questions and insights, the hour ahead, meaning."""

import re

import pytest

from cave_sim import open_run
from cave_sim.agents import script
from cave_sim.agents.faculties import Faculties
from cave_sim.agents.hours import Hour, is_due, read
from cave_sim.agents.prompts import texts
from cave_sim.agents.rating import ratings
from cave_sim.agents.reflection import questions
from cave_sim.agents.remembering import IMPORTANCE, by_kind
from cave_sim.cli.main import main
from cave_sim.models import ModelError, ScriptedModel
from cave_sim.models.embeddings import EmbeddingModel, ScriptedEmbeddings, is_for_embeddings
from cave_sim.session.importance import Event
from cave_sim.simulations import town_day
from cave_sim.survey import interview
from cave_sim.testing import ImportanceContract
from tests.agents.lives import gather, minds, text_of, town


class TestByKind(ImportanceContract):
    events = tuple(Event(kind, "whatever") for kind in IMPORTANCE)

    def make(self):
        return by_kind


def memories(mind, of):
    return [row for row in mind.session.rows if row.kind == "memory" and row.data["of"] == of]


def thinking(**options):
    """Return a run of some hours in town, and its simulation."""
    simulation, asked = town(**options)
    simulation.run(until=24)
    return simulation, asked


def test_a_rule_of_ones_own_says_how_much_events_matter():
    simulation, _ = town()
    for mind in minds(simulation):
        mind.faculties = Faculties(importance=lambda event: 10.0 if event.kind == "notice" else 0.0)
    simulation.run(until=12)
    found = {row.data["importance"] for mind in minds(simulation) for row in memories(mind, "event")}
    assert found <= {0.0, 10.0}
    assert found


def test_a_model_rates_several_memories_in_one_question():
    simulation, asked = thinking(having="rating")
    rated = [row for mind in minds(simulation) for row in mind.session.rows if row.kind == "rating"]
    assert rated
    assert len([request for request in asked if texts.RATE in text_of(request)]) >= len(rated)
    assert all(len(row.data["rated"]) >= 8 for row in rated)


def test_ratings_are_read_as_they_are_written_and_nonsense_is_left_out():
    simulation, _ = town()
    simulation.run(until=6)
    rows = memories(minds(simulation)[0], "event")[:3]
    said = "1: 3\n- 2. 10/10\n3: 11\n7: 2\nI cannot say."
    assert list(ratings(said, rows).values()) == [3.0, 10.0]


def test_reflection_in_two_steps_concludes_from_what_each_question_brings_to_mind():
    simulation, asked = town(having="questions")
    one, other = minds(simulation)[:2]
    gather(simulation, one.name, other.name)
    for mind in (one, other):
        mind.faculties = Faculties(reflects_at=4.0).having("questions").without("plans")
    simulation.run(until=12)
    mind = next(mind for mind in (one, other) if memories(mind, "thought"))
    told = [text_of(request) for request in asked if request.key.agent == mind.name]
    asking = [text for text in told if "Write one question a line" in text]
    concluding = [text for text in told if "You ask yourself:" in text]
    assert asking
    assert len(concluding) >= len(asking)
    events = {row.id for row in mind.session.rows if row.kind == "memory"}
    for thought in memories(mind, "thought"):
        assert thought.data["because"]
        assert set(thought.data["because"]) <= events


def test_questions_are_read_one_a_line():
    assert questions("1. Who is Ann?\n- What do I like?\nNone.\nWho is Ann?") == ["Who is Ann?", "What do I like?"]


def test_an_hour_is_broken_down_once_and_again_when_something_happens():
    simulation, asked = town(lambda request: script.reply(request), having="hours", without="plans")
    one, other = minds(simulation)[:2]
    gather(simulation, one.name)
    simulation.step()
    first = [row for row in one.session.rows if row.kind == "hour"]
    assert [row.data["hour"]["begins"] for row in first] == ["12:00"]
    assert "This hour you mean to: " in text_of([request for request in asked if request.key.agent == one.name][-1])
    gather(simulation, one.name, other.name, place=simulation.world[one.name].location)
    simulation.step()
    rows = [row for row in one.session.rows if row.kind == "hour"]
    assert len(rows) == 2
    told = [text_of(request) for request in asked if request.key.agent == one.name]
    assert any(texts.SO_FAR in text and f"{other.name} has come" in text for text in told)


def test_an_hour_is_read_from_lines_of_that_hour_alone():
    observation = {"time": "Fri 1 June 2012 12:10"}
    hour = read("12:30 eat\n- 12:00: walk home\n13:00 later\nand so on", observation)
    assert hour == Hour("Fri 1 June 2012", "12:00", (("12:00", "walk home"), ("12:30", "eat")))
    assert Hour.of(hour.to_data()) == hour
    assert read("I do not know.", observation) is None
    assert not is_due(hour, observation, texts.NOTHING_NEW)
    assert is_due(hour, {"time": "Fri 1 June 2012 13:00"}, texts.NOTHING_NEW)
    assert is_due(hour, observation, "ann has come.")


@pytest.fixture(scope="module")
def by_meaning(tmp_path_factory):
    """Return a run of which memories are found by meaning, and how it was made."""
    folder = tmp_path_factory.mktemp("meaning") / "run"
    simulation = town_day.create(seed=3, residents=3, start="2012-06-01T12:00", minds="scripted", out=folder)
    simulation.embeddings = EmbeddingModel(ScriptedEmbeddings())
    simulation.run(until=10)
    yield simulation, folder
    simulation.close()


def test_memories_are_embedded_with_the_moment_that_asks_for_them_and_recorded(by_meaning):
    simulation, folder = by_meaning
    with open_run(folder) as run:
        calls = [call for call in run.calls() if call["model"]["name"] == "scripted-embeddings"]
    assert calls
    mind = max(minds(simulation), key=lambda mind: len(mind.session))
    last = [row for row in mind.session.rows if row.kind == "embedding"][-1]
    vectors = {name for row in mind.session.rows if row.kind == "embedding" for name in row.data["vectors"]}
    known = {row.id for row in mind.session.rows if row.kind == "memory"}
    assert vectors <= known
    assert mind.memory.relevance.fits(last.text)


@pytest.mark.long
def test_a_replay_asks_nobody_for_vectors_and_a_resumed_run_asks_for_none_twice(tmp_path, capsys):
    here = ["--quiet", "--host", "local"]
    made = ["run", "town_day", "--residents", "2", "--steps", "9", "--set", "start=2012-06-01T12:00", *here]
    thinking = ["--model", "scripted", "--embeddings", "scripted", "--out"]
    whole, replayed, cut = (str(tmp_path / name) for name in ("whole", "replayed", "cut"))
    assert main([*made, *thinking, whole]) == 0
    assert main([*made, "--replay-model", whole, "--out", replayed]) == 0
    assert main([*made, *thinking, cut, "--steps", "4"]) == 0
    assert main(["resume", cut, "--steps", "9", *here]) == 0
    assert len(set(re.findall(r"state hash: (\w+)", capsys.readouterr().out))) == 2
    asked = {}
    for folder in (whole, replayed, cut):
        with open_run(folder) as run:
            calls = [call for call in run.calls() if is_for_embeddings(call["request"])]
            asked[folder] = {(call["agent"], call["step"], call["attempt"]): call["reply"]["text"] for call in calls}
            assert len(asked[folder]) == len(calls)
    assert asked[whole] == asked[replayed] == asked[cut]
    assert asked[whole]


@pytest.mark.long
def test_the_process_of_a_world_and_verify_need_no_minds_to_have_or_do_without(tmp_path, capsys):
    folder = str(tmp_path / "run")
    made = ["run", "town_day", "--residents", "1", "--steps", "2", "--quiet", "--model", "scripted", "--out", folder]
    assert main([*made, "--host", "process", "--set", "having=hours", "--set", "without=reflection"]) == 0
    assert main(["verify", folder]) == 0
    capsys.readouterr()


def test_a_question_in_an_interview_is_embedded_too(by_meaning, monkeypatch):
    simulation, _ = by_meaning
    asked = []

    class Noting(ScriptedEmbeddings):
        async def embed(self, texts):
            asked.extend(texts)
            return await super().embed(texts)

    monkeypatch.setattr(simulation, "embeddings", EmbeddingModel(Noting()))
    before = simulation.state_hash
    (answer,) = interview(simulation, ["What do you remember of the town?"], ["mayor"])
    assert answer.text
    assert "What do you remember of the town?" in asked
    assert simulation.state_hash == before


def test_where_vectors_fail_words_decide_and_the_run_goes_on():
    class Broken(ScriptedEmbeddings):
        async def embed(self, texts):
            raise ModelError("refused", "no vectors today")

    simulation, _ = town()
    simulation.embeddings = EmbeddingModel(Broken())
    simulation.run(until=3)
    assert not [row for mind in minds(simulation) for row in mind.session.rows if row.kind == "embedding"]
    assert any(memories(mind, "event") for mind in minds(simulation))


@pytest.mark.long
def test_a_model_of_another_name_than_the_minds_costs_what_it_costs():
    simulation, _ = town(llm=ScriptedModel(script.reply))
    simulation.embeddings = EmbeddingModel(ScriptedEmbeddings())
    simulation.run(until=2)
    assert simulation.calls.budgets.spent.tokens > 0
