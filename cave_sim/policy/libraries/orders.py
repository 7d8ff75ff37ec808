"""``graphlib`` in a cell: tasks in an order in which each comes after what it needs, the same everywhere."""

from __future__ import annotations

import graphlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from cave_sim.policy.libraries.kept_classes import kept_class


@kept_class("_calls")
class TopologicalSorter:
    """``graphlib.TopologicalSorter``, which is kept as what was asked of it, and asked that again in the next turn."""

    __slots__ = ("_calls", "_sorter")

    _sorter: graphlib.TopologicalSorter[Any]

    def __init__(self, graph: Any = None) -> None:
        self._calls: list[tuple[Any, ...]] = []
        for node in graph if graph is not None else ():
            self.add(node, *graph[node])

    def add(self, node: Any, *predecessors: Any) -> None:
        """Say that a task needs others to be done before."""
        self._call("add", node, *predecessors)

    def prepare(self) -> None:
        """Say that this is all; raises CycleError where tasks need one another."""
        self._call("prepare")

    def get_ready(self) -> tuple[Any, ...]:
        """Return the tasks that can be done now and have not been handed out."""
        return tuple(self._call("get_ready"))

    def done(self, *nodes: Any) -> None:
        """Say that tasks are done."""
        self._call("done", *nodes)

    def is_active(self) -> bool:
        """Say whether anything is left to be done."""
        return self._current_sorter().is_active()

    def __bool__(self) -> bool:
        return self.is_active()

    def static_order(self) -> Iterator[Any]:
        """Return all tasks, each after what it needs."""
        self.prepare()
        order: list[Any] = []
        while self.is_active():
            ready = self.get_ready()
            order += ready
            self.done(*ready)
        return iter(order)

    def _call(self, name: str, *nodes: Any) -> Any:
        sorter = self._current_sorter()
        self._calls.append((name, *nodes))
        return getattr(sorter, name)(*nodes)

    def _current_sorter(self) -> graphlib.TopologicalSorter[Any]:
        sorter: graphlib.TopologicalSorter[Any] | None = getattr(self, "_sorter", None)
        if sorter is None:
            sorter = graphlib.TopologicalSorter()
            self._sorter = sorter
            for name, *nodes in self._calls:
                if name in ("add", "prepare", "get_ready", "done"):
                    with suppress(ValueError):  # as it was when the cell asked
                        getattr(sorter, name)(*nodes)
        return sorter


GRAPHLIB: dict[str, type] = {"TopologicalSorter": TopologicalSorter, "CycleError": graphlib.CycleError}
"""What ``graphlib`` offers."""
