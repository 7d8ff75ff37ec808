"""The world as a resident needs it: a menu. What they can do, by name and arguments; ``help`` in a cell tells more."""

from functools import cache

from cave_sim import Entity
from cave_sim.world.api_menu import call_of
from cave_sim.world.api_reference import method_names


@cache
def menu(me: type[Entity]) -> str:
    """Return what one can do, by name.

    The full stubs of a town take some 990 tokens; this menu takes some 50, and a cell may ask for any of them.

    Args:
        me: class of the resident.
    """
    calls = ", ".join(call_of(me, name) for name in method_names(me))
    return f"me: {calls}\nhelp(me), help(place)"
