"""Namespaces: each agent's own variables, which persist from cell to cell and which no other agent sees.

Between turns they are plain data: the canonical form of :mod:`cave_sim.runtime.graph.writer`. A turn reads back those
that its cell can reach, and writes what came of them when it ends; so a turn costs what it touches, and what it sees
is the same on every host, after every stop and in every copy of the world.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from cave_sim.determinism.canonical_json import same_json, to_json
from cave_sim.errors import Blocked, CaveSimError
from cave_sim.loading.unsearched import unsearched
from cave_sim.runtime.graph.errors import CannotBeKept, Malformed
from cave_sim.runtime.graph.forms import Forms
from cave_sim.runtime.graph.reader import GraphReader
from cave_sim.runtime.graph.scalars import PLAIN, is_plain_scalar
from cave_sim.runtime.graph.shape import check_shape, head_of, statements_in, type_name, without_entities
from cave_sim.runtime.graph.surroundings import Surroundings
from cave_sim.runtime.graph.writer import GraphWriter
from cave_sim.runtime.ticks import TICK_GUARDS
from cave_sim.runtime.variable_names import is_variable

_STANDING = frozenset({"__builtins__", "me", "_me_", *TICK_GUARDS})
"""What a namespace holds where no variable is bound."""


class Namespace:
    """The runtime stream of one agent (CaveAgent §3.1).

    Args:
        agent: whose it is.
        surroundings: what its variables may refer to that is none.

    Attributes:
        globals: what its cells run in; world names come from the scope behind it.
        data: its variables as plain data, by name.
        changed: names of variables that came, changed or went, for whoever follows; it clears them.
    """

    def __init__(self, agent: str, surroundings: Surroundings) -> None:
        self.agent = agent
        self.globals: dict[str, Any] = surroundings.globals
        self.data: dict[str, Any] = {}
        self.changed: set[str] = set()
        self._surroundings = surroundings
        self._injected = surroundings.own
        self._depth = 0
        self._awake: set[str] = set()
        self._digest: str | None = None
        self._bytes: dict[str, int] = {}
        self._total_bytes = 0
        self._groups: dict[str, set[str]] = {}  # head of a component -> its names
        self._mentions: dict[str, frozenset[str]] = {}  # head -> names that functions in it may look up

    @property
    def is_in_turn(self) -> bool:
        """Whether a turn of its agent is under way."""
        return self._depth > 0

    # ---- what there is

    def names(self) -> list[str]:
        """Return the names of all variables, sorted; within a turn, those that its cell has bound, too."""
        return sorted({*self.data.keys() - self._awake, *self._in_hand()})

    def types(self) -> dict[str, str]:
        """Return the name of each variable's type, by name, sorted. No code runs for it."""
        types = {name: type(value).__name__ for name, value in self._in_hand().items()}
        types |= {name: type_name(name, self.data) for name in self.data if name not in types}
        return dict(sorted(types.items()))

    def variables(self, *, with_code: bool = True) -> dict[str, Any]:
        """Return the variables by name, sorted: new objects, which nobody else holds.

        Args:
            with_code: whether functions and classes of cells are among them; those that hold some are left out if not.
                So is what cannot be read back, and what could only with a hash that is code of a cell's own.
        """
        apart: dict[str, Any] = {}
        for name in [name for name, data in self.data.items() if head_of(name, data) == name]:
            with suppress(Malformed):
                apart |= self._apart([name], with_code)
        return dict(sorted({**apart, **self._in_hand()}.items()))

    def variable(self, name: str, *, with_code: bool = True) -> Any:
        """Return one variable as a new object.

        Args:
            name: of the variable.
            with_code: whether it may be, or hold, functions and classes of cells.

        Raises:
            KeyError: there is none of that name, or it is code, or holds some, and may not.
            Malformed: it cannot be read back.
        """
        live = self._in_hand()
        return live[name] if name in live else self._apart([name] if name in self.data else [], with_code)[name]

    def _in_hand(self) -> dict[str, Any]:
        """Return what cells see as it is: what was injected, where no variable hides it, and what a turn has bound."""
        asleep = self.data.keys() - self._awake
        return {name: value for name, value in self._injected.items() if name not in asleep} | self._live()

    def _live(self) -> dict[str, Any]:
        if not self._injected and self.globals.keys() <= _STANDING:
            return {}
        return {
            name: value
            for name, value in self.globals.items()
            if is_variable(name) and self._injected.get(name, self) is not value
        }

    def _apart(self, names: Iterable[str], with_code: bool = True) -> dict[str, Any]:
        """Read variables for use outside of any turn, with everything that functions among them look up."""
        globals_ = {"__builtins__": self.globals["__builtins__"]}
        surroundings = dataclasses.replace(self._surroundings, globals=globals_)
        heads = self._reachable(names) if with_code else {head_of(name, self.data[name]) for name in names}
        readers = {head: GraphReader(surroundings, with_code=with_code, in_turn=False) for head in sorted(heads)}
        variables: dict[str, Any] = {}
        for head, reader in readers.items():
            variables |= reader.begin(reader.readable(self._component(head)))
        globals_ |= variables
        for reader in readers.values():
            reader.finish()
        return variables

    def digest(self) -> str:
        """Return a digest of all variables; the same for the same ones on any host. Cost: nothing if none changed."""
        if self._digest is None:
            self._digest = hashlib.sha256(to_json(sorted(self.data.items()))).hexdigest()
        return self._digest

    # ---- a turn

    def wake(self, names: Iterable[str]) -> None:
        """Begin a turn: bind the variables that a cell reaches by these names, itself or by functions that it may call.

        Raises:
            Malformed: what is kept is no variable; it is gone then.
        """
        self._depth += 1
        if not self.data or self.data.keys().isdisjoint(names):
            return
        components = []
        for head in sorted(self._reachable(names)):
            component = self._component(head)
            if not self._awake.isdisjoint(component):
                continue  # it is a turn within one
            if len(component) == 1 and type(component[head]) in PLAIN:
                self.globals[head] = component[head]
                self._awake.add(head)
            else:
                components.append(component)
        if not components:
            return
        readers = [GraphReader(self._surroundings) for _ in components]
        with unsearched():
            for reader, component in zip(readers, components, strict=True):
                with self._dropping(component):
                    self.globals.update(reader.begin(component))
                self._awake.update(component)
            for reader, component in zip(readers, components, strict=True):
                with self._dropping(component):
                    reader.finish()

    @contextmanager
    def _dropping(self, component: Mapping[str, Any]) -> Iterator[None]:
        """Let go of variables that cannot be read back, so that one turn fails and no more."""
        try:
            yield
        except Malformed as error:
            for name in component:
                self.globals.pop(name, None)
            self._awake.difference_update(component)
            self._drop(component)
            gone = ", ".join(sorted(component))
            raise Malformed(f"{gone} cannot be read back, and is gone: {error}") from None

    def write(self, most_bytes: int, *, partly: bool = False) -> list[str]:
        """Take over what a cell left, as plain data; within a turn of the same agent, that one will.

        Args:
            most_bytes: what all variables together may have as data.
            partly: whether to let go of what cannot be kept, instead of raising. What there was of it when the turn
                began stays as it was then, with all that it shared objects with.

        Returns:
            The names of variables that are not as the cell left them because they cannot be kept so.

        Raises:
            CannotBeKept: a variable holds something without a form, or they are too large together.
        """
        lost: set[str] = set()
        live = {} if self._depth > 1 else self._live()
        if self._depth > 1 or not (live or self._awake):
            return []
        while True:
            try:
                data = self._written(live, 4 * most_bytes)
                sizes = self._sizes(data, most_bytes, left_alone=lost)
                break
            except CannotBeKept as error:
                if not partly:
                    raise
                name = error.variable
                torn = {name, *(self._component(head_of(name, self.data[name])) if name in self.data else ())}
                lost |= torn
                live = {name: value for name, value in live.items() if name not in torn}
        self._drop([name for name in self._awake - lost if name not in data])
        self._put(data, sizes)
        return sorted(lost)

    @contextmanager
    def undoing(
        self, came: frozenset[str], left: Mapping[int, str], held: Mapping[tuple[int, str], Any] | None = None
    ) -> Iterator[set[str]]:
        """Write for a world without who came in this turn, with who left and what fields held; yields who is missed."""
        surroundings = self._surroundings
        surroundings.came, surroundings.left, surroundings.held, surroundings.missed = came, left, held, set()
        try:
            yield surroundings.missed
        finally:
            surroundings.came, surroundings.left, surroundings.held = frozenset(), {}, None

    def written(self, most_bytes: int) -> dict[str, Any]:
        """Return what :meth:`write` would take over, by name."""
        return {} if self._depth > 1 else self._written(self._live(), 4 * most_bytes)

    def _written(self, live: Mapping[str, Any], most_bytes: int) -> dict[str, Any]:
        """Return variables as plain data; numbers and texts, which share nothing, without taking a graph apart."""
        data = {name: value for name, value in live.items() if type(value) in PLAIN and is_plain_scalar(value)}
        if len(data) < len(live):
            others = {name: value for name, value in live.items() if name not in data}
            with unsearched():
                data |= GraphWriter(Forms(self._surroundings), most_bytes).write(others)
        return data

    def sleep(self) -> None:
        """End a turn, after :meth:`wake`: nothing of what its cell bound stays."""
        self._depth -= 1
        if self._depth:
            return
        for name in self._live():
            del self.globals[name]
        self._awake.clear()
        self.globals.update(self._injected)

    def _sizes(self, data: Mapping[str, Any], most_bytes: int, *, left_alone: Collection[str]) -> dict[str, int]:
        sizes = {name: len(item) if type(item) is str else 16 for name, item in data.items()}
        sizes |= {name: len(to_json(item)) for name, item in data.items() if type(item) in (dict, list)}
        replaced = sum(self._bytes.get(name, 0) for name in self._awake.union(sizes).difference(left_alone))
        total = self._total_bytes - replaced + sum(sizes.values())
        if total > most_bytes:
            largest = max(sizes, key=lambda name: (sizes[name], name))
            raise CannotBeKept(
                largest,
                f"{largest} has {sizes[largest]:,} bytes when it is kept, and all variables together {total:,}; "
                f"at most {most_bytes:,} are kept. Keep less, or del what is no longer needed",
            )
        return sizes

    # ---- between turns

    def put(self, variables: Mapping[str, Any]) -> None:
        """Take over variables as plain data, without running code; each takes the place of one that was here.

        Raises:
            Malformed: a name or the data is none that a cell can leave.
        """
        for name, data in variables.items():
            if not is_variable(name):
                raise Malformed(f"{name!r} is no name that a cell can bind")
            check_shape(data)
        self._put(variables, {name: len(to_json(data)) for name, data in variables.items()})

    def drop(self, names: Iterable[str]) -> None:
        """Let go of variables; what was injected under the name of one is there again."""
        names = list(names)
        for name in names:
            if name in self._injected:
                self.globals[name] = self._injected[name]
            elif is_variable(name):
                self.globals.pop(name, None)
        self._drop(names)

    def put_back(self, data: Mapping[str, Any]) -> None:
        """Be as before.

        Args:
            data: a copy of :attr:`data`, from then.
        """
        self.drop(self.data.keys() - data.keys())
        self.put({name: part for name, part in data.items() if self.data.get(name, self) is not part})

    def forget(self, entities: Collection[str]) -> set[str]:
        """Hold None in the place of entities that did not come after all; returns the names of those that were held."""
        missed: set[str] = set()
        self.put({name: without_entities(data, entities, missed) for name, data in self.data.items()})
        return missed

    def give(self, name: str, value: Any, *, by_cell: bool = False) -> dict[str, Any]:
        """Bind a variable to an object that the agent is handed; one without a form stays what it is, in this process.

        Args:
            name: of the variable.
            value: the object.
            by_cell: whether a cell hands it on, which hides what the program injected by that name, and may be undone.

        Returns:
            What is kept of it, as plain data by name; nothing within a turn of this agent, whose end will tell.

        Raises:
            CannotBeKept: it has no form, and a turn of this agent is under way.
        """
        if not by_cell:
            self._injected.pop(name, None)
        if self._depth:
            self.globals[name] = value
            return {}
        if name not in self._injected:
            self.globals.pop(name, None)
        try:
            data = self.form_of(name, value)
        except CannotBeKept:
            self._drop([name])
            self._injected[name] = self.globals[name] = value
            return {}
        self._put(data, {name: len(to_json(data[name]))})
        return data

    def form_of(self, name: str, value: Any, *, with_code: bool = True) -> dict[str, Any]:
        """Return a variable as plain data; raises CannotBeKept if it has no form."""
        return GraphWriter(Forms(self._surroundings, with_code=with_code)).write({name: value})

    def _put(self, variables: Mapping[str, Any], sizes: Mapping[str, int]) -> None:
        news = {
            name: data
            for name, data in variables.items()
            if name not in self.data or not same_json(self.data[name], data)
        }
        for name in news:
            self._leave_group(name)
        for name, data in news.items():
            self.changed.add(name)
            self._digest = None
            self.data[name] = data
            self._total_bytes += sizes[name] - self._bytes.get(name, 0)
            self._bytes[name] = sizes[name]
            head = head_of(name, data)
            self._groups.setdefault(head, set()).add(name)
            self._mentions.pop(head, None)

    def _drop(self, names: Iterable[str]) -> None:
        for name in names:
            if name in self.data:
                self._leave_group(name)
                self._total_bytes -= self._bytes.pop(name)
                del self.data[name]
                self._digest = None
                self.changed.add(name)

    def _leave_group(self, name: str) -> None:
        if name in self.data:
            head = head_of(name, self.data[name])
            self._groups.get(head, set()).discard(name)
            self._mentions.pop(head, None)

    # ---- components

    def _component(self, head: str) -> dict[str, Any]:
        return {name: self.data[name] for name in sorted({*self._groups.get(head, ()), head} & self.data.keys())}

    def _reachable(self, names: Iterable[str]) -> set[str]:
        """Return the heads of the components that names lead to."""
        waiting = [name for name in names if name in self.data]
        heads: set[str] = set()
        while waiting:
            head = head_of(name := waiting.pop(), self.data[name])
            if head not in heads:
                heads.add(head)
                waiting += [name for name in self._mentioned(head) if name in self.data]
        return heads

    def _mentioned(self, head: str) -> frozenset[str]:
        """Return the names that the functions of a component look up."""
        if head not in self._mentions:
            names: set[str] = set()
            for statement in set(statements_in(self._component(head))):
                try:
                    names |= self._surroundings.cells.get(statement).names
                except (Blocked, CaveSimError, SyntaxError):
                    continue  # reading it back will say why
            self._mentions[head] = frozenset(names)
        return self._mentions[head]
