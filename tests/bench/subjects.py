"""The worlds that are timed: residents who are entities, in numbers."""

from cave_sim import Entity, World, field


class Resident(Entity):
    """Somebody with the few fields that the timed cells touch."""

    energy: float = field(0.5, ge=0, le=1)
    money_cents: int = field(1_000, unit="EUR cent", ge=0)
    place: str = field("home")


class Secretive(Resident):
    """Somebody with a field that is for nobody else."""

    diary: str = field("", private=True)


class Neighbour(Entity):
    """Somebody with all the fields that the kilobyte of Python speaks of."""

    title: str = field("")
    activity: str = field("at home")
    energy: float = field(0.5, ge=0, le=1)
    mood: float = field(0.5, ge=0, le=1)
    hour: float = field(0.0, ge=0, le=24)
    lon: float = field(24.95, unit="deg")
    lat: float = field(60.17, unit="deg")
    money_cents: int = field(1_000, unit="EUR cent", ge=0)
    place: str = field("home")
    closed: bool = field(False)
    is_raining: bool = field(False)
    friends: list[str] = field([])
    heard: list[str] = field([])
    receipts: list[dict[str, int]] = field([])

    def go(self, place: str) -> None:
        """Walk there."""
        self.place = place

    def say(self, _friend: str, text: str) -> None:
        """Say something to somebody."""
        self.heard.append(text)

    def note(self, text: str) -> None:
        """Remember something."""
        self.heard.append(text)


def town(residents: int = 1, *, policy: str = "guarded") -> World:
    """Return a world of so many residents, the first of them named ann."""
    world = World(seed=1) if policy == "guarded" else World(seed=1, policy=policy)
    for number in range(residents):
        world.add("ann" if not number else f"resident_{number}", Resident())
    return world
