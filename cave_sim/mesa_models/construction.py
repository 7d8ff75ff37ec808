"""How a Mesa model is made: which arguments it takes, and where its seed goes."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from cave_sim.errors import WorldError, did_you_mean, raised_at
from cave_sim.loading.quick_mesa import mesa

SIMULATOR = "simulator"
SCENARIO = "scenario"
_NOT_OPTIONS = {"self", "seed", "rng", SIMULATOR, SCENARIO}


@dataclass(frozen=True)
class Construction:
    """What a model class's ``__init__`` asks for.

    Attributes:
        model: the class.
        options: arguments by name, with their defaults; those of its scenario where it takes one.
        scenario: the class of the scenario that it takes, as Mesa's own examples do since 3.5; None if it takes none.
        seeded_by: the argument that takes the seed; empty where there is none.
        takes_simulator: whether it is handed one of Mesa's event schedulers.
    """

    model: type[mesa.Model]
    options: Mapping[str, inspect.Parameter]
    scenario: type | None
    seeded_by: str
    takes_simulator: bool

    @classmethod
    def of(cls, model: type[mesa.Model]) -> Construction:
        """Read a model class's signature."""
        parameters = _signature(model).parameters
        variadic = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
        scenario = _scenario_of(model) if SCENARIO in parameters else None
        options = {n: p for n, p in parameters.items() if n not in _NOT_OPTIONS and p.kind not in variadic}
        if scenario is not None:
            options |= _options_of(scenario)
        open_ended = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())
        seeded_by = next((name for name in ("rng", "seed") if name in parameters), "rng" if open_ended else "")
        return cls(model, options, scenario, SCENARIO if scenario else seeded_by, SIMULATOR in parameters)

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments by name; raises WorldError if the model takes no such argument."""
        for name in given:
            if name not in self.options:
                known = ", ".join(self.options) or "nothing"
                raise WorldError(
                    f"{self.model.__name__} takes no {name!r}.{did_you_mean(name, self.options)} It takes: {known}"
                )
        return dict(given)

    def make(self, arguments: Mapping[str, Any], seed: int) -> tuple[mesa.Model, Any]:
        """Return a new model, and the simulator that steps it or None.

        Raises:
            WorldError: the model refused its arguments.
        """
        given = {**deepcopy(_mutable_defaults(self.model.__init__)), **arguments}
        kind = _seeded(self.model, seed)
        if self.scenario is not None:
            given = {SCENARIO: self.scenario(**{**arguments, "rng": seed})}
        elif self.seeded_by:
            given[self.seeded_by] = seed
        simulator = mesa.experimental.devs.ABMSimulator() if self.takes_simulator else None
        if simulator is not None:
            given[SIMULATOR] = simulator
        try:
            return kind(**given), simulator
        except Exception as error:  # the model's own code, which may raise anything of what it cannot do
            said = str(error) if isinstance(error, TypeError | ValueError) else f"{type(error).__name__}: {error}"
            made = f"{self.model.__name__} cannot be made with {dict(arguments)}"
            raise WorldError(f"{made}: {said} ({raised_at(error)})") from error

    def abouts(self) -> dict[str, str]:
        """Return the arguments by name, with what the model's docstrings say of them and their defaults."""
        docstrings = "\n".join(
            inspect.getdoc(each) or "" for each in (self.model.__init__, self.model, self.scenario) if each
        )
        return {name: _about(name, docstrings) for name in self.options}


@cache
def _mutable_defaults(initializer: Any) -> dict[str, Any]:
    """Return the defaults that models of a class would share, and find as others left them, as they are at first."""
    defaults = {}
    for name, parameter in inspect.signature(initializer).parameters.items():
        default = parameter.default
        if default is not inspect.Parameter.empty and parameter.kind is not inspect.Parameter.POSITIONAL_ONLY:
            with suppress(Exception):  # what cannot be copied is shared, as plain Mesa has it
                copied = deepcopy(default)
                if copied is not default and not _is_mark(default):
                    defaults[name] = copied
    return defaults


def _is_mark(default: Any) -> bool:
    """Say whether a default has nothing to change, as ``UNSET = object()``: models ask by ``is`` whether it is that."""
    return bool(default.__reduce_ex__(4)[1:] == ((type(default),), None, None, None))


def _signature(model: type[mesa.Model]) -> inspect.Signature:
    try:
        return inspect.signature(model.__init__, eval_str=True)
    except NameError:  # a name that is there for type checkers alone
        return inspect.signature(model.__init__)


def _scenario_of(model: type[mesa.Model]) -> type | None:
    """Return the one class of scenarios that the module of a model declares, or else that of what it was made from.

    None where Mesa has none, or not one.
    """
    base = getattr(sys.modules.get("mesa.experimental.scenarios"), "Scenario", None)
    for kind in model.__mro__[: model.__mro__.index(mesa.Model)]:
        names = vars(sys.modules[kind.__module__]).values()
        kinds = {each for each in names if base and isinstance(each, type) and issubclass(each, base)} - {base}
        if kinds:
            return kinds.pop() if len(kinds) == 1 else None
    return None


def _options_of(scenario: type) -> dict[str, inspect.Parameter]:
    annotations = {name: kind for base in reversed(scenario.__mro__) for name, kind in _own_annotations(base)}
    keyword = inspect.Parameter.KEYWORD_ONLY
    return {
        name: inspect.Parameter(name, keyword, default=getattr(scenario, name), annotation=annotation)
        for name, annotation in annotations.items()
        if not name.startswith("_") and name not in _NOT_OPTIONS and hasattr(scenario, name)
    }


def _own_annotations(base: type) -> list[tuple[str, Any]]:
    return [] if base.__module__.startswith("mesa.experimental") else list(inspect.get_annotations(base).items())


def _seeded(model: type[mesa.Model], seed: int) -> type[mesa.Model]:
    """Return a model's class with the seed put between it and mesa.Model, for one that takes none, or hands none on."""

    class SeedGiven(mesa.Model):  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            if all(kwargs.get(name) is None for name in ("rng", "seed", SCENARIO)):  # Mesa seeds by its scenario
                kwargs = {key: value for key, value in kwargs.items() if key not in ("rng", "seed")} | {"rng": seed}
            super().__init__(*args, **kwargs)

    return type(model.__name__, (model, SeedGiven), {"__module__": model.__module__, "__doc__": model.__doc__})


def _about(name: str, docstrings: str) -> str:
    """Return what docstrings say of an argument, without its default, which is known."""
    line = re.search(rf"^\s*{name}(?:\s*\([^)]*\))?:\s*(\S.*)$", docstrings, re.MULTILINE)
    return re.sub(r"\s*\(?[Dd]efault(?:s to|:)[^)]*\)?\.?$", "", line[1]).rstrip(". ") if line else ""
