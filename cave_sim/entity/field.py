"""How an entity declares what it holds: ``temperature_c: float = field(15.0, unit="degC", ge=-60, le=60)``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cave_sim.entity.merge_rules import MERGE_RULES, MergeFunction, MergeRule, merge_rule
from cave_sim.entity.undo_log import MISSING

ONE_WRITER = MERGE_RULES["one_writer"]


@dataclass(frozen=True, slots=True)
class Field:
    """The declaration of one field of an entity. Made by :func:`field`.

    Attributes:
        default: the value of a new entity, copied; MISSING means that it must be given.
        unit: of a bare number, shown to agents ("degC", "EUR cent").
        ge, le: inclusive bounds of a number.
        merge: what happens when two turns of one simultaneous batch write it.
        about: one line for whoever reads the world's API.
        guarded: True if an agent may not write it directly even in its own entity; methods of entities,
            dynamics and agents with a wider grant may.
    """

    default: Any = MISSING
    unit: str | None = None
    ge: float | None = None
    le: float | None = None
    merge: MergeRule = ONE_WRITER
    about: str = ""
    guarded: bool = False


def field(
    default: Any = ...,
    *,
    unit: str | None = None,
    ge: float | None = None,
    le: float | None = None,
    merge: str | MergeFunction | MergeRule = ONE_WRITER,
    about: str = "",
    guarded: bool = False,
) -> Any:
    """Declare a field: its default, unit, bounds, merge rule and meaning. ``...`` as default: must be given.

    ``merge`` is ``one_writer``, ``add``, ``extend``, ``last``, or a function ``(start, current, written) -> merged``
    of plain data.

    Raises:
        ValueError: the merge rule is neither known nor a function.
    """
    return Field(MISSING if default is ... else default, unit, ge, le, merge_rule(merge), about, guarded)
