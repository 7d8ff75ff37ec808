"""``enum`` in a cell: enums and flags are written as classes, and calling one looks a member up."""

from __future__ import annotations

import enum
from typing import Any

from cave_sim.errors import Blocked


class EnumClass(enum.EnumType):
    """The class of enums of cells: calling one looks a member up, and makes no class past the checks of a cell."""

    def __call__(cls, value: Any, *more: Any, **named: Any) -> Any:
        if more or named or not cls.__members__:
            raise Blocked("an Enum is written as a class: class Colour(Enum): RED = 1")
        return super().__call__(value)


class Enum(enum.Enum, metaclass=EnumClass):
    """``enum.Enum`` in a cell."""


class IntEnum(enum.IntEnum, metaclass=EnumClass):
    """``enum.IntEnum`` in a cell."""


class StrEnum(enum.StrEnum, metaclass=EnumClass):
    """``enum.StrEnum`` in a cell."""


class Flag(enum.Flag, metaclass=EnumClass):
    """``enum.Flag`` in a cell."""


class IntFlag(enum.IntFlag, metaclass=EnumClass):
    """``enum.IntFlag`` in a cell."""


ENUM_BASES = (Enum, IntEnum, StrEnum, Flag, IntFlag)
ENUM: dict[str, Any] = {base.__name__: base for base in ENUM_BASES} | {"auto": enum.auto, "unique": enum.unique}
"""What ``enum`` offers."""
