"""What the world does in each step: what cells wrote goes into the model, the model steps, its counterparts follow.

The model itself is never kept in a file. It follows from its class, its arguments, its seed and what was written into
it, and all of that is state of the world; so after a stop, or on a branch, it is made again and stepped again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any

from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import WorldError
from cave_sim.mesa_models.construction import Construction
from cave_sim.mesa_models.counterpart_classes import MesaRun
from cave_sim.mesa_models.counterparts import Counterparts
from cave_sim.mesa_models.subject import Subject
from cave_sim.mesa_models.write_rules import RUN
from cave_sim.world.world import World

DIGEST_EVERY = 10
"""Where generators stand is digested in every so-manyth step: it takes as long as a whole step of a small model, and
what has come to stand elsewhere stays there."""


class ModelSteps:
    """The dynamics of a world that has a model; a copy of the world gets its own.

    Args:
        construction: how the model is made.
    """

    def __init__(self, construction: Construction) -> None:
        self._construction = construction
        self._under_way: tuple[Subject, Counterparts] | None = None
        self._is_alone = self._is_as_left = False

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Have nobody else draw from the generators of modules: they stay in place between steps.

        To put them there takes as long as a step of many a model.
        """
        with nullcontext() if self._under_way is None else self._under_way[0].generators:
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Have nobody else write to the model's entities: what was written before the first step here is all that was.

        To look for it takes as long as a step of many a model.
        """
        self._is_alone = True
        try:
            yield
        finally:
            self._is_alone = self._is_as_left = False

    def create(self, world: World, run: MesaRun) -> Counterparts:
        """Make the model of a new world, and the entities that stand for it."""
        subject, counterparts = self._make(world, run)
        counterparts.refresh()
        run.digest = subject.digest()
        world.registry.enter(RUN, run)
        self._under_way = subject, counterparts
        return counterparts

    def anew(self) -> ModelSteps:
        """Return the same for a copy of the world, whose model is made again when it steps."""
        return ModelSteps(self._construction)

    def follow(self, world: World) -> None:
        """Bring the model to the state that the world was restored to.

        Raises:
            WorldError: it comes to another state, so it does not follow from its seed.
        """
        _, counterparts = self._under_way = self._made_again(world, world.clock.step)
        if difference := counterparts.differing():
            raise WorldError(_no_replay(world[RUN], world.clock.step, difference))

    def __call__(self, world: World) -> None:
        """Take one step.

        Raises:
            WorldError: the model does not take what was written, or does not follow from its seed.
        """
        run: MesaRun = world.undo_log.entities[RUN]
        step = world.clock.step
        under_way, self._under_way = self._under_way, None  # should anything fail, a model is made again
        is_as_left, self._is_as_left = self._is_as_left and under_way is not None, False
        if under_way is None or under_way[0].steps != step - 1:  # a rule was broken, and the world was taken back
            under_way = self._made_again(world, step - 1)
        subject, counterparts = under_way
        writes, removed = ({}, []) if is_as_left else (counterparts.written(), counterparts.removed())
        if writes or removed or world.seed != run.seed:
            done = {"before": step, "writes": writes, "removed": removed, "seed": world.seed}
            _intervene(subject, counterparts, done, run.seed)
            run.interventions.append(done)
            run.seed = world.seed
        subject.step()
        counterparts.refresh()
        if step % DIGEST_EVERY == 0:
            run.digest = subject.digest()
        self._under_way, self._is_as_left = (subject, counterparts), self._is_alone

    def _made_again(self, world: World, steps: int) -> tuple[Subject, Counterparts]:
        """Return the model of a world as it was made, and stepped so often, with what was written to it on the way."""
        run: MesaRun = world.undo_log.entities[RUN]
        subject, counterparts = self._make(world, run)
        interventions = {done["before"]: done for done in run.interventions}
        seed, digest = run.made_with_seed, subject.digest()
        for step in range(1, steps + 1):
            if step in interventions:
                counterparts.look()
                _intervene(subject, counterparts, interventions[step], seed)
                seed = interventions[step]["seed"]
            subject.step()
            counterparts.meet()
            if step == steps - steps % DIGEST_EVERY:
                digest = subject.digest()
        counterparts.look()
        if digest != run.digest:
            raise WorldError(_no_replay(run, steps, "its generators stand elsewhere"))
        return subject, counterparts

    def _make(self, world: World, run: MesaRun) -> tuple[Subject, Counterparts]:
        subject = Subject(self._construction, dict(run.arguments), run.made_with_seed)
        return subject, Counterparts(world, subject.model, run.agent_entities)


def _intervene(subject: Subject, counterparts: Counterparts, done: Mapping[str, Any], seed: int) -> None:
    if done["seed"] != seed:
        subject.seed(done["seed"])
    counterparts.apply(done["writes"], done["removed"])


def _no_replay(run: MesaRun, steps: int, difference: str) -> str:
    times = counted(steps, "time")
    return (
        f"{run.model} comes to another state when it is made again and stepped {times} ({difference}), so something"
        " in it does not follow from its seed: the order of a set of agents, say, or a clock. Its run can be looked at,"
        " but not gone on with"
    )
