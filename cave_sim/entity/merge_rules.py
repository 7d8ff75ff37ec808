"""What becomes of a field that several turns of one simultaneous batch write.

A rule says which fields it fits, and is asked when their class is declared; it is handed plain data, as a journal
holds it, and never the live value.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, ClassVar, Protocol

from cave_sim.errors import MergeConflict

MergeFunction = Callable[[Any, Any, Any], Any]
"""``(start, current, written) -> merged``, all plain data."""


class Mergeable(Protocol):
    """What a rule asks the type of a field."""

    is_number: bool
    """Whether values are bare numbers, whose differences can be added up."""
    grows: bool
    """Whether values can take in more without losing what they hold."""


class MergeRule:
    """How a second writer's value joins what the ones before it left.

    Attributes:
        name: as it is declared.
        takes: the types of the fields that it fits, in words.
        by_parts: whether keys, items and list ends that a turn wrote are brought in one by one; if not, the rule
            always gets the whole value that the turn would have left.
    """

    name: ClassVar[str]
    takes: ClassVar[str] = "every type"
    by_parts: ClassVar[bool] = False

    def fits(self, field_type: Mergeable) -> bool:
        """Say whether fields of this type can be merged so."""
        return True

    def admits_part(self, op: str, *, removes: bool) -> bool:
        """Say whether a part that a turn wrote can be brought in alone.

        Args:
            op: of the change, see :class:`~cave_sim.Change`.
            removes: whether items of a list are gone with it.
        """
        return self.by_parts

    def merge(self, start: Any, current: Any, written: Any) -> Any:
        """Return what the field holds afterwards.

        Args:
            start: what every cell of the batch saw.
            current: what the turns merged so far have left.
            written: what this turn would have left had it been alone.

        Raises:
            MergeConflict: these cannot be brought together; the turn does not land.
        """
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"merge={self.name!r}"


class OneWriter(MergeRule):
    """A second writer of the same field, key or item is a conflict."""

    name = "one_writer"

    def merge(self, start: Any, current: Any, written: Any) -> Any:
        raise MergeConflict("it takes one writer per batch")


class Add(MergeRule):
    """Differences add up."""

    name = "add"
    takes = "int and float"

    def fits(self, field_type: Mergeable) -> bool:
        return field_type.is_number

    def merge(self, start: Any, current: Any, written: Any) -> Any:
        return current + (written - start)


class Extend(MergeRule):
    """What each adds to a list, a set, a dict or a graph is there in the end."""

    name = "extend"
    takes = "list, set, dict and graph"
    by_parts = True

    def fits(self, field_type: Mergeable) -> bool:
        return field_type.grows

    def admits_part(self, op: str, *, removes: bool) -> bool:
        return op in ("add", "discard", "set") or (op == "splice" and not removes)

    def merge(self, start: Any, current: Any, written: Any) -> Any:
        if all(isinstance(value, list) for value in (start, current, written)) and written[: len(start)] == start:
            return current + written[len(start) :]
        raise MergeConflict("extend only adds to what was there; this turn replaced it")


class Last(MergeRule):
    """The last writer of the batch's order wins."""

    name = "last"
    by_parts = True

    def admits_part(self, op: str, *, removes: bool) -> bool:
        return op != "splice"  # where in the list it belongs, nobody knows any more: assign the whole list

    def merge(self, start: Any, current: Any, written: Any) -> Any:
        return written


class Custom(MergeRule):
    """A function of the world's author decides."""

    name = "custom"

    def __init__(self, function: MergeFunction) -> None:
        self.function = function

    def merge(self, start: Any, current: Any, written: Any) -> Any:
        return self.function(start, current, written)

    def __repr__(self) -> str:
        return f"merge={getattr(self.function, '__name__', type(self.function).__name__)}"


MERGE_RULES: dict[str, MergeRule] = {rule.name: rule for rule in (OneWriter(), Add(), Extend(), Last())}
"""The rules that go by a name."""


def merge_rule(declared: str | MergeFunction | MergeRule) -> MergeRule:
    """Return the rule that ``merge=`` stands for; raises ValueError if it is neither known nor a function of three."""
    if isinstance(declared, MergeRule):
        return declared
    if isinstance(declared, str) and declared in MERGE_RULES:
        return MERGE_RULES[declared]
    if callable(declared):
        _expect_three_values(declared)
        return Custom(declared)
    names = ", ".join(MERGE_RULES)
    raise ValueError(f"merge={declared!r}: takes one of {names}, or a function (start, current, written)")


def _expect_three_values(function: MergeFunction) -> None:
    try:
        signature(function).bind(None, None, None)
    except TypeError as error:
        raise ValueError(f"merge={function!r}: is called with (start, current, written): {error}") from None
    except ValueError:  # of some that are written in C, as max, nothing can be told
        return
