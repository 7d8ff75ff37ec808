"""Yards in which agents act at once: a yard for each case, with a field of every kind and merge rule."""

import re
from functools import cache
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd

from cave_sim import Agent, Entity, Limits, Refused, Simulation, World, field
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.schedulers import Simultaneous

STEPS = 4
PEOPLE = ("ann", "bob", "cem", "dan")
"""Of each yard: ann and bob may write everything, cem the yard, dan nothing but itself."""
_NAMES = re.compile(r"\b(yard|rock|ann|bob|cem|dan|kid|pup)\b")
_WHO = re.compile(r"(ann|bob|cem|dan|kid|pup|all|abc|ab): ?(.*)")
_GROUPS = {"all": PEOPLE, "abc": PEOPLE[:3], "ab": PEOPLE[:2]}


def both(start, current, written):
    """Merge lists into a sorted one."""
    return sorted([*current, *written], key=repr)


def union(start, current, written):
    """Merge dicts."""
    return {**current, **written}


def whichever(start, current, written):
    """Merge values of any kind into a list."""
    return [*current, written] if isinstance(current, list) else [current, written]


def largest(start, current, written):
    """Merge numbers."""
    return max(current, written)


def newest(start, current, written):
    """Take what was written last, if it is anything."""
    return written or current


def refuse(start, current, written):
    """Merge nothing."""
    raise ValueError("no")


class Person(Entity):
    """Somebody."""

    mood: float = field(0.5, ge=0, le=1)
    plan: str = field("")
    notes: list[str] = field([])
    pals: "list[Person]" = field([])
    best: "Person | None" = field(None)
    coins: int = field(10, ge=0, guarded=True)

    def give(self, other: "Person", count: int) -> int:
        """Give coins."""
        self.coins -= count
        other.coins += count
        return self.coins


def path():
    """Return a graph of three nodes."""
    return nx.Graph([("a", "b"), ("b", "c")])


class Yard(Entity):
    """What agents write at once."""

    i1: int = field(5, ge=0)
    ia: int = field(5, ge=0, merge="add")
    fa: float = field(0.5, merge="add")
    il: int = field(5, merge="last")
    im: int = field(5, merge=largest)
    ix: int = field(5, merge=refuse)
    t1: str = field("a")
    tl: str = field("a", merge="last")
    l1: list[int] = field([1, 2])
    le: list[int] = field([1, 2], merge="extend")
    ll: list[int] = field([1, 2], merge="last")
    lf: list[int] = field([1, 2], merge=both)
    ln: list[list[int]] = field([[1], [2]], merge="extend")
    d1: dict[str, int] = field({"a": 1, "b": 2})
    de: dict[str, int] = field({"a": 1, "b": 2}, merge="extend")
    dl: dict[str, int] = field({"a": 1, "b": 2}, merge="last")
    df: dict[str, int] = field({"a": 1, "b": 2}, merge=union)
    dn: dict[str, list[int]] = field({"a": [1], "b": [2]})
    dne: dict[str, list[int]] = field({"a": [1], "b": [2]}, merge="extend")
    dnl: dict[str, dict[str, int]] = field({"a": {"x": 1}}, merge="last")
    s1: set[str] = field({"a", "b"})
    se: set[str] = field({"a", "b"}, merge="extend")
    sl: set[str] = field({"a", "b"}, merge="last")
    g1: nx.Graph = field(path())
    ge: nx.Graph = field(path(), merge="extend")
    gl: nx.DiGraph = field(nx.DiGraph([("a", "b"), ("b", "c")]), merge="last")
    gf: nx.Graph = field(path(), merge=newest)
    gde: nx.DiGraph = field(nx.DiGraph([("a", "b"), ("b", "c")]), merge="extend")
    a1: np.ndarray = field(np.zeros(3))
    al: np.ndarray = field(np.zeros(3), merge="last")
    p1: pd.DataFrame = field(pd.DataFrame({"x": [1, 2]}))
    pl: pd.DataFrame = field(pd.DataFrame({"x": [1, 2]}), merge="last")
    r1: "Person | None" = field(None)
    rl: "Person | None" = field(None, merge="last")
    rf: "Person | None" = field(None, merge=newest)
    rle: "list[Person]" = field([], merge="extend")
    rd: "dict[str, Person]" = field({}, merge="extend")
    rs: "set[Person]" = field(set(), merge="extend")
    rsl: "set[Person]" = field(set(), merge="last")
    tp: tuple[int, str] = field((1, "x"), merge="last")
    o1: object = field({"k": [1, {2, 3}], "t": (1, [2])})
    oe: object = field({"k": [1, {2, 3}]}, merge="extend")
    ol: object = field({"k": [1, {2, 3}]}, merge="last")
    of: object = field(None, merge=whichever)
    opt: int | None = field(None)
    optl: list[int] | None = field(None, merge="extend")

    def take(self, key: str, refuse: bool = False) -> int:
        """Take a key and more, then perhaps refuse."""
        count = self.d1.pop(key)
        self.s1.discard(key)
        self.l1.pop()
        if "b" in self.g1:
            self.g1.remove_node("b")
        if refuse:
            raise Refused("not today")
        return count

    def half(self, count: int) -> float:
        """Write, then fail."""
        self.l1.append(7)
        self.de["h"] = 1
        self.a1[0] = 9
        return 1 / count


def tide(world):
    """Write to parts that cells have left, too."""
    for yard in world.all(Yard):
        yard.fa += 0.25
        for items in yard.dne.values():
            items.append(0)


class Worker(Agent):
    """Runs a cell of its own in each step that has one."""

    def __init__(self, simulation, name, cells):
        super().__init__(simulation, name)
        self.clock, self.cells = simulation.world.clock, cells

    def act(self, observation):
        return self.cells[self.clock.step] if self.clock.step < len(self.cells) else ""


def create(*, programs, seed=1, out=None, observers=(), manifest=None):
    """Return so many yards with their people, who act at once; programs: agent -> a cell for each step."""
    world = World(seed=seed, limits=Limits(deadline_s=5.0))
    for case in sorted({int(name.rpartition("_")[2]) for name in programs}):
        world.add(f"yard_{case}", Yard())
        world.add(f"rock_{case}", Yard())
        for name in PEOPLE:
            world.add(f"{name}_{case}", Person(plan=name))
        world.grant(f"ann_{case}", "*")
        world.grant(f"bob_{case}", "*")
        world.grant(f"cem_{case}", f"yard_{case}")
    world.dynamics(tide)
    workers = {Person: lambda simulation, name: Worker(simulation, name, programs.get(name, []))}
    return Simulation(
        world,
        agent_factories=workers,
        scheduler=Simultaneous(),
        out=out,
        observers=list(observers),
        manifest=manifest or {},
    )


@cache
def cases():
    """Return the cases of the file beside this one: title -> for each step, what whom runs."""
    found = {}
    for block in Path(__file__).with_name("batches.txt").read_text().split("== ")[1:]:
        title, *lines = block.splitlines()
        steps, who = [{}], None
        for line in lines:
            if line == "--":
                steps.append({})
            elif begins := _WHO.fullmatch(line):
                who = begins[1]
                steps[-1][who] = begins[2]
            else:
                steps[-1][who] += "\n" + line
        found[title] = steps
    return found


def recipe_of(titles):
    """Return the recipe of a yard for each of these cases."""
    programs = {}
    for number, title in enumerate(titles):
        for name in (*PEOPLE, "kid", "pup"):
            groups = [name, *(group for group, members in _GROUPS.items() if name in members)]
            cells = [next((step[group] for group in groups if group in step), "") for step in cases()[title]]
            programs[f"{name}_{number}"] = [_NAMES.sub(rf"\1_{number}", cell) for cell in cells]
    return Recipe(__name__, {"programs": programs})
