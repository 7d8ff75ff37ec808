"""No agent of a story is sent 500 tokens or more by the median of its requests, nor is the median agent-step."""

import re
from pathlib import Path

import pytest

from cave_sim import open_run
from cave_sim.history.prompts import prompt_costs
from cave_sim.simulations import (
    interview,
    newsroom,
    pipeline,
    storm_warning,
    town_day,
    town_gazette,
    valentine_party,
    village_day,
    workshop,
)
from tests.bench.story_run import tokens_of

MOST_TOKENS = 500
WHOLE_JOBS = workshop, pipeline
"""Stories whose agents do all of a job, with many requests, within one step."""
LONG = pytest.mark.long


@pytest.mark.long
@pytest.mark.parametrize(
    ("story", "steps", "options"),
    [
        pytest.param(newsroom, newsroom.STEPS, {}, id="newsroom"),
        pytest.param(workshop, workshop.STEPS, {}, id="workshop"),
        pytest.param(pipeline, 1, {}, id="pipeline, by reference"),  # by text it shows what text costs
        pytest.param(town_day, 40, {"residents": 4, "minds": "scripted"}, id="town_day"),
        pytest.param(town_day, town_day.STEPS, {"residents": 8, "minds": "scripted"}, id="a day", marks=LONG),
        pytest.param(storm_warning, storm_warning.STEPS, {}, id="storm_warning", marks=LONG),
        pytest.param(town_gazette, 85, {}, id="town_gazette", marks=LONG),
        pytest.param(interview, interview.STEPS, {}, id="interview", marks=LONG),
        pytest.param(valentine_party, valentine_party.STEPS, {}, id="valentine_party", marks=LONG),
        pytest.param(village_day, village_day.STEPS, {"minds": "scripted"}, id="village_day", marks=LONG),
    ],
)
def test_the_median_request_of_each_agent_stays_below_500_tokens(tmp_path, story, steps, options):
    story.create(seed=7, out=tmp_path / "run", **options).run(until=steps).close()
    with open_run(tmp_path / "run") as run:
        tokens = {costs.agent: costs.tokens for costs in prompt_costs(run)}
        of_a_step = tokens_of(run)["tokens of a step"]
    assert tokens
    assert max(tokens.values()) < MOST_TOKENS, tokens
    assert (of_a_step < MOST_TOKENS) == (story not in WHOLE_JOBS)


def test_somebody_has_been_asked_by_the_end_of_the_first_run_of_the_page(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "compact_context.md").read_text("utf-8")
    residents, steps = map(int, re.search(r"town_day --residents (\d+) --steps (\d+)", page).groups())
    town_day.create(seed=7, out=tmp_path / "run", residents=residents, minds="scripted").run(until=steps).close()
    with open_run(tmp_path / "run") as run:
        assert prompt_costs(run)
