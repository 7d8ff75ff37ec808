"""Doing what cells asked of tools with effects: after the step stands, once, and noted before and after.

Only a simulation that keeps a journal does anything outside. Copies, rehearsals and re-executions keep none, so they
are told that it was withheld. What was begun and has no outcome, because the process ended there, is begun again
only where the tool says that twice is as good as once; otherwise nobody knows, and the agent is told so.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from cave_sim.determinism.canonical_json import to_json
from cave_sim.errors import JournalError, SchemaError, WorldError
from cave_sim.journal.effect_answers import APPROVED, WAITING, Decision, decided
from cave_sim.journal.effect_arguments import SCHEMAS
from cave_sim.journal.writer import Journal
from cave_sim.policy.text_cleaning import clean
from cave_sim.simulation.control import Control, Decided
from cave_sim.world import effects
from cave_sim.world.effects import EffectTool, effects_of
from cave_sim.world.world import World

Outcome = Mapping[str, Any]
"""``status``, and ``result`` or ``error``."""
BEGUN, DONE, FAILED, UNKNOWN, WITHHELD = "begun", "done", "failed", "unknown", "withheld"
WORKERS = 8
"""How many effects of one step run side by side at most, where their tools allow it."""
ERROR_CHARS = 2_000


class EffectRunner:
    """Does what stands in a world as asked, and brings the outcomes in.

    Args:
        world: whose cells ask.
        journal: returns where effects are noted; None where none is kept.

    Attributes:
        inherited: outcomes of a parent's requests by :func:`request_key`, which a branch does not do again.
        branched_at: the step at which a branch began: what was asked before is its parent's to do; None for no branch.
    """

    def __init__(self, world: World, journal: Callable[[], Journal | None]) -> None:
        self._world, self._journal = world, journal
        self.inherited: Mapping[str, Outcome] = {}
        self.branched_at: int | None = None
        self._known: dict[str, Outcome] = {}
        self._begun: set[str] = set()
        self._standing: list[str] = []
        self._decided: dict[str, Mapping[str, Any] | None] = {}
        self._waiting: dict[str, tuple[str, str]] = {}  # by key: ticket and tool
        self._schemas: dict[str, Any] = {}

    def stand(self) -> None:
        """Take in that the state is committed: what it holds as asked may be done."""
        self._standing = [*effects_of(self._world).pending]

    def restore(self) -> None:
        """Take in that the world was brought to a run's state: what was withheld while it was made is not, there."""
        self._known = {key: outcome for key, outcome in self._known.items() if outcome["status"] != WITHHELD}
        self.stand()

    def begin_step(self, control: Control | None = None) -> None:
        """Take in what people decided, do what may be done, and bring in the outcomes."""
        for each in () if control is None else control.take_decisions(self.expect_decidable):
            try:
                self.answer(each.ticket, each.decision, arguments=each.arguments, text=each.text)
            except (JournalError, WorldError) as error:  # somebody was faster, or the control knew no tools yet
                if (journal := self._journal()) is not None:
                    journal.note("decision_refused", {"ticket": each.ticket, "why": str(error)})
        self.perform()
        self.deliver()

    def end_step(self) -> None:
        """Do what was asked in the step that was committed just now."""
        self.stand()
        self.perform()

    def perform(self) -> None:
        """Do what stands and was not done; those whose tools allow it side by side."""
        journal = self._journal()
        waiting = [
            ticket
            for ticket in self._standing
            if self._key(ticket) not in self._known and not self._waits(ticket, journal)
        ]
        if not waiting:
            return
        alone = []
        with ThreadPoolExecutor(WORKERS, "effect") as pool:
            lanes: dict[str, list[str]] = {}
            for number, ticket in enumerate(waiting):
                outcome, tool = self._settled(ticket, journal), self._tool(ticket)
                if outcome is not None:
                    self._note(journal, ticket, outcome, reused=self._key(ticket) not in self._begun)
                elif tool is None or not tool.parallel_safe:
                    alone.append(ticket)
                else:
                    lanes.setdefault(self._lane(ticket, tool, number), []).append(ticket)
            self._run_lanes(journal, pool, [iter(lane) for lane in lanes.values()])
        self._run_alone(journal, alone)

    def deliver(self) -> None:
        """Write the outcomes of what was done into the world."""
        done = {ticket: self._known[self._key(ticket)] for ticket in self._standing if self._key(ticket) in self._known}
        self._standing = [ticket for ticket in self._standing if ticket not in done]
        if done:
            effects.deliver(self._world, done)

    def answer(
        self, ticket: str, decision: Decision, *, arguments: Mapping[str, Any] | None = None, text: str = ""
    ) -> None:
        """Decide, between two steps, about a request that waits for people; see :func:`decided`.

        Raises:
            WorldError: no such request waits.
            JournalError: the decision lacks what it needs, or its arguments are none that the tool takes.
        """
        self.expect_decidable(Decided(ticket, decision, arguments, text))
        journal = self._journal()
        if journal is None or ticket not in self._standing or self._key(ticket) not in self._waiting:
            raise WorldError(f"no request {ticket!r} waits for people")
        row = decided(self._row(ticket, {"status": WAITING}), decision, arguments=arguments, text=text)
        journal.note_effect(row)
        self._take(row)

    def expect_decidable(self, decision: Decided) -> None:
        """Refuse, in any thread, what people say to a request that does not wait, or with arguments that do not fit.

        Raises:
            WorldError: no such request waits.
            JournalError: its tool does not take the edited arguments.
        """
        waiting = dict([*self._waiting.values()])
        if decision.ticket not in waiting:
            known = ", ".join(waiting) or "none"
            raise WorldError(f"no request {decision.ticket!r} waits for people; waiting: {known}")
        tool = self._effect_tool(waiting[decision.ticket])
        if decision.decision == "edit" and isinstance(decision.arguments, Mapping) and tool is not None:
            try:
                fitted = tool.signature.fitted_json(tool.function.__name__, decision.arguments)
                inspect.signature(tool.function).bind(**fitted)
            except (SchemaError, TypeError) as error:
                raise JournalError(f"{decision.ticket} waits on: edit: {error}") from None

    def _waits(self, ticket: str, journal: Journal | None) -> bool:
        """Say whether people are to decide about a request, and have not; that it waits is noted once."""
        tool, key = self._tool(ticket), self._key(ticket)
        if tool is None or not tool.approval or key in self._decided or self._settled(ticket, journal) is not None:
            return False
        if journal is not None and key not in self._waiting:
            self._waiting[key] = ticket, self._request(ticket)["tool"]
            self._describe(journal)
            journal.note_effect(self._row(ticket, {"status": WAITING}))
        return True

    def _describe(self, journal: Journal) -> None:
        """Have the journal say what the tools take that wait for people, who may edit what they were asked."""
        tools = {name: tool.value for name, tool in self._world.tools.items()}
        asked = {name: tool for name, tool in tools.items() if isinstance(tool, EffectTool) and tool.approval}
        schemas = {name: tool.signature.schema for name, tool in asked.items()}
        if schemas != self._schemas:
            self._schemas = schemas
            journal.describe({SCHEMAS: schemas})

    def _take(self, row: Mapping[str, Any]) -> None:
        """Take in what a note says that is no more under way."""
        key = request_key(row)
        self._waiting.pop(key, None)
        if row["status"] == WAITING:
            self._waiting[key] = row["ticket"], row["tool"]
        elif row["status"] == APPROVED:
            self._decided[key] = row["result"]
        else:
            self._known[key] = outcome_of(row)

    def _settled(self, ticket: str, journal: Journal | None) -> Outcome | None:
        """Return the outcome of what is not to be done here; None if it is."""
        if journal is None:
            return {"status": WITHHELD, "error": "this simulation keeps no journal, so it does nothing outside"}
        if self._key(ticket) in self._begun and not _is_repeatable(self._tool(ticket)):
            return _cut_off("was interrupted")
        inherited = self.inherited.get(self._key(ticket))
        if inherited is not None and inherited["status"] != BEGUN:
            return inherited
        if inherited is not None or self._request(ticket)["step"] < (self.branched_at or 0):
            return {"status": UNKNOWN, "error": "it is for the run that this one branched from to do"}
        return None

    def _run_alone(self, journal: Journal | None, tickets: Iterable[str]) -> None:
        for ticket in tickets:
            self._begin(journal, ticket)
            self._note(journal, ticket, self._do(ticket))

    def _run_lanes(self, journal: Journal | None, pool: ThreadPoolExecutor, lanes: list[Iterator[str]]) -> None:
        """Run lanes side by side, each in its own order; all notes are taken in this thread."""
        running: dict[Future[Outcome], tuple[str, Iterator[str]]] = {}
        while lanes or running:
            while lanes and len(running) < WORKERS:
                lane = lanes.pop(0)
                if (ticket := next(lane, None)) is not None:
                    self._begin(journal, ticket)
                    running[pool.submit(self._do, ticket)] = ticket, lane
            for future in wait(running, return_when=FIRST_COMPLETED).done if running else ():
                ticket, lane = running.pop(future)
                self._note(journal, ticket, future.result())
                lanes.insert(0, lane)

    def _do(self, ticket: str) -> Outcome:
        tool, request = self._tool(ticket), self._request(ticket)
        if tool is None:
            return {"status": FAILED, "error": f"there is no tool {request['tool']!r} any more"}
        edited = self._decided.get(self._key(ticket))
        arguments = request["arguments"] if edited is None else edited
        try:
            fitted = tool.signature.fitted_json(tool.function.__name__, arguments)
        except SchemaError as error:
            return {"status": FAILED, "error": f"what it was given does not fit: {error}"}
        try:
            answer = tool.function(**fitted)
        except (Exception, SystemExit) as error:  # a tool that calls sys.exit ends no run
            return {"status": FAILED, "error": clean(f"{type(error).__name__}: {error}"[:ERROR_CHARS])}
        try:
            return {"status": DONE, "result": effects.plain(answer)}
        except SchemaError as error:  # it was done all the same: who is told that it failed would ask for it again
            return {"status": DONE, "result": f"(done; its answer is not kept: {error})"}

    def _begin(self, journal: Journal | None, ticket: str) -> None:
        if journal is not None:
            journal.note_effect(self._row(ticket, {"status": BEGUN}))
        self._begun.add(self._key(ticket))  # what ends it, as Ctrl-C does, may not end this process

    def _note(self, journal: Journal | None, ticket: str, outcome: Outcome, *, reused: bool = False) -> None:
        self._known[self._key(ticket)] = outcome
        self._begun.discard(self._key(ticket))
        if journal is not None:
            journal.note_effect(self._row(ticket, outcome, reused=reused))

    def _row(self, ticket: str, outcome: Outcome, *, reused: bool = False) -> dict[str, Any]:
        return {"ticket": ticket, **self._request(ticket), "result": None, "error": None, **outcome, "reused": reused}

    def _request(self, ticket: str) -> dict[str, Any]:
        return effects.as_plain(effects_of(self._world).pending[ticket])

    def _key(self, ticket: str) -> str:
        return request_key({"ticket": ticket, **self._request(ticket)})

    def _tool(self, ticket: str) -> EffectTool | None:
        return self._effect_tool(self._request(ticket)["tool"])

    def _effect_tool(self, name: str) -> EffectTool | None:
        tool = self._world.tools.get(name)
        return tool.value if tool is not None and isinstance(tool.value, EffectTool) else None

    def _lane(self, ticket: str, tool: EffectTool, number: int) -> str:
        """Return what requests share that run one after another; its own number where it shares nothing."""
        if tool.resource is None:
            return f"#{number}"
        try:
            return f"resource {tool.resource(self._request(ticket)['arguments'])}"
        except Exception:  # arguments that it cannot tell apart share one
            return "resource"

    def mend(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take in the notes of a run that ended anyhow: what was begun, and may not be begun again, has no outcome."""
        rows = list(rows)
        for row in rows:
            if row["status"] != BEGUN:
                self._take(row)
            tool = self._world.tools.get(row["tool"])
            if row["status"] == BEGUN and not _is_repeatable(tool and tool.value):
                self._known[request_key(row)] = outcome = _cut_off("ended")
                if (journal := self._journal()) is not None:
                    journal.note_effect({**row, **outcome})


def _is_repeatable(tool: object) -> bool:
    return isinstance(tool, EffectTool) and tool.repeatable


def _cut_off(how: str) -> Outcome:
    return {"status": UNKNOWN, "error": f"it was begun when the process {how}; nobody knows whether it happened"}


def request_key(row: Mapping[str, Any]) -> str:
    """Return what one request is known by: its ticket, step, tool and arguments."""
    return to_json([row["ticket"], row["step"], row["tool"], row["arguments"]], sort=True).decode()


def outcome_of(row: Mapping[str, Any]) -> Outcome:
    """Return the outcome in a row of the journal."""
    word = "result" if row["status"] == DONE else "error"
    return {"status": row["status"], word: row[word]}
