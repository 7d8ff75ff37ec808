"""``world`` in a cell: a view of the world that looks up, and adds and removes with the right to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from cave_sim.changes.change import Change
from cave_sim.changes.turn import Turn
from cave_sim.diagnostics.plurals import article
from cave_sim.diagnostics.told_names import told_as
from cave_sim.entity.entity import Entity
from cave_sim.entity.preparation import fields_of
from cave_sim.errors import Blocked, SchemaError, WorldError
from cave_sim.policy.guards import facade_type
from cave_sim.policy.permissions import Rights
from cave_sim.runtime.deadline import DEADLINE
from cave_sim.runtime.scope_names import TeamMember
from cave_sim.world import api_reference, asking, injection, wiring
from cave_sim.world.cell_hints import CellHints
from cave_sim.world.registry import HIDDEN
from cave_sim.world.state import WorldState
from cave_sim.world.turn_book import MAX_NESTED_TURNS
from cave_sim.world.turn_execution import take_turn


@facade_type
class WorldView(CellHints):
    """``world`` in a cell: look entities up by any name, and add or remove them with the right to."""

    __slots__ = ("_world",)

    _besides = (
        "; entities by name, as world[name], and all names, as list(world)."
        " clock and rng stand beside it: clock.now, rng.random()"
    )

    def __init__(self, world: WorldState) -> None:
        self._world = world

    def __getitem__(self, name: str) -> Any:
        if type(name) is not str:
            raise TypeError(f"world[...] takes the name of an entity, not {article(type(name).__name__)}")
        if name[:1] == HIDDEN:
            raise Blocked(f"{name!r} belongs to the world alone")
        return self._world[name]

    def __contains__(self, name: object) -> bool:
        return type(name) is str and name[:1] != HIDDEN and name in self._world

    def __iter__(self) -> Iterator[str]:
        return iter(self._world)

    def all(self, kind: type[Entity] | str) -> tuple[Entity, ...]:
        """Return the entities of a class, or of the class of that name, sorted by name."""
        if isinstance(kind, str):
            class_ = next((class_ for class_ in self._world.types if class_.__name__ == kind), None)
            if class_ is None:
                raise WorldError(f"no entity class is called {kind!r}; these are: {self._kinds()}")
            kind = class_
        return self._world.all(kind)

    def add(self, name: str, entity: Entity) -> Entity:
        """Add an entity; for agents that may change who and what there is."""
        return self._changing_population("add", lambda: self._world.add(name, entity))

    def remove(self, name: str) -> Entity:
        """Remove an entity; for agents that may change who and what there is."""
        return self._changing_population("remove", lambda: self._world.remove(name))

    def _changing_population(self, verb: str, act: Callable[[], Entity]) -> Entity:
        undo_log = self._world.undo_log
        rights = undo_log.guard
        if isinstance(rights, Rights) and not rights.may_change_population():
            rights.refuse(f"{rights.agent} may not {verb} entities; an agent granted '*' may")
        with undo_log.as_world():
            return act()

    def _attribute_hint(self, name: str) -> str:
        entity = f". Write world[{name!r}]." if name in self else ""
        return entity or super()._attribute_hint(name)

    def _kinds(self) -> str:
        return ", ".join(kind.__name__ for kind in self._world.types)

    def __repr__(self) -> str:
        return "<world>"


@facade_type
class Help:
    """``help`` in a cell: prints what a model is told of an injected object or a class of entities, uncut."""

    __slots__ = ("_world",)

    def __init__(self, world: WorldState) -> None:
        self._world = world

    def __call__(self, subject: Any) -> None:
        """Print the reference of an object, or of what has that name."""
        world = self._world
        if isinstance(subject, (AgentHandle, Team)):
            text = api_reference.methods_text(type(subject))
        else:
            text = api_reference.help_text(world, world.actor or "", subject)
        world.interpreter.scope["print"](text)

    def __repr__(self) -> str:
        return "<help>"


facade_type(Turn)


@facade_type
class AgentHandle(CellHints, TeamMember):
    """One other agent, in a meta-agent's hands. Every use asks anew whether the acting agent may operate it."""

    __slots__ = ("_agent", "_world")

    def __init__(self, world: WorldState, agent: str) -> None:
        self._world, self._agent = world, agent

    async def run(self, code: str) -> Turn:
        """Run a cell as this agent and return its turn: ``status``, ``output``, ``error``, ``changes``."""
        if type(code) is not str:
            raise TypeError(f"run: a cell is a text, not {article(type(code).__name__)}")
        self._check_rights()
        if self._world.turns.nesting > MAX_NESTED_TURNS:
            raise WorldError(f"run: turns may be nested {MAX_NESTED_TURNS} deep, no deeper")
        self._note_variables()
        turn = take_turn(self._world, code, self._agent)
        DEADLINE.check()
        turn = deepcopy(turn)  # the journal's own turn stays out of a cell's hands,
        turn.duration_s = 0.0  # and the wall clock too,
        outermost = self._world.turns.outermost_id  # and how many cells of its batch came before
        turn.id, turn.parent = turn.id - outermost, (turn.parent or outermost) - outermost
        turn.changes = [change for change in turn.changes if self._may_see(change)]
        return turn

    async def ask(self, text: str) -> str:
        """Say something to this agent, let it think and act within this turn, and return its last words."""
        if type(text) is not str:
            raise TypeError(f"ask: takes a text, not {article(type(text).__name__)}")
        self._check_rights()
        self._note_variables()
        return asking.ask(self._world, self._agent, text)

    async def transcript(self) -> list[dict[str, Any]]:
        """Return what this agent said, saw and ran so far: rows of ``kind``, ``text`` and ``step``."""
        self._check_rights()
        return asking.transcript(self._world, self._agent)

    def pause(self) -> None:
        """Let this agent do nothing by itself until it is resumed; it can be asked, and operated."""
        wiring.do(self._world, "pause", self._agent)

    def resume(self) -> None:
        """Let this agent act by itself again."""
        wiring.do(self._world, "resume", self._agent)

    def rewire(self, role: str | None = None, **habits: Any) -> None:
        """Tell this agent anew what it is there for, and change habits: ``max_cells=2``, ``temperature=0.5``."""
        wiring.do(self._world, "rewire", self._agent, role, habits)

    def grant(self, *targets: str) -> None:
        """Let this agent write more: ``"ledger"``, ``"ledger.total"``, a class of entities."""
        wiring.do(self._world, "grant", self._agent, list(targets))

    def inject(self, name: str, value: Any, about: str = "") -> None:
        """Give this agent a native object, as its own variable of that name."""
        self._check_rights()
        self._note_variables()
        way_out = f"; to give {self._agent} a function, let it define one: await team[{self._agent!r}].run('def ...')"
        injection.inject(self._world, name, _copied(self._world, name, value, way_out), about, self._agent)

    def retrieve(self, name: str) -> Any:
        """Take over one of this agent's variables as the native object it is; KeyError if there is none."""
        self._check_rights()
        variable = injection.retrieve(self._world, name, self._agent)
        return _copied(self._world, f"{name} of {self._agent}", variable, ", which would run with your rights")

    def variables(self) -> list[str]:
        """Return the names of this agent's variables."""
        self._check_rights()
        return self._world.interpreter.namespace(self._agent).names()

    @property
    def state(self) -> dict[str, Any]:
        """What this agent perceives now, ``sees``, and the types of its ``variables`` by name."""
        self._check_rights()
        world: Any = self._world
        types = world.variable_types(self._agent)
        self._note_reads()
        return {"name": self._agent, "sees": world.observe(self._agent), "variables": types}

    def kept_as(self) -> str:
        """Return the agent's name, by which a variable that holds this handle is kept."""
        return self._agent

    def _may_see(self, change: Change) -> bool:
        """Say whether a cell may see a change that a turn left: a method may have written what it may not read."""
        rights, entity = self._world.undo_log.guard, self._world.undo_log.entities.get(change.entity)
        if not isinstance(rights, Rights) or rights.may_change_population():
            return True
        fields = (change.path[0],) if change.path else fields_of(entity) if entity is not None else ()
        return entity is not None and all(rights.may_read(entity, str(field)) for field in fields)

    def _note_variables(self) -> None:
        """Note this agent's variables, so that they are as they were if the turn under way comes to nothing."""
        interpreter = self._world.interpreter
        interpreter.variable_log.note(interpreter.namespace(self._agent))

    def _note_reads(self) -> None:
        """Note that the acting agent sees what this one sees of itself."""
        undo_log = self._world.undo_log
        entity = undo_log.entities.get(self._agent)
        if entity is not None and isinstance(undo_log.guard, Rights):
            for field in fields_of(entity):
                undo_log.guard.read(entity, field)

    def _check_rights(self) -> None:
        """Return if the acting agent may operate this one; a denial dooms its turn."""
        rights = self._world.undo_log.guard
        if isinstance(rights, Rights) and not rights.may_change_population() and rights.agent != self._agent:
            rights.refuse(f"{rights.agent} may not operate {self._agent}; an agent granted '*' may")

    def __repr__(self) -> str:
        return f"<agent {self._agent}>"


@facade_type
class Team(CellHints):
    """``team`` in a cell: every agent by name, for those who were granted ``"*"``."""

    __slots__ = ("_world",)

    _besides = "; agents by name, as team[name], and all names, as list(team)"

    def __init__(self, world: WorldState) -> None:
        self._world = world

    def __getitem__(self, agent: str) -> AgentHandle:
        if agent not in self:
            raise WorldError(f"there is no agent {agent!r}.{self._world.registry.hint(agent)}")
        return AgentHandle(self._world, agent)

    def __contains__(self, agent: Any) -> bool:
        return agent in self._world or self._world.interpreter.has_variables(agent)

    def spawn(self, name: str, kind: type | str, like: str) -> AgentHandle:
        """Add an agent like another one, with a role of its own; returns its handle.

        Args:
            name: under which it acts.
            kind: what it is there for, as a text; or a class, whose docstring says so and whose attributes are habits.
            like: the agent of whose class its entity is, with the defaults of that class.
        """
        world = self._world
        role, habits = (kind, {}) if isinstance(kind, str) else _role_of(kind)
        entity = world.undo_log.entities.get(like)
        if entity is None or like[:1] == HIDDEN:
            raise WorldError(f"spawn: there is no entity {like!r}.{world.registry.hint(like)}")
        WorldView(world).add(name, type(entity)())
        wiring.do(world, "rewire", name, role, habits)
        return AgentHandle(world, name)

    def __iter__(self) -> Iterator[str]:
        interpreter = self._world.interpreter
        return iter(sorted({*self._world, *filter(interpreter.has_variables, interpreter.namespaces)}))

    def __repr__(self) -> str:
        return "<team>"


def _role_of(kind: type) -> tuple[str, dict[str, Any]]:
    """Return what a class says of a mind: its docstring is the role, its plain attributes are habits."""
    if not isinstance(kind, type):
        raise WorldError(f"spawn: what an agent is there for is a text or a class, not {article(type(kind).__name__)}")
    body = type.__getattribute__(kind, "__dict__")
    role = body.get("__doc__")
    if type(role) is not str:
        raise WorldError(f"spawn: the docstring of {type.__getattribute__(kind, '__name__')} says what it is there for")
    plain = (bool, int, float, str)
    return role.strip(), {name: value for name, value in body.items() if name[:1] != "_" and type(value) in plain}


def _copied(world: WorldState, what: str, value: Any, way_out: str) -> Any:
    """Return a value as it reaches another agent's namespace; raises Blocked if it may not."""
    try:
        return world.interpreter.copy(value)
    except SchemaError as error:
        reason = str(error).partition(", which cannot be kept")[0]
        raise Blocked(f"{what} cannot be handed over: {reason}; only data can be{way_out}") from None


told_as(WorldView, "World")
