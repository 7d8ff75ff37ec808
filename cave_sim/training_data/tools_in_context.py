"""Which tools an example shows: those that it takes, the larger model, and others to choose among (paper, §3.4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from cave_sim.determinism.random_streams import RandomStream
from cave_sim.llm_agent.tool_listing import ToolListing
from cave_sim.llm_agent.tool_texts import DELEGATE

Entry = tuple[str, str]
_NAME = re.compile(r'"(\w+)"')


class DistractorPool:
    """The tools that there are in any of the runs, by the form in which they are told."""

    def __init__(self) -> None:
        self._entries: dict[str, dict[str, str]] = {}

    def add(self, listings: Iterable[ToolListing]) -> None:
        """Take the tools of a run; of two that are called alike one stays, whichever came first."""
        for listing in listings:
            known = self._entries.setdefault(listing.schemas, {})
            for name, text in listing.entries:
                known[name] = min(known.get(name, text), text)

    def others(self, listing: ToolListing) -> list[Entry]:
        """Return the tools that are told in the same form and are not in a listing, by name."""
        known: Mapping[str, str] = self._entries.get(listing.schemas, {})
        own = set(listing.names)
        return sorted((name, text) for name, text in known.items() if name not in own)


def shown(
    listing: ToolListing, texts: Iterable[str], pool: DistractorPool, between: tuple[int, int], rng: RandomStream
) -> ToolListing | None:
    """Return a listing of as many tools as are wanted; None if there are not so many, or more are needed.

    Args:
        listing: the tools that were told.
        texts: of the turn; tools that are named in them are needed, and so is the larger model.
        pool: where others come from, once its own are used up.
        between: the fewest and the most tools.
        rng: how many there are, which ones, and where those of the pool stand follow from it.
    """
    named = {name for text in texts for name in _NAME.findall(text)} | {DELEGATE}
    needed = [name for name in listing.names if name in named]
    wanted = rng.randint(max(between[0], min(len(needed), between[1])), between[1])
    if len(needed) > wanted:
        return None
    spare = [name for name in listing.names if name not in named]
    names = {*needed, *rng.sample(spare, min(len(spare), wanted - len(needed)))}
    entries = [entry for entry in listing.entries if entry[0] in names]
    others = pool.others(listing)
    foreign = rng.sample(others, min(len(others), wanted - len(entries)))
    for entry in foreign:
        entries.insert(rng.randint(0, len(entries)), entry)
    return listing.of(entries) if between[0] <= len(entries) else None
