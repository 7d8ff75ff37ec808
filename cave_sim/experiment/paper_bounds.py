"""How far a paper was run: the bounds that its studies were given, for whoever reads its numbers."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping

from cave_sim.diagnostics.plurals import counted
from cave_sim.experiment.paper import KeptPaper, folder_of
from cave_sim.experiment.runner import ABOUT
from cave_sim.files.given_files import given_text

BOUNDS = {
    "limit": ("at most {} of each group", "task", "tasks"),
    "rounds": ("at most {} for a query", "cell or round of calls", "cells or rounds of calls"),
    "reply_tokens": ("replies of at most {}", "token", "tokens"),
    "turns": ("at most {} of a simulated user", "message", "messages"),
}
"""What a study may be bounded by, as its folder has it, and how that is told."""


def bounds_told(kept: KeptPaper) -> list[str]:
    """Return a sentence for each set of bounds: which models were given it, in which parts."""
    where: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for model in kept.models:
        for part in kept.paper.parts:
            if told := ", ".join(_told(_about(kept, model, part.name))):
                where[told][model].append(part.name)
    return [
        f"Only a part was run: {told} (" + "; ".join(f"{m} in {', '.join(parts)}" for m, parts in found.items()) + ")."
        for told, found in where.items()
    ]


def _about(kept: KeptPaper, model: str, part: str) -> Mapping[str, object]:
    try:
        found = json.loads(given_text(kept.out / folder_of(model) / part / ABOUT))
    except (OSError, ValueError):  # not begun, or nobody's study
        return {}
    return found if isinstance(found, dict) else {}


def _told(about: Mapping[str, object]) -> Iterator[str]:
    for name, (text, one, many) in BOUNDS.items():
        if isinstance(most := about.get(name), int):
            yield text.format(counted(most, one, many))
