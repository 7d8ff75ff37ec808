"""What a world holds: entities, time, and the parts that everything which acts on it works with."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from cave_sim.changes.turn import OPERATOR, Limits
from cave_sim.diagnostics.attribute_hints import Fitting, SettingHints, never
from cave_sim.diagnostics.number_checks import is_number
from cave_sim.diagnostics.option_hints import naming_options
from cave_sim.diagnostics.plurals import counted
from cave_sim.entity.builtin_entities import KEPT_CLASSES, SYSTEM, WIRING, AgentWiring, System, is_builtin
from cave_sim.entity.entity import Entity
from cave_sim.entity.identity import name_of
from cave_sim.entity.preparation import fields_of
from cave_sim.entity.undo_log import UndoLog
from cave_sim.errors import WorldError
from cave_sim.loading.views import Viewed
from cave_sim.policy.permissions import EVERYTHING, Rights
from cave_sim.world.answers import Answers
from cave_sim.world.clock import Clock, parse_start
from cave_sim.world.host_protocol import CellRecorder, Host
from cave_sim.world.inhabitants import Inhabitants
from cave_sim.world.interpreter import Interpreter
from cave_sim.world.randomness import Randomness
from cave_sim.world.registry import EntityRegistry
from cave_sim.world.rules import WorldRules
from cave_sim.world.tools import Tool
from cave_sim.world.turn_book import Sink, TurnBook

E = TypeVar("E", bound=Entity)
_UNWIRED = AgentWiring()
MEANT = {
    **dict.fromkeys(("allow", "permit", "authorize"), 'world.grant("ann", "desk")'),
    **dict.fromkeys(("add_entity", "create", "spawn"), 'world.add("ann", Person())'),
    **dict.fromkeys(("add_agent", "add_agents", "agents"), 'Simulation(world, {"ann": Walker})'),
    **dict.fromkeys(("run", "step"), "Simulation(world, agents).run(steps=10)"),
    **dict.fromkeys(("add_tool", "register", "add_function"), 'world.inject("send", send)'),
    **dict.fromkeys(("random", "rng_stream"), 'world.rng("weather").random()'),
    **dict.fromkeys(("time", "now", "steps"), "world.clock.now or world.clock.step"),
    **dict.fromkeys(("save", "to_json", "to_dict"), "world.snapshot()"),
    **dict.fromkeys(("load", "from_dict"), "World.restore(snapshot)"),
    **dict.fromkeys(("run_cell", "run_code", "exec", "eval", "do"), 'world.execute("ann.mood = 1.0")'),
    **dict.fromkeys(("find", "get_entity", "entity"), 'world["ann"]'),
    **dict.fromkeys(("measure", "measures", "collect"), "Simulation(world, agents, measures={'people': len})"),
    **dict.fromkeys(("schedule", "after", "at"), 'world.schedule_event("ann", "wake", after_s=600)'),
    **dict.fromkeys(("grant_all", "set_permissions"), 'world.grant("ann", "desk")'),
}
"""What others would call what is meant."""
FITTING: dict[str, Fitting] = {
    **dict.fromkeys(
        ("clock", "start", "step_s", "time", "now", "date", "step", "steps"),
        (never, "a world begins at World(start=..., step_s=...), and world.advance() lets a step pass"),
    ),
    **dict.fromkeys(("seed", "randomness"), (never, "randomness follows from World(seed=...)")),
    **dict.fromkeys(("policy", "record_reads"), (never, "that is said once, World(policy=..., record_reads=...)")),
    **dict.fromkeys(("entities", "registry", "undo_log"), (never, "entities come by world.add(name, entity)")),
    **dict.fromkeys(("tools", "interpreter"), (never, "cells are given an object by world.inject(name, value)")),
    "rules": (
        lambda value: isinstance(value, WorldRules),
        "rules come by world.dynamics(function) and world.invariant(name, function)",
    ),
    "turns": (never, "turns are told to world.sink, a function, as they end"),
    "limits": (lambda value: isinstance(value, Limits), "takes Limits(...), as in world.limits = Limits(deadline_s=2)"),
    "sink": (lambda value: value is None or callable(value), "takes a function, which is called with each turn"),
    "host": (
        lambda value: value is None or hasattr(value, "execute_batch"),
        "takes a Host; where cells run is said by Simulation(world, agents, host='process')",
    ),
}


class WorldState(SettingHints, Viewed):
    """Entities by name and class, and the parts that run, undo, number and restrict turns.

    :class:`~cave_sim.world.world.World` is what people use. None of these names is for cells, which hold a
    :class:`~cave_sim.world.cell_api.WorldView` instead.

    Args: those of :class:`~cave_sim.world.world.World`.

    Attributes:
        undo_log: every write of the turn under way, and whose hand is writing.
        clock: the world's time.
        turns: numbers the turns and passes them on.
        randomness: the random streams.
        registry: the entities by class.
        interpreter: runs cells.
        rules: dynamics and invariants.
        record_reads: whether every read of a field of others is noted, also of those that everybody may read.
        tools: injected objects that are no state, by name; by ``agent.name`` those of one agent alone.
        violations: agent -> how often a host stopped its cells from reaching outside.
        host: runs the cells elsewhere, if it is not None.
        answers: what the cells under way were answered by other minds.
        recorder: writes down what the cell under way does, in the process that a host runs it in.
    """

    _fitting = FITTING

    def __init__(
        self,
        seed: int = 0,
        step_s: float = 600.0,
        start: str | dt.datetime = "2000-01-01T00:00",
        *,
        policy: str = "guarded",
        limits: Limits | None = None,
        record_reads: bool = False,
    ) -> None:
        _expect_fitting(seed, step_s, policy, limits, record_reads)
        self.step_s: float = float(step_s)
        self.start: dt.datetime = parse_start(start)
        self.policy = policy
        self.record_reads: bool = record_reads
        self.limits: Limits = limits or Limits()
        self.undo_log: UndoLog = UndoLog(self)
        self.clock: Clock = Clock(self.undo_log, self.start, self.step_s)
        self.turns: TurnBook = TurnBook(self.undo_log, self.clock)
        self.randomness: Randomness = Randomness(seed, self.undo_log, self.clock, self.turns)
        self.interpreter: Interpreter = Interpreter(
            self.clock,
            self.undo_log.entities,
            self.randomness.of_turn,
            guarded=policy == "guarded",
            note_read=self._note_read if record_reads else None,
        )
        self.registry: EntityRegistry = EntityRegistry(self.undo_log, self._arrived, self.interpreter.hide_entity)
        self.rules: WorldRules = WorldRules()
        self.tools: dict[str, Tool] = {}
        self.violations: dict[str, int] = {}
        self.host: Host | None = None
        self.answers: Answers = Answers()
        self.recorder: CellRecorder | None = None
        self._rights: dict[str, Rights] = {}
        self.registry.enter(SYSTEM, System())
        self.turns.record_script_writes()
        self._is_made = True

    @property
    def seed(self) -> int:
        """What every random stream follows from."""
        return self.randomness.seed

    @property
    def sink(self) -> Sink | None:
        """Called with every turn as it ends, e.g. by a journal; the world keeps none."""
        return self.turns.sink

    @sink.setter
    def sink(self, sink: Sink | None) -> None:
        self.turns.sink = sink

    @property
    def system(self) -> System:
        """The entity in which the world keeps what is its own: the step, queued events, grants."""
        system: System = self.undo_log.entities[SYSTEM]
        return system

    @property
    def wiring(self) -> AgentWiring:
        """How agents are wired; what nobody has rewired says nothing."""
        wiring: AgentWiring | None = self.undo_log.entities.get(WIRING)
        return _UNWIRED if wiring is None else wiring

    def _attribute_hint(self, name: str) -> str:
        if "undo_log" in self.__dict__ and name in self.undo_log.entities:
            return f"; the entity of that name is world[{name!r}]"
        if name == "get":
            return "; who may be there or not is had by world.entities.get(name)"
        return f"; write {MEANT[name]}" if name in MEANT else super()._attribute_hint(name)

    def __copy__(self) -> NoReturn:
        raise WorldError("a world is not copied: world.fork() is one with the same future, world.snapshot() its state")

    def __deepcopy__(self, memo: object) -> NoReturn:
        self.__copy__()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        self.__copy__()

    def __repr__(self) -> str:
        entities = counted(len(self), "entity", "entities")
        return f"<{type(self).__name__}: {self.clock.text}, step {self.clock.step}, {entities}>"

    # ---- entities

    @naming_options("world.add", example="world.add('tom', Cat(...)): a name, and an entity with its fields")
    def add(self, name: str, entity: E) -> E:
        """Put an entity into the world under a name; it is in every cell's scope from now on.

        Raises:
            WorldError: the name is taken, or none that cells can write; the entity is in a world already, or
                refers to one that is not.
        """
        self.registry.check_new(name, entity)
        if name in self.interpreter.scope or name == "me":
            raise WorldError(f"add {name!r}: cells know something else by that name; choose another")
        self.interpreter.check_class(name, type(entity))
        self.registry.enter(name, entity)
        return entity

    def __setitem__(self, name: str, value: object) -> None:
        raise WorldError(f"world[{name!r}] = ...: world.add({name!r}, {value!r}) lets an entity in, once")

    def __delitem__(self, name: str) -> None:
        raise WorldError(f"del world[{name!r}]: world.remove({name!r}) lets an entity go")

    def remove(self, name: str) -> Entity:
        """Take an entity out; references to it read as None, or raise where one is required."""
        entity: Entity = self[name]
        self.registry.leave(name)
        return entity

    def __getitem__(self, name: str) -> Any:
        entity = self.undo_log.entities.get(name)
        if entity is None:
            raise WorldError(f"there is no {name!r} in this world.{self.registry.hint(name)}")
        return entity

    def __contains__(self, name: object) -> bool:
        return name in self.undo_log.entities

    def __iter__(self) -> Iterator[str]:
        return self.registry.names()

    def __len__(self) -> int:
        return self.registry.count()

    @property
    def entities(self) -> Mapping[str, Entity]:
        """The entities that live here by name, sorted, to look at; the world's own are left out."""
        return Inhabitants({name: self.undo_log.entities[name] for name in self})

    def all(self, kind: type[E]) -> tuple[E, ...]:
        """Return the entities of a class and its subclasses, sorted by name."""
        if not isinstance(kind, type):
            raise WorldError(f"all({kind!r}): takes a class of entities; the one called {kind!r} is world[{kind!r}]")
        return self.registry.all(kind)

    @property
    def types(self) -> list[type[Entity]]:
        """The entity classes that live here, by name."""
        kinds = [
            kind
            for kind, group in self.registry.by_type.items()
            if not is_builtin(kind) and not (group and all(name[:1] == "$" for name in group))
        ]
        return sorted(kinds, key=lambda kind: kind.__name__)

    @property
    def actor(self) -> str | None:
        """The agent whose cell is running; None in dynamics, events and scripts. Methods of entities may ask."""
        return self.undo_log.actor

    def rights_of(self, agent: str) -> Rights:
        """Return what an agent may write now, by its own entity and the grants it has."""
        granted = self.undo_log.entities[SYSTEM].grants.get(agent, ())
        rights = self._rights.get(agent)
        if rights is None or rights.granted != granted:
            rights = self._rights[agent] = Rights(agent, [EVERYTHING] if agent == OPERATOR else list(granted), granted)
        return rights

    def _note_read(self, entity: Entity, name: str) -> None:
        """Note that a cell read a field of somebody else, where all such reads are to be known."""
        guard, owner = self.undo_log.guard, name_of(entity)
        if guard is not None and owner not in (None, guard.agent) and name in fields_of(entity):
            self.undo_log.reads.add((str(owner), name))

    def _arrived(self, name: str, entity: Entity) -> None:
        """Let cells see an entity by name, and learn its class if it is the first of its kind."""
        kind, by_type, interpreter = type(entity), self.registry.by_type, self.interpreter
        if len(by_type[kind]) == 1:
            interpreter.show_class(kind, by_type.keys() - KEPT_CLASSES, by_name=kind in self.types)
        interpreter.show_entity(name, entity)


def _expect_fitting(seed: Any, step_s: Any, policy: Any, limits: Any, record_reads: bool) -> None:
    """Raise WorldError for the first argument of a world that is none it takes."""
    if type(seed) is not int or seed < 0:  # numpy's streams and Mesa take no other, and would say so much later
        raise WorldError(f"seed={seed!r}: takes a whole number of at least 0")
    if not is_number(step_s) or step_s <= 0:
        raise WorldError(f"step_s={step_s!r}: a step must take some time, in seconds")
    if not isinstance(limits, Limits | None):
        raise WorldError(f"limits={limits!r}: takes those of one turn, as limits=Limits(deadline_s=10)")
    if policy not in ("guarded", "trusted"):
        raise WorldError(f"policy={policy!r}: takes 'guarded' or 'trusted'")
    if record_reads and policy != "guarded":
        raise WorldError("record_reads=True: what cells read is seen by their guards; leave policy='trusted' away")
