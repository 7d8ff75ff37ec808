"""Views of graphs as cells get them: what is computed from them as sets is read in sorted order, as every set is.

networkx makes plain sets of them, whose order follows the salt of a process's hashes.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable, KeysView
from typing import Any

from networkx.classes import coreviews, reportviews

from cave_sim.entity.values import StableSet


def _stable(view: type) -> type:
    """Return a view's class whose set operations give stable sets; it goes by the name of the original."""

    def from_iterable(_: type, items: Iterable[Any]) -> StableSet:
        return StableSet(items)

    return type(view.__name__, (view,), {"__slots__": (), "_from_iterable": classmethod(from_iterable)})


class ViewKeys(KeysView[Any]):
    """The keys of a view of a graph."""

    __slots__ = ()
    _from_iterable = StableSet


class ViewItems(ItemsView[Any, Any]):
    """The items of a view of a graph."""

    __slots__ = ()
    _from_iterable = StableSet


NodeDataView: type = _stable(reportviews.NodeDataView)


class NodeView(_stable(reportviews.NodeView)):  # type: ignore[misc]
    """The nodes of a graph."""

    __slots__ = ()

    def __call__(self, data: Any = False, default: Any = None) -> Any:
        return self.data(data, default)

    def data(self, data: Any = True, default: Any = None) -> Any:
        return self if data is False else NodeDataView(self._nodes, data, default)


_EDGES = {view: _stable(view) for view in (reportviews.EdgeView, reportviews.OutEdgeView, reportviews.InEdgeView)}


def _nodes(graph: Any, _name: str) -> Any:
    return NodeView(graph)


def _edges(graph: Any, name: str) -> Any:
    view = getattr(graph, name)
    return _EDGES[type(view)](graph)


VIEWS: dict[str, Callable[[Any, str], Any]] = {
    "nodes": _nodes,
    **dict.fromkeys(("edges", "in_edges", "out_edges"), _edges),
}
"""Attribute of a graph -> what makes the view that cells get for it."""

MAPPINGS = (coreviews.AtlasView, coreviews.AdjacencyView, NodeView, *_EDGES.values())
"""Views whose keys and items are sets, too."""
