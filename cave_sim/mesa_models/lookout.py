"""Which agents of a Mesa model may have changed since the step before: found for all of one class at once.

Most agents of most models do nothing in most steps. What they hold is read in columns, and an agent all of whose values
are the very objects of the step before is not looked at any closer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from operator import attrgetter, is_not, itemgetter
from typing import Any

from cave_sim.mesa_models.counterpart_classes import Attributes
from cave_sim.mesa_models.spaces import Space

UNWATCHED_STEPS = 16
"""For so many steps nobody is compared of a class of which most have changed: that would cost more than it spares."""
_dict_of = attrgetter("__dict__")


class Lookout:
    """Looks at the agents of one class.

    Args:
        kind: the class.
        attributes: what is told of its agents.
        space: where they are; None if that is not known.
    """

    def __init__(self, kind: type, attributes: Attributes, space: Space | None) -> None:
        self._of_dict: list[Callable[[Any], Any]] = [*map(itemgetter, attributes.names), len]
        self._of_agent: list[Callable[[Any], Any]] = [attrgetter(attribute) for _, attribute in attributes.asked]
        if space is not None:
            self._of_agent.append(_mark_of(kind, space.mark))
        self._unwatched = 0
        self._agents: list[Any] = []
        self._columns: list[list[Any]] | None = None

    def changed(self, agents: list[Any]) -> Iterable[Any]:
        """Return those of these agents, which are all that there are, that may have changed; each newcomer is one."""
        if self._unwatched:
            self._unwatched -= 1
            return agents
        before, known = self._columns, self._agents
        try:
            self._columns = self._read(agents)
        except (KeyError, AttributeError):  # one of them has lost what others of its class have
            before = self._columns = None
        self._agents = agents
        if before is None or self._columns is None:
            return agents
        if agents != known:
            before = list(_reordered(before, known, agents))
        differs = [False] * len(agents)
        for was, now in zip(before, self._columns, strict=True):
            if any(news := list(map(is_not, now, was))):
                differs = [one or other for one, other in zip(differs, news, strict=True)]
        if sum(differs) > len(agents) / 2:
            self._unwatched, self._columns = UNWATCHED_STEPS, None
        return compress(agents, differs)

    def _read(self, agents: list[Any]) -> list[list[Any]]:
        held = list(map(_dict_of, agents))
        return [list(map(read, held)) for read in self._of_dict] + [list(map(read, agents)) for read in self._of_agent]


def _mark_of(kind: type, mark: str) -> Callable[[Any], Any]:
    """Return what reads where an agent is, as an object that is the same for as long as it stays there."""
    if not mark:
        return lambda _: object()
    return attrgetter(mark) if hasattr(kind, mark) else lambda agent: getattr(agent, mark, None)


def _reordered(columns: Sequence[list[Any]], known: list[Any], agents: list[Any]) -> Iterator[list[Any]]:
    """Yield columns of what was known, in the order of other agents; of newcomers they hold what nobody else has."""
    at = {agent: number for number, agent in enumerate(known)}
    places = [at.get(agent, -1) for agent in agents]
    for column in columns:
        filled = [*column, object()]
        yield [filled[place] for place in places]
