"""The leaderboard's own checkers, on the calls that were recorded: what they say is what counts.

They import the clients of every provider for the sake of one flag of a model, which is never asked here; a stand-in
takes the place of that table while they are loaded.
"""

from __future__ import annotations

import functools
import importlib
import itertools
import keyword
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

PACKAGE = "bfcl_eval"
MODEL = "cave-sim"
POSITIONAL = "*"
"""The name in a recorded call of what was handed over by place and has no name there."""
RecordedCalls = list[tuple[str, dict[str, Any]]]
_numbers = itertools.count()


def single_turn_is_right(
    entry: Mapping[str, Any], truth: Sequence[Mapping[str, Any]], split: str, calls: RecordedCalls
) -> bool:
    """Say whether calls, as (name, arguments by name), are a possible answer of a task of one turn."""
    verdict = _ast_checker()(
        entry["function"], [{name: arguments} for name, arguments in calls], truth, _python(), split, MODEL
    )
    return bool(verdict["valid"])


def several_turns_are_right(
    entry: Mapping[str, Any], truth: Sequence[Sequence[str]], split: str, turns: Sequence[Sequence[str]]
) -> bool:
    """Say whether the calls of the first turns, as code, lead where the ground truth leads, after each of them."""
    checker = importlib.import_module(f"{PACKAGE}.eval_checker.multi_turn_eval.multi_turn_checker")
    name = f"{MODEL}-{next(_numbers)}"
    try:
        rounds = [[list(calls)] if calls else [] for calls in turns]
        verdict = checker.multi_turn_checker(rounds, list(truth[: len(turns)]), entry, split, name)
    finally:
        _forget(name)
    return bool(verdict["valid"])


def as_code(name: str, arguments: Mapping[str, Any]) -> str:
    """Return a call as code; arguments whose names no code can spell go by a dictionary."""
    placed = [repr(value) for value in arguments.get(POSITIONAL, ())]
    keywords = [f"{key}={value!r}" for key, value in arguments.items() if is_name(key)]
    others = {key: value for key, value in arguments.items() if not is_name(key) and key != POSITIONAL}
    return f"{name}({', '.join([*placed, *keywords, *([f'**{others!r}'] if others else [])])})"


def is_name(text: str) -> bool:
    """Say whether a cell can spell a name."""
    return text.isidentifier() and not keyword.iskeyword(text) and not text.startswith("_")


def _forget(name: str) -> None:
    """Take away the objects that the checker keeps, for ever, in the globals of one of its modules."""
    variables = vars(importlib.import_module(f"{PACKAGE}.eval_checker.multi_turn_eval.multi_turn_utils"))
    prefix = re.sub(r"[-./:]", "_", name) + "_"
    for key in [key for key in variables if key.startswith(prefix)]:
        del variables[key]


@functools.cache
def _ast_checker() -> Callable[..., Mapping[str, Any]]:
    with _no_clients():
        module = importlib.import_module(f"{PACKAGE}.eval_checker.ast_eval.ast_checker")
    module.MODEL_CONFIG_MAPPING = {MODEL: SimpleNamespace(underscore_to_dot=False)}  # type: ignore[attr-defined]
    checker: Callable[..., Mapping[str, Any]] = module.ast_checker
    return checker


def _python() -> Any:
    return importlib.import_module(f"{PACKAGE}.constants.enums").Language.PYTHON


@contextmanager
def _no_clients() -> Iterator[None]:
    name = f"{PACKAGE}.constants.model_config"
    before, stand_in = sys.modules.get(name), ModuleType(name)
    vars(stand_in)["MODEL_CONFIG_MAPPING"] = {}
    sys.modules[name] = stand_in
    try:
        yield
    finally:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
