"""BFCL with the installed package's own data: the ground truth as cells leads to the ground truth's state."""

import pytest

from cave_sim.cli.commands.study import find
from cave_sim.errors import MissingExtra
from cave_sim.experiment.scripted import Player
from cave_sim.experiment.trial import Trial
from cave_sim.simulations.studies import bfcl
from cave_sim.simulations.studies._bfcl_single import matches

installed = pytest.mark.skipif(not bfcl.is_installed(), reason=f"needs the tasks of bfcl-eval: {bfcl.INSTALL}")


def play(task, paradigm="cave", slips=()):
    return Trial(task, find("bfcl")[1][paradigm], seed=7, llm=Player(task, paradigm, slips=slips)).run()


@installed
@pytest.mark.parametrize(("split", "every"), [("multi_turn_base", 1), ("multi_turn_long_context", 5)])
def test_every_ground_truth_leads_to_its_end_state(split, every):
    tasks = bfcl.tasks(7, split)[::every]
    assert len(tasks) == 200 // every
    assert not [task.name for task in tasks if not all(outcome.ok for outcome in play(task))]


@installed
def test_calling_the_functions_by_json_leads_there_as_well():
    tasks = bfcl.tasks(7, "multi_turn_base")[::10]
    assert not [task.name for task in tasks if not all(outcome.ok for outcome in play(task, "json"))]


@installed
def test_doing_nothing_is_not_enough():
    for task in bfcl.tasks(7, "multi_turn_base")[::10]:
        outcomes = play(task, slips=range(len(task.queries)))
        assert not [number for number, outcome in enumerate(outcomes) if outcome.ok]


@installed
@pytest.mark.parametrize("split", bfcl.SINGLE_TURN)
def test_the_first_possible_answer_of_a_single_turn_is_right_and_none_is_wrong(split):
    tasks = bfcl.tasks(7, split)[::8]
    assert not [task.name for task in tasks if not play(task)[0].ok]
    assert not [task.name for task in tasks if play(task, slips={0})[0].ok]


@pytest.mark.parametrize(
    ("made", "right"),
    [
        ([("f", {"x": 1}), ("f", {"x": 2})], True),
        ([("f", {"x": 2}), ("f", {"x": 1, "how": "Fast, please"})], True),
        ([("f", {"x": 1})], False),
        ([("f", {"x": 1}), ("f", {"x": 2}), ("f", {"x": 2})], False),
        ([("f", {"x": 1, "how": "slow"}), ("f", {"x": 2})], False),
        ([("f", {"x": 1, "why": ""}), ("f", {"x": 2})], False),
        ([("g", {"x": 1}), ("f", {"x": 2})], False),
        ([("f", {"x": True}), ("f", {"x": 2})], False),
    ],
)
def test_calls_are_right_in_any_order_with_possible_arguments_and_no_others(made, right):
    wanted = [("f", {"x": [1], "how": ["fast please", ""]}), ("f", {"x": [2], "how": [""]})]
    assert matches(made, wanted) is right


def test_without_the_package_the_way_to_it_is_told(monkeypatch):
    monkeypatch.setattr(bfcl, "is_installed", lambda: False)
    with pytest.raises(MissingExtra, match="pip install"):
        bfcl.tasks(7)
