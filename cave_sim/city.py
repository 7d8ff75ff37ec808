"""City: many districts, played, watched and kept as one simulation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cave_sim.districts import Crew, Order, Report, address, gather, totals
from cave_sim.entity import Entity
from cave_sim.errors import WorldError
from cave_sim.fields import field
from cave_sim.observers import Observer
from cave_sim.simulation import Simulation
from cave_sim.world import World


class Districts(Entity):
    """What a city knows of its districts, as of the last step."""

    hashes: list[str] = field([], guarded=True, about="the state hash of each district")
    turns: int = field(0, ge=0, guarded=True, about="turns taken in all of them so far")
    totals: dict[str, float] = field({}, guarded=True, about="what they count, added up")


class City(Simulation):
    """A simulation whose one dynamics is that all districts take a step.

    Its own world holds no more than the districts' hashes and what they count; its state hash is a digest of those, in
    the districts' order. The districts keep journals of their own, in folders beside its own.

    Args:
        world: empty, with the seed and the clock of the districts.
        crew: who has the districts, at their start.
        posts: the districts of each worker, as the crew has them.
        catches_up: whether districts may be played again from their start when the city is resumed; not where that
            would ask a model again.
        out: folder of the run; None keeps no journal.
        observers: told of every step.
        config: for the manifest.
    """

    def __init__(
        self,
        world: World,
        crew: Crew,
        posts: Sequence[Sequence[int]],
        *,
        catches_up: bool = True,
        out: str | Path | None = None,
        observers: Iterable[Observer] = (),
        config: Mapping[str, Any] | None = None,
    ) -> None:
        self._crew: Crew = crew
        self._posts = [list(numbers) for numbers in posts]
        self._orders: list[Order] = []
        self._reports = gather(crew.report())
        self._book = world.add("districts", Districts())
        _enter(self._book, self._reports)
        world.dynamics(self._exchange)
        measures = {name: _total(name) for name in self._book.totals}
        self._catches_up = catches_up
        super().__init__(world, out=out, observers=observers, measures=measures, config=config)

    @property
    def totals(self) -> dict[str, float]:
        """What the districts count, added up, as of the last step."""
        return dict(self._book.totals)

    def tell(self, district: int, action: str, *args: Any) -> None:
        """Have a district do something at the next barrier."""
        self._orders.append(Order(district, action, list(args)))

    def ask(self, district: int, action: str, *args: Any) -> Any:
        """Return what an action of a district comes to now; for looking, since nothing writes it down."""
        return self._crew.ask(district, action, *args)

    def fork(self) -> Simulation:
        """Refuse: districts are in other processes."""
        raise WorldError("a city of districts has no fork(); make it anew from its recipe, with the same seed")

    def close(self) -> None:
        """Finish the journals, and end the workers."""
        self._crew.close()
        super().close()

    def _exchange(self, world: World) -> None:
        if self._hashes() != list(self._book.hashes):
            self._catch_up(world.clock.step - 1)
        orders, self._orders = self._orders, []
        self._pass_barrier(orders)
        _enter(self._book, self._reports)
        self.turns_taken = self._book.turns

    def _pass_barrier(self, orders: Sequence[Order] = ()) -> None:
        self._reports = gather(self._crew.step(address(self._reports, self._posts, orders)))

    def _hashes(self) -> list[str]:
        return [report.state_hash for report in self._reports]

    def _catch_up(self, step: int) -> None:
        """Bring districts that were made anew to where the city was when it was stopped: by playing them again."""
        if self._catches_up:
            for _ in range(step):
                self._pass_barrier()
        if self._hashes() != list(self._book.hashes):
            raise WorldError(
                f"the districts of this city cannot be brought to step {step} again: what they were told by hand, or by"
                " a model, is not in its own journal; run it anew"
            )


def _enter(book: Districts, reports: Sequence[Report]) -> None:
    book.hashes = [report.state_hash for report in reports]
    book.turns = sum(report.turns for report in reports)
    book.totals = totals(reports)


def _total(name: str) -> Any:
    return lambda world: world["districts"].totals[name]
