"""Judging a hostile cell by what it did, not by what it said: every door is looked at after the turn."""

import gc
import json
import math
import os
import re
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from operator import is_

import networkx as nx
import numpy as np
import pandas as pd

import cave_sim
from cave_sim import World
from cave_sim.changes.plain_state import Fold
from cave_sim.determinism.canonical_json import to_json
from cave_sim.entity.entity import encode_fields
from cave_sim.entity.preparation import fields_of
from cave_sim.journal.rebuild import state_hash
from cave_sim.policy.libraries import late
from cave_sim.runtime.cell_form import CellForm
from tests.policy import square

PATIENCE_S = 5.0
"""Of computing in one turn; how long a turn waits for its share of a machine is no fault of its cell."""
WATCHED = [
    (str(each), each)
    for each in (
        *(square.Citizen, square.Shop, square.Vault, square.Board, cave_sim.Entity, World, cave_sim.Turn),
        *(pd.DataFrame, pd.Series, nx.Graph, np, math, json, sys.modules["builtins"], sys.modules["collections"]),
    )
]
REACHING = (
    "os.",
    "subprocess",
    "socket.",
    "shutil.",
    "ctypes",
    "pty",
    "pickle",
    "sys.settrace",
    "code.__new__",
    "sqlite3.",
)

_watching: list[str] | None = None


def _listen(event: str, arguments: tuple[object, ...]) -> None:
    if _watching is None:
        return
    if event == "open":
        path, mode = str(arguments[0]), str(arguments[1])
        if not path.startswith((sys.prefix, sys.base_prefix)) or set(mode) & set("wax+"):
            _watching.append(f"open {path} {mode}")
    elif event == "code.__new__" and sys._getframe(1).f_code is CellForm.filled.__code__:
        return  # before a cell runs: its form, with its own literals
    elif event.startswith(REACHING) and event not in ("os.listdir", "os.scandir"):
        _watching.append(event)


sys.addaudithook(_listen)


@contextmanager
def watching():
    """Collect what reaches outside the process meanwhile."""
    global _watching
    _watching = found = []
    try:
        yield found
    finally:
        _watching = None


@contextmanager
def _loading():
    """Look away: what a library does while it is loaded is not the doing of the cell that named it."""
    global _watching
    before, _watching = _watching, None
    try:
        yield
    finally:
        _watching = before


late.asides.append(_loading)


@dataclass
class Outcome:
    """What one sequence of turns came to, what was there when it had ended, and what classes offered before it."""

    script: str
    turns: list
    reached: list[str]
    seconds: float
    world: World
    entities: dict[str, dict]
    surface: list[dict[str, object]]

    @cached_property
    def state(self) -> str:
        """The digest of what was really there, with no help from what the world believes has changed."""
        return state_hash(self.entities)

    @property
    def left_nothing(self) -> bool:
        """Whether the world is as if nobody had acted: no change, no variable, no strike against anybody."""
        variables = self.world.variables_hash() == untouched().world.variables_hash()
        return variables and not self.world.violations and not any(turn.changes for turn in self.turns)

    @property
    def met_its_deadline(self) -> bool:
        """Whether a turn was ended by the clock: what it came to before that depends on the machine."""
        return any("processor time" in (turn.error or "") for turn in self.turns)

    def told(self) -> list:
        """What must be the same in every run of it."""
        return [(turn.status, turn.output, turn.error, turn.changes) for turn in self.turns] + [self.state]


@dataclass
class Untouched:
    """A square in which nobody has acted, and what it holds: every other one is compared with it."""

    world: World
    plain: str
    state: str
    fields: dict[tuple[str, str], object]
    draw: float


@cache
def untouched() -> Untouched:
    """Return the one of this process."""
    world = square.build()
    found = plain(world)
    return Untouched(world, json.dumps(found), state_hash(found), fields(found), world.rng("check").random())


def turns_of(script: str, agent: str = "ann") -> list[tuple[str, str]]:
    """Split a script at its `#> agent` lines."""
    found, lines = [], []
    for line in [*script.strip("\n").split("\n"), "#> "]:
        if line.startswith("#> "):
            found.append((agent, "\n".join(lines)))
            agent, lines = line[3:], []
        else:
            lines.append(line)
    return [each for each in found if each[1]]


def run(script: str, world: World | None = None) -> Outcome:
    """Run a script; whatever is left of a turn's own objects is finalised before the next one."""
    world = world or square.build()
    before, turns, started = surface(), [], time.process_time()
    with watching() as reached:
        for agent, code in turns_of(script):
            turns.append(world.execute(code, agent=agent))
            gc.collect(1)
    seconds = time.process_time() - started
    return Outcome(script, turns, reached, seconds, world, plain(world), before)


def plain(world: World) -> dict[str, dict]:
    """Every entity as plain data."""
    return {
        name: {"type": type(entity).__name__, "fields": encode_fields(entity)}
        for name, entity in world.undo_log.entities.items()
    }


def true_hash(world: World) -> str:
    """The digest of what is really there, with no help from what the world believes has changed."""
    return state_hash(plain(world))


def fields(entities: dict[str, dict]) -> dict[tuple[str, str], object]:
    """Every field of every entity as JSON text."""
    return {
        (name, field): json.dumps(data, sort_keys=True, default=str, allow_nan=False)
        for name, entity in entities.items()
        for field, data in entity["fields"].items()
    }


def surface() -> list[dict[str, object]]:
    """What classes and modules offer, in the order of those that are watched."""
    return [dict(vars(held)) for _, held in WATCHED]


def patched(before: list[dict[str, object]]) -> list[tuple[str, str]]:
    """Return what classes and modules offer by another object than before, or had not before."""
    found = []
    for (each, held), was in zip(WATCHED, before, strict=True):
        now = vars(held)
        if now.keys() != was.keys() or not all(map(is_, now.values(), was.values())):
            found += [(each, name) for name in now if name not in CACHES and now[name] is not was.get(name, MISSING)]
    return found


MISSING = object()
CACHES = {
    "_field_types",
    "_fast",
    "_bounds",
    "_prepared",
    "_declared",
    "__doc__",
    "__slotnames__",
    "__abstractmethods__",
    "_abc_impl",
    "__msgspec_cache__",
    "__warningregistry__",
    "_",
}


def escapes(outcome: Outcome) -> list[str]:
    """Return what a hostile script achieved that it must not; empty if it was contained. The world is used up."""
    return traces(outcome) + failure_to_go_on(outcome.world)


def traces(outcome: Outcome) -> list[str]:
    """Return what can be seen, without touching the world, of what a script achieved that it must not."""
    before, world, found = untouched().fields, outcome.world, []
    agents = {agent for agent, _ in turns_of(outcome.script)}
    found += [f"reached outside: {each}" for each in outcome.reached]
    after = fields(outcome.entities)
    for place in before.keys() | after.keys():
        if before.get(place) != after.get(place) and not may_change(world, agents, place):
            found.append(f"changed {place}: {before.get(place)} -> {after.get(place)}")
    if explained(outcome.turns) != outcome.state:
        found.append("the changes of the turns do not explain the state")
    if world.state_hash() != outcome.state:
        found.append("the world's own hash does not know its state")
    if hash_when_restored(COUNTED.sub(b"", world.snapshot(), 1)) != outcome.state:
        found.append("a snapshot of it is another state")
    if names := patched(outcome.surface):
        found.append(f"patched {names[:3]}")
    if world.retrieve("secret", agent="bob") != [1, 2] and "bob" not in agents:
        found.append("another agent's variables changed")
    log = world.undo_log
    if log.guard or log.depth or log.undo or log.checkouts or world.turns.current_id:
        found.append("the turn left the engine open")
    if outcome.seconds > PATIENCE_S * len(outcome.turns):
        found.append(f"took {outcome.seconds:.1f} s")
    if any(turn.status not in ("committed", "failed", "blocked", "timeout") for turn in outcome.turns):
        found.append("a turn without a status")
    return found


COUNTED = re.compile(rb'(?<="turns":)\d+')
"""How many turns there were before a snapshot: no part of a state, and all else is the same after most scripts."""


@lru_cache(16)
def hash_when_restored(uncounted: bytes) -> str:
    """Return the digest that the world of a snapshot believes to have."""
    return World.restore(uncounted.replace(b'"turns":', b'"turns":0', 1)).state_hash()


def failure_to_go_on(world: World) -> list[str]:
    """Draw, and let bob act, in a world where scripts have run; return what is not as it would be without them."""
    found = []
    if (world.clock.step, world.seed, world.rng("check").random()) != (0, 11, untouched().draw):
        found.append("clock, seed or streams changed")
    following = world.execute("me.mood = 0.25\nmood = me.mood", agent="bob")
    if not following.committed or world["bob"].mood != 0.25:
        found.append(f"the next turn failed: {following.error}")
    return found


def explained(turns: list) -> str:
    """Return the digest of the state that the changes of turns lead to, as a journal holds them."""
    changes = [change for turn in turns for change in turn.changes]
    if not changes:
        return untouched().state
    fold = Fold(json.loads(untouched().plain))
    for entity, path, op, old, new in changes:
        fold.apply(entity, to_json(path), op, *(None if value is None else to_json(value) for value in (old, new)))
    return state_hash(fold.settle())


def may_change(world: World, agents: set[str], place: tuple[str, str]) -> bool:
    """Say whether the rights of those who acted cover a field."""
    name, field = place
    if name == "$system":
        return False
    entity = world.undo_log.entities.get(name)
    shared = bool(getattr(type(entity), "shared", False))
    return shared or (name in agents and not fields_of(entity)[field].guarded)


def replay(script: str) -> str:
    """Return what a script does, as JSON, to compare between processes."""
    return json.dumps(run(script).told(), default=str)


if __name__ == "__main__":  # python -m tests.policy.judge: the scripts come in on stdin, their outcomes go out
    os.chdir(os.environ.get("TMPDIR", "."))
    print(json.dumps([replay(script) for script in json.load(sys.stdin)]))
