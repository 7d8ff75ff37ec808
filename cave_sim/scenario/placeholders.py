"""Places in the texts of a scenario that a parameter fills in: ``${threshold}``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_PLACE = re.compile(r"\$\{([A-Za-z_]\w*)\}")


def names_in(text: str) -> list[str]:
    """Return the names of the parameters that a text has places for."""
    return _PLACE.findall(text)


def with_examples(text: str) -> str:
    """Return a text with a number in each place, so that it can be read as a cell or a condition."""
    return _PLACE.sub("1", text)


def filled(value: Any, point: Mapping[str, Any]) -> Any:
    """Return texts, lists and tables with the values of parameters in their places.

    What is nothing but a place becomes the value itself.
    """
    if isinstance(value, str):
        alone = _PLACE.fullmatch(value)
        if alone and alone[1] in point:
            return point[alone[1]]
        return _PLACE.sub(lambda match: str(point.get(match[1], match[0])), value)
    if isinstance(value, Mapping):
        return {key: filled(each, point) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [filled(each, point) for each in value]
    return value
