"""Places: homes, cafés, shops, offices, parks. Somewhere to be, with hours on the door and a till."""

from datetime import datetime, timedelta

from cave_sim import Entity, field
from cave_sim.worlds.town.kinds import Kind, kind_of

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


class Place(Entity):
    """Somewhere people can go: a home, a shop, a park. `is_open` says whether one gets in right now."""

    title: str = field("", about="the name on the door")
    kind: str = field("shelter", about="home, cafe, restaurant, supermarket, park, company, shelter, ...")
    node: int = field(0, ge=0, about="the corner of the map it stands at")
    lon: float = field(0.0, about="position on the map: longitude, or column of a tile")
    lat: float = field(0.0, about="position on the map: latitude, or row of a tile")
    opens_h: float = field(0.0, unit="h", ge=0, le=24, about="hour of the day at which it opens")
    closes_h: float = field(24.0, unit="h", ge=0, le=30, about="hour at which it closes; 26 is 2 o'clock at night")
    weekends: bool = field(True, about="open on Saturdays and Sundays")
    closed: bool = field(False, about="closed by order of the city, whatever the hour")
    capacity: int = field(40, ge=0, about="how many fit in")
    price_cents: int = field(0, unit="EUR cent", ge=0, about="price of what it sells, or of admission")
    cash_cents: int = field(
        0, unit="EUR cent", ge=0, merge="add", guarded=True, private=True, about="money in the till"
    )
    guests: set[Entity] = field(set(), guarded=True, visible_to="here", about="everyone inside, staff too")

    def _whereabouts(self) -> object:
        return self

    @property
    def kind_info(self) -> Kind:
        """What holds for all places of this kind."""
        return kind_of(self.kind)

    @property
    def is_open(self) -> bool:
        """Whether one gets in right now."""
        return self.is_open_at(self.world.clock.now)

    @property
    def is_full(self) -> bool:
        """Whether nobody else fits in."""
        return len(self.guests) >= self.capacity

    def is_open_at(self, when: datetime) -> bool:
        """Say whether one gets in at that world time."""
        if self.closed:
            return False
        hour = when.hour + when.minute / 60
        return self._keeps(when, hour) or self._keeps(when - timedelta(1), hour + 24)

    def door_sign(self) -> str:
        """Return why one does not get in now (`"closed until 07:30"`), or the hours while it is open."""
        if self.closed:
            return "closed by order of the city"
        now = self.world.clock.now
        if self.is_open_at(now):
            return self.door_hours()
        for days in range(8):
            opening = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days, hours=self.opens_h)
            if opening > now and self._keeps(opening, self.opens_h):
                day = "" if opening.date() == now.date() else f"{WEEKDAYS[opening.weekday()]} "
                return f"closed until {day}{opening:%H:%M}"
        return "closed for good"

    def door_hours(self) -> str:
        """Return the hours on the door as text: `"07:30-19:00"`, or `"always open"`."""
        if self.closes_h - self.opens_h >= 24:
            return "always open"
        return f"{clock_text(self.opens_h)}-{clock_text(self.closes_h)}"

    def _keeps(self, day: datetime, hour: float) -> bool:
        """Say whether the hours of that day of the week cover the hour (which runs on past midnight)."""
        return self.opens_h <= hour < self.closes_h and (self.weekends or day.weekday() < 5)


def clock_text(hour: float) -> str:
    """Return an hour of the day as text: 7.5 is `"07:30"`, 26 is `"02:00"`."""
    minutes = round(hour * 60) % (24 * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
