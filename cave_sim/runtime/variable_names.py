"""Which names can be variables of an agent."""

from __future__ import annotations

from functools import lru_cache
from keyword import iskeyword

from cave_sim.policy.syntax import is_reserved

_RESERVED = frozenset({"me", "_me_"})


@lru_cache(maxsize=4_096)
def is_variable(name: str) -> bool:
    """Say whether cells can bind a name; what they run in has names of its own, which nobody's data may replace."""
    return name.isidentifier() and not is_reserved(name) and not iskeyword(name) and name not in _RESERVED
