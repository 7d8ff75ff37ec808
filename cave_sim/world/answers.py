"""What a cell is answered by other minds: known answers are given as it runs, the first unknown one ends its turn.

No model is asked while a turn is open. So a cell that asks is run until it needs what is not known yet; its turn is
taken back as if it had never begun, whoever runs it finds the answer, and it is run again with that. A cell does the
same each time, because all that it depends on is the same. This works wherever cells run, and what was given is all
that it takes to run the turn again from a journal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from cave_sim.errors import AnswerNeeded, WorldError


class Given(TypedDict, total=False):
    """One thing that a cell is given.

    Attributes:
        do: ``cell``, to be run as the agent that was asked; ``keep``, a text that it keeps as a variable; ``answer``,
            what it said at last; ``rows``, its transcript; ``refuse``, why there is no answer.
        text: the cell, the variable's value, the answer, or the reason.
        name: of the variable.
        rows: of the transcript.
    """

    do: Literal["cell", "keep", "answer", "rows", "refuse"]
    text: str
    name: str
    rows: list[dict[str, Any]]


class Answers:
    """The answers that the cells of one world get in the batch under way.

    Attributes:
        given: agent whose cell it is -> what it is given, in the order in which it asks.
        is_open: whether somebody is there to find what is not known yet.
    """

    def __init__(self) -> None:
        self.given: Mapping[str, Sequence[Given]] = {}
        self.is_open: bool = False
        self._turn = 0
        self._taken = 0
        self._asked = 0
        self._needed: AnswerNeeded | None = None

    def begin(self, given: Mapping[str, Sequence[Given]], *, is_open: bool) -> None:
        """Begin a batch, or begin it again with more that is known."""
        self.given, self.is_open = given, is_open
        self._turn, self._needed = 0, None

    def begin_turn(self, turn_id: int) -> None:
        """Begin an outermost turn: what its cell is given is given from the first on."""
        self._turn, self._taken, self._asked, self._needed = turn_id, 0, 0, None

    def number(self) -> int:
        """Return the number of another question of the turn under way."""
        self._asked += 1
        return self._asked

    def next(self, agent: str) -> Given | None:
        """Return what the cell of an agent is given next; None if that is not known yet.

        Raises:
            WorldError: it is not known, and nobody is there to find it.
        """
        given = self.given.get(agent, ())
        if self._taken < len(given):
            self._taken += 1
            return given[self._taken - 1]
        if not self.is_open:
            raise WorldError(
                "nobody is there who could answer: minds are asked, and their transcripts read, in cells that a"
                " simulation runs; give them variables and run cells as them instead"
            )
        return None

    def need(self, agent: str, needs: dict[str, Any]) -> AnswerNeeded:
        """Return the error that ends the turn under way, because its cell needs to know."""
        self._needed = AnswerNeeded({agent: needs})
        return self._needed

    def check(self) -> None:
        """Raise what a cell needs, if something has swallowed it."""
        if self._needed is not None:
            raise self._needed
