"""A world with a method that looks outside: called again in the world process, it must see as little there."""

from pathlib import Path

from cave_sim import Entity, World, field

OUTSIDE = (Path("/etc/passwd"), Path("/proc/1/environ"))


class Window(Entity):
    """Looks outside, and notes what it could read."""

    views: list[str] = field([])

    def look(self) -> None:
        """Try to read what lies outside of Python's own folders."""
        for path in OUTSIDE:
            try:
                path.read_bytes()
            except OSError:
                continue
            self.views.append(str(path))


def build() -> World:
    """Return a world with a window."""
    world = World()
    world.add("window", Window())
    return world
