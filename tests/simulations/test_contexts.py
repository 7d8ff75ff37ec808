"""Residents live the same lives whatever of their past a request repeats, while the present fits into the window."""

from dataclasses import dataclass

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.session.archive import restore

WINDOW = 1_200
TOWN = "town_day --residents 3 --steps 40"
LONG = pytest.mark.long
STORIES = (
    TOWN,
    pytest.param("storm_warning --residents 4 --steps 25", marks=LONG),
    pytest.param("valentine_party --steps 20", marks=LONG),
    pytest.param("village_day --residents 6 --steps 60", marks=LONG),
)


@dataclass
class Lived:
    """What of a run is compared; unanswered are the calls that were refused and did not come again, shorter."""

    state_hash: str
    kinds: set[str]
    longest: int
    compressed: int
    unanswered: int


def asked_again(call):
    """Return which call is the next of an agent in its step: one that was refused for its length asks with less."""
    return call["agent"], call["step"], call["attempt"] + 1


@pytest.fixture
def lived(tmp_path, capsys):
    """Return what lives a story with a context, in a window."""

    def live(story, context, window):
        out = tmp_path / context
        options = ["--model", "scripted", "--context", context, "--window", str(window), "--host", "local", "--quiet"]
        assert main(["run", *story.split(), *options, "--out", str(out)]) == 0
        state_hash = capsys.readouterr().out.rpartition("state hash: ")[2].strip()
        with open_run(out) as run:
            calls = list(run.calls())
            rows = [row for session in restore(run.sessions()).values() for row in session]
            taken = [
                call["reply"]["usage"]["prompt_tokens"] + call["request"]["max_tokens"]
                for call in calls
                if call["reply"] is not None
            ]
            kinds = {kind for (kind,) in run.query("SELECT DISTINCT kind FROM events")}
            compressed = sum(row.kind == "compress" for row in rows)
            answered = {(call["agent"], call["step"], call["attempt"]) for call in calls if call["reply"] is not None}
            lost = [call for call in calls if call["reply"] is None and asked_again(call) not in answered]
            return Lived(state_hash, kinds, max(taken), compressed, len(lost))

    return live


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("story", STORIES)
def test_a_window_a_summary_and_a_log_lead_to_the_same_lives_as_this_step_alone(story, lived):
    step = lived(story, "step", WINDOW)
    for context in ("window", "summary", "state"):
        other = lived(story, context, WINDOW)
        assert other.state_hash == step.state_hash, context
        assert other.longest <= WINDOW, context
        assert other.unanswered == 0, context
        assert bool(other.compressed) == (context != "state"), context


@pytest.mark.long
def test_all_of_the_past_leads_to_the_same_lives_until_the_window_is_full(lived):
    whole = lived(TOWN, "full", 100_000)
    assert whole.state_hash == lived(TOWN, "step", WINDOW).state_hash
    assert (whole.longest > WINDOW, whole.compressed, whole.unanswered) == (True, 0, 0)


@LONG
def test_who_noted_that_a_place_opened_lives_as_if_all_of_the_past_were_sent_and_who_did_not_goes_there_less(lived):
    story = "storm_warning --seed 1001 --residents 8 --steps 60"
    state, whole = lived(story, "state", 100_000), lived(story, "full", 100_000)
    assert state.state_hash == whole.state_hash != lived(story, "step", 100_000).state_hash
    assert state.longest < whole.longest / 4


def test_whom_all_of_the_past_is_sent_the_model_refuses_once_it_does_not_fit(lived):
    cut = lived(TOWN, "full", WINDOW)
    assert cut.longest <= WINDOW
    assert cut.unanswered > 0
    assert {"model_failed", "quarantined"} <= cut.kinds
