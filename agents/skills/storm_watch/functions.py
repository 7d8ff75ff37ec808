"""What helps in a storm. These functions run in cells: they find the world's names there."""


def feels_like_c(temperature_c: float, wind_m_s: float) -> float:
    """Return how cold the wind makes it feel, in degrees Celsius (wind chill index, JAG/TI 2001)."""
    wind_km_h = 3.6 * wind_m_s
    if temperature_c > 10 or wind_km_h < 4.8:
        return temperature_c
    return round(13.12 + 0.6215 * temperature_c - (11.37 - 0.3965 * temperature_c) * wind_km_h**0.16, 1)


def close_parks() -> list[str]:
    """Close every park that is open; return their names."""
    closed = [name for name in world if getattr(world[name], "kind", "") == "park" and not world[name].closed]
    for name in closed:
        world[name].closed = True
    return closed


def reopen(names: list[str]) -> None:
    """Let people in again."""
    for name in names:
        world[name].closed = False
