"""The results of a study as Parquet, written as trials end: a file for each, and one table for whoever reads them.

``pandas.read_parquet("runs/study-bfcl/results")``
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pandas as pd

RESULTS = "results"
HOW_TO_GET_IT = "no results as Parquet: they need an extra, pip install 'cave_sim[export]'; the journals have them"


def can_keep() -> bool:
    """Say whether Parquet files can be written here."""
    return find_spec("pyarrow") is not None


def keep_part(out: Path, name: str, table: pd.DataFrame) -> None:
    """Write the rows of one trial into a study's folder, unless they are there; whole, or not at all."""
    path = out / RESULTS / f"{name}.parquet"
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}")  # readers of the folder pass over names with a dot
    table.to_parquet(fresh, index=False)
    fresh.replace(path)
