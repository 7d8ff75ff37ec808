"""Which form a value has, by its kind; and the tags by which forms are told apart when they are read."""

from __future__ import annotations

import enum
import re
import statistics
import types
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import networkx as nx
import numpy as np
import pandas as pd

from cave_sim.changes.turn import Turn
from cave_sim.determinism.canonical_json import from_json, to_json
from cave_sim.entity.asking import CELL_FILE
from cave_sim.entity.codecs import VOUCHED, codec_named, codec_of
from cave_sim.entity.containers import Tracked
from cave_sim.entity.entity import Entity
from cave_sim.entity.graphs import GraphDict, TrackedGraph
from cave_sim.entity.identity import name_of, undo_log_of
from cave_sim.entity.json_form import REF
from cave_sim.entity.reference_containers import RefDict, RefList, RefSet
from cave_sim.errors import SchemaError
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES
from cave_sim.policy.libraries.databases import Cursor
from cave_sim.policy.libraries.decimals import Context
from cave_sim.policy.libraries.differences import SequenceMatcher
from cave_sim.policy.libraries.digests import Digest
from cave_sim.policy.libraries.drawing import is_figure, is_part
from cave_sim.policy.libraries.estimators import is_estimator
from cave_sim.policy.libraries.kept_classes import KEPT_ATTRIBUTES
from cave_sim.policy.libraries.managers import MANAGER_CODE
from cave_sim.policy.libraries.named_tuples import is_namedtuple
from cave_sim.policy.libraries.pandas_texts import StringIO
from cave_sim.policy.libraries.queues import QUEUES
from cave_sim.policy.libraries.user_containers import USER_BASES
from cave_sim.runtime.cell import Statement
from cave_sim.runtime.graph import (
    aliases,
    arrays,
    classes,
    code,
    containers,
    enums,
    figures,
    groupings,
    kept_classes,
    learned,
    networks,
    numpy_objects,
    tables,
)
from cave_sim.runtime.graph.entity_parts import make_part, part_of
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.library_objects import LIBRARY
from cave_sim.runtime.graph.node import Form, See
from cave_sim.runtime.graph.surroundings import Surroundings
from cave_sim.runtime.scope_names import TeamMember, name_of_draw

NAME, OWN, AT, DRAW, MEMBER = "$name", "$injected", "$at", "$draw", "$member"
NOBODY = ""
"""The name of an entity that has left: no entity can have it."""


class Forms:
    """The forms of whatever may be among one agent's variables.

    Args:
        surroundings: where they live.
        with_code: whether functions, classes and methods are among what has a form.
        with_parts: whether live parts of entities stay such; they become data of the variable's own if not.
    """

    def __init__(self, surroundings: Surroundings, *, with_code: bool = True, with_parts: bool = True) -> None:
        self._with_parts = with_parts
        self._surroundings, self._with_code = surroundings, with_code
        self._own = {id(value): name for name, value in surroundings.own.items()}

    def place(self, value: Any) -> Any:
        """Return where a value is that is no variable's own: an entity, a part of one, a name; None if it is own."""
        kind = type(value)
        if kind in _OWN_KINDS:
            return None
        if isinstance(value, Entity):
            name = name_of(value) or self._surroundings.left.get(id(value))
            if name in self._surroundings.came:
                self._surroundings.missed.add(str(name))
                name = NOBODY
            if name is not None:
                return {REF: name}
            if undo_log_of(value) is not None:
                return {REF: NOBODY}  # it has left, and is None from now on, as one that leaves later is
            raise SchemaError(f"a {kind.__name__} that is in no world cannot be kept: add it in the same turn")
        if isinstance(value, (Tracked, TrackedGraph, GraphDict, RefSet)):
            part = part_of(value, self._surroundings) if self._with_parts else None
            return None if part is None else {AT: part}
        if id(value) in self._own:
            return {OWN: self._own[id(value)]}
        if self._with_code and (name := name_of_draw(value)) is not None:
            return {DRAW: name}
        if self._with_code and isinstance(value, TeamMember):
            return {MEMBER: value.kept_as()}
        if self._with_code and (path := self._surroundings.names.path(value)) is not None:
            return {NAME: path}
        if isinstance(value, type) and value not in OWN_CLASSES and self._surroundings.is_known(value):
            return {"$known": f"{value.__module__}:{value.__qualname__}"}
        return None

    def of(self, value: Any) -> Form | None:
        """Return the form of a value that is a variable's own; None if it cannot be kept."""
        kind = type(value)
        form = _BY_KIND.get(kind)
        if form is not None:
            return form
        if kind is np.ndarray:
            return arrays.ARRAY if arrays.base_of(value) is None else arrays.WINDOW
        if isinstance(value, _UNTRACKED):
            return _untracked(value)
        if isinstance(value, enum.Enum) and kind in OWN_CLASSES:
            return enums.MEMBER
        if kind in OWN_CLASSES or kind in USER_BASES or isinstance(value, Exception):
            return classes.GROUP if kind is ExceptionGroup else classes.OBJECT
        if is_namedtuple(kind) and not self._surroundings.is_known(kind):
            return classes.NAMED
        if isinstance(value, type) and is_namedtuple(value):
            return classes.NAMEDTUPLE  # a name and fields: no code
        if self._with_code and (form := self._of_code(value, kind)) is not None:
            return form
        if isinstance(value, pd.Index):
            return tables.INDEX
        if numpy_objects.is_dtype(value):
            return numpy_objects.DTYPE
        if isinstance(value, pd.api.extensions.ExtensionArray):
            return tables.VALUES
        return _of_library(kind) or (LIBRARY if self._surroundings.is_known(kind) else None)

    def _of_code(self, value: Any, kind: type) -> Form | None:
        if kind is types.FunctionType and value.__code__ is MANAGER_CODE:
            return code.MANAGER
        if kind is types.FunctionType:
            origin = self._surroundings.cells.origin(value.__code__)
            if origin is None:
                return code.ORDERING if code.is_ordering(value) else None
            return Form(code.FUNCTION, lambda function, see: code.write_function(function, see, origin), _unread)
        if kind is types.MethodType and value.__func__.__code__.co_filename == CELL_FILE:
            return code.BY_KIND[kind]
        if kind in code.BY_KIND and kind is not types.MethodType:
            return code.BY_KIND[kind]
        if aliases.is_alias(value):
            return aliases.ALIAS
        if isinstance(value, type):
            if value in OWN_CLASSES:
                return enums.ENUM if isinstance(value, enum.EnumMeta) else classes.CLASS
            return _ERROR_CLASS if issubclass(value, Exception) and value.__module__ in _ERRORS else None
        if kind in _METHODS and code.is_bound(value):
            return code.BOUND
        return None


def _of_library(kind: type) -> Form | None:
    if kind in VOUCHED:
        return _CODEC
    if kind in groupings.KINDS:
        return groupings.GROUPING
    if is_estimator(kind):
        return learned.ESTIMATOR
    if is_figure(kind):
        return figures.FIGURE
    return figures.PART if is_part(kind) else None


def _unread(_content: Any, _reader: Any) -> Any:
    raise NotImplementedError


def _untracked(value: Any) -> Form:
    """Return the form of what once was a part of an entity, and is nobody's now."""
    if isinstance(value, RefSet):
        return containers.SET
    if isinstance(value, (RefList, RefDict)):
        return Form("", lambda parts, see: _plain_references(parts, see), _unread)
    if isinstance(value, TrackedGraph):
        return networks.NETWORK
    base = next(base for base in (list, dict, set) if isinstance(value, base))
    return containers.BY_KIND[base]


def _plain_references(parts: Any, see: See) -> Any:
    plain = list(parts) if isinstance(parts, list) else dict(parts.items())
    return containers.BY_KIND[type(plain)].write(plain, see)


def _write_codec(value: Any, _see: See) -> Any:
    codec = codec_of(type(value))
    assert codec is not None
    return {"type": codec.type.__name__, "data": {"$json": codec.snapshot(value)}}


def _read_codec(content: Any, _reader: Any) -> Any:
    return codec_named(str(content["type"])).restore(content["data"]["$json"])


def _write_match(match: re.Match[str], see: See) -> Any:
    again = match.re.match(match.string, match.start(), match.endpos)
    if again is None or again.span() != match.span() or again.groups() != match.groups():
        raise SchemaError("a match that depends on what stands before it cannot be kept: keep its groups")
    return [see(match.re), see(match.string), match.start(), match.endpos]


def _read_match(content: Any, reader: Any) -> Any:
    pattern, text, start, end = content
    return reader.read(pattern).match(reader.read(text), start, end)


def _read_text_file(content: Any, reader: Any) -> StringIO:
    try:
        return StringIO.made_of(list(map(reader.read, content)))
    except (TypeError, ValueError) as error:
        raise Malformed(f"a text file is a text and a place in it: {error}") from None


_METHODS = (types.BuiltinMethodType, types.MethodType, types.MethodWrapperType, types.MethodDescriptorType)
_ERRORS = ("builtins", "cave_sim.errors")
_UNTRACKED = (Tracked, TrackedGraph, GraphDict, RefSet)
_CODEC = Form("$codec", _write_codec, _read_codec)


def _make_sentinel(content: Any, _reader: Any) -> object:
    """Return a bare ``object()``, which has nothing to be filled with."""
    if content is not True:
        raise Malformed("a bare object has no content")
    return object()


_ERROR_CLASS = Form(
    "$error", lambda kind, see: kind.__name__, lambda content, reader: reader.surroundings.names.error(content)
)
_TURN = Form(  # read back from its JSON at once: a path is a tuple, and variables have one form before and after a stop
    "$turn",
    lambda turn, see: {"$json": from_json(to_json(msgspec.to_builtins(turn)))},
    lambda content, reader: msgspec.convert(content["$json"], Turn),
)
_BY_KIND: dict[type, Form] = {
    **containers.BY_KIND,
    object: Form("$object", lambda _, see: True, _make_sentinel),
    **dict.fromkeys(QUEUES.values(), containers.QUEUE),
    **dict.fromkeys(KEPT_ATTRIBUTES, kept_classes.KEPT),
    Digest: Form(
        "$digest",
        lambda digest, see: list(map(see, digest.kept_as())),
        lambda content, reader: Digest(*map(reader.read, content)),
    ),
    SequenceMatcher: Form(
        "$matcher",
        lambda matcher, see: [see(matcher.a), see(matcher.b), see(matcher.autojunk)],
        lambda content, reader: SequenceMatcher(None, *map(reader.read, content)),
    ),
    statistics.NormalDist: Form(
        "$normal",
        lambda normal, see: [see(normal.mean), see(normal.stdev)],
        lambda content, reader: statistics.NormalDist(*map(reader.read, content)),
    ),
    Cursor: Form(
        "$cursor",
        lambda cursor, see: list(map(see, cursor.kept_as())),
        lambda content, reader: Cursor(*map(reader.read, content)),
    ),
    StringIO: Form("$text_file", lambda text, see: list(map(see, text.kept_as())), _read_text_file),
    Context: Form(
        "$context",
        lambda context, see: [context.prec, context.rounding],
        lambda content, reader: Context(*map(reader.read, content)),
    ),
    **numpy_objects.BY_KIND,
    pd.DataFrame: tables.TABLE,
    pd.Series: tables.SERIES,
    nx.Graph: networks.NETWORK,
    nx.DiGraph: networks.NETWORK,
    re.Match: Form("$match", _write_match, _read_match),
    Turn: _TURN,
    TypeVar: aliases.TYPE_VARIABLE,
    Statement: code.BY_KIND[Statement],
    types.CellType: code.BY_KIND[types.CellType],
}
_OWN_KINDS = frozenset(_BY_KIND) | {np.ndarray}
"""Kinds of which no value is anybody's but the variable's."""

_FORMS = (
    *_BY_KIND.values(), containers.PAIRS, arrays.ARRAY, arrays.WINDOW, tables.INDEX, tables.VALUES, classes.CLASS,
    classes.NAMEDTUPLE, classes.GROUP, classes.OBJECT, classes.NAMED, enums.ENUM, enums.MEMBER, figures.FIGURE,
    figures.PART, groupings.GROUPING, learned.ESTIMATOR, LIBRARY, aliases.ALIAS, _CODEC, _ERROR_CLASS,
    numpy_objects.DTYPE,
)  # fmt: skip
MAKERS: dict[str, Callable[[Any, Any], Any]] = {form.tag: form.make for form in _FORMS if form.tag} | code.MAKERS
MAKERS |= {
    REF: lambda content, reader: reader.surroundings.entity(content),
    AT: make_part,
    NAME: lambda content, reader: reader.surroundings.names.at(content),
    OWN: lambda content, reader: reader.surroundings.own.get(content),
    DRAW: lambda content, reader: reader.surroundings.names.draw(content),
    MEMBER: lambda content, reader: reader.surroundings.names.member(content),
    "$known": lambda content, reader: reader.surroundings.class_at(content),
}
"""Tag -> what makes the object that stands behind it."""

CODE_TAGS = frozenset({*code.MAKERS, NAME, OWN, DRAW, MEMBER, "$known", "$class", "$enum", "$error", "$alias"})
"""Tags of what is code, or leads to some."""
