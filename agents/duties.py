"""What a mayor does about the weather: close the parks, open a shelter, say so; and wish everybody a good morning."""

from collections.abc import Mapping
from typing import Any

HEAVY_MM_H = 0.8


def plain(text: str) -> str:
    """Return a text that can stand between double quotes in a cell."""
    return text.replace("\\", "").replace('"', "'")


def duty(observation: Mapping[str, Any]) -> str:
    """Return the cell that the hour and the weather ask of a mayor; empty if they ask for nothing."""
    parks = observation["town"]["parks"]
    sky, falling_mm = observation["weather"]["kind"], observation["weather"]["precipitation_mm"]
    stamp = f"{observation['time'][:3]} {observation['time'][-5:]}"
    if sky == "storm" or falling_mm >= HEAVY_MM_H:
        if not observation["town"]["shelters"] and parks:
            return _open_shelter(max(parks, key=lambda name: (_guests(parks[name]), name)), stamp)
        open_parks = [name for name, state in parks.items() if state.startswith("open")]
        if open_parks:
            return _close_parks(open_parks, sky, stamp)
    elif falling_mm == 0 and any(state.startswith("closed") for state in parks.values()):
        return _reopen_parks(stamp)
    return _greet(observation, stamp)


def _close_parks(parks: list[str], sky: str, stamp: str) -> str:
    return (
        f"for park in [{', '.join(parks)}]:\n    park.closed = True\n"
        f'town.announcements.append("{stamp} Because of the {sky} the parks are closed. Please stay indoors.")'
    )


def _reopen_parks(stamp: str) -> str:
    return (
        "for place in world.all(Place):\n    if place.kind == 'park' and place.closed:\n        place.closed = False\n"
        f'town.announcements.append("{stamp} It is dry again, the parks are open.")'
    )


def _guests(state: str) -> int:
    """Return how many are inside, of ``open, 3 inside``."""
    return int(state.split()[1])


def _open_shelter(park: str, stamp: str) -> str:
    name = f"shelter_{park}"
    return (
        f'shelter = Place(title=f"Rain shelter {{{park}.title}}", kind="shelter", capacity=80,\n'
        f"                node={park}.node, lon={park}.lon, lat={park}.lat)\n"
        f'world.add("{name}", shelter)\ntown.landmarks.append("{name}")\n'
        f'town.announcements.append(f"{stamp} Heavy rain. A shelter stands open at {{{park}.title}} ({name}).")'
    )


def _greet(observation: Mapping[str, Any], stamp: str) -> str:
    day = observation["time"][:3]
    has_greeted = any(line.startswith(day) and "Good morning" in line for line in observation["town"]["announcements"])
    if has_greeted or not 7 <= observation["hour"] < 11:
        return ""
    weather = observation["weather"]
    return (
        f'town.announcements.append("{stamp} Good morning! {weather["temperature_c"]:.0f} degrees, {weather["kind"]}; '
        'have a good day.")'
    )
