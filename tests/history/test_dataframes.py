"""Frames: a run as pandas tables."""

import pytest

from cave_sim import JournalError, Simulation, World, open_run
from cave_sim.history.dataframes import FRAMES, frame


def test_the_turns_of_a_frame_are_those_of_the_run(town):
    turns = frame(town, "turns")
    assert list(turns.index) == [turn.turn for turn in town.turns()]
    assert list(turns["code"]) == [turn.code for turn in town.turns()]
    assert turns["changes"].sum() == town.query("SELECT count(*) FROM changes")[0][0]


def test_the_changes_of_a_frame_hold_values_by_field_and_key(town):
    changes = frame(town, "changes")
    warm = changes[(changes.entity == "weather") & (changes.field == "temperature_c")]
    assert list(warm["new"]) == [change.new for change in town.changes("weather", "temperature_c")]
    bought = changes[(changes.field == "belongings") & (changes.key == "groceries")]
    assert bought["new"].map(type).eq(int).all()
    assert changes.index.is_unique


def test_measures_have_a_row_for_each_step(town):
    measures = frame(town, "measures")
    assert list(measures.index) == [step.step for step in town.steps()]


def test_usage_has_a_row_for_each_turn_that_was_paid_for(tmp_path):
    world = World(seed=7)
    simulation = Simulation(world, out=tmp_path / "run")
    for tokens in (100, 200):
        turn = world.execute("x = 1", "ann")
        turn.usage = {"tokens": tokens, "cost": {"usd": 0.5}}
    simulation.step()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        usage = frame(run, "usage")
    assert usage.to_dict("list") == {
        "step": [0, 0], "agent": ["ann", "ann"], "tokens": [100, 200], "cost.usd": [0.5, 0.5],
    }  # fmt: skip


def test_calls_have_a_row_for_each_question_to_a_model(tmp_path):
    simulation = Simulation(World(seed=7), out=tmp_path / "run")
    usage = {"prompt_tokens": 30, "completion_tokens": 4, "cached_tokens": 8}
    reply = {"text": "x = 1", "usage": usage, "cost_usd": 0.25, "latency_s": 1.5}
    asked = {"run": "", "agent": "ann", "step": 0, "attempt": 0, "hash": "h", "model": {"name": "m"}}
    for retry, (answer, error) in enumerate([(None, {"kind": "timeout", "message": "late"}), (reply, None)]):
        simulation.journal.add_call(
            {**asked, "retry": retry, "request": {"messages": []}, "reply": answer, "error": error}
        )
    simulation.step()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        calls = frame(run, "calls")
    assert calls.iloc[0]["error"] == "timeout"
    assert dict(calls.iloc[1][["model", "retry", "prompt_tokens", "cached_tokens", "cost_usd", "latency_s"]]) == {
        "model": "m", "retry": 1, "prompt_tokens": 30, "cached_tokens": 8, "cost_usd": 0.25, "latency_s": 1.5,
    }  # fmt: skip


@pytest.mark.parametrize("name", FRAMES)
def test_a_run_in_which_nothing_happened_has_every_frame(tmp_path, name):
    Simulation(World(seed=7), out=tmp_path / "run").close()
    with open_run(tmp_path / "run") as run:
        assert len(frame(run, name)) <= 1


def test_a_frame_that_is_not_there_is_said(town):
    with pytest.raises(JournalError, match=r"no frame 'moods'\. It has turns, changes, measures, usage, calls"):
        frame(town, "moods")
    with pytest.raises(JournalError, match=r"say which table of the run: turns, changes, measures, usage"):
        town.frame()
    with pytest.raises(JournalError, match=r"frame\('turns', kind=...\): there is no such option. It takes none"):
        frame(town, "turns", kind="cell")
    with pytest.raises(JournalError, match="Did you mean 'fields'"):
        frame(town, "panel", field=["mood"])
