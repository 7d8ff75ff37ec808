"""Signatures, types and plain values as lines of Python, in which no text of somebody's passes for a word of ours."""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import json
import re
import typing
from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, ForwardRef

from cave_sim.policy.hidden_text import without_hidden

LINE_CHARS, VALUE_CHARS = 200, 60
SAID = ("description", "documentation")
"""Under which names objects beside a type keep what they say of it, as pydantic's ``Field`` and ``Doc`` do."""


def comment(text: str) -> str:
    """Return a text as ``  # text``; in quotation marks, with escapes, if it is more than one plain line."""
    text = text.strip()
    if not text:
        return ""
    return f"  # {line(text)}"


def line(text: str) -> str:
    """Return a text as one line; in quotation marks, with escapes, if it is more than one plain line."""
    plain = without_hidden(text)
    if plain != text or not text.isprintable():
        plain = json.dumps(plain, ensure_ascii=False)
    return plain if len(plain) <= LINE_CHARS else plain[:LINE_CHARS] + "…"


def shown(value: Any) -> str:
    """Return a plain and short value as code, a text in double quotation marks; "" for any other."""
    text = _literal(value, 3)
    return text if text is not None and len(text) <= VALUE_CHARS else ""


def _literal(value: Any, depth: int) -> str | None:
    if isinstance(value, enum.Enum):
        kind = type(value)
        return (
            f"{kind.__name__}.{value.name}" if value.name in kind.__members__ else f"{kind.__name__}({value.value!r})"
        )
    if type(value) is str:
        return json.dumps(without_hidden(value[: VALUE_CHARS + 1]), ensure_ascii=False)
    if value is None or type(value) in (bool, int, float):
        return repr(value) if type(value) is not int or abs(value) < 10**VALUE_CHARS else None
    if type(value) not in _BRACKETS or not depth or len(value) > VALUE_CHARS // 3:
        return None
    is_dict = type(value) is dict
    parts = [_literal(each, depth - 1) for each in (value.values() if is_dict else value)]
    keys = [_literal(key, 0) for key in value] if is_dict else []
    if None in parts or None in keys:
        return None
    pairs = [f"{key}: {part}" for key, part in zip(keys, parts, strict=True)] if is_dict else map(str, parts)
    brackets = _BRACKETS[type(value)]
    return f"{brackets[0]}{', '.join(pairs)}{',' if type(value) is tuple and len(value) == 1 else ''}{brackets[1]}"


_BRACKETS: dict[Any, str] = {list: "[]", dict: "{}", tuple: "()"}


def signature(function: Any) -> str:
    """Return ``(x: int, y=3) -> str`` without ``self``; ``(...)`` where nobody knows."""
    try:
        known = inspect.signature(function)
    except (TypeError, ValueError):
        return "(...)"
    parts: list[str] = []
    names = names_in(function)
    parameters = [each for at, each in enumerate(known.parameters.values()) if at or each.name not in ("self", "cls")]
    stars: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    for at, each in enumerate(parameters):
        if at and parameters[at - 1].kind is each.POSITIONAL_ONLY is not each.kind:
            parts.append("/")
        if each.kind is each.KEYWORD_ONLY and not any(other.kind in (2, 3) for other in parameters[:at]):
            parts.append("*")
        if each.name.startswith("_"):
            if each.default is each.empty and each.kind not in stars:
                parts.append("...")
            continue
        text = f"{stars.get(each.kind, '')}{each.name}"
        typed = each.annotation is not each.empty
        text += f": {type_text(resolved(each.annotation, names))}" if typed else ""
        if each.default is not each.empty:
            default = shown(each.default) or "..."
            text += f" = {default}" if typed else f"={default}"
        parts.append(text)
    if parameters and parameters[-1].kind is inspect.Parameter.POSITIONAL_ONLY:
        parts.append("/")
    returned = resolved(known.return_annotation, names)
    return f"({', '.join(parts)}){'' if returned is known.empty else f' -> {type_text(returned)}'}"


def names_in(function: Any) -> Mapping[str, Any]:
    """Return what the names in a function's annotations stand for: those of its module."""
    names = getattr(unwrapped(getattr(function, "func", function)), "__globals__", None)
    return names if isinstance(names, dict) else {}


def unwrapped(function: Any) -> Any:
    """Return what a decorator's function stands for; itself where that goes round in a circle."""
    try:
        return inspect.unwrap(function)
    except ValueError:
        return function


def resolved(annotation: Any, names: Mapping[str, Any]) -> Any:
    """Return what an annotation says that was kept as text, as by ``from __future__ import annotations``.

    It is read and never run, since it may be a cell's: names are looked up, and what says nothing else stays text.
    """
    text = annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation
    if not isinstance(text, str):
        return annotation
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return text
    if isinstance(tree, ast.Name):
        found = names.get(tree.id)
        is_type = issubclass(type(found), type | UnionType | typing.TypeVar) or typing.get_origin(found) is not None
        return found if is_type else text
    if not isinstance(tree, ast.Subscript):
        return text
    head = ast.unparse(tree.value).rpartition(".")[2]
    if head == "InitVar":
        return dataclasses.InitVar(resolved(ast.unparse(tree.slice), names))
    if head == "Annotated" and isinstance(tree.slice, ast.Tuple):
        first, *notes = tree.slice.elts
        return Annotated[resolved(ast.unparse(first), names), *_texts_of(notes), None]
    return text


def _texts_of(notes: list[ast.expr]) -> Iterator[str]:
    """Yield the texts among what is said of a type, those that are handed to something's maker, too."""
    for note in notes:
        given = [each.value for each in note.keywords if each.arg in SAID] if isinstance(note, ast.Call) else [note]
        if isinstance(note, ast.Call) and ast.unparse(note.func).rpartition(".")[2] == "Doc":
            given += note.args
        yield from (each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str))


def type_text(annotation: Any) -> str:
    """Return a type as a reader writes it, ``list[Resident]``, ``Place | None``, in one line and with no address."""
    if typing.get_origin(annotation) is Annotated:
        annotation = typing.get_args(annotation)[0]
    if isinstance(annotation, ForwardRef):
        annotation = annotation.__forward_arg__
    if isinstance(annotation, dataclasses.InitVar):
        return f"InitVar[{type_text(annotation.type)}]"
    if isinstance(annotation, type) and not typing.get_origin(annotation):
        return annotation.__name__
    if typing.get_origin(annotation) is None and type(annotation).__module__ not in ("typing", "types", "builtins"):
        return type(annotation).__name__  # an object of somebody's class, whose text is its own
    text = re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", str(annotation).replace("typing.", ""))
    text = re.sub(r"(?<![\w'\"])~(?=\w)", "", text)  # how a type variable writes itself
    return "..." if " at 0x" in text else line(text)


def said_of(annotation: Any) -> str:
    """Return what a type says in words of what has it, as ``Annotated[int, "in cents"]``; "" where it says nothing."""
    said = (
        each if isinstance(each, str) else next((text for name in SAID if (text := getattr(each, name, None))), None)
        for each in getattr(annotation, "__metadata__", ())
    )
    return next((each.strip().partition("\n")[0] for each in said if isinstance(each, str) and each.strip()), "")


def keyword(function: Any) -> str:
    """Return the word that a definition of a function begins with."""
    return "async def" if inspect.iscoroutinefunction(function) else "def"
