"""Typed items of a questionnaire: how each is asked, and how a reply in free words is read as a value."""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from random import Random
from typing import Annotated, ClassVar, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from cave_sim.survey.replies import number_given, option_named, plain, words

Value = str | int | float
"""What an answer is read as: the option that was chosen, a point of a scale, a number, or the words themselves."""

Given = TypeVar("Given")


class NotAnAnswer(ValueError):
    """A reply that cannot be read as a value of its item; the text says what is asked for."""


class _Item(BaseModel):
    """What items have in common.

    Attributes:
        name: of its column in the table of answers.
        question: what is asked.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    name: str = Field(pattern=r"^[A-Za-z_]\w*$")
    question: str = Field(min_length=1)

    def shuffled(self, rng: Random) -> Self:
        """Return the item as one respondent gets it; items without options to shuffle stay as they are."""
        return self

    @abstractmethod
    def how(self) -> str:
        """Return how it is to be answered, in a sentence for the respondent."""

    @abstractmethod
    def read(self, reply: str) -> Value:
        """Return the value that a reply gives; raises NotAnAnswer if it gives none, or more than one."""


class Choice(_Item):
    """One of several options.

    Attributes:
        options: to choose from, two or more, all different.
        shuffle: whether each respondent gets them in an order of their own, so that the first one has no advantage.
    """

    kind: Literal["choice"] = "choice"
    options: tuple[str, ...] = Field(min_length=2)
    shuffle: bool = True

    @model_validator(mode="after")
    def _expect_different_options(self) -> Self:
        folded = [plain(option) for option in self.options]
        if len(set(folded)) < len(folded) or not all(folded):
            raise ValueError("options must differ from each other and say something")
        return self

    def shuffled(self, rng: Random) -> Self:
        """Return it with its options in another order."""
        return self.model_copy(update={"options": tuple(rng.sample(self.options, len(self.options)))})

    def how(self) -> str:
        """Return how it is to be answered."""
        return f"Answer with one of these, word for word, and nothing else: {' | '.join(self.options)}"

    def read(self, reply: str) -> str:
        """Return the one option that a reply names; where one option is part of another, the longer one counts."""
        named = option_named(plain(reply), {plain(option): option for option in self.options})
        return _given(named, self.how())


class Likert(_Item):
    """A point of a scale, such as agreement from 1 to 5 (Likert 1932).

    Attributes:
        low, high: its ends, whole numbers.
        low_label, high_label: what the ends mean.
    """

    kind: Literal["likert"] = "likert"
    low: int = 1
    high: int = 5
    low_label: str = "strongly disagree"
    high_label: str = "strongly agree"

    @model_validator(mode="after")
    def _expect_a_scale(self) -> Self:
        if self.low >= self.high:
            raise ValueError(f"a scale from {self.low} to {self.high} has no points to choose from")
        return self

    def how(self) -> str:
        """Return how it is to be answered."""
        ends = f"{self.low} ({self.low_label}) to {self.high} ({self.high_label})"
        return f"Answer with one whole number from {ends}, and nothing else."

    def read(self, reply: str) -> int:
        """Return the one point of the scale that a reply names; either end may be named by its label."""
        text = plain(reply)
        for label, point in ((self.low_label, self.low), (self.high_label, self.high)):
            if text == plain(label):
                return point
        text = re.sub(rf"(?<!\d)({self.low}|{self.high}) \(([^)]*)\)", r"\1", text)
        text = re.sub(rf"(\d) ?(?:/|out of|of) ?{self.high}(?!\d)", r"\1", text)
        value = _given(number_given(text), self.how())
        if not self.low <= value <= self.high or value != int(value):
            raise NotAnAnswer(self.how())
        return int(value)


class Number(_Item):
    """A number.

    Attributes:
        minimum, maximum: its bounds, both allowed; None for no bound.
        unit: what it counts, such as `EUR a month`.
        whole: whether it must be a whole one.
    """

    kind: Literal["number"] = "number"
    minimum: float | None = Field(None, allow_inf_nan=False)
    maximum: float | None = Field(None, allow_inf_nan=False)
    unit: str = ""
    whole: bool = False

    @model_validator(mode="after")
    def _expect_room_between_the_bounds(self) -> Self:
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise ValueError(f"no number is at least {self.minimum:g} and at most {self.maximum:g}")
        return self

    def how(self) -> str:
        """Return how it is to be answered."""
        bounds = [f"at least {self.minimum:g}"] if self.minimum is not None else []
        bounds += [f"at most {self.maximum:g}"] if self.maximum is not None else []
        what = "one whole number" if self.whole else "one number"
        unit = f" ({self.unit})" if self.unit else ""
        limits = f", {' and '.join(bounds)}" if bounds else ""
        return f"Answer with {what}{unit}{limits}, and nothing else."

    def read(self, reply: str) -> int | float:
        """Return the one number that a reply names."""
        in_percent = "%" in self.unit or "percent" in self.unit.replace(" ", "").casefold()
        value = _given(number_given(plain(reply), in_percent=in_percent), self.how())
        too_large = not math.isfinite(value)
        too_low = self.minimum is not None and value < self.minimum
        too_high = self.maximum is not None and value > self.maximum
        if too_large or too_low or too_high or (self.whole and value != int(value)):
            raise NotAnAnswer(self.how())
        return int(value) if value == int(value) else value


class FreeText(_Item):
    """An answer in the respondent's own words."""

    kind: Literal["text"] = "text"

    def how(self) -> str:
        """Return how it is to be answered."""
        return "Answer in your own words, in a sentence or two and without code, from what you know and remember."

    def read(self, reply: str) -> str:
        """Return the words of a reply, without blocks of code; raises NotAnAnswer if there are none."""
        return _given(words(reply) or None, self.how())


Item = Annotated[Choice | Likert | Number | FreeText, Field(discriminator="kind")]


def _given(value: Given | None, how: str) -> Given:
    """Return what was found in a reply; raises NotAnAnswer if that is nothing."""
    if value is None:
        raise NotAnAnswer(how)
    return value
