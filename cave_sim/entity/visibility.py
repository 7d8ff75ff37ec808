"""Whom a field shows itself to: everybody, its own agent alone, who is here, who knows it, or whom a rule lets.

The agent of an entity reads all of its fields, and so does who was granted them; what a visibility says is who else.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cave_sim.entity.identity import undo_log_of

VisibilityRule = Callable[[Any, Any, Any], Any]
"""``(entity, reader, world) -> whether the agent of reader may read``; it runs with the world's rights."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """Whom fields show themselves to, beside the agent of their entity. One instance may serve many fields.

    >>> colleagues = Visibility("colleagues", lambda entity, reader, world: entity.workplace is reader.workplace)

    Attributes:
        name: what agents are told: "seen by colleagues".
        rule: says of one entity and one reader, which is the entity of the agent who asks; None: everybody may read.
        hook: the method that a class must have for the rule to ask; empty if it needs none.
    """

    name: str
    rule: VisibilityRule | None
    hook: str = ""

    @property
    def note(self) -> str:
        """What the reference of a world says of a field; empty for those that everybody may read."""
        return {"everyone": "", "self": "private"}.get(self.name, f"seen by {self.name}")


def _is_self(_entity: Any, _reader: Any, _world: Any) -> bool:
    return False  # the agent of the entity is never asked


def _is_here(entity: Any, reader: Any, _world: Any) -> bool:
    where = getattr(reader, "_whereabouts", None)  # of another class, whose author has no places
    here = entity._whereabouts()
    return where is not None and here is not None and bool(where() == here)


def _is_known(entity: Any, reader: Any, _world: Any) -> bool:
    return bool(entity._is_known_to(reader))


EVERYONE = Visibility("everyone", None)
SELF = Visibility("self", _is_self)
HERE = Visibility("who is here", _is_here, "_whereabouts")
KNOWN = Visibility("who knows them", _is_known, "_is_known_to")
WORDS = {"everyone": EVERYONE, "self": SELF, "here": HERE, "known": KNOWN}
HOOKS = {
    "_whereabouts": "say where an entity is: _whereabouts(self), None for nowhere",
    "_is_known_to": "say who knows it: _is_known_to(self, reader)",
}


def visibility_of(visible_to: str | VisibilityRule | Visibility) -> Visibility:
    """Return the visibility that a declaration names.

    Raises:
        ValueError: the word is not known, or the rule does not take an entity, a reader and a world.
    """
    if isinstance(visible_to, Visibility):
        return visible_to
    if isinstance(visible_to, str):
        if visible_to in WORDS:
            return WORDS[visible_to]
    elif callable(visible_to) and _takes_three(visible_to):
        return Visibility(getattr(visible_to, "__name__", "a rule").replace("<lambda>", "a rule"), visible_to)
    raise ValueError(
        f"visible_to={visible_to!r}: takes {', '.join(map(repr, WORDS))}, a Visibility, "
        "or a rule (entity, reader, world) -> bool"
    )


def tellable(entity: Any, field: str, text: object) -> str:
    """Return what an error tells of a field's value; nothing of it where the agent who acts may not read the field.

    A method may write what its caller may not read: its bounds must not tell the caller how much there was.
    """
    undo_log, declared = undo_log_of(entity), entity._declared.get(field)
    if undo_log is None or undo_log.actor is None or declared is None or declared.is_public:
        return str(text)
    if undo_log.guard is not None or undo_log.world.rights_of(undo_log.actor).may_read(entity, field):
        return str(text)  # a value of the cell's own, or one that it may know
    return f"what stands there is not for {undo_log.actor} to know"


def _takes_three(rule: VisibilityRule) -> bool:
    try:
        inspect.signature(rule).bind(None, None, None)
    except (TypeError, ValueError):
        return False
    return True
