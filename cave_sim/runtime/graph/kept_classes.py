"""The form of objects of classes that stand for a library's: the name of the class, and the attributes they have."""

from __future__ import annotations

from typing import Any

from cave_sim.policy.libraries.kept_classes import KEPT_ATTRIBUTES, KEPT_CLASSES
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See


def _write_kept(value: Any, see: See) -> Any:
    kind = type(value)
    return [kind.__name__, *(see(getattr(value, name)) for name in KEPT_ATTRIBUTES[kind])]


def _make_kept(content: Any, reader: Any) -> Any:
    name, *parts = content
    kind = KEPT_CLASSES.get(name) if type(name) is str else None
    if kind is None or len(parts) != len(KEPT_ATTRIBUTES[kind]):
        raise Malformed(f"{str(name)[:40]!r} is no class whose objects are kept so")
    value: Any = object.__new__(kind)

    def fill() -> None:
        for attribute, part in zip(KEPT_ATTRIBUTES[kind], parts, strict=True):
            object.__setattr__(value, attribute, reader.read(part))

    reader.later(fill)
    return value


KEPT = Form("$kept", _write_kept, _make_kept)
