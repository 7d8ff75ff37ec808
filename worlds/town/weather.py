"""The weather: recorded days, spread over their hours."""

import csv
from datetime import date, datetime, timedelta
from functools import cache
from math import cos, pi
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

from cave_sim import Entity, Refused, World, WorldError, field, narrates, own_agent_only

RECORDS = Path(__file__).parent / "data" / "seattle_weather.csv"
COLDEST_H, WARMEST_H = 5.0, 15.0
STORM_MM_H = 4.0
Sky = Literal["sun", "cloudy", "fog", "drizzle", "rain", "storm", "snow"]
TYPICAL = {"drizzle": (0.3, 4.0), "rain": (2.0, 6.0), "storm": (9.0, 21.0), "snow": (1.5, 5.0)}
"""What falls (mm/h) and blows (m/s) in a sky that somebody asks for."""
LONGEST_SPELL_H = 72.0


class Day(NamedTuple):
    """One recorded day: precipitation in mm, temperatures in degrees Celsius, mean wind in m/s."""

    kind: str
    precipitation_mm: float
    high_c: float
    low_c: float
    wind_m_s: float


class Weather(Entity):
    """The weather over the town right now. Everybody can look; only an agent granted "*" can change it."""

    kind: Sky = field("sun", guarded=True, about="what the sky does")
    temperature_c: float = field(15.0, unit="degC", ge=-60, le=60, guarded=True, about="air temperature")
    precipitation_mm: float = field(0.0, unit="mm/h", ge=0, guarded=True, about="rain or snow falling")
    wind_m_s: float = field(2.0, unit="m/s", ge=0, guarded=True, about="wind speed")
    showers_mm: list[float] = field([], unit="mm", guarded=True, about="precipitation of each hour of today")

    held_until_s: float = field(
        0.0, unit="s", ge=0, guarded=True, about="world time until which it stays as somebody made it"
    )

    @own_agent_only
    @narrates("has the weather turn to {kind} for {hours} hours")
    def turn(self, kind: Sky, hours: float) -> str:
        """Make it storm, snow or shine for so many hours, whatever the records say."""
        if not 0 < hours <= LONGEST_SPELL_H:
            raise Refused(f"A spell of weather lasts up to {LONGEST_SPELL_H:g} hours, not {hours:g}.")
        self.kind = kind
        self.precipitation_mm, self.wind_m_s = TYPICAL.get(kind, (0.0, 2.0))
        self.held_until_s = self.world.clock.time_s + 3600 * hours
        return f"{kind} for {hours:g} h"

    def is_wet(self) -> bool:
        """Say whether one gets wet outside."""
        return self.precipitation_mm > 0

    def observe(self) -> dict[str, object]:
        """Return the weather as anyone sees it from a window."""
        return {
            "kind": self.kind,
            "temperature_c": self.temperature_c,
            "precipitation_mm": self.precipitation_mm,
            "wind_m_s": self.wind_m_s,
        }


def follow_the_records(world: World) -> None:
    """Set `world["weather"]` to the recorded weather of the world's date and hour (dynamics)."""
    weather, now, hour = world["weather"], world.clock.now, world.clock.hour
    today = day_on(now.date())
    if not weather.showers_mm or _just_past_midnight(now, world.step_s):
        weather.showers_mm = showers_mm(today, world.rng("weather"))
    falling_mm = weather.showers_mm[int(hour)]
    if world.clock.time_s < weather.held_until_s:
        return
    sky = sky_at(today, hour, falling_mm)
    wind_m_s = round(
        today.wind_m_s * (1 + 0.35 * cos((hour - WARMEST_H) / 12 * pi)) * (1.6 if sky == "storm" else 1.0), 1
    )
    readings = {"kind": sky, "temperature_c": temperature_c(now), "precipitation_mm": falling_mm, "wind_m_s": wind_m_s}
    for name, reading in readings.items():
        if getattr(weather, name) != reading:
            setattr(weather, name, reading)


@cache
def records(path: Path = RECORDS) -> dict[date, Day]:
    """Read recorded days by date.

    Raises:
        WorldError: a line breaks the format; says file, line, rule and way out.
    """
    days: dict[date, Day] = {}
    with path.open(newline="", encoding="utf-8") as lines:
        for number, row in enumerate(csv.DictReader(lines), start=2):
            try:
                days[datetime.strptime(row["date"], "%Y/%m/%d").date()] = Day(
                    row["weather"],
                    float(row["precipitation"]),
                    float(row["temp_max"]),
                    float(row["temp_min"]),
                    float(row["wind"]),
                )
            except (KeyError, TypeError, ValueError) as error:
                raise WorldError(
                    f"{path.name}: line {number}: {error}; each line must hold date (yyyy/mm/dd), "
                    "precipitation, temp_max, temp_min, wind, weather."
                ) from None
    return days


def day_on(when: date) -> Day:
    """Return the recorded day for a date; outside the records, the same day of the recorded year alike in leap days."""
    days = records()
    return days[when if when in days else when.replace(year=2012 + when.year % 4)]


def temperature_c(now: datetime) -> float:
    """Return the temperature: coldest at 5, warmest at 15, eased from one extreme to the next, also over midnight."""
    today, hour = now.date(), now.hour + now.minute / 60
    if hour < COLDEST_H:
        begin_h, begin_c, end_h, end_c = (
            WARMEST_H - 24,
            day_on(today - timedelta(1)).high_c,
            COLDEST_H,
            day_on(today).low_c,
        )
    elif hour < WARMEST_H:
        begin_h, begin_c, end_h, end_c = COLDEST_H, day_on(today).low_c, WARMEST_H, day_on(today).high_c
    else:
        begin_h, begin_c, end_h, end_c = (
            WARMEST_H,
            day_on(today).high_c,
            COLDEST_H + 24,
            day_on(today + timedelta(1)).low_c,
        )
    share = (1 - cos(pi * (hour - begin_h) / (end_h - begin_h))) / 2
    return round(begin_c + share * (end_c - begin_c), 1)


def showers_mm(day: Day, rng: Random) -> list[float]:
    """Draw how much falls in each hour of a day, in mm; the hours add up to what was recorded (to 0.1 mm)."""
    tenths = round(day.precipitation_mm * 10)
    hours = [0] * 24
    wet = sorted(rng.sample(range(24), min(24, 2 + round(day.precipitation_mm / 3))))
    for _ in range(tenths):  # drop by drop into few hours and their neighbours: showers, not an even grey
        hours[(rng.choice(wet) + rng.choice((0, 0, 1))) % 24] += 1
    return [count / 10 for count in hours]


def sky_at(day: Day, hour: float, falling_mm: float) -> Sky:
    """Say what the sky does, from the day's recorded kind and what falls in this hour (mm)."""
    if falling_mm > 0:
        wet: tuple[Sky, Sky, Sky] = ("snow", "snow", "snow") if day.kind == "snow" else ("drizzle", "rain", "storm")
        return wet[(falling_mm >= 0.5) + (falling_mm >= STORM_MM_H)]
    if day.kind == "fog":
        return "fog" if hour < 11 else "sun"
    return "sun" if day.kind == "sun" else "cloudy"


def _just_past_midnight(now: datetime, step_s: float) -> bool:
    return now - timedelta(seconds=step_s) < now.replace(hour=0, minute=0, second=0, microsecond=0)
