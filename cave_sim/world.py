"""World: the live typed objects that agents share, and the turns that change them.

It does no I/O and starts no thread.
"""

from __future__ import annotations

import datetime as dt
import inspect
from collections.abc import Callable, Iterator, Mapping
from itertools import repeat
from typing import Any, TypeVar

from cave_sim import agenda, batch, describe, injection, snapshot
from cave_sim.changes import Change, net_changes
from cave_sim.clock import Clock, parse_start
from cave_sim.entity import Entity, encode_fields
from cave_sim.errors import WorldError
from cave_sim.ledger import Ledger
from cave_sim.limits import Limits
from cave_sim.policy.attributes import direct_names
from cave_sim.policy.guards import Guards
from cave_sim.policy.permissions import EVERYTHING, Rights, check_target
from cave_sim.policy.scope import make_scope
from cave_sim.register import Register
from cave_sim.runtime.cell import CellCache
from cave_sim.runtime.namespace import Namespace
from cave_sim.runtime.shaping import Output
from cave_sim.streams import Stream
from cave_sim.system import SYSTEM, System
from cave_sim.team import Team
from cave_sim.turn import OPERATOR, Turn, broken_invariant, take_turn, undone

E = TypeVar("E", bound=Entity)
Invariant = Callable[["World", list[Change]], Any]
Dynamics = Callable[["World"], None]


class World:
    """A shared world.

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

    Attributes:
        clock: the world's time.
        sink: called with every turn as it ends, e.g. by a journal; the world keeps none.
    """

    def __init__(
        self,
        seed: int = 0,
        step_s: float = 600.0,
        start: str | dt.datetime = "2000-01-01T00:00",
        *,
        policy: str = "guarded",
        limits: Limits | None = None,
    ) -> None:
        if step_s <= 0:
            raise WorldError(f"step_s={step_s}: a step must take some time")
        if policy not in ("guarded", "trusted"):
            raise WorldError(f"policy={policy!r}: takes 'guarded' or 'trusted'")
        self.seed, self.step_s, self.start, self.policy = seed, float(step_s), parse_start(start), policy
        self.limits = limits or Limits()
        self.clock = Clock(self)
        self.sink: Callable[[Turn], None] | None = None
        self._ledger = Ledger(self)
        self._register = Register(self._ledger, self._arrived, self._gone)
        self._shared: dict[str, Any] = {}
        self._tools: dict[str, injection.Tool] = {}
        self._open_types: set[type] = set()
        self._cells = CellCache(guarded=policy == "guarded")
        self._output: Output | None = None
        self._scope = make_scope(self, Guards(self._open_types), self._print, self._show)
        self._scope["team"] = Team(self)
        self._namespaces: dict[str, Namespace] = {}
        self._rights: dict[str, Rights] = {}
        self._dynamics: list[Dynamics] = []
        self._invariants: list[tuple[str, Invariant, frozenset[str]]] = []
        self._streams: dict[tuple[Any, ...], Stream] = {}
        self._turns = 0
        self._open: list[int] = []
        self._children: list[Turn] = []
        self._ticking = repeat(None, 1)
        self._hash = snapshot.StateHash()
        self._system = System()
        self._register.enter(SYSTEM, self._system)
        self._flush_outside()

    # ---- entities

    def add(self, name: str, entity: E) -> E:
        """Put an entity into the world under a name; it is in every cell's scope from now on.

        Raises:
            WorldError: the name is taken or no text; the entity is in a world already, or refers to one that is not.
        """
        self._register.check_new(name, entity)
        if name in self._scope:
            raise WorldError(f"add {name!r}: cells know something else by that name; choose another")
        self._register.enter(name, entity)
        return entity

    def remove(self, name: str) -> Entity:
        """Take an entity out; references to it read as None, or raise where one is required."""
        entity: Entity = self[name]
        self._register.leave(name)
        return entity

    def __getitem__(self, name: str) -> Any:
        entity = self._ledger.entities.get(name)
        if entity is None:
            raise WorldError(f"there is no {name!r} in this world.{describe.nearest(name, self)}")
        return entity

    def __contains__(self, name: object) -> bool:
        return name in self._ledger.entities

    def __iter__(self) -> Iterator[str]:
        return self._register.names()

    def __len__(self) -> int:
        return sum(1 for _ in self._register.names())

    def all(self, kind: type[E]) -> tuple[E, ...]:
        """Return the entities of a class and its subclasses, sorted by name."""
        return self._register.all(kind)

    @property
    def types(self) -> list[type[Entity]]:
        """The entity classes that live here, by name."""
        found = [kind for kind in self._register.by_type if kind is not System and not getattr(kind, "shared", False)]
        return sorted(found, key=lambda kind: kind.__name__)

    # ---- turns

    def execute(self, code: str, agent: str = OPERATOR) -> Turn:
        """Run one cell as an agent: it lands whole or leaves the world exactly as it was.

        Called from within a turn (by an agent that may run others), it is a child turn of that one.
        """
        self._flush_outside()
        return take_turn(self, code, agent)

    def execute_batch(self, cells: Mapping[str, str], order: str = "simultaneous") -> dict[str, Turn]:
        """Run one cell for each agent.

        Args:
            cells: agent -> code.
            order: ``simultaneous``, every cell sees the state at the start, and writes are merged by each field's
                rule in an order that follows from seed and step; or ``sequential``, each sees the one before, in the
                order of the mapping.
        """
        self._flush_outside()
        return batch.execute_batch(self, cells, order)

    def advance(self) -> Turn:
        """Let one step pass: the clock moves, due events happen, dynamics run. It is one turn, by ``world``."""
        self._flush_outside()
        return agenda.advance(self)

    def dynamics(self, function: Dynamics) -> Dynamics:
        """Register what the world does by itself in every step; can be used as a decorator."""
        self._dynamics.append(function)
        return function

    def schedule_event(
        self, entity: str, method: str, *, after_s: float = 0.0, args: Mapping[str, Any] | None = None
    ) -> int:
        """Have a method of an entity called when world time has moved on; returns the event's number."""
        return agenda.schedule(self, entity, method, after_s, args or {})

    def invariant(self, name: str, function: Callable[..., Any], touching: tuple[str, ...] = ()) -> None:
        """Demand a condition that every turn must leave true.

        Args:
            name: how errors call it.
            function: ``(world)`` or ``(world, changes)`` -> whether it holds; with the turn's changes in hand, a sum
                over everybody need not be taken anew each turn.
            touching: names of fields; if given, it is only checked when a turn changed one of them.
        """
        self._flush_outside()
        takes_changes = len(inspect.signature(function).parameters) > 1
        check: Invariant = function if takes_changes else lambda world, changes: function(world)
        if not check(self, []):
            raise broken_invariant(name, " even now")
        self._invariants.append((name, check, frozenset(touching)))

    def grant(self, agent: str, *targets: str) -> None:
        """Let an agent write more than its own entity: ``"*"``, an entity, ``"town.treasury"``, or an entity class."""
        for target in targets:
            check_target(self, target)
        held = list(self._system.grants.get(agent, []))
        self._system.grants[agent] = held + [target for target in targets if target not in held]

    def rng(self, *name: str) -> Stream:
        """Return the random stream of this name in this step, for dynamics and methods."""
        key = ("world", *name)
        if key not in self._streams:
            self._streams[key] = Stream(self.seed, "world", *name, self.clock.step)
        return self._streams[key]

    @property
    def actor(self) -> str | None:
        """The agent whose cell is running; None in dynamics, events and scripts. Methods of entities may ask."""
        return self._ledger.actor

    # ---- what agents are given and asked for

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
        return describe.describe(self, agent)

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent perceives now, as plain data: its entity's ``observe()``, or just the time."""
        entity: Entity | None = self._ledger.entities.get(agent)
        if entity is None:
            return {"time": self.clock.text, "step": self.clock.step}
        return entity.observe()

    # ---- state as a whole

    def state_hash(self) -> str:
        """Return a digest of the whole state; equal states have equal ones on any machine. Cost: what changed since."""
        self._flush_outside()
        return self._hash.digest(self._ledger.entities)

    def snapshot(self) -> bytes:
        """Return the state as bytes (JSON): every entity, the clock, queued events, grants, and agents' variables."""
        self._flush_outside()
        return snapshot.dump(self)

    @classmethod
    def restore(cls, state: bytes, **options: Any) -> World:
        """Return the world of a snapshot. Dynamics, invariants and tools are code: register them again."""
        return snapshot.load(cls, state, **options)

    def found(self) -> None:
        """Tell the sink of everything that is there, as one turn of the operator: what a journal begins with."""
        turn_id, _ = self._open_turn()
        created = [
            Change(name, (), "create", None, {"type": type(entity).__name__, "fields": encode_fields(entity)})
            for name, entity in self._ledger.entities.items()
        ]
        self._close_turn(Turn(turn_id, self.clock.step, OPERATOR, "", "committed", created, kind="outside"))

    def fork(self) -> World:
        """Return an independent copy with the same future: same state, same dynamics, invariants, tools and streams."""
        self._flush_outside()
        return snapshot.fork(self)

    # ---- for the modules of the runtime

    def _arrived(self, name: str, entity: Entity) -> None:
        """Let cells see an entity by name, and learn its class if it is the first of its kind."""
        kind = type(entity)
        if len(self._register.by_type[kind]) == 1:
            namesake = self._scope.get(kind.__name__)
            if isinstance(namesake, type) and namesake is not kind:
                raise WorldError(f"add {name!r}: this world has another entity class {kind.__name__!r}; rename one")
            self._cells.allow(direct_names(frozenset(self._register.by_type) - {System}))
            if kind in self.types:
                self._scope[kind.__name__] = kind
        if getattr(kind, "shared", False):
            self._shared[name] = entity
        elif name.isidentifier():
            self._scope[name] = entity

    def _gone(self, name: str, entity: Entity) -> None:
        self._shared.pop(name, None)
        if self._scope.get(name) is entity or getattr(type(entity), "shared", False):
            self._scope.pop(name, None)

    def _open_turn(self) -> tuple[int, int | None]:
        """Number a new turn; returns its id and that of the turn around it."""
        self._turns += 1
        parent = self._open[-1] if self._open else None
        self._open.append(self._turns)
        return self._turns, parent

    def _close_turn(self, turn: Turn) -> None:
        """End a turn; child turns are told of with the outermost one, because they share its fate."""
        self._open.pop()
        self._hash.touch(turn.changes)
        if self._open:
            self._children.append(turn)
            return
        children, self._children = self._children, []
        if self.sink is not None:
            for child in children:
                self.sink(undone(child, turn) if not turn.committed else child)
            self.sink(turn)

    def _flush_outside(self) -> None:
        """Make a turn of what the researcher's script wrote since the last one."""
        ledger = self._ledger
        if ledger.depth or not (ledger.undo or ledger.checkouts):
            return
        ledger.settle()
        changes = net_changes(ledger, 0)
        ledger.undo.clear()
        ledger.deep = False
        ledger.epoch += 1
        if changes:
            turn_id, _ = self._open_turn()
            self._close_turn(Turn(turn_id, self.clock.step, OPERATOR, "", "committed", changes, kind="outside"))

    def _check_invariants(self, changes: list[Change]) -> None:
        for name, function, touching in self._invariants:
            if touching and not any(touching.intersection(change.path[:1]) or not change.path for change in changes):
                continue
            if not function(self, changes):
                raise broken_invariant(name)

    def _rights_of(self, agent: str) -> Rights:
        granted = self._system.__dict__["grants"].get(agent, ())
        rights = self._rights.get(agent)
        if rights is None or rights.granted != granted:
            rights = self._rights[agent] = Rights(agent, [EVERYTHING] if agent == OPERATOR else list(granted), granted)
        return rights

    def _namespace(self, agent: str) -> Namespace:
        namespace = self._namespaces.get(agent)
        if namespace is None:
            namespace = self._namespaces[agent] = Namespace(agent, self._scope, self._cells)
        return namespace

    def _turn_stream(self) -> Stream:
        """The acting agent's stream of this turn."""
        key = ("turn", self._open[-1] if self._open else 0)
        if key not in self._streams:
            agent = self._ledger.guard.agent if isinstance(self._ledger.guard, Rights) else OPERATOR
            self._streams[key] = Stream(self.seed, "turn", agent, self.clock.step, self._turn_number(agent))
        return self._streams[key]

    def _turn_number(self, agent: str) -> int:
        """Which of its turns in this step, among those that drew at all, an agent is in."""
        counter = ("count", agent)
        self._streams[counter] = number = self._streams.get(counter, 0) + 1  # type: ignore[assignment,operator]
        return number

    def _start_ticks(self) -> None:
        self._ticking = repeat(None, self.limits.ticks)
        self._scope["_tick_"] = self._ticking.__next__

    def _print(self, *values: Any, sep: str = " ", end: str = "\n", **_: Any) -> None:
        self._shown().write(sep.join(map(str, values)) + end)

    def _show(self, value: Any) -> None:
        if value is not None:
            self._shown().write(repr(value))

    def _shown(self) -> Output:
        if self._output is None:
            self._output = Output(self.limits.output_chars)
        return self._output
