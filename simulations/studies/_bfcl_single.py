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
Noted = list[tuple[str, dict[str, Any]]]
Allowed = Mapping[str, Sequence[Any]]
_UNHEARD = re.compile(r"[ ,./\-_*^'\"]")


def single_turn(entry: Mapping[str, Any], truth: Sequence[Mapping[str, Allowed]], split: str) -> Task:
    """Return a task of one query: call the right functions with arguments that are possible, in any order."""
    noted: Noted = []
    wanted = [(_plain_name(name), allowed) for each in truth for name, allowed in each.items()]
    right = [(name, _first_possible(allowed)) for name, allowed in wanted]

    def build(world: World) -> None:
        noted.clear()
        for function in entry["function"]:
            name = _plain_name(function["name"])
            answered = {each for called, allowed in wanted if called == name for each in allowed}
            world.inject(name, _noting(name, function, noted, answered), function["description"])

    query = Query(
        "\n".join(message["content"] for turn in entry["question"] for message in turn),
        check=lambda after: matches(noted, wanted),
        cave="\n".join(_as_code(name, arguments) for name, arguments in right),
        wrong="pass",
        calls=rounds(right),
    )
    return Task(entry["id"], split, (query,), build=build)


def matches(noted: Noted, wanted: Sequence[tuple[str, Allowed]]) -> bool:
    """Say whether the calls that were made are those that were wanted, each once."""
    left = list(noted)
    for name, allowed in wanted:
        fit = next((call for call in left if call[0] == name and _fits(call[1], allowed)), None)
        if fit is None:
            return False
        left.remove(fit)
    return not left


def _fits(arguments: Mapping[str, Any], allowed: Allowed) -> bool:
    """Say whether arguments are possible: known, each with a value that may be, and none missing that must be there."""
    if arguments.keys() - allowed.keys():
        return False
    return all(
        any(_same(arguments[name], each) for each in values) if name in arguments else "" in values
        for name, values in allowed.items()
    )


def _same(found: Any, possible: Any) -> bool:
    """Compare as the leaderboard does: texts without case, spaces and punctuation; parts of dictionaries by choice."""
    if isinstance(found, str) and isinstance(possible, str):
        return _heard(found) == _heard(possible)
    if isinstance(found, bool) or isinstance(possible, bool):
        return found is possible
    if isinstance(found, dict) and isinstance(possible, dict):
        return _fits(found, {key: value if isinstance(value, list) else [value] for key, value in possible.items()})
    if isinstance(found, list | tuple) and isinstance(possible, list | tuple):
        return len(found) == len(possible) and all(map(_same, found, possible))
    return bool(found == possible)


def _heard(text: str) -> str:
    return _UNHEARD.sub("", text).lower()


def _first_possible(allowed: Allowed) -> dict[str, Any]:
    return {name: _chosen(values[0]) for name, values in allowed.items() if values[0] != ""}


def _chosen(value: Any) -> Any:
    """Return a possible value; within dictionaries each key has a list of them."""
    if isinstance(value, dict):
        chosen = {key: each[0] if isinstance(each, list) else each for key, each in value.items()}
        return {key: _chosen(each) for key, each in chosen.items() if each != ""}
    return [_chosen(each) for each in value] if isinstance(value, list) else value


def _as_code(name: str, arguments: Mapping[str, Any]) -> str:
    named = ", ".join(f"{key}={value!r}" for key, value in arguments.items() if _is_name(key))
    others = {key: value for key, value in arguments.items() if not _is_name(key)}
    return f"{name}({named}{', ' * bool(named and others)}{f'**{others!r}' if others else ''})"


def _noting(name: str, described: Mapping[str, Any], noted: Noted, answered: set[str]) -> Callable[..., str]:
    """Return a function with the signature that was described, which notes how it is called.

    It also takes what an answer of the leaderboard leaves away or adds, although the description does not allow it.
    """

    def function(*args: Any, **kwargs: Any) -> str:
        bound = inspect.signature(function).bind_partial(*args, **kwargs).arguments
        noted.append((name, {**{key: value for key, value in bound.items() if key != "more"}, **bound.get("more", {})}))
        return "done"

    properties, required = described["parameters"]["properties"], described["parameters"].get("required", [])
    names = sorted(filter(_is_name, properties), key=lambda each: each not in required)
    parameters = [
        inspect.Parameter(
            each,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if each in required else None,
            annotation=TYPES.get(properties[each].get("type"), Any),
        )
        for each in names
    ]
    if len(names) < len(properties.keys() | answered):
        parameters.append(inspect.Parameter("more", inspect.Parameter.VAR_KEYWORD))
    function.__name__ = name
    function.__doc__ = _document(described["description"], properties)
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {each.name: each.annotation for each in parameters}
    return function


def _document(description: str, properties: Mapping[str, Any]) -> str:
    told = " ".join(f"{name}: {each.get('description', '')}" for name, each in properties.items())
    return f"{description} {told}".replace("\n", " ")


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text) and not text.startswith("_")


def _plain_name(name: str) -> str:
    return re.sub(r"\W", "_", name)
