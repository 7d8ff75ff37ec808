"""Templates by name: those that come along, and those that a model or a person registers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import CodeType
from typing import Any

from jinja2 import nodes
from pydantic import BaseModel

from cave_sim.rendering import document_types
from cave_sim.rendering.environment import compiled, guarded, parsed, variables
from cave_sim.rendering.limits import LIMITS, RenderError, RenderLimits
from cave_sim.rendering.schemas import json_schema, schema_of, takes

NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
FORMATS = ("html", "markdown", "latex", "docx", "json")
MOST_TEMPLATES = 200


@dataclass(frozen=True)
class DocumentTemplate:
    """A template of documents.

    Attributes:
        name: under which it is found.
        source: its text.
        schema: what its data must look like.
        about: one line for whoever looks for a template.
        tree: the text as it was read and checked.
        codes: of it by format, each made when it is first needed.
    """

    name: str
    source: str
    schema: type[BaseModel]
    about: str
    tree: nodes.Template = field(repr=False)
    codes: dict[str, CodeType] = field(default_factory=dict, repr=False, compare=False)

    def code(self, format_: str) -> CodeType:
        """Return its code for a format."""
        if format_ not in self.codes:
            self.codes[format_] = guarded(lambda: compiled(self.tree, format_))
        return self.codes[format_]

    @property
    def sha256(self) -> str:
        """Digest of its text."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    def to_data(self) -> dict[str, Any]:
        """Return what somebody needs to know who wants to use it."""
        return {
            "name": self.name,
            "about": self.about,
            "takes": takes(self.schema),
            "schema": json_schema(self.schema),
            "variables": variables(self.tree),
            "sha256": self.sha256,
            "formats": list(FORMATS),
        }


class TemplateRegistry:
    """Knows templates by name; those that come along are there from the start, and stay as they are.

    Args:
        limits: what a template and a rendering may take.
    """

    def __init__(self, limits: RenderLimits = LIMITS) -> None:
        self.limits = limits
        self._own: dict[str, DocumentTemplate] = {}

    def register(
        self, name: str, source: str, schema: Mapping[str, Any] | type[BaseModel], about: str = ""
    ) -> DocumentTemplate:
        """Take in a template, after reading and checking it; one of the same name gives way.

        Args:
            name: lower-case letters, digits and underscores.
            source: its text, in the part of Jinja2 that :mod:`cave_sim.rendering.environment` leaves.
            schema: of its data: a JSON schema of an object, or a pydantic model.
            about: one line for whoever looks for a template.

        Raises:
            RenderError: the name is none, or taken by one that comes along; the template is forbidden or unreadable.
        """
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise RenderError("template", f"{str(name)[:80]!r}: a template's name is lower-case letters, digits and _")
        if name in built_in():
            raise RenderError("template", f"{name!r} comes along, and stays as it is; choose another name")
        if len(self._own) >= MOST_TEMPLATES and name not in self._own:
            raise RenderError("limit", f"there are {MOST_TEMPLATES} templates already")
        kind = schema if isinstance(schema, type) else schema_of(name, schema)
        template = DocumentTemplate(name, source, kind, about[:200], parsed(source, self.limits))
        template.code("html")  # what cannot be compiled is said now
        self._own[name] = template
        return template

    def __getitem__(self, name: str) -> DocumentTemplate:
        template = self._own.get(name) or built_in().get(name)
        if template is None:
            raise RenderError("template", f"there is no template {name!r}; there are {', '.join(self)}")
        return template

    def __iter__(self) -> Any:
        return iter(sorted({*built_in(), *self._own}))

    def __len__(self) -> int:
        return len({*built_in(), *self._own})

    def list(self) -> list[dict[str, Any]]:
        """Return what there is, as plain data, by name."""
        return [self[name].to_data() for name in self]


@cache
def built_in() -> Mapping[str, DocumentTemplate]:
    """Return the templates that come along."""
    folder = files("cave_sim.rendering") / "templates"
    templates = {}
    for name, schema in document_types.BY_NAME.items():
        source = (folder / f"{name}.j2").read_text(encoding="utf-8")
        about = (schema.__doc__ or "").splitlines()[0]
        templates[name] = DocumentTemplate(name, source, schema, about, parsed(source))
    return templates
