"""What the objects of one class of a Mesa model have now that they did not have before: found for all of them at once.

Most agents of most models do nothing in most steps. What they hold is read in columns, one for each attribute, and only
where a column has another object than it had the step before is anything looked at any closer.

Nothing of what is remembered keeps an agent alive. Mesa lets an agent that was removed act once more within the step
if somebody still holds it, so whoever held one here would have the model take another course.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from itertools import repeat
from operator import attrgetter, is_not, itemgetter
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from cave_sim.mesa_models.counterpart_classes import Attributes
from cave_sim.mesa_models.spaces import Space

PLACE, SIZE = object(), object()
"""Stand for the field of the columns that tell where objects are, and how many attributes they have."""
_VALUES = (int, float, str, type(None), Enum, np.generic)
"""What holds no agent, nor is one."""
_PLAIN_VALUES = frozenset({int, float, str, bool, type(None)})
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
        self._references: list[ref[Any]] = []
        self._remembered: list[list[Any]] | None = None

    def news(self, objects: list[Any], are_known: bool = False) -> list[AttributeColumn]:
        """Return the columns that have news of these objects, which are all that there are.

        Args:
            objects: of the class.
            are_known: whether somebody knows that they are those of the last time, in the same order.
        """
        columns, before = self._read(objects), self._remembered
        if before is None or not are_known:
            known, self._references = self._references, list(map(ref, objects))
            if before is not None and self._references != known:
                before = list(_reordered(before, known, self._references))
        if before is None:
            self._remembered = [self._loosened(*each) for each in enumerate(columns)]
            return list(map(AttributeColumn, self._fields, columns, repeat([True] * len(objects))))
        news = []
        for number, (field, column, was) in enumerate(zip(self._fields, columns, before, strict=True)):
            if any(map(is_not, column, was)):
                now = before[number] = self._loosened(number, column)
                is_new = list(map(is_not, now, was))
                if True in is_new:
                    news.append(AttributeColumn(field, column, is_new))
        self._remembered = before
        return news

    def _loosened(self, number: int, column: list[Any]) -> list[Any]:
        """Return a column whose values tell by their identity whether others have come, and keep none of them alive."""
        told = len(self._stored) + len(self._asked)  # what follows are places, which agents stand in, and numbers
        return _loosened(column) if number < told else column

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


def _loosened(column: list[Any]) -> list[Any]:
    if _PLAIN_VALUES.issuperset(map(type, column)) or all(issubclass(kind, _VALUES) for kind in set(map(type, column))):
        return column
    return list(map(_referred_to, column))


def _referred_to(value: Any) -> Any:
    """Return what stands for a value without holding it: the same for as long as it is there."""
    if isinstance(value, _VALUES):
        return value
    try:
        return ref(value)
    except TypeError:
        return object()  # it may hold an agent: so it is looked at in every step


def _reordered(columns: Sequence[list[Any]], known: list[ref[Any]], references: list[ref[Any]]) -> Iterator[list[Any]]:
    """Yield columns of what was known, in the order of other objects; of newcomers they hold what nobody else has."""
    at = {each: number for number, each in enumerate(known)}
    places = [at.get(each, len(known)) for each in references]
    take = itemgetter(*places, 0) if places else lambda _: (None,)  # of one place it would take no tuple
    for column in columns:
        yield list(take([*column, object()])[:-1])
