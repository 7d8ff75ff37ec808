"""Functions, methods and properties as Python stubs: what a definition says, and nothing of what it does."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache, partial, partialmethod, singledispatchmethod
from typing import Any

from cave_sim.world.docstrings import arguments, document, first_line
from cave_sim.world.signatures import (
    comment,
    keyword,
    line,
    names_in,
    resolved,
    said_of,
    signature,
    type_text,
    unwrapped,
)


def definition(name: str, function: Any, about: str = "", *, explained: Any = None) -> list[str]:
    """Return ``def name(x: int = 3) -> str  # what it does``, and a line for each argument that is explained.

    Args:
        name: what it is called by.
        function: what is called; one with overloads is told as these.
        about: what it does; the first line of its docstring unless given.
        explained: whose docstring explains the arguments of a constructor, where its own does not.
    """
    text = document(function)
    said = comment(about or ("" if explained else text.partition("\n")[0]))
    heads = [f"{keyword(function)} {name}{signature(each)}" for each in _overloads(function) or [function]]
    many = "@overload " * (len(heads) > 1)
    first, *others = [f"{many}{head}" for head in heads]
    notes = {name: line(words) for name, each in _annotations_of(function).items() if (words := said_of(each))}
    notes |= dict(arguments(text)) or dict(arguments(document(explained) if explained else ""))
    return [f"{first}{said}", *others, *(f"    # {name}: {explanation}" for name, explanation in notes.items())]


def _overloads(function: Any) -> list[Any]:
    plain = unwrapped(function)
    return list(typing.get_overloads(plain)) if inspect.isfunction(plain) else []


def _annotations_of(function: Any) -> Mapping[str, Any]:
    """Return the annotations of a function's parameters."""
    known, names = getattr(function, "__annotations__", None), names_in(function)
    own = known if isinstance(known, dict) else {}
    return {name: resolved(each, names) for name, each in own.items() if name != "return"}


class _Members(dict[str, Any]):
    """Members of a class by name: the same as others whose objects are the very same."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Members) and [*self] == [*other] and all(self[each] is other[each] for each in self)


def members_of(kind: type, without: tuple[type, ...]) -> tuple[str, ...]:
    """Return properties and public methods, those of its bases first, with the first lines of their docstrings."""
    members = _Members()
    for base in reversed(kind.__mro__):
        if base not in without and base.__module__ != "builtins":
            members |= {name: each for name, each in vars(base).items() if is_public(name)}
    return _stubs(members)


@lru_cache(128)  # each prompt of each agent tells of every class, and some have hundreds of methods
def _stubs(members: _Members) -> tuple[str, ...]:
    return tuple(text for name, member in members.items() for text in _stub(name, member))


def _stub(name: str, member: Any) -> Iterator[str]:
    if isinstance(member, property | cached_property):
        getter = member.fget if isinstance(member, property) else member.func
        returns = resolved(getattr(getter, "__annotations__", {}).get("return"), names_in(getter))
        word = "property, can be set" if isinstance(member, property) and member.fset else "property"
        said = f": {line(text)}" if (text := first_line(member)) else ""
        yield f"{name}{f': {type_text(returns)}' if returns else ''}  # {word}{said}"
    elif isinstance(member, partialmethod) and inspect.isfunction(unwrapped(member.func)):
        bound = partial(member.func, None, *member.args, **member.keywords)
        yield f"def {name}{signature(bound)}{comment(first_line(member.func))}"
    else:
        mark = "@classmethod " if isinstance(member, classmethod) else ""
        mark = "@staticmethod " if isinstance(member, staticmethod) else mark
        plain = member.func if isinstance(member, singledispatchmethod) else getattr(member, "__func__", member)
        if inspect.isfunction(unwrapped(plain)):
            head, *rest = definition(name, plain)
            yield from (f"{mark}{head}", *rest)


def is_public(name: Any) -> bool:
    """Say whether models are told of a name: it can be written down and has no leading underscore."""
    return isinstance(name, str) and not name.startswith("_") and name.isidentifier()
