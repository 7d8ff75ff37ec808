"""How a scripted resident reads an observation: what hour it feels like, what is open, who is there to talk to."""

import re
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from random import Random
from typing import Any

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
GRACE_H = 0.75  # how long one waits at an appointment
ROUNDING_H = 0.01  # by how much at most the hour that one observes is off


class Perception:
    """One observation, seen by one resident.

    Args:
        seen: what is observed.
        stream: makes the random stream that draws what is left to mood; most moments leave nothing to it.
    """

    def __init__(self, seen: Mapping[str, Any], stream: Callable[[], Random]) -> None:
        self.seen = seen
        self._stream = stream
        self.me: Mapping[str, Any] = seen["me"]
        self.hour: float = seen["hour"]
        self.here: Mapping[str, Any] | None = seen.get("here")

    @cached_property
    def rng(self) -> Random:
        """Draws what is left to mood."""
        return self._stream()

    @property
    def use(self) -> str:
        """What the place one is in is for; empty out on the street."""
        return self.here["use"] if self.here else ""

    @property
    def at(self) -> str:
        """Name of the place one is in; empty out on the street."""
        return self.here["name"] if self.here else ""

    @property
    def just_arrived(self) -> bool:
        """Whether one has come in and done nothing here yet."""
        return (self.me["did"], self.me["activity"]) == ("walking", "waiting")

    @property
    def serves_food(self) -> bool:
        """Whether one can eat here now."""
        return self.use in ("meal", "coffee", "drinks") and not (self.here or {})["sign"].startswith("closed")

    @property
    def is_wet(self) -> bool:
        """Whether rain or snow falls."""
        return bool(self.seen["weather"]["precipitation_mm"] > 0)

    @property
    def euros(self) -> float:
        """What one can spend."""
        return float(self.me["money_cents"] / 100)

    @property
    def is_bedtime(self) -> bool:
        """Whether the usual hour has come, or one can hardly stand."""
        awake_h = (self.hour - self.me["wakes_h"]) % 24
        return bool(self.me["sleeps_h"] - self.me["wakes_h"] <= awake_h < 22 or self.me["energy"] < 0.08)

    @cached_property
    def work_left_h(self) -> float:
        """Hours of one's shift that are left today, from half an hour before it begins; 0 outside of it."""
        starts_h, ends_h = self.me["shift"]
        works_today = self.seen["weekday"] < 5 or self.me["works_weekends"]
        if not self.me["workplace"] or starts_h == ends_h or not works_today:
            return 0.0
        return ends_h - self.hour if starts_h - 0.5 <= self.hour < ends_h - 0.4 else 0.0

    @cached_property
    def parks_closed(self) -> bool:
        """Whether the latest word from the town on its parks is that they are closed."""
        words = [line for line in self.seen["news"] if "the parks are" in line]
        return bool(words) and "the parks are closed" in words[-1]

    @cached_property
    def appointment(self) -> tuple[str, str, str] | None:
        """The meeting that is due, as (time, with whom, where); None if there is none."""
        for at, what in self.seen["plan"].items():
            match = re.fullmatch(r"meet (\w+) at (\w+)", what)
            due_h = hour_of(at)
            if match and due_h is not None and -GRACE_H < due_h - self.hour <= 0.35:
                return at, match[1], match[2]
        return None

    def missed(self) -> list[str]:
        """Return the times of meetings that are over."""
        return [at for at, hour in self._meetings().items() if self.hour - hour >= GRACE_H]

    def over(self) -> list[str]:
        """Return the times of meetings since one woke; the next day has the same hours."""
        awake_h = (self.hour - self.me["wakes_h"]) % 24
        return [at for at, hour in self._meetings().items() if (hour - self.me["wakes_h"]) % 24 < awake_h]

    def _meetings(self) -> dict[str, float]:
        hours = {at: hour_of(at) for at, what in self.seen["plan"].items() if what.startswith("meet ")}
        return {at: hour for at, hour in hours.items() if hour is not None}

    def options(self, *uses: str, sells: str = "", at_h: float | None = None) -> list[dict[str, Any]]:
        """Return the places known for one of these uses and not known to be closed (at that hour), nearest first."""
        hour = self.hour if at_h is None else at_h
        fit = [
            place
            for place in self.seen["places"]
            if place["use"] in uses
            and (place["distance_m"] > 0 or place["use"] == "shelter")  # not the door one stands in front of
            and place["name"] != self.at
            and (not sells or place["sells"] == sells)
            and not self._avoids(place, hour)
        ]
        return sorted(fit, key=lambda place: (place["distance_m"], place["name"]))

    def pick(self, *uses: str, sells: str = "", at_h: float | None = None) -> str | None:
        """Draw the name of one of the `options`, the nearer the likelier; None if there is none."""
        fit = self.options(*uses, sells=sells, at_h=at_h)
        return fit[min(int(self.rng.expovariate(1.0)), len(fit) - 1)]["name"] if fit else None

    def _avoids(self, place: dict[str, Any], hour: float) -> bool:
        if place["use"] != "park":
            return is_known_closed(place["hours"], hour, self.seen["weekday"])
        read_the_news = "careless" not in self.me["traits"] or place["hours"].startswith("closed")
        return self.parks_closed and read_the_news

    @cached_property
    def listeners(self) -> list[dict[str, Any]]:
        """Those here who are awake."""
        return [other for other in self.seen["near"] if other["activity"] != "sleeping"]

    def has_talked_to(self, name: str) -> bool:
        """Whether one remembers a conversation with that person."""
        return any(f" you to {name}: " in line or f" ({name}): " in line for line in self.seen["heard"])

    def awaits_answer_of(self, name: str) -> bool:
        """Whether the last word between that person and oneself was one's own."""
        lines = [line for line in self.seen["heard"] if f" you to {name}: " in line or f" ({name}): " in line]
        return bool(lines) and f" you to {name}: " in lines[-1]

    def said_to(self, name: str) -> list[str]:
        """Return what one remembers to have said to that person, oldest first."""
        return [line.partition(f" you to {name}: ")[2] for line in self.seen["heard"] if f" you to {name}: " in line]

    def just_heard(self, of: str = "", within_h: float = 0.34) -> tuple[str, str] | None:
        """Return who here has just said something to one, and what; None if nobody has, or not whom one listens to."""
        for line in reversed(self.seen["heard"]):
            said_h = hour_of(line[:5])
            if said_h is None or (self.hour + ROUNDING_H - said_h) % 24 >= within_h:
                continue
            match = re.fullmatch(r"\d\d:\d\d [^:]*\((\w+)\): (.+)", line)
            if match and of in ("", match[1]) and any(other["name"] == match[1] for other in self.listeners):
                return match[1], match[2]
        return None


def is_known_closed(hours: str, hour: float, weekday: int) -> bool:
    """Say whether what one knows of the hours (`"07:30-19:00"`, `"closed until Mon 08:00"`) means closed now."""
    if match := re.fullmatch(r"(\d\d:\d\d)-(\d\d:\d\d)", hours):
        opens_h, closes_h = hour_of(match[1]) or 0.0, hour_of(match[2]) or 24.0
        return not opens_h <= hour < closes_h if opens_h < closes_h else closes_h <= hour < opens_h
    if match := re.fullmatch(r"closed until (?:(\w{3}) )?(\d\d:\d\d)", hours):
        days = (WEEKDAYS.index(match[1]) - weekday) % 7 if match[1] in WEEKDAYS else 0
        return 1 <= days <= 2 or hour < (hour_of(match[2]) or 0.0)
    return hours.startswith("closed")


@lru_cache(maxsize=4096)
def hour_of(text: str) -> float | None:
    """Return the hour of the day that a text such as `"18:30"` means; None if it means none."""
    match = re.fullmatch(r"(\d\d):(\d\d)", text)
    return int(match[1]) + int(match[2]) / 60 if match else None
