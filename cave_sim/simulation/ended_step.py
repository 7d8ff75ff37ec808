"""The end of a step: what is taken of it while the world stands there, and what is kept of that, at once or later."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from cave_sim.simulation.runnable import measured, note_watch_points


class EndedStep(NamedTuple):
    """What is taken of a step when it has ended.

    Attributes:
        step, time_s: where the world's clock stood.
        measures: what was measured.
        snapshot: the state, where one is due.
    """

    step: int
    time_s: float
    measures: dict[str, float]
    snapshot: bytes | None

    @classmethod
    def of(cls, simulation: Any, more_changes: int = 0) -> Self:
        """Take it of a simulation that will be told of so many more changes later; raises WorldError as measures do."""
        world = simulation.world
        measures = measured(simulation)
        clock = world.clock
        return cls(clock.step, clock.time_s, measures, simulation.run_journal.snapshot(world, more_changes))

    def close(self, simulation: Any, state_hash: str) -> None:
        """Keep what was measured, and commit the step with the digest of the state after it."""
        simulation.latest_measures = self.measures
        simulation.datacollector.collect(simulation)
        note_watch_points(simulation)
        if simulation.journal is not None:
            simulation.journal.commit(self.step, self.time_s, state_hash, self.measures, self.snapshot)
