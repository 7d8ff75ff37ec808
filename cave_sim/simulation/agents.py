"""Agent: what chooses cells. A mesa agent with a name, an observation to look at, and a cell to answer with."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast
from weakref import WeakKeyDictionary

from cave_sim.changes.turn import Turn
from cave_sim.determinism.canonical_json import to_json
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.entity.entity import Entity
from cave_sim.errors import WorldError
from cave_sim.loading.quick_mesa import mesa
from cave_sim.session.session import Session
from cave_sim.simulation.deliberation import Cell, Deliberation, Question
from cave_sim.simulation.prompts import Prompts

Conversation = Generator[Question | Cell, Any, str]
"""A deliberation that comes to an answer."""


class _Numbers:
    """Counts the agents of each simulation, as mesa does, but lets go of those simulations that nobody else holds."""

    def __init__(self) -> None:
        self._counts: WeakKeyDictionary[mesa.Model, Iterator[int]] = WeakKeyDictionary()

    def __getitem__(self, model: mesa.Model) -> Iterator[int]:
        return self._counts.setdefault(model, itertools.count(1))


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
        glances: whether :meth:`act` takes a :class:`~cave_sim.world.glance.Glance` in the place of a whole observation,
            and keeps nothing of it that it has not read; that spares making what most agents never look at.
        prompts: what it alone says to a model, in place of what the agents of its simulation do.
        inside: while it is asked within another one's cell, how it is there: its variables' types, its role and habits.
        gave_itself: texts that it made its variables meanwhile, by name.
    """

    _ids: ClassVar[_Numbers] = _Numbers()
    stage = ""
    glances: bool = False
    session: Session | None = None
    prompts: Prompts | None = None
    _stream: tuple[tuple[int, int], RandomStream] | None = None
    inside: Mapping[str, Any] | None = None

    def __init__(self, simulation: mesa.Model, name: str) -> None:
        super().__init__(simulation)
        self.name = name
        self.gave_itself: dict[str, str] = {}

    @property
    def entity(self) -> Entity:
        """The entity that bears its name, which is the ``me`` of its cells; raises WorldError if there is none.

        To look at: what it does with it, it does by cells.
        """
        entity: Entity = self.model.world[self.name]
        return entity

    @property
    def rng(self) -> RandomStream:
        """Its random stream of this step for choosing, apart from the world's own: it follows from seed, name and step.

        Within a step every draw goes on where the last one ended.
        """
        world = self.model.world
        key = world.seed, world.clock.step
        if self._stream is None or self._stream[0] != key:
            self._stream = key, RandomStream(world.seed, "policy", self.name, world.clock.step)
        return self._stream[1]

    def act(self, observation: dict[str, Any]) -> str:
        """Return the cell to run, or an empty text to let the moment pass."""
        raise WorldError(
            f"{self.name}: {type(self).__name__} has no act(self, observation); it returns the text of a cell,"
            " or '' to let the moment pass"
        )

    def deliberate(self, observation: dict[str, Any]) -> Deliberation:
        """Get from an observation to cells: yield what is needed next, be sent it, until nothing more is.

        By default one cell, chosen by :meth:`act`. Agents that ask a model, or run several cells, override this.
        """
        if code := self.chosen_cell(observation):
            self.feedback((yield Cell(code)))

    def chosen_cell(self, observation: dict[str, Any]) -> str:
        """Return what :meth:`act` chooses; raises WorldError if that is no text."""
        try:
            code = self.act(observation)
        except KeyError as error:  # most often a part of the observation that there is not
            if error.args and isinstance(error.args[0], str) and error.args[0] not in observation:
                error.add_note(f"(its observation has {', '.join(observation) or 'nothing'})")
            raise
        if type(code) is not str:
            raise WorldError(f"{self.name}: {type(self).__name__}.act returned {_told(code)}")
        return code

    def forward(self, session: Session) -> Session:
        """Let a session flow through this agent, now and outside of any step; returns the session that comes out.

        What it observes, runs and is told become rows. Its turns are committed with the next step.
        """
        self.model.run_generator(self.name, self.through(session))
        return cast("Session", self.session)

    def through(self, session: Session) -> Deliberation:
        """Deliberate as ever, and write it into a session; comes to the session.

        This is :meth:`forward` for those who deliberate themselves.
        """
        self.session = session
        world, answer = self.model.world, None
        observation = world.observe(self.name)
        clock = world.clock
        session.append("user", to_json(observation).decode(), step=clock.step, time_s=clock.time_s)
        deliberation = self.deliberate(observation)
        while True:
            try:
                request = deliberation.send(answer)
            except StopIteration:
                return session
            answer = yield request
            if isinstance(request, Cell):
                session.append("cell", answer.code, data={"turn": answer.id, "status": answer.status})
                session.append(
                    "output" if answer.committed else "error", answer.output if answer.committed else answer.error
                )

    def asked(self, text: str) -> Conversation:
        """Hear what another agent says to it within a cell, act on it, and return an answer.

        What it does are turns inside that one's turn. Agents that ask a model can be asked; others raise WorldError.
        """
        yield from ()
        raise WorldError(f"{self.name} chooses its cells by rules: it does not answer")

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

    def restore(self, state: Any) -> None:
        """Take back what :meth:`keep` returned; None if it had nothing."""

    def retry(self) -> bool:
        """Try what failed for good once more, from the next step on; returns whether there was anything."""
        return False

    # ---- its variables in the world

    def inject(self, name: str, value: Any, about: str = "") -> None:
        """Make a native object one of this agent's own variables (CaveAgent §3.1.1)."""
        self.model.world.inject(name, value, about, agent=self.name)

    def retrieve(self, name: str) -> Any:
        """Return one of its variables as the native object that it is; KeyError if there is none of that name."""
        return self.model.world.retrieve(name, agent=self.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


def _told(returned: Any) -> str:
    """Say what came of an ``act`` instead of a text, and what to write."""
    if inspect.iscoroutine(returned):
        returned.close()  # nobody shall be told that it was never awaited
        return "a coroutine: write `def act`, without async; who asks a model yields a Question in deliberate"
    if inspect.isgenerator(returned):
        return "a generator: what yields cells, one after another, is called deliberate"
    way_out = "'' lets the moment pass" if returned is None else "a cell is one text, its lines joined by newlines"
    return f"{returned!r}: return the text of a cell, such as 'me.wait()'; {way_out}"
