"""``string.Template`` in a cell: a text with places to fill in, and no longer than any other when they are."""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import Any

from cave_sim.diagnostics.plurals import article
from cave_sim.entity.values import LIMITS
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.addresses import without_addresses
from cave_sim.policy.libraries.kept_classes import kept_class

MAX_FILLED_CHARS = 5_000_000


@kept_class("template")
class Template:
    """``string.Template``: ``Template("Dear $name").substitute(name="Ann")``."""

    __slots__ = ("template",)

    def __init__(self, template: str) -> None:
        self.template: str = _checked(template)

    def substitute(self, mapping: Any = None, /, **kws: Any) -> str:
        """Return the text with every place filled in; raises KeyError for what is missing."""
        return self._filled(mapping, kws, is_safe=False)

    def safe_substitute(self, mapping: Any = None, /, **kws: Any) -> str:
        """Return the text with the places filled in for which there is something."""
        return self._filled(mapping, kws, is_safe=True)

    def is_valid(self) -> bool:
        """Say whether every dollar is that of a place, or doubled."""
        return all(match["invalid"] is None for match in self._matches())

    def get_identifiers(self) -> list[str]:
        """Return the names of the places, each once, in their order."""
        return list(dict.fromkeys(self._names()))

    def _filled(self, mapping: Any, named: dict[str, Any], *, is_safe: bool) -> str:
        length, values = len(_checked(self.template)), {}
        for name in self._names(until_invalid=not is_safe):
            if name not in values:
                value = self._found(name, mapping, named, is_safe=is_safe)
                if value is None:
                    continue
                values[name] = value
            length += len(values[name])
            if length > MAX_FILLED_CHARS:
                raise Blocked(f"Template: a text of more than {MAX_FILLED_CHARS:,} characters")
        template = string.Template(self.template)
        return without_addresses((template.safe_substitute if is_safe else template.substitute)(values))

    def _found(self, name: str, mapping: Any, named: dict[str, Any], *, is_safe: bool) -> str | None:
        try:
            return str(named[name] if name in named or mapping is None else mapping[name])
        except KeyError:
            if is_safe:
                return None
            raise

    def _names(self, *, until_invalid: bool = False) -> Iterator[str]:
        for match in self._matches():
            if until_invalid and match["invalid"] is not None:
                return
            if name := match["named"] or match["braced"]:
                yield name

    def _matches(self) -> Any:
        return string.Template.pattern.finditer(_checked(self.template))


def _checked(template: Any) -> str:
    if not isinstance(template, str):
        raise TypeError(f"a Template is made of a text, not {article(type(template).__name__)}")
    if len(template) > LIMITS.text_chars:
        raise Blocked(f"a Template has at most {LIMITS.text_chars:,} characters")
    return template
