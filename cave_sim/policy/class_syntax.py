"""What is asked of classes and patterns of a cell, and how private names get their class's name."""

from __future__ import annotations

import ast
import copy
from typing import Any

from cave_sim.policy.syntax import CLASS_METHODS, GuardName, load


def rename_private(node: ast.ClassDef) -> None:
    """Give names as ``__items`` the name of their class, before guards look at them; leave ``__slots__`` away.

    Python does it when it compiles (name mangling), too late for names that a guard is handed as texts.
    """
    own = node.name.lstrip("_")
    waiting: list[ast.AST] = [*node.body] if own else []
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.ClassDef):  # what is in it gets its own name in turn
            waiting += (*part.bases, *part.decorator_list)
            continue
        for field in ("attr", "id", "arg", "name", "rest"):
            name = getattr(part, field, None)
            if isinstance(name, str) and name.startswith("__") and not name.endswith("__"):
                setattr(part, field, f"_{own}{name}")
        waiting += ast.iter_child_nodes(part)
    node.body = [statement for statement in node.body if not _declares_slots(statement)] or [_nothing(node)]


def registered(decorator: ast.expr, arguments: ast.arguments) -> ast.expr:
    """Return ``@show.register`` as ``@show.register(int)`` where ``show`` dispatches: by the first annotation.

    Annotations of functions go no further than the gate. Whether it dispatches is asked when the function is defined:
    others have decorators of this name.
    """
    annotated = (each.annotation for each in (*arguments.posonlyargs, *arguments.args) if each.annotation is not None)
    annotation = next(annotated, None)
    if not isinstance(decorator, ast.Attribute) or decorator.attr != "register" or annotation is None:
        return decorator
    if any(not isinstance(part, (ast.Name, ast.Attribute, ast.Load)) for part in ast.walk(decorator)):
        return decorator
    asked, called = copy.deepcopy(decorator.value), copy.deepcopy(decorator)
    registering = ast.Call(called, [annotation], [])
    return ast.copy_location(ast.IfExp(ast.copy_location(ast.Call(load("_dispatches_"), [asked], []), decorator),
                                       ast.copy_location(registering, decorator), decorator), decorator)  # fmt: skip


def is_abstract_class(node: ast.ClassDef) -> bool:
    """Say whether a class has no other keyword than ``metaclass=ABCMeta``, for which ABC stands in cells."""
    match node.keywords:
        case [ast.keyword("metaclass", ast.Name("ABCMeta") | ast.Attribute(attr="ABCMeta"))]:
            return True
    return False


def settle_statements(node: ast.ClassDef) -> None:
    """Keep annotations, which dataclasses read, and let a special method have another's name too: ``__str__ = ...``."""
    for statement in node.body:
        match statement:
            case ast.AnnAssign():
                statement.keeps_annotation = True  # type: ignore[attr-defined]
            case ast.Assign([ast.Name(one)], ast.Name(other)) if {one, other} <= CLASS_METHODS:
                statement.targets, statement.value = [GuardName(one, ast.Store())], load(other)


def _declares_slots(statement: ast.stmt) -> bool:
    """Objects of cells are numbered in their ``__dict__``, so they have one in any case."""
    match statement:
        case ast.Assign([ast.Name("__slots__")]) | ast.AnnAssign(ast.Name("__slots__")):
            return True
    return False


def _nothing(node: ast.ClassDef) -> ast.Pass:
    return ast.copy_location(ast.Pass(), node)


def patterns_of(node: ast.Match) -> list[ast.pattern]:
    """Return every pattern of a match statement, those inside others too."""
    patterns: list[ast.pattern] = []
    waiting: list[Any] = [case.pattern for case in node.cases]
    while waiting:
        pattern = waiting.pop()
        if isinstance(pattern, ast.pattern):
            patterns.append(pattern)
            waiting += ast.iter_child_nodes(pattern)
    return patterns
