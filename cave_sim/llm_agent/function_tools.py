"""A world as JSON tools: the alternative to live objects for agents that call functions.

Each public method of an entity class and each injected function is one tool in OpenAI's form; calling it is one cell.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cave_sim.entity.entity import Entity
from cave_sim.entity.preparation import resolve
from cave_sim.world.api_reference import MOST_NAMES, method_names
from cave_sim.world.effects import EffectTool
from cave_sim.world.state import WorldState
from cave_sim.world.tool_signature import ToolSignature, signature_of
from cave_sim.world.tools import native

LOOK = "look"
ENTITY = "entity"
NOTHING_ELSE: Mapping[str, Any] = {"type": "object", "properties": {}, "required": []}


@dataclass(frozen=True)
class FunctionTool:
    """One tool.

    Attributes:
        form: the tool as models are offered it, ``{"type": "function", "function": {...}}``.
        target: the callable in a cell, such as ``world[{entity!r}].dim``.
        references: arguments that name entities; a cell gets the live ones.
    """

    form: Mapping[str, Any]
    target: str
    references: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """What models call it."""
        return str(self.form["function"]["name"])

    def cell(self, arguments: Mapping[str, Any]) -> str:
        """Return the cell that makes the call; raises KeyError if the entity argument is missing.

        The callee checks the other arguments.
        """
        call_arguments = dict(arguments)
        target = self.target.format(entity=call_arguments.pop(ENTITY)) if "{entity" in self.target else self.target
        keywords = (
            f"{name}={self._literal(name, value)}" for name, value in call_arguments.items() if name.isidentifier()
        )
        return f"{target}({', '.join(keywords)})"

    def _literal(self, name: str, value: Any) -> str:
        return f"world[{value!r}]" if name in self.references and isinstance(value, str) else repr(value)


def function_tools(world: WorldState, agent: str) -> dict[str, FunctionTool]:
    """Return the tools of an agent by name: ``look`` at an entity, a tool for each method, one for each function."""
    kinds = world.types
    tools = [_look(world, kinds)] if kinds else []
    tools += [_tool_of_method(world, kind, method) for kind in kinds for method in method_names(kind)]
    for key, tool in world.tools.items():
        if key.rpartition(".")[0] in ("", agent):
            tools += _tools_of_injected(tool.name, native(tool.value), tool.about)
    return {tool.name: tool for tool in tools}


def tools_of(world: WorldState, entity: str) -> dict[str, FunctionTool]:
    """Return a tool for each method of one entity, under the method's own name."""
    kind = type(world.undo_log.entities[entity])
    tools = {}
    for method in method_names(kind):
        function = getattr(kind, method)
        signature = ToolSignature(function, resolve(inspect.get_annotations(function), kind))
        tools[method] = _tool_of_function(method, f"world[{entity!r}].{method}", signature, "")
    return tools


def _look(world: WorldState, kinds: list[type[Entity]]) -> FunctionTool:
    names = [name for kind in kinds for name in world.registry.by_type.get(kind, {})]
    return FunctionTool(
        _form(LOOK, "Show all that there is to see of one entity.", _with_entity(names, NOTHING_ELSE)),
        "world[{entity!r}].observe",
    )


def _tool_of_method(world: WorldState, kind: type[Entity], method: str) -> FunctionTool:
    function = getattr(kind, method)
    signature = ToolSignature(function, resolve(inspect.get_annotations(function), kind))
    names = sorted(world.registry.by_type.get(kind, {}))
    form = _form(f"{kind.__name__}_{method}", signature.about, _with_entity(names, signature.schema))
    return FunctionTool(form, f"world[{{entity!r}}].{method}", signature.references)


def _tools_of_injected(name: str, value: Any, about: str) -> list[FunctionTool]:
    if inspect.isroutine(value):
        return [_tool_of_function(name, name, signature_of(value), about)]
    if isinstance(value, EffectTool):
        return [_tool_of_function(name, name, value.signature, about)]
    members = inspect.getmembers(value, inspect.ismethod)
    return [
        _tool_of_function(f"{name}_{member}", f"{name}.{member}", signature_of(method), "")
        for member, method in members
        if member[0] != "_"
    ]


def _tool_of_function(name: str, target: str, signature: ToolSignature, about: str) -> FunctionTool:
    form = _form(name, about or signature.about, signature.schema)
    return FunctionTool(form, target, signature.references)


def _name_of(names: list[str]) -> dict[str, Any]:
    return {"type": "string", **({"enum": names} if len(names) <= MOST_NAMES else {"description": "name of an entity"})}


def _with_entity(names: list[str], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a method, with the entity that it is called on before them."""
    properties = {ENTITY: _name_of(names), **schema["properties"]}
    return {**schema, "properties": properties, "required": [ENTITY, *schema["required"]]}


def _form(name: str, about: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": about, "parameters": dict(schema)}}
