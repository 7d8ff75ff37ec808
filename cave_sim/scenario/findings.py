"""What a check of a scenario has found: a line each, with the place in the text that it is about."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain

from cave_sim.scenario.marks import MarkedText, Place


@dataclass
class Findings:
    """What a check has found.

    Attributes:
        problems: what cannot work; one line each, with file and line.
        warnings: what may be meant, and looks odd.
        measures: the names of what the simulation measures of itself.
    """

    text: MarkedText
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    measures: list[str] = field(default_factory=list)
    _told: set[tuple[Place, int]] = field(default_factory=set, repr=False)

    def failure(self, error: Exception, otherwise: Place = ()) -> None:
        """Note an error that making or running the scenario's worlds raised, where the text speaks of what it names;
        where it does not, ``otherwise``.
        """
        place = _place_of(str(error), self.text)
        place = otherwise if otherwise and place == ("simulation",) else place
        named = f"measure {place[-1]!r}: " if place[:1] == ("measures",) else ""  # which the place says, too
        path = ".".join(map(str, place))
        self.problem(place, str(error).removeprefix("--").removeprefix(f"{path}: ").removeprefix(named))

    def problem(self, place: Place, message: str) -> None:
        """Note what cannot work."""
        self._note(self.problems, place, message)

    def warning(self, place: Place, message: str) -> None:
        """Note what looks odd."""
        self._note(self.warnings, place, message)

    def _note(self, lines: list[str], place: Place, message: str) -> None:
        line = str(self.text.error(place, message))
        if (place, id(lines)) not in self._told:  # at other points, or under other conditions, it is the same mistake
            self._told.add((place, id(lines)))
            lines.append(line)


def _place_of(message: str, text: MarkedText) -> Place:
    """Return where a text speaks of what a message names: the measure or condition that it quotes, the deepest key that
    it does, first of all one with the value that it tells, or else the simulation.
    """
    if message.startswith("parameters."):
        return tuple(message.partition(":")[0].split("."))
    if (option := message.partition(":")[0].removeprefix("--")) in text.data:  # as the command line calls it
        return (option,)
    expressions = (place for place in text.lines if set(place) & {"measures", "stop", "when"})
    if quoted := next((place for place in expressions if repr(text.value(place)) in message), ()):
        return quoted
    keys = sorted((place for place in text.lines if place and isinstance(place[-1], str)), key=len, reverse=True)
    with_value = (place for place in keys if f" {place[-1]}={text.value(place)!r}" in f" {message}")
    named = (place for place in keys if f"{place[-1]!r}" in message or f" {place[-1]}=" in f" {message}")
    return next(chain(with_value, named), ("simulation",) if ("simulation",) in text.lines else ())
