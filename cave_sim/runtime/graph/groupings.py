"""The form of a grouping of a table: the table, and by what it is grouped; it is grouped again when it is read."""

from __future__ import annotations

from typing import Any

import pandas as pd

from cave_sim.errors import SchemaError
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See

KINDS = (pd.api.typing.DataFrameGroupBy, pd.api.typing.SeriesGroupBy)
_SETTINGS = ("as_index", "sort", "group_keys", "observed", "dropna")


def _write_grouping(grouped: Any, see: See) -> Any:
    table = grouped.obj
    if grouped.level is not None:
        raise SchemaError("a grouping by levels cannot be kept: keep the table")
    keys = grouped.keys if isinstance(grouped.keys, list) else [grouped.keys]
    if isinstance(table, pd.DataFrame) and all(isinstance(key, str) and key in table.columns for key in keys):
        by: list[Any] = list(keys)
    else:
        by = [pd.Series(part.grouping_vector, index=table.index, name=part.name) for part in grouped._grouper.groupings]
    selection = grouped._selection if isinstance(table, pd.DataFrame) else None
    return {
        "table": see(table),
        "by": [see(key) for key in by],
        "one": not isinstance(grouped.keys, list),
        "columns": None if selection is None else [see(name) for name in _listed(selection)],
        "of_one": isinstance(selection, (str, int)),
        "settings": {name: bool(getattr(grouped, name)) for name in _SETTINGS},
    }


def _listed(selection: Any) -> list[Any]:
    return list(selection) if isinstance(selection, (list, tuple, pd.Index)) else [selection]


def _make_grouping(content: Any, reader: Any) -> Any:
    by = [reader.read(key) for key in content["by"]]
    settings = {name: bool(content["settings"][name]) for name in _SETTINGS}
    try:
        grouped = reader.read(content["table"]).groupby(by[0] if content["one"] else by, **settings)
        if content["columns"] is None:
            return grouped
        columns = [reader.read(name) for name in content["columns"]]
        return grouped[columns[0] if content["of_one"] else columns]
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise Malformed(f"a grouping that cannot be made again: {error}") from None


GROUPING = Form("$grouping", _write_grouping, _make_grouping)
