"""The tools that a system message tells of, read back from it: which there are, and the message with others.

What :mod:`cave_sim.llm_agent.tool_texts` writes, this reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from cave_sim.llm_agent.tool_texts import CALL, HEADING, SELECT, TYPES, Schemas

_END = "\n\n"
_SIGNATURE = re.compile(r"(\w+)\((.*)\)  # ")
_ARGUMENT = re.compile(r"(\w+): (\w+)( = None)?")
_MENU = re.compile(r"(\w+): ")
_JSON_TYPES = {own: name for name, own in TYPES.items()}


@dataclass(frozen=True)
class ToolListing:
    """Tools as one system message tells of them.

    Attributes:
        schemas: in which form; ``offered`` beside the messages, as JSON.
        entries: each tool's name and text, in order.
        before, after: what stands around them.
    """

    schemas: Schemas | Literal["offered"]
    entries: tuple[tuple[str, str], ...]
    before: str
    after: str

    @property
    def names(self) -> list[str]:
        """The tools' names, in order."""
        return [name for name, _ in self.entries]

    @property
    def text(self) -> str:
        """The system message; of tools that are offered beside it, their JSON."""
        texts = [text for _, text in self.entries]
        if self.schemas == "offered":
            return f"[{','.join(texts)}]"
        if self.schemas == "openapi":
            texts = [json.dumps([json.loads(text) for text in texts], indent=2)]
        return "".join([self.before, "\n".join(texts), self.after])

    def of(self, entries: Iterable[tuple[str, str]]) -> ToolListing:
        """Return the same message with other tools."""
        return replace(self, entries=tuple(entries))

    def parameters(self, name: str) -> Mapping[str, Any] | None:
        """Return ``properties`` and ``required`` of a tool; None where it is not told, as in a menu."""
        text = dict(self.entries).get(name)
        return None if text is None or self.schemas == "menu" else parameters_of(text)


def listing_of(system: str) -> ToolListing | None:
    """Return the tools of a system message; None if it tells of none, or in no form that we write."""
    begin = system.find(HEADING)
    selects = SELECT in system[:begin]
    if begin < 0 or not (selects or CALL in system[:begin]):
        return None
    begin += len(HEADING)
    end = system.find(_END, begin)
    listing = system[begin:] if end < 0 else system[begin:end]
    try:
        schemas, entries = _menu(listing) if selects else _in_full(listing)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return ToolListing(schemas, tuple(entries), system[:begin], "" if end < 0 else system[end:])


def offered(forms: Iterable[Mapping[str, Any]]) -> ToolListing:
    """Return tools that a request offers beside its messages, in OpenAI's form."""
    texts = ((str(form["function"]["name"]), json.dumps(form, separators=(",", ":"))) for form in forms)
    return ToolListing("offered", tuple(texts), "", "")


def without_listing(text: str) -> str:
    """Return a system message without its tools; any other text as it is."""
    listed = listing_of(text) if HEADING in text else None
    return text if listed is None else listed.before + listed.after


def parameters_of(text: str) -> Mapping[str, Any]:
    """Return ``properties`` and ``required`` of a tool's schema or signature; raises ValueError if it is neither."""
    if signed := _SIGNATURE.match(text):
        arguments = list(_ARGUMENT.finditer(signed[2]))
        properties = {each[1]: {"type": _JSON_TYPES.get(each[2])} for each in arguments}
        return {"properties": properties, "required": [each[1] for each in arguments if not each[3]]}
    form = json.loads(text)
    try:
        parameters: Mapping[str, Any] = form.get("function", form)["parameters"]
        schemas = dict(parameters["properties"]).items()
        properties = {str(each): schema if isinstance(schema, dict) else {} for each, schema in schemas}
        return {"properties": properties, "required": [str(name) for name in parameters["required"]]}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no schema of a tool: {error}") from None


def _menu(listing: str) -> tuple[Schemas, list[tuple[str, str]]]:
    return "menu", [(_matched(_MENU, line)[1], line) for line in listing.splitlines()]


def _in_full(listing: str) -> tuple[Schemas, list[tuple[str, str]]]:
    if listing.startswith("["):
        return "openapi", [(str(form["function"]["name"]), json.dumps(form)) for form in json.loads(listing)]
    if listing.startswith("{"):
        return "minified", [(str(json.loads(line)["name"]), line) for line in listing.splitlines()]
    return "signatures", [(_matched(_SIGNATURE, line)[1], line) for line in listing.splitlines()]


def _matched(pattern: re.Pattern[str], line: str) -> re.Match[str]:
    match = pattern.match(line)
    if match is None:
        raise ValueError(f"{line!r} tells of no tool")
    return match
