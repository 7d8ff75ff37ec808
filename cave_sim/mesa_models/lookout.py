"""What the objects of one class of a Mesa model have now that they did not have before: found for all of them at once.

Most agents of most models do nothing in most steps. What they hold is read in columns, one for each attribute, and only
where a column has another object than it had the step before is anything looked at any closer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from operator import attrgetter, is_not, itemgetter
from typing import Any, NamedTuple

from cave_sim.mesa_models.counterpart_classes import Attributes
from cave_sim.mesa_models.spaces import Space

PLACE, SIZE = object(), object()
"""Stand for the field of the columns that tell where objects are, and how many attributes they have."""
_Reader = Callable[[Any], Any]
_dict_of = attrgetter("__dict__")


class AttributeColumn(NamedTuple):
    """One attribute of all objects.

    Attributes:
        field: that tells it; :data:`PLACE` or :data:`SIZE`.
        values: as the objects have them.
        is_new: for each whether it is another object than the one before; all are where nothing is known of before.
    """

    field: Any
    values: list[Any]
    is_new: Sequence[bool]


class Lookout:
    """Looks at the objects of one class.

    Args:
        kind: the class.
        attributes: what is told of its objects.
        space: where they are; None if that is not known, or they are nowhere.
    """

    def __init__(self, kind: type, attributes: Attributes, space: Space | None) -> None:
        self._stored: list[tuple[str, _Reader]] = [
            (attribute, itemgetter(attribute)) for _, attribute in attributes.stored
        ]
        self._asked: list[tuple[str, _Reader]] = [
            (attribute, attrgetter(attribute)) for _, attribute in attributes.asked
        ]
        self._mark = None if space is None else _mark_of(kind, space.mark)
        self._fields: list[Any] = [*attributes.fields, *([] if self._mark is None else [PLACE]), SIZE]
        self._objects: list[Any] = []
        self._columns: list[list[Any]] | None = None

    def news(self, objects: list[Any]) -> Iterator[AttributeColumn]:
        """Yield the columns that have news of these objects, which are all that there are."""
        before, self._columns = self._columns, self._read(objects)
        known, self._objects = self._objects, objects
        if before is None:
            yield from map(AttributeColumn, self._fields, self._columns, repeat([True] * len(objects)))
            return
        if objects != known:
            before = list(_reordered(before, known, objects))
        for field, was, now in zip(self._fields, before, self._columns, strict=True):
            if any(map(is_not, now, was)):
                yield AttributeColumn(field, now, list(map(is_not, now, was)))

    def _read(self, objects: list[Any]) -> list[list[Any]]:
        attributes_of = list(map(_dict_of, objects))
        columns = []
        for attribute, read in self._stored:
            try:
                columns.append(list(map(read, attributes_of)))
            except KeyError:  # one of them has lost what others of its class have
                columns.append([each.get(attribute) for each in attributes_of])
        for attribute, read in self._asked:
            try:
                columns.append(list(map(read, objects)))
            except AttributeError:
                columns.append([getattr(each, attribute, None) for each in objects])
        if self._mark is not None:
            columns.append(list(map(self._mark, objects)))
        columns.append(list(map(len, attributes_of)))
        return columns


def _mark_of(kind: type, mark: str) -> Callable[[Any], Any]:
    """Return what reads where an agent is, as an object that is the same for as long as it stays there."""
    if not mark:
        return lambda _: object()
    return attrgetter(mark) if hasattr(kind, mark) else lambda agent: getattr(agent, mark, None)


def _reordered(columns: Sequence[list[Any]], known: list[Any], objects: list[Any]) -> Iterator[list[Any]]:
    """Yield columns of what was known, in the order of other objects; of newcomers they hold what nobody else has."""
    at = {each: number for number, each in enumerate(known)}
    places = [at.get(each, len(known)) for each in objects]
    take = itemgetter(*places, 0) if places else lambda _: (None,)  # of one place it would take no tuple
    for column in columns:
        yield list(take([*column, object()])[:-1])
