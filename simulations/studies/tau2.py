"""``tau2``: customer service after tau2-bench, from an installed clone of it; nothing of it is here.

The functions of a domain and its live database are injected, each call is noted by a wrapper, and the database must
have the hash at the end that tau2's own actions lead to, as its evaluator compares it. There is no simulated customer:
the agent is told the whole scenario at once, so that these numbers are not those of the benchmark.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from cave_sim import World
from cave_sim.errors import MissingExtra
from cave_sim.experiment.study import Study
from cave_sim.experiment.task import Query, Task, rounds

PACKAGE = "tau2"
INSTALL = "git clone https://github.com/sierra-research/tau2-bench && pip install -e tau2-bench"
ACTION = "ACTION"
"""The basis of reward under which tau2 wants its own calls to have been made, besides the state."""


def is_installed() -> bool:
    """Say whether tau2 can be imported."""
    return find_spec(PACKAGE) is not None


def tasks(_seed: int, domain: str = "retail") -> list[Task]:
    """Return the tasks of a domain; they are the same for every seed. Raises MissingExtra without tau2."""
    if not is_installed():
        raise MissingExtra(f"the tasks of tau2 are those of tau2-bench, which is not installed: {INSTALL}")
    environment = importlib.import_module(f"{PACKAGE}.domains.{domain}.environment")
    models = importlib.import_module(f"{PACKAGE}.domains.{domain}.data_model")
    cases = [Tau2Case(task, environment.get_environment, models) for task in environment.get_tasks()]
    return [Task(f"{domain}_{case.id}", domain, (case.query(),), build=case.build) for case in cases]


class Tau2Case:
    """One task: the live environment, and what was called in it."""

    def __init__(self, task: Any, make: Callable[[], Any], models: Any) -> None:
        self.id = str(task.id)
        self._task = task
        self._make = make
        self._models = models
        self._environment: Any = None
        self._calls: list[tuple[str, dict[str, Any]]] = []

    @property
    def actions(self) -> list[Any]:
        """What tau2 would have the agent do."""
        criteria = self._task.evaluation_criteria
        actions = list((criteria and criteria.actions) or [])
        return [action for action in actions if action.requestor == "assistant"]

    def build(self, world: World) -> None:
        """Make the environment; inject its functions, its database, and the classes of what is in that."""
        self._environment, self._calls = self._new_environment(), []
        for name, function in self._environment.tools.tools.items():
            world.inject(name, _recorder(function, self._calls))
        world.inject("db", self._environment.tools.db, "the live database; change it by the functions alone")
        for name, kind in inspect.getmembers(self._models, inspect.isclass):
            if kind.__module__ == self._models.__name__:
                world.inject(name, kind)

    def query(self) -> Query:
        """Return all that there is to do, with the actions as the script."""
        calls = [(action.name, dict(action.arguments)) for action in self.actions]
        join = ", ".join
        cell = "\n".join(f"{name}({join(f'{key}={value!r}' for key, value in args.items())})" for name, args in calls)
        policy = self._make().policy
        return Query(
            f"{policy}\n\nThe customer:\n{self._task.user_scenario}",
            check=lambda after: self._agrees(),
            cave=cell or "pass",
            wrong="pass",
            calls=rounds(calls) if calls else rounds(),
        )

    def _agrees(self) -> bool:
        gold = self._new_environment()
        for action in self.actions:
            gold.make_tool_call(tool_name=action.name, requestor=action.requestor, **action.arguments)
        same = gold.get_db_hash() == self._environment.get_db_hash()
        required_calls = (
            [(action.name, dict(action.arguments)) for action in self.actions] if self._wants_calls() else []
        )
        return same and all(call in self._calls for call in required_calls)

    def _wants_calls(self) -> bool:
        basis = getattr(self._task.evaluation_criteria, "reward_basis", None) or ()
        return ACTION in [getattr(reward, "value", reward) for reward in basis]

    def _new_environment(self) -> Any:
        """Return the environment as it is when the task begins."""
        environment, initial_state = self._make(), self._task.initial_state
        if initial_state is not None:
            environment.set_state(
                initial_state.initialization_data,
                initial_state.initialization_actions,
                initial_state.message_history or [],
            )
        return environment


def _recorder(function: Callable[..., Any], calls: list[tuple[str, dict[str, Any]]]) -> Callable[..., Any]:
    """Return the function as one that notes its calls."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        calls.append((function.__name__, dict(signature.bind(*args, **kwargs).arguments)))
        return function(*args, **kwargs)

    return call


STUDY = Study(
    "tau2",
    "Customer service after tau2-bench, without its simulated customer",
    "Tasks and environments of tau2-bench (MIT); after CaveAgent §4.1.1.",
    tasks,
    options={"domain": "retail, airline, or another domain of tau2 (retail)"},
)
