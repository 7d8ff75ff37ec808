"""``table.query`` in a cell: comparisons of columns, and nothing else of what pandas would run as code."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from typing import Any

import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.cell_classes import CELL_FILE
from cave_sim.policy.libraries.pandas_clock import check_moment

MAX_QUERY_CHARS = 1_000
_NODES = (
    *(ast.Expression, ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Name, ast.Constant, ast.List, ast.Tuple),
    *(ast.And, ast.Or, ast.Not, ast.USub, ast.Invert, ast.BitAnd, ast.BitOr, ast.Add, ast.Sub, ast.Mult, ast.Div),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Load),
)
"""What a query may be made of."""
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_LOCAL = "__pd_eval_local_"
"""What pandas puts before a name that is written with @."""
_SCALARS = (int, float, str, bool)


def querying(table: Any, _name: str) -> Callable[..., Any]:
    """``table.query("price > @limit and city == 'Espoo'")``: comparisons of columns with numbers and texts."""

    def query(text: str) -> Any:
        given = check_query(text, table)
        here = inspect.currentframe()
        frame: Any = here and here.f_back
        if given and frame.f_code.co_filename != CELL_FILE:
            raise Blocked("query(): @ stands for a variable of the cell that calls query()")
        return table.query(text, engine="python", local_dict=_plain(frame, given), global_dict={})

    return query


def _plain(frame: Any, names: list[str]) -> dict[str, Any]:
    """Return the values of a cell's own variables, as far as they are nothing but numbers, texts, or lists of them."""
    found = {}
    for name in names:
        if name not in frame.f_locals and name not in frame.f_globals:
            raise NameError(f"query(): there is no variable {name!r}")
        value = frame.f_locals.get(name, frame.f_globals.get(name))
        if not all(type(each) in _SCALARS for each in (value if type(value) in (list, tuple) else (value,))):
            raise Blocked(f"query(): @{name} is a {type(value).__name__}, and no number, text or list of them")
        check_moment(value)
        found[name] = value
    return found


def check_query(text: Any, table: Any) -> list[str]:
    """Return the variables that a query asks for; raises Blocked where it does more than compare, and SyntaxError."""
    if type(text) is not str or len(text) > MAX_QUERY_CHARS or "`" in text or "\n" in text.strip():
        raise Blocked("query() takes one short line of comparisons without `; or write table[table['x'] > 3]")
    has_dates = any(getattr(kind, "kind", "") == "M" for kind in table.dtypes)
    names = []
    for node in ast.walk(ast.parse(re.sub(r"@(?=\w)", _LOCAL, text.strip()), mode="eval")):
        if not isinstance(node, _NODES):
            raise Blocked(f"query(): {type(node).__name__} is not for cells; compare columns, or use table[...]")
        if isinstance(node, ast.Name) and node.id.startswith(_LOCAL):
            names.append(node.id.removeprefix(_LOCAL))
        elif isinstance(node, ast.Name) and node.id not in table.columns:
            raise Blocked(f"query(): {node.id!r} is no column; a variable of yours is written @{node.id}")
        if isinstance(node, ast.Constant) and has_dates:
            check_moment(node.value)
        if isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
            _check_numbers(node, table)
    return names


def _check_numbers(tree: ast.BinOp, table: Any) -> None:
    """Texts are neither repeated nor joined in a query."""
    for node in ast.walk(tree):
        text = isinstance(node, ast.Constant) and type(node.value) not in (int, float)
        if isinstance(node, ast.Name):
            text = node.id not in table.columns or not pd.api.types.is_numeric_dtype(table[node.id])
        if text or isinstance(node, (ast.List, ast.Tuple)):
            raise Blocked("query(): arithmetic is for numbers")
