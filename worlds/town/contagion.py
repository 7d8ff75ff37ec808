"""How illness comes into a town and goes round in it, by streams of its own that no other draw shares."""

from cave_sim import World
from cave_sim.worlds.town.health import DAWN_H, ILL, LONGEST_H, LOW, NAME, SHORTEST_H, Health, health_in, health_of
from cave_sim.worlds.town.resident import Resident


def open_health(world: World, chance: float, contagion: float = 0.0) -> None:
    """Let residents of a town fall ill from its next dawn on.

    Args:
        world: with residents; to be ruled already.
        chance: that somebody falls ill by themselves at a dawn, 0 to 1.
        contagion: that it is caught in an hour in the same place as somebody ill, 0 to 1; it breaks out at dawn.

    Raises:
        SchemaError: a chance is no number from 0 to 1.
    """
    world.add(NAME, Health(chance=chance, contagion=contagion))
    world.dynamics(spread)
    world.dynamics(fall_ill)


def share_ill(world: World) -> float:
    """Return the share of residents who are ill, 0 to 1."""
    residents = world.all(Resident)
    return sum(health_of(person) == ILL for person in residents) / len(residents)


def spread(world: World) -> None:
    """Pass it on to who is where somebody ill is, every full hour."""
    health = health_in(world)
    hours = int(world.clock.time_s // 3600) - int((world.clock.time_s - world.step_s) // 3600)
    if health is None or not hours or not health.contagion:
        return
    risk = 1 - (1 - health.contagion) ** hours
    for person in world.all(Resident):
        if health.state_of(person.id) != ILL or person.location is None:
            continue
        rng, guests = world.rng("contagion", person.id), [*person.location.guests]
        for other in sorted(guest.id for guest in guests if isinstance(guest, Resident)):
            if rng.random() < risk and other not in health.ill_until_s and other not in health.caught:
                health.caught.append(other)


def fall_ill(world: World) -> None:
    """Let some fall ill at dawn: those who have caught it, and others by chance."""
    hour, health, now_s = world.clock.hour, health_in(world), world.clock.time_s
    if health is None or not DAWN_H <= hour < DAWN_H + world.step_s / 3600:
        return
    for person in world.all(Resident):
        if person.id in health.ill_until_s:
            continue
        rng = world.rng("illness", person.id)
        if rng.random() < health.chance or person.id in health.caught:
            hours = rng.uniform(SHORTEST_H, LONGEST_H)
            health.ill_until_s[person.id] = round(now_s + 3600 * hours)
            person.mood = round(max(0.0, person.mood - LOW), 2)
            person.heard.append(f"{world.clock.now:%H:%M} you feel ill: stay at home, `health.stay_at_home()`")
    if health.caught:
        health.caught.clear()
