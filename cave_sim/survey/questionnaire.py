"""A questionnaire: items in an order, read from a TOML or JSON file or written in Python, with one schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from cave_sim.determinism.random_streams import RandomStream, seeded_order
from cave_sim.errors import WorldError
from cave_sim.files.given_files import given_text, toml_of, why_unread
from cave_sim.survey.items import FreeText, Item

READERS: dict[str, Callable[[str], Any]] = {".toml": toml_of, ".json": json.loads}


class Questionnaire(BaseModel):
    """What is asked of every respondent.

    Attributes:
        name: under which its answers are kept.
        items: in the order in which they are asked, unless that is random.
        random_order: whether each respondent gets the items in an order of their own.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[A-Za-z_][\w-]*$")
    items: tuple[Item, ...] = Field(min_length=1)
    random_order: bool = True

    @model_validator(mode="after")
    def _expect_different_names(self) -> Self:
        names = [item.name for item in self.items]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"two items are called {twice[0]!r}; give each a name of its own")
        return self

    @classmethod
    def of_questions(cls, name: str, questions: Iterable[str]) -> Questionnaire:
        """Return one of open questions, asked in their order and called ``question_1`` and so on."""
        items = [FreeText(name=f"question_{number}", question=text) for number, text in enumerate(questions, start=1)]
        return cls(name=name, items=tuple(items), random_order=False)

    @classmethod
    def read(cls, path: str | Path) -> Questionnaire:
        """Return the questionnaire of a file.

        Args:
            path: of a `.toml` or `.json` file; its name is that of the questionnaire unless the file gives one.

        Raises:
            WorldError: it cannot be read, or says something else; the text names the file, the item and the rule.
        """
        path = Path(path)
        reader = READERS.get(path.suffix.lower())
        if reader is None:
            raise WorldError(f"{path}: a questionnaire is a file that ends in {' or '.join(READERS)}")
        try:
            data = reader(given_text(path))
        except (OSError, ValueError, RecursionError) as error:
            reason = why_unread(error) if isinstance(error, OSError) else _first_line(error)
            raise WorldError(f"{path} cannot be read as a questionnaire: {reason}") from None
        if not isinstance(data, dict):
            raise WorldError(f"{path} is no questionnaire: it holds no table with `items`")
        try:
            return cls.model_validate({"name": path.stem, **data})
        except ValidationError as error:
            raise WorldError(f"{path}: {_first_problem(error, data)}") from None

    def for_respondent(self, *key: object) -> list[Item]:
        """Return the items as one respondent gets them; orders follow from the key alone."""
        by_name = {item.name: item for item in self.items}
        names = seeded_order(by_name, "items", *key) if self.random_order else list(by_name)
        return [by_name[name].shuffled(RandomStream("options", name, *key)) for name in names]


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _first_problem(error: ValidationError, data: dict[str, Any]) -> str:
    """Return the first thing that is wrong, with the place where it is, as one line."""
    problem = error.errors(include_url=False)[0]
    where = [str(part) for part in problem["loc"] if part not in ("choice", "likert", "number", "text")]
    if where[:1] == ["items"] and len(where) > 1:
        number = int(where[1])
        entries = data.get("items")
        entry = entries[number] if isinstance(entries, list) and number < len(entries) else None
        name = entry.get("name") if isinstance(entry, dict) else None
        where[:2] = [f"item {number + 1}" + (f" ({name})" if isinstance(name, str) else "")]
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return f"{', '.join(where) or 'the questionnaire'}: {problem['msg'].removeprefix('Value error, ')}{more}"
