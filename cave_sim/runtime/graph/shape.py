"""What can be told of variables from their plain data alone, without reading them back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from operator import is_
from typing import Any

from cave_sim.entity.json_form import REF
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.forms import NOBODY
from cave_sim.runtime.graph.scalars import PLAIN
from cave_sim.runtime.graph.writer import HEAP, SEE, VALUE, WITH

MAX_NESTING = 200
_TYPE_NAMES = {
    "$ref": "Entity", "$tuple": "tuple", "$set": "set", "$frozenset": "frozenset", "$items": "dict",
    "$deque": "deque", "$counter": "Counter", "$ordered": "OrderedDict", "$defaultdict": "defaultdict",
    "$slice": "slice", "$function": "function", "$class": "type", "$enum": "EnumType", "$manager": "function",
    "$fraction": "Fraction", "$namedtuple": "type", "$error": "type", "$partial": "partial", "$method": "method",
    "$bound": "method", "$cached": "function", "$array": "ndarray", "$window": "ndarray", "$frame": "DataFrame",
    "$series": "Series", "$index": "Index", "$network": "Graph", "$pattern": "Pattern", "$match": "Match",
    "$date": "date", "$datetime": "datetime", "$time": "time", "$timedelta": "timedelta", "$bytes": "bytes",
    "$range": "range", "$complex": "complex", "$float": "float", "$number": "number", "$decimal": "Decimal",
    "$uuid": "UUID", "$queue": "Queue", "$digest": "Digest", "$matcher": "SequenceMatcher", "$context": "Context",
    "$object": "object", "$timestamp": "Timestamp", "$elapsed": "Timedelta", "$period": "Period", "$turn": "Turn",
    "$attrgetter": "attrgetter", "$bytearray": "bytearray", "$group": "ExceptionGroup", "$methodcaller": "methodcaller",
}  # fmt: skip


def head_of(name: str, data: Any) -> str:
    """Return the first name of the component that a variable belongs to."""
    head = data.get(WITH, name) if type(data) is dict else name
    return head if type(head) is str else name


def value_of(data: Any) -> Any:
    """Return what stands for a variable itself, without the heap beside it."""
    return data.get(VALUE) if type(data) is dict and (HEAP in data or WITH in data) else data


def without_code(component: Mapping[str, Any], is_code: Callable[[str, Any], bool]) -> dict[str, Any]:
    """Return the variables of a component that do not lead to code, and of its heap what they need.

    Args:
        component: variables that share objects, as plain data by name.
        is_code: says of a tag and what stands behind it whether that is code.
    """
    heaps = [item[HEAP] for item in component.values() if type(item) is dict and type(item.get(HEAP)) is dict]
    heap: Mapping[str, Any] = heaps[0] if heaps else {}
    inside = {label: _labels_in(item, is_code) for label, item in heap.items()}
    named = {name: _labels_in(value_of(item), is_code) for name, item in component.items()}
    users = defaultdict[str, list[str]](list)
    for label, labels in inside.items():
        for each in labels or ():
            users[each].append(label)
    to_code = _reached([label for label, labels in inside.items() if labels is None], users)
    kept = {name: labels for name, labels in named.items() if labels is not None and to_code.isdisjoint(labels)}
    needed = _reached(chain.from_iterable(kept.values()), inside)
    parts = {label: item for label, item in heap.items() if label in needed}
    return {name: {VALUE: value_of(component[name]), HEAP: parts} for name in kept}


def _labels_in(data: Any, is_code: Callable[[str, Any], bool]) -> set[str] | None:
    """Return the labels of the objects that data names; None where there is code in it."""
    labels, waiting = set[str](), [data]
    while waiting:
        item = waiting.pop()
        if type(item) is dict:
            tag = next(iter(item), "") if len(item) == 1 else ""
            if type(tag) is str and tag[:1] == "$" and is_code(tag, item[tag]):
                return None
            if tag == SEE and type(item[SEE]) is str:
                labels.add(item[SEE])
            waiting += item.values()
        elif type(item) is list:
            waiting += item
    return labels


def _reached(labels: Iterable[str], ways: Mapping[str, Iterable[str] | None]) -> set[str]:
    """Return labels, and all that ways lead to from them."""
    waiting = list(labels)
    reached = set(waiting)
    while waiting:
        new = [each for each in ways.get(waiting.pop()) or () if each not in reached]
        reached.update(new)
        waiting += new
    return reached


def check_shape(data: Any) -> None:
    """Raise Malformed if data is nested deeper than any variable, or is no JSON."""
    level, depth = [data], 0
    while level:
        depth += 1
        if depth > MAX_NESTING:
            raise Malformed(f"a variable nested more than {MAX_NESTING} deep")
        inner: list[Any] = []
        for item in level:
            if type(item) is dict:
                inner += [part for part in item.values() if type(part) not in PLAIN]
            elif type(item) is list:
                inner += [part for part in item if type(part) not in PLAIN]
            elif type(item) not in PLAIN:
                raise Malformed(f"a {type(item).__name__} is no plain data")
        level = inner


def without_entities(data: Any, names: Collection[str], missed: set[str]) -> Any:
    """Return data with nobody in the place of entities; it is the same object if it has none of them.

    Args:
        data: of a variable.
        names: of the entities.
        missed: gets the names of those that were there.
    """
    if type(data) is dict:
        name = data.get(REF) if len(data) == 1 else None
        if type(name) is str and name in names:
            missed.add(name)
            return {REF: NOBODY}
        parts = {key: without_entities(part, names, missed) for key, part in data.items()}
        return data if all(parts[key] is part for key, part in data.items()) else parts
    if type(data) is list:
        items = [without_entities(part, names, missed) for part in data]
        return data if all(map(is_, items, data)) else items
    return data


def statements_in(data: Any) -> Iterator[str]:
    """Yield the text of every statement that made a function among the variables."""
    waiting = [data]
    while waiting:
        item = waiting.pop()
        if type(item) is dict:
            text = item.get("$statement")
            if type(text) is str and len(item) == 1:
                yield text
            else:
                waiting += [part for part in item.values() if type(part) not in PLAIN]
        elif type(item) is list:
            waiting += [part for part in item if type(part) not in PLAIN]


def type_name(name: str, variables: Mapping[str, Any]) -> str:
    """Return the name of a variable's type; ``object`` for data that is no variable. Nothing is raised."""
    data, heap = variables[name], variables.get(head_of(name, variables[name]))
    heap = heap.get(HEAP) if type(heap) is dict else None
    return _type_name(value_of(data), heap if type(heap) is dict else {}, 3)


def _type_name(data: Any, heap: Mapping[str, Any], hops: int) -> str:
    if type(data) is not dict:
        return type(data).__name__
    tag = next(iter(data), "")
    if tag[:1] != "$":
        return "dict"
    content = data[tag]
    if tag == SEE and type(content) is str and content in heap and hops:
        return _type_name(heap[content], heap, hops - 1)
    if tag in ("$instance", "$named", "$of_enum") and type(content) is list and content and hops:
        return class_name(content[0], heap, hops)
    if tag == "$kept" and type(content) is list and content:
        return str(content[0])[:80]
    if tag == "$library" and type(content) is dict:
        return str(content.get("class")).rpartition(":")[2].rpartition(".")[2][:80]
    return _TYPE_NAMES.get(tag, "object")


def class_name(data: Any, heap: Mapping[str, Any], hops: int = 3) -> str:
    """Return the name of the class that data stands for; ``object`` if it stands for none."""
    if type(data) is dict and SEE in data and type(data[SEE]) is str and hops:
        return class_name(heap.get(data[SEE]), heap, hops - 1)
    if type(data) is dict and type(content := next(iter(data.values()), None)) in (dict, list, str) and content:
        name = content.get("name") if type(content) is dict else content[-1] if "$name" in data else content[0]
        return str(name)[:80]
    return "object"
