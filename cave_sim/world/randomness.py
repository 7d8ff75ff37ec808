"""The random streams of one world: each follows from seed, purpose and step, so that nobody shifts another's draws."""

from __future__ import annotations

from typing import Any

from cave_sim.changes.turn import OPERATOR
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.entity.undo_log import UndoLog
from cave_sim.world.clock import Clock
from cave_sim.world.turn_book import TurnBook


class Randomness:
    """Gives out streams, each made once a step, and counts which turns drew from one.

    Args:
        seed: every stream follows from it.
        undo_log: knows who acts.
        clock: of the world.
        turns: of the world.

    Attributes:
        seed: as given.
        draws: agent -> how many of its turns in this step drew and landed.
    """

    def __init__(self, seed: int, undo_log: UndoLog, clock: Clock, turns: TurnBook) -> None:
        self.seed = seed
        self.draws: dict[str, int] = {}
        self._undo_log, self._clock, self._turns = undo_log, clock, turns
        self._streams: dict[tuple[Any, ...], RandomStream] = {}  # of the world
        self._streams_of_turns: dict[int, dict[tuple[str, ...], RandomStream]] = {}
        self._drawing_turns: dict[int, tuple[str, int]] = {}  # turn -> its agent, and which of its drawing turns it is

    def of_turn(self, *name: str) -> RandomStream:
        """Return the acting agent's stream of this turn; with a name, the one that methods draw from in this turn."""
        turn_id = self._turns.current_id
        stream = self._streams_of_turns.get(turn_id, {}).get(name)
        if stream is None:
            agent = self._undo_log.actor or OPERATOR
            stream = RandomStream(self.seed, *(name or ("turn",)), agent, self._clock.step, self.note_draw(agent))
            self._streams_of_turns.setdefault(turn_id, {})[name] = stream
        return stream

    def of_world(self, *name: str) -> RandomStream:
        """Return the world's stream of this name in this step; within an agent's turn, that turn's own one."""
        if self._undo_log.actor is not None:
            return self.of_turn("world", *name)
        key = ("world", *name)
        if key not in self._streams:
            self._streams[key] = RandomStream(self.seed, *key, self._clock.step)
        return self._streams[key]

    def note_draw(self, agent: str) -> int:
        """Note that the present turn draws.

        Returns:
            Which of the agent's turns in this step it is, among those that drew and landed; from 1.
        """
        turn_id = self._turns.current_id
        if turn_id not in self._drawing_turns:
            self.draws[agent] = self.draws.get(agent, 0) + 1
            self._drawing_turns[turn_id] = agent, self.draws[agent]
        return self._drawing_turns[turn_id][1]

    def drew(self, turn_id: int) -> bool:
        """Say whether a turn of this step drew, and landed or may still land."""
        return turn_id in self._drawing_turns

    def forget(self, turn_id: int) -> None:
        """Take back what a turn drew that did not land, and the turns in it: it leaves nothing behind."""
        drawing_turns = self._drawing_turns
        while drawing_turns and next(reversed(drawing_turns)) >= turn_id:  # while a turn runs, none around it draws
            number, (agent, _) = drawing_turns.popitem()
            self.draws[agent] -= 1
            self._streams_of_turns.pop(number, None)  # it may be given again, and draws what it would have drawn

    def draw_on_as(self, other: Randomness) -> None:
        """Go on from where another world's streams are in the same step."""
        self.draws = dict(other.draws)
        for key, stream in other._streams.items():  # those of turns end with them
            self._streams[key] = RandomStream(self.seed, *key, self._clock.step)
            self._streams[key].setstate(stream.getstate())

    def begin_step(self) -> None:
        """Let every stream begin anew, as at the start of a step."""
        self._streams.clear()
        self._streams_of_turns.clear()
        self.draws.clear()
        self._drawing_turns.clear()
