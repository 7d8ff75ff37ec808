"""``queue`` in a cell: nobody puts anything in meanwhile, so what would wait for ever is an error at once."""

from __future__ import annotations

import heapq
import queue
from typing import Any

from cave_sim.errors import Blocked

MAX_ITEMS = 5_000_000


class Queue:
    """``queue.Queue``: what was put in first comes out first."""

    __slots__ = ("_items", "maxsize")

    def __init__(self, maxsize: int = 0) -> None:
        self._items: list[Any] = []
        self.maxsize: int = int(maxsize)

    def put(self, item: Any, block: bool = True, timeout: Any = None) -> None:
        """Put an item in; raises queue.Full."""
        if self.full():
            raise queue.Full(f"the queue holds {self.maxsize} items, and nobody takes one out meanwhile")
        if len(self._items) >= MAX_ITEMS:
            raise Blocked(f"a queue of more than {MAX_ITEMS:,} items")
        self._add(item)

    def get(self, block: bool = True, timeout: Any = None) -> Any:
        """Take the next item out; raises queue.Empty."""
        if not self._items:
            raise queue.Empty("the queue is empty, and nobody puts anything in meanwhile; ask empty() first")
        return self._take()

    def put_nowait(self, item: Any) -> None:
        """Put an item in; raises queue.Full."""
        self.put(item)

    def get_nowait(self) -> Any:
        """Take the next item out; raises queue.Empty."""
        return self.get()

    def qsize(self) -> int:
        """Return how many items are in."""
        return len(self._items)

    def empty(self) -> bool:
        """Say whether there is nothing in."""
        return not self._items

    def full(self) -> bool:
        """Say whether nothing more goes in."""
        return 0 < self.maxsize <= len(self._items)

    def task_done(self) -> None:
        """Do nothing: nobody waits."""

    def join(self) -> None:
        """Do nothing: nobody works meanwhile."""

    def _add(self, item: Any) -> None:
        self._items.append(item)

    def _take(self) -> Any:
        return self._items.pop(0)


class LifoQueue(Queue):
    """``queue.LifoQueue``: what was put in last comes out first."""

    __slots__ = ()

    def _take(self) -> Any:
        return self._items.pop()


class PriorityQueue(Queue):
    """``queue.PriorityQueue``: the smallest comes out first."""

    __slots__ = ()

    def _add(self, item: Any) -> None:
        heapq.heappush(self._items, item)

    def _take(self) -> Any:
        return heapq.heappop(self._items)


def items_of(waiting: Queue) -> list[Any]:
    """Return what is in a queue, as it keeps it."""
    return waiting._items


QUEUES = {kind.__name__: kind for kind in (Queue, LifoQueue, PriorityQueue)}
QUEUE: dict[str, type] = {**QUEUES, "SimpleQueue": Queue, "Empty": queue.Empty, "Full": queue.Full}
"""What ``queue`` offers."""
