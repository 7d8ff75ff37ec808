"""Prompts as data: a named set of texts that agents say to models in place of their own, with its hash.

What is compared in a study is then a file, not an edit: the manifest of a run has the texts and their hash, and whoever
goes on with the run uses the same ones, whatever became of the file.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from cave_sim.determinism.canonical_json import to_json
from cave_sim.errors import WorldError, did_you_mean, nearest
from cave_sim.files.given_files import given_text, toml_of, why_unread

KEYS = {
    "identity": "who an agent is that has no character of its own; {name} stands for its name",
    "instructions": "how to act by cells",
    "reminder": "what ends a task where functions are all there is; nothing, beside instructions of one's own",
    "delivery": "what an agent that hears text alone is told beside that",
    "calls": "how to act by calls of functions",
    "powers": "what a meta-agent is told beside how to act; {handle} stands for what a handle can do",
    "resident": "how to live as a resident",
    "mayor": "what the mayor answers for",
    "plan": "the task as a day begins",
    "plan_anew": "the task when a plan no longer fits; {missed} stands for the hours",
    "answer": "the task when one is spoken to; {speaker} stands for who speaks",
    "reflect": "the task of drawing conclusions",
    "questions": "the task of asking oneself what can be concluded; {count} stands for how many questions",
    "insights": "the task of concluding from what a question brings to mind; {question} stands for it",
    "rate": "the task of saying how much memories matter",
    "hours": "the task of breaking an hour down; {hour} stands for when it begins",
}
"""Which texts a set may have. What it does not have, agents say in their own words."""

THERE = frozenset({"place", "person"})
PLACEHOLDERS: dict[str, Set[str]] = {
    "identity": {"name"},
    "powers": {"handle"},
    "resident": THERE,
    "plan": THERE,
    "plan_anew": THERE | {"missed"},
    "answer": THERE | {"speaker"},
    "questions": {"count"},
    "insights": {"question"},
    "hours": {"hour"},
}
"""What is filled in where it stands in braces, text by text."""
_BRACES = re.compile(r"\{([A-Za-z_]\w*)\}")


@dataclass(frozen=True)
class Prompts:
    """A set of texts.

    Attributes:
        name: of the set.
        texts: by key, see :data:`KEYS`.
    """

    name: str = "default"
    texts: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def hash(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of all texts."""
        return hashlib.sha256(to_json(dict(sorted(self.texts.items())))).hexdigest()[:16]

    def text(self, key: str, own: str) -> str:
        """Return the text of a key; ``own`` if the set has none."""
        return self.texts.get(key, own)

    def to_data(self) -> dict[str, Any]:
        """Return it as :meth:`of` reads it, with its hash for people."""
        return {"name": self.name, "hash": self.hash, "texts": dict(self.texts)}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Return the set that a manifest holds; raises WorldError if it is none."""
        return cls(str(data["name"]), _checked(data["texts"], "the prompts of this run"))

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Return the set of a TOML file, which is called like the file.

        Raises:
            WorldError: it cannot be read, holds something else than texts, or a placeholder is misspelt; the line names
                the file, the key and what there is.
        """
        path = Path(path)
        try:
            text = given_text(path)
            data = toml_of(text)
        except (OSError, ValueError) as error:
            reason = why_unread(error) if isinstance(error, OSError) else str(error).partition("\n")[0]
            raise WorldError(f"{path} cannot be read as prompts: {reason}") from None
        read = cls(path.stem, _checked(data, str(path)))
        for key, prompt in read.texts.items():
            _check_placeholders(key, prompt, str(path), text)
        return read


def _checked(data: Any, where: str) -> dict[str, str]:
    if not isinstance(data, Mapping) or not data:
        raise WorldError(f"{where} hold no text; there may be {', '.join(KEYS)}")
    for key, text in data.items():
        if key not in KEYS:
            raise WorldError(f"{where}: nobody says {key!r}.{did_you_mean(key, KEYS)} There may be {', '.join(KEYS)}")
        if not isinstance(text, str) or not text.strip():
            raise WorldError(f"{where}: {key} is no text")
    return dict(data)


def _check_placeholders(key: str, prompt: str, where: str, source: str) -> None:
    """Refuse what was meant to be filled in and is not: a name near a right one, or one of another text.

    Other names in braces are left alone: an example may hold Python.
    """
    there = PLACEHOLDERS.get(key, frozenset())
    elsewhere = frozenset[str]().union(*PLACEHOLDERS.values()) - there
    for name in _BRACES.findall(prompt):
        near = nearest(name, there, 0.7)
        if name in there or not (near or name in elsewhere):
            continue
        line = next(number for number, text in enumerate(source.splitlines(), start=1) if f"{{{name}}}" in text)
        hint = f"did you mean {{{near}}}? " if near else ""
        known = ", ".join(f"{{{each}}}" for each in sorted(there)) or "nothing"
        raise WorldError(f"{where}, line {line}: {key} has no {{{name}}}; {hint}Filled in is {known}")
