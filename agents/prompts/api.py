"""The world as a resident needs it: what they can do with documentation, the rest by name alone."""

import re
from functools import cache

from cave_sim import Entity
from cave_sim.world.api_reference import describe_class

_FIELD = re.compile(r"    (\w+): ([^#]*?)(?:  #.*)?")
_METHOD = re.compile(r"    (?:async )?def (.*?)(?: -> .*)?(?:  #.*)?")


@cache
def brief(me: type[Entity], others: tuple[tuple[type[Entity], frozenset[str]], ...]) -> str:
    """Return class stubs: of one's own class what one can do and write, of the others one line each.

    Args:
        me: class of the resident.
        others: classes of the rest of the world, each with its fields that are not for the resident.
    """
    own = [line for line in describe_class(me).splitlines() if not line.endswith("read-only")]
    strangers = [each for each in others if not issubclass(each[0], me) and not issubclass(me, each[0])]
    other_classes = [one_line(kind, hidden) for kind, hidden in strangers]
    everywhere = "Also there: world['any name'], world.all(Class), clock, rng"
    return "\n".join([f"me: {me.__name__}  # yourself", *own, *other_classes, everywhere])


def one_line(kind: type[Entity], hidden: frozenset[str] = frozenset()) -> str:
    """Return a class as ``class Name: field, method(arguments)  # its first line of documentation``."""
    lines = describe_class(kind, without=hidden).splitlines()
    matches = (_FIELD.fullmatch(line) or _METHOD.fullmatch(line) for line in lines)
    members = [match[1] for match in matches if match]
    about = (kind.__doc__ or "").partition("\n")[0]
    return f"class {kind.__name__}: {', '.join(members)}" + (f"  # {about}" if about else "")
