"""Variables as people read them, from their plain data alone: nothing is read back, and no code runs.

Containers of any kind become dicts and lists, objects the attributes they have, functions and classes their source.
What another name holds as well is shown once, and named by its path wherever else it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cave_sim.determinism.canonical_json import to_json
from cave_sim.entity.json_form import REF
from cave_sim.runtime.graph.shape import class_name, head_of, statements_in, value_of
from cave_sim.runtime.graph.writer import HEAP, SEE

MAX_DEPTH = 60
CLASS = "class"
"""Under which an object's view has the name of its class; no attribute is called so."""
_LISTS = frozenset({"$tuple", "$set"})
_PAIRS = frozenset({"$items", "$ordered", "$counter"})


def view(variables: Mapping[str, Any], name: str) -> Any:
    """Return a variable as dicts, lists and plain values.

    Args:
        variables: an agent's variables as plain data, by name; whatever is no variable is shown as it is.
        name: of one of them.
    """
    heap = variables.get(head_of(name, variables[name]))
    heap = heap.get(HEAP) if isinstance(heap, dict) else None
    return _Viewer(heap if isinstance(heap, dict) else {}).view(value_of(variables[name]), (name,))


def differences(one: Any, other: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Yield the innermost parts in which two views differ: path, one, other; MISSING for what is not there."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(key for key in other if key not in one)]:
            yield from differences(one.get(key, MISSING), other.get(key, MISSING), (*path, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from differences(left, right, (*path, str(number)))
    elif not _alike(one, other):
        yield path, one, other


def part(seen: Any, path: tuple[str, ...]) -> Any:
    """Return what a view holds at a path; MISSING if nothing."""
    for key in path:
        if isinstance(seen, dict):
            seen = seen.get(key, MISSING)
        elif isinstance(seen, list) and key.lstrip("-").isdecimal() and -len(seen) <= int(key) < len(seen):
            seen = seen[int(key)]
        else:
            return MISSING
    return seen


class _Absent:
    def __repr__(self) -> str:
        return "(absent)"


MISSING = _Absent()
"""Stands for what is not there."""


def _alike(one: Any, other: Any) -> bool:
    """Say whether two views are the same; 1 and 1.0 are not."""
    return one is other or (type(one) is type(other) and to_json(one) == to_json(other))


class _Viewer:
    def __init__(self, heap: Mapping[str, Any]) -> None:
        self._heap = heap
        self._shown: dict[str, str] = {}

    def view(self, data: Any, path: tuple[str, ...]) -> Any:
        if len(path) > MAX_DEPTH:
            return "…"
        if isinstance(data, list):
            return [self.view(item, (*path, str(number))) for number, item in enumerate(data)]
        if not isinstance(data, dict):
            return data
        tag = next(iter(data), "")
        if tag[:1] != "$" or len(data) != 1 or tag == REF:
            return {key: self.view(item, (*path, key)) for key, item in data.items()}
        return self._tagged(tag, data[tag], path)

    def _tagged(self, tag: str, content: Any, path: tuple[str, ...]) -> Any:
        if tag == SEE:
            return self._seen(str(content), path)
        if tag == "$function":
            return self._function(content, path) if isinstance(content, dict) else content
        if tag in ("$cell", "$json"):
            return self.view(content, path)
        if tag in _LISTS:
            return self.view(content, path)
        if isinstance(content, list) and content:
            if tag in _PAIRS or tag == "$defaultdict":
                return self._pairs(content if tag in _PAIRS else content[1:], path)
            if tag == "$deque":
                return self.view(content[1:], path)
            if tag == "$instance" and len(content) > 1:
                attributes = self._pairs(content[1], path)
                return {CLASS: class_name(content[0], self._heap), **attributes}
            if tag == "$named" and len(content) > 1:
                return self.view(content[1], path)
        if tag == "$class" and isinstance(content, dict):
            attributes = self._pairs(content.get("attributes", []), path)
            return {CLASS: str(content.get("name")), **attributes}
        if tag == "$turn" and isinstance(content, dict):
            return {CLASS: "Turn", **self.view(content.get("$json", {}), path)}
        return {tag: self.view(content, (*path, tag))}

    def _seen(self, label: str, path: tuple[str, ...]) -> Any:
        if label in self._shown:
            return f"(the same as {self._shown[label]})"
        self._shown[label] = ".".join(path)
        return self.view(self._heap.get(label), path)

    def _pairs(self, pairs: Any, path: tuple[str, ...]) -> dict[str, Any]:
        shown = {}
        for each in pairs if isinstance(pairs, list) else ():
            if isinstance(each, list) and len(each) == 2:
                key = each[0] if isinstance(each[0], str) else _key_text(self.view(each[0], path))
                key = repr(key) if key in shown else key
                shown[key] = self.view(each[1], (*path, key))
        return shown

    def _function(self, content: Mapping[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
        """Show a function: its source where it is a variable, and the values that it holds."""
        shown = {"function": content.get("name")}
        if len(path) == 1:
            made_by = content.get("in")
            shared = made_by.get(SEE) if isinstance(made_by, dict) else None
            shown["source"] = next(statements_in(self._heap.get(str(shared), made_by)), "")
        for part in ("defaults", "options", "closure", "attributes"):
            if part in content:
                shown[part] = self.view(content[part], (*path, part))
        return shown


def _key_text(key: Any) -> str:
    if isinstance(key, list):
        return f"({', '.join(map(_key_text, key))})"
    return str(key[REF]) if isinstance(key, dict) and REF in key else repr(key)
