"""Single-turn tasks of BFCL: functions that exist as descriptions alone, and the calls that would be right."""

from __future__ import annotations

import inspect
import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cave_sim import World
from cave_sim.experiment.task import Query, Task, rounds

TYPES: Mapping[str, Any] = {
    "string": str,
    "integer": int,
    "float": float,
    "boolean": bool,
    "array": list,
    "tuple": list,
    "dict": dict,
}
RecordedCalls = list[tuple[str, dict[str, Any]]]
PossibleValues = Mapping[str, Sequence[Any]]
_UNHEARD = re.compile(r"[ ,./\-_*^'\"]")


def single_turn(entry: Mapping[str, Any], truth: Sequence[Mapping[str, PossibleValues]], split: str) -> Task:
    """Return a task of one query: call the right functions with arguments that are possible, in any order."""
    calls: RecordedCalls = []
    expected_calls = [(_plain_name(name), possible) for each in truth for name, possible in each.items()]
    right = [(name, _first_possible(possible)) for name, possible in expected_calls]

    def build(world: World) -> None:
        calls.clear()
        for function in entry["function"]:
            name = _plain_name(function["name"])
            argument_names = {each for callee, possible in expected_calls if callee == name for each in possible}
            world.inject(name, _recorder(name, function, calls, argument_names), function["description"])

    query = Query(
        "\n".join(message["content"] for turn in entry["question"] for message in turn),
        check=lambda after: matches(calls, expected_calls),
        cave="\n".join(_as_code(name, arguments) for name, arguments in right),
        wrong="pass",
        calls=rounds(right),
    )
    return Task(entry["id"], split, (query,), build=build)


def matches(calls: RecordedCalls, expected_calls: Sequence[tuple[str, PossibleValues]]) -> bool:
    """Say whether the calls that were made are those that were wanted, each once."""
    remaining = list(calls)
    for name, possible in expected_calls:
        fit = next((call for call in remaining if call[0] == name and _fits(call[1], possible)), None)
        if fit is None:
            return False
        remaining.remove(fit)
    return not remaining


def _fits(arguments: Mapping[str, Any], possible: PossibleValues) -> bool:
    """Say whether arguments are possible: known, each with a value that may be, and none missing that must be there."""
    if arguments.keys() - possible.keys():
        return False
    return all(
        any(_same(arguments[name], value) for value in values) if name in arguments else "" in values
        for name, values in possible.items()
    )


def _same(actual: Any, possible: Any) -> bool:
    """Compare as the leaderboard does: texts without case, spaces and punctuation; parts of dictionaries by choice."""
    if isinstance(actual, str) and isinstance(possible, str):
        return _normalised(actual) == _normalised(possible)
    if isinstance(actual, bool) or isinstance(possible, bool):
        return actual is possible
    if isinstance(actual, dict) and isinstance(possible, dict):
        return _fits(actual, {key: value if isinstance(value, list) else [value] for key, value in possible.items()})
    if isinstance(actual, list | tuple) and isinstance(possible, list | tuple):
        return len(actual) == len(possible) and all(map(_same, actual, possible))
    return bool(actual == possible)


def _normalised(text: str) -> str:
    return _UNHEARD.sub("", text).lower()


def _first_possible(possible: PossibleValues) -> dict[str, Any]:
    return {name: _first_value(values[0]) for name, values in possible.items() if values[0] != ""}


def _first_value(value: Any) -> Any:
    """Return a possible value; within dictionaries each key has a list of them."""
    if isinstance(value, dict):
        items = {key: item[0] if isinstance(item, list) else item for key, item in value.items()}
        return {key: _first_value(item) for key, item in items.items() if item != ""}
    return [_first_value(item) for item in value] if isinstance(value, list) else value


def _as_code(name: str, arguments: Mapping[str, Any]) -> str:
    keywords = ", ".join(f"{key}={value!r}" for key, value in arguments.items() if _is_name(key))
    others = {key: value for key, value in arguments.items() if not _is_name(key)}
    return f"{name}({keywords}{', ' * bool(keywords and others)}{f'**{others!r}' if others else ''})"


def _recorder(
    name: str, description: Mapping[str, Any], calls: RecordedCalls, argument_names: set[str]
) -> Callable[..., str]:
    """Return a function with the signature that was described, which notes how it is called.

    It also takes what an answer of the leaderboard leaves away or adds, although the description does not allow it.
    """

    def function(*args: Any, **kwargs: Any) -> str:
        bound = inspect.signature(function).bind_partial(*args, **kwargs).arguments
        calls.append((name, {**{key: value for key, value in bound.items() if key != "more"}, **bound.get("more", {})}))
        return "done"

    properties, required = description["parameters"]["properties"], description["parameters"].get("required", [])
    names = sorted(filter(_is_name, properties), key=lambda parameter: parameter not in required)
    parameters = [
        inspect.Parameter(
            parameter,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if parameter in required else None,
            annotation=TYPES.get(properties[parameter].get("type"), Any),
        )
        for parameter in names
    ]
    if len(names) < len(properties.keys() | argument_names):
        parameters.append(inspect.Parameter("more", inspect.Parameter.VAR_KEYWORD))
    function.__name__ = name
    function.__doc__ = _document(description["description"], properties)
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return function


def _document(description: str, properties: Mapping[str, Any]) -> str:
    parameters = " ".join(f"{name}: {schema.get('description', '')}" for name, schema in properties.items())
    return f"{description} {parameters}".replace("\n", " ")


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text) and not text.startswith("_")


def _plain_name(name: str) -> str:
    return re.sub(r"\W", "_", name)
