"""Residents who keep in touch: they write to phones, invite, promise, overhear, and are swayed by talk."""

import re
from collections.abc import Iterator

from cave_sim import Refused, field, own_agent_only
from cave_sim.worlds.town.economy import euros
from cave_sim.worlds.town.influence import swayed
from cave_sim.worlds.town.maps import installed
from cave_sim.worlds.town.place import Place
from cave_sim.worlds.town.resident import AT_ONCE, Resident
from cave_sim.worlds.town.society import Society

CONTACTS = 6
"""So many of those whom one knows best are listed as one's contacts."""


class Neighbour(Resident):
    """Somebody who lives here and keeps in touch. `me` is one."""

    attitudes: dict[str, float] = field(
        {}, guarded=True, private=True, about="what they think of topics, from -1, against, to 1, for"
    )

    @own_agent_only
    def say(self, other: Resident, text: str) -> str:
        """Say something to somebody who is where you are and awake; others in earshot overhear it."""
        outcome = super().say(other, text)
        words = other.heard[-1].partition("): ")[2]
        now = f"{self.world.clock.now:%H:%M}"
        with self.world.undo_log.as_world():  # who is near enough to hear is not for the speaker to know
            for bystander in list(self._bystanders(other)):
                bystander.heard.append(f"{now} overheard {self.title} ({self.id}) to {other.title}: {words}")
            self._sway(other, words)
        return outcome

    @own_agent_only
    def text(self, other: Resident, text: str) -> str:
        """Write to the phone of somebody you know, wherever they are; they read it when they next look."""
        if not isinstance(other, Resident) or other is self:
            raise Refused("You can only write to another resident.")
        if self._town().strength(self.id, other.id) <= 0:
            raise Refused(f"You do not have the number of {other.title} ({other.id}); talk to them first.")
        now, words = f"{self.world.clock.now:%H:%M}", " ".join(text.split())[:200]
        if self._said_unanswered(other, now) >= AT_ONCE:
            raise Refused(f"You have written enough to {other.title} ({other.id}) for now; let them answer.")
        other.heard.append(f"{now} by phone, {self.title} ({self.id}): {words}")
        self.heard.append(f"{now} you to {other.id}: {words}")
        with self.world.undo_log.as_world():
            self._sway(other, words)
        return f"{other.title} will read it"

    @own_agent_only
    def invite(self, other: Resident, place: Place | str, at: str) -> str:
        """Invite somebody to a place, `at="18:00"`: by word of mouth if they are here, else by phone."""
        goal = self._find(place)
        self._check_time(at)
        return self._tell(other, f"You are invited to {goal.title} ({goal.id}) at {at}.")

    @own_agent_only
    def promise(self, other: Resident, at: str, place: Place | str = "", cents: int = 0) -> str:
        """Promise somebody to be at a place by a time, `at="18:00"`, or to have given them money by then."""
        self._check_time(at)
        if bool(place) == bool(cents) or cents < 0:
            raise Refused("Promise to be at a place, or to give some money: one of the two.")
        if cents:
            return self._tell(other, f"I promise to give you {euros(cents)} by {at}.")
        goal = self._find(place)
        outcome = self._tell(other, f"I promise to be at {goal.title} ({goal.id}) by {at}.")
        self.plan.setdefault(at, f"be at {goal.id}, as promised to {other.id}")
        return outcome

    def observe(self) -> dict[str, object]:
        """Return what this resident perceives now, whom they can write to, and what they think."""
        seen = super().observe()
        if self.activity == "sleeping":
            return seen
        with self.world.undo_log.as_world():  # the town keeps for both how well they know each other
            known = self._town().relations.adj.get(self.id, {})
            ranked = sorted(known, key=lambda name: (-known[name]["strength"], name))
        contacts = [name for name in ranked if name in self.world][:CONTACTS]
        return seen | {"contacts": contacts} | ({"attitudes": dict(self.attitudes)} if self.attitudes else {})

    def _tell(self, other: Resident, words: str) -> str:
        """Say it if they are here and awake, else write it."""
        try:
            self._check_within_earshot(other)
        except Refused:
            return self.text(other, words)
        return self.say(other, words)

    def _check_time(self, at: str) -> None:
        if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", at):
            raise Refused(f'Say when as a time of day, at="18:00", not {at!r}.')

    def _bystanders(self, hearer: Resident) -> Iterator[Resident]:
        """Yield who overhears what is said here: who is in the same place, or out of doors and near enough."""
        town = self._town()
        earshot_m = town.earshot_m if isinstance(town, Society) else 0.0
        if earshot_m <= 0:
            return
        town_map = installed(town.map_name)
        for other in self.world.all(Resident):
            if other in (self, hearer) or other.activity == "sleeping":
                continue
            is_here = other.location is self.location if self.location else False
            in_the_open = _is_outside(self) and _is_outside(other)
            here, there = (self.lon, self.lat), (other.lon, other.lat)
            if is_here or (in_the_open and town_map.distance_m(here, there) <= earshot_m):
                yield other

    def _sway(self, hearer: Resident, words: str) -> None:
        """Let talk shift what the hearer thinks of the topics that it names, by the rule of the town."""
        town = self._town()
        if not isinstance(town, Society) or not isinstance(hearer, Neighbour):
            return
        for topic, theirs in self.attitudes.items():
            if re.search(rf"\b{re.escape(topic.replace('_', ' '))}\b", words, re.IGNORECASE):
                mine = hearer.attitudes.get(topic, 0.0)
                shifted = swayed(town.influence, mine, theirs, town.rate, town.tolerance)
                if shifted != mine:
                    hearer.attitudes[topic] = shifted


def _is_outside(person: Resident) -> bool:
    return person.location is None or person.location.kind == "park"
