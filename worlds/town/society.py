"""A town with customs: how far words carry, what talk does to attitudes, and which norms there are."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import fmean

from cave_sim import World, WorldError, field
from cave_sim.history.networks import polarisation
from cave_sim.worlds.town.influence import INFLUENCES
from cave_sim.worlds.town.person import Person
from cave_sim.worlds.town.resident import Resident
from cave_sim.worlds.town.town import Town


@dataclass(frozen=True)
class Customs:
    """How people of a town keep in touch and sway each other.

    Attributes:
        earshot_m: what is said is overheard by who is awake within so many metres; 0: by nobody.
        influence: the rule by which talk about a topic shifts the hearer's attitude to it; see `influence.py`.
        rate: how strongly, from 0 to 1.
        tolerance: how far apart attitudes may be for rules that ask for it, from 0 to 2.
        norms: what is expected of people, in words, by name.

    Raises:
        WorldError: there is no such rule, or a number is out of bounds.
    """

    earshot_m: float = 0.0
    influence: str = "none"
    rate: float = 0.2
    tolerance: float = 1.0
    norms: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.influence not in INFLUENCES:
            raise WorldError(f"influence={self.influence!r}: there is {', '.join(INFLUENCES)}")
        if self.earshot_m < 0 or not 0 <= self.rate <= 1 or not 0 <= self.tolerance <= 2:
            raise WorldError(f"{self}: earshot_m is 0 or more, rate from 0 to 1, and tolerance from 0 to 2")


class Society(Town):
    """The town, with its customs. `norms` says what is expected of everybody."""

    earshot_m: float = field(0.0, unit="m", ge=0, guarded=True, about="how far words carry to who is not addressed")
    influence: str = field("none", guarded=True, private=True, about="the rule by which talk shifts attitudes")
    rate: float = field(0.2, ge=0, le=1, guarded=True, private=True, about="how strongly it does")
    tolerance: float = field(1.0, ge=0, le=2, guarded=True, private=True, about="how far apart attitudes may be for it")
    norms: dict[str, str] = field({}, guarded=True, about="what is expected of everybody, by name")


@dataclass(frozen=True)
class Norm:
    """Something that is expected of people under a condition; whether they do it is seen from the state.

    Attributes:
        name: of the norm.
        text: what is expected, in words.
        applies: says whether it concerns somebody now.
        holds: says whether somebody whom it concerns keeps it.
    """

    name: str
    text: str
    applies: Callable[[Person], bool]
    holds: Callable[[Person], bool]

    def adherence(self, world: World) -> float:
        """Return the share of those whom it concerns now who keep it; 1 where it concerns nobody."""
        concerned = [person for person in world.all(Resident) if self.applies(person)]
        return fmean(self.holds(person) for person in concerned) if concerned else 1.0


def mean_attitude(topic: str) -> Callable[[World], float]:
    """Return a measure: the mean of all attitudes to a topic, -1 to 1; 0 where nobody has one."""

    def measure(world: World) -> float:
        """Return the mean of all attitudes, -1 to 1."""
        return fmean(_attitudes(world, topic) or [0.0])

    return measure


def divided_over(topic: str) -> Callable[[World], float]:
    """Return a measure: how divided people are over a topic, from 0, all agree, to 1, one half stands at each end."""

    def measure(world: World) -> float:
        """Return how divided people are, from 0, all agree, to 1, one half stands at each end."""
        return polarisation(_attitudes(world, topic) or [0.0], -1.0, 1.0)

    return measure


def _attitudes(world: World, topic: str) -> list[float]:
    everybody = (getattr(person, "attitudes", {}) for person in world.all(Resident))
    return [attitudes[topic] for attitudes in everybody if topic in attitudes]
