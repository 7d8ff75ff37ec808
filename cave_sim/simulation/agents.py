"""Agent: what chooses cells. A mesa agent with a name, an observation to look at, and a cell to answer with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mesa

from cave_sim.changes.turn import Turn
from cave_sim.random_streams import RandomStream
from cave_sim.session.session import Session
from cave_sim.simulation.deliberation import Cell, Deliberation


class Agent(mesa.Agent):  # type: ignore[misc]
    """Chooses what one name does.

    State lives in the world, where it is journaled and restored. What an agent must know beyond that from one step to
    the next goes through :meth:`keep` and :meth:`restore`, or a resumed run would take another course.

    Args:
        simulation: the model it belongs to.
        name: under which it acts; if an entity of the world has this name, that is its ``me``.

    Attributes:
        stage: its place in a :class:`~cave_sim.simulation.schedulers.Staged` schedule.
        session: what it said and heard, for agents that ask a model; kept in the journal.
    """

    stage = ""
    session: Session | None = None

    def __init__(self, simulation: mesa.Model, name: str) -> None:
        super().__init__(simulation)
        self.name = name

    @property
    def rng(self) -> RandomStream:
        """A random stream for choosing, apart from the world's own: it follows from seed, name and step."""
        world = self.model.world
        return RandomStream(world.seed, "policy", self.name, world.clock.step)

    def act(self, observation: dict[str, Any]) -> str:
        """Return the cell to run, or an empty text to let the moment pass."""
        raise NotImplementedError

    def deliberate(self, observation: dict[str, Any]) -> Deliberation:
        """Get from an observation to cells: yield what is needed next, be sent it, until nothing more is.

        By default one cell, chosen by :meth:`act`. Agents that ask a model, or run several cells, override this.
        """
        code = self.act(observation)
        if code:
            self.feedback((yield Cell(code)))

    @property
    def reactions(self) -> int:
        """How often it may :meth:`react` within one step; agents who never do leave it at 0, which costs nothing."""
        return 0

    def react(self, observation: dict[str, Any], to: Sequence[str]) -> Deliberation:
        """Deliberate again within a step, because cells of others have changed its entity since it last looked.

        Args:
            observation: what it perceives now.
            to: those whose cells these were.
        """
        yield from ()

    def feedback(self, turn: Turn) -> None:
        """Learn what became of the cell. Does nothing unless overridden."""

    def keep(self) -> Any:
        """Return what it must know when the run is resumed, as plain data; None if nothing."""
        return None

    def restore(self, kept: Any) -> None:
        """Take back what :meth:`keep` returned; None if it had nothing."""

    # ---- its variables in the world

    def inject(self, name: str, value: Any, about: str = "") -> None:
        """Make a native object one of this agent's own variables (CaveAgent §3.1.1)."""
        self.model.world.inject(name, value, about, agent=self.name)

    def retrieve(self, name: str) -> Any:
        """Return one of its variables as the native object that it is; KeyError if there is none of that name."""
        return self.model.world.retrieve(name, agent=self.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"
