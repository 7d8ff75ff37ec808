"""The actor that holds a world: its simulation, its journal, and what drivers have had done.

Nothing is answered before it is safe. What drivers submit between two steps is written down at once, and done again if
the actor is restarted; what a driver sends twice, because no answer reached it, is done once.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from cave_sim.changes.turn import Status, Turn
from cave_sim.errors import JournalError
from cave_sim.hosts.placement import isolated
from cave_sim.hosts.ray.messages import CellMessage, pack_acts, pack_turns, unpack_acts
from cave_sim.journal.lock import lock
from cave_sim.journal.queries import changes_of_turn, turn_of_driver
from cave_sim.journal.reader import open_run
from cave_sim.journal.tables import DATABASE
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.simulation.runnable import Runnable
from cave_sim.world.world import World

DRIVERS = "drivers"
"""What the journal keeps of drivers: the last number of each that was committed with a step."""

GONE_WITHIN_S = 45.0
"""How long a restarted actor waits for the one before it to let go of the run: it may outlive its node for a while."""

READING: dict[str, Callable[..., Any]] = {
    "observe": World.observe,
    "describe": World.describe,
    "state_hash": World.state_hash,
    "snapshot": World.snapshot,
    "retrieve": World.retrieve,
    "names": list,
    "step": lambda world: world.clock.step,
    "time": lambda world: world.clock.text,
}
"""What may be asked of a world by name."""


class WorldActor:
    """One world in a process of its own; Ray makes an actor of this class.

    It does one thing at a time, in its main thread, so that deadlines work and order is what arrival was.

    Args:
        recipe: how to make the simulation, as :meth:`Recipe.to_manifest` writes it.
        out: folder of the run; one that is there already is resumed, as it is after a crash.
        require: the least level of isolation, in sandboxed processes; None runs them in this process.
    """

    def __init__(self, recipe: Mapping[str, Any], out: str, require: str | None = None) -> None:
        own_recipe = Recipe.of(recipe)
        self._folder = Path(out)
        self._answers: dict[tuple[str, int], Turn] = {}  # since the last step
        self._committed: dict[str, int] = {}
        self.simulation: Runnable
        if (self._folder / DATABASE).is_file():
            _wait_for_lock(self._folder)
            self.simulation = resume(self._folder, recipe=own_recipe)
            self._remember()
        else:
            self.simulation = own_recipe.make(self._folder)
        self._host = None if require is None else isolated(self.simulation, own_recipe, require=require)

    # ---- acting

    def act(self, driver: str, packed: bytes, *, at_once: bool = False) -> bytes:
        """Run cells in their order, or as one simultaneous batch; what was done before is answered, not done again."""
        acts = unpack_acts(packed)
        fresh = [act for act in acts if not self._is_done(driver, act)]
        if fresh:
            self._do(driver, fresh, at_once=at_once)
            self._journal.receive(driver, packed if len(fresh) == len(acts) else pack_acts(fresh), at_once=at_once)
        return pack_turns([self._answer(driver, act) for act in acts])

    def step_to(self, step: int) -> tuple[int, str]:
        """Step until the clock shows ``step``; returns the step and state hash that there are now."""
        simulation = self.simulation
        while simulation.world.clock.step < step and simulation.running:
            for driver, sequence in self._answers:
                self._committed[driver] = max(sequence, self._committed.get(driver, sequence))
            self._journal.keep("", DRIVERS, self._committed)
            simulation.step()
            self._answers.clear()
        return simulation.world.clock.step, simulation.world.state_hash()

    def ask(self, question: str, *args: Any) -> Any:
        """Return what a reading method of the world returns; see :data:`READING`."""
        return READING[question](self.simulation.world, *args)

    def about(self) -> dict[str, Any]:
        """Return where the run is and what is in it: folder, agents, turns so far, and the process of the actor."""
        simulation = self.simulation
        return {
            "folder": str(self._folder),
            "agents": sorted(getattr(simulation, "by_name", ())),
            "turns": simulation.turns_taken,
            "process": os.getpid(),
        }

    def close(self) -> str:
        """Finish the journal; returns the state hash."""
        state_hash: str = self.simulation.world.state_hash()
        self.simulation.close()
        if self._host is not None:
            self._host.close()
        return state_hash

    # ---- what must survive

    @property
    def _journal(self) -> Any:
        return self.simulation.journal

    def _do(self, driver: str, acts: list[CellMessage], *, at_once: bool) -> None:
        world = self.simulation.world
        if at_once:
            together = world.execute_batch({act.agent: act.code for act in acts})
            turns = [together[act.agent] for act in acts]
        else:
            turns = [world.execute(act.code, act.agent) for act in acts]
        for act, turn in zip(acts, turns, strict=True):
            turn.usage.update(driver=driver, sequence=act.sequence)
            self._answers[driver, act.sequence] = turn

    def _remember(self) -> None:
        """Do what was done after the last step and died with the process: the same cells in the same order."""
        with open_run(self._folder) as run:
            self._committed = dict(run.private_data(run.last_step).get(("", DRIVERS)) or {})
        for driver, packed, at_once in self._journal.received():
            self._do(driver, unpack_acts(packed), at_once=bool(at_once))

    def _is_done(self, driver: str, act: CellMessage) -> bool:
        return (driver, act.sequence) in self._answers or act.sequence <= self._committed.get(driver, -1)

    def _answer(self, driver: str, act: CellMessage) -> Turn:
        return self._answers.get((driver, act.sequence)) or self._from_journal(driver, act)

    def _from_journal(self, driver: str, act: CellMessage) -> Turn:
        """Return a turn that was committed before its driver heard of it."""
        with open_run(self._folder) as run:
            number, step = turn_of_driver(run, driver, act.sequence)
            row = next(row for row in run.turns(step=step) if row.turn == number)
            changes = changes_of_turn(run, number)
        status = cast("Status", row.status)
        return Turn(
            row.turn, row.step, row.agent, "", status, changes, row.output, row.error, row.duration_s, row.usage
        )


def _wait_for_lock(folder: Path) -> None:
    """Return when nobody writes a run; raises JournalError if somebody goes on doing so."""
    until_s = time.monotonic() + GONE_WITHIN_S
    while True:
        try:
            lock(folder).close()
        except JournalError:
            if time.monotonic() > until_s:
                raise
            time.sleep(0.1)
        else:
            return
