"""``bfcl``: the Berkeley Function Calling Leaderboard, from the installed ``bfcl-eval`` package; nothing of it is here.

Multi-turn tasks: the methods of the package's own live objects are injected as functions, and a turn is a query; in
``multi_turn_miss_func`` some of them are told only from a turn in the middle on. A call that raises returns the
leaderboard's error text, as there, and fails no cell. Single-turn tasks: functions that only note how they were called.
The calls that were made are judged by the leaderboard's own checkers; a turn is right if they find nothing wrong until
then.

Not here: ``simple_java`` and ``simple_javascript`` (their values are written in these languages),
``memory`` and ``web_search`` (a store, and the
network, of their own), ``format_sensitivity`` (about the format of replies, and not scored).
"""

from __future__ import annotations

import ast
import copy
import functools
import importlib
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cave_sim import World, WorldError
from cave_sim.errors import MissingExtra
from cave_sim.experiment.call_log import LoggedObjects, NotPlain, calls_of, log_of, note_call, unchecked_annotations
from cave_sim.experiment.study import Study
from cave_sim.experiment.task import After, Call, Query, Task, rounds
from cave_sim.experiment.unknown_calls import unknown_calls
from cave_sim.simulations.studies._bfcl_judge import PACKAGE, POSITIONAL, as_code, several_turns_are_right
from cave_sim.simulations.studies._bfcl_single import IRRELEVANCE, RELEVANCE, single_turn

VERSION = 4
INSTALL = "pip install --no-deps bfcl-eval mpmath"
MULTI_TURN = ("multi_turn_base", "multi_turn_long_context", "multi_turn_miss_param", "multi_turn_miss_func")
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
    """The live objects of one task; what was called of them is in the log of the world."""

    def __init__(self, entry: Mapping[str, Any], split: str) -> None:
        self._entry, self._split = entry, split
        self._owners: dict[str, str] = {
            method: name
            for name in entry["involved_classes"]
            for method, _ in inspect.getmembers(_class(name), inspect.isfunction)
            if not method.startswith("_")
        }
        self._missed: Mapping[str, Sequence[str]] = entry.get("missed_function", {})
        self._world: World | None = None

    def build(self, world: World) -> None:
        """Make the objects, and inject their methods."""
        self._world, objects = world, LoggedObjects(world, self._new_instances, self._act)
        for method, owner in self._owners.items():
            world.inject(method, self._function(objects, getattr(_class(owner), method)))

    def query(self, number: int, text: str, truth: Sequence[Sequence[str]]) -> Query:
        """Return a turn, by its number; its cell is the calls of the ground truth."""
        calls = [self._as_call(call) for call in truth[number]]
        revealed = tuple(self._missed.get(str(number), ()))
        return Query(
            "\n".join(filter(None, [_additional_functions() if revealed else "", text])),
            check=lambda after: self._is_right(truth, after),
            cave="\n".join(truth[number]) or "pass",
            wrong="pass",
            calls=rounds(calls) if calls else rounds(),
            reveals=revealed,
            reference=tuple(calls),
        )

    def _is_right(self, truth: Sequence[Sequence[str]], after: After) -> bool:
        """Say whether all turns until now are right; a call of what there is not counts, as in the leaderboard."""
        assert self._world is not None
        for name in unknown_calls(after.rows, self._owners):
            note_call(self._world, name)
        turns: list[list[str]] = [[] for _ in range(log_of(self._world).turn + 1)]
        for call in calls_of(self._world):
            turns[call.turn].append(as_code(call.name, call.arguments or {}))
        return several_turns_are_right(self._entry, truth, self._split, turns)

    def _as_call(self, call: str) -> Call:
        args, kwargs = _arguments(call)
        method = getattr(_class(self._owners[_name(call)]), _name(call))
        names = list(inspect.signature(method).parameters)[1:]
        return _name(call), {**dict(zip(names, args, strict=False)), **kwargs}

    def _function(self, objects: LoggedObjects, method: Callable[..., Any]) -> Callable[..., Any]:
        """Return a method of a live object as a function that notes how it is called."""
        signature = inspect.signature(method)
        signature = signature.replace(parameters=list(signature.parameters.values())[1:])
        name = method.__name__

        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                arguments = dict(signature.bind(*args, **kwargs).arguments)
            except TypeError:  # the leaderboard counts it as a call that was made, and went wrong
                arguments = {**({POSITIONAL: list(args)} if args else {}), **kwargs}
            try:
                return objects.call("", name, arguments)
            except NotPlain:
                raise
            except Exception as error:
                return f"Error during execution: {error}"

        functools.update_wrapper(call, method)
        del call.__wrapped__  # type: ignore[attr-defined]  # its signature has self
        call.__annotations__ = unchecked_annotations(method)
        call.__signature__ = signature  # type: ignore[attr-defined]
        return call

    def _act(self, instances: Mapping[str, Any], _caller: str, name: str, arguments: Mapping[str, Any]) -> Any:
        by_name = {key: value for key, value in arguments.items() if key != POSITIONAL}
        return getattr(instances[self._owners[name]], name)(*arguments.get(POSITIONAL, ()), **by_name)

    def _new_instances(self) -> dict[str, Any]:
        return {name: self._new_instance(name) for name in self._entry["involved_classes"]}

    def _new_instance(self, name: str) -> Any:
        instance = _class(name)()
        if load := getattr(instance, "_load_scenario", None):
            config = copy.deepcopy(self._entry["initial_config"].get(name, {}))
            load(config, long_context="long_context" in self._entry["id"])
        return instance


def _additional_functions() -> str:
    """Return what the leaderboard says when functions appear in the middle of a task."""
    prompts = importlib.import_module(f"{PACKAGE}.constants.default_prompts")
    return str(prompts.DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_FC)


def _arguments(call: str) -> tuple[list[Any], dict[str, Any]]:
    expression = ast.parse(call, mode="eval").body
    assert isinstance(expression, ast.Call)
    kwargs = {str(argument.arg): ast.literal_eval(argument.value) for argument in expression.keywords}
    return [ast.literal_eval(argument) for argument in expression.args], kwargs


def _name(call: str) -> str:
    return call.partition("(")[0].strip()


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
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line.strip()]


STUDY = Study(
    "bfcl",
    "The Berkeley Function Calling Leaderboard",
    "Data and classes of the bfcl-eval package (Apache-2.0); after CaveAgent §4.1.2.",
    tasks,
    options={"split": f"one or more of {', '.join((*MULTI_TURN, *SINGLE_TURN))} (multi_turn_base)"},
)
