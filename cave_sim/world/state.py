"""What a world holds, and the bookkeeping that everything which acts on it shares."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import TYPE_CHECKING, Any, TypeVar

from cave_sim.changes.change import Change, net_changes
from cave_sim.changes.state_hash import StateHash
from cave_sim.changes.turn import OPERATOR, Limits, Turn, undone
from cave_sim.entity.builtin_entities import SYSTEM, System
from cave_sim.entity.entity import Entity
from cave_sim.entity.undo_log import UndoLog
from cave_sim.errors import InvariantBroken, WorldError
from cave_sim.policy.attributes import direct_names
from cave_sim.policy.guards import Guards
from cave_sim.policy.permissions import EVERYTHING, Rights
from cave_sim.policy.scope import make_scope
from cave_sim.random_streams import RandomStream
from cave_sim.runtime.cell import CellCache
from cave_sim.runtime.namespace import Namespace
from cave_sim.runtime.output import Output
from cave_sim.world.clock import Clock, parse_start
from cave_sim.world.registry import EntityRegistry
from cave_sim.world.tools import Tool

if TYPE_CHECKING:
    from cave_sim.world.host_protocol import CellRecorder, Host

E = TypeVar("E", bound=Entity)
Invariant = Callable[[Any, list[Change]], Any]
Dynamics = Callable[[Any], None]


class WorldState:
    """Entities by name and class, time, and the books of turns.

    :class:`~cave_sim.world.world.World` is what people use.

    Args and attributes are those of :class:`~cave_sim.world.world.World`.
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
        if type(seed) is not int or seed < 0:  # numpy's streams and Mesa take no other, and would say so much later
            raise WorldError(f"seed={seed!r}: takes a whole number of at least 0")
        if step_s <= 0:
            raise WorldError(f"step_s={step_s}: a step must take some time")
        if policy not in ("guarded", "trusted"):
            raise WorldError(f"policy={policy!r}: takes 'guarded' or 'trusted'")
        self.seed, self.step_s, self.start, self.policy = seed, float(step_s), parse_start(start), policy
        self.limits = limits or Limits()
        self.sink: Callable[[Turn], None] | None = None
        self._undo_log = UndoLog(self)
        self.clock = Clock(self._undo_log, self.start, self.step_s)
        self._register = EntityRegistry(self._undo_log, self._arrived, self._gone)
        self._shared: dict[str, Any] = {}
        self._tools: dict[str, Tool] = {}
        self._open_types: set[type] = set()
        self._cells = CellCache(guarded=policy == "guarded")
        self._output: Output | None = None
        self._scope = make_scope(self.clock, self._turn_stream, Guards(self._open_types), self._print, self._show)
        self._namespaces: dict[str, Namespace] = {}
        self._rights: dict[str, Rights] = {}
        self._dynamics: list[Dynamics] = []
        self._invariants: list[tuple[str, Invariant, frozenset[str]]] = []
        self._streams: dict[tuple[Any, ...], RandomStream] = {}
        self._draws: dict[str, int] = {}  # agent -> how many of its turns in this step drew
        self._drawn: dict[int, tuple[str, int]] = {}  # turn -> its agent, and which of its drawing turns it is
        self._strikes: dict[str, int] = {}  # agent -> how often a host stopped its cells from reaching outside
        self._recorder: CellRecorder | None = None
        self.host: Host | None = None
        self._turns = 0
        self._open: list[int] = []
        self._children: list[Turn] = []
        self._ticking = repeat(None, 1)
        self._hash = StateHash()
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
        entity = self._undo_log.entities.get(name)
        if entity is None:
            raise WorldError(f"there is no {name!r} in this world.{self._register.hint(name)}")
        return entity

    def __contains__(self, name: object) -> bool:
        return name in self._undo_log.entities

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

    @property
    def actor(self) -> str | None:
        """The agent whose cell is running; None in dynamics, events and scripts. Methods of entities may ask."""
        return self._undo_log.actor

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
        if self.host is not None:
            self.host.follow(turn.changes)
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
        undo_log = self._undo_log
        if undo_log.depth or not (undo_log.undo or undo_log.checkouts):
            return
        undo_log.settle()
        changes = net_changes(undo_log, 0)
        undo_log.undo.clear()
        undo_log.deep = False
        undo_log.epoch += 1
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

    def _turn_stream(self, *name: str) -> RandomStream:
        """The acting agent's stream of this turn; with a name, the one that methods draw from in this turn."""
        turn_id = self._open[-1] if self._open else 0
        key = ("turn", turn_id, *name)
        if key not in self._streams:
            agent = self._undo_log.actor or OPERATOR
            number = self._turn_number(turn_id, agent)
            self._streams[key] = RandomStream(self.seed, *(name or ("turn",)), agent, self.clock.step, number)
        return self._streams[key]

    def _turn_number(self, turn_id: int, agent: str) -> int:
        """Which of its turns in this step, among those that drew and landed, an agent is in."""
        if turn_id not in self._drawn:
            self._draws[agent] = self._draws.get(agent, 0) + 1
            self._drawn[turn_id] = agent, self._draws[agent]
        return self._drawn[turn_id][1]

    def _forget_draws(self, turn_id: int) -> None:
        """Take back what a turn drew that did not land, and the turns in it: whoever is stopped leaves nothing."""
        for drawn in [each for each in self._drawn if each >= turn_id]:
            agent, _ = self._drawn.pop(drawn)
            self._draws[agent] -= 1

    def _new_draws(self) -> None:
        """Let every stream begin anew, as at the start of a step."""
        self._streams.clear()
        self._draws.clear()
        self._drawn.clear()

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


def broken_invariant(name: str, detail: str = "") -> InvariantBroken:
    """Return the error for an invariant that does not hold."""
    return InvariantBroken(f"the world's rule {name!r} would no longer hold{detail}; nothing was changed")
