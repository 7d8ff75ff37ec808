"""How tools are told to a model, from the longest form to the shortest: a model that is told less can be told of more.

Tokens of the same 25 tools, by cl100k: OpenAPI, minified, signatures, menu (``docs/compact_context.md`` has them).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

Schemas = Literal["openapi", "minified", "signatures", "menu"]
CALL = 'To use a tool answer with {"name": ..., "arguments": {...}} alone. Else answer the user in words.'
SELECT = (
    'To use a tool first answer with {"select": name, "reason": ...} alone; you are shown its schema, and then call it'
    ' with {"name": ..., "arguments": {...}}. Else answer the user in words.'
)
DELEGATE = "delegate"
"""The tool that hands a query on to a larger model."""
HEADING = "\nTools:\n"
"""Between how tools are used and which there are."""
Form = Mapping[str, Any]
"""A tool in OpenAI's form: ``{"type": "function", "function": {...}}``."""
TYPES = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "array": "list", "object": "dict"}
_OBJECT = re.compile(r"\{[^{}]*\}")
_SELECT = re.compile(r'"select":\s*"(\w+)"')
_REASON = re.compile(r'"reason":\s*"((?:[^"\\]|\\.)*)"')


def tools_text(forms: Iterable[Form], schemas: Schemas) -> str:
    """Return how tools are used, and which there are."""
    write: Callable[[Iterable[Form]], str] = {
        "openapi": openapi, "minified": minified, "signatures": signatures, "menu": menu
    }[schemas]  # fmt: skip
    return f"{SELECT if schemas == 'menu' else CALL}{HEADING}{write(forms)}"


def selection(text: str) -> tuple[str, str] | None:
    """Return the tool that a reply to a menu selects, and why; None if it selects none."""
    for match in _OBJECT.finditer(text):
        if selected := _SELECT.search(match[0]):
            reason = _REASON.search(match[0])
            return selected[1], reason[1] if reason else ""
    return None


def openapi(forms: Iterable[Form]) -> str:
    """Return tools as schemas are commonly published: indented JSON, every part of it explained."""
    return json.dumps([_spelled_out(form) for form in forms], indent=2)


def minified(forms: Iterable[Form]) -> str:
    """Return tools as JSON without white space, with no more than a call needs (§3.3 of the paper)."""
    return "\n".join(json.dumps(_needed(form), separators=(",", ":")) for form in forms)


def signatures(forms: Iterable[Form]) -> str:
    """Return tools as Python signatures with a comment each."""
    return "\n".join(f"{signature(form)}  # {form['function']['description']}" for form in forms)


def signature(form: Form) -> str:
    """Return ``name(argument: type, other: type = None)``."""
    parameters = form["function"]["parameters"]
    text = (
        f"{name}: {TYPES.get(str(schema.get('type')), 'Any')}{'' if name in parameters['required'] else ' = None'}"
        for name, schema in parameters["properties"].items()
    )
    return f"{form['function']['name']}({', '.join(text)})"


def menu(forms: Iterable[Form]) -> str:
    """Return names and one line each: what a model selects from before it is shown the one schema that it needs."""
    return "\n".join(f"{form['function']['name']}: {form['function']['description']}" for form in forms)


def _needed(form: Form) -> Form:
    function = form["function"]
    properties = {name: {"type": schema.get("type")} for name, schema in function["parameters"]["properties"].items()}
    parameters = {"properties": properties, "required": function["parameters"]["required"]}
    return {"name": function["name"], "description": function["description"], "parameters": parameters}


def _spelled_out(form: Form) -> Form:
    function = form["function"]
    fields = {
        name: {**schema, "description": f"The {name.replace('_', ' ')} that the function is called with."}
        for name, schema in function["parameters"]["properties"].items()
    }
    parameters = {**function["parameters"], "properties": fields}
    return {"type": "function", "function": {**function, "parameters": parameters}}
