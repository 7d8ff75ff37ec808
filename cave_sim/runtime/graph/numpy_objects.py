"""Forms of what numpy and pandas make beside arrays and tables: types, polynomials, functions, steps of time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.errors import SchemaError
from cave_sim.policy.libraries import pandas_offsets
from cave_sim.policy.libraries.numpy_parts import Vectorized
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See
from cave_sim.runtime.graph.tables import read_index, write_index

_PLAIN_KINDS = "biufcmMUSO"
_OFFSETS = {kind.__name__: kind for kind in pandas_offsets.KINDS}
_HOLIDAYS = "holidays"


def is_dtype(value: Any) -> bool:
    """Say whether a value is the type of a column's items."""
    return isinstance(value, (np.dtype, pd.api.extensions.ExtensionDtype))


def _write_dtype(dtype: Any, see: See) -> Any:
    if isinstance(dtype, np.dtype):
        if dtype.kind not in _PLAIN_KINDS:
            raise SchemaError(f"the type {dtype} cannot be kept: keep str(dtype)")
        return dtype.str
    named = str(dtype)
    if isinstance(dtype, pd.StringDtype):
        missing = "nan" if dtype.na_value is not pd.NA else "NA"
        return {"texts": dtype.storage, "missing": missing}
    if isinstance(dtype, pd.CategoricalDtype):
        categories = None if dtype.categories is None else write_index(dtype.categories, see)
        return {"categories": categories, "ordered": bool(dtype.ordered)}
    if _dtype(named) != dtype:
        raise SchemaError(f"the type {named} cannot be kept: keep str(dtype)")
    return {"named": named}


def _dtype(named: str) -> Any:
    try:
        return pd.api.types.pandas_dtype(named)
    except TypeError as error:
        raise Malformed(f"no type of a column: {error}") from None


def _make_dtype(content: Any, reader: Any) -> Any:
    if type(content) is str:
        dtype = np.dtype(content)
        if dtype.kind not in _PLAIN_KINDS:
            raise Malformed(f"{content[:40]!r} is no type of plain items")
        return dtype
    if "texts" in content:
        return pd.StringDtype(str(content["texts"]), na_value=np.nan if content["missing"] == "nan" else pd.NA)
    if "categories" in content:
        categories = None if content["categories"] is None else read_index(content["categories"], reader)
        return pd.CategoricalDtype(categories, bool(content["ordered"]))
    return _dtype(str(content["named"]))


def _write_offset(offset: Any, see: See) -> Any:
    kind = type(offset).__name__
    if _OFFSETS.get(kind) is not type(offset):
        raise SchemaError(f"a {kind} cannot be kept: make it where you need it")
    weekday = {"weekday": offset.weekday} if getattr(offset, "weekday", None) is not None else {}
    month = {
        name: getattr(offset, name) for name in ("startingMonth", "month") if getattr(offset, name, None) is not None
    }
    kept = {name: value for name, value in offset.kwds.items() if name != "calendar"}  # made of what is beside it
    if _HOLIDAYS in kept:
        kept[_HOLIDAYS] = tuple(map(str, kept[_HOLIDAYS]))
    settings = kept | weekday | (month if kind != "DateOffset" else {})
    if offset.normalize:
        settings["normalize"] = True
    return {"kind": kind, "n": offset.n, "settings": [[name, see(value)] for name, value in settings.items()]}


def _make_offset(content: Any, reader: Any) -> Any:
    settings = {str(name): reader.read(value) for name, value in content["settings"]}
    days = settings.get(_HOLIDAYS, ())
    plain = [value for name, value in settings.items() if name != _HOLIDAYS]
    if content["kind"] not in _OFFSETS or not all(
        value is None or type(value) in (int, bool, str, timedelta) for value in (*plain, *days)
    ):
        raise Malformed("no step of time")
    return _OFFSETS[content["kind"]](int(content["n"]), **settings)


def _make_polynomial(content: Any, reader: Any) -> Any:
    return np.polynomial.Polynomial(*map(reader.read, content))


def _make_vectorized(content: Any, reader: Any) -> Any:
    return Vectorized(reader.callable(content))


DTYPE = Form("$dtype", _write_dtype, _make_dtype)
OFFSET = Form("$offset", _write_offset, _make_offset)
BY_KIND: dict[type, Form] = {
    np.poly1d: Form("$poly1d", lambda it, see: see(it.coeffs), lambda content, reader: np.poly1d(reader.read(content))),
    np.polynomial.Polynomial: Form(
        "$polynomial", lambda it, see: [see(it.coef), see(it.domain), see(it.window)], _make_polynomial
    ),
    Vectorized: Form("$vectorized", lambda it, see: see(it.function), _make_vectorized),
    **dict.fromkeys(_OFFSETS.values(), OFFSET),
}
"""Exact type -> form."""
