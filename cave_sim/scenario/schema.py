"""The schema of a scenario: one frozen, typed description, whether it is written in Python, YAML or TOML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from cave_sim.diagnostics.number_checks import is_count
from cave_sim.errors import WorldError, did_you_mean
from cave_sim.scenario.parameters import Parameter, SampleDesign
from cave_sim.scenario.parts import (
    MOST_LETTERS,
    ConditionText,
    Measure,
    ModelDifference,
    PlannedAct,
    ScenarioCondition,
    SettingsPart,
    Survey,
    TrialOutcome,
    Whole,
)
from cave_sim.scenario.placeholders import names_in

MOST_STEPS = 1_000_000_000
NAME = r"^[A-Za-z_][\w-]*$"
MOST_SEEDS, LARGEST_SEED = 1_000_000, 2**63 - 1
TAKEN = ("condition", "seed", "step", "steps")
"""Columns that every table of results has."""


class Scenario(SettingsPart):
    """A question that a simulation can answer: what is run, what is done to it, what is measured, and what is compared.

    Attributes:
        name: of the scenario, and of its study's folder.
        question: what is to be found out, in a sentence.
        simulation: an installed one by name, a module, or a file.
        options: of the simulation.
        residents, scheduler: as of ``cave-sim run``.
        seed: the first seed.
        seeds: how many there are, one after another; or each of them.
        steps: how many; the simulation's own unless given.
        model: the language model, by name or as a table; ``models`` says what is different for whom.
        models: pattern of names -> what is different for these agents.
        interventions: what is done under every condition.
        measures: name -> what is measured after each step, besides what the simulation measures itself. In a study's
            tables only these and outcomes, if there are any of either.
        outcomes: name -> what is read from the run's journal once it has ended: who met whom, how far word went.
        surveys: what minds are asked.
        stop: a condition: a run ends after the step in which it holds.
        conditions: name -> what is different; the first one is the reference. One that is as the scenario says, unless
            given.
        parameters: name -> what is varied.
        sampling: how bounds are sampled.
    """

    name: str = Field(pattern=NAME, max_length=MOST_LETTERS)
    question: str = ""
    simulation: str = Field(min_length=1)
    options: Mapping[str, Any] = Field(default_factory=dict)
    residents: Whole | None = Field(None, ge=1)
    scheduler: str | None = None
    seed: Whole = Field(7, ge=0, le=LARGEST_SEED - MOST_SEEDS)
    seeds: int | tuple[int, ...] = 1
    steps: Whole | None = Field(None, ge=1, le=MOST_STEPS)
    model: str | Mapping[str, Any] | None = None
    models: Mapping[str, ModelDifference] = Field(default_factory=dict)
    interventions: tuple[PlannedAct, ...] = ()
    measures: Mapping[str, Measure] = Field(default_factory=dict)
    outcomes: Mapping[str, TrialOutcome] = Field(default_factory=dict)
    surveys: tuple[Survey, ...] = ()
    stop: ConditionText | None = None
    conditions: Mapping[str, ScenarioCondition] = Field(
        default_factory=lambda: {"baseline": ScenarioCondition.model_validate({})}
    )
    parameters: Mapping[str, Parameter] = Field(default_factory=dict)
    sampling: SampleDesign | None = None

    @field_validator("measures", "outcomes", mode="before")
    @classmethod
    def _expand_measures(cls, value: Any, info: ValidationInfo) -> Any:
        if info.field_name == "measures" and isinstance(value, list | tuple) and all(isinstance(n, str) for n in value):
            value = {name: name for name in value}  # of the simulation's own
        if not isinstance(value, Mapping):
            return value
        if taken := sorted({*value} & {*TAKEN}):
            raise ValueError(f"{taken[0]!r} is a column of every table; call the measure something else")
        for name in value:
            if not str(name).strip() or not str(name).isprintable():
                raise ValueError(f"{name!r}: the name of a measure is a word, which heads a column")
        return {name: {"value": each} if isinstance(each, str) else each for name, each in value.items()}

    @field_validator("parameters", mode="before")
    @classmethod
    def _expand_parameters(cls, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        if taken := sorted({*value} & {*TAKEN}):
            raise ValueError(f"{taken[0]!r} is a column of every table; call the parameter something else")
        return {name: {"values": each} if isinstance(each, list | tuple) else each for name, each in value.items()}

    @field_validator("conditions", mode="before")
    @classmethod
    def _expand_conditions(cls, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        if not value:
            raise ValueError("there is no condition here; leave conditions away to have one")
        for name in value:
            if not str(name).replace("-", "_").isidentifier():
                raise ValueError(f"{name!r}: the name of a condition is a word of letters, digits, _ and -")
            if len(str(name)) > MOST_LETTERS:
                raise ValueError(f"the name of a condition, and of its folder, has at most {MOST_LETTERS} letters")
        return {name: {} if each is None else each for name, each in value.items()}

    @field_validator("seeds", mode="before")
    @classmethod
    def _expect_seeds(cls, value: Any) -> Any:
        given = value if isinstance(value, list | tuple) else [value]
        if not given or not all(isinstance(each, int) and not isinstance(each, bool) and each >= 0 for each in given):
            raise ValueError("seeds is how many there are, 1 or more, or a list of whole numbers")
        if isinstance(value, int) and value < 1:
            raise ValueError("seeds is how many there are, 1 or more, or a list of whole numbers")
        if len(set(given)) < len(given):
            raise ValueError("a seed is here twice; the same seed gives the same run")
        if max(given) > (MOST_SEEDS if isinstance(value, int) else LARGEST_SEED):
            raise ValueError(f"there are at most {MOST_SEEDS:,} seeds, each of 63 bits")
        return value if isinstance(value, int) else tuple(value)

    @model_validator(mode="after")
    def _expect_that_parts_fit(self) -> Self:
        sampled = [name for name, parameter in self.parameters.items() if not parameter.values]
        unsaid = [name for name in sampled if self.parameters[name].usual is None]
        if unsaid and self.sampling is None:
            raise PydanticCustomError(
                "unknown_key",
                "{told}",
                {
                    "told": "low and high are sampled: say how, by sampling with method and points; or what is usual",
                    "key": "parameters",
                },
            )
        if self.sampling is not None and not sampled:
            message = "there is nothing to sample: give a parameter low and high"
            raise PydanticCustomError("unknown_key", "{told}", {"told": message, "key": "sampling"})
        columns: list[tuple[str, str, Mapping[str, object]]] = [
            ("measures", "a measure", self.measures),
            ("outcomes", "an outcome", self.outcomes),
            ("parameters", "a parameter", self.parameters),
        ]
        for (key, _, names), (_, other, others) in combinations(columns, 2):
            if both := sorted({*names} & {*others}):
                message = f"there is {other} {both[0]!r}, too, and tables have one column of a name"
                raise PydanticCustomError("unknown_key", "{told}", {"told": message, "key": key})
        if fixed := next(self._fixed_parameters(), None):
            message = (
                f"{fixed[0]} gives {fixed[1]!r}, which is a parameter, too: its values would do nothing under this"
                f" condition. Leave one of them away, or write ${{{fixed[1]}}} in the condition"
            )
            raise PydanticCustomError("unknown_key", "{told}", {"told": message, "key": "conditions"})
        asked = [(step, survey.asked.name) for survey in self.surveys for step in survey.at]
        if twice := next((each for each in asked if asked.count(each) > 1), None):
            message = f"two surveys at step {twice[0]} are called {twice[1]!r}, and one would be lost; ask all in one"
            raise PydanticCustomError("unknown_key", "{told}", {"told": message, "key": "surveys"})
        known = {*self.parameters}
        for place, text in self.texts():
            for name in names_in(text):
                if name not in known:
                    hint = did_you_mean(name, known)
                    message = f"${{{name}}} stands for a parameter, and there is none of that name.{hint}"
                    raise PydanticCustomError("unknown_key", "{told}", {"told": message, "key": place})
        return self

    def _fixed_parameters(self) -> Iterator[tuple[str, str]]:
        """Yield conditions with the names of parameters that they give a value of their own."""
        for name, condition in self.conditions.items():
            given = {**condition.options, "residents": condition.residents, "scheduler": condition.scheduler}
            for parameter in self.parameters:
                value = given.get(parameter)
                if value is not None and parameter not in names_in(str(value)):
                    yield name, parameter

    def texts(self) -> list[tuple[str, str]]:
        """Return the texts in which ``${parameter}`` may stand, each with the key that it is below."""
        texts = [("stop", self.stop or "")]
        texts += [("measures", measure.value) for measure in self.measures.values()]
        texts += [("options", str(value)) for value in self.options.values()]
        parts = [("interventions", self.interventions)]
        for condition in self.conditions.values():
            texts += [("conditions", condition.stop or "")]
            texts += [("conditions", str(value)) for value in condition.options.values()]
            parts += [("conditions", condition.interventions)]
        for key, planned in parts:
            for each in planned:
                act = each.act.model_dump() if each.act else ""
                texts += [(key, str(value)) for value in (each.at, each.when, each.cell, act, each.set) if value]
        return texts

    def all_seeds(self, count: int | None = None) -> tuple[int, ...]:
        """Return the seeds, each condition's alike; the first ``count`` from ``seed`` on where that is given."""
        if count is None and not isinstance(self.seeds, int):
            return self.seeds
        if count is not None and (not is_count(count) or count < 1):
            raise WorldError(f"seeds={count!r}: takes how many there are, 1 or more")
        many: int = count or self.seeds  # type: ignore[assignment]
        if many > MOST_SEEDS or self.seed > LARGEST_SEED - MOST_SEEDS:
            raise WorldError(f"there are at most {MOST_SEEDS:,} seeds, each of 63 bits")
        return tuple(range(self.seed, self.seed + many))

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data, without what is as usual."""
        data = self.model_dump(mode="json", exclude_defaults=True)
        for survey, data_of_survey in zip(self.surveys, data.get("surveys", ()), strict=True):
            if survey.questionnaire is not None:  # its items are told apart by a field that has its default
                data_of_survey["questionnaire"] = survey.questionnaire.model_dump(mode="json")
        return data
