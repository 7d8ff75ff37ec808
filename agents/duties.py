"""What a mayor does about the weather: close the parks, open a shelter, say so; and wish everybody a good morning."""

from typing import Any

HEAVY_MM_H = 0.8


def plain(text: str) -> str:
    """Return a text that can stand between double quotes in a cell."""
    return text.replace("\\", "").replace('"', "'")


def duty(seen: dict[str, Any]) -> str:
    """Return the cell that the hour and the weather ask of a mayor; empty if they ask for nothing."""
    parks = seen["town"]["parks"]
    sky, falling_mm = seen["weather"]["kind"], seen["weather"]["precipitation_mm"]
    stamp = f"{seen['time'][:3]} {seen['time'][-5:]}"
    if sky == "storm" or falling_mm >= HEAVY_MM_H:
        if not seen["town"]["shelters"] and parks:
            return _open_shelter(max(parks, key=lambda park: (park["guests"], park["name"])), stamp)
        still_open = [park["name"] for park in parks if not park["closed"]]
        if still_open:
            return _close_parks(still_open, sky, stamp)
    elif falling_mm == 0 and any(park["closed"] for park in parks):
        return _reopen_parks(stamp)
    return _greet(seen, stamp)


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


def _open_shelter(park: dict[str, Any], stamp: str) -> str:
    name = f"shelter_{park['name']}"
    return (
        f'shelter = Place(title="Rain shelter {plain(park["title"])}", kind="shelter", capacity=80,\n'
        f"                node={park['node']}, lon={park['lon']}, lat={park['lat']})\n"
        f'world.add("{name}", shelter)\ntown.landmarks.append("{name}")\n'
        f'town.announcements.append("{stamp} Heavy rain. A shelter stands open at {plain(park["title"])} ({name}).")'
    )


def _greet(seen: dict[str, Any], stamp: str) -> str:
    day = seen["time"][:3]
    greeted = any(line.startswith(day) and "Good morning" in line for line in seen["town"]["announcements"])
    if greeted or not 7 <= seen["hour"] < 11:
        return ""
    weather = seen["weather"]
    return (
        f'town.announcements.append("{stamp} Good morning! {weather["temperature_c"]:.0f} degrees, {weather["kind"]}; '
        'have a good day.")'
    )
