"""Forms of the classes that cells define, and of their objects. Reading one back runs nothing of its body.

What ``@dataclass`` generated is generated again from the fields; everything else is an attribute like any other.
"""

from __future__ import annotations

import dataclasses
import inspect
import reprlib
import types
import typing
from typing import Any

from cave_sim.entity.values import SERIAL
from cave_sim.policy.guards import build_class
from cave_sim.policy.libraries import named_tuples
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES, adopt, hash_under, is_adopted, unnumber
from cave_sim.policy.libraries.class_tools import ABSTRACT_METHODS, SUBSCRIPTED, note_abstract, note_generic
from cave_sim.policy.libraries.user_containers import USER_BASES
from cave_sim.policy.syntax import CLASS_METHODS, is_reserved
from cave_sim.runtime.graph.code import check_own
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See

_SKIPPED = frozenset(
    {"__dict__", "__weakref__", "__doc__", "__annotations__", "__dataclass_fields__", "__dataclass_params__",
     "__match_args__", "__slots__", "__getstate__", "__setstate__", "__orig_bases__",
     "__parameters__", "__firstlineno__", "__static_attributes__", ABSTRACT_METHODS, SUBSCRIPTED}
)  # fmt: skip
_MAKERS = frozenset({"<string>", dataclasses.__file__, reprlib.__file__})
"""Files of the methods that ``dataclass`` makes."""
_PARAMS = ("init", "repr", "eq", "order", "unsafe_hash", "frozen")
_FIELD_FLAGS = ("init", "repr", "hash", "compare", "kw_only")


def write_namedtuple(kind: Any, see: See) -> Any:
    """Return the form of a class of named tuples: name, fields, defaults, and what it has beside them if it has."""
    content = [kind.__name__, list(kind._fields), [see(kind._field_defaults[name]) for name in kind._field_defaults]]
    own = [[name, see(kind.__dict__[name])] for name in named_tuples.attributes_of(kind)]
    doc = "" if kind.__doc__ == _doc_of(kind) else kind.__doc__
    return [*content, own, see(doc)] if own or doc else content


def _doc_of(kind: Any) -> str:
    """Return what Python says of a class of named tuples if its cell said nothing."""
    return f"{kind.__name__}({', '.join(kind._fields)})"


def _make_namedtuple(content: Any, reader: Any) -> Any:
    name, fields, defaults, *more = content
    kind = named_tuples.namedtuple(name, fields, defaults=[reader.read(value) for value in defaults])
    if more:
        own, doc = more
        kind.__doc__ = reader.read(doc) or _doc_of(kind)
        reader.later(lambda: named_tuples.give_attributes(kind, [(str(key), reader.read(item)) for key, item in own]))
    return kind


def write_class(kind: Any, see: See) -> Any:
    """Return the form of a class that a cell defined."""
    is_dataclass = "__dataclass_fields__" in kind.__dict__
    content: dict[str, Any] = {
        "name": kind.__name__,
        "bases": [see(base) for base in kind.__bases__ if base is not object],
        "attributes": [
            [name, see(value)]
            for name, value in ((name, _unnumbered(value)) for name, value in kind.__dict__.items())
            if name not in _SKIPPED and not _generated(kind, name, value, is_dataclass)
        ],
    }
    if kind.__qualname__ != kind.__name__:
        content["within"] = kind.__qualname__
    if kind.__doc__:
        content["doc"] = see(kind.__doc__)
    if is_dataclass:
        content["dataclass"] = _write_dataclass(kind, see)
    if ABSTRACT_METHODS in kind.__dict__:
        content["abstract"] = True
    if SUBSCRIPTED in kind.__dict__:
        content["generic"] = True
    return content


def _unnumbered(value: Any) -> Any:
    """Return what a cell wrote as a hash, and any other attribute as it is."""
    return hash_under(value) if isinstance(value, types.FunctionType) else value


def _generated(kind: Any, name: str, value: Any, is_dataclass: bool) -> bool:
    """Say whether an attribute of a class is not the cell's: its kin are made again with the class."""
    if isinstance(value, (types.MemberDescriptorType, types.GetSetDescriptorType)) or name == "__module__":
        return True
    if isinstance(value, types.FunctionType):
        return is_adopted(value) or (is_dataclass and is_reserved(name) and value.__code__.co_filename in _MAKERS)
    return is_dataclass and name == "__hash__" and value is None and kind.__dataclass_params__.eq


def _write_dataclass(kind: Any, see: See) -> Any:
    parameters = kind.__dataclass_params__
    inherited = {name for base in kind.__mro__[1:] for name in getattr(base, "__dataclass_fields__", ())}
    own = inspect.get_annotations(kind)
    fields = [
        _write_field(each, see)
        for name, each in kind.__dataclass_fields__.items()
        if name in own or name not in inherited
    ]
    options = [name for name in _PARAMS if getattr(parameters, name)]
    return {"options": options, "slots": "__slots__" in kind.__dict__, "fields": fields}


_KINDS_OF_FIELDS = {"_FIELD_CLASSVAR": "class", "_FIELD_INITVAR": "init"}


def _write_field(each: Any, see: See) -> Any:
    content: dict[str, Any] = {"name": each.name}
    flags = {name: getattr(each, name) for name in _FIELD_FLAGS}
    content["flags"] = {name: value for name, value in flags.items() if type(value) is bool}
    if each.default is not dataclasses.MISSING:
        content["default"] = see(each.default)
    if each.default_factory is not dataclasses.MISSING:
        content["factory"] = see(each.default_factory)
    if type(each.type) is str:
        content["type"] = each.type
    if each.metadata:
        content["metadata"] = see(dict(each.metadata))
    if (kind := _KINDS_OF_FIELDS.get(each._field_type.name)) is not None:
        content["kind"] = kind
    return content


def _make_class(content: Any, reader: Any) -> Any:
    name = content["name"]
    if type(name) is not str or not name.isidentifier() or is_reserved(name):
        raise Malformed(f"{name!r} is no name for a class")
    bases = tuple(map(reader.read, content["bases"]))
    kind = build_class(_no_body, name, *bases)
    if (dataclass := content.get("dataclass")) is not None:
        kind = _make_dataclass(kind, content, dataclass, reader)
    kind.__module__ = "__main__"  # as the body of a class says in a cell
    kind.__qualname__ = str(content.get("within", name))
    attributes = {str(attribute): data for attribute, data in content["attributes"]}

    def fill() -> None:
        if "doc" in content:
            kind.__doc__ = reader.read(content["doc"])
        for attribute, data in attributes.items():
            if is_reserved(attribute) and not _is_cells_own(attribute):
                raise Malformed(f"{attribute} is no attribute that cells define")
            setattr(kind, attribute, reader.read(data))
        adopt(kind)

    reader.later(fill)
    if content.get("generic") is True:
        note_generic(kind)
    if content.get("abstract") is True:
        reader.later(lambda: note_abstract(kind, is_declared=True), last=True)  # its methods are whole by then
    return kind


def _no_body() -> None:
    return None


_no_body = types.FunctionType(_no_body.__code__, {"__name__": "__main__", "__builtins__": {}})


def _is_cells_own(name: str) -> bool:
    return name in CLASS_METHODS


def _make_dataclass(kind: Any, content: Any, dataclass: Any, reader: Any) -> Any:
    """Have ``dataclass`` make its methods again; what the cell wrote itself comes over them afterwards."""
    fields = dataclass["fields"]
    kind.__annotations__ = {}
    for data in fields:
        options: dict[str, Any] = {str(flag): bool(value) for flag, value in data["flags"].items()}
        if "default" in data:
            options["default"] = reader.read(data["default"])
        if "factory" in data:
            options["default_factory"] = reader.callable(data["factory"])
        if "metadata" in data:
            options["metadata"] = metadata = reader.read(data["metadata"])
            if type(metadata) is not dict:
                raise Malformed("metadata of a field are a dict")
        if data.get("kind") == "class":
            kind.__annotations__[str(data["name"])] = typing.ClassVar
            continue
        is_given = data.get("kind") == "init"
        kind.__annotations__[str(data["name"])] = dataclasses.InitVar(object) if is_given else object
        setattr(kind, str(data["name"]), dataclasses.field(**options))
    own = {str(name) for name, _ in content["attributes"]}
    for name in own & {"__eq__", "__repr__", "__hash__", "__lt__", "__le__", "__gt__", "__ge__", "__post_init__"}:
        if name != "__hash__" or dict(content["attributes"])[name] is not None:
            setattr(kind, name, _placeholder)
    options = {name: name in dataclass["options"] for name in _PARAMS}
    unnumber(kind)
    dataclass_ = dataclasses.dataclass(**options, slots=bool(dataclass["slots"]))(kind)
    for data in fields:
        if type(data.get("type")) is str:
            field = dataclass_.__dataclass_fields__[data["name"]]
            field.type = data["type"]  # as it was said: dataclass would look it up
    adopt(dataclass_)
    return dataclass_


def _placeholder(*_: Any) -> Any:
    raise NotImplementedError


def write_object(value: Any, see: See) -> Any:
    """Return the form of an object of a cell's own class, or of an error."""
    content: list[Any] = [see(type(value)), state_of(value, see)]
    if isinstance(value, BaseException):
        content.append([see(part) for part in BaseException.args.__get__(value)])  # type: ignore[attr-defined]
        if isinstance(value, OSError) and OSError.errno.__get__(value) is not None:  # type: ignore[union-attr]
            name = OSError.filename.__get__(value)
            content.append(name if type(name) is str else "")
    return content


def state_of(value: Any, see: See) -> Any:
    """Return the attributes of an object, as pairs."""
    attributes = getattr(value, "__dict__", {})
    slots = [
        (name, member.__get__(value))
        for base in type(value).__mro__
        for name, member in base.__dict__.items()
        if isinstance(member, types.MemberDescriptorType) and base in OWN_CLASSES and _is_set(member, value)
    ]
    return [[name, see(item)] for name, item in (*attributes.items(), *slots) if name != SERIAL]


def _is_set(member: Any, value: Any) -> bool:
    try:
        member.__get__(value)
    except AttributeError:
        return False
    return True


def _make_object(content: Any, reader: Any) -> Any:
    kind = reader.read(content[0])
    if isinstance(kind, type) and issubclass(kind, Exception):
        value = (OSError if issubclass(kind, OSError) else BaseException).__new__(kind)
    else:
        value = object.__new__(kind if kind in USER_BASES else check_own(kind))

    def fill() -> None:
        if len(content) > 2:
            value.args = tuple(map(reader.read, content[2]))
        if len(content) > 3 and isinstance(value, OSError):
            _number(value, content[3])
        _give(value, content[1], reader)

    reader.later(fill)
    return value


def _give(value: Any, attributes: Any, reader: Any) -> None:
    """Give an object the attributes that it had; an error, what was noted on it."""
    for name, data in attributes:
        item = reader.read(data)
        if name == NOTES and isinstance(value, Exception):
            reader.later(lambda notes=item: _note(value, notes))
        elif type(name) is not str or is_reserved(name):
            raise Malformed("an attribute without a name that cells can give")
        else:
            object.__setattr__(value, name, item)


def _number(error: OSError, filename: str) -> None:
    """Have an error of the system say what it said: by its number, which Python takes from its first arguments."""
    error.errno, error.strerror = (*error.args, None, None)[:2]
    if filename:
        error.filename = str(filename)


def _note(error: Exception, notes: Any) -> None:
    for each in notes:
        error.add_note(each)


NOTES = "__notes__"


def _write_group(group: ExceptionGroup[Any], see: See) -> Any:
    return [see(group.message), [see(error) for error in group.exceptions], state_of(group, see)]


def _make_group(content: Any, reader: Any) -> Any:
    message, errors, attributes = content
    group = ExceptionGroup(reader.read(message), [reader.read(error) for error in errors])
    reader.later(lambda: _give(group, attributes, reader))
    return group


def _make_named(content: Any, reader: Any) -> Any:
    kind, parts = reader.read(content[0]), [reader.read(part) for part in content[1]]
    if not isinstance(kind, type) or not issubclass(kind, tuple) or len(kind._fields) != len(parts):  # type: ignore[attr-defined]
        raise Malformed("a named tuple of no such class")
    return tuple.__new__(kind, parts)


def _write_named(value: Any, see: See) -> Any:
    return [see(type(value)), [see(part) for part in tuple.__iter__(value)]]


CLASS = Form("$class", write_class, _make_class)
NAMEDTUPLE = Form("$namedtuple", write_namedtuple, _make_namedtuple)
OBJECT = Form("$instance", write_object, _make_object)
GROUP = Form("$group", _write_group, _make_group)
NAMED = Form("$named", _write_named, _make_named)
