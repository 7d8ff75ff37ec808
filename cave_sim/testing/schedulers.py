"""The contract that every scheduler must satisfy, as tests to inherit."""

from __future__ import annotations

from cave_sim.simulation.schedulers import Batch, Moment, Scheduler

NAMES = [f"agent_{number:02}" for number in range(20)]


class SchedulerContract:
    """A scheduler's order is data that follows from the moment alone.

    Attributes:
        everybody: whether each agent acts in every step.
    """

    everybody = True

    def make(self) -> Scheduler:
        """Return a new scheduler."""
        raise NotImplementedError

    def test_the_same_moment_gives_the_same_batches(self) -> None:
        for step in range(5):
            assert self._batches(step) == self._batches(step)

    def test_nobody_acts_twice_in_a_step_and_nobody_unknown_acts(self) -> None:
        for step in range(5):
            names = [name for batch in self._batches(step) for name in batch.agents]
            assert len(names) == len(set(names))
            assert set(names) <= set(NAMES)

    def test_everybody_gets_a_turn(self) -> None:
        names: set[str] = set()
        for step in range(1 if self.everybody else 50):
            names.update(name for batch in self._batches(step) for name in batch.agents)
        assert names == set(NAMES)

    def test_a_new_agent_does_not_reorder_the_others(self) -> None:
        without = [name for batch in self._batches(3) for name in batch.agents]
        with_one = [name for batch in self._batches(3, [*NAMES, "zoe"]) for name in batch.agents if name != "zoe"]
        assert with_one == without

    def _batches(self, step: int, names: list[str] = NAMES) -> list[Batch]:
        return list(self.make().batches(Moment(step, 7, sorted(names), lambda name: name[-1])))
