"""Export: a run's frames as files that other tools read, and its lineage as a graph."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import networkx as nx
import pandas as pd

from cave_sim.entity.graph_types import Graph
from cave_sim.errors import JournalError, reason
from cave_sim.files.whole_files import in_place_of
from cave_sim.history.dataframes import frame
from cave_sim.history.lineage import lineage
from cave_sim.history.relations import graphs_in
from cave_sim.journal.opened import of_run
from cave_sim.journal.reader import Run
from cave_sim.loading.extras import extra

TABLES = ("turns", "changes", "measures", "usage")
JSON_COLUMNS = ("old", "new")
"""They hold anything; where a column must have one type, they are JSON texts."""


@of_run
def export(run: Run, form: str, folder: str | Path | None = None, tables: Sequence[str] = TABLES) -> list[Path]:
    """Write a run in another format; returns the files.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        form: ``jsonl``, ``csv`` or ``parquet``, one file for each table; or ``graphml``, one for the lineage
            and one for each graph that a field holds at the end.
        folder: where to; ``export`` in the run's folder if not given.
        tables: which frames.

    Raises:
        JournalError: there is no such format or table, or the folder cannot be written.
        MissingExtra: parquet was asked for, and pyarrow is not installed.
    """
    if form not in FORMATS:
        raise JournalError(f"a run cannot be exported as {form!r}; there are {', '.join(FORMATS)}")
    return FORMATS[form](run, made_folder(Path(folder or run.folder / "export")), tables)


def made_folder(folder: Path) -> Path:
    """Make a folder and return it; raises JournalError if it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"{folder} cannot be written: {reason(error)}. Choose another folder with --out") from None
    return folder


def _jsonl(run: Run, folder: Path, tables: Sequence[str]) -> list[Path]:
    """One JSON object a row; what is not there is null."""

    def write(table: pd.DataFrame, path: Path) -> None:
        rows = table.reset_index().astype(object)
        rows = rows.where(rows.notna(), None)
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows.to_dict("records"))

    return _each(run, folder, tables, "jsonl", write)


def _csv(run: Run, folder: Path, tables: Sequence[str]) -> list[Path]:
    return _each(run, folder, tables, "csv", lambda table, path: _flat(table).to_csv(path, index=False))


def _parquet(run: Run, folder: Path, tables: Sequence[str]) -> list[Path]:
    with extra("export", "parquet"):
        import pyarrow  # noqa: F401
    return _each(run, folder, tables, "parquet", lambda table, path: _flat(table).to_parquet(path, index=False))


def _graphml(run: Run, folder: Path, _tables: Sequence[str]) -> list[Path]:
    """Who acted on what, and each graph that a field holds at the end of the run."""
    graphs = {"lineage": lineage(run), **{place: _flat_graph(graph) for place, graph in graphs_in(run).items()}}
    paths = [folder / f"{name}.graphml" for name in graphs]
    for path, graph in zip(paths, graphs.values(), strict=True):
        written = io.BytesIO()  # lxml, which networkx writes by, leaves a broken process where a file takes no more
        nx.write_graphml(graph, written)
        with in_place_of(path) as fresh:
            fresh.write_bytes(written.getvalue())
    return paths


def _flat_graph(graph: Graph) -> Graph:
    """Return a graph whose attributes are those that GraphML has: others become JSON texts, and none is left out."""
    for about in [*(about for _, about in graph.nodes(data=True)), *(about for *_, about in graph.edges(data=True))]:
        for name, value in list(about.items()):
            if value is None:
                del about[name]
            elif type(value) not in GRAPHML_TYPES:
                about[name] = json.dumps(value, ensure_ascii=False)
    return graph


GRAPHML_TYPES = (str, int, float, bool)


FORMATS: dict[str, Callable[[Run, Path, Sequence[str]], list[Path]]] = {
    "jsonl": _jsonl,
    "csv": _csv,
    "parquet": _parquet,
    "graphml": _graphml,
}


def _each(
    run: Run, folder: Path, tables: Sequence[str], suffix: str, write: Callable[[pd.DataFrame, Path], Any]
) -> list[Path]:
    paths = [folder / f"{name}.{suffix}" for name in tables]
    for name, path in zip(tables, paths, strict=True):
        with in_place_of(path) as fresh:
            write(frame(run, name), fresh)
    return paths


def _flat(table: pd.DataFrame) -> pd.DataFrame:
    """Return a frame whose columns have one type each: values of any type become JSON texts."""
    flat = table.reset_index()
    for name in flat.columns.intersection(JSON_COLUMNS):
        flat[name] = [json.dumps(value, ensure_ascii=False) for value in flat[name]]
    return flat
