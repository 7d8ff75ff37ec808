"""Named random streams: one for each (seed, name, step), so that a new agent shifts nobody else's draws."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable
from typing import Any

from cave_sim.diagnostics.attribute_hints import AttributeHints
from cave_sim.diagnostics.told_names import told_as

MEANT = {
    "normal": "gauss(mean, spread)",
    "standard_normal": "gauss(0, 1)",
    "integers": "randrange(first, end)",
    "exponential": "expovariate(1 / mean)",
    "beta": "betavariate(alpha, beta)",
    "gamma": "gammavariate(alpha, beta)",
    "permutation": "sample(items, len(items))",
    **dict.fromkeys(
        ("binomial", "poisson", "multinomial", "dirichlet"), "numpy.random.default_rng(stream.getrandbits(64))"
    ),
}
"""How what numpy's generators have is written here."""


def draw(*key: object) -> int:
    """Return 64 bits that depend on the key alone: the counter-based generator behind every stream (blake2b)."""
    text = "\x1f".join(map(str, key))
    written = text.encode(errors="surrogatepass")  # whatever a stream is called, it is a stream
    return int.from_bytes(hashlib.blake2b(written, digest_size=8).digest(), "big")


class RandomStream(AttributeHints, random.Random):
    """A :class:`random.Random` that is seeded by its name and cannot be seeded by a clock."""

    def __new__(cls, *key: object) -> RandomStream:
        return super().__new__(cls)

    def __init__(self, *key: object) -> None:
        super().__init__(draw(*key))

    def _attribute_hint(self, name: str) -> str:
        way = f": a stream is a random.Random; write {MEANT[name]}" if name in MEANT else ""
        return way or super()._attribute_hint(name)

    def __reduce__(self) -> Any:
        raise TypeError("a stream is not stored: it follows from seed, name and step")


def seeded_order(names: Iterable[str], *key: object) -> list[str]:
    """Return the names in an order that depends on the key and on each name alone, never on how they came."""
    return sorted(names, key=lambda name: (draw(*key, name), name))


told_as(RandomStream, "random.Random")
