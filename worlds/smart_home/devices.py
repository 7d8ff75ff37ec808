"""The devices. Where people say "more" or "a bit less" they mean one step of a scale, which the device knows."""

from __future__ import annotations

from typing import ClassVar, Literal

from cave_sim import Entity, field


class Lamp(Entity):
    """A lamp with five levels: 0, 20, 40, 70 and 100 percent."""

    LEVELS: ClassVar[tuple[int, ...]] = (0, 20, 40, 70, 100)
    level: int = field(0, unit="%", ge=0, le=100, about="0 is off", guarded=True)
    colour: Literal["white", "warm", "red", "blue"] = field("white", guarded=True)

    def set_level(self, level: Literal[0, 20, 40, 70, 100]) -> int:
        """Set the level; returns it."""
        self.level = level
        return self.level

    def brighter(self) -> int:
        """One level up; returns the new level."""
        self.level = _step(self.LEVELS, self.level, 1)
        return self.level

    def dimmer(self) -> int:
        """One level down; returns the new level."""
        self.level = _step(self.LEVELS, self.level, -1)
        return self.level

    def set_colour(self, colour: Literal["white", "warm", "red", "blue"]) -> str:
        """Set the colour."""
        self.colour = colour
        return self.colour


class Speaker(Entity):
    """A loudspeaker with volumes 0 (silent), 15 (low), 40 (medium), 60 (party) and 80 (loud)."""

    VOLUMES: ClassVar[tuple[int, ...]] = (0, 15, 40, 60, 80)
    volume: int = field(0, unit="%", ge=0, le=100, guarded=True)
    playing: str = field("", about="what plays; empty for nothing", guarded=True)

    def play(self, what: str) -> str:
        """Play something, at the volume that is set; an empty text stops."""
        self.playing = what
        return self.playing

    def set_volume(self, volume: Literal[0, 15, 40, 60, 80]) -> int:
        """Set the volume; returns it."""
        self.volume = volume
        return self.volume

    def louder(self) -> int:
        """One volume up; returns the new one."""
        self.volume = _step(self.VOLUMES, self.volume, 1)
        return self.volume

    def quieter(self) -> int:
        """One volume down; returns the new one."""
        self.volume = _step(self.VOLUMES, self.volume, -1)
        return self.volume


class Blinds(Entity):
    """Blinds that are open at 100 percent, closed at 0, and move in steps of 25."""

    opening: int = field(0, unit="%", ge=0, le=100, guarded=True)

    def set_opening(self, opening: Literal[0, 25, 50, 75, 100]) -> int:
        """Move them there; returns the opening."""
        self.opening = opening
        return self.opening

    def further_open(self) -> int:
        """Open them by 25; returns the opening."""
        self.opening = min(100, self.opening + 25)
        return self.opening

    def further_closed(self) -> int:
        """Close them by 25; returns the opening."""
        self.opening = max(0, self.opening - 25)
        return self.opening


class Heating(Entity):
    """The heating. A step warmer or cooler is one degree."""

    target_c: int = field(19, unit="degC", ge=5, le=28, guarded=True)
    on: bool = field(True, guarded=True)

    def set_target(self, target_c: int) -> int:
        """Set the temperature to reach, 5 to 28 degrees."""
        self.target_c = target_c
        return self.target_c

    def switch(self, on: bool) -> bool:
        """Switch it on or off."""
        self.on = on
        return self.on


class Camera(Entity):
    """A camera at the door."""

    on: bool = field(False, guarded=True)
    recordings: int = field(0, ge=0, guarded=True)

    def switch(self, on: bool) -> bool:
        """Switch it on or off."""
        self.on = on
        return self.on

    def record(self) -> int:
        """Make one recording; returns how many there are. Does nothing when it is off."""
        self.recordings += self.on
        return self.recordings


class Door(Entity):
    """A door with a lock."""

    locked: bool = field(True, guarded=True)

    def lock(self) -> bool:
        """Lock it."""
        self.locked = True
        return self.locked

    def unlock(self) -> bool:
        """Unlock it."""
        self.locked = False
        return self.locked


class Outdoors(Entity):
    """What the sensors outside tell; it changes with the hours."""

    hour: int = field(0, ge=0, le=23, guarded=True)
    temperature_c: int = field(0, unit="degC", guarded=True)
    light: Literal["dark", "dusk", "bright"] = field("dark", guarded=True)
    motion: bool = field(False, about="whether somebody moves at the door", guarded=True)


def _step(scale: tuple[int, ...], now: int, by: int) -> int:
    """Return the next value of a scale, or the last one at its end."""
    at = scale.index(now) + by
    return scale[min(max(at, 0), len(scale) - 1)]
