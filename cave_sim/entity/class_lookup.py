"""Which entity class a name means. Nothing is kept for it: Python itself knows the subclasses that are loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cave_sim.errors import WorldError

PROGRAMS = frozenset({"__main__", "__mp_main__"})
"""How Python calls the module of a program, which goes by its own name wherever it is imported."""


def origin(cls: type) -> str:
    """Return where a class is declared, as ``module:qualname``."""
    return f"{cls.__module__}:{cls.__qualname__}"


def is_origin(recorded: str, cls: type) -> bool:
    """Say whether a class is the one that was recorded; the module of a program passes for any other."""
    (module, _, name), (here, _, own_name) = recorded.partition(":"), origin(cls).partition(":")
    return name == own_name and (module == here or not PROGRAMS.isdisjoint((module, here)))


def loaded_classes(root: type, name: str) -> list[type]:
    """Return the loaded subclasses with that bare name, oldest first; of those with one origin, the newest alone."""
    namesakes = (cls for cls in _subclasses(root) if cls.__name__ == name)
    newest: dict[str, type] = {origin(cls): cls for cls in namesakes}
    return list(newest.values())


def nearest_class(root: type, name: str, owner: type) -> type | None:
    """Return the subclass that an annotation in a class means by a bare name, or None if none is loaded.

    The one declared in the same function comes first, then those of the same module, then those of near packages.

    Raises:
        WorldError: two are equally near.
    """
    candidates = loaded_classes(root, name)
    if not candidates:
        return None
    distances = [_shared_parts(cls, owner) for cls in candidates]
    nearest = [cls for cls, parts in zip(candidates, distances, strict=True) if parts == max(distances)]
    if len(nearest) > 1:
        raise WorldError(f"{name!r} may mean {' or '.join(map(origin, nearest))}; import the one that is meant")
    return nearest[0]


def recorded_class(root: type, name: str, fields: Iterable[str], recorded: str | None) -> type:
    """Return the loaded class that data was written of.

    Args:
        root: whose subclasses are looked at.
        name: the bare name in the data.
        fields: of the data.
        recorded: the origin that was written down with the data; None if there was none.

    Raises:
        WorldError: no such class is loaded, or nothing says which of several is meant.
    """
    candidates = loaded_classes(root, name)
    if not candidates:
        where = f"; import {recorded.partition(':')[0]}, which declares it" if recorded else ""
        raise WorldError(f"no entity class {name!r} is loaded{where or '; import the module that declares it'} first")
    if recorded is not None:
        same = [cls for cls in candidates if is_origin(recorded, cls)]
        if not same:
            others = " and ".join(map(origin, candidates))
            raise WorldError(f"the data of {name!r} was written with {recorded}; what is loaded is {others}")
        return next((cls for cls in same if origin(cls) == recorded), same[-1])
    wanted = set(fields)
    fitting = [cls for cls in candidates if set(cls._declared) == wanted] or candidates  # type: ignore[attr-defined]
    if len(fitting) > 1:
        raise WorldError(f"{name!r} may be {' or '.join(map(origin, fitting))}, and the data does not say which")
    return fitting[0]


def _subclasses(root: type) -> Iterator[type]:
    subclasses: list[type] = root.__subclasses__()
    for cls in subclasses:
        yield cls
        yield from _subclasses(cls)


def _shared_parts(cls: type, owner: type) -> int:
    """Return how many parts of their full names two classes share from the front."""
    parts = [f"{kind.__module__}.{kind.__qualname__}".split(".") for kind in (cls, owner)]
    count = 0
    for one, other in zip(*parts, strict=False):
        if one != other:
            break
        count += 1
    return count
