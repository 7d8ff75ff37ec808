"""Asking another mind within a cell: its cells are child turns, and its last words come back as the answer."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import asdict
from typing import Any

from cave_sim.changes.turn import Turn
from cave_sim.errors import WorldError
from cave_sim.runtime.deadline import DEADLINE
from cave_sim.world import injection
from cave_sim.world.answers import Given
from cave_sim.world.state import WorldState
from cave_sim.world.turn_book import MAX_NESTED_TURNS
from cave_sim.world.turn_execution import take_turn


def ask(world: WorldState, agent: str, text: str) -> str:
    """Have an agent deliberate about a text within the turn under way; returns its last words.

    Raises:
        AnswerNeeded: what it does next is not known yet.
        WorldError: it cannot be asked.
    """
    if world.turns.nesting > MAX_NESTED_TURNS:
        raise WorldError(f"ask: turns may be nested {MAX_NESTED_TURNS} deep, no deeper")
    number, turn = world.answers.number(), None
    while True:
        given = _next(world, {"kind": "ask", "number": number, "agent": agent, "text": text}, turn)
        if given["do"] == "answer":
            return given["text"]
        if given["do"] == "keep":
            injection.inject(world, given["name"], given["text"], "", agent)
        else:
            turn = take_turn(world, given["text"], agent)
            DEADLINE.check()


def transcript(world: WorldState, agent: str) -> list[dict[str, Any]]:
    """Return what an agent said, saw and ran so far: rows of ``kind``, ``text`` and ``step``; the last thousand."""
    number = world.answers.number()
    given = _next(world, {"kind": "transcript", "number": number, "agent": agent, "text": ""}, None)
    return deepcopy(given["rows"])


def _next(world: WorldState, need: dict[str, Any], turn: Turn | None) -> Given:
    """Return what the turn under way is given next; ends it, saying what it needs, where that is not known."""
    acting = world.turns.outermost_agent
    given = world.answers.next(acting)
    if given is None:
        raise world.answers.need(acting, {**need, "view": view(world, need["agent"]), "turn": _plain(turn)})
    if given["do"] == "refuse":
        raise WorldError(given["text"])
    return given


def view(world: WorldState, agent: str) -> dict[str, Any]:
    """Return what an agent can tell of itself now: its class, its variables' types, and how it is wired."""
    entity, wiring = world.undo_log.entities.get(agent), world.wiring
    return {
        "kind": "" if entity is None else type(entity).__name__,
        "variables": world.interpreter.namespace(agent).types(),
        "role": wiring.roles.get(agent, ""),
        "habits": dict(wiring.habits.get(agent, {})),
    }


def _plain(turn: Turn | None) -> dict[str, Any] | None:
    """Return what a mind is told of its turn."""
    if turn is None:
        return None
    data = asdict(Turn(turn.id, turn.step, turn.agent, turn.code, turn.status, [], turn.output, turn.error))
    return {**data, "parent": turn.parent}
