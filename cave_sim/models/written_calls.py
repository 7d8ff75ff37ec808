"""Calls that a model wrote as text. Small models know the form of a tool call, and often not the way to send it."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from cave_sim.models.base import ToolCall

MOST_ARGUMENT_CHARS = 20_000
"""A call with longer ones is answered and not made."""


def endless(call: ToolCall) -> str:
    """Return what to answer to a call with endless arguments; "" to any other."""
    if len(call.arguments) <= MOST_ARGUMENT_CHARS:
        return ""
    return f"{len(call.arguments):,} characters of arguments; at most {MOST_ARGUMENT_CHARS:,} are taken"


def written_calls(text: str, names: Collection[str]) -> tuple[ToolCall, ...]:
    """Return the calls of a reply that is text: every JSON object in it with the name of a tool and arguments.

    Args:
        text: what the model wrote, with fences, tags or words around the objects.
        names: of the tools on offer; other objects are ignored.
    """
    parsed = [(call["name"], _arguments(call)) for call in _objects(text) if str(call.get("name")) in names]
    calls = [(name, json.dumps(arguments)) for name, arguments in parsed if isinstance(arguments, dict)]
    return tuple(ToolCall(f"written_{at}", name, arguments) for at, (name, arguments) in enumerate(calls))


def _arguments(call: Mapping[str, Any]) -> Any:
    return call.get("arguments", call.get("parameters"))


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a text, from the outermost, in order."""
    decode, at = json.JSONDecoder().raw_decode, text.find("{")
    while at >= 0:
        try:
            value, after = decode(text, at)
            yield value
        except ValueError:
            after = at + 1
        except RecursionError:  # objects without an end, as of a model that repeats itself
            return
        at = text.find("{", after)
