"""What a simulation writes of its run: the manifest, each step, and what agents need to go on from there."""

from __future__ import annotations

import inspect
import math
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cave_sim.changes.self_check import SelfCheck
from cave_sim.changes.turn import Turn
from cave_sim.entity.declarations import declarations
from cave_sim.entity.narration import narrations
from cave_sim.journal.writer import Journal
from cave_sim.session.archive import Archive
from cave_sim.session.session import Session
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.run_state import VIOLATIONS
from cave_sim.simulation.runnable import Measure
from cave_sim.version import __version__, code_revision, machine, version_of
from cave_sim.world.world import World

SNAPSHOT_EVERY_CHANGES = 100_000
"""So that folding the changes since the last one takes a fraction of a second."""
SNAPSHOT_EVERY_ENTITIES = 4
"""Changes for each entity of the world, so that snapshots never cost much beside turns."""
JOURNALED_READS = "of others, where not everybody may read"
"""What of reads is in a journal. Older runs do not say, and have none."""
DEPENDENCIES = ("mesa", "networkx", "numpy", "pandas", "pydantic", "msgspec")


class RunJournal:
    """Hands a simulation's steps to the journal of its run; where no journal is kept, everything here does nothing.

    Attributes:
        writer: the open journal; None where none is kept, or after :meth:`close`.
    """

    def __init__(self) -> None:
        self.writer: Journal | None = None
        self._archive = Archive()
        self._acted: set[str] = set()
        self._changes_since_snapshot: float = math.inf  # so that the first step keeps one
        self._self_check: SelfCheck | None = None

    def begin(self, out: str | Path | None, manifest: Mapping[str, Any]) -> None:
        """Begin the journal of a new run in a folder; None as the folder keeps no journal."""
        self.writer = None if out is None else Journal.begin(out, manifest)

    def continue_in(self, writer: Journal, sessions: Iterable[Session], changes_since_snapshot: int) -> None:
        """Write on in the journal of a run.

        Args:
            writer: of that run, with nothing to write yet.
            sessions: those that are in it.
            changes_since_snapshot: how many changes it has behind its last snapshot.
        """
        self.writer = writer
        self._archive.knows(sessions)
        self._changes_since_snapshot = changes_since_snapshot

    def begin_branch(self, writer: Journal | None, names: Iterable[str]) -> None:
        """Begin a new run with agents who may have sessions already, which it gets whole."""
        self.writer, self._archive = writer, Archive()
        self._acted = set(names)
        self._changes_since_snapshot = math.inf

    # ---- between two steps

    def add(self, turn: Turn) -> None:
        """Take a turn; it is written with its step."""
        self._changes_since_snapshot += len(turn.changes)
        if self._self_check is not None:
            self._self_check.follow(turn)
        if self.writer is not None:
            self.writer.add(turn)

    def add_call(self, call: Mapping[str, Any], reused: bool = False) -> None:
        """Write a model call at once, because it was paid for; ``reused`` if another run had paid for it."""
        if self.writer is not None:
            self.writer.add_call(call, reused=reused)

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Take an event of the run; it is written with its step."""
        if self.writer is not None:
            self.writer.note(kind, data)

    def acts(self, name: str) -> None:
        """Take in that an agent acts, so that what is new in its session is written with the step."""
        self._acted.add(name)

    # ---- a step

    def check(self, world: World, first: int | None = None) -> None:
        """See that the changes which are kept add up to the state: what does not could not be gone on with.

        Args:
            world: as it is now.
            first: the step that was taken first since the last check, if there were several.

        Raises:
            WorldError: something wrote past the world.
        """
        if self.writer is None:
            self._self_check = None
        elif self._self_check is None:
            self._self_check = SelfCheck(world.undo_log.entities)
        else:
            step = world.clock.step
            self._self_check.check_steps(step if first is None else first, step)

    def check_anew(self) -> None:
        """Check against the state of the next step, whatever was before."""
        self._self_check = None

    def write_step(
        self,
        world: World,
        state_hash: str,
        measures: Mapping[str, float],
        agents: Mapping[str, Agent],
        own: Mapping[str, Any] | None = None,
    ) -> None:
        """Write everything since the last step in one transaction.

        Args:
            world: as it is after the step.
            state_hash: the digest of its state.
            measures: name -> value.
            agents: by name; what they know is kept.
            own: what the run keeps for itself, by kind: what was paid for models so far, as plain data, say.
        """
        if self.writer is None:
            return
        snapshot = self.snapshot(world)
        self.keep(world, agents, own or {})
        self.writer.commit(world.clock.step, world.clock.time_s, state_hash, measures, snapshot)

    def keep(self, world: World, agents: Mapping[str, Agent], own: Mapping[str, Any]) -> None:
        """Take what going on needs beside turns, for the step that is written next; see :meth:`write_step`."""
        if self.writer is None:
            return
        for news in self._new_session_rows(agents):
            self.writer.add_session(news)
        for name, kind, data in kept_rows(world, agents, own):
            self.writer.keep(name, kind, data)

    def drop_step(self, why: Mapping[str, Any]) -> None:
        """Leave out all that was taken since the last step, and say why the run stopped there."""
        if self.writer is not None:
            self.writer.drop_step()
            self.writer.describe({"stopped": dict(why)})

    def close(self, results: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Finish the file; ``results`` go into its manifest, with the last step that it has and its hash."""
        if self.writer is None:
            return
        writer, self.writer = self.writer, None
        try:
            writer.describe({"state_hash": writer.state_hash, "steps": writer.step, **results, "finished": True})
        finally:
            writer.close()

    def snapshot(self, world: World, more: int = 0) -> bytes | None:
        """Return the state where it is to be kept; None in most steps, and without a journal.

        Args:
            world: as it is now.
            more: how many changes this journal will be given only later.
        """
        changes = self._changes_since_snapshot + more
        if changes < SNAPSHOT_EVERY_CHANGES or changes < SNAPSHOT_EVERY_ENTITIES * len(world) or self.writer is None:
            return None
        self._changes_since_snapshot = -more  # they are in this snapshot, and counted when they are given
        return world.snapshot()

    def _new_session_rows(self, agents: Mapping[str, Agent]) -> Iterator[dict[str, Any]]:
        """Yield what is new in the sessions of those who acted."""
        acted, self._acted = sorted(self._acted), set()
        for name in acted:
            session = agents[name].session
            if session is not None and (news := self._archive.news(session)) is not None:
                yield news


def kept_rows(world: World, agents: Mapping[str, Agent], own: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield what a state is read from beside changes and sessions: whose it is, of which kind, and plain data."""
    for name, namespace in world.interpreter.namespaces.items():
        yield name, "variables", namespace.data
    yield "", "variables_hash", world.variables_hash()
    for name, agent in agents.items():
        yield name, "agent", agent.keep()
    for kind, data in own.items():
        if data is not None:
            yield "", kind, data
    yield "", VIOLATIONS, world.violations


def manifest_of(
    world: World,
    *,
    simulation: str,
    scheduler: str,
    agents: Mapping[str, Agent],
    config: Mapping[str, Any] | None = None,
    parents: Sequence[Mapping[str, Any]] = (),
    measures: Mapping[str, Measure] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return what a run says of itself: versions of code and libraries, and the settings of world and simulation."""
    classes = sorted({type(world[name]) for name in world}, key=lambda cls: cls.__name__)
    own = {name: agent.prompts.to_data() for name, agent in agents.items() if agent.prompts is not None}
    return {
        "cave_sim": __version__,
        "code": code_revision(),
        "simulation": simulation,
        "seed": world.seed,
        "step_s": world.step_s,
        "start": world.start.isoformat(),
        "scheduler": scheduler,
        "agents": len(agents),
        **({"prompts_of": own} if own else {}),
        "reads": "all of others" if world.record_reads else JOURNALED_READS,
        "python": platform.python_version(),
        "machine": machine(),
        "versions": {name: version_of(name) for name in DEPENDENCIES},
        "config": dict(config or {}),
        "parents": list(parents),
        "narrations": narrations(classes),
        "fields": declarations(classes),
        "measured": {name: about for name, measure in measures.items() if (about := _about(measure))},
    }


def _about(measure: Measure) -> str:
    """Return what a measure's docstring says that it is; nothing of one without."""
    docstring = inspect.getdoc(measure) if inspect.isroutine(measure) else None
    return (docstring or "").partition("\n")[0].removeprefix("Return ").rstrip(".")
