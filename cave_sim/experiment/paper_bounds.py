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


def bounds_in_words(folder: KeptPaper) -> list[str]:
    """Return a sentence for each set of bounds: which models were given it, in which parts."""
    where: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for model in folder.models:
        for part in folder.paper.parts:
            if bounds := ", ".join(_in_words(_about(folder, model, part.name))):
                where[bounds][model].append(part.name)
    return [
        f"Only a part was run: {bounds} (" + "; ".join(f"{m} in {', '.join(own)}" for m, own in parts.items()) + ")."
        for bounds, parts in where.items()
    ]


def _about(folder: KeptPaper, model: str, part: str) -> Mapping[str, object]:
    try:
        about = json.loads(given_text(folder.out / folder_of(model) / part / ABOUT))
    except (OSError, ValueError):  # not begun, or nobody's study
        return {}
    return about if isinstance(about, dict) else {}


def _in_words(about: Mapping[str, object]) -> Iterator[str]:
    for name, (text, one, many) in BOUNDS.items():
        if isinstance(most := about.get(name), int):
            yield text.format(counted(most, one, many))
