"""The contract that every agent must satisfy, as tests to inherit."""

from __future__ import annotations

from contextlib import closing

from cave_sim.changes.turn import Turn
from cave_sim.simulation.deliberation import Cell, Others, Question
from cave_sim.simulation.observers import Recorder
from cave_sim.simulation.simulation import Simulation


class AgentContract:
    """An agent answers with a cell or asks a model first, looks without touching, and chooses the same again.

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
        for request in self._first_requests(self.make(3)):
            assert isinstance(request, Question | Others | None) or isinstance(request.code, str)

    def test_choosing_changes_nothing(self) -> None:
        simulation = self.make(3)
        before = simulation.world.state_hash()
        self._first_requests(simulation)
        assert simulation.world.state_hash() == before

    def test_same_seed_gives_the_same_cells(self) -> None:
        assert self._cells(3) == self._cells(3)

    def test_most_of_its_cells_land(self) -> None:
        turns = self._turns(3)
        committed = sum(turn.committed for turn in turns)
        assert turns
        assert committed >= self.least_committed * len(turns)

    def _first_requests(self, simulation: Simulation) -> list[Cell | Question | Others | None]:
        """Return what each agent asks for first: a cell, words of a model, others; None for nothing."""
        requests = []
        for name in simulation.by_name:
            with closing(simulation.roster.deliberation(name, simulation.world)) as deliberation:
                requests.append(next(deliberation, None))
        return requests

    def _turns(self, seed: int) -> list[Turn]:
        recorder = Recorder()
        simulation = self.make(seed)
        simulation.observers.append(recorder)
        simulation.run(until=self.steps)
        return [turn for turn in recorder.turns if turn.kind == "cell"]

    def _cells(self, seed: int) -> list[tuple[object, ...]]:
        return [(turn.step, turn.agent, turn.code, turn.status) for turn in self._turns(seed)]
