"""Deeds: what only a resident's own cell may make them do.

Methods of entities run with the world's rights. So that nobody's cell can walk, pay or speak for somebody else, a deed
first asks who is acting.
"""

import functools
from collections.abc import Callable
from typing import Any

from cave_sim import Entity, Refused

Method = Callable[..., Any]


def deed(method: Method) -> Method:
    """Mark a method of an `Actor` as something that only the agent of that entity may do."""
    method.is_deed = True  # type: ignore[attr-defined]
    return method


class Actor(Entity):
    """Something whose deeds are its own. The world's code may call them too, and whoever may write it anyway."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, member in list(vars(cls).items()):
            if getattr(member, "is_deed", False):
                type.__setattr__(cls, name, _asking_who(member))  # while the class is being made, as Entity does


def _asking_who(method: Method) -> Method:
    @functools.wraps(method)
    def act(self: Any, *args: Any, **options: Any) -> Any:
        acting = self._ledger.guard
        if acting is not None and acting.agent != self._name and not acting.may_write(self, "location"):
            raise Refused(
                f"{self.title} ({self._name}) decides about that, not {acting.agent}. Use me.{method.__name__}(...), "
                f"or ask: me.say({self._name}, ...)."
            )
        return method(self, *args, **options)

    return act
