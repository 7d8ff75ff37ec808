"""A task: an initial state, the queries that an agent is asked to work on, and what must hold after each of them.

An agent is judged by the state that it leaves, not by what it says, as in CaveAgent §4.2.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from cave_sim.experiment.partner import PartnerBrief
from cave_sim.session.row import Row

PARTNER = "customer"
"""The name of the partner of a trial."""
Call = tuple[str, Mapping[str, Any]]
"""A function call: its name and its arguments."""

Calling = Callable[[], Generator[Sequence[Call], list[Any], str]]
"""A script of function calls: yields the calls of a round, is sent their results, and returns the final answer."""


class After(Protocol):
    """What a check may look at after a query.

    Attributes:
        answer: what the agent said last.
        rows: what its session has of the query.
    """

    answer: str
    rows: Sequence[Row]

    def __getitem__(self, path: str) -> Any:
        """Return the native object at a path: a variable, something delivered, ``entity.field``."""


@dataclass(frozen=True)
class ScriptedExchange:
    """What a scripted partner does and says, and what the scripted agent then does and says."""

    heard: str
    says: str
    cells: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    partner_cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class Query:
    """One thing that is asked.

    Attributes:
        text: what is asked.
        expect: path -> value, for all that is different afterwards; everything else must be as it was.
        check: a further condition on the state, or on what was delivered.
        cave: the cells of a scripted model that does it by code on live objects; one text for one cell.
        codeact: its cells where output is text only; those of ``cave`` unless given.
        calls: the script for an agent that makes function calls.
        says: its final answer.
        partner: who talks with the agent about it; ``text`` is then what the agent is told beforehand.
        exchanges: the script of that conversation.
        reveals: injected functions that the agent is told of from this query on, and not before.
        wrong: the cells of a scripted model that gets it wrong, where a slip in the right ones would do no harm.
        reference: the calls of a right answer, of a query that is judged by calls; it tells what a wrong one lacks.
        most_rounds: how often an agent may act for it, at least 1, where the task says so; a study may allow less.
    """

    text: str
    expect: Mapping[str, Any] = field(default_factory=dict)
    check: Callable[[After], bool] | None = None
    cave: str | tuple[str, ...] = ()
    codeact: str | tuple[str, ...] = ()
    calls: Calling | None = None
    says: str = "Done."
    partner: PartnerBrief | None = None
    exchanges: tuple[ScriptedExchange, ...] = ()
    reveals: tuple[str, ...] = ()
    wrong: str = ""
    reference: tuple[Call, ...] | None = None
    most_rounds: int | None = None

    def cells(self, paradigm: str) -> tuple[str, ...]:
        """Return the cells of the scripted model."""
        cells = (self.codeact if paradigm == "codeact" else ()) or self.cave
        return (cells,) if isinstance(cells, str) else cells


@dataclass(frozen=True)
class Variable:
    """A native object that a task is about, with a description for the agent."""

    value: Any
    about: str = ""


@dataclass(frozen=True)
class Task:
    """A sequence of queries, each of which starts from the state that the previous one left.

    Attributes:
        name: of this task within its study; fit for a file name.
        group: name of the group that its results are aggregated with.
        queries: what is asked, in order.
        build: puts entities and functions into a world.
        variables: makes the objects that the agent is handed; where none can be handed over, it may read and write
            them as text, by ``read_variable`` and ``write_variable``.
    """

    name: str
    group: str
    queries: tuple[Query, ...]
    build: Callable[[Any], None] = lambda world: None
    variables: Callable[[], Mapping[str, Variable]] = dict


def call(name: str, /, **arguments: Any) -> Call:
    """Return a function call."""
    return name, arguments


def rounds(*calls_by_round: Sequence[Call], says: str = "Done.") -> Calling:
    """Return a script that makes calls known in advance, round by round."""

    def play() -> Generator[Sequence[Call], list[Any], str]:
        for calls in calls_by_round:  # noqa: UP028  # results are sent to this generator; a tuple could not take them
            yield calls
        return says

    return play
