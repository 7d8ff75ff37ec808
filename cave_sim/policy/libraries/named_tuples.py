"""Named tuples of cells, and what those that are written as classes have beside their fields."""

from __future__ import annotations

import collections
import inspect
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from cave_sim.errors import Blocked

_OWN_SPECIAL = frozenset(
    "__str__ __repr__ __format__ __bool__ __call__ __lt__ __le__ __gt__ __ge__ __add__ __radd__ __sub__ __rsub__ "
    "__mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__ __mod__ __neg__ __pos__ __abs__ __invert__ __and__ __or__ "
    "__xor__ __matmul__ __divmod__ __int__ __float__ __round__".split()
)
"""Special methods that leave a named tuple what it is to all who look into it: a tuple of its fields."""
_attributes: weakref.WeakKeyDictionary[type, tuple[str, ...]] = weakref.WeakKeyDictionary()


def value_class(name: str, body: type, *, is_tuple: bool) -> Any:
    """Return what ``class Stop(NamedTuple):`` makes of its fields, or a TypedDict, a dict to all but readers."""
    if not is_tuple:
        return dict
    fields = list(inspect.get_annotations(body))
    defaults = [vars(body)[each] for each in fields if each in vars(body)]
    kind: Any = namedtuple(name, fields, defaults=defaults)
    own = [(each, value) for each, value in vars(body).items() if each not in fields and each not in _OF_EVERY_CLASS]
    if own:
        give_attributes(kind, own)
    if (doc := body.__doc__) is not None:
        kind.__doc__ = doc
    return kind


_OF_EVERY_CLASS = frozenset(vars(type("_", (), {}))) | frozenset(
    "__annotations__ __annotate__ __annotate_func__ __annotations_cache__ __firstlineno__ __static_attributes__".split()
)


def give_attributes(kind: type, attributes: Iterable[tuple[str, Any]]) -> None:
    """Give a class of named tuples methods and constants beside its fields; raises Blocked where it would lose its way.

    A tuple is looked into by tuple's own methods wherever it is checked, kept or compared, so it keeps these.
    """
    given = dict(attributes)
    for name in given:
        special = name.startswith("__") and name.endswith("__")
        if (special and name not in _OWN_SPECIAL) or (hasattr(tuple, name) and not special) or name in _TAKEN:
            raise Blocked(
                f"class {kind.__name__}: a NamedTuple keeps {name} as tuples have it; use @dataclass(frozen=True)"
            )
    for name, value in given.items():
        setattr(kind, name, value)
    _attributes[kind] = tuple(given)


_TAKEN = frozenset("_make _replace _asdict _fields _field_defaults".split())


def attributes_of(kind: type) -> tuple[str, ...]:
    """Return the names of what a class of named tuples has beside its fields, in order."""
    return _attributes.get(kind, ())


def of_class(kind: Any) -> tuple[str, ...]:
    """Return what cells may read on a class of named tuples; nothing of any other."""
    return ("__doc__", *sorted(_TAKEN), *attributes_of(kind)) if is_namedtuple(kind) else ()


def is_namedtuple(kind: Any) -> bool:
    """Say whether a class was made by ``namedtuple``, or is one of a ``NamedTuple``."""
    return isinstance(kind, type) and kind.__bases__ == (tuple,) and isinstance(kind.__dict__.get("_fields"), tuple)


def namedtuple(title: str, names: Any, *, defaults: Any = None, rename: bool = False) -> Any:
    """``collections.namedtuple``, of a class that says the same of its module everywhere."""
    make: Callable[..., Any] = collections.namedtuple
    return make(title, names, defaults=defaults, rename=rename, module="__main__")
