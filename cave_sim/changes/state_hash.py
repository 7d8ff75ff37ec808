"""The digest of a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
import networkx as nx

from cave_sim.changes.change import Change
from cave_sim.changes.graph_text import GraphText, encode
from cave_sim.determinism.canonical_json import to_json
from cave_sim.entity.array_codec import ARRAY_CODEC, array_with_bytes
from cave_sim.entity.entity import Entity, encode_fields
from cave_sim.entity.graph_form import parts_by_name
from cave_sim.entity.json_form import is_key
from cave_sim.entity.nested_types import DictType, ListType, OpaqueType, inner_type
from cave_sim.entity.preparation import types_of
from cave_sim.entity.references import RefType, reference_data
from cave_sim.entity.types import FieldType

MODULUS = 2**256
from_bytes = int.from_bytes
_ENTITY = attrgetter("entity")
_SORTED_LINES = msgspec.json.Encoder(order="deterministic").encode_lines


class LookedAt(NamedTuple):
    """What a digest is told of the entities that were written, as they were when it was looked at them.

    Attributes:
        written: the names of all that were, of those that are gone, too.
        plain: the names of those that are told by lines.
        lines: of JSON.
        parts: the parts of others.
    """

    written: list[str]
    plain: list[str]
    lines: list[bytes]
    parts: dict[str, int]


class StateHash:
    """The digest of all entities: the sum of one digest for each, so that it is brought up to date by what changed.

    All that a later turn can tell counts: the kind of a number, the order of a dict's keys and of a node's neighbours.
    The order in which a class declares its fields does not.
    """

    def __init__(self) -> None:
        self._parts: dict[str, int] = {}
        self._root = 0
        self._stale: set[str] = set()
        self._graphs: dict[tuple[str, str], GraphText] = {}

    def touch(self, changes: Iterable[Change]) -> None:
        """Note whose digests no longer hold."""
        self._stale.update(map(_ENTITY, changes))
        if self._graphs:
            for change in changes:
                text = self._graphs.get((change.entity, change.path[0])) if change.path else None
                if text is not None:
                    text.touch(change.path[1:])

    def touch_all(self, names: Iterable[str]) -> None:
        """Note that the digests of all entities of these names no longer hold."""
        self._stale.update(names)
        self._graphs.clear()

    def digest(self, entities: dict[str, Entity]) -> str:
        """Return the digest as 64 hexadecimal digits."""
        return self.add(self.look(entities))

    def look(self, entities: dict[str, Entity]) -> LookedAt:
        """Return what is to be added for a digest of the entities as they are now, in the order of such looks."""
        parts: dict[str, int] = {}
        plain: list[tuple[str, str, dict[str, Any]]] = []
        forms: dict[type[Entity], _Form] = {}
        for name in self._stale:
            entity = entities.get(name)
            if entity is None:
                continue
            kind, values = type(entity), entity.__dict__
            form = forms.get(kind) or forms.setdefault(kind, _form_of(kind))
            if _is_plain(values, form):
                plain.append((name, kind.__name__, values))
            else:
                parts[name] = self._digest_of(name, entity)
        told = LookedAt(list(self._stale), [name for name, _, _ in plain], _lines(plain), parts)
        self._stale.clear()
        return told

    def add(self, told: LookedAt) -> str:
        """Return the digest of the entities as they were looked at, as 64 hexadecimal digits."""
        parts = self._parts
        before = sum([parts.pop(name, 0) for name in told.written])
        digests = [from_bytes(sha256(line).digest(), "big") for line in told.lines]
        parts.update(zip(told.plain, digests, strict=True))
        parts.update(told.parts)
        self._root = (self._root - before + sum(digests) + sum(told.parts.values())) % MODULUS
        return f"{self._root:064x}"

    def _digest_of(self, name: str, entity: Entity) -> int:
        kind = type(entity)
        graphs = _graph_fields(kind)
        if not graphs:
            values, form = entity.__dict__, _form_of(kind)
            tellers = form.tellers
            data = {name: tellers[name](values[name]) if name in tellers else values[name] for name in form.fields}
            try:
                return _number(to_json((name, kind.__name__, data)))
            except TypeError:  # beside an array stands what msgspec does not write, such as an integer beyond 64 bits
                return entity_digest(name, kind.__name__, encode_fields(entity))
        try:
            texts = {field: self._graph_text(name, field, entity.__dict__[field]) for field in graphs}
            return _number(encode([name, kind.__name__, _by_name({**encode_fields(entity, without=graphs), **texts})]))
        except (TypeError, OverflowError):
            for field in graphs:
                self._graphs.pop((name, field), None)
            return entity_digest(name, kind.__name__, encode_fields(entity))

    def _graph_text(self, name: str, field: str, graph: Any) -> msgspec.Raw | None:
        if graph is None:
            return None
        known = self._graphs.get((name, field))
        if known is None or known.graph is not graph:
            known = self._graphs[name, field] = GraphText(graph)
        return msgspec.Raw(known.text())

    def copy(self) -> StateHash:
        """Return an independent copy."""
        other = StateHash()
        other._parts, other._root, other._stale = dict(self._parts), self._root, set(self._stale)
        return other


def entity_digest(name: str, kind: str, fields: Mapping[str, Any]) -> int:
    """Return the part of a state's digest that is one entity's.

    Args:
        name: of the entity.
        kind: the name of its class.
        fields: its fields as plain data.
    """
    data = {field: parts_by_name(value) if type(value) is dict else value for field, value in fields.items()}
    return _number(to_json([name, kind, _by_name(data)]))


def _number(text: bytes) -> int:
    return from_bytes(sha256(text).digest(), "big")


@lru_cache(maxsize=512)
def _graph_fields(kind: type[Entity]) -> frozenset[str]:
    """Return the fields of a class that hold graphs."""
    inner = {name: inner_type(field_type) for name, field_type in types_of(kind).items()}
    opaque = {name: each.codec.type for name, each in inner.items() if isinstance(each, OpaqueType)}
    return frozenset(name for name, holds in opaque.items() if issubclass(holds, nx.Graph))


class _Form(NamedTuple):
    """How a digest is told of the entities of one class.

    Attributes:
        fields: their names, sorted.
        tellers: what tells of those fields of which it is not told what is kept.
        dicts: which of these hold dicts, which are told as they are kept if they are empty.
    """

    fields: tuple[str, ...]
    tellers: Mapping[str, Callable[[Any], Any]]
    dicts: frozenset[str]


@lru_cache(maxsize=512)
def _form_of(kind: type[Entity]) -> _Form:
    fields = types_of(kind)
    tellers = {name: _teller(each) for name, each in fields.items() if not _is_told_as_kept(each)}
    return _Form(tuple(sorted(fields)), tellers, frozenset(name for name in tellers if type(fields[name]) is DictType))


def _is_plain(values: dict[str, Any], form: _Form) -> bool:
    """Say whether JSON with sorted keys writes what a digest is told: no key of a dict is in there, nor but fields."""
    for name in form.tellers:
        if values[name] is not None and (name not in form.dicts or values[name]):
            return False
    return len(values) == len(form.fields)


def _lines(entities: Sequence[tuple[str, str, dict[str, Any]]]) -> list[bytes]:
    """Return what digests of such are made of, for all at once; JSON breaks no line itself."""
    try:
        return _SORTED_LINES(entities).split(b"\n")[:-1]
    except (TypeError, OverflowError, UnicodeEncodeError):  # what the standard library writes
        return [to_json((name, kind, _by_name(data))) for name, kind, data in entities]


def _is_told_as_kept(field_type: FieldType) -> bool:
    """Say whether JSON writes what is kept as it writes its plain data: single values, and lists of such."""
    return field_type.is_plain or (type(field_type) is ListType and field_type.items.is_plain)


def _teller(field_type: FieldType) -> Callable[[Any], Any]:
    inner = inner_type(field_type)
    if isinstance(inner, RefType):
        return reference_data
    if isinstance(inner, OpaqueType) and inner.codec is ARRAY_CODEC:
        return lambda array: None if array is None else array_with_bytes(array)
    encode = field_type.encode

    def tell(value: Any) -> Any:
        data = encode(value)
        return parts_by_name(data) if type(data) is dict else data

    def tell_as_kept(value: Any) -> Any:  # a dict of single values, which is no form of a graph
        return value if all(map(is_key, value)) else encode(value)

    return tell_as_kept if type(field_type) is DictType and field_type.items.is_plain else tell


def _by_name(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {field: fields[field] for field in sorted(fields)}
