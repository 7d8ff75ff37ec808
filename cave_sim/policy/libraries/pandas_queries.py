"""``table.query`` and ``table.eval`` in a cell: what compares and computes columns, no other code that pandas runs."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.entity.asking import CELL_FILE
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.pandas_clock import check_moment

MAX_QUERY_CHARS = 1_000
MAX_EXPONENT = 16
_NODES = (
    *(ast.Expression, ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Name, ast.Constant, ast.List, ast.Tuple),
    *(ast.And, ast.Or, ast.Not, ast.USub, ast.Invert, ast.BitAnd, ast.BitOr, ast.Add, ast.Sub, ast.Mult, ast.Div),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Load, ast.Mod, ast.FloorDiv, ast.Pow),
    *(ast.Call, ast.Attribute),
)
"""What a query may be made of."""
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.FloorDiv, ast.Pow)
_NUMERIC_CALLS = frozenset("mean sum min max std var median abs round".split())
_CALLS = _NUMERIC_CALLS | frozenset("isin isna isnull notna notnull between count".split())
_OF_TEXTS = frozenset("contains startswith endswith lower upper len strip".split())
_OF_DATES = frozenset("year month day hour minute dayofweek quarter".split())
_FUNCTIONS = frozenset("sqrt log log10 log1p exp expm1 sin cos tan abs floor ceil".split())
_LOCAL = "__pd_eval_local_"
"""What pandas puts before a name that is written with @."""
_SCALARS = (int, float, str, bool)
_QUOTED = re.compile(r"`([\w ]+)`")


def querying(table: Any, _name: str) -> Callable[..., Any]:
    """``table.query("price > @limit and city == 'Espoo'")``: comparisons of columns with numbers and texts."""

    def query(expr: str, *, inplace: bool = False, engine: str = "python") -> Any:
        if engine not in ("python", "numexpr"):
            raise Blocked("query(): engine is 'python'")
        given = check_query(expr, table)
        here = inspect.currentframe()
        values = _values(here and here.f_back, given, "query")
        in_place = {"inplace": True} if inplace else {}
        return table.query(expr, engine="python", local_dict=values, global_dict={}, **in_place)

    return query


def evaluating(table: Any, _name: str) -> Callable[..., Any]:
    """``table.eval("revenue = units * price")``: columns computed of columns."""

    def evaluate(expr: str, *, inplace: bool = False) -> Any:
        given = check_assignments(expr, table)
        here = inspect.currentframe()
        values = _values(here and here.f_back, given, "eval")
        in_place = {"inplace": True} if inplace else {}
        return table.eval(expr.strip(), engine="python", local_dict=values, global_dict={}, **in_place)

    return evaluate


def _values(frame: Any, names: list[tuple[str, bool]], title: str) -> dict[str, Any]:
    """Return the values of a cell's own variables, as far as they are nothing but numbers, texts, or lists of them."""
    if names and frame.f_code.co_filename != CELL_FILE:
        raise Blocked(f"{title}(): @ stands for a variable of the cell that calls {title}()")
    values = {}
    for name, in_sum in names:
        if name not in frame.f_locals and name not in frame.f_globals:
            raise NameError(f"{title}(): there is no variable {name!r}")
        value = frame.f_locals.get(name, frame.f_globals.get(name))
        if isinstance(value, np.generic) and value.dtype.kind in "biufU":
            value = value.item()
        moment = type(value) is pd.Timestamp
        items = value if type(value) in (list, tuple) else (value,)
        if not moment and not all(type(each) in _SCALARS for each in items):
            raise Blocked(f"{title}(): @{name} is a {type(value).__name__}, and no number, text, date or list of them")
        if in_sum and type(value) not in (int, float):
            raise Blocked(f"{title}(): arithmetic is for numbers, and @{name} is a {type(value).__name__}")
        check_moment(value)
        values[name] = value
    return values


def check_assignments(text: Any, table: Any) -> list[tuple[str, bool]]:
    """Return the variables that lines for ``eval`` ask for; raises Blocked where they do more than compute columns."""
    if type(text) is not str or len(text) > MAX_QUERY_CHARS:
        raise Blocked("eval() takes short lines such as 'revenue = units * price'")
    names: list[tuple[str, bool]] = []
    columns = {name: table[name].dtype for name in table.columns if isinstance(name, str)}
    for line in filter(None, map(str.strip, text.split("\n"))):
        target, equals, right = line.partition("=")
        is_assignment = bool(equals) and right[:1] != "=" and target[-1:] not in ("<", ">", "!", "=")
        if is_assignment:
            if not target.strip().isidentifier() or target.strip().startswith("_"):
                raise Blocked(f"eval(): {target.strip()[:40]!r} is no name of a column")
            names += _check(right, columns, "eval")
            columns[target.strip()] = np.dtype(float)
        else:
            names += _check(line, columns, "eval")
    return names


def check_query(text: Any, table: Any) -> list[tuple[str, bool]]:
    """Return the variables that a query asks for; raises Blocked where it does more than compare, and SyntaxError."""
    if type(text) is not str or len(text) > MAX_QUERY_CHARS or "\n" in text.strip():
        raise Blocked("query() takes one short line of comparisons; or write table[table['x'] > 3]")
    columns = {name: table[name].dtype for name in table.columns.unique() if isinstance(name, str)}
    columns |= {name: table.index.get_level_values(name).dtype for name in table.index.names if isinstance(name, str)}
    return _check(text, {**columns, "index": table.index.dtype}, "query")


def _check(text: str, columns: dict[str, Any], title: str) -> list[tuple[str, bool]]:
    """Return the variables that one expression asks for, and whether it reckons with them; raises Blocked."""
    plain, columns = _unquoted(text, columns, title)
    has_dates = any(getattr(dtype, "kind", "") == "M" for dtype in columns.values())
    names: list[tuple[str, bool]] = []
    tree = ast.parse(re.sub(r"@(?=\w)", _LOCAL, plain.strip()), mode="eval")
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    sums = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC)]
    in_sums = {id(part) for node in sums for part in ast.walk(node)}
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            raise Blocked(f"{title}(): {type(node).__name__} is not for cells; compare columns, or use table[...]")
        if isinstance(node, ast.Call):
            _check_call(node, columns, title)
        elif isinstance(node, ast.Attribute) and id(node) not in functions:
            _check_attribute(node, columns, title)
        elif isinstance(node, ast.Name) and node.id.startswith(_LOCAL):
            names.append((node.id.removeprefix(_LOCAL), id(node) in in_sums))
        elif isinstance(node, ast.Name) and node.id not in columns and id(node) not in functions:
            raise Blocked(f"{title}(): {node.id!r} is no column; a variable of yours is written @{node.id}")
        if isinstance(node, ast.Constant) and has_dates:
            check_moment(node.value)
    for node in sums:
        _check_numbers(node, columns, title)
    return names


def _unquoted(text: str, columns: dict[str, Any], title: str) -> tuple[str, dict[str, Any]]:
    """Return a text with names of its own for columns in backticks, and the columns by these names, too."""
    known = dict(columns)

    def named(match: re.Match[str]) -> str:
        column = match.group(1)
        if column not in columns:
            raise Blocked(f"{title}(): `{column}` is no column")
        name = column if column.isidentifier() else f"quoted_{len(known)}"
        known[name] = columns[column]
        return name

    plain = _QUOTED.sub(named, text)
    if "`" in plain:
        raise Blocked(f"{title}(): a column in backticks has a name of letters, digits and spaces")
    return plain, known


def _check_call(node: ast.Call, columns: dict[str, Any], title: str) -> None:
    """Calls are of a column's own methods that compute, and of functions of numbers."""
    if node.keywords:
        raise Blocked(f"{title}(): calls take no named arguments")
    function = node.func
    if isinstance(function, ast.Name):
        if function.id not in _FUNCTIONS or function.id in columns:
            raise Blocked(f"{title}(): {function.id!r} is not for cells; there are {', '.join(sorted(_FUNCTIONS))}")
        return
    if not isinstance(function, ast.Attribute):
        raise Blocked(f"{title}(): a call of what is no name")
    holder, name = function.value, function.attr
    of_texts = isinstance(holder, ast.Attribute) and holder.attr == "str" and isinstance(holder.value, ast.Name)
    if name not in (_OF_TEXTS if of_texts else _CALLS):
        raise Blocked(f"{title}(): .{name}() is not for cells; compute it first, and name it with @")
    column = holder.value if of_texts and isinstance(holder, ast.Attribute) else holder
    is_column = isinstance(column, ast.Name) and column.id in columns
    numeric = name in _NUMERIC_CALLS and not of_texts
    if not is_column or (numeric and not pd.api.types.is_numeric_dtype(columns[column.id])):  # type: ignore[attr-defined]
        raise Blocked(f"{title}(): .{name}() is called of a column{' of numbers' if numeric else ''}")
    for argument in node.args:
        parts = argument.elts if isinstance(argument, (ast.List, ast.Tuple)) else [argument]
        if not all(isinstance(each, ast.Constant) for each in parts):
            raise Blocked(f"{title}(): .{name}() takes numbers and texts")


def _check_attribute(node: ast.Attribute, columns: dict[str, Any], title: str) -> None:
    """Attributes are ``column.str`` before a call of a list, and parts of dates."""
    holder = node.value
    if node.attr == "str" and isinstance(holder, ast.Name) and holder.id in columns:
        return
    if isinstance(holder, ast.Name) and node.attr == "dt" and getattr(columns.get(holder.id), "kind", "") == "M":
        return
    if node.attr in _OF_DATES and isinstance(holder, ast.Attribute) and holder.attr == "dt":
        return
    raise Blocked(f"{title}(): .{node.attr} is not for cells")


def _check_numbers(tree: ast.BinOp, columns: dict[str, Any], title: str) -> None:
    """Texts are neither repeated nor joined in a query, and powers are small."""
    if isinstance(tree.op, ast.Pow):
        exponent = tree.right.value if isinstance(tree.right, ast.Constant) else None
        of_column = any(isinstance(node, ast.Name) for node in ast.walk(tree.left))
        nested = any(isinstance(node, ast.Pow) for node in ast.walk(tree.left))
        if type(exponent) not in (int, float) or abs(exponent) > MAX_EXPONENT or nested or not of_column:  # type: ignore[arg-type]
            raise Blocked(f"{title}(): ** raises a column to a number up to {MAX_EXPONENT}")
    for node in ast.walk(tree):
        text = isinstance(node, ast.Constant) and type(node.value) not in (int, float)
        if isinstance(node, ast.Name) and node.id not in _FUNCTIONS and not node.id.startswith(_LOCAL):
            text = node.id not in columns or not _is_computed(columns[node.id])
        if isinstance(node, ast.Attribute) and node.attr in ("str", *_OF_TEXTS - {"len"}):
            text = True
        if text or isinstance(node, (ast.List, ast.Tuple)):
            raise Blocked(f"{title}(): arithmetic is for numbers")


def _is_computed(dtype: Any) -> bool:
    return pd.api.types.is_numeric_dtype(dtype) or getattr(dtype, "kind", "") in "Mm"
