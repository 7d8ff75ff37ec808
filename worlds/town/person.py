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
    traits: list[str] = field([], about="sociable, quiet, frugal, careless, sporty, curious")
    biography: str = field("", about="who they are, in a sentence or two")
    home: Place | None = field(None, guarded=True, about="where they live")
    workplace: Place | None = field(None, guarded=True, about="where they work or study")
    wakes_h: float = field(7.0, unit="h", ge=0, le=24, about="hour at which they usually wake")
    sleeps_h: float = field(22.5, unit="h", ge=0, le=30, about="hour at which they usually go to bed")
    shift_starts_h: float = field(0.0, unit="h", ge=0, le=24, guarded=True, about="hour at which their work begins")
    shift_ends_h: float = field(
        0.0, unit="h", ge=0, le=30, guarded=True, about="hour at which their work ends; the same: no work"
    )
    works_weekends: bool = field(False, guarded=True, about="works on Saturdays and Sundays too")
    wage_cents_h: int = field(0, unit="EUR cent/h", ge=0, guarded=True, about="what they earn before tax")

    location: Place | None = field(None, guarded=True, about="the place they are in; None: out on the street")
    destination: Place | None = field(None, guarded=True, about="where they are walking to")
    node: int = field(0, ge=0, guarded=True, about="corner of the map where they are, or where their walk began")
    walked_m: float = field(0.0, unit="m", ge=0, guarded=True, about="how far they have come on their walk")
    lon: float = field(0.0, guarded=True, about="position on the map: longitude, or column of a tile")
    lat: float = field(0.0, guarded=True, about="position on the map: latitude, or row of a tile")

    activity: Activity = field("resting", guarded=True, about="what they are doing")
    did: str = field("", guarded=True, about="what they finished last; walking: they have just arrived")
    since_s: float = field(0.0, unit="s", ge=0, guarded=True, about="world time at which that began")
    until_s: float = field(0.0, unit="s", ge=0, guarded=True, about="world time at which that ends by itself; 0: open")
    energy: float = field(0.9, ge=0, le=1, guarded=True, about="1 rested, 0 exhausted")
    hunger: float = field(0.3, ge=0, le=1, guarded=True, about="0 full, 1 starving")
    mood: float = field(0.6, ge=0, le=1, guarded=True, about="0 miserable, 1 delighted")
    money_cents: int = field(0, unit="EUR cent", ge=0, merge="add", guarded=True, about="purse and account")
    belongings: dict[str, int] = field({}, guarded=True, about="what they own: groceries are meals to eat at home")

    plan: dict[str, str] = field({}, about='what they mean to do: {"18:00": "meet maija_virtanen at cafe_engel"}')
    diary: list[str] = field([], about="their own notes, the latest last")
    learned: dict[str, str] = field({}, about='opening hours they know: {"cafe_engel": "07:30-19:00"}')
    haunts: list[str] = field([], about="names of the places they know and like")
    heard: list[str] = field(
        [], merge="extend", guarded=True, about="what was said to and by them, and what they noticed, the latest last"
    )
