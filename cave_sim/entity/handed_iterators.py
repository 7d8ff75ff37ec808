"""What a cell goes through or waits for, of trusted code: item by item it gets what it would be handed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from typing import Any

from cave_sim.entity.asking import entrance

Give = Callable[[Any], Any]


@entrance
def each(items: Any, give: Give) -> Generator[Any, Any, Any]:
    """Yield what is given of each item; a generator is sent what the cell sends, and comes to what is given of it."""
    sent = None
    while True:
        try:
            item = next(items) if sent is None else items.send(sent)
        except StopIteration as end:
            return give(end.value)
        sent = yield give(item)


@entrance
async def awaited(waiting: Awaitable[Any], give: Give) -> Any:
    """Return what is given of what is waited for."""
    return give(await waiting)


@entrance
async def each_awaited(items: AsyncIterator[Any], give: Give) -> AsyncIterator[Any]:
    """Yield what is given of each item that comes."""
    async for item in items:
        yield give(item)
