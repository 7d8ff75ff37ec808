"""What passes between the shards of a world, and between them and who steps them; plain data, in JSON on the way."""

from __future__ import annotations

from typing import Any

import msgspec

from cave_sim.sharding.migration import Migration


class Migrant(msgspec.Struct, frozen=True):
    """An entity on its way from one shard to another.

    Attributes:
        to, origin: numbers of shards.
        migration: the entity, and the state of its agent.
    """

    to: int
    origin: int
    migration: Migration


class ShardCommand(msgspec.Struct, frozen=True):
    """Something that a shard is told to do at the barrier: an action by name, and what it takes."""

    shard: int
    action: str
    args: list[Any]


class Barrier(msgspec.Struct, frozen=True):
    """What the shards of a worker get before their next step.

    Attributes:
        totals: what all shards count, added up.
        news: what shards tell all others.
        migrants: entities that come in.
        commands: what they are told to do.
    """

    totals: dict[str, float]
    news: dict[str, Any]
    migrants: list[Migrant]
    commands: list[ShardCommand] = []


class ShardReport(msgspec.Struct, frozen=True):
    """How a shard stands after a step.

    Attributes:
        shard: its number.
        state_hash: of its state.
        turns: how many cells have run in it so far.
        counts: name -> what it adds to the totals.
        news: what it tells all others.
        leaving: entities that go to other shards.
    """

    shard: int
    state_hash: str
    turns: int
    counts: dict[str, float]
    news: dict[str, Any]
    leaving: list[Migrant]
