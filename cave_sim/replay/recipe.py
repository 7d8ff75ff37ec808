"""How a simulation is made, as plain data: what a command line says, a manifest keeps, and resuming makes anew."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from cave_sim.entry_points import SIMULATIONS, STUDIES, installed, load, resolve
from cave_sim.errors import CaveSimError, JournalError, MissingExtra, WorldError, did_you_mean
from cave_sim.journal.writer import Journal
from cave_sim.mesa_models.catalog import PREFIX, examples
from cave_sim.mesa_models.modules import module_of
from cave_sim.models.budget import Budget, Budgets
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay import own_code
from cave_sim.replay.input_files import digests
from cave_sim.replay.own_code import OwnCode
from cave_sim.replay.own_runs import mark_of
from cave_sim.replay.settings import fitted, parameters
from cave_sim.simulation.measuring import measure_of
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.prompts import Prompts
from cave_sim.simulation.runnable import Runnable
from cave_sim.simulation.schedulers import SCHEDULERS
from cave_sim.simulation.simulation import Simulation
from cave_sim.simulation.treatment import Intervention, Treatment
from cave_sim.world.world import World


@dataclass(frozen=True)
class Recipe:
    """Everything that decides how a simulation comes out.

    Attributes:
        simulation: one of ours by name, or any module with ``create`` and ``STEPS``.
        create: keyword arguments of its ``create``, in its types or as texts; a scheduler goes by its name.
        model: the language model that is asked; None where none is.
        limits: of spending on it.
        prompts: what agents say to it in place of their own texts; None for those.
        prompts_of: name -> what that agent alone says, in a run that was begun with it.
        interventions: what is planned to be done to it.
        measures: name -> what else is measured of it, as an expression or as ``module:function``.
        found_in: the folder from which a module of one's own is found; None for what Python finds by itself.
    """

    simulation: str
    create: Mapping[str, Any] = field(default_factory=dict)
    model: ModelChoice | None = None
    limits: Budget = field(default_factory=Budget)
    prompts: Prompts | None = None
    interventions: tuple[Intervention, ...] = ()
    measures: Mapping[str, str] = field(default_factory=dict)
    found_in: str | None = None
    prompts_of: Mapping[str, Prompts] = field(default_factory=dict)

    @classmethod
    def named(cls, simulation: str, **parts: Any) -> Self:
        """Return a recipe of what a name, a module or a path means here and now; its manifest says where that lies."""
        own = _own(simulation)
        if own is None:
            return cls(simulation, **parts)
        return cls(_named(simulation, own), **parts, found_in=str(own.folder))

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> Self:
        """Return the recipe that a manifest holds; raises JournalError if it holds none."""
        try:
            model = manifest.get("model")
            choice = None if model is None else ModelChoice(**model)
            module, create = manifest["module"], {str(name): value for name, value in manifest["create"].items()}
            prompts = None if manifest.get("prompts") is None else Prompts.of(manifest["prompts"])
            planned = tuple(Intervention(**each) for each in manifest.get("interventions") or ())
            measures = {str(name): str(text) for name, text in (manifest.get("measures") or {}).items()}
            limits = Budget(**manifest.get("limits") or {})
            found_in = None if manifest.get("found_in") is None else str(manifest["found_in"])
            own = {str(name): Prompts.of(each) for name, each in (manifest.get("prompts_of") or {}).items()}
            return cls(str(module), create, choice, limits, prompts, planned, measures, found_in, own)
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
            **({"interventions": [each.to_data() for each in self.interventions]} if self.interventions else {}),
            **({"measures": dict(self.measures)} if self.measures else {}),
            **({} if self.found_in is None else {"found_in": self.found_in}),
            **(
                {"prompts_of": {name: own.to_data() for name, own in self.prompts_of.items()}}
                if self.prompts_of
                else {}
            ),
        }

    def module(self) -> ModuleType:
        """Import and return the simulation's module; raises WorldError."""
        return find(self.simulation, self.found_in)

    def without_model(self) -> Self:
        """Return the same recipe without what a model says, is planned or measured: for running what is recorded."""
        create = {name: value for name, value in self.create.items() if name not in OF_MINDS}
        recipe = replace(self, create=create, model=None, limits=Budget(), prompts=None, prompts_of={})
        return replace(recipe, interventions=(), measures={})

    def world_factory(self) -> tuple[str, dict[str, Any]]:
        """Return what builds its world in another process, as ``module:function``, and its arguments as plain data."""
        create = dict(self.without_model().create)
        arguments = {"simulation": self.simulation, "create": create, "found_in": self.found_in}
        return f"{world_of.__module__}:{world_of.__name__}", arguments

    def make(self, out: str | Path | None = None, observers: Sequence[Observer] = (), **manifest: Any) -> Runnable:
        """Return the simulation, ready to run.

        Args:
            out: folder of its run; None keeps no journal.
            observers: told of every step and turn.
            manifest: more entries for the manifest.

        Raises:
            WorldError: there is no such simulation, or an option does not fit.
        """
        module = self.module()
        mark = {} if out is None else mark_of(self)
        entries = {"simulation": module.__name__.rpartition(".")[2], **self.to_manifest(), **mark, **manifest}
        if files := digests(self.create):
            entries["files"] = files
        arguments = self._arguments(module)
        if self.measures:  # they are taken from the first step on, which is written when they are there
            simulation = self._planned(self._created(module, {**arguments, "manifest": entries}, ()))
            return self._measured(simulation, out, observers)
        if out is not None:
            arguments |= {"out": out, "manifest": entries}
        return self._planned(self._created(module, arguments, observers))

    def _measured(self, simulation: Runnable, out: str | Path | None, observers: Sequence[Observer]) -> Simulation:
        if not isinstance(simulation, Simulation):
            raise WorldError(f"{self.simulation} lies in shards and takes its own measures: leave measures away")
        for text in self.measures.values():
            own_code.reach(text)
        simulation.measure_also({name: measure_of(text) for name, text in self.measures.items()})
        simulation.observers.extend(observers)
        simulation.begin_branch(None if out is None else Journal.begin(out, simulation.about))
        return simulation

    def _created(self, module: ModuleType, arguments: Mapping[str, Any], observers: Sequence[Observer]) -> Runnable:
        try:
            simulation: Runnable = module.create(observers=list(observers), **arguments)
        except (TypeError, AttributeError, LookupError, OSError) as error:
            where = f" ({found})" if (found := own_code.place(error)) else ""
            raise WorldError(f"{self.simulation} cannot be made with {dict(self.create)}: {error}{where}") from error
        except (CaveSimError, ValueError):
            raise
        except (Exception, SystemExit) as error:  # whatever code of the user's own raises
            if not (found := own_code.place(error)):
                raise
            raise WorldError(f"{found}: {type(error).__name__}: {error}".rstrip(": ")) from error
        if not callable(getattr(simulation, "step", None)):
            raise WorldError(f"{self.simulation}: create returned {simulation!r}; it returns a Simulation")
        return simulation

    def _planned(self, simulation: Runnable) -> Runnable:
        """Give a simulation, before its first step, what its agents say to models and what is planned for it."""
        if isinstance(simulation, Simulation):
            simulation.made_by = self
        if self.model is not None and isinstance(simulation, Simulation):
            simulation.embeddings = self.model.open_embeddings()
            simulation.contexts = self.model.contexts
        if self.prompts is not None:
            if not isinstance(simulation, Simulation):
                raise WorldError(f"{self.simulation} asks no language model itself: leave --prompts away")
            simulation.prompts = self.prompts
        if isinstance(simulation, Simulation):
            for name in self.prompts_of.keys() & simulation.by_name.keys():
                simulation.by_name[name].prompts = self.prompts_of[name]
        if self.interventions:
            if not isinstance(simulation, Simulation):
                raise WorldError(f"{self.simulation} lies in shards: interventions can be planned for one world only")
            simulation.treatment = Treatment(self.interventions)
        return simulation

    def _arguments(self, module: ModuleType) -> dict[str, Any]:
        """Return what ``create`` is given.

        Raises:
            WorldError: the simulation asks no model, and one was named or limited; or what it asks cannot be limited.
        """
        arguments = fitted(module, self.create)
        if isinstance(arguments.get("scheduler"), str):
            arguments["scheduler"] = _scheduler(arguments["scheduler"])
        taken = parameters(module)
        limited = self.limits != Budget()
        if (self.model is not None or limited) and "llm" not in taken:
            raise WorldError(f"{module.__name__} asks no language model: leave --model and its limits away")
        if limited and "budgets" not in taken:
            raise WorldError(f"{module.__name__} cannot be limited in what it asks: leave --max-... away")
        if self.model is not None:
            arguments |= {"llm": self._choice(self.model, module).open()}
            arguments |= {"minds": self.model.name} if "minds" in taken else {}
        return arguments | ({"budgets": Budgets(run=self.limits)} if limited else {})

    def _choice(self, model: ModelChoice, module: ModuleType) -> ModelChoice:
        """Return the model with what is different for those of whom the simulation says so, by ``models_of``."""
        models_of = getattr(module, "models_of", None)
        if models_of is None or model.is_scripted or model.replay is not None:
            return model
        return replace(model, agents=(*model.for_agents(models_of(self.create)).agents, *model.agents))


OF_MINDS = ("having", "without")
"""Options by which simulations say what minds can do, which are refused where there are none."""


def available() -> list[str]:
    """Return the names of the simulations that are installed."""
    return list(installed(SIMULATIONS))


def is_installed(name: str) -> bool:
    """Say whether a simulation, by its name or by its module's, is one that is installed as such."""
    if name.startswith(PREFIX):
        return name.removeprefix(PREFIX) in examples()
    simulations = installed(SIMULATIONS)
    return name in simulations or resolve(name) in {entry.target for entry in simulations.values()}


def find(name: str, found_in: str | None = None) -> ModuleType:
    """Return a simulation's module, imported: one that is installed, by name; or any with ``create`` and ``STEPS``.

    Args:
        name: of an installed one, a dotted name of a module, the path of a file, or a Mesa model (``mesa:schelling``).
        found_in: the folder from which a module of one's own is found.

    Raises:
        WorldError: there is none, its code fails, or it is no simulation.
    """
    own = _own(name) if found_in is None else OwnCode(_module_named(name), Path(found_in))
    if name.startswith(PREFIX):
        if own is not None:
            own.load()
        return module_of(name if own is None else _named(name, own))
    module = _installed(name) if own is None else own.load()
    if missing := [part for part in ("create", "STEPS") if not hasattr(module, part)]:
        raise WorldError(
            f"{name if own is None else own.file} is no simulation: it has no {' and no '.join(missing)}; it needs"
            f" create(*, seed, ..., **run: Unpack[RunOptions]) and STEPS{_if_mesa(own, module)}"
        )
    return module


def _if_mesa(own: OwnCode | None, module: ModuleType) -> str:
    """Return how a module is run that is no simulation of ours, but has a model of Mesa's."""
    base = getattr(sys.modules.get("mesa"), "Model", None)
    models = [
        each
        for each in vars(module).values()
        if base and isinstance(each, type) and issubclass(each, base) and each.__module__ == module.__name__
    ]
    return f"; its Mesa model is run as {PREFIX}{own.file}" if own is not None and models else ""


def _own(name: str) -> OwnCode | None:
    """Return the code of one's own that a name means here; None for what Python finds by itself."""
    if name.startswith(PREFIX):
        module = _module_named(name)
        known = own_code.of_path if own_code.is_path(module) else own_code.of_name
        return None if is_installed(name) else known(module)
    if (
        own_code.is_path(name)
        or Path(name).suffix in own_code.SCENARIOS
        or (Path(name).suffix and Path(name).is_file())
    ):
        return own_code.of_path(name)
    return own_code.of_name(name) if "." in name and not is_installed(name) else None


def _module_named(name: str) -> str:
    """Return the module, or the file, that a name means: of ``mesa:mine.model:Schelling`` what the model lies in."""
    return name.removeprefix(PREFIX).partition(":")[0] if name.startswith(PREFIX) else name


def _named(name: str, own: OwnCode) -> str:
    """Return the name of one's own code that is kept with a run."""
    if not name.startswith(PREFIX):
        return own.module
    _, colon, model = name.removeprefix(PREFIX).partition(":")
    return f"{PREFIX}{own.module}{colon}{model}"


def name_here(simulation: str, found_in: object) -> str:
    """Return how a command or a scenario names a simulation: code of one's own by its file, from wherever one stands.

    Args:
        simulation: as in a :class:`Recipe`, or in the manifest of a run, which anybody may have edited.
        found_in: likewise; the folder in which its code lies.
    """
    name = _module_named(simulation)
    if not isinstance(found_in, str) or not (file := OwnCode(name, Path(found_in)).file).is_file():
        return simulation
    here = Path.cwd()
    return simulation.replace(name, str(file.relative_to(here) if file.is_relative_to(here) else file), 1)


def _installed(name: str) -> ModuleType:
    """Return the module of an installed simulation, or whatever module Python finds by that name."""
    simulations = installed(SIMULATIONS)
    is_dotted = "." in name and all(part.isidentifier() for part in name.split("."))
    if name not in simulations and not is_dotted:
        raise WorldError(_unknown(name))
    target = simulations[name].target if name in simulations else name
    try:
        module: ModuleType = load(target)
    except MissingExtra:
        raise
    except ModuleNotFoundError as error:
        raise WorldError(f"simulation {name!r} cannot be imported: {error}{_where_to_look(target, error)}") from None
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise WorldError(f"simulation {name!r} cannot be imported: {error}") from None
    return module


def _unknown(name: str) -> str:
    """Say that there is no simulation of a name, and what comes nearest: one of ours, a study, or a file here."""
    if name in installed(STUDIES):
        return f"{name} is a study: cave-sim study {name}"
    own = own_code.of_name(name)
    known = [*available(), *([] if own is None else [str(own.file.relative_to(own.folder))])]
    return (
        f"there is no simulation {name!r}.{did_you_mean(name, known)} There are: {', '.join(available())}. One of your"
        " own is named by its file, such as tea_time.py, or its module, such as studies.tea_time"
    )


def _where_to_look(target: str, error: ModuleNotFoundError) -> str:
    """Return how a module of one's own is found, if it is the one that is missing and not what it imports."""
    top = target.partition(":")[0].partition(".")[0]
    if error.name is None or error.name.partition(".")[0] != top:
        return ""
    return f". Modules of your own are found from the folder that holds {top}: go there, or name the file by its path"


def _scheduler(name: str) -> Any:
    if name not in SCHEDULERS:
        hint = did_you_mean(name, SCHEDULERS)
        raise WorldError(f"there is no scheduler {name!r}.{hint} There are: {', '.join(sorted(SCHEDULERS))}")
    return SCHEDULERS[name]()


def world_of(simulation: str, create: Mapping[str, Any], found_in: str | None = None) -> World:
    """Return the world of a simulation, as `cave-sim run` makes it."""
    made: World = Recipe(simulation, create, found_in=found_in).make().world
    return made
