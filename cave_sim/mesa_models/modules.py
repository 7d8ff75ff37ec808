"""A Mesa model as what ``cave-sim run`` takes: something with ``create``, ``STEPS`` and ``OPTIONS``."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.mesa_models.catalog import PREFIX, find_model
from cave_sim.mesa_models.construction import Construction
from cave_sim.mesa_models.simulation import simulation_of
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.simulation import Simulation

STEPS = 100
AGENT_ENTITIES = "agent_entities"


def module_of(name: str) -> ModuleType:
    """Return the simulation that ``mesa:boltzmann_wealth`` means.

    Raises:
        WorldError: there is no such model, or it takes an argument that we have another meaning for.
    """
    target = name.removeprefix(PREFIX)
    model = find_model(target)
    construction = Construction.of(model)
    ours = {"seed", "out", "observers", "manifest", AGENT_ENTITIES}
    if taken := ours & construction.options.keys():
        raise WorldError(f"{name} takes an argument {min(taken)!r}, which means something else here: use simulation_of")

    def create(
        *,
        seed: int,
        out: str | Path | None = None,
        manifest: Mapping[str, Any] | None = None,
        observers: Sequence[Observer] = (),
        agent_entities: bool = True,
        **arguments: Any,
    ) -> Simulation:
        """Return a simulation of the model; see :func:`~cave_sim.mesa_models.simulation.simulation_of`."""
        return simulation_of(
            model,
            seed=seed,
            arguments=arguments,
            agent_entities=agent_entities,
            out=out,
            manifest=manifest,
            observers=observers,
        )

    _sign(create, construction)
    about = model.__doc__ or sys.modules[model.__module__].__doc__ or ""  # what it inherits is about Mesa, not about it
    module = ModuleType(f"mesa.{target.rpartition(':')[2].rpartition('.')[2]}", inspect.cleandoc(about))
    options = {
        **construction.abouts(),
        AGENT_ENTITIES: "whether every agent is an entity; no keeps the model and its measures alone",
    }
    vars(module).update(create=create, STEPS=STEPS, OPTIONS=options, MODEL=model)
    return module


def _sign(create: Any, construction: Construction) -> None:
    """Let a function say which arguments it takes, with their types."""
    signature = inspect.signature(create)
    own = [each for name, each in signature.parameters.items() if name != "arguments"]
    keyword = inspect.Parameter.KEYWORD_ONLY
    theirs = [
        inspect.Parameter(name, keyword, default=each.default, annotation=_annotation(each))
        for name, each in construction.options.items()
    ]
    create.__signature__ = signature.replace(parameters=[*own, *theirs])


def _annotation(parameter: inspect.Parameter) -> Any:
    if parameter.annotation is not inspect.Parameter.empty:
        return parameter.annotation
    kind = type(parameter.default)
    if kind is int:
        return int | float  # 1 is often the default of what may be 1.5
    return kind if kind in (float, bool, str) else Any
