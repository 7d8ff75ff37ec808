"""The adapter of tau2: gold actions get tau2's reward, silence does not; where it is not installed, the way to it."""

import importlib
import os
import sys

import pytest

from cave_sim.errors import MissingExtra, WorldError
from cave_sim.experiment.scripted import Player
from cave_sim.experiment.study import find
from cave_sim.experiment.trial import Trial
from cave_sim.hosts.process.warm_interpreter import PASSED_ON
from cave_sim.simulations.studies import tau2

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # tau2 imports it, and it would ask the network
installed = pytest.mark.skipif(bool(tau2.why_not()), reason=f"needs tau2-bench: {tau2.INSTALL}")
SETS = [("mock", ""), ("retail", ""), ("airline", ""), ("telecom", "telecom_small"), ("banking_knowledge", "")]

NOT_BY_ITS_ACTIONS = {"mock_update_task_with_history_and_env_assertions", "mock_update_task_with_user_tools"}
"""Tasks whose own actions do not lead where their assertions want the environment; tau2 gives them 0."""


READS = ("get_", "find_", "list_", "calculate", "transfer_to_human")


def writes(task):
    """Return what tau2's own actions for a task change: where they only look, silence is right to its evaluator."""
    calls = [name for each in task.queries[0].exchanges for name, _ in each.calls]
    return [name for name in calls if not name.startswith(READS)]


def tasks_of(domain, tasks):
    try:
        return tau2.tasks(7, domain, tasks)
    except WorldError as error:
        pytest.skip(f"its data are not here: {error}")


def play(task, paradigm="cave", slips=()):
    return Trial(task, find("tau2")[1][paradigm], seed=7, llm=Player(task, paradigm, slips=slips)).run()[0]


@pytest.mark.skipif(not tau2.why_not(), reason="the real one is installed")
@pytest.mark.parametrize(
    ("its_own", "told"),
    [
        (None, "is not installed: git clone"),
        ("", "is not installed: git clone"),  # another package of its name
        ("import no_such_library", "lacks what it needs: No module named 'no_such_library'"),
    ],
)
def test_without_tau2_or_what_it_needs_the_way_to_it_is_told(tmp_path, monkeypatch, its_own, told):
    if its_own is not None:
        (tmp_path / "tau2").mkdir()
        (tmp_path / "tau2" / "__init__.py").write_text(its_own)
        monkeypatch.syspath_prepend(tmp_path)
        importlib.invalidate_caches()
    with pytest.raises(MissingExtra, match=told):
        tau2.tasks(7)
    sys.modules.pop("tau2", None)


def test_where_it_looks_for_its_data_is_passed_on_to_jailed_trials():
    assert "TAU2_DATA_DIR" in PASSED_ON


@installed
def test_where_there_is_nothing_to_search_no_way_of_searching_is_taken():
    with pytest.raises(WorldError, match="no documents to search"):
        tau2.tasks(7, "mock", retrieval="bm25")


@installed
@pytest.mark.parametrize(("domain", "tasks"), SETS)
def test_its_own_actions_get_its_reward(domain, tasks):
    every = 1 if domain == "mock" else 10
    failed = {task.name for task in tasks_of(domain, tasks)[::every] if not play(task).ok}
    assert failed <= NOT_BY_ITS_ACTIONS


@installed
@pytest.mark.parametrize(("domain", "tasks"), SETS)
def test_who_does_nothing_gets_none_where_something_was_to_be_done(domain, tasks):
    every = 1 if domain == "mock" else 10
    idle = [task for task in tasks_of(domain, tasks)[::every] if play(task, slips={0}).ok]
    assert not [task.name for task in idle if writes(task)]
