"""Reading variables back from an object graph in plain data.

Nothing is believed: whatever is no form is :class:`~cave_sim.runtime.graph.errors.Malformed`, and nothing else is
raised but what ends a turn. No code of a cell runs, but the hashes of its own objects that are items of sets or keys.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from cave_sim.entity.looking_through import count_parts
from cave_sim.errors import Blocked, DeadlineReached
from cave_sim.policy.libraries.cell_classes import asks_a_cell
from cave_sim.runtime.graph import containers
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.forms import CODE_TAGS, MAKERS, NAME
from cave_sim.runtime.graph.scalars import SCALARS
from cave_sim.runtime.graph.shape import without_code
from cave_sim.runtime.graph.surroundings import Surroundings
from cave_sim.runtime.graph.writer import HEAP, SEE, VALUE, WITH

MAX_DEPTH = 120
MAX_KEY_PARTS = 2_000_000
"""About as many as fit into the variables of an agent; far more can only come of parts that are shared."""
_MISSING = object()


class GraphReader:
    """Reads variables that share objects with one another; used once.

    Args:
        surroundings: what they refer to.
        with_code: whether functions and classes are read, which compiles statements of cells.
        in_turn: whether code of a cell may run, as the hashes of its own objects that are items of sets or keys.
    """

    def __init__(self, surroundings: Surroundings, *, with_code: bool = True, in_turn: bool = True) -> None:
        self.surroundings: Surroundings = surroundings
        self._with_code, self._in_turn = with_code, in_turn
        self._heap: Mapping[str, Any] = {}
        self._objects: dict[str, Any] = {}
        self._first: list[Callable[[], None]] = []
        self._last: list[Callable[[], None]] = []
        self._depth = 0

    def variables(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the variables of one component by name; raises Malformed."""
        variables = self.begin(data)
        self.finish()
        return variables

    def begin(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the variables of one component by name, sets and dicts among them still empty; raises Malformed."""
        with _malformed():
            self._open_heap(data)
            variables = {name: self.read(_value(item)) for name, item in data.items()}
            self._fill_first()
        return variables

    def finish(self) -> None:
        """Fill sets and dicts, for which hashes of objects may be asked that look other variables up."""
        with _malformed():
            while self._last:
                self._last.pop()()
                self._fill_first()

    def _open_heap(self, data: Mapping[str, Any]) -> None:
        for item in data.values():
            if isinstance(item, dict) and HEAP in item:
                self._heap = item[HEAP]
                if not isinstance(self._heap, dict):
                    raise Malformed("a heap is a dict")
                for label in reversed(self._heap):
                    self._at(label)

    def readable(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what may be read of one component: where code is not, what shares objects with it is."""
        with _malformed():
            return data if self._with_code else without_code(data, self._is_code)

    def _is_code(self, tag: str, content: Any) -> bool:
        """Say whether a tag stands for code, or leads to some; an injected database, which cursors ask, is none."""
        return tag in CODE_TAGS and not (tag == NAME and self.surroundings.names.is_database(content))

    def read(self, data: Any) -> Any:
        """Return the object that plain data stands for; if it may hold itself, it is filled later."""
        kind = type(data)
        if kind is str or kind is int or kind is float or kind is bool or data is None:
            return data
        if kind is list:
            return containers.fill_list([], data, self)
        if kind is not dict:
            raise Malformed(f"{kind.__name__} is no plain data")
        tag = next(iter(data), "")
        if type(tag) is not str or tag[:1] != "$":
            return containers.DICT.make(data, self)
        if len(data) != 1:
            raise Malformed(f"{tag} stands alone")
        return self._tagged(tag, data[tag])

    def callable(self, data: Any) -> Callable[..., Any]:
        """Return something that can be called; raises Malformed if it is not."""
        value = self.read(data)
        if not callable(value):
            raise Malformed(f"a {type(value).__name__} cannot be called")
        return value  # type: ignore[no-any-return]

    def check_keys(self, keys: Collection[Any]) -> None:
        """Raise Malformed where only code of a cell can say what keys and items of sets are, and none may run.

        And where it would take forever: Python hashes a tuple's parts as often as it leads to them, in one call into C.
        """
        if count_parts(keys, MAX_KEY_PARTS) > MAX_KEY_PARTS:
            raise Malformed(f"keys or items of a set that have more than {MAX_KEY_PARTS:,} parts")
        if not self._in_turn and any(map(asks_a_cell, keys)):
            raise Malformed("it has keys or items whose hash is a cell's own code, which runs in turns alone")

    def later(self, fill: Callable[[], None], *, last: bool = False) -> None:
        """Have something done when every object is there; ``last``, when what is done otherwise is done."""
        (self._last if last else self._first).append(fill)

    def _tagged(self, tag: str, content: Any) -> Any:
        if tag == SEE:
            return self._at(content)
        if tag in SCALARS:
            return SCALARS[tag](content)
        if tag not in MAKERS or (not self._with_code and self._is_code(tag, content)):
            raise Malformed(f"{tag[:40]} is no form of data")
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Malformed("it is nested too deeply")
        try:
            return MAKERS[tag](content, self)
        finally:
            self._depth -= 1

    def _at(self, label: Any) -> Any:
        if type(label) is not str or label not in self._heap:
            raise Malformed(f"there is no object {str(label)[:40]!r}")
        value = self._objects.get(label, self)
        if value is _MISSING:
            raise Malformed(f"object {label!r} holds itself before it is there")
        if value is self:
            self._objects[label] = _MISSING
            value = self._objects[label] = self.read(self._heap[label])
        return value

    def _fill_first(self) -> None:
        while self._first:
            waiting, self._first = self._first, []
            for fill in waiting:
                fill()


@contextmanager
def _malformed() -> Iterator[None]:
    """Let nothing out but Malformed, and what ends a turn."""
    try:
        yield
    except (Malformed, DeadlineReached):
        raise
    except Blocked as error:  # by the gate, through which every statement goes again
        raise Malformed(str(error)) from None
    except (RecursionError, MemoryError):
        raise Malformed("it is nested too deeply or too large") from None
    except Exception as error:
        raise Malformed(f"{type(error).__name__}: {error}") from None


def read_all(surroundings: Surroundings, data: Mapping[str, Any], *, with_code: bool = True) -> dict[str, Any]:
    """Return variables of any number of components by name; raises Malformed."""
    components: dict[str, dict[str, Any]] = {}
    for name, item in data.items():
        head = item.get(WITH, name) if isinstance(item, dict) else name
        components.setdefault(str(head), {})[name] = item
    variables: dict[str, Any] = {}
    for component in components.values():
        variables |= GraphReader(surroundings, with_code=with_code).variables(component)
    return variables


def _value(item: Any) -> Any:
    """Return what stands for a variable itself, without the heap beside it."""
    return item[VALUE] if isinstance(item, dict) and (HEAP in item or WITH in item) else item
