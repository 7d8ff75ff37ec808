"""The contract that every agent must satisfy, as tests to inherit."""

from __future__ import annotations

from cave_sim.changes.turn import Turn
from cave_sim.simulation.observers import Recorder
from cave_sim.simulation.simulation import Simulation


class AgentContract:
    """An agent answers with a cell, looks without touching, and chooses the same again.

    Attributes:
        steps: how long it is watched.
        least_committed: the share of its turns that should land.
    """

    steps = 12
    least_committed: float = 0.5

    def make(self, seed: int) -> Simulation:
        """Return a new simulation with the agent in it, and no journal."""
        raise NotImplementedError

    def test_it_answers_every_observation_with_text(self) -> None:
        simulation = self.make(3)
        for name, agent in simulation.by_name.items():
            assert isinstance(agent.act(simulation.world.observe(name)), str)

    def test_choosing_changes_nothing(self) -> None:
        simulation = self.make(3)
        before = simulation.world.state_hash()
        for name, agent in simulation.by_name.items():
            agent.act(simulation.world.observe(name))
        assert simulation.world.state_hash() == before

    def test_same_seed_gives_the_same_cells(self) -> None:
        assert self._cells(3) == self._cells(3)

    def test_most_of_its_cells_land(self) -> None:
        turns = self._turns(3)
        committed = sum(turn.committed for turn in turns)
        assert turns
        assert committed >= self.least_committed * len(turns)

    def _turns(self, seed: int) -> list[Turn]:
        recorder = Recorder()
        simulation = self.make(seed)
        simulation.observers.append(recorder)
        simulation.run(until=self.steps)
        return [turn for turn in recorder.turns if turn.kind == "cell"]

    def _cells(self, seed: int) -> list[tuple[object, ...]]:
        return [(turn.step, turn.agent, turn.code, turn.status) for turn in self._turns(seed)]
