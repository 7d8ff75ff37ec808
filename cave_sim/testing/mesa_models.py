"""The contract that a Mesa model as a world must satisfy, as tests to inherit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from cave_sim.entity.entity import Entity
from cave_sim.journal.reader import open_run
from cave_sim.loading.quick_mesa import mesa
from cave_sim.mesa_models.construction import Construction
from cave_sim.mesa_models.counterpart_classes import OTHERS, is_shown, is_told, scalar
from cave_sim.mesa_models.simulation import simulation_of
from cave_sim.mesa_models.subject import GlobalGenerators
from cave_sim.replay.fork import fork
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from cave_sim.simulation.simulation import Simulation


class MesaModelContract:
    """A Mesa model as a world takes the steps of plain Mesa; its run can be gone on with, branched from, and verified.

    Attributes:
        model: its class.
        arguments: of its ``__init__``.
        steps: how far it is followed.
    """

    model: ClassVar[type[mesa.Model]]
    arguments: ClassVar[Mapping[str, Any]] = {}
    steps = 20

    def make(self, seed: int = 7, **options: Any) -> Simulation:
        """Return its simulation."""
        return simulation_of(self.model, seed=seed, arguments=self.arguments, **options)

    def plain(self, seed: int) -> Iterator[mesa.Model]:
        """Yield the model as plain Mesa has it: when it is new, and after each step."""
        generators = GlobalGenerators(seed)
        with generators:
            model, simulator = Construction.of(self.model).make(self.arguments, seed)
        while True:
            yield model
            with generators:
                model.step() if simulator is None else simulator.run_for(1)

    def run(self, folder: Path, steps: int) -> Simulation:
        """Take so many steps, and finish the run."""
        simulation = self.make(out=folder)
        take(simulation, steps)
        simulation.close()
        return simulation

    def test_every_step_is_that_of_plain_mesa(self) -> None:
        simulation, models = self.make(), self.plain(7)
        for step in range(self.steps + 1):
            model = next(models)
            compared = differences(simulation, model)
            assert {name: seen for name, seen, expected in compared if seen != expected} == {}, step
            agents = {f"agent_{agent.unique_id}" for agent in model.agents}
            assert {name for name in simulation.world if name.startswith("agent_")} == agents
            take(simulation, 1)

    def test_entities_of_agents_change_nothing_for_the_model(self) -> None:
        whole, alone = self.make(), self.make(agent_entities=False)
        take(whole, self.steps)
        take(alone, self.steps)
        assert whole.world["model"].observe() == alone.world["model"].observe()
        assert whole.world["$mesa"].digest == alone.world["$mesa"].digest

    def test_another_seed_gives_another_state(self) -> None:
        assert self.make(7).state_hash != self.make(8).state_hash

    def test_its_run_is_what_it_says_and_ends_alike_when_it_is_gone_on_with_or_branched_from(
        self, tmp_path: Path
    ) -> None:
        half = self.steps // 2
        whole = self.run(tmp_path / "whole", self.steps)
        with open_run(tmp_path / "whole") as run:
            verdict = verify(run, self.make)
        assert verdict.holds, verdict.why
        branch = fork(tmp_path / "whole", half, tmp_path / "branch", simulation=self.make())
        take(branch, self.steps - half)
        branch.close()
        assert branch.state_hash == whole.state_hash
        self.run(tmp_path / "stopped", half)
        later: Any = resume(tmp_path / "stopped", simulation=self.make())
        take(later, self.steps - half)
        later.close()
        assert later.state_hash == whole.state_hash

    def test_a_stretch_is_written_as_single_steps_are(self, tmp_path: Path) -> None:
        stretch, single = self.make(out=tmp_path / "stretch"), self.make(out=tmp_path / "single")
        stretch.run(steps=self.steps)
        take(single, stretch.world.clock.step)
        hashes = []
        for each, name in ((stretch, "stretch"), (single, "single")):
            each.close()
            with open_run(tmp_path / name) as run:
                hashes.append([(step.state_hash, step.hash) for step in run.steps()])
        assert hashes[0] == hashes[1]

    def test_a_live_fork_ends_as_the_simulation_it_was_forked_from(self) -> None:
        simulation = self.make()
        take(simulation, self.steps // 2)
        twin = simulation.fork()
        take(simulation, 3)
        take(twin, 3)
        assert twin.state_hash == simulation.state_hash


def take(simulation: Simulation, steps: int) -> None:
    """Take steps, whether or not the model has stopped running."""
    for _ in range(steps):
        simulation.step()


def differences(simulation: Simulation, model: mesa.Model) -> Iterator[tuple[str, Any, Any]]:
    """Yield what entities tell of every scalar and position of a model, and what the model itself has there."""
    world = simulation.world
    yield from _compared("model", world["model"], model)
    for agent in model.agents:
        name = f"agent_{agent.unique_id}"
        entity = world[name]
        yield from _compared(name, entity, agent)
        for axis, at in _place(agent).items():
            yield f"{name}.{axis}", getattr(entity, axis), at


def _compared(name: str, entity: Entity, of: Any) -> Iterator[tuple[str, Any, Any]]:
    values = vars(entity)
    for attribute, value in vars(of).items():
        if is_shown(attribute) and is_told(value):
            field = f"{attribute}_" if f"{attribute}_" in values else attribute
            late = values[OTHERS] or {}
            yield f"{name}.{attribute}", values[field] if field in values else late.get(attribute), scalar(value)


def _place(agent: Any) -> dict[str, Any]:
    """Return where plain Mesa has an agent."""
    where = agent.cell.coordinate if getattr(agent, "cell", None) is not None else agent.pos
    if where is None:
        return {}
    if isinstance(where, (int, str)):
        return {"node": str(where)}
    return dict(zip(("x", "y", "z"), (scalar(at) for at in where), strict=False))
