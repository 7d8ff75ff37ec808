"""Personas: who moves in, as a CSV file with a line for each person, or drawn so that a census's shares hold."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from math import prod
from pathlib import Path
from random import Random
from string import Template
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from cave_sim import WorldError
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.errors import did_you_mean
from cave_sim.loading.extras import extra
from cave_sim.policy.hidden_text import hidden_character
from cave_sim.survey.shares import read_shares, read_table

MOST_COMBINATIONS, SHOWN_CHARS = 1_000_000, 80
MISSED_BY = 0.005
"""A share that the fit misses by more is told, and nobody moves in."""
JOINERS = dict.fromkeys((0x200C, 0x200D))
"""Names of some languages are written with them."""
OLDEST = 120
RANGE = re.compile(r"(\d+)\s*[-–]\s*(\d+)")  # a census prints en dashes


class Persona(BaseModel):
    """What is known of somebody before they move in. What is left empty is drawn as for anybody.

    Attributes:
        name: full name; "" to be drawn.
        age: in years; a range such as `18-29` is drawn from.
        job: as the town's places call it (`barista`, `teacher`), `student`, `retired`, or any other, done in an office.
        traits: a few words.
        biography: a sentence or two.
        wakes_h, sleeps_h: hours of the day; 26 is 2 o'clock the next morning.
        money_eur: what they have to begin with.
        model: the language model that they think with; "" for that of everybody.
        temperature: of its replies; None for that of everybody.
        prompts: the set of texts that it is told; "" for that of everybody.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    name: str = ""
    age: int | None = Field(None, ge=0, le=OLDEST)
    job: str = ""
    traits: tuple[str, ...] = ()
    biography: str = Field("", max_length=2_000)
    wakes_h: float | None = Field(None, ge=0, le=24)
    sleeps_h: float | None = Field(None, ge=0, le=30)
    money_eur: float | None = Field(None, ge=0, le=1e9)
    model: str = ""
    temperature: float | None = Field(None, ge=0, le=5)
    prompts: str = ""

    @field_validator("name")
    @classmethod
    def _can_be_read(cls, name: str) -> str:
        if hidden_character(name.translate(JOINERS)) or "\n" in name or "\t" in name:
            raise ValueError("a name is of characters that are seen, on one line")
        return name

    @field_validator("traits", mode="before")
    @classmethod
    def _split(cls, text: Any) -> Any:
        return tuple(filter(None, (word.strip() for word in text.split(";")))) if isinstance(text, str) else text

    @classmethod
    def of_row(cls, row: Mapping[str, str], rng: Random, biography: str = "") -> Self:
        """Return the persona of a line of a table.

        Args:
            row: its cells by column; empty ones count as not given.
            rng: draws ages from ranges.
            biography: a template whose `$column` are filled in where the line has none of its own.
        """
        filled = {column: text.strip() for column, text in row.items() if text and text.strip()}
        ages = _ages(filled.get("age", ""))
        if ages:  # one that runs backwards is left as it is, and refused as no number
            filled["age"] = str(rng.randint(ages[0], ages[-1]))
        if biography and "biography" not in filled:
            filled["biography"] = Template(biography).safe_substitute(filled)
        return cls.model_validate({column: text for column, text in filled.items() if column in cls.model_fields})


def _ages(text: str) -> range:
    """Return the years that a range such as `18-29` spans; none if it is no range, or runs backwards."""
    match = RANGE.fullmatch(text.strip())
    return range(int(match[1]), int(match[2]) + 1) if match else range(0)


def read_personas(path: str | Path, rng: Random, biography: str = "") -> list[Persona]:
    """Return the personas of a CSV file.

    Args:
        path: a file whose first line names columns; see :class:`Persona`. Others are for the biography's template.
        rng: draws what is a range.
        biography: a template such as `$name is $age and lives alone.`

    Raises:
        WorldError: it cannot be read, or a cell does not fit; the text names line, column and rule.
    """
    columns, rows = read_table(path)
    used = set(re.findall(r"\$\{?(\w+)", biography))
    for column in columns:
        if column not in Persona.model_fields and column not in used:
            hint = did_you_mean(column, Persona.model_fields)
            known = f"There may be {', '.join(Persona.model_fields)}, or name it in the biography"
            raise WorldError(f"{path}: nobody has a {column!r}.{hint} {known}")
    return list(_personas(rows, str(path), rng, biography))


def draw_personas(
    path: str | Path, count: int, rng: Random, *, sample: str | Path | None = None, biography: str = ""
) -> list[Persona]:
    """Return so many personas whose shares are those of a table of marginals.

    The joint shares follow from the sample by iterative proportional fitting (Deming and Stephan 1940; library ipfn);
    without one, the variables are independent. Whole people come from shares by their largest remainders, so that each
    combination is met as closely as so many people can.

    Args:
        path: a CSV file `variable,value,share,source`; variables are columns of personas.
        count: how many.
        rng: draws ages within their ranges, and the order of moving in.
        sample: a CSV file of people with these columns, each worth the same or by a column `weight`.
        biography: a template, see :func:`read_personas`.

    Raises:
        WorldError: a table does not fit; the text names line, column and rule.
        MissingExtra: ipfn is not installed.
    """
    with extra("personas", "drawing people from marginals"):
        from ipfn import ipfn
    marginals = _marginals(Path(path))
    cells = _cells(marginals, Path(sample) if sample is not None else None)
    names = list(marginals)
    joint = cells["weight"].to_numpy(dtype=float, copy=True).reshape([len(shares) for shares in marginals.values()])
    totals = [np.array(list(shares.values())) for shares in marginals.values()]
    for variable, left in zip(names, _margins(joint), strict=True):
        for value, weight in zip(marginals[variable], left, strict=True):
            if not weight > 0:
                raise WorldError(f"{sample}: all there with {variable} {value!r} have something else that {path} lacks")
    if len(names) == 1:
        fitted = totals[0]
    else:
        with redirect_stdout(io.StringIO()):  # it says there how it converged
            fitted = ipfn.ipfn(joint, totals, [[axis] for axis in range(len(names))]).iteration()
    for variable, goal, got in zip(names, totals, _margins(fitted), strict=True):
        if (missed := np.abs(got - goal)).max() > MISSED_BY:
            value, worst = list(marginals[variable])[missed.argmax()], missed.argmax()
            raise WorldError(
                f"{path}: no weights of the people of {sample} give {variable} {value!r} its share, {goal[worst]:.1%}, "
                f"beside the others; it comes to {got[worst]:.1%}: people are lacking there in whom these go together"
            )
    cells["weight"] = fitted.ravel()
    rows = [dict(zip(names, row, strict=True)) for row in _whole(cells, names, count)]
    rng.shuffle(rows)
    return list(_personas(rows, str(path), rng, biography))


def _margins(joint: np.ndarray) -> list[np.ndarray]:
    """Return the sums over all axes but one, for each axis."""
    return [joint.sum(axis=tuple(other for other in range(joint.ndim) if other != axis)) for axis in range(joint.ndim)]


def _personas(rows: Sequence[Mapping[str, str]], where: str, rng: Random, biography: str) -> Iterator[Persona]:
    for number, row in enumerate(rows, start=2):
        try:
            yield Persona.of_row(row, rng, biography)
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            column, value = problem["loc"][0], repr(problem["input"])
            shown = shortened(value, SHOWN_CHARS)
            raise WorldError(f"{where}, line {number}, {column}: {shown}: {problem['msg']}") from None


def _marginals(path: Path) -> dict[str, dict[str, float]]:
    """Return variable -> value -> share."""
    table = read_shares(path, "variable")
    for number, variable in enumerate(table["variable"], start=2):
        if variable not in Persona.model_fields:
            known = ", ".join(Persona.model_fields)
            raise WorldError(f"{path}, line {number}: nobody has a {variable!r}; there is {known}")
    brackets: dict[int, str] = {}
    for number, (variable, value) in enumerate(zip(table["variable"], table["value"], strict=True), start=2):
        for year in _ages(value)[: OLDEST + 1] if variable == "age" else ():
            if (other := brackets.setdefault(year, value)) != value:
                raise WorldError(f"{path}, line {number}, age: {value!r} and {other!r} both hold {year}; part them")
    return {
        str(variable): {value: share for value, share in zip(part["value"], part["share"], strict=True) if share}
        for variable, part in table.groupby("variable", sort=False)
    }


def _cells(marginals: Mapping[str, Mapping[str, float]], sample: Path | None) -> pd.DataFrame:
    """Return every combination of values with its weight in the sample; 1 for each without one."""
    if (many := prod(map(len, marginals.values()))) > MOST_COMBINATIONS:
        raise WorldError(
            f"the marginals have {many:,} combinations; at most {MOST_COMBINATIONS:,} are fitted: use fewer, or coarser"
        )
    combinations = pd.MultiIndex.from_product([list(shares) for shares in marginals.values()], names=list(marginals))
    if sample is None:
        return pd.Series(1.0, combinations, name="weight").reset_index()
    columns, rows = read_table(sample)
    if missing := [name for name in marginals if name not in columns]:
        raise WorldError(f"{sample} lacks the column {missing[0]!r}, of which there are marginals")
    people = pd.DataFrame(rows)
    for value in marginals.get("age", ()):  # a survey has years, where a census has brackets
        people.loc[people["age"].str.strip().isin({str(year) for year in _ages(value)[: OLDEST + 1]}), "age"] = value
    for name, shares in marginals.items():
        there = set(people[name].str.strip())
        for value in (each for each in shares if each not in there):
            hint = did_you_mean(value, there)
            raise WorldError(f"{sample}: nobody there has {name} {value!r}, which has a share.{hint}")
    weights = pd.to_numeric(people["weight"], errors="coerce") if "weight" in columns else pd.Series(1.0, people.index)
    if not (weights > 0).all():
        raise WorldError(f"{sample}, line {int((~(weights > 0)).argmax()) + 2}: weight is no number above 0")
    sums = weights.groupby([people[name].str.strip() for name in marginals]).sum()
    return sums.reindex(combinations, fill_value=0.0).rename("weight").reset_index()


def _whole(cells: pd.DataFrame, names: Sequence[str], count: int) -> Iterator[tuple[str, ...]]:
    """Yield so many combinations, each as often as its share asks for: whole parts first, then largest remainders."""
    total = cells["weight"].sum()
    wanted = cells["weight"] * count / total
    times = wanted.astype(int)
    left = (wanted - times).sort_values(ascending=False, kind="stable").index[: count - int(times.sum())]
    times.loc[left] += 1
    for row, repeats in zip(cells[list(names)].itertuples(index=False, name=None), times, strict=True):
        yield from [row] * repeats
