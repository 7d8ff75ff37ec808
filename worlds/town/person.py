"""What a resident is: fields only. What residents can do is in `resident.py`, what they notice in `perception.py`."""

from typing import Literal

from cave_sim import Entity, field
from cave_sim.worlds.town.place import Place

Activity = Literal[
    "sleeping", "resting", "walking", "working", "eating", "drinking", "shopping", "relaxing", "talking", "waiting"
]
HEARD, DIARY, LEARNED = 8, 24, 24  # how many of each a resident keeps in mind


class Person(Entity):
    """Somebody who lives here."""

    title: str = field(guarded=True, about="full name")
    age: int = field(30, unit="years", ge=0, le=120, guarded=True)
    job: str = field("", guarded=True, about="barista, teacher, student, retired, ...")
    traits: list[str] = field([], visible_to="known", about="sociable, quiet, frugal, careless, sporty, curious")
    biography: str = field("", visible_to="known", about="who they are, in a sentence or two")
    home: Place | None = field(None, guarded=True, visible_to="known", about="where they live")
    workplace: Place | None = field(None, guarded=True, visible_to="known", about="where they work or study")
    wakes_h: float = field(7.0, unit="h", ge=0, le=24, visible_to="known", about="hour at which they usually wake")
    sleeps_h: float = field(
        22.5, unit="h", ge=0, le=30, visible_to="known", about="hour at which they usually go to bed"
    )
    shift_starts_h: float = field(
        0.0, unit="h", ge=0, le=24, guarded=True, visible_to="known", about="hour at which their work begins"
    )
    shift_ends_h: float = field(
        0.0,
        unit="h",
        ge=0,
        le=30,
        guarded=True,
        visible_to="known",
        about="hour at which their work ends; the same: no work",
    )
    works_weekends: bool = field(False, guarded=True, visible_to="known", about="works on Saturdays and Sundays too")
    wage_cents_h: int = field(0, unit="EUR cent/h", ge=0, guarded=True, private=True, about="what they earn before tax")

    location: Place | None = field(
        None, guarded=True, visible_to="here", about="the place they are in; None: out on the street"
    )
    destination: Place | None = field(None, guarded=True, private=True, about="where they are walking to")
    node: int = field(
        0, ge=0, guarded=True, visible_to="here", about="corner of the map where they are, or where their walk began"
    )
    walked_m: float = field(
        0.0, unit="m", ge=0, guarded=True, private=True, about="how far they have come on their walk"
    )
    lon: float = field(
        0.0, guarded=True, visible_to="here", about="position on the map: longitude, or column of a tile"
    )
    lat: float = field(0.0, guarded=True, visible_to="here", about="position on the map: latitude, or row of a tile")

    activity: Activity = field("resting", guarded=True, visible_to="here", about="what they are doing")
    did: str = field("", guarded=True, private=True, about="what they finished last; walking: they have just arrived")
    since_s: float = field(0.0, unit="s", ge=0, guarded=True, private=True, about="world time at which that began")
    until_s: float = field(
        0.0, unit="s", ge=0, guarded=True, private=True, about="world time at which that ends by itself; 0: open"
    )
    energy: float = field(0.9, ge=0, le=1, guarded=True, private=True, about="1 rested, 0 exhausted")
    hunger: float = field(0.3, ge=0, le=1, guarded=True, private=True, about="0 full, 1 starving")
    mood: float = field(0.6, ge=0, le=1, guarded=True, visible_to="here", about="0 miserable, 1 delighted")
    money_cents: int = field(
        0, unit="EUR cent", ge=0, merge="add", guarded=True, private=True, about="purse and account"
    )
    belongings: dict[str, int] = field(
        {}, guarded=True, private=True, about="what they own: groceries are meals to eat at home"
    )

    plan: dict[str, str] = field(
        {}, private=True, about='what they mean to do: {"18:00": "meet maija_virtanen at cafe_engel"}'
    )
    diary: list[str] = field([], private=True, about="their own notes, the latest last")
    learned: dict[str, str] = field({}, private=True, about='opening hours they know: {"cafe_engel": "07:30-19:00"}')
    haunts: list[str] = field([], private=True, about="names of the places they know and like")
    heard: list[str] = field(
        [],
        merge="extend",
        guarded=True,
        private=True,
        about="what was said to and by them, and what they noticed, the latest last",
    )

    def _whereabouts(self) -> object:
        return self.location or self.node  # out on the street, the corner

    def _is_known_to(self, reader: Entity) -> bool:
        return bool(self.world["town"].strength(self.id, reader.id) > 0)
