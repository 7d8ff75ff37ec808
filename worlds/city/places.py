"""What a district holds besides people: places with a till, its own purse, and its copy of the city's book."""

from cave_sim import Entity, Refused, field


class CityPlace(Entity):
    """A place with a door and a till."""

    title: str = field(guarded=True, about="what is written above the door")
    kind: str = field(guarded=True, about="restaurant, cafe, company, ...")
    node: int = field(ge=0, guarded=True, about="corner of the map it lies at")
    price_cents: int = field(0, unit="EUR cent", ge=0, guarded=True, about="what a meal or a visit costs")
    wage_cents_h: int = field(0, unit="EUR cent/h", ge=0, guarded=True, about="what an hour of work there earns")
    opens_h: float = field(0.0, unit="h", ge=0, le=24, guarded=True, about="hour of the day at which it opens")
    closes_h: float = field(24.0, unit="h", ge=0, le=30, guarded=True, about="hour at which it closes; 26 is 02:00")
    till_cents: int = field(
        0, unit="EUR cent", ge=0, merge="add", guarded=True, private=True, about="money in the till"
    )

    def is_open(self) -> bool:
        """Say whether one gets in now."""
        hour: float = self.world.clock.hour
        return self.opens_h <= hour < self.closes_h or hour < self.closes_h - 24


class Borough(Entity):
    """A district: its purse, and what it counts. The city's book adds the counts of all of them up."""

    number: int = field(ge=0, guarded=True, about="which district this is")
    districts: int = field(ge=1, guarded=True, about="how many there are")
    treasury_cents: int = field(0, unit="EUR cent", ge=0, merge="add", guarded=True, about="the district's purse")
    meals: int = field(0, ge=0, merge="add", guarded=True, about="meals eaten so far")
    worked_h: float = field(0.0, unit="h", ge=0, merge="add", guarded=True, about="hours worked and paid so far")

    def lend(self, place: CityPlace, cents: int) -> None:
        """Fill a till up to an amount, out of the purse.

        Raises:
            Refused: the purse does not hold that much.
        """
        short_cents = cents - place.till_cents
        if short_cents > self.treasury_cents:
            raise Refused(f"{place.title} cannot pay, nor can the district.")
        if short_cents > 0:
            self.treasury_cents -= short_cents
            place.till_cents += short_cents


class Ledger(Entity):
    """The city's book: sums over all districts, as of the last barrier between two steps. Each district has a copy."""

    totals: dict[str, float] = field({}, guarded=True, about="people, crowd, money_cents, meals, worked_h, crossings")
