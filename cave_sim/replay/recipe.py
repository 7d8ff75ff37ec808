"""How a simulation is made, as plain data: what a command line says, a manifest keeps, and resuming makes anew."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from cave_sim.entry_points import SIMULATIONS, STUDIES, installed, load, resolve
from cave_sim.errors import JournalError, MissingExtra, WorldError
from cave_sim.models.budget import Budget, Budgets
from cave_sim.models.from_cli import ModelChoice
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.prompts import Prompts
from cave_sim.simulation.runnable import Runnable
from cave_sim.simulation.schedulers import SCHEDULERS
from cave_sim.simulation.simulation import Simulation


@dataclass(frozen=True)
class Recipe:
    """Everything that decides how a simulation comes out.

    Attributes:
        simulation: one of ours by name, or any module with ``create`` and ``STEPS``.
        create: keyword arguments of its ``create``; a scheduler goes by its name.
        model: the language model that is asked; None where none is.
        limits: of spending on it.
        prompts: what agents say to it in place of their own texts; None for those.
    """

    simulation: str
    create: Mapping[str, Any] = field(default_factory=dict)
    model: ModelChoice | None = None
    limits: Budget = field(default_factory=Budget)
    prompts: Prompts | None = None

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> Self:
        """Return the recipe that a manifest holds; raises JournalError if it holds none."""
        try:
            model = manifest.get("model")
            choice = None if model is None else ModelChoice(**model)
            module, create = manifest["module"], {str(name): value for name, value in manifest["create"].items()}
            prompts = None if manifest.get("prompts") is None else Prompts.of(manifest["prompts"])
            return cls(str(module), create, choice, Budget(**manifest.get("limits") or {}), prompts)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise JournalError(
                "this run does not say how it was made, because it was not begun by `cave-sim run` or a Recipe; "
                "hand over the simulation that its program makes: resume(folder, simulation=...)"
            ) from None

    def to_manifest(self) -> dict[str, Any]:
        """Return the entries that :meth:`of` reads."""
        return {
            "module": self.simulation,
            "create": dict(self.create),
            "model": None if self.model is None else self.model.to_data(),
            "limits": {name: limit for name, limit in asdict(self.limits).items() if limit is not None},
            **({} if self.prompts is None else {"prompts": self.prompts.to_data()}),
        }

    def without_model(self) -> Self:
        """Return the same recipe without a language model: for running what is recorded."""
        return replace(self, model=None, limits=Budget(), prompts=None)

    def make(self, out: str | Path | None = None, observers: Sequence[Observer] = (), **manifest: Any) -> Runnable:
        """Return the simulation, ready to run.

        Args:
            out: folder of its run; None keeps no journal.
            observers: told of every step and turn.
            manifest: more entries for the manifest.

        Raises:
            WorldError: there is no such simulation, or an option does not fit.
        """
        module = find(self.simulation)
        entries = {"simulation": module.__name__.rpartition(".")[2], **self.to_manifest(), **manifest}
        arguments = self._arguments(module)
        if out is not None:
            arguments |= {"out": out, "manifest": entries}
        try:
            simulation: Runnable = module.create(observers=list(observers), **arguments)
        except (TypeError, AttributeError, LookupError, OSError) as error:
            raise WorldError(f"{self.simulation} cannot be made with {dict(self.create)}: {error}") from error
        if self.prompts is not None:
            if not isinstance(simulation, Simulation):
                raise WorldError(f"{self.simulation} asks no language model itself: leave --prompts away")
            simulation.prompts = self.prompts
        return simulation

    def _arguments(self, module: ModuleType) -> dict[str, Any]:
        """Return what ``create`` is given.

        Raises:
            WorldError: the simulation asks no model, and one was named or limited; or what it asks cannot be limited.
        """
        arguments = dict(self.create)
        if isinstance(arguments.get("scheduler"), str):
            arguments["scheduler"] = _scheduler(arguments["scheduler"])
        parameters = inspect.signature(module.create).parameters
        limited = self.limits != Budget()
        if (self.model is not None or limited) and "llm" not in parameters:
            raise WorldError(f"{module.__name__} asks no language model: leave --model and its limits away")
        if limited and "budgets" not in parameters:
            raise WorldError(f"{module.__name__} cannot be limited in what it asks: leave --max-... away")
        if self.model is not None:
            arguments |= {"llm": self.model.open()} | ({"minds": self.model.name} if "minds" in parameters else {})
        return arguments | ({"budgets": Budgets(run=self.limits)} if limited else {})


def available() -> list[str]:
    """Return the names of the simulations that are installed."""
    return list(installed(SIMULATIONS))


def is_installed(name: str) -> bool:
    """Say whether a simulation, by its name or by its module's, is one that is installed as such."""
    simulations = installed(SIMULATIONS)
    return name in simulations or resolve(name) in {entry.target for entry in simulations.values()}


def find(name: str) -> ModuleType:
    """Return a simulation's module: one that is installed, by name, or any module with ``create`` and ``STEPS``."""
    simulations = installed(SIMULATIONS)
    if name not in simulations and "." not in name:
        if name in installed(STUDIES):
            raise WorldError(f"{name} is a study: cave-sim study {name}")
        near = get_close_matches(name, simulations, 1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise WorldError(
            f"there is no simulation {name!r}.{hint} There are: {', '.join(simulations)}. One of your own is named by"
            " its module with a dot, such as studies.tea_time for studies/tea_time.py"
        )
    target = simulations[name].target if name in simulations else name
    try:
        module: ModuleType = load(target)
    except MissingExtra:
        raise
    except ModuleNotFoundError as error:
        raise WorldError(f"simulation {name!r} cannot be imported: {error}{_where_to_look(target, error)}") from None
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise WorldError(f"simulation {name!r} cannot be imported: {error}") from None
    if not hasattr(module, "create") or not hasattr(module, "STEPS"):
        raise WorldError(
            f"module {target} is no simulation: it needs create(*, seed, residents, out, observers, ...) and STEPS"
        )
    return module


def _where_to_look(target: str, error: ModuleNotFoundError) -> str:
    """Return how a module of one's own is found, if it is the one that is missing and not what it imports."""
    top = target.partition(":")[0].partition(".")[0]
    if error.name is None or error.name.partition(".")[0] != top:
        return ""
    return f". Modules of your own are found from the folder that holds {top}: go there, and say python -m cave_sim"


def _scheduler(name: str) -> Any:
    if name not in SCHEDULERS:
        raise WorldError(f"there is no scheduler {name!r}. There are: {', '.join(sorted(SCHEDULERS))}")
    return SCHEDULERS[name]()
