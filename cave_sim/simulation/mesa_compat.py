"""What a simulation needs of Mesa's model class, alike for all versions of Mesa that we run with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from cave_sim.entity.preparation import types_of
from cave_sim.errors import WorldError
from cave_sim.loading.quick_mesa import mesa


class MesaModel(mesa.Model):  # type: ignore[misc]
    """A model in which an error in a step reaches the caller of the step, and nothing in between.

    Since version 3.5 Mesa takes steps from its list of events, and an error that passes through leaves the list without
    a next step: every later ``step()`` would return at once, having done nothing.

    Args:
        seed: of Mesa's own random generators.
    """

    agent_reporters: ClassVar[Sequence[str]] = ()
    """Fields of agents' entities that mesa's ``datacollector`` collects in each step; for a subclass to name."""
    over: bool = False
    """True once it has come to an end of its own, and no step is left to take; a run that was stopped goes on."""
    steps: int
    _user_step: Any
    step: Any

    def __init__(self, seed: int) -> None:
        super().__init__(rng=seed)  # Mesa 3.5 warns about ``seed``; 3.3 knows both
        self._errors: list[BaseException] = []
        self._uncaught_step, self._user_step = self._user_step, self._catching_step
        self._counted_step, self.step = self.step, self._raising_step
        self._only_counts = self._in_step = False

    @contextmanager
    def _step_under_way(self) -> Iterator[None]:
        """Have no other step begin for as long as the context lasts."""
        self._in_step = True
        try:
            yield
        finally:
            self._in_step = False

    def _expect_between_steps(self) -> None:
        if self._in_step:
            raise WorldError(
                "a step is under way, and the next one begins when it has ended: agents, observers, measures and tasks"
                " beside arun() take none; a simulation with the same future is simulation.fork()"
            )

    def count_step(self) -> None:
        """Have Mesa count a step that is then taken without it; raises WorldError within another one."""
        self._expect_between_steps()
        self._only_counts = True
        try:
            self._counted_step()
        finally:
            self._only_counts = False

    def come_to_step(self, step: int) -> None:
        """Have Mesa count from a step on: that of a run that is gone on with. Since 3.5 it counts time, too."""
        while self.steps < step and hasattr(self, "_advance_time"):
            self.count_step()
        self.steps = step

    def _catching_step(self) -> None:
        """Take a step as Mesa does it; an error waits until Mesa is through."""
        if self._only_counts:
            return
        try:
            self._uncaught_step()
        except BaseException as error:
            self._errors.append(error)

    def _raising_step(self, *several: Any) -> None:
        """Take a step, and raise what went wrong in it; raises WorldError within another one."""
        if several:
            raise WorldError(
                f"step({several[0]!r}): takes nothing, and is one step; several are run(steps={several[0]!r})"
            )
        self._expect_between_steps()
        self._counted_step()
        if self._errors:
            raise self._errors.pop()


class CollectorOfMeasures(mesa.DataCollector):  # type: ignore[misc]
    """Mesa's own, of what was measured already.

    Args:
        measures: names of it.
        reporters: what else it is to collect.
    """

    def __init__(self, measures: Iterable[str], **reporters: Any) -> None:
        of_measures = {name: _latest(name) for name in measures}
        super().__init__(model_reporters=of_measures, **reporters)
        self._of_measures = of_measures

    @property
    def reads_world(self) -> bool:
        """Whether it collects more than that."""
        of_agents = self.agent_reporters or self.agenttype_reporters
        return bool(of_agents) or self.model_reporters != self._of_measures

    def recall(self, measures: Mapping[int, Mapping[str, float]]) -> None:
        """Have what was measured in steps of before."""
        for name in self.model_vars:
            self.model_vars[name] = [values.get(name) for values in measures.values()]
        if self._goes_by_time:
            self._collection_steps = list(map(float, measures))

    def recall_agents(self, records: Mapping[int, Sequence[tuple[Any, ...]]]) -> None:
        """Have what agents had in steps of before: step -> for each its number, and what it had."""
        moments = {step: float(step) if self._goes_by_time else step for step in records}
        self._agent_records = {moments[step]: [(moments[step], *row) for row in rows] for step, rows in records.items()}

    @property
    def _goes_by_time(self) -> bool:
        """Whether rows name the time of a model, as since Mesa 3.5, and not its step."""
        return hasattr(self, "_collection_steps")


def collector_of(measures: Iterable[str], fields: Sequence[str] = ()) -> mesa.DataCollector:
    """Return a collector of measures that were taken already, of a row for each turn, and of agents' fields."""
    return CollectorOfMeasures(
        measures,
        agent_reporters={"name": "name", **{field: _field(field) for field in fields}} if fields else None,
        tables={"turns": ["step", "turn", "agent", "status", "changes"]},
    )


def _latest(name: str) -> Callable[[Any], float | None]:
    """Return a mesa reporter that reads what the last commit measured, so that nothing is measured twice."""
    return lambda simulation: simulation.latest_measures.get(name)


def _field(name: str) -> Callable[[Any], Any]:
    """Return a mesa reporter that reads a field of an agent's entity as plain data; None where it has none."""

    def read(agent: Any) -> Any:
        entity = agent.model.world.undo_log.entities.get(agent.name)
        field_type = None if entity is None else types_of(entity).get(name)
        return None if field_type is None else field_type.encode(entity.__dict__[name])

    return read
