"""How tools are told to a model, from the longest form to the shortest: a model that is told less can be told of more.

Tokens of the same 25 tools, by cl100k: OpenAPI, minified, signatures, menu (``docs/compact_context.md`` has them).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

Form = Mapping[str, Any]
"""A tool in OpenAI's form: ``{"type": "function", "function": {...}}``."""
_TYPES = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "array": "list", "object": "dict"}


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
    told = (
        f"{name}: {_TYPES.get(str(schema.get('type')), 'Any')}{'' if name in parameters['required'] else ' = None'}"
        for name, schema in parameters["properties"].items()
    )
    return f"{form['function']['name']}({', '.join(told)})"


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
    told = {
        name: {**schema, "description": f"The {name.replace('_', ' ')} that the function is called with."}
        for name, schema in function["parameters"]["properties"].items()
    }
    parameters = {"type": "object", "properties": told, "required": function["parameters"]["required"]}
    return {"type": "function", "function": {**function, "parameters": parameters}}
