"""Two colours on a board: do mild wishes of each for a few neighbours of the same colour separate all (Schelling 1971)?

The board is a plain Mesa model, which runs here as any Mesa model does.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Unit
from pydantic import Field

from cave_sim import Simulation
from cave_sim.dashboards import write_report as report
from cave_sim.mesa_models.simulation import simulation_of
from cave_sim.simulation.observers import Observer
from cave_sim.simulations.schelling.model import Board

STEPS = 60
OPTIONS = {
    "wanted": "what share of the neighbours should be of the own colour",
    "empty": "what share of the cells is empty",
    "width": "how many cells across",
    "height": "how many cells up",
    "agent_entities": "whether everybody is an entity; without, measures alone are kept",
}
__all__ = ["OPTIONS", "STEPS", "create", "report"]


def create(
    *,
    seed: int,
    out: str | Path | None = None,
    manifest: Mapping[str, Any] | None = None,
    observers: Sequence[Observer] = (),
    wanted: Annotated[float, Field(ge=0, le=1, title="Wanted share alike")] = 0.5,
    empty: Annotated[float, Field(gt=0, lt=1, title="Share of empty cells")] = 0.3,
    width: Annotated[int, Field(ge=3), Unit("cells")] = 13,
    height: Annotated[int, Field(ge=3), Unit("cells")] = 16,
    agent_entities: bool = True,
) -> Simulation:
    """Return Schelling's board with people on it.

    Args:
        seed: who lives where, who moves when and where to follow from it.
        out: folder of the run; None keeps no journal.
        manifest: what the run is to say of how it was made.
        observers: told of every step and turn.
        wanted: what share of the neighbours should be of the own colour.
        empty: what share of the cells is empty.
        width: how many cells across.
        height: how many cells up.
        agent_entities: whether everybody is an entity.
    """
    arguments = {"wanted": wanted, "empty": empty, "width": width, "height": height}
    return simulation_of(
        Board,
        seed=seed,
        arguments=arguments,
        agent_entities=agent_entities,
        units={"like_neighbours": "share", "content": "share"},
        out=out,
        manifest=manifest,
        observers=observers,
    )
