"""What pages read, as JSON: whatever a world holds, they can read it, and no text in it turns their words round."""

from __future__ import annotations

import json
import math
from typing import Any

from cave_sim.determinism.canonical_json import ESCAPING
from cave_sim.rendering.escaping import upright


def page_json(answer: Any) -> bytes:
    """Return an answer as a page reads it: a number without an end is none, and what JSON does not know is a text."""
    try:
        text = _written(answer)
    except ValueError:  # NaN and the infinities: browsers take a whole answer with one of them for damaged
        text = _written(_finite(answer))
    return upright(text).encode(errors=ESCAPING)


def _written(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=str)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, list | tuple) else value
