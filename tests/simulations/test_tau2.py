"""The adapter of tau2: gold actions get tau2's reward, silence does not; where it is not installed, the way to it."""

import importlib
import os
import sys
import types
from dataclasses import replace

import pytest

from cave_sim.errors import MissingExtra, WorldError
from cave_sim.experiment.scripted import Player
from cave_sim.experiment.study import find
from cave_sim.experiment.task import Task
from cave_sim.experiment.trial import Trial
from cave_sim.hosts.process.warm_interpreter import PASSED_ON
from cave_sim.simulations.studies import tau2

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # tau2 imports it, and it would ask the network
installed = pytest.mark.skipif(bool(tau2.why_not()), reason=f"needs tau2-bench: {tau2.INSTALL}")
SETS = [("mock", ""), ("retail", ""), ("airline", ""), ("telecom", "telecom_small"), ("banking_knowledge", "")]

NOT_BY_ITS_ACTIONS = {"mock_update_task_with_history_and_env_assertions", "mock_update_task_with_user_tools"}
"""Tasks whose own actions do not lead where their assertions want the environment; tau2 gives them 0."""


EVERY = int(os.environ.get("TAU2_EVERY", "10"))
"""Of how many tasks one is played."""
READS = ("get_", "find_", "list_", "search_", "calculate", "transfer_to_human")


def writes(task):
    """Return what tau2's own actions for a task change: where they only look, silence is right to its evaluator."""
    calls = [name for each in task.queries[0].exchanges for name, _ in each.calls]
    return [name for name in calls if not name.startswith(READS)]


def tasks_of(domain, tasks):
    try:
        return tau2.tasks(7, domain, tasks)
    except WorldError as error:
        pytest.skip(f"its data are not here: {error}")


def play(task, paradigm="cave", slips=(), **how):
    return Trial(task, find("tau2")[1][paradigm], seed=7, llm=Player(task, paradigm, slips=slips), **how).run()[0]


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


def test_data_that_are_not_there_are_told_without_the_folders_of_this_machine(tmp_path, monkeypatch):
    def loader():
        (tmp_path / "domains" / "airline" / "db.json").read_text()

    its_own = types.SimpleNamespace(get_env_constructor=lambda domain: loader, get_tasks_loader=lambda name: loader)
    monkeypatch.setattr(tau2, "why_not", lambda: "")
    monkeypatch.setitem(sys.modules, "tau2", types.ModuleType("tau2"))
    monkeypatch.setitem(sys.modules, "tau2.registry", types.SimpleNamespace(registry=its_own))
    with pytest.raises(WorldError, match=r"here: its data lack airline/db\.json; TAU2_DATA_DIR names") as refused:
        tau2.tasks(7, "airline")
    assert str(tmp_path) not in str(refused.value)


def test_where_it_looks_for_its_data_is_passed_on_to_jailed_trials():
    assert "TAU2_DATA_DIR" in PASSED_ON


@installed
def test_where_there_is_nothing_to_search_no_way_of_searching_is_taken():
    with pytest.raises(WorldError, match="no documents to search"):
        tau2.tasks(7, "mock", retrieval="bm25")


@installed
def test_its_own_log_is_not_told():
    logger, heard = importlib.import_module("loguru").logger, []
    sink = logger.add(heard.append)
    play(next(iter(tasks_of("mock", ""))))
    logger.remove(sink)
    assert not heard


@installed
@pytest.mark.parametrize(("domain", "tasks"), SETS)
def test_its_own_actions_get_its_reward(domain, tasks):
    every = 1 if domain == "mock" else EVERY
    failed = {task.name for task in tasks_of(domain, tasks)[::every] if not play(task).ok}
    assert failed <= NOT_BY_ITS_ACTIONS


@installed
def test_a_jailed_cell_which_reads_no_files_acts_in_its_environment_all_the_same():
    task = next(task for task in tasks_of("mock", "") if task.name == "mock_create_task_1")
    assert play(task, host="process").ok


@installed
@pytest.mark.parametrize(("domain", "tasks"), SETS)
def test_who_does_nothing_gets_none_where_something_was_to_be_done(domain, tasks):
    every = 1 if domain == "mock" else EVERY
    idle = [task for task in tasks_of(domain, tasks)[::every] if play(task, slips={0}).ok]
    assert not [task.name for task in idle if writes(task)]


RETAIL = "retail"
TOLD = {
    "as it is": lambda wanted: "Done. " + " ".join(wanted),
    "in a sentence each": lambda wanted: " ".join(f"That makes ${each}!" for each in wanted),
    "with commas between thousands": lambda wanted: " and ".join(f"{float(each):,.2f}" for each in wanted),
}
MISTOLD = {
    "nothing of it": lambda wanted: "Done.",
    "all but the last": lambda wanted: " ".join(["Done.", *wanted[:-1]]),
    "a digit other": lambda wanted: " ".join(each[:-1] + str((int(each[-1]) + 1) % 10) for each in wanted),
    "a digit less": lambda wanted: " ".join(each[:-1] for each in wanted),
    "rounded": lambda wanted: " ".join(str(round(float(each))) for each in wanted),
    "a decimal comma": lambda wanted: " ".join(each.replace(".", ",") for each in wanted),
    "spaces between digits": lambda wanted: " ".join(" ".join(each) for each in wanted),
    "a break within": lambda wanted: " ".join(each.replace(".", ".\n") for each in wanted),
    "wide digits": lambda wanted: " ".join(each.translate({48 + n: 0xFF10 + n for n in range(10)}) for each in wanted),
    "backwards": lambda wanted: " ".join(each[::-1] for each in wanted),
    "in cents": lambda wanted: " ".join(str(round(100 * float(each))) for each in wanted),
    "what it is called": lambda wanted: "I told you the sum.",
}


def told(says, heard=lambda wanted: "Please go on.", prints=lambda wanted: ""):
    """Return what comes of two tasks of retail, were what is told to count, when an agent says this of the sums."""
    registry = importlib.import_module("tau2.registry").registry
    wants = [task for task in registry.get_tasks_loader(RETAIL)() if len(task.evaluation_criteria.communicate_info) > 0]
    found = []
    for each in [task for task in wants if "." in task.evaluation_criteria.communicate_info[-1]][:2]:
        criteria = each.evaluation_criteria
        wanted, kinds = criteria.communicate_info, type(criteria.reward_basis[0])
        basis = [kinds("DB"), kinds("COMMUNICATE")]
        counts = each.model_copy(update={"evaluation_criteria": criteria.model_copy(update={"reward_basis": basis})})
        case = tau2.Tau2Case(counts, RETAIL, registry.get_env_constructor(RETAIL), {})
        query = case.query()
        *before, last = query.exchanges
        last = replace(last, says=says(wanted), heard=heard(wanted), cells=(*last.cells, f"print({prints(wanted)!r})"))
        query = replace(query, exchanges=(*before, last))
        found.append(play(Task(f"told_{each.id}", RETAIL, (query,), build=case.build)))
    return found


@installed
@pytest.mark.parametrize("says", TOLD.values(), ids=TOLD)
def test_what_was_to_be_told_and_was_is_right(says):
    assert [outcome.why for outcome in told(says)] == ["", ""]


@installed
@pytest.mark.parametrize("says", MISTOLD.values(), ids=MISTOLD)
def test_what_was_to_be_told_is_wrong_if_it_was_told_otherwise(says):
    assert [outcome.ok for outcome in told(says)] == [False, False]


@installed
def test_what_the_customer_says_or_a_cell_prints_the_agent_has_not_told():
    assert not any(outcome.ok for outcome in told(MISTOLD["nothing of it"], heard=TOLD["as it is"]))
    assert not any(outcome.ok for outcome in told(MISTOLD["nothing of it"], prints=TOLD["as it is"]))
