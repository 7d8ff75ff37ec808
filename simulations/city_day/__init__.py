"""A day in Helsinki cut into districts: residents who cross from one to the next, and a crowd in the background."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cave_sim import WorldError
from cave_sim.models import Model
from cave_sim.sharding.sharded_simulation import ShardedSimulation
from cave_sim.sharding.worker_pool import Assignment, LocalWorkerPool, WorkerPool, assign_shards
from cave_sim.simulation.observers import Observer
from cave_sim.simulations.city_day.summary import summary
from cave_sim.world.world import World

STEPS = 144
MAKER = "cave_sim.simulations.city_day.district:make"
HOSTS = ("local", "ray")
OPTIONS = {
    "crowd": "people in the background, all over the city (20000)",
    "districts": "how many parts the city is cut into; another number is another city (8)",
    "workers": "how many share the districts; the result is the same for any number (1)",
    "host": "where the workers are: local, in this process; ray, in actors of their own (local)",
    "address": "of a Ray cluster; by default one is started on this machine",
    "replay": "folder of a city's run whose recorded replies residents think with",
    "start": "world time of the first step (2012-06-01T06:00)",
    "step_s": "world seconds per step (600)",
}
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
    crowd: int | str = 20_000,
    districts: int | str = 8,
    workers: int | str = 1,
    host: str = "local",
    address: str | None = None,
    replay: str | None = None,
    start: str = "2012-06-01T06:00",
    step_s: float | str = 600.0,
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
    numbers = {"crowd": crowd, "districts": districts, "workers": workers}
    people, parts, hands = (_whole(name, given) for name, given in numbers.items())
    if parts < 1:
        raise WorldError(f"districts={parts}: a city has at least 1 district")
    if not 1 <= hands <= parts:
        raise WorldError(f"workers={hands}: {parts} districts are shared by 1 to {parts}")
    if host not in HOSTS or (host == "ray" and llm is not None):
        raise WorldError(f"host={host!r}: takes {' or '.join(HOSTS)}; a model of your own is asked from this process")
    build = {
        "seed": seed,
        "districts": parts,
        "residents": residents,
        "crowd": people,
        "step_s": float(step_s),
        "start": start,
    }
    arguments = {"build": build, "out": None if out is None else str(Path(out).absolute()), "minds": minds}
    arguments |= {"replay": None if replay is None else str(Path(replay).absolute())}
    assignment = assign_shards(parts, hands)
    world = World(seed=seed, step_s=float(step_s), start=start)
    config = {**build, "minds": minds}
    pool = _pool(host, arguments, llm, assignment, address)
    return ShardedSimulation(world, pool, assignment, out=out, observers=observers, config=config, manifest=manifest)


def _pool(
    host: str, arguments: dict[str, Any], llm: Model | None, assignment: Assignment, address: str | None
) -> WorkerPool:
    if host == "local":
        return LocalWorkerPool(MAKER, {**arguments, "llm": llm}, assignment)
    from cave_sim.sharding.ray_worker_pool import RayWorkerPool  # so that nobody else needs Ray

    return RayWorkerPool(MAKER, arguments, assignment, address)


def _whole(name: str, given: int | str) -> int:
    try:
        number = int(given)
    except ValueError:
        number = -1
    if number < 0:
        raise WorldError(f"{name}={given!r}: takes a whole number")
    return number
