"""Single-turn tasks of BFCL: functions that exist as descriptions alone, and the calls that would be right."""

from __future__ import annotations

import builtins
import inspect
import keyword
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from cave_sim import World
from cave_sim.experiment.call_log import LoggedObjects, calls_of, note_call, unchecked_annotations
from cave_sim.experiment.task import After, Query, Task, rounds
from cave_sim.experiment.unknown_calls import unknown_calls
from cave_sim.simulations.studies._bfcl_judge import RecordedCalls, as_code, is_name, single_turn_is_right

TYPES: Mapping[str, Any] = {
    "string": str,
    "integer": int,
    "float": float,
    "boolean": bool,
    "array": list,
    "tuple": list,
    "dict": dict,
}
PossibleValues = Mapping[str, Sequence[Any]]
IRRELEVANCE, RELEVANCE = ("irrelevance", "live_irrelevance"), ("live_relevance",)
"""Splits whose tasks none of the functions fits, or any one: no call is right, or any."""


def single_turn(entry: Mapping[str, Any], truth: Sequence[Mapping[str, PossibleValues]], split: str) -> Task:
    """Return a task of one query: call the right functions with arguments that are possible.

    What is right is what the leaderboard's own checker says.

    Args:
        entry: the task, as the package has it.
        truth: its possible answers; empty where there are none, as in splits about relevance.
        split: the name of its category.
    """
    worlds: list[World] = []
    possible_calls = [(name, possible) for each in truth for name, possible in each.items()]
    required = {each["name"]: each["parameters"].get("required", ()) for each in entry["function"]}
    right: list[tuple[str, dict[str, Any]]] = [
        (_plain_name(name), first_possible(possible, required.get(name, ()))) for name, possible in possible_calls
    ]
    if split in RELEVANCE:
        right = [(_plain_name(entry["function"][0]["name"]), {})]
    slip = "pass" if right or not entry["function"] else f"{_plain_name(entry['function'][0]['name'])}()"

    def build(world: World) -> None:
        worlds[:] = [world]
        objects = LoggedObjects(world, lambda: None, lambda *_call: "done")
        for function in entry["function"]:
            named = {each for callee, possible in possible_calls if callee == function["name"] for each in possible}
            world.inject(_plain_name(function["name"]), _recorder(function, objects, named), function["description"])

    query = Query(
        "\n".join(message["content"] for turn in entry["question"] for message in turn),
        check=lambda after: is_right(entry, truth, split, _recorded(worlds[0], after)),
        cave="\n".join(as_code(name, arguments) for name, arguments in right) or "pass",
        wrong=slip,
        calls=rounds(right) if right else rounds(),
        reference=tuple((name, first_possible(possible, required.get(name, ()))) for name, possible in possible_calls),
        most_rounds=1,
    )
    return Task(entry["id"], split, (query,), build=build)


def _recorded(world: World, after: After) -> RecordedCalls:
    """Return the calls that were made; those of what there is not count, as in the leaderboard."""
    for name in unknown_calls(after.rows, world.tools):
        note_call(world, name)
    return [(call.name, dict(call.arguments or {})) for call in calls_of(world)]


def is_right(
    entry: Mapping[str, Any], truth: Sequence[Mapping[str, PossibleValues]], split: str, calls: RecordedCalls
) -> bool:
    """Say whether calls are an answer that the leaderboard takes."""
    if split in IRRELEVANCE or split in RELEVANCE:
        return bool(calls) == (split in RELEVANCE)
    return single_turn_is_right(entry, truth, split, calls)


def first_possible(possible: PossibleValues, required: Sequence[str]) -> dict[str, Any]:
    """Return right arguments: of each the first value that may be, or none if that comes first and it is optional."""
    chosen = {}
    for name, values in possible.items():
        candidates = [value for value in values if value != ""]
        if name in required and values:
            chosen[name] = _first_value(candidates[0] if candidates else values[0])
        elif values and values[0] != "":
            chosen[name] = _first_value(values[0])
    return chosen


def _first_value(value: Any) -> Any:
    """Return a possible value; within dictionaries each key has a list of them."""
    if isinstance(value, dict):
        items = {key: item[0] if isinstance(item, list) else item for key, item in value.items()}
        return {key: _first_value(item) for key, item in items.items() if item != ""}
    return [_first_value(item) for item in value] if isinstance(value, list) else value


def _recorder(description: Mapping[str, Any], objects: LoggedObjects, argument_names: set[str]) -> Callable[..., str]:
    """Return a function with the signature that was described, which notes how it is called.

    It also takes what the description does not allow: arguments of other types, and what an answer leaves away or adds.
    """

    def function(*args: Any, **kwargs: Any) -> str:
        bound = taken.bind_partial(*args, **kwargs).arguments
        named = {described[key]: value for key, value in bound.items() if key != "more"} | bound.get("more", {})
        return str(objects.call("", description["name"], named))

    properties, required = description["parameters"]["properties"], description["parameters"].get("required", [])
    described = spelled(properties)
    names = sorted(described, key=lambda parameter: described[parameter] not in required)
    parameters = [
        inspect.Parameter(
            parameter,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if described[parameter] in required else None,
            annotation=TYPES.get(properties[described[parameter]].get("type"), Any),
        )
        for parameter in names
    ]
    more = inspect.Parameter("more", inspect.Parameter.VAR_KEYWORD)
    taken = inspect.Signature([*parameters, more])
    if len(names) < len(properties.keys() | argument_names):
        parameters.append(more)
    function.__name__ = _plain_name(description["name"])
    function.__doc__ = _document(
        description["description"], {parameter: properties[name] for parameter, name in described.items()}
    )
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {each.name: each.annotation for each in parameters if each.annotation is not each.empty}
    function.__annotations__ = unchecked_annotations(function)
    return function


def spelled(properties: Collection[str]) -> dict[str, str]:
    """Return the parameters as a cell can spell them, and their names: ``_from`` as ``from_``; others go by ``**``."""
    spellings: dict[str, str] = {}
    for name in properties:
        plain = name if is_name(name) else re.sub(r"\W", "_", name).lstrip("_")
        plain = f"{plain}_" if keyword.iskeyword(plain) else plain
        if is_name(plain) and plain not in spellings and (plain == name or plain not in properties):
            spellings[plain] = name
    return spellings


def _document(description: str, properties: Mapping[str, Any]) -> str:
    parameters = " ".join(f"{name}: {schema.get('description', '')}" for name, schema in properties.items())
    return f"{description} {parameters}".replace("\n", " ")


def _plain_name(name: str) -> str:
    """Return a function's name as a cell can spell it, and knows nothing else by: ``math.sin`` as ``math_sin``."""
    plain = re.sub(r"\W", "_", name).lstrip("_")
    return f"{plain}_" if keyword.iskeyword(plain) or hasattr(builtins, plain) else plain
