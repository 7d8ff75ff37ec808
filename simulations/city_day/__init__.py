"""A day in Helsinki cut into districts: residents who cross from one to the next, and a crowd in the background."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Unit
from pydantic import Field

from cave_sim import WorldError
from cave_sim.models import Model
from cave_sim.sharding.process_worker_pool import ProcessWorkerPool
from cave_sim.sharding.sharded_simulation import ShardedSimulation
from cave_sim.sharding.worker_pool import Assignment, LocalWorkerPool, WorkerPool, assign_shards
from cave_sim.simulation.observers import Observer
from cave_sim.simulations.city_day.looks import looks
from cave_sim.simulations.city_day.summary import summary
from cave_sim.world.world import World

STEPS = 144
MAKER = "cave_sim.simulations.city_day.district:make"
OPTIONS = {
    "crowd": "people in the background, all over the city",
    "districts": "how many parts the city is cut into; another number is another city",
    "workers": "how many share the districts; the result is the same for any number",
    "host": "where the workers are: local, in this process; processes, each in its own; ray, in actors of a cluster",
    "address": "of a Ray cluster; by default one is started on this machine",
    "replay": "folder of a city's run whose recorded replies residents think with",
    "start": "world time of the first step",
    "step_s": "world seconds per step",
}
LABELS = {
    "money_cents": "money (EUR cent)",
    "meals": "meals eaten",
    "worked_h": "work done (h)",
    "crossings": "borders crossed",
}
"""What the measures of a city are called, by what its districts count."""
__all__ = ["OPTIONS", "STEPS", "create", "summary"]


def create(
    *,
    seed: int,
    residents: int = 40,
    out: str | Path | None = None,
    manifest: Mapping[str, Any] | None = None,
    observers: Sequence[Observer] = (),
    llm: Model | None = None,
    minds: str | None = None,
    crowd: Annotated[int, Field(ge=0)] = 20_000,
    districts: Annotated[int, Field(ge=1)] = 8,
    workers: Annotated[int, Field(ge=1)] = 1,
    host: Literal["local", "processes", "ray"] = "local",
    address: str | None = None,
    replay: str | None = None,
    start: str = "2012-06-01T06:00",
    step_s: Annotated[float, Field(ge=1, le=3600, title="Length of a step"), Unit("s")] = 600.0,
) -> ShardedSimulation:
    """Return a city ready to run.

    Args:
        seed: the same seed gives the same day, however many workers there are, and wherever.
        residents: how many people with a mind of their own, all over the city.
        out: folder of the run, which has the districts' journals in folders of its own; None keeps none.
        manifest: what the run is to say of how it was made.
        observers: told of every step.
        llm: the language model that residents think with; for workers in this process.
        minds: "scripted" for residents who think with the scripted model; None: scripted residents, who ask no model.
        crowd: see `OPTIONS`, as for all that follow.
        districts: how many parts the city is cut into.
        workers: how many share them.
        host: where the workers are.
        address: of a Ray cluster.
        replay: folder of a run whose recorded replies answer.
        start: world time of the first step.
        step_s: world seconds per step.

    Raises:
        WorldError: an option does not fit.
    """
    if workers > districts:
        raise WorldError(f"workers={workers}: {districts} districts are shared by 1 to {districts}")
    if host != "local" and llm is not None:
        raise WorldError(f"host={host!r}: a model of your own is asked from this process; take host='local'")
    build = {
        "seed": seed,
        "districts": districts,
        "residents": residents,
        "crowd": crowd,
        "step_s": step_s,
        "start": start,
    }
    arguments = {"build": build, "out": None if out is None else str(Path(out).absolute()), "minds": minds}
    arguments |= {"replay": None if replay is None else str(Path(replay).absolute())}
    assignment = assign_shards(districts, workers)
    world = World(seed=seed, step_s=step_s, start=start)
    config = {**build, "minds": minds}
    pool = _pool(host, arguments, llm, assignment, address)
    about = {**looks(districts), **(manifest or {})}
    return ShardedSimulation(
        world, pool, assignment, out=out, observers=observers, config=config, manifest=about, labels=LABELS
    )


def _pool(
    host: str, arguments: dict[str, Any], llm: Model | None, assignment: Assignment, address: str | None
) -> WorkerPool:
    if host == "local":
        return LocalWorkerPool(MAKER, {**arguments, "llm": llm}, assignment)
    if host == "processes":
        return ProcessWorkerPool(MAKER, arguments, assignment)
    from cave_sim.sharding.ray_worker_pool import RayWorkerPool  # so that nobody else needs Ray

    return RayWorkerPool(MAKER, arguments, assignment, address)
