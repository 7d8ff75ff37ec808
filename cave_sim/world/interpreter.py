"""Running cells: the compiled ones, the names they see, each agent's variables, what they print, and their ticks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from decimal import Context
from types import FrameType
from typing import Any

from cave_sim.changes.turn import Limits
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.entity.builtin_entities import is_shared
from cave_sim.entity.codecs import VOUCHED
from cave_sim.entity.entity import Entity
from cave_sim.entity.handed_values import meet
from cave_sim.errors import AnswerNeeded, Blocked, DeadlineReached, WorldError
from cave_sim.policy.attributes import direct_names
from cave_sim.policy.guards import Guards
from cave_sim.policy.libraries.addresses import without_addresses
from cave_sim.policy.libraries.decimals import swap_context
from cave_sim.policy.libraries.pandas_texts import StringIO
from cave_sim.policy.open_containers import OPENED
from cave_sim.policy.scope import make_scope
from cave_sim.runtime.cell import CellCache
from cave_sim.runtime.compiled_cell import CompiledCell
from cave_sim.runtime.depth import DepthLimit, was_too_deep
from cave_sim.runtime.graph.errors import CannotBeKept
from cave_sim.runtime.graph.forms import Forms
from cave_sim.runtime.graph.reader import read_all
from cave_sim.runtime.graph.surroundings import Surroundings
from cave_sim.runtime.graph.writer import GraphWriter
from cave_sim.runtime.memory_limit import MEMORY_LIMIT
from cave_sim.runtime.namespace import Namespace
from cave_sim.runtime.output import Output
from cave_sim.runtime.scope_names import ScopeNames
from cave_sim.runtime.ticks import TICK_GUARDS, TickGuards, Ticks
from cave_sim.world.clock import Clock
from cave_sim.world.variable_log import VariableLog

MAX_NAMES_CHARS = 500
_NOT_KEPT = "[calls went too deep: what this turn printed and assigned until then is not kept]\n"
_LATE = "[the time was over: variables are as before this turn]\n"
NOT_ADDED = "not added, because this turn failed; None in variables"
_GONE = "gone with this turn, because they cannot be kept"
_AS_BEFORE = "as before this turn, because they cannot be kept as it left them"

TurnFrame = tuple[Output | None, Ticks, TickGuards, dict[str, Any] | None, Context, tuple[Any, ...]]
"""What one turn puts aside of the turn around it: output, ticks left, what takes one, globals of the cell, decimals."""

Passing = tuple[frozenset[str], dict[int, str], dict[tuple[int, str], Any]]
"""Names of entities that came in the turn under way, those of who left, by identity, and what fields held before."""


class Interpreter:
    """Executes the cells of one world.

    Args:
        clock: of the world.
        entities: of the world, by name.
        stream: returns the acting agent's random stream of the present turn.
        guarded: whether cells are checked and their access to attributes is guarded.
        note_read: told of every name that a cell reads of an entity; None where nobody asks.

    Attributes:
        cells: compiles them.
        scope: every name that all cells see, with its object.
        shared: injected values that are state, by name: cells see the value, not the entity that holds it.
        open_types: classes whose public names cells may use because the researcher injected an object of them.
        variable_log: how variables of others were before the turn under way touched them.
        namespaces: agent -> its own variables, for those that had any so far.
    """

    def __init__(
        self,
        clock: Clock,
        entities: Mapping[str, Entity],
        stream: Callable[[], RandomStream],
        *,
        guarded: bool,
        note_read: Callable[[Entity, str], None] | None = None,
    ) -> None:
        self.cells: CellCache = CellCache(guarded=guarded)
        self.shared: dict[str, Any] = {}
        self.open_types: set[type] = set()
        self._foreign = False
        self._kinds: frozenset[type[Entity]] = frozenset()
        self.namespaces: dict[str, Namespace] = {}
        self.variable_log: VariableLog = VariableLog()
        self._redirected: list[Any] = []
        self.scope: dict[str, Any] = make_scope(
            clock,
            stream,
            Guards(self.open_types, note_read, self._print, lambda: stream().getrandbits(31)),
            self._print,
            self._show,
            self._redirected,
        )
        self._own_names = frozenset([*self.scope, "me"])
        self._entities, self._notes_reads = entities, note_read is not None
        self._scope_names = ScopeNames(self.scope, self.shared)
        self._limits = Limits()
        self._output: Output | None = None
        self._bases: list[FrameType] = []
        self._ticks = self._last_ticks = Ticks(1, self._bases)
        self._acting: dict[str, Any] | None = None
        self._if_undone: tuple[Namespace, dict[str, Any], set[str]] | None = None

    # ---- names

    def namespace(self, agent: str) -> Namespace:
        """Return the variables of an agent, none so far if it is new."""
        namespace = self.namespaces.get(agent)
        if namespace is None:
            globals_ = {"__builtins__": self.scope, **_LEFT_BEHIND}
            namespace = self.namespaces[agent] = Namespace(agent, self._surroundings(globals_))
        return namespace

    def has_variables(self, agent: str) -> bool:
        """Say whether an agent has variables: unlike namespaces, these are the same after every stop."""
        return agent in self.namespaces and bool(self.namespaces[agent].names())

    def _surroundings(self, globals_: dict[str, Any]) -> Surroundings:
        return Surroundings(self._entities, self._scope_names, lambda: self.cells, self.open_types, globals_)

    def pack(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values that hold no code as plain data, by name; raises SchemaError for what has no form."""
        return GraphWriter(Forms(self._surroundings({}), with_code=False)).write(values)

    def copy(self, value: Any) -> Any:
        """Return a value as another agent gets it: new objects with nothing of the giver's; entities stay themselves.

        Raises:
            SchemaError: it is code or holds some, or has no form.
        """
        forms = Forms(self._surroundings({}), with_code=False, with_parts=False)
        return self.unpack(GraphWriter(forms).write({"it": value}))["it"]

    def unpack(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that :meth:`pack` wrote; raises Malformed."""
        return read_all(self._surroundings({}), data, with_code=False)

    def check_class(self, name: str, cls: type[Entity]) -> None:
        """Raise WorldError if cells know another class, none of entities, by the name that a new one goes by."""
        known = self.scope.get(cls.__name__, cls)
        if isinstance(known, type) and known is not cls:
            raise WorldError(f"add {name!r}: cells know another class as {cls.__name__!r}; rename the entity's")

    def show_class(self, kind: type[Entity], kinds: Collection[type[Entity]], *, by_name: bool) -> None:
        """Let cells use the names that a new entity class declares.

        Args:
            kind: the class.
            kinds: every class of entities that cells know, this one included.
            by_name: whether they see the class itself, too.
        """
        self._kinds = frozenset(kinds)
        meet(kind)
        self._allow()
        if by_name:
            self.show(kind.__name__, kind)

    def open_type(self, kind: type) -> None:
        """Let cells use the public names of a class and of its objects."""
        self.open_types.add(kind)
        OPENED.add(kind)
        meet(kind)
        self.expect_foreign()

    def expect_foreign(self) -> None:
        """Cells may meet objects of other classes than the world's and the library's from now on."""
        if not self._foreign:
            self._foreign = True
            self._allow()

    def _allow(self) -> None:
        self.cells.allow(
            direct_names(self._kinds, fields_too=not self._notes_reads, foreign=self._foreign or bool(VOUCHED))
        )

    def show(self, name: str, value: Any) -> None:
        """Let cells see a class, a function or another object that is no entity under a name."""
        self.scope[name] = value
        self._scope_names.look_again()

    def has_of_its_own(self, name: str) -> bool:
        """Say whether all cells of any world know something by a name, such as ``print``, ``me``, ``rng``, ``np``."""
        return name in self._own_names

    def show_entity(self, name: str, entity: Entity) -> None:
        """Let cells see an entity, or the value that it shares, under its name if that is one in Python."""
        if is_shared(type(entity)):
            self.shared[name] = entity
        elif name.isidentifier():
            self.scope[name] = entity

    def hide_entity(self, name: str, entity: Entity) -> None:
        """Let cells no longer see an entity that has left."""
        self.shared.pop(name, None)
        if self.scope.get(name) is entity or is_shared(type(entity)):
            self.scope.pop(name, None)

    # ---- turns

    def begin_turn(self, limits: Limits) -> TurnFrame:
        """Start with an empty output; returns what :meth:`end_turn` puts back."""
        taking: TickGuards = {"_tick_": self.scope["_tick_"], "_enter_": self.scope["_enter_"]}
        frame = self._output, self._ticks, taking, self._acting, swap_context(), tuple(self._redirected)
        self._output, self._limits = None, limits
        self._redirected.clear()
        return frame

    def end_turn(self, frame: TurnFrame) -> str:
        """Return to the turn around this one.

        Returns:
            What was printed in this one, as its agent is shown it.
        """
        output = self._output
        self._let_none_act(_LEFT_BEHIND)
        self._if_undone = None
        self._output, self._ticks, taking, self._acting, context, self._redirected[:] = frame
        self.scope |= taking
        if self._acting is not None:
            self._acting |= taking
        swap_context(context)
        return "" if output is None else output.text()

    def run(self, cell: CompiledCell, agent: str, me: Entity | None, passing: Callable[[], Passing]) -> None:
        """Execute a cell in its agent's namespace, and keep its variables; whatever is raised comes out.

        Args:
            cell: what is executed.
            agent: whose it is.
            me: its entity.
            passing: returns who came and who left in this turn, which may be undone.
        """
        namespace, scope, shared = self.namespace(agent), self.scope, self.shared
        globals_ = namespace.globals
        globals_["me"] = globals_["_me_"] = me
        if shared and not shared.keys().isdisjoint(cell.names):
            for name in sorted(shared.keys() & cell.names):  # what is read first is journaled first
                scope[name] = shared[name].value
        if scope["_tick_"] is not self._ticks.guards["_tick_"]:  # a turn inside another draws on the same ticks
            self._ticks = self._last_ticks = Ticks(self._limits.ticks, self._bases, self._last_ticks)
            scope |= self._ticks.guards
        self._let_none_act(_LEFT_BEHIND)
        self._acting = globals_
        globals_ |= self._ticks.guards
        try:
            namespace.wake(cell.names)
            _run(cell, globals_, self._limits.memory_bytes, self._bases)
            came, left, held = passing()
            if came or left:  # written before, while the objects are there: the turn may be refused as it lands
                with namespace.undoing(came, left, held) as missed:
                    self._if_undone = namespace, namespace.written(self._limits.stored_bytes), missed
            # by name, as in fields: a batch may refuse the turn long after, and then they are there
            nameless = {identity: name for identity, name in left.items() if name not in self._entities}
            with namespace.undoing(frozenset(), nameless):
                namespace.write(self._limits.stored_bytes)
        except (AnswerNeeded, KeyboardInterrupt):
            raise  # nobody is told of this turn, so nothing of it is kept
        except BaseException as error:
            self._if_undone = None
            self._keep_what_can_be(namespace, error, passing())
            raise
        finally:
            namespace.sleep()

    def _keep_what_can_be(self, namespace: Namespace, error: BaseException, passing: Passing) -> None:
        """Keep what was assigned before an error, as a notebook does, and tell the agent what is not so."""
        if was_too_deep(error):
            self._output = None
            self._open_output().write(_NOT_KEPT)
            return
        if isinstance(error, DeadlineReached) and not self._ticks.are_spent:  # how far it came, the machine decided
            self._open_output().write(_LATE)
            return
        with namespace.undoing(*passing) as missed:
            lost = namespace.write(self._limits.stored_bytes, partly=True)
        variable = error.variable if isinstance(error, CannotBeKept) else None
        gone = {name for name in lost if name not in namespace.data}
        for what, names in ((NOT_ADDED, missed), (_GONE, gone - {variable}), (_AS_BEFORE, {*lost} - gone)):
            self._print_of_variables(what, names)

    def undo_variables(self) -> None:
        """Have variables fit the world without the turn under way, which is refused as it lands."""
        if self._if_undone is not None:
            namespace, data, missed = self._if_undone
            self._if_undone = None
            namespace.put(data)
            self._print_of_variables(NOT_ADDED, missed)

    def _print_of_variables(self, what: str, names: Collection[str]) -> None:
        if names:
            self._open_output().write(line_on_variables(what, names))

    def end_cell(self) -> None:
        """Let no code of a cell run from here to the turn's end: it would have the rights of the world."""
        self._let_none_act(_TOO_LATE)
        self.scope |= _TOO_LATE

    def _let_none_act(self, refusing: TickGuards) -> None:
        """Let what the cell of the turn under way made be called by nobody."""
        if self._acting is not None:
            self._acting |= refusing

    def out_of_ticks(self) -> DeadlineReached | None:
        """Return the error for a turn that has used up its ticks, or None if some are left."""
        if not self._ticks.are_spent:
            return None
        ticks = self._limits.ticks
        return DeadlineReached(
            f"the cell took more than {ticks:,} loop steps and calls, and was stopped; do less in one turn"
        )

    # ---- what cells print

    def _print(self, *values: Any, sep: Any = None, end: Any = None, file: Any = None, **_: Any) -> None:
        sep, end = " " if sep is None else sep, "\n" if end is None else end
        if type(sep) is not str or type(end) is not str:
            raise TypeError(f"print: sep and end are texts, not {type(sep).__name__} and {type(end).__name__}")
        text = sep.join(map(str, values)) + end
        if isinstance(file, StringIO):
            file.write(without_addresses(text))
        elif file is not None:  # an object of the cell's own, whose method it is
            write = self.scope["getattr"](file, "write")
            for part in (*(each for value in values for each in (sep, str(value))), end)[bool(values) :]:
                write(without_addresses(part))
        elif not self._redirected:
            self._open_output().write(text)
        elif self._redirected[-1] is not None:
            self._redirected[-1].write(without_addresses(text))

    def _show(self, value: Any) -> None:
        if value is not None:
            self._open_output().write(repr(value))

    def _open_output(self) -> Output:
        if self._output is None:
            self._output = Output(self._limits.output_chars)
        return self._output


def line_on_variables(what: str, names: Collection[str]) -> str:
    """Return the line of a turn's output that says what became of its variables."""
    return f"[{what}: {', '.join(sorted(names))[:MAX_NAMES_CHARS]}]\n"


def _too_late() -> None:
    raise Blocked("code of a cell was called when the cell had ended")


def _left_behind() -> None:
    raise Blocked("code that a cell left behind was called outside of its agent's turns, where it has no rights")


_LEFT_BEHIND: TickGuards = dict.fromkeys(TICK_GUARDS, _left_behind)
_TOO_LATE: TickGuards = dict.fromkeys(TICK_GUARDS, _too_late)


def _run(cell: CompiledCell, globals_: dict[str, Any], memory_bytes: int, bases: list[FrameType]) -> None:
    if cell.is_brief:
        exec(cell.code, globals_)
        return
    bounded = MEMORY_LIMIT.set(memory_bytes)
    try:
        call = cell.code, globals_  # starred: Python counts such a call as one each time, others until it has seen some
        with DepthLimit(bases):
            if cell.awaits:
                run_coroutine(eval(*call))
            else:
                exec(*call)
    finally:
        if bounded:
            MEMORY_LIMIT.lift()


def run_coroutine(coroutine: Any) -> None:
    """Run a cell that awaits to its end. What it may await in a world are other agents' turns, which run at once."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    finally:
        coroutine.close()
    raise RuntimeError("the cell awaits something that is not another agent's turn")
