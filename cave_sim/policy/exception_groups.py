"""``except*`` in a cell, written out as an ``except`` whose groups are split by hand.

Python gathers whatever its handlers raise into a group, what ends a turn too: a handler further out could catch that.
Here each handler stands in a ``try`` of its own, from which only what cells may catch goes into the group.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.error_groups import expect_bounded
from cave_sim.policy.libraries.error_texts import settled
from cave_sim.policy.syntax import Fixed, GuardName, OwnHandler, at, call, load

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def written_out(node: Any, number: int) -> ast.ExceptHandler:
    """Return the ``except`` that stands for all handlers of a ``try`` with ``except*``.

    Args:
        node: the statement.
        number: tells its names from those of others in the cell.
    """
    split_name = f"_held{number}_"
    body: list[ast.stmt] = [_bind(split_name, call("_split_", node, _name(split_name)), node)]
    for handler in node.handlers:
        asked = call("_takes_", handler, _name(split_name), handler.type)
        body += [at(ast.If(asked, [_handled(handler, number)], []), handler)]
    body.append(at(ast.Expr(call("_settle_", node, _name(split_name))), node))
    return at(OwnHandler(load("Exception"), split_name, body), node)  # type: ignore[no-any-return]


def _handled(handler: ast.ExceptHandler, number: int) -> ast.Try:
    split_name, raised_name = f"_held{number}_", f"_raised{number}_"
    for part in _own(handler.body):
        if isinstance(part, (ast.Return, ast.Break, ast.Continue)):
            raise Blocked(f"line {part.lineno}: `return`, `break` and `continue` leave no `except*`; go on after it")
        if isinstance(part, ast.Raise) and part.exc is None:
            part.exc = call("_taken_", part, _name(split_name))
    body, last = list(handler.body), []
    if handler.name:
        body.insert(0, _assign(handler, call("_taken_", handler, _name(split_name))))
        gone = at(ast.Name(handler.name, ast.Del()), handler)
        last = [_assign(handler, Fixed(None)), at(ast.Delete([gone]), handler)]
    noted = at(ast.Expr(call("_note_", handler, _name(split_name), _name(raised_name))), handler)
    caught = at(OwnHandler(load("Exception"), raised_name, [noted]), handler)
    return at(ast.Try(body, [caught], [], last), handler)  # type: ignore[no-any-return]


def _own(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Yield what of a handler's body belongs to it: nothing of functions and handlers within, nor what ends a loop."""
    waiting: list[tuple[ast.AST, bool]] = [(each, False) for each in body]
    while waiting:
        part, in_loop = waiting.pop()
        if isinstance(part, _SCOPES) or (in_loop and isinstance(part, (ast.Break, ast.Continue))):
            continue
        yield part
        in_loop = in_loop or isinstance(part, (ast.For, ast.While))
        children = ast.iter_child_nodes(part)
        waiting += [(child, in_loop) for child in children if not isinstance(child, ast.ExceptHandler)]


def _assign(handler: Any, value: ast.expr) -> Any:
    return at(ast.Assign([at(ast.Name(handler.name, ast.Store()), handler)], value), handler)


def _name(name: str) -> GuardName:
    return GuardName(name, ast.Load())


def _bind(name: str, value: ast.expr, like: Any) -> Any:
    return at(ast.Assign([GuardName(name, ast.Store())], value), like)


class Split:
    """An error on its way through the handlers of one ``except*``: what they took, raised, and left."""

    __slots__ = ("again", "raised", "rest", "taken", "whole")

    def __init__(self, error: Any) -> None:
        expect_bounded(error)
        settled(error)
        self.whole: Any = error
        self.rest: Any = error
        self.taken: Any = None
        self.raised: list[Any] = []
        self.again: list[Any] = []


def takes(split: Split, kinds: Any) -> bool:
    """Say whether a handler of some classes of errors has something to do, and give it that."""
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        if not isinstance(kind, type) or not issubclass(kind, BaseException):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
        if issubclass(kind, BaseExceptionGroup):
            raise TypeError("catching ExceptionGroup with except* is not allowed. Use except instead.")
    rest, split.taken = split.rest, None
    if isinstance(rest, ExceptionGroup):
        split.taken, split.rest = rest.split(kinds)
    elif rest is not None and isinstance(rest, kinds):
        split.taken, split.rest = ExceptionGroup("", (rest,)), None
    return split.taken is not None


def note(split: Split, error: Any) -> None:
    """Note what a handler raised: another error, or once more what it was given."""
    (split.again if error is split.taken else split.raised).append(error)


def settle(split: Split) -> None:
    """Raise what is left of an error, and what handlers raised."""
    if not isinstance(split.whole, ExceptionGroup):
        left = [*split.raised, *split.again, *([split.rest] if split.rest is not None else [])]
        if left:
            raise left[-1]
        return
    leaf_ids = {id(leaf) for group in (*split.again, split.rest) if group is not None for leaf in _leaves(group)}
    again = split.whole.subgroup(lambda error: id(error) in leaf_ids) if leaf_ids else None
    left = [*split.raised, *([] if again is None else [again])]
    if len(left) > 1:
        raise ExceptionGroup("", left)
    if left:
        raise left[0]


def _leaves(group: Any) -> Iterator[Any]:
    for each in group.exceptions:
        if isinstance(each, ExceptionGroup):
            yield from _leaves(each)
        else:
            yield each


GUARDS: dict[str, Callable[..., Any]] = {
    "_split_": Split,
    "_takes_": takes,
    "_taken_": lambda split: split.taken,
    "_note_": note,
    "_settle_": settle,
}
"""What the rewritten code of a cell calls."""
