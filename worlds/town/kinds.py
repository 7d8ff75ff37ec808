"""Kinds of places: what one does there, when they open, how many fit in, what they cost and who works there.

The kinds are OpenStreetMap's (plus `home` and `shelter`); hours, prices and wages are invented but Finnish in spirit.
"""

from typing import Literal, NamedTuple

Use = Literal["home", "meal", "coffee", "drinks", "shop", "park", "culture", "sport", "care", "office", "shelter"]


class Kind(NamedTuple):
    """One kind of place. Hours are hours of the day (26 is 2 o'clock the next morning), money is in EUR cents."""

    use: Use
    opens_h: float
    closes_h: float
    weekends: bool
    capacity: int
    price_cents: int
    staff: int
    job: str
    wage_cents_h: int
    sells: str = ""


KINDS: dict[str, Kind] = {
    "home": Kind("home", 0, 24, True, 400, 0, 0, "", 0),
    "shelter": Kind("shelter", 0, 24, True, 120, 0, 0, "", 0),
    "park": Kind("park", 0, 24, True, 300, 0, 0, "", 0),
    "restaurant": Kind("meal", 11, 23, True, 36, 1490, 4, "cook", 1650),
    "fast_food": Kind("meal", 10, 24, True, 24, 990, 3, "kitchen hand", 1450),
    "cafe": Kind("coffee", 7.5, 19, True, 22, 520, 3, "barista", 1480),
    "bakery": Kind("coffee", 7, 17, True, 14, 460, 3, "baker", 1600),
    "pub": Kind("drinks", 15, 26, True, 40, 780, 2, "bartender", 1560),
    "bar": Kind("drinks", 16, 26, True, 30, 890, 2, "bartender", 1560),
    "supermarket": Kind("shop", 7, 22, True, 80, 420, 5, "shop assistant", 1420, "groceries"),
    "convenience": Kind("shop", 7, 23, True, 25, 480, 2, "shop assistant", 1400, "groceries"),
    "books": Kind("shop", 10, 20, True, 30, 1890, 3, "bookseller", 1500, "book"),
    "clothes": Kind("shop", 10, 19, True, 30, 3900, 3, "shop assistant", 1450, "clothes"),
    "department_store": Kind("shop", 9, 21, True, 200, 2900, 6, "sales assistant", 1500, "gift"),
    "florist": Kind("shop", 9, 18, True, 8, 1290, 1, "florist", 1480, "flowers"),
    "pharmacy": Kind("shop", 8, 20, True, 20, 1150, 2, "pharmacist", 2300, "medicine"),
    "hairdresser": Kind("care", 10, 18, False, 8, 4200, 2, "hairdresser", 1550),
    "clinic": Kind("care", 8, 18, False, 40, 2500, 4, "nurse", 2100),
    "fitness_centre": Kind("sport", 6, 22, True, 60, 950, 2, "trainer", 1700),
    "sports_centre": Kind("sport", 6.5, 21, True, 80, 850, 3, "lifeguard", 1550),
    "library": Kind("culture", 8, 20, True, 150, 0, 4, "librarian", 1850),
    "museum": Kind("culture", 10, 18, True, 120, 1500, 3, "museum guide", 1650),
    "cinema": Kind("culture", 12, 24, True, 120, 1350, 2, "projectionist", 1500),
    "theatre": Kind("culture", 17, 23, True, 160, 2800, 3, "stagehand", 1700),
    "company": Kind("office", 7, 19, False, 60, 0, 8, "engineer", 2900),
    "bank": Kind("office", 8, 17, False, 40, 0, 4, "bank clerk", 2200),
    "ngo": Kind("office", 8, 17, False, 30, 0, 3, "organiser", 2000),
    "lawyer": Kind("office", 8, 18, False, 25, 0, 3, "lawyer", 3600),
    "government": Kind("office", 7.5, 17, False, 120, 0, 8, "civil servant", 2400),
    "townhall": Kind("office", 7.5, 17, False, 120, 0, 5, "city clerk", 2300),
    "school": Kind("office", 7.5, 17, False, 200, 0, 6, "teacher", 2500),
    "university": Kind("office", 7, 20, False, 300, 0, 6, "researcher", 2400),
    "hotel": Kind("office", 0, 24, True, 80, 0, 4, "receptionist", 1600),
}


def kind_of(name: str) -> Kind:
    """Return the kind of that name; a name of one's own making (from a cell, say) counts as a shelter for all."""
    return KINDS.get(name, KINDS["shelter"])
