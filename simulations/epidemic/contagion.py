"""What is catching: a chance for each hour with each infectious person in the same place (Reed and Frost's rule)."""

from cave_sim import Entity, World, field
from cave_sim.worlds.town import Place


class Epidemic(Entity):
    """Who can catch it, who has it and who had it, by name."""

    catching: float = field(0.06, ge=0, le=1, about="chance to catch it from one infectious person in an hour")
    ill_h: float = field(48.0, unit="h", ge=0, about="how long somebody is infectious")
    susceptible: set[str] = field(set(), guarded=True, about="who has not had it")
    infectious: dict[str, float] = field({}, guarded=True, about="who has it, and the world time of its end in seconds")
    recovered: set[str] = field(set(), guarded=True, about="who had it, and cannot catch it again")
    peak: int = field(0, ge=0, guarded=True, about="the most who had it at once")

    @property
    def share_ever(self) -> float:
        """The share of all people who have or had it, 0 to 1."""
        ever = len(self.infectious) + len(self.recovered)
        return ever / (ever + len(self.susceptible))


def infect(epidemic: Epidemic, name: str) -> None:
    """Let somebody have it from now on."""
    epidemic.susceptible.discard(name)
    epidemic.infectious[name] = epidemic.world.clock.time_s + epidemic.ill_h * 3600
    epidemic.peak = max(epidemic.peak, len(epidemic.infectious))


def spread(world: World) -> None:
    """Let those recover whose time is over, and those catch it who are with somebody who has it.

    Each person draws from a stream of their own in each step: under another condition they have the same luck.
    """
    epidemic, hours = world["epidemic"], world.step_s / 3600
    for name in [name for name, end_s in epidemic.infectious.items() if end_s <= world.clock.time_s]:
        del epidemic.infectious[name]
        epidemic.recovered.add(name)
    caught = []
    for place in world.all(Place):
        guests = sorted(guest.id for guest in place.guests)
        sources = sum(name in epidemic.infectious for name in guests)
        risk = 1 - (1 - epidemic.catching) ** (sources * hours)
        if sources:
            exposed = [name for name in guests if name in epidemic.susceptible]
            caught += [name for name in exposed if world.rng(f"catches {name}").random() < risk]
    for name in caught:
        infect(epidemic, name)


def infectious(world: World) -> int:
    """Return how many can infect others now."""
    return len(world["epidemic"].infectious)


def ever_infected(world: World) -> float:
    """Return the share of people who have, or had, the disease."""
    share: float = world["epidemic"].share_ever
    return share
