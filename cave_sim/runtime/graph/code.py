"""Forms of what cells define and hand about: functions with defaults and closures, methods, partials, properties.

A function is written as the statement of the cell that made it, and which of the statement's functions it is; reading
it back compiles the statement, under the gate, and runs none of it: defaults, closures and attributes are values.
"""

from __future__ import annotations

import functools
import operator
import types
import typing
from typing import Any

from cave_sim.entity.entity import Entity
from cave_sim.policy.attributes import ALLOWED, UNBOUND, entity_names
from cave_sim.policy.getters import AttributeGetter, MethodCaller, TextFormat, UnboundMethod
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES
from cave_sim.policy.libraries.class_tools import ORDERINGS
from cave_sim.policy.libraries.managers import managing
from cave_sim.runtime.cell import Statement
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See


def write_function(function: Any, see: See, origin: tuple[Statement, int]) -> Any:
    """Return the form of a function that a cell defined.

    Args:
        function: the function.
        see: see :data:`~cave_sim.runtime.graph.node.See`.
        origin: the statement that made it, and its number among the functions of that statement.
    """
    statement, number = origin
    content: dict[str, Any] = {"in": see(statement), "number": number, "name": function.__qualname__}
    if function.__name__ != function.__code__.co_name:
        content["short"] = function.__name__
    if function.__defaults__:
        content["defaults"] = [see(value) for value in function.__defaults__]
    if function.__kwdefaults__:
        content["options"] = [[name, see(value)] for name, value in function.__kwdefaults__.items()]
    if function.__closure__:
        content["closure"] = [see(cell) for cell in function.__closure__]
    if function.__doc__ != _docstring(function.__code__):
        content["doc"] = see(function.__doc__)
    if function.__dict__:
        content["attributes"] = [[name, see(item)] for name, item in function.__dict__.items()]
    return content


def _docstring(code: types.CodeType) -> Any:
    first = code.co_consts[0] if code.co_consts else None
    return first if isinstance(first, str) else None


def _make_function(content: Any, reader: Any) -> Any:
    statement = reader.read(content["in"])
    if type(statement) is not Statement or type(content["number"]) is not int or content["number"] < 0:
        raise Malformed("a function without its statement")
    code = reader.surroundings.functions(statement.source)[content["number"]]
    closure = tuple(reader.read(cell) for cell in content.get("closure", ()))
    function: Any = types.FunctionType(code, reader.surroundings.globals, None, None, closure or None)
    function.__qualname__ = content["name"]
    function.__name__ = content.get("short", code.co_name)

    def fill() -> None:
        if "defaults" in content:
            function.__defaults__ = tuple(map(reader.read, content["defaults"]))
        if "options" in content:
            function.__kwdefaults__ = {str(name): reader.read(value) for name, value in content["options"]}
        if "doc" in content:
            function.__doc__ = reader.read(content["doc"])
        for name, value in content.get("attributes", ()):
            function.__dict__[str(name)] = reader.read(value)

    reader.later(fill)
    return function


def _make_cell(content: Any, reader: Any) -> Any:
    cell = types.CellType()
    if content:
        (value,) = content

        def fill() -> None:
            cell.cell_contents = reader.read(value)

        reader.later(fill)
    return cell


def _write_cell(cell: types.CellType, see: See) -> Any:
    try:
        return [see(cell.cell_contents)]
    except ValueError:  # a name that is not bound yet
        return []


def _write_partial(value: functools.partial[Any], see: See) -> Any:
    return [see(value.func), see(value.args), [[name, see(item)] for name, item in value.keywords.items()]]


def _make_partial(content: Any, reader: Any) -> Any:
    function, args, options = content
    return functools.partial(
        reader.callable(function), *reader.read(args), **{str(name): reader.read(item) for name, item in options}
    )


def _write_method(method: types.MethodType, see: See) -> Any:
    return [see(method.__func__), see(method.__self__)]


def _make_method(content: Any, reader: Any) -> Any:
    function, holder = map(reader.read, content)
    if not isinstance(function, types.FunctionType):
        raise Malformed("a method of no function")
    return types.MethodType(function, holder)


def _holder_of(method: Any) -> Any:
    """Return what a method is of: a value, or of ``str.lower`` the class."""
    is_of_class = isinstance(method, types.MethodDescriptorType)
    return method.__objclass__ if is_of_class else getattr(method, "__self__", None)


def write_bound(value: Any, see: See) -> Any:
    """Return the form of a method that the language or the world has, as ``words.append`` and ``str.lower``."""
    return [see(_holder_of(value)), value.__name__]


def _make_bound(content: Any, reader: Any) -> Any:
    holder, name = reader.read(content[0]), content[1]
    if type(name) is not str or name.startswith("_") or not _may_call(holder, name):
        raise Malformed(f"{name!r} is no method for cells")
    return getattr(holder, name)


def _may_call(holder: Any, name: str) -> bool:
    if isinstance(holder, Entity):
        return name in entity_names(type(holder))
    return name in ALLOWED.get(type(holder), ()) or (isinstance(holder, type) and name in UNBOUND.get(holder, ()))


def is_bound(value: Any) -> bool:
    """Say whether a value is a method of something, which cells may call."""
    holder = _holder_of(value)
    if holder is None or isinstance(holder, types.ModuleType):
        return False
    return type(value.__name__) is str and _may_call(holder, value.__name__)


def _write_cached(value: Any, see: See) -> Any:
    parameters = value.cache_parameters()
    return [see(value.__wrapped__), parameters["maxsize"], parameters["typed"]]


def _make_cached(content: Any, reader: Any) -> Any:
    function, most, typed = content
    return functools.lru_cache(most, bool(typed))(reader.callable(function))


def _make_property(content: Any, reader: Any) -> Any:
    return property(*map(reader.read, content))


def _make_itemgetter(content: Any, reader: Any) -> Any:
    return operator.itemgetter(*map(reader.read, content))


def _make_attribute_getter(content: Any, reader: Any) -> Any:
    return _of_operator("attrgetter", reader)(*map(reader.read, content))


def _make_method_caller(content: Any, reader: Any) -> Any:
    name, args, options = map(reader.read, content)
    return _of_operator("methodcaller", reader)(name, *args, **options)


def _make_text_format(content: Any, reader: Any) -> Any:
    text, name = content
    if type(text) is not str or name not in ("format", "format_map"):
        raise Malformed("no format of a text")
    return reader.surroundings.names.at(["getattr"])(text, name)


def _make_unbound_method(content: Any, reader: Any) -> Any:
    kind, name = map(reader.read, content)
    if not isinstance(kind, type) or type(name) is not str:
        raise Malformed("no method of a class")
    return reader.surroundings.names.at(["getattr"])(kind, name)


def _of_operator(name: str, reader: Any) -> Any:
    """Return what the module ``operator`` of the world makes such objects by: it has the guard."""
    return reader.surroundings.names.at(["operator", name])


def _write_generic(value: Any, see: See) -> Any:
    return [see(typing.get_origin(value)), [see(part) for part in typing.get_args(value)]]


def _make_generic(content: Any, reader: Any) -> Any:
    origin, parts = reader.read(content[0]), tuple(map(reader.read, content[1]))
    if not isinstance(origin, type):
        raise Malformed("a generic of no class")
    return types.GenericAlias(origin, parts)


def _write_typing(value: Any, see: See) -> Any:
    """Return the form of what a name of ``typing`` was given parts, which is not equal to the builtin's own."""
    name = "Union" if typing.get_origin(value) is typing.Union else value.__name__
    return [name, [None if part is type(None) else see(part) for part in value.__args__]]


def _make_typing(content: Any, reader: Any) -> Any:
    name, parts = content[0], tuple(map(reader.read, content[1]))
    if name == "Callable":
        return typing.Callable[parts[0] if parts[0] is ... else list(parts[:-1]), parts[-1]]
    if name not in GENERICS:
        raise Malformed("a name of typing that takes no parts")
    return getattr(typing, name)[parts[0] if len(parts) == 1 else parts]


def _write_union(value: Any, see: See) -> Any:
    return [None if part is type(None) else see(part) for part in value.__args__]


def _make_union(content: Any, reader: Any) -> Any:
    first, *others = map(reader.read, content)
    for other in others:
        first = first | other
    return first


def _make_statement(content: Any, _reader: Any) -> Any:
    if type(content) is not str:
        raise Malformed("a statement is a text")
    return Statement(content)


def _write_manager(function: Any, see: See) -> Any:
    return see(function.__wrapped__)


def _make_manager(content: Any, reader: Any) -> Any:
    return managing(reader.callable(content))


def is_ordering(function: Any) -> bool:
    """Say whether a function is one that ``total_ordering`` gives to classes."""
    return id(function) in _ORDERINGS


def _make_ordering(content: Any, _reader: Any) -> Any:
    return ORDERINGS[tuple(content)]


_ORDERINGS = {id(function): list(key) for key, function in ORDERINGS.items()}


GENERICS: frozenset[str] = frozenset(
    name
    for name in typing.__all__
    if isinstance(getattr(typing, name), (type(typing.List), type(typing.Tuple)))  # noqa: UP006
) | {"ClassVar", "Final", "Optional", "Union"}
"""The names of ``typing`` that take parts as a class does."""
_OF_TYPING = (typing.List[int], typing.Optional[int], typing.Callable[[int], int])  # noqa: UP006, UP045
FUNCTION = "$function"
STATEMENT = "$statement"
MANAGER = Form("$manager", _write_manager, _make_manager)
BOUND = Form("$bound", write_bound, _make_bound)
ORDERING = Form("$ordering", lambda function, _see: _ORDERINGS[id(function)], _make_ordering)
BY_KIND: dict[type, Form] = {
    Statement: Form(STATEMENT, lambda value, see: value.source, _make_statement),
    types.CellType: Form("$cell", _write_cell, _make_cell),
    types.MethodType: Form("$method", _write_method, _make_method),
    functools.partial: Form("$partial", _write_partial, _make_partial),
    type(functools.cache(len)): Form("$cached", _write_cached, _make_cached),
    property: Form("$property", lambda value, see: [see(value.fget), see(value.fset), see(value.fdel)], _make_property),
    staticmethod: Form("$static", lambda value, see: see(value.__func__),
                       lambda content, reader: staticmethod(reader.read(content))),
    classmethod: Form("$classmethod", lambda value, see: see(value.__func__),
                      lambda content, reader: classmethod(reader.read(content))),
    operator.itemgetter: Form("$itemgetter", lambda value, see: [see(part) for part in value.__reduce__()[1]],
                              _make_itemgetter),
    TextFormat: Form("$format", lambda value, see: value.kept_as(), _make_text_format),
    AttributeGetter: Form("$attrgetter", lambda value, see: list(map(see, value.kept_as())), _make_attribute_getter),
    MethodCaller: Form("$methodcaller", lambda value, see: list(map(see, value.kept_as())), _make_method_caller),
    UnboundMethod: Form("$unbound", lambda value, see: list(map(see, value.kept_as())), _make_unbound_method),
    typing.TypeVar: Form("$typevar", lambda value, _: value.__name__, lambda content, _: typing.TypeVar(content)),
    types.GenericAlias: Form("$generic", _write_generic, _make_generic),
    types.UnionType: Form("$union", _write_union, _make_union),
    **dict.fromkeys(map(type, _OF_TYPING), Form("$typing", _write_typing, _make_typing)),
}  # fmt: skip
"""Exact type -> form."""
MAKERS = {form.tag: form.make for form in (*BY_KIND.values(), BOUND, MANAGER, ORDERING)} | {FUNCTION: _make_function}


def check_own(kind: Any) -> type:
    """Return a class if a cell defined it; raises Malformed otherwise."""
    if not isinstance(kind, type) or kind not in OWN_CLASSES:
        raise Malformed("an object of no class that cells defined")
    return kind
