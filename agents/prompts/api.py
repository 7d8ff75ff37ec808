"""The world as a resident needs it: a menu. What they can do, by name and arguments; ``help`` in a cell tells more."""

from functools import cache

from cave_sim import Entity
from cave_sim.world.api_menu import call_of
from cave_sim.world.api_reference import method_names


@cache
def menu(me: type[Entity], others: tuple[type[Entity], ...]) -> str:
    """Return what one can do, and what else there is, by name.

    The full stubs of a town take some 990 tokens; this menu takes some 90, and a cell may ask for any of them.

    Args:
        me: class of the resident.
        others: classes of the rest of the world.
    """
    deeds = ", ".join(call_of(me, name) for name in method_names(me))
    names = ", ".join(kind.__name__ for kind in others if not issubclass(kind, me) and not issubclass(me, kind))
    return f"me: {deeds}\n{names}: help(me), help(place), ... print more."
