"""Agents that are asked within another one's cell: they deliberate as ever, and what they do is part of that turn.

Each time a cell needs what is not known yet, it is taken back, the mind that it asks takes one step of its
deliberation, and the cell is run again with the outcome (:mod:`cave_sim.world.answers`). So models are asked between
turns, as always, and are recorded, budgeted and remembered as always. If the turn does not land in the end, those
who were asked know nothing of it.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from cave_sim.changes.turn import Turn
from cave_sim.errors import AnswerNeeded, WorldError
from cave_sim.session.session import Session
from cave_sim.simulation.agents import Agent, Conversation
from cave_sim.simulation.deliberation import AskingFor, Came, Deliberation, Question
from cave_sim.simulation.schedulers import Order
from cave_sim.world.answers import Given

MAX_ROWS = 1_000
"""Of a transcript, the last ones."""
MAX_GIVEN = 100
"""How often one cell is begun again with more that it is given; then it is refused whatever else it asks."""


@dataclass
class _Dialogue:
    """What goes on between one cell and the minds that it asks.

    Attributes:
        given: what the cell was given so far.
        conversations: number of a question -> the agent that was asked, and its deliberation.
        before: those who were asked, with their sessions and what they kept, as they were.
        newcomers: those of them whose entities the cell itself brought into the world.
    """

    given: list[Given] = field(default_factory=list)
    conversations: dict[int, tuple[Agent, Conversation]] = field(default_factory=dict)
    before: dict[str, tuple[Agent, Session | None, int, Any]] = field(default_factory=dict)
    newcomers: dict[str, Agent] = field(default_factory=dict)


class AskedAgents:
    """Runs the cells of a simulation, and has its agents answer what they ask.

    Args:
        simulation: whose world and agents these are.
    """

    def __init__(self, simulation: Any) -> None:
        self._simulation = simulation
        self._deliberating: set[str] = set()

    def run(self, order: Order, cells: Mapping[str, str]) -> AskingFor[dict[str, Turn]]:
        """Run one cell for each name; yields what is asked on the way, and comes to their turns.

        Which of them saw one state is noted, so that they can be run again.
        """
        world = self._simulation.world
        before = world.turns.last_id
        cells = self._simulation.roster.omission.applied(cells, world.clock.step)
        if not any(world.rights_of(name).may_change_population() for name in cells):
            turns: dict[str, Turn] = world.execute_batch(cells, order)
        elif order == "sequential":
            turns = {}
            for name, code in cells.items():
                turns |= yield from self._batch({name: code}, order)
        else:
            turns = yield from self._batch(cells, order)
        if order == "simultaneous":
            self._simulation.note("together", {"first": before + 1, "last": world.turns.last_id})
        return turns

    def deliberating(self, name: str, deliberation: Deliberation) -> Deliberation:
        """Note that an agent is at it for as long as it deliberates by itself; it cannot be asked meanwhile.

        What is new in its session is written with the step.
        """
        self._simulation.run_journal.acts(name)
        return self._at_it(name, deliberation)

    def _at_it(self, name: str, deliberation: Generator[Any, Any, Came]) -> Generator[Any, Any, Came]:
        self._deliberating.add(name)
        try:
            return (yield from deliberation)
        finally:
            self._deliberating.discard(name)

    def _batch(self, cells: Mapping[str, str], order: Order) -> AskingFor[dict[str, Turn]]:
        """Run a batch until nothing that its cells ask is unknown."""
        world = self._simulation.world
        dialogues = {name: _Dialogue() for name in cells}
        try:
            while True:
                world.answers.begin({name: each.given for name, each in dialogues.items()}, is_open=True)
                try:
                    turns: dict[str, Turn] = world.execute_batch(cells, order)
                except AnswerNeeded as needed:
                    for name, need in needed.needs.items():
                        dialogues[name].given += yield from self._answer(dialogues[name], need)
                else:
                    for name, turn in turns.items():
                        self._end(dialogues.pop(name), turn)
                    return turns
        finally:
            world.answers.begin({}, is_open=False)
            for dialogue in dialogues.values():
                self._forget(dialogue)

    def _answer(self, dialogue: _Dialogue, need: Mapping[str, Any]) -> AskingFor[list[Given]]:
        """Come to what a cell is given next."""
        name, number = need["agent"], need["number"]
        if len(dialogue.given) > 2 * MAX_GIVEN:
            raise WorldError(f"a cell that asks goes on asking {name}, whatever it is refused")
        if len(dialogue.given) >= MAX_GIVEN:
            why = f"others have done {MAX_GIVEN} things for this cell, which is all that one cell can have them do"
            return [{"do": "refuse", "text": why}]
        agent = self._agent(dialogue, name, need["view"]["kind"])
        if agent is None:
            return [{"do": "refuse", "text": f"{name} has no mind that could be asked"}]
        if need["kind"] == "transcript":
            return [{"do": "rows", "rows": _transcript(agent)}]
        if number not in dialogue.conversations:
            if name in self._deliberating:
                why = f"{name} is in the middle of a thought of its own: pause it, or ask it in another step"
                return [{"do": "refuse", "text": why}]
            self._remember(dialogue, agent)
            dialogue.conversations[number] = agent, self._at_it(name, agent.asked(need["text"]))
        agent, conversation = dialogue.conversations[number]
        return (yield from self._go_on(agent, conversation, need))

    def _go_on(self, agent: Agent, conversation: Conversation, need: Mapping[str, Any]) -> AskingFor[list[Given]]:
        """Let an agent think until it has a cell to run, or an answer."""
        answer: Any = None if need["turn"] is None else msgspec.convert(need["turn"], Turn)
        agent.inside = msgspec.json.decode(msgspec.json.encode(need["view"]))
        try:
            while True:
                request = conversation.send(answer)
                if not isinstance(request, Question):
                    return [*_kept(agent), {"do": "cell", "text": request.code}]
                (answer,) = yield [request]
        except StopIteration as end:
            return [*_kept(agent), {"do": "answer", "text": str(end.value or "")}]
        except WorldError as error:
            return [{"do": "refuse", "text": str(error)}]
        finally:
            agent.inside = None

    def _agent(self, dialogue: _Dialogue, name: str, kind: str) -> Agent | None:
        """Return who acts under a name; for an entity that the cell has brought, whoever its class has for it."""
        known: Agent | None = self._simulation.by_name.get(name) or dialogue.newcomers.get(name)
        if known is None and kind:
            known = self._simulation.roster.newcomer(self._simulation, name, kind)
            if known is not None:
                dialogue.newcomers[name] = known
        return known

    def _remember(self, dialogue: _Dialogue, agent: Agent) -> None:
        if agent.name not in dialogue.before:
            session = agent.session
            dialogue.before[agent.name] = agent, session, 0 if session is None else len(session), agent.keep()

    def _end(self, dialogue: _Dialogue, turn: Turn) -> None:
        """Note what a turn was given, and let those who were asked know of it only if it landed."""
        if not dialogue.given:
            return
        self._simulation.note("answers", {"turn": turn.id, "agent": turn.agent, "given": dialogue.given})
        if not turn.committed:
            self._forget(dialogue)
            return
        for name, agent in dialogue.newcomers.items():
            self._simulation.roster.adopt(self._simulation.world, name, agent)
        for name in dialogue.before:
            self._simulation.run_journal.acts(name)

    def _forget(self, dialogue: _Dialogue) -> None:
        """Bring those who were asked back to how they were."""
        for _agent, conversation in dialogue.conversations.values():
            conversation.close()
        for agent, session, length, state in dialogue.before.values():
            if session is not None and (agent.session is not session or len(session) > length):
                agent.session = session.fork(at=length)
                self._simulation.run_journal.acts(agent.name)
            agent.restore(state)
        for agent in dialogue.newcomers.values():
            agent.remove()
        for name in dialogue.newcomers:
            dialogue.before.pop(name, None)


def _kept(agent: Agent) -> list[Given]:
    """Return what an agent gave itself while it thought."""
    given, agent.gave_itself = agent.gave_itself, {}
    return [{"do": "keep", "name": name, "text": text} for name, text in given.items()]


def _transcript(agent: Agent) -> list[dict[str, Any]]:
    rows = () if agent.session is None else agent.session.rows.since(max(0, len(agent.session) - MAX_ROWS))
    return [{"kind": row.kind, "text": row.text, "step": row.step} for row in rows]
