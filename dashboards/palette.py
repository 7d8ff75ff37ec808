"""Colours, symbols and words of the run report.

Colours are Okabe and Ito's, told apart by every common colour vision (https://jfly.uni-koeln.de/color/). They are CSS
variables that page.css sets and the page resolves, so that one figure serves the light and the dark theme.
"""

from __future__ import annotations

from collections.abc import Iterable

INK, MUTED, GRID = "var(--ink)", "var(--muted)", "var(--grid)"
STREET, PLACE = "var(--street)", "var(--place)"
ASLEEP, AT_REST, OTHER = "var(--asleep)", "var(--at-rest)", "var(--other)"

BLUE, SKY, GREEN, ORANGE = "var(--blue)", "var(--sky)", "var(--green)", "var(--orange)"
VERMILION, PURPLE, YELLOW, BLACK = "var(--vermilion)", "var(--purple)", "var(--yellow)", "var(--black)"
CYCLE = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION, YELLOW, BLACK)

STATUS = {"committed": BLUE, "failed": ORANGE, "blocked": VERMILION, "conflict": PURPLE, "timeout": YELLOW}
NEWS = {"announced": GREEN, "created": SKY, "removed": MUTED}
SYMBOLS = ("square", "diamond", "triangle-up", "cross", "star", "pentagon", "hexagon", "triangle-down")
ANY_SYMBOL = "circle-open"

UNITS = {
    "c": "°C",
    "degC": "°C",
    "mm": "mm",
    "cents": "cents",
    "m": "m",
    "s": "s",
    "h": "h",
    "pct": "%",
    "ms": "m/s",
    "mps": "m/s",
}


def activity_colours(activities: Iterable[str]) -> dict[str, str]:
    """Return a colour per activity, most frequent first.

    Sleep and rest fill much of every day, so they are pale; past eight others, the remaining ones share one grey.
    """
    colours: dict[str, str] = {}
    free = list(CYCLE)
    for activity in activities:
        pale = ASLEEP if "sleep" in activity else AT_REST if activity.startswith("rest") else None
        colours[activity] = pale or (free.pop(0) if free else OTHER)
    return colours


def veil(colour: str) -> str:
    """Return a coloured variable's see-through sister, for areas behind lines."""
    return colour.replace(")", "-veil)")


def split_unit(name: str) -> tuple[str, str]:
    """Return words and unit of a name: `mean_temperature_c`, "mean temperature (degC)"."""
    if name.endswith(")") and " (" in name:
        stem, _, unit = name[:-1].partition(" (")
        return stem, UNITS.get(unit, unit)
    stem, _, suffix = name.rpartition("_")
    if stem and suffix in UNITS:
        return stem.replace("_", " "), UNITS[suffix]
    return name.replace("_", " "), ""


def plain(text: str) -> str:
    """Return text that plotly shows as it is: its labels understand tags, and names of a world may look like one."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def count(number: int, noun: str) -> str:
    """Return "1 step", "1,204 steps"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
