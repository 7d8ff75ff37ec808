"""Control: the one way in which anything outside acts on a live simulation: play, pause, step, submit, decide, stop.

Dashboards and terminals use it from other threads; it only leaves requests, which the simulation reads between steps.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from cave_sim.diagnostics.number_checks import is_number
from cave_sim.errors import WorldError
from cave_sim.history.asked_classes import expect_heard
from cave_sim.history.condition import Condition
from cave_sim.history.condition_over_steps import ConditionOverSteps
from cave_sim.history.measures_by_name import holds
from cave_sim.journal import effect_answers
from cave_sim.journal.effect_answers import Decision

NO_MEASURES: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Submitted:
    """A cell that was submitted from outside, to be run as an agent."""

    agent: str
    code: str


@dataclass(frozen=True)
class Decided:
    """What people say to a request that waits for them; see :func:`cave_sim.journal.effect_answers.decided`."""

    ticket: str
    decision: Decision
    arguments: Mapping[str, Any] | None = None
    text: str = ""


class Control:
    """What is requested of a live simulation. Safe to use from any thread.

    Args:
        paused: True to wait for :meth:`play` or :meth:`step` before the first step.
        speed: steps a second at most; None for as fast as it goes.

    Raises:
        WorldError: the speed is no number of more than 0.
    """

    def __init__(self, *, paused: bool = False, speed: float | None = None) -> None:
        self._changed = threading.Condition()
        self._paused = paused
        self._single = 0
        self._stopped = False
        self._speed: float | None = None
        self.set_speed(speed)
        self._cells: list[Submitted] = []
        self._decisions: list[Decided] = []
        self._expect_decidable: Callable[[Decided], None] | None = None
        self._notes: list[Mapping[str, Any]] = []
        self._watches: dict[str, Watch] = {}

    @property
    def paused(self) -> bool:
        """Whether the simulation waits."""
        return self._paused

    @property
    def stopped(self) -> bool:
        """Whether the simulation was asked to end."""
        return self._stopped

    @property
    def speed(self) -> float | None:
        """Steps a second at most; None for as fast as it goes."""
        return self._speed

    def play(self) -> None:
        """Go on."""
        self._set(paused=False)

    def pause(self) -> None:
        """Wait after the present step."""
        self._set(paused=True)

    def step(self) -> None:
        """Take one step, then wait again."""
        with self._changed:
            self._paused = True
            self._single += 1
            self._changed.notify_all()

    def stop(self) -> None:
        """End after the present step; everything until then is in the journal."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def set_speed(self, speed: float | None) -> None:
        """Take at most so many steps a second; raises WorldError unless > 0 or None."""
        if speed is not None and (not is_number(speed) or speed <= 0):
            raise WorldError(f"speed={speed!r}: steps a second must be more than 0; use pause() to wait")
        with self._changed:
            self._speed = speed
            self._changed.notify_all()

    def submit(self, code: str, agent: str = "operator") -> None:
        """Have a cell run as an agent, or as the operator, when the next step begins; it is journaled like any.

        Raises:
            WorldError: the cell or the agent's name is no text.
        """
        if not isinstance(code, str) or not isinstance(agent, str):
            raise WorldError(f"submit({code!r}, {agent!r}): takes the text of a cell, and the name of who runs it")
        with self._changed:
            self._cells.append(Submitted(agent, code))
            self._changed.notify_all()

    def take_cells(self) -> list[Submitted]:
        """Return what was submitted since the last call; the simulation asks."""
        with self._changed:
            cells, self._cells = self._cells, []
            return cells

    def decide(self, decided: Decided) -> None:
        """Have a request that waits for people decided when the next step begins; the first to decide counts.

        Until its simulation has begun a step, a control does not know what waits, and takes any ticket and arguments;
        what does not fit is then an event of the run, ``decision_refused``, and the request waits on.

        Raises:
            JournalError: there is no such decision, it lacks what it needs, or the tool does not take its arguments.
            WorldError: no such request waits.
        """
        effect_answers.decided({}, decided.decision, arguments=decided.arguments, text=decided.text)
        if self._expect_decidable is not None:
            self._expect_decidable(decided)
        with self._changed:
            self._decisions.append(decided)
            self._changed.notify_all()

    def take_decisions(self, expect_decidable: Callable[[Decided], None]) -> list[Decided]:
        """Return what was decided since the last call; the simulation asks.

        Args:
            expect_decidable: raises an error for what is not to be decided, from now on and in any thread.
        """
        with self._changed:
            self._expect_decidable = expect_decidable
            decisions, self._decisions = self._decisions, []
            return decisions

    def note(self, note: Mapping[str, Any]) -> None:
        """Have a note of people kept with the run, also while it is paused: one of :func:`annotations.written`."""
        with self._changed:
            self._notes.append(note)
            self._changed.notify_all()

    def take_notes(self) -> list[Mapping[str, Any]]:
        """Return what was noted since the last call; the simulation asks."""
        with self._changed:
            notes, self._notes = self._notes, []
            return notes

    def watch(
        self, name: str, condition: str | ConditionOverSteps | Callable[[Any], Any], then: Then = "pause"
    ) -> None:
        """Pause or stop the simulation after the step in which a condition on the world turns true.

        Args:
            name: how the journal's event ``watch_reached`` calls it; an earlier watch point of that name is replaced.
            condition: a function of the world that changes nothing, or a text such as
                ``world["town"].treasury_cents < 0``; or one that has looked at the steps so far. What a text says of
                steps before is known from the first look on. Measures stand in it by name, unless it looks back.
            then: ``pause`` or ``stop``.

        Raises:
            WorldError: the text is no condition, or ``then`` is something else.
        """
        with self._changed:
            self._watches[name] = Watch(name, condition, then)

    def unwatch(self, name: str) -> None:
        """Take a watch point away; nothing happens if there is none of that name."""
        with self._changed:
            self._watches.pop(name, None)

    @property
    def watched(self) -> tuple[str, ...]:
        """The names of the watch points that there are; one that could not be looked at is not among them any more."""
        with self._changed:
            return tuple(self._watches)

    def look(
        self, world: Any, measures: Mapping[str, float] = NO_MEASURES, own: Collection[str] = ()
    ) -> list[tuple[str, dict[str, str]]]:
        """Look at the watch points; returns events for the journal, (kind, data). The simulation asks after each step.

        One whose condition raises is taken away: watching never breaks a run.

        Args:
            world: as it is then.
            measures: what a text may name besides: what was measured.
            own: the names of all measures there are.
        """
        events = []
        for watch in list(self._watches.values()):
            event = {"name": watch.name, "condition": watch.text}
            try:
                if watch.turned_true(world, measures, own):
                    (self.pause if watch.then == "pause" else self.stop)()
                    events.append(("watch_reached", {**event, "then": watch.then}))
            except Exception as error:
                self.unwatch(watch.name)
                events.append(("watch_failed", {**event, "error": f"{type(error).__name__}: {error}"}))
        return events

    def wait(self, took_s: float, attend: Callable[[], None] = lambda: None) -> bool:
        """Hold the simulation between steps for as long as requested; returns False if it should end.

        Args:
            took_s: real seconds that the last step took, which count against the speed.
            attend: is called whenever there are notes to be kept, however long the simulation waits.
        """
        with self._changed:
            if pause_s := self.pause_before_next_s(took_s):
                self._changed.wait_for(lambda: self._stopped, pause_s)
            while self._notes or not self.may_go_on:
                if self._notes:
                    attend()
                    self._notes.clear()
                self._changed.wait_for(lambda: self.may_go_on or bool(self._notes))
            if self._single:
                self._single -= 1
            return not self._stopped

    @property
    def may_go_on(self) -> bool:
        """Whether the simulation need not wait to be played, because it is, or was asked to step or to end."""
        return self._stopped or self._single > 0 or not self._paused

    def pause_before_next_s(self, took_s: float) -> float:
        """Return how long the speed has the simulation wait after a step that took so many real seconds."""
        return 0.0 if self._speed is None or self._stopped else max(0.0, 1.0 / self._speed - took_s)

    def _set(self, *, paused: bool) -> None:
        with self._changed:
            self._paused = paused
            self._changed.notify_all()


Then = Literal["pause", "stop"]


class Watch:
    """One watch point. It is looked at after each step, and reports every time that its condition turns true.

    Args:
        name: how the journal calls it.
        condition: a function of the world, or a text such as ``world["town"].treasury_cents < 0``.
        then: what happens to the simulation.

    Raises:
        WorldError: the text is no condition, or ``then`` is neither ``pause`` nor ``stop``.
    """

    def __init__(
        self, name: str, condition: str | ConditionOverSteps | Callable[[Any], Any], then: Then = "pause"
    ) -> None:
        if then not in ("pause", "stop"):
            raise WorldError(f"watch {name!r}: then={then!r}; a watch point can 'pause' or 'stop'")
        if not isinstance(name, str):
            raise WorldError(f"watch({name!r}, ...): begins with the name by which the journal calls it")
        if not isinstance(condition, str | ConditionOverSteps) and not callable(condition):
            raise WorldError(f"watch {name!r}: {condition!r} is no condition: takes a text, or a function of the world")
        self.name: str = name
        self.then = then
        if isinstance(condition, str):
            condition = ConditionOverSteps(Condition(condition))
        self._asked = condition
        self.text: str = getattr(condition, "text", getattr(condition, "__name__", repr(condition)))
        self._is_true = self._is_known = False

    def turned_true(self, world: Any, measures: Mapping[str, float] = NO_MEASURES, own: Collection[str] = ()) -> bool:
        """Look at a world and its measures; say whether the condition holds and did not the last time.

        Where there is nothing to measure of what it names, it does not hold.

        Raises:
            WorldError: it names what is not there; or a class by a slip, which is told at the first look.
        """
        was_true, self._is_true = self._is_true, self._holds(world, measures, own)
        if not self._is_known:
            expect_heard(self.text, world)
            self._is_known = True
        return self._is_true and not was_true

    def _holds(self, world: Any, measures: Mapping[str, float], own: Collection[str]) -> bool:
        if isinstance(self._asked, ConditionOverSteps):
            return holds(self._asked, world, measures, own)
        return bool(self._asked(world))
