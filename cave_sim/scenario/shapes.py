"""What a value of a scenario looks like: said in the words of scenario files where one has another shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cave_sim.errors import did_you_mean
from cave_sim.scenario.marks import Place

NAMED = ("measures", "conditions", "parameters", "models")
"""Tables whose keys are names that the scenario gives."""
MOST_SHOWN = 60
CONDITION = "a condition, such as town.treasury_cents < 5"
DIFFERENT = "what is different under it, such as {options: {step_s: 300}}"
INTERVENTION = "a moment and a deed, such as {at: 3, set: {town.title: Hki}}"
NAMES = "a list of names, such as [ann, ben]"
PARAMETER = "a list of values, such as [1, 2], or bounds, such as {low: 0, high: 9}"
SURVEY = 'steps and what is asked, such as {at: [3], questions: ["How are you?"]}'
WORD = "a word of letters, digits, _ and -, which begins with a letter"

SHAPES = {
    "name": WORD,
    "simulation": "an installed simulation by name, a module, or a file that ends in .py",
    "options": "a table of options by name, such as {step_s: 300}",
    "residents": "a whole number, 1 or more",
    "scheduler": "the name of a scheduler",
    "seed": "a whole number, 0 or more",
    "steps": "a whole number, 1 or more",
    "models": 'a table of patterns of names, such as {"mayor*": openai/gpt-4o}',
    "models.*": "a model's name, or what is different for these agents, such as {temperature: 0}",
    "interventions": f"a list, each of {INTERVENTION}",
    "interventions.*": INTERVENTION,
    "at": "a step such as 48, or a world time such as 2012-06-01T18:00",
    "when": CONDITION,
    "repeat": "true or false",
    "agent": "the name of who does it",
    "cell": "Python as a text; one of several lines stands below | ",
    "act": "a method call, such as {entity: mayor, method: note, arguments: {text: Hot.}}",
    "act.entity": "the name of an entity",
    "act.method": "the name of a method",
    "act.arguments": "a table of arguments by name, such as {text: Hot.}",
    "set": "a table of fields and their values, such as {town.title: Hki}",
    "measures": "a table of names and expressions, such as {cents: town.treasury_cents}, or a list of what the"
    " simulation measures",
    "measures.*": "an expression, such as town.treasury_cents, or the name of a measure of the simulation; in quotes"
    " where it begins with a bracket",
    "measures.*.value": "an expression, module:function, or the name of a measure of the simulation",
    "surveys": f"a list, each of {SURVEY}",
    "surveys.*": SURVEY,
    "surveys.*.at": "a list of steps, such as [3, 12]",
    "surveys.*.at.*": "a step, 0 or more",
    "surveys.*.questions": 'a list of questions in quotes, such as ["How are you?"]',
    "surveys.*.questions.*": "a question, which is a text",
    "surveys.*.questionnaire": "a file, or a table with name and items",
    "surveys.*.whom": NAMES,
    "stop": f"{CONDITION}; how many steps a run has is said by steps",
    "conditions.*.stop": CONDITION,
    "conditions": f"a table of names, each with {DIFFERENT}",
    "conditions.*": DIFFERENT,
    "parameters": f"a table of names, each with {PARAMETER}",
    "parameters.*": PARAMETER,
    "low": "a number",
    "high": "a number",
    "usual": "a number",
    "whole": "true or false",
    "sampling.method": "latin_hypercube, sobol, morris or saltelli",
    "sampling": "a table, such as {method: latin_hypercube, points: 30}",
}
"""Keys, with * for what has a name or a number there -> what is written there; the longest fitting end counts."""
KINDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "string": "a text",
    "dict": "a table",
    "mapping": "a table",
    "model": "a table",
    "tuple": "a list",
    "list": "a list",
}
"""What pydantic's problems begin with -> what it wanted."""


def what_is_wrong(problem: Mapping[str, Any], place: Place) -> str:
    """Return what a problem that pydantic found comes to: what is written at its place, and what is there.

    Args:
        problem: of a ValidationError.
        place: where it is, without the names of alternatives.
    """
    kind, limits = problem["type"], problem.get("ctx", {})
    if kind == "missing":
        shape = _shape(place)
        return f"needs {place[-1]!r}{f': {shape}' if shape else ''}"
    if kind == "extra_forbidden":
        return "there is no such key"
    if kind == "union_tag_not_found":
        return f"needs {limits['discriminator']}"
    if kind == "union_tag_invalid":
        there_are = limits["expected_tags"].replace("'", "")
        near = did_you_mean(limits["tag"], there_are.split(", "))
        return f"there is no {limits['discriminator'].strip(chr(39))} {limits['tag']!r}.{near} There are {there_are}"
    if kind == "value_error":
        return str(problem["msg"]).removeprefix("Value error, ")
    if kind == "literal_error":
        near = did_you_mean(
            str(problem["input"]), limits["expected"].replace(" or ", ", ").replace("'", "").split(", ")
        )
        wanted = f"one of {limits['expected'].replace(' or ', ', ')}{near and f'.{near}'}"
    elif kind in LIMITS:
        wanted = LIMITS[kind].format(**limits)
    elif kind == "string_pattern_mismatch":
        wanted = _shape(place) or WORD
    else:
        wanted = _shape(place) or KINDS.get(kind.partition("_")[0]) or str(problem["msg"]).removeprefix("Input ")
    return f"this is {_shown(problem['input'])}, and it takes {wanted}"


LIMITS = {
    "greater_than_equal": "{ge} or more",
    "greater_than": "more than {gt}",
    "less_than_equal": "{le} or less",
    "less_than": "less than {lt}",
    "string_too_long": "{max_length} letters or fewer",
    "string_too_short": "a text that says something",
    "too_short": "one thing or more",
    "finite_number": "a finite number",
}


def _shape(place: Place) -> str:
    """Return what is written at a place of a scenario; empty where that is not said here."""
    if "questionnaire" in place[:-1]:  # whose keys are its own
        return ""
    keys = ["*" if _has_own_name(place, number) else str(part) for number, part in enumerate(place)]
    ends = (".".join(keys[number:]) for number in range(len(keys)))
    return next((SHAPES[end] for end in ends if end in SHAPES), "")


def _has_own_name(place: Place, number: int) -> bool:
    return isinstance(place[number], int) or (number > 0 and place[number - 1] in NAMED)


def _shown(value: Any) -> str:
    if value is None or value is True or value is False:
        return {None: "nothing", True: "true", False: "false"}[value]
    if len(repr(value)) <= MOST_SHOWN:
        return repr(value)
    return "a table" if isinstance(value, Mapping) else "a list" if isinstance(value, list) else "a long text"
