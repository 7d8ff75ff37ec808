"""``bfcl``: the Berkeley Function Calling Leaderboard, from the installed ``bfcl-eval`` package; nothing of it is here.

Multi-turn tasks: the package's own classes are injected live, and a turn is a query. Single-turn tasks: functions that
only note how they were called. The calls that were made are judged by the leaderboard's own checkers; a turn is right
if they find nothing wrong up to it.

Not here: ``simple_java`` and ``simple_javascript`` (their values are written in these languages),
``multi_turn_miss_func`` (functions appear in the middle of a task), ``memory`` and ``web_search`` (a store, and the
network, of their own), ``format_sensitivity`` (about the format of replies, and not scored).
"""

from __future__ import annotations

import ast
import copy
import functools
import importlib
import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cave_sim import World, WorldError
from cave_sim.errors import MissingExtra
from cave_sim.experiment.study import Study
from cave_sim.experiment.task import Call, Query, Task, rounds
from cave_sim.simulations.studies._bfcl_judge import PACKAGE, several_turns_are_right
from cave_sim.simulations.studies._bfcl_single import IRRELEVANCE, RELEVANCE, single_turn

VERSION = 4
INSTALL = "pip install --no-deps bfcl-eval mpmath"
MULTI_TURN = ("multi_turn_base", "multi_turn_long_context", "multi_turn_miss_param")
SINGLE_TURN = (
    "simple_python", "multiple", "parallel", "parallel_multiple",
    "live_simple", "live_multiple", "live_parallel", "live_parallel_multiple", *IRRELEVANCE, *RELEVANCE,
)  # fmt: skip


def is_installed() -> bool:
    """Say whether the package is there, and what its classes need."""
    return find_spec(PACKAGE) is not None and find_spec("mpmath") is not None


def tasks(_seed: int, split: str = MULTI_TURN[0]) -> list[Task]:
    """Return the tasks of one split or, with commas, of several; they are the same for every seed.

    Raises:
        MissingExtra: the package is not installed.
        WorldError: there is no such split.
    """
    if not is_installed():
        raise MissingExtra(f"the tasks of bfcl are those of the package bfcl-eval, which is not installed: {INSTALL}")
    task_list: list[Task] = []
    for name in split.split(","):
        if name not in (*MULTI_TURN, *SINGLE_TURN):
            raise WorldError(f"bfcl has no split {name!r} here; there are: {', '.join((*MULTI_TURN, *SINGLE_TURN))}")
        has_truth = name not in (*IRRELEVANCE, *RELEVANCE)
        answers = _lines(Path("possible_answer"), name) if has_truth else []
        truth = {entry["id"]: entry["ground_truth"] for entry in answers}
        make = single_turn if name in SINGLE_TURN else multi_turn
        task_list += [make(entry, truth.get(entry["id"], ()), name) for entry in _lines(Path(), name)]
    return task_list


def multi_turn(entry: Mapping[str, Any], truth: Sequence[Sequence[str]], split: str) -> Task:
    """Return a task of several turns."""
    case = BfclCase(entry, split)
    queries = tuple(case.query(number, _text_of(turn), truth) for number, turn in enumerate(entry["question"]))
    return Task(entry["id"], split, queries, build=case.build)


class BfclCase:
    """The live objects of one task, and the calls that were made of them, turn by turn."""

    def __init__(self, entry: Mapping[str, Any], split: str) -> None:
        self._entry, self._split = entry, split
        self._turns: list[list[str]] = [[]]
        self._owners: dict[str, str] = {}
        for name in entry["involved_classes"]:
            methods = inspect.getmembers(_class(name), inspect.isfunction)
            self._owners |= {method: _snake(name) for method, _ in methods if not method.startswith("_")}

    def build(self, world: World) -> None:
        """Make the objects, and inject them."""
        self._turns = [[]]
        for name in self._entry["involved_classes"]:
            world.inject(_snake(name), self._new_instance(name), f"an API: {name}")

    def query(self, number: int, text: str, truth: Sequence[Sequence[str]]) -> Query:
        """Return a turn, by its number; its cell is the calls of the ground truth."""
        cell = "\n".join(self._cell_call(call) for call in truth[number]) or "pass"
        return Query(
            text,
            check=lambda after: self._is_right(truth),
            cave=cell,
            wrong="pass",
            calls=rounds([self._as_call(call) for call in truth[number]]) if truth[number] else rounds(),
        )

    def _is_right(self, truth: Sequence[Sequence[str]]) -> bool:
        """Say whether all turns until now are right, and begin another one."""
        verdict = several_turns_are_right(self._entry, truth, self._split, self._turns)
        self._turns.append([])
        return verdict

    def _cell_call(self, call: str) -> str:
        return f"{self._owners[_name(call)]}.{call}"

    def _as_call(self, call: str) -> Call:
        owner = self._owners[_name(call)]
        args, kwargs = _arguments(call)
        cls = _class(next(name for name in self._entry["involved_classes"] if _snake(name) == owner))
        names = list(inspect.signature(getattr(cls, _name(call))).parameters)[1:]
        return f"{owner}_{_name(call)}", {**dict(zip(names, args, strict=False)), **kwargs}

    def _new_instance(self, name: str) -> Any:
        instance = _recording_class(_class(name), lambda call: self._turns[-1].append(call))()
        if load := getattr(instance, "_load_scenario", None):
            config = copy.deepcopy(self._entry["initial_config"].get(name, {}))
            load(config, long_context="long_context" in self._entry["id"])
        return instance


def _recording_class(cls: type, note: Callable[[str], None]) -> type:
    """Return the class with methods that note how they are called from outside, but not by each other."""
    inside = False

    def recorder(method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            nonlocal inside
            if inside:
                return method(self, *args, **kwargs)
            given = [*map(repr, args), *(f"{key}={value!r}" for key, value in kwargs.items())]
            note(f"{method.__name__}({', '.join(given)})")
            inside = True
            try:
                return copy.deepcopy(method(self, *args, **kwargs))  # some return what they go on to change
            finally:
                inside = False

        return call

    methods = {
        name: recorder(function) for name, function in inspect.getmembers(cls, inspect.isfunction) if name[0] != "_"
    }
    return type(cls.__name__, (cls,), {**methods, "__doc__": cls.__doc__})


def _arguments(call: str) -> tuple[list[Any], dict[str, Any]]:
    expression = ast.parse(call, mode="eval").body
    assert isinstance(expression, ast.Call)
    kwargs = {str(argument.arg): ast.literal_eval(argument.value) for argument in expression.keywords}
    return [ast.literal_eval(argument) for argument in expression.args], kwargs


def _name(call: str) -> str:
    return call.partition("(")[0].strip()


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _text_of(turn: Sequence[Mapping[str, str]]) -> str:
    return "\n".join(message["content"] for message in turn)


@functools.cache
def _class(name: str) -> type:
    config = importlib.import_module(f"{PACKAGE}.constants.executable_backend_config")
    cls: type = getattr(importlib.import_module(config.CLASS_FILE_PATH_MAPPING[name]), name)
    return cls


def _lines(folder: Path, split: str) -> list[dict[str, Any]]:
    spec = find_spec(PACKAGE)
    assert spec is not None
    assert spec.submodule_search_locations
    path = Path(spec.submodule_search_locations[0]) / "data" / folder / f"BFCL_v{VERSION}_{split}.json"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


STUDY = Study(
    "bfcl",
    "The Berkeley Function Calling Leaderboard",
    "Data and classes of the bfcl-eval package (Apache-2.0); after CaveAgent §4.1.2.",
    tasks,
    options={"split": f"one or more of {', '.join((*MULTI_TURN, *SINGLE_TURN))} (multi_turn_base)"},
)
