"""BFCL with the installed package's own data: the ground truth as cells leads to the ground truth's state."""

import importlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from cave_sim import World
from cave_sim.errors import MissingExtra
from cave_sim.experiment.scripted import Player
from cave_sim.experiment.study import find
from cave_sim.experiment.trial import Trial
from cave_sim.simulations.studies import bfcl
from cave_sim.simulations.studies._bfcl_single import first_possible, is_right, single_turn, spelled

installed = pytest.mark.skipif(not bfcl.is_installed(), reason=f"needs the tasks of bfcl-eval: {bfcl.INSTALL}")


NO_ANSWER_FITS = {"live_simple_112-68-0"}
"""By the checker: a required argument has no possible value."""
NOTHING_TO_CALL = {"live_irrelevance_120-9-0"}


def play(task, paradigm="cave", slips=(), **how):
    return Trial(task, find("bfcl")[1][paradigm], seed=7, llm=Player(task, paradigm, slips=slips), **how).run()


@installed
@pytest.mark.parametrize("split", bfcl.MULTI_TURN)
def test_every_ground_truth_leads_to_its_end_state(split):
    tasks = bfcl.tasks(7, split)
    assert len(tasks) == 200
    assert not [task.name for task in tasks if not all(outcome.ok for outcome in play(task))]


@installed
def test_calling_the_functions_by_json_leads_there_as_well():
    tasks = bfcl.tasks(7, "multi_turn_base")[::10]
    assert not [task.name for task in tasks if not all(outcome.ok for outcome in play(task, "json"))]


@installed
@pytest.mark.parametrize("wrong", ["cd(1, 2, 3)", "cd(where='document')", "mv(source=3, destination=[])"])
def test_a_call_that_raises_counts_as_there_and_those_beside_it_stand(wrong):
    truth = bfcl.tasks(7, "multi_turn_base")[0]
    first, *others = truth.queries
    for cell, ok in (
        (f"print({wrong})\n{first.cave}", True),
        (f"{first.cave}\nprint({wrong})", True),
        (wrong, False),
    ):
        outcomes = play(replace(truth, queries=(replace(first, cave=cell), *others)))
        assert [outcome.ok for outcome in outcomes] == [ok] * len(outcomes)


@installed
@pytest.mark.parametrize("split", ["live_irrelevance", "live_relevance"])
def test_a_call_of_what_there_is_not_is_a_call(split):
    task = bfcl.tasks(7, split)[0]
    calling = replace(task, queries=(replace(task.queries[0], cave="no_such_function(1)"),))
    assert play(calling)[0].ok == (split == "live_relevance")


@installed
@pytest.mark.parametrize("host", [None, "process"])
def test_a_turn_in_which_what_there_is_not_was_called_is_not_empty(host):
    """All that this turn of base_137 asks for was returned before."""
    task = bfcl.tasks(7, "multi_turn_base")[137]
    turn = next(at for at, query in enumerate(task.queries) if kept(task, at, host))
    assert not kept(task, turn, host, "no_such_name")


def kept(task, turn, host, cell="no_such_function()"):
    """Say whether a conversation stays right if one of its turns is this cell and nothing else."""
    queries = [*task.queries[:turn], replace(task.queries[turn], cave=cell), *task.queries[turn + 1 :]]
    return all(outcome.ok for outcome in play(replace(task, queries=tuple(queries)), host=host))


@installed
def test_doing_nothing_is_not_enough():
    for task in bfcl.tasks(7, "multi_turn_base")[::10]:
        outcomes = play(task, slips=range(len(task.queries)))
        assert not [number for number, outcome in enumerate(outcomes) if outcome.ok]


@installed
@pytest.mark.parametrize("split", bfcl.SINGLE_TURN)
def test_the_first_possible_answer_of_a_single_turn_is_right_and_none_is_wrong(split):
    tasks = bfcl.tasks(7, split)[::8]
    assert not [task.name for task in tasks if not play(task)[0].ok and task.name not in NO_ANSWER_FITS]
    assert not [task.name for task in tasks if play(task, slips={0})[0].ok and task.name not in NOTHING_TO_CALL]


CORRUPTIONS = {
    "a call less": lambda calls: calls[:-1],
    "a call twice": lambda calls: [*calls, calls[-1]],
    "an argument more": lambda calls: [(calls[0][0], {**calls[0][1], "why": "because"}), *calls[1:]],
    "another function": lambda calls: [("other", calls[0][1]), *calls[1:]],
    "a whole number as a fraction": lambda calls: changed(calls, int, float),
    "a truth as a number": lambda calls: changed(calls, bool, int),
    "a text in quotes": lambda calls: changed(calls, str, lambda text: f"{{{text}}}"),
    "a list as a tuple": lambda calls: changed(calls, list, tuple),
    "a number as a text": lambda calls: changed(calls, int, str),
    "no call": lambda calls: [],
    "a name misspelt": lambda calls: [(f"{calls[0][0]}_", calls[0][1]), *calls[1:]],
    "an argument misspelt": lambda calls: renamed(calls),
    "a number one more": lambda calls: changed(calls, int, lambda number: number + 1),
    "a text in a list": lambda calls: changed(calls, str, lambda text: [text]),
    "a list without its first": lambda calls: changed(calls, list, lambda items: items[1:] if items else None),
    "nothing for a text": lambda calls: changed(calls, str, lambda text: None),
}


def changed(calls, kind, change):
    """Return the calls with the first argument of a kind changed; None if there is none."""
    for number, (name, arguments) in enumerate(calls):
        for key, value in arguments.items():
            if type(value) is kind:
                return [*calls[:number], (name, {**arguments, key: change(value)}), *calls[number + 1 :]]
    return None


def renamed(calls):
    """Return the calls with the first argument under another name; None if there is none."""
    name, arguments = calls[0]
    return [(name, {f"{key}_": value for key, value in arguments.items()}), *calls[1:]] if arguments else None


def answers(split):
    """Yield each task of a split as the package has it, its truth, and the first possible answer to it."""
    truth = {entry["id"]: entry["ground_truth"] for entry in bfcl._lines(Path("possible_answer"), split)}
    for entry in bfcl._lines(Path(), split):
        possible = truth[entry["id"]]
        yield entry, possible, [(n, first_possible(values, ())) for each in possible for n, values in each.items()]


@installed
@pytest.mark.parametrize("split", ["simple_python", "multiple", "parallel_multiple", "live_simple"])
def test_what_only_looks_like_a_right_answer_is_wrong(split):
    """But texts are compared without case, spaces and some marks, and a whole number may stand for a fraction."""
    passed = []
    for entry, truth, right in list(answers(split))[::5]:
        for name, corrupt in CORRUPTIONS.items():
            if (
                (wrong := corrupt(right)) is not None
                and '"tuple"' not in json.dumps(entry)
                and is_right(entry, truth, split, wrong)
            ):
                passed.append((entry["id"], name))
    assert not passed


@installed
def test_the_checker_keeps_nothing_of_what_it_judged():
    task = bfcl.tasks(7, "multi_turn_base")[0]
    assert all(outcome.ok for outcome in play(task))
    kept = vars(importlib.import_module("bfcl_eval.eval_checker.multi_turn_eval.multi_turn_utils"))
    assert not [name for name in kept if name.startswith("cave")]


def test_parameters_are_told_as_a_cell_can_spell_them():
    told = {"from_": "_from", "to": "to", "class_": "class", "user_id": "user-id"}
    assert spelled(list(told.values())) == told
    assert spelled(["_a", "a"]) == {"a": "a"}


def test_a_function_that_is_called_as_one_of_pythons_gets_a_name_of_its_own():
    about = {"name": "sum", "description": "Add.", "parameters": {"properties": {}}}
    entry = {"id": "one", "question": [[{"role": "user", "content": "Add."}]], "function": [about]}
    single_turn(entry, (), "live_irrelevance").build(world := World())
    assert list(world.tools) == ["sum_"]


def test_without_the_package_the_way_to_it_is_told(monkeypatch):
    monkeypatch.setattr(bfcl, "is_installed", lambda: False)
    with pytest.raises(MissingExtra, match="pip install"):
        bfcl.tasks(7)
