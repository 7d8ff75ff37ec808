"""Types as their reader writes them."""

from __future__ import annotations

import re
import typing
from typing import Any


def type_text(annotation: Any) -> str:
    """Return a type as a reader writes it: ``list[Resident]``, ``Place | None``."""
    if isinstance(annotation, type) and not typing.get_origin(annotation):
        return annotation.__name__
    text = str(annotation).replace("typing.", "")
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", text)
