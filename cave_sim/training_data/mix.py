"""How many examples of each category are taken: the paper's mix, never by repeating any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Shares = Mapping[str, float]
Pools = Mapping[tuple[str, str], int]
"""(category, kind) -> how many there are."""
PAPER: Shares = {"multi": 40.0, "mixed": 20.0, "conversational": 10.0, "single": 15.0, "cloud": 15.0}
"""The mix of "Efficient on-device agents" (A.2.4), in percent."""


@dataclass(frozen=True)
class Shortage:
    """Something of which there were fewer examples than the mix takes."""

    what: str
    there: int
    wanted: int

    def __str__(self) -> str:
        return f"{self.what}: {self.there or 'none'} of {self.wanted} wanted"


def quotas(shares: Shares, total: int) -> dict[str, int]:
    """Return how many of a total each share gets: whole numbers that add up, by the largest remainders."""
    whole = sum(shares.values())
    exact = {name: total * share / whole for name, share in shares.items()}
    counts = {name: int(number) for name, number in exact.items()}
    by_remainder = sorted(exact, key=lambda name: (counts[name] - exact[name], name))
    for name in by_remainder[: total - sum(counts.values())]:
        counts[name] += 1
    return counts


def plan(
    pools: Pools, mix: Shares, kinds: Shares, total: int | None
) -> tuple[dict[tuple[str, str], int], list[Shortage]]:
    """Return how many examples are taken of each category and kind, and what there is too little of.

    Args:
        pools: how many there are.
        mix: category -> share.
        kinds: kind -> share of its category, in percent; all others share the rest.
        total: how many are wanted; None for as many as the categories that there are allow.
    """
    there = {category for category, _ in pools if category in mix}
    wanted = (
        _most(pools, {name: share for name, share in mix.items() if name in there}, kinds) if total is None else total
    )
    targets = quotas(mix, wanted) if total is not None else _as_many(mix, there, wanted)
    taken: dict[tuple[str, str], int] = {}
    short: list[Shortage] = []
    for category, target in targets.items():
        counts = _of_category(pools, category, kinds, target)
        taken |= {(category, kind): number for kind, number in counts.items() if number}
        if category in there and not wanted and not sum(_of_category(pools, category, kinds, 1).values()):
            others = sum(number for (each, kind), number in pools.items() if each == category and kind not in kinds)
            short.append(Shortage(f"{category}, beside {' and '.join(kinds)}", others, 1))
        elif sum(counts.values()) < target or category not in there:
            short.append(Shortage(category, sum(counts.values()), max(target, quotas(mix, wanted)[category], 1)))
    all_taken = sum(taken.values())
    for kind, share in kinds.items():
        number, aim = sum(n for (_, each), n in taken.items() if each == kind), round(all_taken * share / 100)
        if number < aim - len(targets):  # each category rounds
            short.append(Shortage(kind, number, aim))
    return taken, short


def _of_category(pools: Pools, category: str, kinds: Shares, target: int) -> dict[str, int]:
    """Return how many of each kind make a category's quota; kinds with a share take no more than that."""
    counts = {kind: min(pools.get((category, kind), 0), round(target * share / 100)) for kind, share in kinds.items()}
    rest = sorted(kind for each, kind in pools if each == category and kind not in kinds)
    left = target - sum(counts.values())
    sizes = {kind: float(pools[category, kind]) for kind in rest}
    if sizes and left > 0:
        counts |= quotas(sizes, min(left, int(sum(sizes.values()))))
    return counts


def _most(pools: Pools, mix: Shares, kinds: Shares) -> int:
    """Return the largest total for which no category that there is falls short."""
    low, high = 0, sum(pools.values()) if mix else 0
    while low < high:
        middle = (low + high + 1) // 2
        targets = quotas(mix, middle)
        if all(sum(_of_category(pools, name, kinds, target).values()) >= target for name, target in targets.items()):
            low = middle
        else:
            high = middle - 1
    return low


def _as_many(mix: Shares, there: set[str], total: int) -> dict[str, int]:
    """Return the quotas of the categories that there are, and 0 for those that are missing."""
    counts = quotas({name: share for name, share in mix.items() if name in there}, total) if there else {}
    return {name: counts.get(name, 0) for name in mix}
