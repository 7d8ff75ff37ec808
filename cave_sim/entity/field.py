"""How an entity declares what it holds: ``temperature_c: float = field(15.0, unit="degC", ge=-60, le=60)``."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from typing import Any, Never

from cave_sim.diagnostics.option_hints import no_option
from cave_sim.entity.merge_rules import MERGE_RULES, MergeFunction, MergeRule, merge_rule
from cave_sim.entity.undo_log import MISSING
from cave_sim.entity.visibility import EVERYONE, SELF, Visibility, VisibilityRule, visibility_of

ONE_WRITER = MERGE_RULES["one_writer"]
MEANT = {
    **dict.fromkeys(("description", "desc", "doc", "help", "title", "label"), "about='...'"),
    **dict.fromkeys(("gt", "min", "minimum"), "ge=..., the least that it may be"),
    **dict.fromkeys(("lt", "max", "maximum"), "le=..., the most that it may be"),
    **dict.fromkeys(("default_factory", "factory"), "the value itself, field([]): each new entity gets a copy"),
    "type": "lives: int = field(9), the type in front",
    **dict.fromkeys(("choices", "enum", "options"), "them as the type, Literal['well', 'ill']"),
}
"""What other libraries call what is meant."""


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
        visible_to: who may read it beside the agent of the entity and agents with a grant.
    """

    default: Any = MISSING
    unit: str | None = None
    ge: float | None = None
    le: float | None = None
    merge: MergeRule = ONE_WRITER
    about: str = ""
    guarded: bool = False
    visible_to: Visibility = EVERYONE

    @property
    def is_public(self) -> bool:
        """Whether everybody may read it."""
        return self.visible_to.rule is None


def field(
    default: Any = ...,
    *,
    unit: str | None = None,
    ge: float | None = None,
    le: float | None = None,
    merge: str | MergeFunction | MergeRule = ONE_WRITER,
    about: str = "",
    guarded: bool = False,
    private: bool = False,
    visible_to: str | VisibilityRule | Visibility = EVERYONE,
    **unknown: Never,
) -> Any:
    """Declare a field: its default, unit, bounds, merge rule, meaning, and who may read it.

    ``...`` as default: must be given.

    ``merge`` is ``one_writer``, ``add``, ``extend``, ``last``, or a function ``(start, current, written) -> merged``
    of plain data.

    ``visible_to`` is ``everyone``, ``self`` (the agent of the entity alone; ``private=True`` says the same), ``here``
    (who is where the entity is), ``known`` (who knows it), a :class:`~cave_sim.Visibility`, or a rule
    ``(entity, reader, world) -> bool``.

    Raises:
        TypeError: there is no such option; says what to write.
        ValueError: the merge rule or the visibility is neither known nor a function, or two visibilities are given;
            the default is a class, the unit or ``about`` is no text, the bounds are no numbers in their order, or
            ``guarded`` or ``private`` is neither True nor False.
    """
    for option in unknown:
        known = [name for name in signature(field).parameters if name not in ("default", "unknown")]
        raise TypeError(f"field({option}=...): {no_option(option, known, MEANT)}")
    if isinstance(default, type):
        raise ValueError(
            f"field({default.__name__}): begins with the value that a new entity has; the type stands in front, as in"
            " lives: int = field(9)"
        )
    if unit is not None and not isinstance(unit, str):
        raise ValueError(f"unit={unit!r}: takes a text, such as unit='EUR cent'")
    for name, bound in (("ge", ge), ("le", le)):
        if bound is not None and not _is_bound(bound):
            raise ValueError(f"{name}={bound!r}: takes a number")
    if not isinstance(about, str):
        raise ValueError(f"about={about!r}: takes a line about the field")
    for name, flag in (("guarded", guarded), ("private", private)):
        if not isinstance(flag, bool):
            raise ValueError(f"{name}={flag!r}: takes True or False")
    if ge is not None and le is not None and ge > le:
        raise ValueError(f"ge={ge!r}, le={le!r}: no number is at least {ge!r} and at most {le!r}; exchange them")
    seen_by = visibility_of(visible_to)
    if private and seen_by is not EVERYONE:
        raise ValueError(f"private=True and visible_to={visible_to!r}: private means visible_to='self'; give one")
    seen_by = SELF if private else seen_by
    return Field(MISSING if default is ... else default, unit, ge, le, merge_rule(merge), about, guarded, seen_by)


def _is_bound(bound: object) -> bool:
    """Say whether it is a number; NaN, which every number would be within, and truth values are none."""
    return isinstance(bound, int | float) and not isinstance(bound, bool) and bound == bound
