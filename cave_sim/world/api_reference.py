"""The API reference that a mind reads: Python signatures with a comment each, the shortest form that models know.

A tool as a signature costs 24 tokens where its JSON schema costs 72 to 125.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import Any

import pydantic

from cave_sim.entity.builtin_entities import Shared
from cave_sim.entity.entity import Entity
from cave_sim.entity.field import Field
from cave_sim.entity.preparation import fields_of, types_of
from cave_sim.entity.types import ValueType
from cave_sim.entity.undo_log import MISSING
from cave_sim.entity.visibility import SELF
from cave_sim.errors import WorldError
from cave_sim.policy.permissions import EVERYTHING
from cave_sim.world.effects import FUNCTION_TYPES, EffectTool
from cave_sim.world.plain_forms import plain_forms
from cave_sim.world.registry import HIDDEN
from cave_sim.world.signatures import comment, keyword, signature
from cave_sim.world.state import WorldState
from cave_sim.world.tool_reference import BUDGET_CHARS, EFFECTS_NOTE, is_known_by_heart, tool_text
from cave_sim.world.tools import Tool, WorldBound, native
from cave_sim.world.type_text import type_text

MOST_NAMES, SOME_NAMES = 30, 10


def describe(world: WorldState, agent: str) -> str:
    """Return the reference for an agent: what there is, what it can do, and what it may write."""
    entity_names = names(world)
    return (f"# Names: {entity_names}\n\n" if entity_names else "") + api(world, agent)


def api(world: WorldState, agent: str) -> str:
    """Return the part of the reference that stays the same while entities of known classes come and go."""
    me = world.undo_log.entities.get(agent)
    parts = [] if me is None else [f"me: {type(me).__name__}  # yourself, {agent}"]
    kinds = frozenset(world.types)
    parts += [
        describe_class(kind, _described_base(kind, kinds), unreadable(world, agent, kind))
        for kind in sorted(kinds, key=_bases_first)
    ]
    parts += filter(None, [plain_forms(sorted(kinds, key=_bases_first))])
    parts += injected(world, agent)
    may = [*([f"{agent}.*"] if me is not None else []), *world.rights_of(agent).targets]
    if kinds:  # in a world without entities there is nothing to look up, and nothing to write but variables
        parts.append("# Always there: world['any name'], world.all(Class), clock, rng")
        parts.append(f"# You may write: {', '.join(may) or 'nothing directly; call methods'}")
    return "\n\n".join(parts)


def names(world: WorldState) -> str:
    """Return every entity by name and class while they are few; some and their count after that. O(classes)."""
    return "; ".join(f"{kind.__name__}: {', '.join(_some(world, kind))}" for kind in world.types)


def named_entities(world: WorldState) -> dict[str, list[str]]:
    """Return entities by class, where they are few enough to be told by name. O(classes)."""
    few = {kind: world.registry.by_type.get(kind, {}) for kind in world.types}
    return {kind.__name__: sorted(entities) for kind, entities in few.items() if 0 < len(entities) <= MOST_NAMES}


def unreadable(world: WorldState, agent: str, kind: type[Entity]) -> frozenset[str]:
    """Return the fields of a class that an agent may read of nobody: private ones of a class not its own."""
    entities, rights = world.undo_log.entities, world.rights_of(agent)
    if isinstance(entities.get(agent), kind):
        return frozenset()
    heads = (EVERYTHING, kind.__name__)
    targets = [target.partition(".")[::2] for target in (*rights.targets, *rights.readable)]
    granted = {field for head, field in targets if head in heads or isinstance(entities.get(head), kind)}
    private = {name for name, declared in fields_of(kind).items() if declared.visible_to is SELF}
    return frozenset() if "" in granted else frozenset(private - granted)


def _some(world: WorldState, kind: type[Entity]) -> list[str]:
    entities = world.registry.by_type.get(kind, {})
    if len(entities) <= MOST_NAMES:
        return sorted(entities)
    return [*islice(entities, SOME_NAMES), f"... {len(entities)} in all"]


def _described_base(kind: type[Entity], kinds: frozenset[type[Entity]]) -> type[Entity]:
    """Return the nearest class above that is described itself; what it says is not said again."""
    return next((base for base in kind.__mro__[1:] if base in kinds), Entity)


def _bases_first(kind: type[Entity]) -> tuple[int, str]:
    return len(kind.__mro__), kind.__name__


@cache
def describe_class(kind: type[Entity], base: type[Entity] = Entity, without: frozenset[str] = frozenset()) -> str:
    """Return an entity class as Python stubs: fields with type, unit, bounds, meaning; public methods with docs.

    Args:
        kind: the class.
        base: a class above it that is described elsewhere; only what differs from that is listed.
        without: fields that are not for whoever reads this.
    """
    above = fields_of(base) if base is not Entity else {}
    title = kind.__name__ if base is Entity else f"{kind.__name__}({base.__name__})"
    lines = [f"class {title}:"]
    if kind.__doc__:
        lines.append(f'    """{inspect.cleandoc(kind.__doc__).partition(chr(10))[0]}"""')
    fields = {name: declared for name, declared in fields_of(kind).items() if above.get(name) is not declared}
    lines += [
        f"    {name}: {_type_of(kind, name)}{_comment(declared)}"
        for name, declared in fields.items()
        if name not in without
    ]
    methods = [name for name in method_names(kind) if getattr(kind, name) is not getattr(base, name, None)]
    lines += [f"    {signature_text(name, getattr(kind, name))}" for name in methods]
    return "\n".join(lines)


def _type_of(kind: type[Entity], field: str) -> str:
    return type_text(types_of(kind)[field].annotation)


def method_names(kind: type[Entity]) -> list[str]:
    """Return the methods of an entity class that cells may call, those of its bases first."""
    names_in_order: dict[str, None] = {}
    for base in reversed(kind.__mro__):
        if base is not Entity and issubclass(base, Entity):
            names_in_order.update(
                dict.fromkeys(n for n, m in vars(base).items() if inspect.isfunction(m) and not n.startswith("_"))
            )
    names_in_order.pop("observe", None)
    return list(names_in_order)


def signature_text(name: str, function: Any) -> str:
    """Return ``def name(x: int) -> str  # the first line of its docstring``."""
    document = (inspect.getdoc(function) or "").partition("\n")[0]
    return f"{keyword(function)} {name}{signature(function)}" + (f"  # {document}" if document else "")


def bounds_text(declared: Field) -> str:
    """Return the bounds of a number as a reader writes them: ``0 to 1``; empty if there are none."""
    if declared.ge is not None and declared.le is not None:
        return f"{declared.ge:g} to {declared.le:g}"
    if declared.ge is not None:
        return f">= {declared.ge:g}"
    return "" if declared.le is None else f"<= {declared.le:g}"


def _comment(declared: Field) -> str:
    notes = [" ".join(filter(None, [bounds_text(declared), declared.unit])), declared.about, declared.visible_to.note]
    notes += ["read-only"] if declared.guarded else []
    text = "; ".join(filter(None, notes))
    return f"  # {text}" if text else ""


def injected(world: WorldState, agent: str) -> list[str]:
    """Return what was injected for an agent, or for everybody, with what it is about."""
    plain, effects = offered(world, agent)
    lines = [*shared(world), *map(_tool_text, plain)]
    if len(effects) < 2:
        return [*lines, *map(_tool_text, effects)]
    return [*lines, f"# {EFFECTS_NOTE}", *(_tool_text(tool, notes_effects=False) for tool in effects)]


def offered(world: WorldState, agent: str) -> tuple[list[Tool], list[Tool]]:
    """Return what was injected for an agent, or everybody: what acts at once, and what acts once its turn stands."""
    tools = [tool for key, tool in world.tools.items() if key.rpartition(".")[0] in ("", agent)]
    plain = [tool for tool in tools if not isinstance(tool.value, EffectTool)]
    return plain, [tool for tool in tools if isinstance(tool.value, EffectTool)]


def shared(world: WorldState) -> list[str]:
    """Return the values that were injected for everybody, a line each with its type and what it is about."""
    lines = []
    for name, entity in world.interpreter.shared.items():
        kind = "data" if type(entity) is Shared else type_text(types_of(entity)["value"].annotation)
        lines.append(f"{name}: {kind}{comment(entity.about)}")
    return lines


def own_variables(types: Mapping[str, str]) -> dict[str, str]:
    """Return an agent's variables without the injected functions, of which :func:`injected` tells."""
    return {name: kind for name, kind in types.items() if kind not in FUNCTION_TYPES}


def is_functions_only(world: WorldState, agent: str) -> bool:
    """Say whether functions are all that an agent is offered: no entities, no data, no objects."""
    offered = [tool for key, tool in world.tools.items() if key.rpartition(".")[0] in ("", agent)]
    routines = [tool for tool in offered if inspect.isroutine(tool.value)]
    nothing_else = not world.types and not world.interpreter.shared and agent not in world.undo_log.entities
    return bool(routines) and len(routines) == len(offered) and nothing_else


def example(world: WorldState, agent: str) -> str:
    """Return a line of code that calls the first function that was injected for an agent; "" if none was."""
    for key, tool in world.tools.items():
        if key.rpartition(".")[0] in ("", agent) and inspect.isroutine(tool.value):
            try:
                parameters = inspect.signature(tool.value).parameters.values()
            except ValueError:
                continue
            given = [each for each in parameters if each.default is each.empty and each.kind not in _REST]
            return f"print({tool.name}({', '.join(f'{each.name}={_placeholder(each.annotation)}' for each in given)}))"
    return ""


_REST = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_PLACEHOLDERS = {"int": "3", "float": "2.5", "bool": "True", "list": "[]", "dict": "{}", "tuple": "()"}


def _placeholder(annotation: Any) -> str:
    """Return a value of a type, as code."""
    return _PLACEHOLDERS.get(re.split(r"[\[|]", type_text(annotation))[0].strip(), '"..."')


def _tool_text(tool: Tool, budget_chars: int = BUDGET_CHARS, *, notes_effects: bool = True) -> str:
    """Return what is told of an injected object; of one that models know by heart, its class alone."""
    value = tool.value
    if isinstance(value, WorldBound):  # ours, and so is what it says of itself
        return f"{tool.name}: {type(value).__name__}  # {tool.about}"
    if is_known_by_heart(value):
        return f"{tool.name}: {type(value).__name__}{comment(tool.about)}"
    return tool_text(tool.name, value, tool.about, tool.values, budget_chars, notes_effects=notes_effects)


def help_text(world: WorldState, agent: str, subject: Any) -> str:
    """Return all that there is to say of an injected object, by its name or itself, or of a class of entities."""
    name = subject if type(subject) is str else None
    for key, tool in world.tools.items():
        if key.rpartition(".")[0] in ("", agent) and (tool.name == name or tool.value is native(subject)):
            return _tool_text(tool, budget_chars=0)
    entity = world.undo_log.entities.get(name) if name is not None and name[:1] != HIDDEN else None
    kind = subject if isinstance(subject, type) else type(subject if name is None else entity)
    kind = next((each for each in world.types if name in (each.__name__,)), kind)
    if kind in world.types:
        return "\n".join(
            filter(None, [describe_class(kind, without=unreadable(world, agent, kind)), plain_forms([kind])])
        )
    raise WorldError("help: takes what was injected, an entity or a class of entities, or the name of one")


def methods_text(kind: type) -> str:
    """Return the public methods of a class as stubs."""
    methods = {name: each for name, each in vars(kind).items() if inspect.isfunction(each) and not name.startswith("_")}
    return "\n".join(signature_text(name, each) for name, each in methods.items())


def json_schema(kind: type[Entity]) -> dict[str, Any]:
    """Return the JSON schema of an entity class, made by pydantic; references appear as ``{"$ref": name}`` objects."""
    if not isinstance(kind, type) or not issubclass(kind, Entity):
        raise WorldError(f"json_schema({kind!r}): takes a class of entities")
    fields: dict[str, Any] = {}
    for name, declared in fields_of(kind).items():
        field_type = types_of(kind)[name]
        annotation = field_type.annotation if isinstance(field_type, ValueType) else Any
        extra: Any = {
            key: value
            for key, value in {"unit": declared.unit, "type_text": type_text(field_type.annotation)}.items()
            if value
        }
        default = ... if declared.default is MISSING or not isinstance(field_type, ValueType) else declared.default
        fields[name] = (
            annotation,
            pydantic.Field(
                default, ge=declared.ge, le=declared.le, description=declared.about or None, json_schema_extra=extra
            ),
        )
    model = pydantic.create_model(kind.__name__, __doc__=kind.__doc__, **fields)
    schema: dict[str, Any] = model.model_json_schema()
    return schema
