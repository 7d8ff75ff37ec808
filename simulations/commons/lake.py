"""A lake that several fish in: what is left doubles every month, up to what the lake can feed, or it is gone for good.

A month is two steps. In the first everybody fishes at once; in the second they meet in the harbour. Cells only say what
somebody wants; what comes of it the lake settles when a step is over, so that nobody gains by acting first.
"""

from __future__ import annotations

import math

from cave_sim import Entity, Refused, Visibility, World, field, narrates, own_agent_only
from cave_sim.analysis.segregation import gini
from cave_sim.determinism.random_streams import seeded_order

FISHING, HARBOUR = "fishing", "harbour"
LANDED = Visibility("all where people talk", lambda entity, reader, world: world["lake"].talk)


class Lake(Entity):
    """The lake, its rules, and the accounts of all that was taken from it."""

    stock_t: int = field(100, unit="t", ge=0, guarded=True, about="fish that are in it now")
    month_began_t: int = field(100, unit="t", ge=0, guarded=True, about="fish that were in it as the month began")
    last_month_t: int = field(100, unit="t", ge=0, guarded=True, about="fish that were in it a month earlier")
    capacity_t: int = field(100, unit="t", ge=1, guarded=True, about="fish that it can feed")
    growth: float = field(2.0, ge=1, guarded=True, about="by what the fish left in a month are multiplied")
    collapse_t: int = field(5, unit="t", ge=0, guarded=True, about="with less than this left, the fish die out")
    collapsed: bool = field(False, guarded=True, about="whether the fish have died out")
    phase: str = field(FISHING, guarded=True, about="fishing, or harbour")
    months: int = field(0, ge=0, guarded=True, about="months in which there were fish to take")
    talk: bool = field(True, guarded=True, about="whether people meet in the harbour and see what others landed")
    advice: bool = field(False, guarded=True, about="whether it is posted what everybody may take")
    landed_t: int = field(0, unit="t", ge=0, guarded=True, about="what was taken from it in all")
    hauls: int = field(0, ge=0, guarded=True, about="how often somebody went fishing")
    excessive: int = field(0, ge=0, guarded=True, about="how often somebody wanted more than everybody may take")

    @property
    def limit_t(self) -> int:
        """What everybody may take this month so that as much is there in the next one."""
        leave_t = math.ceil(self.month_began_t / self.growth)
        return max(0, self.month_began_t - leave_t) // max(1, len(self.world.all(Fisher)))

    @property
    def possible_t(self) -> float:
        """The most that regrows in a month, and so the most that can be taken in each."""
        return self.capacity_t * (1 - 1 / self.growth)


class Fisher(Entity):
    """Somebody who lives by the lake."""

    wants_t: int = field(0, unit="t", ge=0, guarded=True, private=True, about="what I go out for this month")
    catch_t: int = field(0, unit="t", ge=0, guarded=True, visible_to=LANDED, about="what was landed last")
    account_t: int = field(0, unit="t", ge=0, guarded=True, private=True, about="what was earned, less what was fined")
    says: str = field("", guarded=True, visible_to=LANDED, about="what was said in the harbour last")
    fines: list[str] = field([], guarded=True, private=True, about="whom I fine this month")
    fined: int = field(0, ge=0, guarded=True, private=True, about="how often I was fined")

    def observe(self) -> dict[str, object]:
        """Return what I know: the lake, my own affairs, and in the harbour what the others landed and said."""
        lake: Lake = self.world["lake"]
        seen: dict[str, object] = {
            "month": lake.months,
            "phase": lake.phase,
            "lake": {"stock_t": lake.stock_t, "month_began_t": lake.month_began_t, "last_month_t": lake.last_month_t},
            "me": {"catch_t": self.catch_t, "account_t": self.account_t, "fined": self.fined},
        }
        if lake.talk:
            others = [other for other in self.world.all(Fisher) if other is not self]
            seen["others"] = {other.id: {"catch_t": other.catch_t, "says": other.says} for other in others}
        if lake.advice:
            seen["limit_t"] = lake.limit_t
            seen["advice"] = f"If everybody takes more than {lake.limit_t} t, there will be less fish next month."
        return seen

    @own_agent_only
    @narrates("goes out for {tons} t")
    def fish(self, tons: int) -> str:
        """Go out for so many tons: `me.fish(8)`. What is in the lake is shared out when all have said theirs."""
        lake = self._lake_in(FISHING)
        if not 0 <= tons <= lake.stock_t:
            raise Refused(f"{tons} t: there are {lake.stock_t} t in the lake; say a number from 0 to that")
        self.wants_t = tons
        return f"you go out for {tons} t"

    @own_agent_only
    @narrates("says: “{text}”")
    def say(self, text: str) -> str:
        """Say something to everybody in the harbour: `me.say("10 t each, no more.")`."""
        self._lake_in(HARBOUR)
        self.says = text
        return "said"

    @own_agent_only
    @narrates("fines {other}")
    def fine(self, other: Fisher) -> str:
        """Take 3 t from somebody's account, which costs 1 t of one's own: `me.fine(ann)`. Nobody gets them."""
        self._lake_in(HARBOUR)
        if other is self or other.id in self.fines:
            raise Refused("fine each of the others once a month at most")
        self.fines.append(other.id)
        return f"{other.id} is fined"

    def _lake_in(self, phase: str) -> Lake:
        lake: Lake = self.world["lake"]
        if lake.collapsed:
            raise Refused("there are no fish any more")
        if lake.phase != phase:
            raise Refused(f"this is for the {phase} half of a month; now it is {lake.phase}")
        if phase == HARBOUR and not lake.talk:
            raise Refused("nobody meets in the harbour")
        return lake


FINE_T, FEE_T = 3, 1


def settle(world: World) -> None:
    """Bring a step to its end: the catches are landed, or the month is over and the fish multiply."""
    lake: Lake = world["lake"]
    if lake.collapsed:
        return
    if lake.phase == FISHING:
        _land(world, lake)
    else:
        _end_month(world, lake)


def _land(world: World, lake: Lake) -> None:
    """Give everybody what they want; where the lake has less, chance says who comes last."""
    limit_t = lake.limit_t
    for name in seeded_order([fisher.id for fisher in world.all(Fisher)], world.seed, "landing", lake.months):
        fisher: Fisher = world[name]
        fisher.catch_t = min(fisher.wants_t, lake.stock_t)
        fisher.account_t += fisher.catch_t
        lake.stock_t -= fisher.catch_t
        lake.landed_t += fisher.catch_t
        lake.hauls += 1
        lake.excessive += fisher.wants_t > limit_t
        fisher.wants_t = 0
    lake.phase = HARBOUR


def _end_month(world: World, lake: Lake) -> None:
    for fisher in world.all(Fisher):
        for name in fisher.fines:
            other: Fisher = world[name]
            other.account_t -= min(FINE_T, other.account_t)
            other.fined += 1
            fisher.account_t -= min(FEE_T, fisher.account_t)
        fisher.fines.clear()
    lake.months += 1
    lake.phase = FISHING
    if lake.stock_t < lake.collapse_t:
        lake.stock_t, lake.collapsed = 0, True
    else:
        lake.stock_t = min(lake.capacity_t, int(lake.stock_t * lake.growth))
    lake.last_month_t, lake.month_began_t = lake.month_began_t, lake.stock_t


def equality(world: World) -> float:
    """Return 1 less the Gini coefficient of what people have earned; 1 where nobody has anything."""
    accounts = [fisher.account_t for fisher in world.all(Fisher)]
    return 1 - gini(accounts) if any(accounts) else 1.0
