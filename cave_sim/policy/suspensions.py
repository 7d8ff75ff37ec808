"""Where a cell's function waits and goes on: a tick is spent there, which is refused in a turn that is not its own."""

from __future__ import annotations

import ast
import copy

from cave_sim.policy.syntax import Fixed, at, become, call

_WAITING = (ast.Yield, ast.YieldFrom, ast.Await)


def tick_where_it_goes_on(tree: ast.Module) -> None:
    """Spend a tick after each ``yield`` and ``await`` of a tree that was checked.

    A generator that trusted code kept may be asked on in anybody's turn, and what follows would have that one's rights.
    """
    for node in [node for node in ast.walk(tree) if isinstance(node, _WAITING)]:
        waiting: ast.expr = copy.copy(node)
        both = at(ast.Tuple([waiting, call("_tick_", node)], ast.Load()), node)
        become(node, ast.Subscript, value=both, slice=Fixed(0), ctx=ast.Load())
