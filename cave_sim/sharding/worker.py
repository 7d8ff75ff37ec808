"""Some shards in one process, reached by messages of bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from cave_sim.determinism.canonical_json import to_json
from cave_sim.loading.entry_points import load
from cave_sim.sharding.messages import Barrier
from cave_sim.sharding.shard import Shard

BARRIER = msgspec.json.Decoder(Barrier)


class ShardWorker:
    """Some shards in one process, reached by messages of bytes.

    Args:
        maker: ``module:function`` that makes a shard of its number.
        arguments: of the maker, besides the number.
        numbers: of the shards.
    """

    def __init__(self, maker: str, arguments: Mapping[str, Any], numbers: Sequence[int]) -> None:
        make: Callable[..., Shard] = load(maker)
        self._shards = {number: make(number, **arguments) for number in numbers}

    def report(self) -> bytes:
        """Return the reports of all shards, packed."""
        return to_json([msgspec.to_builtins(shard.report()) for shard in self._shards.values()])

    def step(self, packed: bytes) -> bytes:
        """Step all shards past a packed barrier; returns their packed reports."""
        barrier = BARRIER.decode(packed)
        return to_json([msgspec.to_builtins(shard.step(barrier)) for shard in self._shards.values()])

    def ask(self, shard: int, action: str, *args: Any) -> Any:
        """Return what an action of a shard comes to."""
        return self._shards[shard].ask(action, *args)

    def resume(self, folder: str, step: int) -> None:
        """Bring all shards to a step of a sharded run."""
        for shard in self._shards.values():
            shard.resume(Path(folder), step)

    def replay_from(self, folder: str) -> None:
        """Have all shards do again what a sharded run has recorded."""
        for shard in self._shards.values():
            shard.replay_from(Path(folder))

    def stay_local(self) -> None:
        """Have the cells of all shards run in this process, whoever writes them."""
        for shard in self._shards.values():
            shard.stay_local()

    def isolate(self, require: str) -> list[dict[str, Any]]:
        """Have the cells of all shards run in sandboxed processes; returns their levels of isolation."""
        return [shard.isolate(require) for shard in self._shards.values()]

    def close(self) -> None:
        """Finish the journals."""
        for shard in self._shards.values():
            shard.close()
