"""A run whose every word a small real model wrote plays again from its replies alone, and the docs say what it did."""

import re

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.journal.rebuild import entities_at
from cave_sim.models import LiteLLMModel
from cave_sim.models.code_blocks import read_reply
from tests.docs.pages import ROOT, tables
from tests.fixtures.record_real_town import RUN, unpack


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return unpack(tmp_path_factory.mktemp("real_town"))


@pytest.fixture(scope="module")
def recorded(folder):
    with open_run(folder) as run:
        yield run


@pytest.fixture(scope="module")
def told():
    """What the documentation says of the run, by the first column of its table."""
    return dict(row[:2] for row in tables(ROOT / "docs" / "local_models.md")["What a small model can do"])


def turns(run):
    return run.query("SELECT step, agent, status, cell FROM turns WHERE kind = 'cell' ORDER BY turn")


def replies(run):
    return {(call["agent"], call["step"], call["attempt"]): call["reply"] for call in run.calls()}


def seconds_of(run):
    """Return how long the model took: all of a step ask at once, and it answers one after another."""
    longest = {}
    for call in run.calls():
        place = call["step"], call["attempt"]
        longest[place] = max(longest.get(place, 0.0), call["reply"]["latency_s"])
    return sum(longest.values())


def as_format_2(entities):
    """Return a state without the order of neighbours, which files of the format in which this one is do not tell."""
    fields = [each["fields"] for each in entities.values()]
    data = [held for each in fields for held in each.values() if isinstance(held, dict)]
    return [held.pop("$order", None) for held in data] and entities


def numbers(text):
    return [float(found) for found in re.findall(r"\d+(?:\.\d+)?", text.replace(",", ""))]


@pytest.mark.long
def test_the_words_of_a_real_model_lead_to_the_same_state_without_it(folder, recorded, tmp_path, monkeypatch, capsys):
    # loosely: since they were spoken, the prompt has come to say what is whose to read
    monkeypatch.setattr(LiteLLMModel, "__init__", lambda *_: pytest.fail("a model was asked"))
    again = tmp_path / "again"
    assert main([*RUN, "--replay-model", str(folder), "--loose", "--out", str(again), "--quiet"]) == 0
    with open_run(again) as run:
        assert capsys.readouterr().out == f"state hash: {run.manifest['state_hash']}\n"
        assert as_format_2(entities_at(run, 3)) == as_format_2(entities_at(recorded, 3))
        assert turns(run) == turns(recorded)
        assert replies(run) == replies(recorded)


def test_the_words_are_a_models_and_its_usage_is_what_it_counted(recorded):
    calls = list(recorded.calls())
    assert {call["model"]["name"] for call in calls} == {"openai/local"}
    assert not any(call["reply"]["usage"]["is_estimate"] for call in calls if call["reply"])


def test_the_recording_names_no_machine(folder):
    for file in folder.iterdir():
        assert not re.search(rb"/(?:root|home|tmp|opt|work|Users|mnt)/[\w.-]", file.read_bytes())


def test_the_documentation_says_what_the_recorded_model_did(recorded, told):
    said = list(replies(recorded).values())
    landed = [status == "committed" for _, _, status, _ in turns(recorded)]
    usage = [reply["usage"] for reply in said]
    measured = {
        "requests": [len(said)],
        "replies with a cell": [sum(bool(read_reply(reply["text"]).blocks) for reply in said)],
        "turns that landed, that failed": [sum(landed), len(landed) - sum(landed)],
        "tokens read, written, per request": [
            round(sum(each[kind] for each in usage) / len(usage)) for kind in ("prompt_tokens", "completion_tokens")
        ],
        "of what was read, in the cache already": [
            round(100 * sum(each["cached_tokens"] for each in usage) / sum(each["prompt_tokens"] for each in usage))
        ],
        "seconds per request": [round(seconds_of(recorded) / len(said))],
    }
    assert {what: numbers(told[what]) for what in measured} == measured
