"""Values that are not plain data but may enter a world: arrays, tables, graphs, and what the host registers.

Each has a codec: how to copy it, how to write it as plain data, how to read it back, and what differs between two.
A turn that reads such a value gets a working copy; what it changed is found at the turn's end (an array of 1 MiB
is copied and compared in some 50 us, a table's copy is lazy).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx

from cave_sim.determinism.canonical_json import same_json
from cave_sim.entity.array_codec import ARRAY_CODEC
from cave_sim.entity.codec import Codec
from cave_sim.entity.graphs import graph_restore, graph_snapshot, tracked_graph
from cave_sim.entity.handed_values import meet
from cave_sim.entity.own_codec import OwnCodec
from cave_sim.entity.table_codecs import SERIES_CODEC, TABLE_CODEC
from cave_sim.errors import SchemaError

_GRAPH_CODEC = Codec(
    "networkx Graph",
    nx.Graph,
    graph_snapshot,
    graph_restore,
    tracked_graph,
    lambda one, other: same_json(graph_snapshot(one), graph_snapshot(other)),
    lambda _old, new: {"data": graph_snapshot(new)},
    lambda _old, patch: graph_restore(patch["data"]),
)
_CODECS: dict[type, Codec] = {each.type: each for each in (ARRAY_CODEC, TABLE_CODEC, SERIES_CODEC, _GRAPH_CODEC)}
VOUCHED: set[type] = set()
"""Classes that a researcher registered."""


def register_codec(
    kind: type,
    snapshot: Callable[[Any], Any],
    restore: Callable[[Any], Any],
    diff: Callable[[Any, Any], Any] | None = None,
) -> None:
    """Let objects of a class of yours live in worlds. Cells may use its public names: by this you vouch for it.

    Args:
        kind: the class.
        snapshot: object -> plain JSON data that says everything about it.
        restore: plain JSON data -> object.
        diff: (old data, new data) -> plain data that describes the change for people; the journal keeps it beside
            the new data. Without it the new data alone is kept.

    Raises:
        SchemaError: it is no class or one of Python's own, or a function is none.
    """
    if not isinstance(kind, type) or kind.__module__ == "builtins":
        raise SchemaError(f"register_codec({kind!r}, ...): takes a class of yours, whose objects are no plain data")
    for what, function in (("snapshot", snapshot), ("restore", restore), ("diff", diff)):
        if not (callable(function) or (what == "diff" and diff is None)):
            raise SchemaError(f"register_codec({kind.__name__}, {what}={function!r}): takes a function")
    VOUCHED.add(kind)
    meet(kind)
    _CODECS[kind] = OwnCodec(kind, snapshot, restore, diff).codec()


def codec_of(kind: type) -> Codec | None:
    """Return the codec of a type, or of the nearest class that it inherits from; None if it has none."""
    return next((_CODECS[base] for base in kind.__mro__ if base in _CODECS), None)


def codec_named(name: str) -> Codec:
    """Return the codec of the type with that name; raises SchemaError if none is registered."""
    for kind, codec in _CODECS.items():
        if kind.__name__ == name:
            return codec
    raise SchemaError(f"no codec for {name!r} is registered; call register_codec({name}, ...) before reading this")
