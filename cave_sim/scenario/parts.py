"""The parts of a scenario: interventions, measures, surveys, conditions, parameters, each with its own rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from keyword import iskeyword
from typing import Annotated, Any, ClassVar, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from cave_sim.changes.turn import OPERATOR
from cave_sim.errors import Blocked, WorldError, did_you_mean
from cave_sim.history.condition import Condition
from cave_sim.history.evaluation import FUNCTIONS
from cave_sim.history.measures_by_name import as_named, named
from cave_sim.models.from_cli import ModelChoice
from cave_sim.policy.syntax import parse
from cave_sim.replay.settings import GIVEN
from cave_sim.scenario.other_words import OTHER_WORDS
from cave_sim.scenario.over_steps import FUNCTIONS as OVER_STEPS
from cave_sim.scenario.over_steps import OverSteps
from cave_sim.scenario.placeholders import names_in, with_examples
from cave_sim.scenario.shapes import what_is_wrong
from cave_sim.simulation.measuring import is_function
from cave_sim.simulation.schedulers import SCHEDULERS
from cave_sim.simulation.treatment import Intervention
from cave_sim.survey.questionnaire import Questionnaire


class ScenarioPart(BaseModel):
    """What all parts of a scenario have in common: they are frozen, and know every key that they have."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    @model_validator(mode="before")
    @classmethod
    def _expect_known_keys(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        known = list(cls.model_fields)
        for key in data:
            if key not in known:
                way = OTHER_WORDS.get(cls.__name__, {}).get(str(key))
                hint = f" Write {way}." if way else did_you_mean(str(key), known)
                message = f"there is no such key.{hint} There are {', '.join(known)}"
                raise PydanticCustomError("unknown_key", "{told}", {"told": message, "key": str(key)})
        return data


def _condition(text: Any) -> Any:
    if isinstance(text, bool):
        return str(text)
    if isinstance(text, str):
        _checked(Condition, with_examples(text))
    return text


def _moment(value: Any) -> Any:
    """Let through a step, or a world time."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError("a moment is a step such as 48, or a world time such as 2012-06-01T18:00")
    if isinstance(value, int) and value < 0:
        raise ValueError("a moment is a step, 0 or more; steps are counted from the start of the run")
    if isinstance(value, str) and not names_in(value):
        _checked(Intervention, "", at=value)
    return value


def _cell(text: Any) -> Any:
    if isinstance(text, str):
        try:
            parse(with_examples(text))
        except SyntaxError as error:
            raise ValueError(f"line {error.lineno} of the cell cannot be read: {error.msg}") from None
        except Blocked as error:
            raise ValueError(f"the cell cannot be read: {error}") from None
    return text


def _checked(kind: Any, *args: Any, **kwargs: Any) -> Any:
    """Return what a constructor of ours makes, or raise what pydantic takes for a problem of the value."""
    try:
        return kind(*args, **kwargs)
    except WorldError as error:
        raise ValueError(str(error)) from None


FIELD = re.compile(r"[^.]+(?:\.[A-Za-z_]\w*)+")
CALLED = re.compile(r"(?:\w[\w%&'’/-]* )*(?P<last>\w[\w%&'’/-]*)(?P<counted> \([^()]*\))?")
"""How a simulation may call a measure: words, and what it is counted in."""
MOST_LETTERS = 100
"""Of a condition's name: folders are called by it."""
QuestionText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
ConditionText = Annotated[str, BeforeValidator(_condition), Field(min_length=1)]
Moment = Annotated[int | str, BeforeValidator(_moment)]
Whole = Annotated[int, Field(strict=True)]
"""A whole number, and no truth value or text that could be taken for one."""
CellText = Annotated[str, BeforeValidator(_cell), Field(min_length=1)]


class Act(ScenarioPart):
    """A method call of an entity.

    Attributes:
        entity: whose method.
        method: which.
        arguments: by name, plain data; ``{entity: NAME}`` stands for an entity.
    """

    entity: str
    method: str = Field(pattern=r"^[A-Za-z]\w*$")
    arguments: Mapping[str, Any] = Field(default_factory=dict)


class PlannedAct(ScenarioPart):
    """An intervention: what is done, by whom, and when.

    Attributes:
        at: the step behind which it is done, or a world time.
        when: a condition: it is done as the step begins behind which this turned true.
        repeat: whether it is done every time that ``when`` turns true.
        agent: in whose name.
        cell: what is done, as a cell.
        act: what is done, as a method call.
        set: what is done, as values by field: ``{"town.treasury_cents": 0}``.
    """

    at: Moment | None = None
    when: ConditionText | None = None
    repeat: bool = False
    agent: str = OPERATOR
    cell: CellText | None = None
    act: Act | None = None
    set: Mapping[str, Any] | None = Field(None, min_length=1)

    @field_validator("set")
    @classmethod
    def _expect_fields(cls, value: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        for path in value or ():
            if not FIELD.fullmatch(path):
                raise ValueError(f"{path!r}: what is set is a field of an entity, as town.title")
        return value

    @model_validator(mode="after")
    def _expect_one_moment_and_one_deed(self) -> Self:
        if (self.at is None) == (self.when is None):
            raise ValueError("an intervention has one moment: give either at or when")
        if self.repeat and self.when is None:
            raise ValueError("repeat is for an intervention that waits for a condition: give when in place of at")
        if sum(each is not None for each in (self.cell, self.act, self.set)) != 1:
            raise ValueError("an intervention does one thing: give one of cell, act and set")
        return self


class Measure(ScenarioPart):
    """What is measured after each step.

    Attributes:
        value: an expression of the safe condition language, ``package.module:function`` of the world, or what the
            simulation calls a measure of its own.
        label: how tables and plots call it; its name unless given.
        unit: what it counts.
    """

    value: str = Field(min_length=1)
    label: str = ""
    unit: str = Field("", validate_default=True)

    @field_validator("value")
    @classmethod
    def _expect_a_figure(cls, value: str) -> str:
        if is_function(value):
            return value
        called = CALLED.fullmatch(value.strip())
        if called and called["counted"] and not (iskeyword(called["last"]) or called["last"] in FUNCTIONS):
            return as_named(called[0])  # no call: there are no such functions
        try:
            return str(_condition(value))
        except ValueError:
            if called:
                return as_named(called[0])
            raise

    @field_validator("unit")
    @classmethod
    def _expect_that_of_what_it_names(cls, unit: str, info: ValidationInfo) -> str:
        """Take over what a measure of the simulation is counted in, where its name says so: ``heard (share)``."""
        value = str(info.data.get("value") or "None")
        over = OverSteps.read(value)  # of an outcome
        text = "" if over is not None and not over.keeps_unit else as_named(over.measure) if over else value
        meant = None if unit or is_function(text) else CALLED.fullmatch(named(text) or "")
        return unit if meant is None else (meant["counted"] or "").strip(" ()")


class TrialOutcome(Measure):
    """What is read from the journal of a trial once it has ended.

    Attributes:
        value: ``package.module:function`` of the run; or a function over the steps of a measure, ``max(infectious)``.
        label: how tables and plots call it; its name unless given.
        unit: what it counts.
    """

    @field_validator("value")
    @classmethod
    def _expect_a_figure(cls, value: str) -> str:
        if not is_function(value) and OverSteps.read(value) is None:
            raise ValueError(
                f"{value!r}: an outcome is a function of the run, package.module:function, asked at its end; or of what"
                f" a measure came to over its steps: {', '.join(OVER_STEPS)}, as in max(infectious)."
                " What is taken after each step is a measure"
            )
        return value


class Survey(ScenarioPart):
    """A questionnaire, or open questions, put to minds on throw-away copies of the run.

    Attributes:
        at: behind which steps.
        questionnaire: typed items, written here; or the path of a file.
        questions: open questions instead.
        whom: names; all minds if empty.
    """

    at: tuple[Annotated[Whole, Field(ge=0)], ...] = Field(min_length=1)
    questionnaire: Questionnaire | None = None
    questions: tuple[QuestionText, ...] = ()
    whom: tuple[str, ...] = ()

    @field_validator("questionnaire", mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        return _checked(Questionnaire.read, value) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _expect_something_to_ask(self) -> Self:
        if (self.questionnaire is None) == (not self.questions):
            raise ValueError("a survey asks one thing: give either questionnaire or questions")
        return self

    @property
    def asked(self) -> Questionnaire:
        """What is asked."""
        return self.questionnaire or Questionnaire.of_questions("interview", self.questions)


class SettingsPart(ScenarioPart):
    """What ``options``, ``scheduler`` and ``model`` may be, in a scenario and in each of its conditions."""

    @field_validator("options", check_fields=False)
    @classmethod
    def _expect_options(cls, value: Mapping[str, Any]) -> Mapping[str, Any]:
        """Refuse what a trial is given anyway: its seed, its folder."""
        for name in value:
            if name in GIVEN:
                hint = f"; a scenario says it by its key {name}" if name in ("seed", "residents", "scheduler") else ""
                raise ValueError(f"{name!r} is no option{hint}")
        return value

    @field_validator("scheduler", check_fields=False)
    @classmethod
    def _expect_scheduler(cls, value: str | None) -> str | None:
        if value is not None and value not in SCHEDULERS:
            hint = did_you_mean(value, SCHEDULERS)
            raise ValueError(f"there is no scheduler {value!r}.{hint} There are {', '.join(sorted(SCHEDULERS))}")
        return value

    @field_validator("model", mode="before", check_fields=False)
    @classmethod
    def _expect_model(cls, value: Any) -> Any:
        if value is None or isinstance(value, str):
            return value
        if not isinstance(value, Mapping):
            raise ValueError("a model is a name, or a table with name and further keys")
        known_difference(value)
        if "name" not in value:
            raise ValueError("a model needs its name")
        return value


class ScenarioCondition(SettingsPart):
    """What is different under a condition; what is left away is as in the scenario.

    Attributes:
        about: one line for readers.
        options: of the simulation, over those of the scenario.
        residents, scheduler, model, stop: in place of the scenario's.
        interventions: besides those of the scenario.
    """

    about: str = ""
    options: Mapping[str, Any] = Field(default_factory=dict)
    residents: Whole | None = Field(None, ge=1)
    scheduler: str | None = None
    model: str | Mapping[str, Any] | None = None
    stop: ConditionText | None = None
    interventions: tuple[PlannedAct, ...] = ()


def known_difference(value: Any) -> Any:
    """Let through the keys of a model, whichever there are; a text is its name."""
    if isinstance(value, str):
        return {"name": value}
    if not isinstance(value, Mapping):
        return value
    known = sorted(ModelChoice.__dataclass_fields__.keys() - {"agents"})
    for key in value:
        if key not in known:
            hint = did_you_mean(str(key), known)
            raise ValueError(f"a model has no {key!r}.{hint} It has {', '.join(known)}")
    try:
        _checked(TypeAdapter(ModelChoice).validate_python, dict(value))
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        raise ValueError(f"{problem['loc'][0]}: {what_is_wrong(problem, problem['loc'][:1])}") from None
    return value


ModelDifference = Annotated[Mapping[str, Any], BeforeValidator(known_difference)]
"""What is different of a model, for some agents."""
