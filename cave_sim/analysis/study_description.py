"""What a study says of itself, as its ``study.json`` has it: read with its types, since anybody may have edited it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError

from cave_sim.errors import JournalError, reason
from cave_sim.files.given_files import given_text

MANIFEST, SCENARIO = "study.json", "scenario"


class _Part(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")


class _Named(_Part):
    name: str


class _Sampling(_Part):
    method: str
    points: int | None = None
    size: int | None = None
    seed: int = 0


class _Scenario(_Part):
    simulation: str | None = None
    options: dict[str, Any] | None = None
    conditions: dict[str, dict[str, Any]] | None = None
    model: str | dict[str, Any] | None = None
    parameters: dict[str, Any] | None = None
    sampling: _Sampling | None = None


class _CameTrue(_Part):
    when: str
    trials: int
    steps: list[int]


class _Description(_Part):
    """The entries that readers of a study look at; all others pass as they are."""

    kind: str | None = None
    name: str | None = None
    question: str | None = None
    command: str | None = None
    code: str | None = None
    scenario: _Scenario | None = None
    conditions: list[str | _Named]
    parameters: list[str | _Named]
    measures: dict[str, dict[str, str]] | None = None
    seeds: list[int] | None = None
    versions: dict[str, str] | None = None
    data: dict[str, str] | None = None
    failed: dict[str, str] | list[str] | None = None
    treated: dict[str, dict[str, int]] | None = None
    came_true: dict[str, list[_CameTrue]] | None = None
    prefix: dict[str, int] | None = None
    own_code: dict[str, str] | None = None
    changed_code: list[str] | None = None


def read_description(folder: str | Path) -> dict[str, Any]:
    """Return what a study of a scenario says of itself.

    Raises:
        JournalError: there is no such study, or an entry is of a wrong type; with the entry.
    """
    path = Path(folder) / MANIFEST
    try:
        about = json.loads(given_text(path))
        if isinstance(about, dict) and ("conditions" not in about or about.get("kind", SCENARIO) != SCENARIO):
            raise JournalError(f"{folder} holds no trials of a study of a scenario")
        _Description.model_validate(about)
    except OSError as error:
        raise JournalError(f"{folder} holds no trials of a study: {path.name}: {reason(error)}") from None
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in problem["loc"] if part not in ("str", "list[str]", "_Named"))
        raise JournalError(f"{path}: {place or 'all of it'}: {problem['msg']}; it was edited, or is no study") from None
    except (ValueError, TypeError, RecursionError) as error:
        raise JournalError(f"{path} cannot be read: {error}") from None
    return dict(about)
