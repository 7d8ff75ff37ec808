"""What can be measured, section by section, each in a process of its own."""

import gc
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

from tests.bench import (
    blames,
    crowds,
    growth,
    hosts,
    journals,
    memories,
    minds,
    pages,
    parts,
    rays,
    renderings,
    scale,
    servers,
    start_up,
    time_machine,
    towns,
    turns,
    whys,
)
from tests.bench.table import Row

SECTIONS: dict[str, Callable[[int], Iterator[Row]]] = {
    "the start": start_up.start_up,
    "a cached cell": turns.cached_cell,
    "a new cell": turns.new_cell,
    "a turn among others": towns.cold_turns,
    "a failing turn": turns.failure,
    "a large world": turns.world_size,
    "the policy": parts.policy,
    "attributes": parts.attributes,
    "the journal": journals.journal,
    "restore": journals.restore,
    "a long run": time_machine.long_run,
    "forks": time_machine.forks,
    "blame": blames.blames,
    "what once grew": growth.growth,
    "a town": towns.towns,
    "minds": minds.minds,
    "memory": memories.memories,
    "a provider": servers.servers,
    "processes": hosts.processes,
    "a crowd": crowds.crowds,
    "worlds and districts on Ray": rays.rays,
    "documents": renderings.renderings,
    "pages": pages.pages,
    "half an hour of a page": pages.half_hour,
    "why": whys.whys,
    "laws of scale": scale.scale,
    "what grew, at large": growth.at_large,
}
ON_REQUEST = ("half an hour of a page", "why", "laws of scale", "what grew, at large")
"""Sections that take many minutes of their own; measured when --only names them."""


def apart(name: str, repeats: int) -> list[Row]:
    """Measure a section in a process of its own: what others left in memory, threads and caches is not its cost.

    It is forked off one that has loaded all that is measured, and has measured nothing.
    """
    fresh = multiprocessing.get_context("forkserver")
    fresh.set_forkserver_preload([__name__])
    with ProcessPoolExecutor(1, mp_context=fresh) as process:
        return process.submit(measured, name, repeats).result()


def measured(name: str, repeats: int) -> list[Row]:
    """Measure a section here."""
    gc.collect()  # which goes through all that was loaded: what shares pages until it is touched is its own from here
    return list(SECTIONS[name](repeats))
