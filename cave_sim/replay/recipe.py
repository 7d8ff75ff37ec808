"""How a simulation is made, as plain data: what a command line says, a manifest keeps, and resuming makes anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from cave_sim.capacity.output_capacity import OutputLimits
from cave_sim.errors import CaveSimError, JournalError, WorldError, did_you_mean
from cave_sim.journal.writer import Journal
from cave_sim.models.budget import Budget, Budgets
from cave_sim.models.for_agents import ForAgents
from cave_sim.models.from_cli import ModelChoice
from cave_sim.models.wrapped import Windowed
from cave_sim.replay import own_code
from cave_sim.replay.input_files import digests, module_digests, own_code_digest
from cave_sim.replay.own_runs import mark_of
from cave_sim.replay.settings import defaults_of, fitted, parameters
from cave_sim.replay.simulation_names import find, kept_name, own_code_named
from cave_sim.simulation.measuring import measures_of
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
        own = own_code_named(simulation)
        if own is None:
            return cls(simulation, **parts)
        return cls(kept_name(simulation, own), **parts, found_in=str(own.folder))

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
                "hand over in Python what its program makes: resume(folder, simulation=...), verify(run, make)"
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

    def made_from(self) -> dict[str, Any]:
        """Return the entries of a manifest that tell the files it is made from, as they are now."""
        entries = {
            "files": digests(self.create),
            "own_code": own_code_digest(self.simulation, self.found_in),
            "own_modules": module_digests(self.simulation, self.found_in),
        }
        return {name: entry for name, entry in entries.items() if entry}

    def module(self) -> ModuleType:
        """Import and return the simulation's module; raises WorldError."""
        return find(self.simulation, self.found_in)

    def asked_model(self) -> ModelChoice | None:
        """Return the model, with what is different for those of whom the simulation says so; raises WorldError."""
        return None if self.model is None else self._choice(self.model, self.module())

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
        name, defaults = module.__name__.rpartition(".")[2], defaults_of(module)
        entries = {"simulation": name, **self.to_manifest(), "defaults": defaults, **mark, **manifest}
        entries |= self.made_from()
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
        more = measures_of(self.measures, simulation.measures)
        for name in more:  # what stands in the place of another may name any that is left
            simulation.measures.pop(name, None)
        simulation.measure_also(more)
        simulation.observers.extend(observers)
        simulation.begin_branch(None if out is None else Journal.begin(out, simulation.about))
        return simulation

    def _created(self, module: ModuleType, arguments: Mapping[str, Any], observers: Sequence[Observer]) -> Runnable:
        try:
            simulation: Runnable = module.create(observers=list(observers), **arguments)
        except (TypeError, AttributeError, LookupError, OSError) as error:
            where = f" ({place})" if (place := own_code.place(error)) else ""
            raise WorldError(f"{self.simulation} cannot be made with {dict(self.create)}: {error}{where}") from error
        except (CaveSimError, ValueError):
            raise
        except (Exception, SystemExit) as error:  # whatever code of the user's own raises
            if not (place := own_code.place(error)):
                raise
            raise WorldError(f"{place}: {type(error).__name__}: {error}".rstrip(": ")) from error
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
            if self.model.is_scripted and self.model.window_tokens is not None and simulation.llm is not None:
                simulation.llm = Windowed(simulation.llm, self.model.window_tokens)
            known = self.model.output_limits_by_agent.patterns
            simulation.output_limits = ForAgents(tuple((name, OutputLimits.from_data(each)) for name, each in known))
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
            raise WorldError(
                f"{self.simulation} asks no language model: leave --model and its limits away; or, if it is yours,"
                " let its create take **run: Unpack[ModelRunOptions] and hand all of it to Simulation"
            )
        if limited and "budgets" not in taken:
            raise WorldError(f"{self.simulation} cannot be limited in what it asks: leave --max-... away")
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


def _scheduler(name: str) -> Any:
    if name not in SCHEDULERS:
        hint = did_you_mean(name, SCHEDULERS)
        raise WorldError(f"there is no scheduler {name!r}.{hint} There are: {', '.join(sorted(SCHEDULERS))}")
    return SCHEDULERS[name]()


def world_of(simulation: str, create: Mapping[str, Any], found_in: str | None = None) -> World:
    """Return the world of a simulation, as `cave-sim run` makes it."""
    world: World = Recipe(simulation, create, found_in=found_in).make().world
    return world
