"""The adapter of tau2, on a package that is shaped like it; the real one where it is installed."""

import importlib
import sys
from dataclasses import replace

import pytest

from cave_sim.errors import MissingExtra
from cave_sim.experiment.scripted import Player
from cave_sim.experiment.study import find
from cave_sim.experiment.trial import Trial
from cave_sim.simulations.studies import tau2

DATA_MODEL = """
class Order:
    def __init__(self, status):
        self.status = status

class Database:
    def __init__(self):
        self.orders = {"W1": Order("pending"), "W2": Order("delivered")}
"""
ENVIRONMENT = """
from types import SimpleNamespace
from tau2.domains.retail.data_model import Database

class Tools:
    def __init__(self):
        self.db = Database()

    @property
    def tools(self):
        return {"cancel": self.cancel, "status": self.status}

    def cancel(self, order_id: str, reason: str) -> str:
        '''Cancel an order that is pending.'''
        assert self.db.orders[order_id].status == "pending"
        self.db.orders[order_id].status = f"cancelled: {reason}"
        return "done"

    def status(self, order_id: str) -> str:
        '''Return the status of an order.'''
        return self.db.orders[order_id].status

class Environment:
    policy = "Be polite."

    def __init__(self):
        self.tools = Tools()

    def make_tool_call(self, tool_name, requestor, **arguments):
        return self.tools.tools[tool_name](**arguments)

    def get_db_hash(self):
        return str({name: order.status for name, order in self.tools.db.orders.items()})

def get_environment():
    return Environment()

def get_tasks():
    calls = [("status", {"order_id": "W1"}), ("cancel", {"order_id": "W1", "reason": "late"})]
    actions = [SimpleNamespace(name=name, arguments=given, requestor="assistant") for name, given in calls]
    criteria = SimpleNamespace(actions=actions, reward_basis=["DB", "ACTION"])
    scenario = "Cancel my order W1 if it is pending: it is late."
    return [SimpleNamespace(id="0", user_scenario=scenario, evaluation_criteria=criteria, initial_state=None)]
"""


@pytest.fixture
def shaped_like_tau2(tmp_path, monkeypatch):
    folder = tmp_path / "tau2" / "domains" / "retail"
    folder.mkdir(parents=True)
    for package in (folder, folder.parent, folder.parent.parent):
        (package / "__init__.py").touch()
    (folder / "data_model.py").write_text(DATA_MODEL)
    (folder / "environment.py").write_text(ENVIRONMENT)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "tau2"]:
        del sys.modules[name]


def play(task, paradigm="cave", slips=()):
    return Trial(task, find("tau2")[1][paradigm], seed=7, llm=Player(task, paradigm, slips=slips)).run()[0]


@pytest.mark.usefixtures("shaped_like_tau2")
@pytest.mark.parametrize("paradigm", ["cave", "json"])
def test_the_actions_of_a_task_lead_to_its_hash_and_doing_nothing_does_not(paradigm):
    (task,) = tau2.tasks(7)
    assert play(task, paradigm).ok
    assert not play(task, paradigm, slips={0}).ok


@pytest.mark.usefixtures("shaped_like_tau2")
@pytest.mark.parametrize(
    ("cell", "right"),
    [
        ("if db.orders['W1'].status == 'pending' and status('W1'):\n    cancel('W1', reason='late')", True),
        ("status(order_id='W1')\ncancel(order_id='W1', reason='dear')", False),
        ("cancel('W1', 'late')", False),  # the state is right, but one of the calls was not made
    ],
)
def test_code_may_look_at_the_database_and_its_calls_are_noted(cell, right):
    (task,) = tau2.tasks(7)
    task = replace(task, queries=(replace(task.queries[0], cave=cell),))
    assert play(task).ok is right


def test_without_tau2_the_way_to_it_is_told(monkeypatch):
    monkeypatch.setattr(tau2, "is_installed", lambda: False)
    with pytest.raises(MissingExtra, match="git clone"):
        tau2.tasks(7)


@pytest.mark.skipif(not tau2.is_installed(), reason=f"needs tau2-bench: {tau2.INSTALL}")
def test_the_actions_of_tau2_lead_to_its_own_hashes():
    failed = [task.name for task in tau2.tasks(7)[:20] if not play(task).ok]
    assert not failed
