"""How meta-agents wire others: who is paused, what they are there for, how they go about it, and what they may write.

All of it is state of the world: undone with the turn, journaled, hashed, the same on every host and after every stop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cave_sim.diagnostics.plurals import article
from cave_sim.entity.builtin_entities import WIRING, AgentWiring
from cave_sim.errors import WorldError, did_you_mean
from cave_sim.policy.permissions import Rights, check_target
from cave_sim.world.state import WorldState

HABITS: Mapping[str, type | tuple[str, ...]] = {
    "max_cells": int,
    "until_landed": bool,
    "only_first": bool,
    "context": ("step", "full", "window", "summary", "state"),
    "summary": ("rules", "model"),
    "tracker": ("rules", "model"),
    "state_tokens": int,
    "output_chars": int,
    "max_tokens": int,
    "temperature": float,
    "continuations": int,
}
"""The habits that can be rewired, with their types, or the words that they take."""
OPERATION_PREFIX = "$team."
"""What a proposal calls operations of this module: names of injected functions hold no dollar sign."""


def do(world: WorldState, name: str, *args: Any) -> None:
    """Do an operation of :data:`_OPERATIONS` for the acting agent, with the world's own rights; a recorder is told.

    Raises:
        PermissionDenied: the acting agent may not operate others.
        WorldError: the operation is not possible.
    """
    undo_log = world.undo_log
    rights = undo_log.guard
    if isinstance(rights, Rights) and not rights.may_change_population():
        rights.refuse(f"{rights.agent} may not {name} agents; an agent granted '*' may")
    undo_log.write_through()
    recorder = world.recorder
    if recorder is not None:
        recorder.call(None, f"{OPERATION_PREFIX}{name}", args, {})
    try:
        with undo_log.as_world():
            _OPERATIONS[name](world, *args)
        undo_log.write_through()
    finally:
        if recorder is not None:
            recorder.returned()


def operation(world: WorldState, name: str) -> Callable[..., None] | None:
    """Return what does an operation again, as a proposal names it; None if there is no such operation."""
    name = name.removeprefix(OPERATION_PREFIX)
    return (lambda *args: do(world, name, *args)) if name in _OPERATIONS else None


def _wiring(world: WorldState) -> AgentWiring:
    if WIRING not in world.undo_log.entities:
        world.registry.enter(WIRING, AgentWiring())
    return world.wiring


def _pause(world: WorldState, agent: str) -> None:
    wiring = _wiring(world)
    if agent not in wiring.paused:
        wiring.paused = sorted([*wiring.paused, agent])


def _resume(world: WorldState, agent: str) -> None:
    wiring = _wiring(world)
    if agent in wiring.paused:
        wiring.paused = [name for name in wiring.paused if name != agent]


def _rewire(world: WorldState, agent: str, role: str | None, habits: dict[str, Any]) -> None:
    wiring = _wiring(world)
    for name, value in habits.items():
        takes = HABITS.get(name)
        if takes is None:
            hint = did_you_mean(name, HABITS)
            raise WorldError(f"rewire: there is no habit {name!r}.{hint} There are: {', '.join(HABITS)}")
        if isinstance(takes, tuple):
            if value not in takes:
                raise WorldError(f"rewire: {name} takes one of {', '.join(takes)}, not {value!r}")
            continue
        fits = type(value) is takes or (takes is float and type(value) is int)
        if not fits or (takes is not bool and value < 0):
            raise WorldError(f"rewire: {name} takes a {takes.__name__} of at least 0, not {value!r}")
    if role is not None:
        if type(role) is not str:
            raise WorldError(f"rewire: a role is a text, not {article(type(role).__name__)}")
        wiring.roles[agent] = role
    if habits:
        wiring.habits[agent] = {**wiring.habits.get(agent, {}), **habits}


def _grant(world: WorldState, agent: str, targets: list[str]) -> None:
    for target in targets:
        if type(target) is not str:
            raise WorldError(
                f"grant: takes texts such as 'ledger' or 'ledger.total', not {article(type(target).__name__)}"
            )
        check_target(target, world.undo_log.entities, world.types)
    grants = world.system.grants
    granted = list(grants.get(agent, []))
    grants[agent] = granted + [target for target in dict.fromkeys(targets) if target not in granted]


_OPERATIONS: dict[str, Callable[..., None]] = {"pause": _pause, "resume": _resume, "rewire": _rewire, "grant": _grant}
