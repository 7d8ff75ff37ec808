"""A study's report tells what minds answered: shares and means over seeds, and words of their own."""

import pandas as pd
import pytest

from cave_sim.analysis.paper import paper
from cave_sim.analysis.survey_answers import survey_items
from cave_sim.analysis.trials import Trials
from cave_sim.dashboards.paper.page import paper_html
from tests.analysis.studies import write_study


def answers():
    """Two seeds under two conditions, two respondents each: a choice, a number, and words."""
    rows = []
    for condition in ("none", "mild"):
        for seed in (1, 2):
            for number, agent in enumerate(("ann", "ben")):
                key = {"condition": condition, "seed": seed, "survey": "poll", "step": 3, "agent": agent}
                vote = "yes" if condition == "mild" or number else "no"
                rows.append(key | {"item": "vote", "question": "For it?", "value": vote})
                rows.append(key | {"item": "mood", "question": "How well?", "value": str(seed + number)})
                rows.append(
                    key | {"item": "why", "question": "Why?", "value": f"<b>{condition} {seed} {agent}" + "x" * 9}
                )
    rows[0]["value"] = None
    return pd.DataFrame(rows)


def test_shares_and_means_are_of_each_run_first_and_then_over_seeds():
    vote, mood, why = survey_items(answers(), ["none", "mild"])
    assert vote.answers == {"none": (3, 4), "mild": (4, 4)}
    assert vote.rows["yes"]["none"].mean == pytest.approx(0.75)  # of runs 1 and 0.5: one answer could not be read
    assert vote.rows["yes"]["none"].n == 2
    assert vote.rows["no"]["mild"].mean == 0
    assert mood.rows["mean"]["mild"].mean == pytest.approx(2)
    assert vote.gaps["yes"]["mild"].mean == pytest.approx(0.25)  # of pairs: 0 and 0.5
    assert vote.gaps["yes"]["mild"].method == "paired t"
    assert not why.rows or "mean" not in why.rows


def test_the_report_has_them_as_text_and_words_of_ones_own_as_quotations(tmp_path):
    path = write_study(tmp_path / "study", seeds=2, effects=(0.0, 0.0), steps=1)
    many = pd.concat([answers().assign(seed=seed) for seed in range(3)])
    many["value"] = [f"<b>words {number}" if item == "why" else value
                     for number, (item, value) in enumerate(zip(many["item"], many["value"], strict=True))]  # fmt: skip
    many.to_csv(path / "results" / "answers.csv", index=False)
    text = paper_html(paper(Trials.read(path)))
    assert "What minds answered" in text
    assert "mild less none" in text
    assert "0 in each of 3" in text  # moods are alike under both
    assert "none: “&lt;b&gt;words " in text
    assert "<b>" not in text
    assert "Answers that could be read: none: 9 of 12; mild: 12 of 12." in text
