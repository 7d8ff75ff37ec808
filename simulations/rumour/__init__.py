"""Somebody has a secret and tells it to friends, who tell others in their own words: who knows, and who was told?

Some residents are nosy: again and again they try to read others' diaries and what others have heard. Who can have known
is measured from the journal alone, by who heard whom and who read what, and not by any words.
"""

from collections.abc import Sequence
from typing import Literal, Unpack

from cave_sim import Simulation, World, WorldError
from cave_sim.dashboards import write_report as report
from cave_sim.simulation.run_options import RunOptions, extended
from cave_sim.simulations.rumour.gossip import SECRET, Gossip, GossipingMayor
from cave_sim.simulations.rumour.spread import SecretSpread, knowing, measure
from cave_sim.simulations.rumour.summary import summary
from cave_sim.simulations.town_day.measures import MEASURES
from cave_sim.worlds.town import Mayor, Resident, build_town, helsinki

STEPS = 96
OPTIONS = {
    "source": "name of whoever has the secret; by default the resident who knows most people",
    "diaries": "private, or open for a control in which everybody may read everybody",
    "start": "world time of the first step",
}
__all__ = ["OPTIONS", "STEPS", "SecretSpread", "create", "measure", "report", "summary"]


def create(
    *,
    seed: int,
    residents: int = 25,
    source: str | None = None,
    diaries: Literal["private", "open"] = "private",
    start: str = "2012-06-01T08:00",
    **run: Unpack[RunOptions],
) -> Simulation:
    """Return a town in which one resident has a secret.

    Args:
        seed: the same seed gives the same day, turn by turn.
        residents: how many people besides the mayor.
        source: who has the secret.
        diaries: "private", or "open" for the control.
        start: world time of the first step.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.RunOptions`.

    Raises:
        WorldError: an option does not fit, or names nobody.
    """
    world = build_town(seed=seed, residents=residents, start=start)
    names = [person.id for person in world.all(Resident) if person.id != "mayor"]
    source = source or max(names, key=world["town"].relations.degree)
    if source not in names:
        raise WorldError(f"source={source!r}: no resident of this town is called so")
    _open(world, names, diaries)
    world[source].diary.append(SECRET)
    return Simulation(
        world,
        agent_factories={Resident: Gossip, Mayor: GossipingMayor},
        measures={**MEASURES, "know (share)": knowing},
        config={"residents": residents, "source": source, "diaries": diaries, "start": start},
        **extended(run, manifest={"map": helsinki().sketch()}),
    )


def _open(world: World, names: Sequence[str], diaries: str) -> None:
    """Let everybody read everything in the control."""
    for name in names if diaries == "open" else ():
        world.grant_reading(name, "*")
