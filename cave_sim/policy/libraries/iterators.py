"""``itertools`` in a cell: each item of what would go on inside C spends one of the turn's ticks."""

from __future__ import annotations

import collections
import functools
import itertools
from collections.abc import Callable, Generator, Iterator
from typing import Any

_ITERTOOLS = (
    "count cycle repeat product permutations combinations combinations_with_replacement accumulate chain pairwise "
    "groupby zip_longest islice starmap takewhile dropwhile filterfalse compress"
)


def ticking(make: Callable[..., Iterator[Any]], tick: Callable[[], None]) -> Callable[..., Iterator[Any]]:
    """Return a function whose iterators spend a tick for each item, so that no loop inside C goes on for ever."""

    def counted(items: Iterator[Any]) -> Generator[Any]:
        for item in items:
            tick()
            yield item

    @functools.wraps(make)
    def call(*args: Any, **kwargs: Any) -> Iterator[Any]:
        made = counted(make(*args, **kwargs))  # made here, so that what does not fit is said here
        made.__qualname__ = make.__name__  # type: ignore[attr-defined]
        return made

    return call


def _tee(tick: Callable[[], None], iterable: Any, n: int = 2) -> tuple[Iterator[Any], ...]:
    """``itertools.tee``, which keeps in lists what one of its iterators has had and another has not."""
    source = iter(iterable)
    waiting = [collections.deque[Any]() for _ in ticking(itertools.repeat, tick)(None, n)]

    def follow(mine: collections.deque[Any]) -> Iterator[Any]:
        while True:
            tick()
            if not mine:
                try:
                    item = next(source)
                except StopIteration:
                    return
                for each in waiting:
                    each.append(item)
            yield mine.popleft()

    return tuple(map(follow, waiting))


class Chain:
    """``itertools.chain``, which is called, and has one other way to be called."""

    __slots__ = ("__name__", "_chain", "from_iterable")

    def __init__(self, chain: Callable[..., Iterator[Any]], from_iterable: Callable[..., Iterator[Any]]) -> None:
        self._chain = chain
        self.__name__: str = "chain"
        self.from_iterable: Callable[..., Iterator[Any]] = from_iterable

    def __call__(self, *iterables: Any) -> Iterator[Any]:
        return self._chain(*iterables)

    def __repr__(self) -> str:
        return repr(itertools.chain)


def iterators(tick: Callable[[], None]) -> dict[str, Any]:
    """Return what ``itertools`` offers of which each item spends a tick."""
    made: dict[str, Any] = {name: ticking(getattr(itertools, name), tick) for name in _ITERTOOLS.split()}
    chain = Chain(made["chain"], ticking(itertools.chain.from_iterable, tick))
    return made | {"tee": functools.partial(_tee, tick), "chain": chain}
