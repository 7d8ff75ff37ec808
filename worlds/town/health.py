"""Illness: who falls ill at dawn, who catches it by being where they are, and what those who have it can do.

A scripted assumption, fitted to no data: a day's illness comes with a chance of its own, lasts one to four days, and is
passed on by presence alone. Nothing is drawn in a town without it, so that such a town lives as it always did.
"""

from typing import Any

from cave_sim import Entity, Refused, World, field, narrates
from cave_sim.worlds.town.person import Person

NAME = "health"
DAWN_H = 5.0
SHORTEST_H, LONGEST_H = 24.0, 96.0
LOW = 0.2
"""So much of their good mood does it cost them."""
NAP_MIN = 120
ILL, WELL_AGAIN = "ill", "well again"


class Health(Entity):
    """Who is ill. Whoever is can `health.stay_at_home()`, and `health.get_up()` once they are well again."""

    chance: float = field(0.0, ge=0, le=1, guarded=True, about="that somebody falls ill, each dawn")
    contagion: float = field(0.0, ge=0, le=1, guarded=True, about="that it is caught in an hour beside somebody ill")
    ill_until_s: dict[str, float] = field({}, unit="s", guarded=True, private=True, about="by name, until they get up")
    caught: list[str] = field([], guarded=True, private=True, about="names of those who will fall ill at dawn")

    @narrates("is ill and stays at home")
    def stay_at_home(self) -> str:
        """Rest at home for two hours, being ill."""
        person = self._actor()
        if self.state_of(person.id) != ILL:
            raise Refused("You are not ill.")
        if person.location is None or person.location is not person.home:
            raise Refused("You are not at home; go there first.")
        answer: str = person.rest(NAP_MIN)
        return answer

    @narrates("is well again")
    def get_up(self) -> str:
        """Be done with an illness that is over."""
        person = self._actor()
        if self.state_of(person.id) != WELL_AGAIN:
            raise Refused("You are still ill." if person.id in self.ill_until_s else "You have not been ill.")
        del self.ill_until_s[person.id]
        return "well again"

    def state_of(self, name: str) -> str:
        """Return "ill", "well again" until they get up, or nothing; each may ask for themselves."""
        actor = self.world.actor
        if actor not in (None, name) and not self.world.may_read(actor, self, "ill_until_s"):
            raise Refused(f"How {name} feels is theirs to know.")
        with self.world.undo_log.as_world():
            until_s = self.ill_until_s.get(name)
        if until_s is None:
            return ""
        return ILL if self.world.clock.time_s < until_s else WELL_AGAIN

    def _actor(self) -> Any:
        """Return the resident who acts; what residents perceive hangs on this file, so it cannot name their class."""
        name = self.world.actor
        if name is None or name not in self.world:
            raise Refused("Only residents are ill.")
        actor = self.world[name]
        if not isinstance(actor, Person):
            raise Refused("Only residents are ill.")
        return actor


def health_of(person: Entity) -> str:
    """Return how somebody is: "ill", "well again", or nothing where all is as ever, or no illness goes round."""
    health = health_in(person.world)
    return "" if health is None else health.state_of(person.id)


def health_in(world: World) -> Health | None:
    """Return the health of a town; None where no illness goes round, or whoever may has taken it out of the world."""
    if NAME not in world:
        return None
    health = world[NAME]
    return health if isinstance(health, Health) else None
