"""A task: a state, and what somebody asks of an agent that works on it, query by query, with what must be true after.

Nobody reads what the agent says to judge it: the state is looked at, as in CaveAgent §4.2.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

Call = tuple[str, Mapping[str, Any]]
"""A function call: its name and its arguments."""

Calling = Callable[[], Generator[Sequence[Call], list[Any], str]]
"""How a scripted model plays by function calls: yields the calls of a round, is sent their results, says its answer."""


class After(Protocol):
    """What a check may look at when a query has been dealt with."""

    answer: str

    def __getitem__(self, path: str) -> Any:
        """Return the native object at a path: a variable, something delivered, ``entity.field``."""


@dataclass(frozen=True)
class Query:
    """One thing that is asked.

    Attributes:
        text: what is asked.
        expect: path -> value, for all that is different afterwards; everything else must be as it was.
        check: demands more than that, of the state or of what was delivered.
        cave: the cells of a scripted model that does it by code on live objects; one text for one cell.
        codeact: its cells where only text comes out; those of ``cave`` unless given.
        calls: how it goes about it by function calls.
        says: its last words.
        wrong: the cells of a scripted model that gets it wrong, where a slip in the right ones would do no harm.
    """

    text: str
    expect: Mapping[str, Any] = field(default_factory=dict)
    check: Callable[[After], bool] | None = None
    cave: str | tuple[str, ...] = ()
    codeact: str | tuple[str, ...] = ()
    calls: Calling | None = None
    says: str = "Done."
    wrong: str = ""

    def cells(self, paradigm: str) -> tuple[str, ...]:
        """Return the cells of the scripted model."""
        cells = (self.codeact if paradigm == "codeact" else ()) or self.cave
        return (cells,) if isinstance(cells, str) else cells


@dataclass(frozen=True)
class Variable:
    """A native object that a task is about, and what an agent is told of it."""

    value: Any
    about: str = ""


@dataclass(frozen=True)
class Task:
    """A conversation of queries, each of which finds what the ones before it left.

    Attributes:
        name: of this task within its study; fit for a file name.
        group: what it is counted with.
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
    """Return how to play calls that are known beforehand, round by round."""

    def play() -> Generator[Sequence[Call], list[Any], str]:
        for calls in calls_by_round:  # noqa: UP028  # results are sent to this generator; a tuple could not take them
            yield calls
        return says

    return play
