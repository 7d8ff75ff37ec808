"""``contextlib.nullcontext`` in a cell, which stands for settings that change nothing, too."""

from __future__ import annotations

from typing import Any

from cave_sim.policy.libraries.kept_classes import kept_class


@kept_class("enter_result")
class NullContext:
    """``contextlib.nullcontext``: does nothing but hand over what it was given."""

    __slots__ = ("enter_result",)

    def __init__(self, enter_result: Any = None) -> None:
        self.enter_result: Any = enter_result

    def __enter__(self) -> Any:
        return self.enter_result

    def __exit__(self, *_: Any) -> None:
        return None
