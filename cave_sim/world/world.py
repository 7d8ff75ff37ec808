"""World: the live typed objects that agents share, and the turns that change them.

It does no I/O and starts no thread.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import inspect
from collections.abc import Callable, Collection, Mapping
from typing import Any, Self

from cave_sim.changes.change import Change
from cave_sim.changes.turn import OPERATOR, Limits, Turn
from cave_sim.determinism.canonical_json import to_json
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.diagnostics.option_hints import naming_options
from cave_sim.entity.entity import Entity, encode_fields
from cave_sim.entity.preparation import fields_of
from cave_sim.errors import WorldError
from cave_sim.policy.permissions import READING, check_target
from cave_sim.world import api_reference, batch, events, injection, snapshot
from cave_sim.world.cell_api import Help, Team, WorldView
from cave_sim.world.glance import Glance, Looking, is_seen_in_parts
from cave_sim.world.rules import Dynamics, Invariant
from cave_sim.world.state import WorldState
from cave_sim.world.turn_execution import take_turn

OPTIONS_MEANT = {
    **dict.fromkeys(("agents", "steps", "out", "llm", "host"), "Simulation(world, agents, ...).run(steps=...)"),
    **dict.fromkeys(("deadline_s", "memory_bytes"), "limits=Limits(...)"),
    **dict.fromkeys(("dt", "step", "step_size", "seconds"), "step_s=..., the length of a step in seconds"),
    **dict.fromkeys(("begin", "date", "time", "now"), "start=..., such as '2012-06-01T06:00'"),
}
"""What others would call what is meant."""


class World(WorldState):
    """A shared world: live typed entities, which agents change by cells; a cell lands whole or not at all.

    >>> from cave_sim import Entity, World, field
    >>> class Lamp(Entity):
    ...     watts: float = field(0.0, unit="W", ge=0, le=100)
    >>> world = World(seed=7)
    >>> _ = world.add("lamp", Lamp())
    >>> world.execute("lamp.watts = 40", agent="operator").status
    'committed'
    >>> world.execute("lamp.watts = 400", agent="operator").status, world["lamp"].watts
    ('failed', 40.0)

    Args:
        seed: every random stream of the world follows from it.
        step_s: seconds of world time in one step, > 0.
        start: the date and time of step 0, as a datetime or ISO text.
        policy: ``guarded``, or ``trusted`` for code of your own that needs no gate and no guards.
        limits: of one turn.
        record_reads: whether turns say every field of others that their cells read, also those that everybody may
            read; it costs a cell's reads their quickness.

    Attributes:
        clock: the world's time.
        sink: called with every turn as it ends, e.g. by a journal; the world keeps none.
    """

    _keeps_nothing_more = (
        "a world keeps what happens in fields of its entities: world.add('town', Town(...)), with a class of yours; an"
        " object that cells are to use is given by world.inject(name, value)"
    )

    @naming_options("World", OPTIONS_MEANT)
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
        super().__init__(seed, step_s, start, policy=policy, limits=limits, record_reads=record_reads)
        self.interpreter.scope.update(world=WorldView(self), team=Team(self), help=Help(self))

    # ---- turns

    def execute(self, code: str, agent: str = OPERATOR) -> Turn:
        """Run one cell as an agent: it lands whole or leaves the world exactly as it was.

        Called from within a turn (by an agent that may run others), it is a child turn of that one.
        """
        if not isinstance(code, str):
            raise WorldError(f"execute({code!r}): takes the text of a cell, such as 'me.wait()'")
        if not isinstance(agent, str):
            raise WorldError(f"execute(..., agent={agent!r}): takes the agent's name, such as agent={str(agent)!r}")
        self.turns.record_script_writes()
        if self.host is not None:
            return self.host.execute(code, agent)
        return take_turn(self, code, agent)

    def execute_batch(self, cells: Mapping[str, str], order: str = "simultaneous") -> dict[str, Turn]:
        """Run one cell for each agent.

        Args:
            cells: agent -> code.
            order: ``simultaneous``, every cell sees the state at the start, and writes are merged by each field's
                rule in an order that follows from seed and step; or ``sequential``, each sees the one before, in the
                order of the mapping.
        """
        if not isinstance(cells, Mapping) or not all(isinstance(code, str) for code in cells.values()):
            raise WorldError("execute_batch takes the text of a cell for each agent: {'tom': 'me.wait()'}")
        self.turns.record_script_writes()
        if self.host is not None:
            return self.host.execute_batch(cells, order)
        return batch.execute_batch(self, cells, order)

    def advance(self) -> Turn:
        """Let one step pass: the clock moves, due events happen, dynamics run. It is one turn, by ``world``."""
        self.turns.record_script_writes()
        return events.advance(self)

    def dynamics(self, function: Dynamics) -> Dynamics:
        """Register what the world does by itself in every step; can be used as a decorator."""
        if not callable(function):
            raise WorldError(f"dynamics({function!r}): takes a function of the world, which changes it in every step")
        self.rules.dynamics.append(function)
        return function

    @naming_options("world.schedule_event", example="world.schedule_event('tom', 'purr', after_s=600)")
    def schedule_event(
        self, entity: str, method: str, *, after_s: float = 0.0, args: Mapping[str, Any] | None = None
    ) -> int:
        """Have a method of an entity called when world time has moved on; returns the event's number."""
        return events.schedule(self, entity, method, after_s, args or {})

    def invariant(self, name: str, function: Callable[..., Any], touching: tuple[str, ...] = ()) -> None:
        """Demand a condition that every turn must leave true.

        Args:
            name: how errors call it.
            function: ``(world)`` or ``(world, changes)`` -> whether it holds; with the turn's changes in hand, a sum
                over everybody need not be taken anew each turn.
            touching: names of fields; if given, it is only checked when a turn changed one of them.

        Raises:
            WorldError: one of these is something else, or a host runs the world's cells.
            InvariantBroken: it does not hold now.
        """
        self.turns.record_script_writes()
        if self.host is not None:
            raise WorldError(f"invariant {name!r}: a rule is code; give it in what builds the world for its host")
        if not callable(function):
            raise WorldError(f"invariant {name!r}: takes a function of the world, lambda world: world['tom'].lives > 0")
        if not isinstance(name, str):
            raise WorldError(f"invariant({name!r}, ...): begins with the words by which errors call it")
        if not _are_names(touching):
            raise WorldError(f"invariant {name!r}: touching={touching!r}: takes names of fields, as ('water_l',)")
        takes_changes = len(inspect.signature(function).parameters) > 1
        holds = function if takes_changes else _without_changes(function)
        invariant = Invariant(name, holds, frozenset(touching))
        if not holds(self, []):
            raise invariant.broken(" even now")
        self.rules.invariants.append(invariant)

    def grant(self, agent: str, *targets: str) -> None:
        """Let an agent write and read more than its own entity: ``"*"``, an entity, ``"town.treasury"``, a class."""
        for target in targets:
            check_target(target, self.undo_log.entities, self.types)
        grants = self.system.grants
        granted = list(grants.get(agent, []))
        grants[agent] = granted + [target for target in targets if target not in granted]

    def grant_reading(self, agent: str, *targets: str) -> None:
        """Let an agent read what not everybody may; ``"*"``, ``"bob"``, ``"bob.diary"``, ``"Citizen.diary"``."""
        self.grant(agent, *(READING + target for target in targets))

    def rng(self, *name: str) -> RandomStream:
        """Return the random stream of this name in this step, for dynamics and methods.

        Within an agent's turn it is the turn's own: what one agent draws there shifts nobody else's luck.
        """
        return self.randomness.of_world(*name)

    # ---- what agents are given and asked for

    @naming_options("world.inject", example="world.inject('prices', [3, 5]): a name, and an object")
    def inject(self, name: str, value: Any, about: str = "", agent: str | None = None) -> None:
        """Put a Python object where cells find it by name: a value, a function, an object of any class.

        With ``agent`` it becomes that agent's own variable. Without, everybody sees it; plain data and types with a
        codec are then part of the world's state, other objects are tools.
        """
        injection.inject(self, name, value, about, agent)

    def retrieve(self, name: str, agent: str | None = None) -> Any:
        """Return the native object of that name: an agent's variable, an injected value, an entity; or KeyError."""
        return injection.retrieve(self, name, agent)

    def describe(self, agent: str = OPERATOR) -> str:
        """Return the API reference that a mind reads: names, types, fields with units, method signatures."""
        return api_reference.describe(self, agent)

    def variables(self, agent: str) -> dict[str, Any]:
        """Return an agent's own variables by name, as native objects that nobody else holds.

        Where a host runs the cells in another process, those that are or hold code of cells stay there.
        """
        return self.interpreter.namespace(agent).variables(with_code=self.host is None)

    def variable_types(self, agent: str) -> dict[str, str]:
        """Return the names of an agent's own variables, sorted, and of their types; the same on every host."""
        return self.interpreter.namespace(agent).types()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent perceives now, as plain data: its entity's ``observe()``, or just the time.

        It is made with the rights of the agent: what its cells may not read, it does not perceive either.
        """
        undo_log = self.undo_log
        entity: Entity | None = undo_log.entities.get(agent)
        if entity is None:
            return {"time": self.clock.text, "step": self.clock.step}
        if undo_log.checkouts:
            undo_log.write_through()  # what was done to working copies until now is not the looker's
        reads = set(undo_log.reads)
        with undo_log.as_agent(self.rights_of(agent)):
            seen = entity.observe()
        if undo_log.actor is None:  # what is perceived between turns follows from the state: it is no read of a cell
            undo_log.reads = reads
        return seen

    def glance(self, agent: str) -> Mapping[str, Any]:
        """Return what an agent perceives now as :meth:`observe` does, but each part made when it is first read.

        Where a class does not say in parts what its ``observe`` returns, it is the whole observation. Otherwise it is a
        :class:`~cave_sim.world.glance.Glance`, to be read before anybody acts.
        """
        undo_log = self.undo_log
        entity: Any = undo_log.entities.get(agent)
        if entity is None or not is_seen_in_parts(type(entity)):
            return self.observe(agent)
        if undo_log.checkouts:
            undo_log.write_through()
        rights = self.rights_of(agent)
        with undo_log.as_agent(rights):
            sight = entity._sight()
        return Glance(sight, Looking(undo_log, rights))

    def may_read(self, agent: str, entity: Entity, field: str) -> bool:
        """Say whether an agent may read a field of an entity now."""
        if field not in fields_of(entity):
            raise WorldError(f"may_read: {type(entity).__name__} has no field {field!r}")
        return self.rights_of(agent).may_read(entity, field)

    # ---- state as a whole

    def state_hash(self) -> str:
        """Return a digest of the whole state; equal states have equal ones on any machine. Cost: what changed since."""
        self.turns.record_script_writes()
        return self.turns.state_hash.digest(self.undo_log.entities)

    def variables_hash(self) -> str:
        """Return a digest of all agents' variables, beside that of the state; an empty text if there are none."""
        digests = {
            agent: namespace.digest() for agent, namespace in self.interpreter.namespaces.items() if namespace.data
        }
        return hashlib.sha256(to_json(digests, sort=True)).hexdigest() if digests else ""

    def snapshot(self) -> bytes:
        """Return the state as bytes (JSON): every entity, the clock, queued events, grants, and agents' variables."""
        self.turns.record_script_writes()
        return snapshot.dump(self)

    @classmethod
    def restore(cls, state: bytes, **options: Any) -> Self:
        """Return the world of a snapshot. Dynamics, invariants and tools are code: register them again."""
        return snapshot.load(cls, state, **options)

    def record_founding(self) -> None:
        """Tell the sink of everything that is there, as one turn of the operator: what a journal begins with."""
        arrivals = [
            Change(name, (), "create", None, {"type": type(entity).__name__, "fields": encode_fields(entity)})
            for name, entity in self.undo_log.entities.items()
        ]
        self.turns.record_outside(arrivals)

    def fork(self) -> Self:
        """Return an independent copy with the same future: same state, same dynamics, invariants, tools and streams."""
        self.turns.record_script_writes()
        return snapshot.fork(self)


def _are_names(value: Any) -> bool:
    """Say whether it is some texts, and not one, whose letters would be taken for them."""
    return isinstance(value, Collection) and not isinstance(value, str) and all(isinstance(each, str) for each in value)


def _without_changes(function: Callable[..., Any]) -> Callable[..., Any]:
    def holds(world: Any, _changes: list[Change]) -> Any:
        return function(world)

    return holds
