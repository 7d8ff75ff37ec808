"""What the parts of a turn cost: the walk of the gate, and reading and writing a field."""

import ast
from collections.abc import Iterator
from typing import Any

from cave_sim import World
from cave_sim.policy.ast_check import AstChecker
from cave_sim.policy.attributes import direct_names
from tests.bench.cells import ONE_KILOBYTE
from tests.bench.measure import medians_us, way
from tests.bench.plain import PlainResident
from tests.bench.subjects import Neighbour, Secretive, town
from tests.bench.table import Row, ratio, shown_us


def fresh_resident(_calls: int) -> dict[str, Any]:
    """Make a resident of a new world, whose log of writes is empty."""
    return {"me": town()["ann"]}


def secretive_resident(_calls: int) -> dict[str, Any]:
    """Make a resident of a new world whose class has a private field."""
    world = World(seed=7)
    return {"me": world.add("ann", Secretive())}


def policy(repeats: int) -> Iterator[Row]:
    """Yield the row of the gate's walk over a kilobyte of Python, against parsing it."""
    names = {
        "parse": ast.parse,
        "cell": ONE_KILOBYTE,
        "gate": AstChecker,
        "direct": direct_names(frozenset({Neighbour})),
    }
    costs = medians_us(
        {
            "ast.parse": way("parse(cell)", **names),
            "both": way("gate(direct, frozenset()).walk(parse(cell))", **names),
        },
        calls=200,
        repeats=repeats,
    )
    walk = {"walk": costs["both"] - costs["ast.parse"]}  # the gate rewrites the tree: each walk needs a new one
    yield ratio("walk of a 1 KB cell", costs | walk, "walk", "ast.parse", 0.35)


def attributes(repeats: int) -> Iterator[Row]:
    """Yield rows for reading and for writing a bounded float of an entity, against a plain object."""
    reads, writes = "; ".join(["me.energy"] * 10), "; ".join(["me.energy = 0.25"] * 10)  # so that the loop is not felt
    plain = PlainResident()
    costs = medians_us(
        {
            "plain read": way(reads, me=plain),
            "read": way(reads, fresh_resident),
            "read beside a private": way(reads, secretive_resident),
            "read of a private": way("; ".join(["me.diary"] * 10), secretive_resident),
            "plain write": way(writes, me=plain),
            "write": way(writes, fresh_resident),
        },
        calls=100,
        repeats=repeats,
    )
    costs = {name: cost / 10 for name, cost in costs.items()}
    yield ratio("read of a field", costs, "read", "plain read", 1.5)
    yield ratio("read of a field, where another of its class is private", costs, "read beside a private", "read", 1.1)
    yield Row(
        "read of a private field by the world itself",
        shown_us(costs["read of a private"]),
        f"read {shown_us(costs['read'])}",
        costs["read of a private"] * 1000,
        250,
        "ns",
    )
    yield Row(
        "write of a field, checked and tracked",
        shown_us(costs["write"]),
        f"plain write {shown_us(costs['plain write'])}",
        costs["write"] * 1000,
        250,
        "ns",
    )
