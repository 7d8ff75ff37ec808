"""What became of an agent's variables, and how it joins what others have made of them meanwhile.

Variables that share objects are one component, whose first name holds the objects. Who wrote one of its variables
replaces all of it; what others had bound to its objects keeps these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from cave_sim.runtime.graph.shape import head_of, value_of
from cave_sim.runtime.graph.writer import HEAP, SEE, VALUE, WITH
from cave_sim.runtime.namespace import Namespace

_NOTHING = object()
"""Stands for a variable that was not there."""


class VariableNews(NamedTuple):
    """What became of one agent's variables.

    Attributes:
        bound: those that are new or changed, as plain data by name.
        gone: names of those that are there no more.
    """

    bound: dict[str, Any]
    gone: list[str]


def news_since(earlier: Mapping[str, Any], namespace: Namespace) -> VariableNews:
    """Return what is other than before, with everything that shares objects with it.

    Args:
        earlier: what :attr:`Namespace.data` held then.
        namespace: as it is now.
    """
    data = namespace.data
    heads = {head_of(name, part) for name, part in data.items() if earlier.get(name, _NOTHING) is not part}
    bound = {name: part for name, part in data.items() if head_of(name, part) in heads} if heads else {}
    return VariableNews(bound, sorted(earlier.keys() - data.keys()))


def take_over(namespace: Namespace, news: VariableNews) -> None:
    """Have news of an agent's variables in the place of what they are now."""
    data, replaced = namespace.data, {*news.bound, *news.gone}
    orphans: dict[str, dict[str, Any]] = {}
    for name in sorted(data.keys() - replaced):
        if (head := head_of(name, data[name])) in replaced:
            orphans.setdefault(head, {})[name] = data[name]
    rescued: dict[str, Any] = {}
    for head, variables in orphans.items():
        rescued |= _with_a_heap_of_their_own(variables, data.get(head))
    namespace.drop([name for name in news.gone if name in data])
    namespace.put({**rescued, **news.bound})


def _with_a_heap_of_their_own(variables: Mapping[str, Any], head: Any) -> dict[str, Any]:
    """Return variables, whose head is replaced, with the objects that they see in it."""
    heap = head.get(HEAP, {}) if type(head) is dict else {}
    values = {name: value_of(part) for name, part in variables.items()}
    seen: set[str] = set()
    waiting: list[Any] = [*values.values()]
    while waiting:
        part = waiting.pop()
        if type(part) is dict:
            label = part.get(SEE) if len(part) == 1 else None
            if type(label) is str and label in heap and label not in seen:
                seen.add(label)
                waiting.append(heap[label])
            waiting += part.values()
        elif type(part) is list:
            waiting += part
    first, *others = variables
    kept = {label: part for label, part in heap.items() if label in seen}
    return {first: {HEAP: kept, VALUE: values[first]}} | {name: {WITH: first, VALUE: values[name]} for name in others}
