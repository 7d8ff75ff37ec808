"""When the conditions came true for which interventions waited, in words."""

import pytest

from cave_sim.analysis.came_true import came_true


def told(*waited):
    return [each.told for each in came_true({"came_true": {"mild": list(waited)}})]


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([], "came true in 0 of 30 trials"),
        ([7, 7], "came true in 2 of 30 trials, at step 7"),
        ([7, 19], "came true in 2 of 30 trials, first at steps 7 to 19"),
        ([7, 12, 1019], "came true in 3 of 30 trials, first at steps 7 to 1,019 (median 12)"),
    ],
)
def test_it_is_told_in_how_many_trials_and_between_which_steps(steps, words):
    assert told({"when": "ill > 5", "trials": 30, "steps": steps}) == [words]


def test_of_many_conditions_one_line_is_told():
    waited = [{"when": f"ill > {bound}", "trials": 3, "steps": [bound]} for bound in range(6)]
    assert told(*waited) == ["one of 6 conditions came true in 6 of 18 trials, first at steps 0 to 5 (median 2.5)"]
    assert len(told(*waited[:4])) == 4


def test_where_nothing_was_waited_for_nothing_is_told():
    assert not [*came_true({})]
