"""Reading a scenario from a file: what is wrong is one line, with file, line, key and what is allowed there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cave_sim.errors import WorldError
from cave_sim.scenario.marks import MarkedText, Place, marked, read_marked
from cave_sim.scenario.schema import Scenario
from cave_sim.scenario.shapes import what_is_wrong


def load_scenario(path: str | Path) -> Scenario:
    """Return the scenario of a ``.yaml`` or ``.toml`` file. Nothing of it is executed, and no simulation is made.

    Raises:
        WorldError: the file cannot be read, or says something that a scenario does not; in one line.
    """
    return load_marked(path)[0]


def load_marked(path: str | Path) -> tuple[Scenario, MarkedText]:
    """Return the scenario of a file, with the text that says where each part of it stands."""
    path = Path(path)
    text = read_marked(path)
    return scenario_of(text, path.parent), text


def parse_scenario(text: str, *, toml: bool = False, name: str = "the scenario") -> Scenario:
    """Return the scenario of a text; raises WorldError as :func:`load_scenario` does.

    Args:
        text: YAML, or TOML.
        toml: whether it is TOML.
        name: of the text, for messages.
    """
    return scenario_of(marked(text, name, toml=toml), Path())


def scenario_of(text: MarkedText, folder: Path) -> Scenario:
    """Return the scenario that a text describes; files that it names are looked for in a folder."""
    try:
        return Scenario.model_validate(_with_files_found(text.data, folder))
    except ValidationError as error:
        raise _located(error, text) from None


def _with_files_found(data: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return data in which the files that a scenario names are found from where it lies."""
    resolved = dict(data)
    if str(resolved.get("simulation", "")).endswith(".py"):
        resolved["simulation"] = str(folder / resolved["simulation"])
    surveys = resolved.get("surveys")
    if isinstance(surveys, list):
        resolved["surveys"] = [_with_file_found(survey, folder) for survey in surveys]
    return resolved


def _with_file_found(survey: Any, folder: Path) -> Any:
    if isinstance(survey, dict) and isinstance(survey.get("questionnaire"), str):
        return {**survey, "questionnaire": str(folder / survey["questionnaire"])}
    return survey


def _located(error: ValidationError, text: MarkedText) -> WorldError:
    place, message = _worst(error)
    if message.startswith("${"):  # whoever finds it sees the texts alone
        where = (each for each in text.lines if message.partition(" ")[0] in str(text.value(each)))
        place = max((each for each in where if each[:1] == place[:1]), key=len, default=place)
    return text.error(place, message)


def _worst(error: ValidationError) -> tuple[Place, str]:
    """Return the first problem: where it is, and what is allowed there. An unknown key comes first."""
    problems = error.errors(include_url=False)
    problem = next((each for each in problems if each["type"] == "unknown_key"), problems[0])
    place: Place = tuple(part for part in problem["loc"] if part not in UNIONS)
    if problem["type"] == "unknown_key":
        key = problem["ctx"]["key"]
        return (*place, str(key)), problem["msg"]
    message = what_is_wrong(problem, place)
    return (place[:-1] if problem["type"] == "missing" else place), message


UNIONS = ("int", "str", "tuple[int, ...]", "mapping[str,any]", "choice", "likert", "number", "text", "Questionnaire")
"""What pydantic calls the alternatives of a value, which are no keys of a file."""
