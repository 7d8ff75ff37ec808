"""A scenario of one's own, from a JSON file: what the owner of a handset wants, and the calls that it takes."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cave_sim.errors import WorldError
from cave_sim.files.given_files import expected_text
from cave_sim.simulations.handset.scenarios import VAGUE, Ask, Category, HandsetScenario, problems

MOST_ASKS = 100


class _Given(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)


class GivenAsk(_Given):
    """One thing that the owner says; ``tool`` and ``arguments`` are the right call, if it takes one."""

    said: str = Field(min_length=1, max_length=2_000)
    tool: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)
    fails: bool = False


class GivenScenario(_Given):
    """A file: ``{"id": "ride", "category": "multi", "asks": [{"said": "…", "tool": "…", "arguments": {…}}]}``."""

    id: str = Field(pattern=r"^[\w-]{1,60}$")
    category: Category
    persona: str = Field("friendly", max_length=500)
    vague: str = Field(VAGUE, min_length=1, max_length=500)
    asks: list[GivenAsk] = Field(min_length=1, max_length=MOST_ASKS)


def read_scenario(path: str, seed: int) -> HandsetScenario:
    """Return the scenario of a file.

    Args:
        path: of the file.
        seed: of the handset, on which each call must end as the file says.

    Raises:
        WorldError: it cannot be read, is no such file, or one of its calls does not end as it says; in one line.
    """
    return checked(parse_scenario(expected_text(path), path), seed, path)


def checked(scenario: HandsetScenario, seed: int, where: str) -> HandsetScenario:
    """Return a scenario; raises WorldError if a call does not end as it says, on the handset of this seed."""
    if wrong := problems(scenario, seed):
        raise WorldError(f"{where}: on the handset of seed {seed}, {wrong[0]}")
    return scenario


def parse_scenario(text: str, where: str) -> HandsetScenario:
    """Return the scenario that a JSON text is; raises WorldError, which says where it stands, if it is none."""
    try:
        as_given = GivenScenario.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise WorldError(f"{where}: {place + ': ' if place else ''}{first['msg']}") from None
    asks = tuple(Ask(each.said, each.tool, tuple(each.arguments.items()), each.fails) for each in as_given.asks)
    return HandsetScenario(as_given.id, as_given.category, as_given.persona, as_given.vague, asks)
