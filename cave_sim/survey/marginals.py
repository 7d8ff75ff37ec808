"""Answers of agents beside those of people: how often each value was given, and how far apart the two are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from cave_sim.survey.shares import read_shares


@dataclass(frozen=True)
class Marginals:
    """How often people gave each value.

    Attributes:
        table: ``item``, ``value`` (a text), ``share`` (0 to 1; those of an item sum to 1) and ``source``.
    """

    table: pd.DataFrame

    @classmethod
    def read(cls, path: str | Path) -> Marginals:
        """Return the marginals of a CSV file with the columns `item,value,share,source`.

        Raises:
            WorldError: it cannot be read, lacks a column or a source, or shares are none; the text names the line.
        """
        return cls(read_shares(path, "item"))


def frequencies(answers: Iterable[Any]) -> pd.DataFrame:
    """Return how often each value was given.

    Args:
        answers: rows with ``step``, ``item`` and ``value``, as :class:`~cave_sim.survey.SurveyAnswer` or plain data.

    Returns:
        A row for each step, item and value: ``n`` times, and its ``share`` of the answers that could be read; those
        that could not are counted in ``unread``, which is the same for all rows of an item. An item of which none
        could be read has one row, of no value.
    """
    rows = [answer if isinstance(answer, dict) else _columns(answer) for answer in answers]
    table = pd.DataFrame(rows, columns=["step", "item", "value"], dtype=object)
    groups = []
    for (step, item), part in table.groupby(["step", "item"], sort=True):
        read = part["value"].dropna()
        counts = read.map(str).value_counts().sort_index()
        shares = {"n": counts.to_numpy(), "share": (counts / max(1, len(read))).to_numpy()}
        group = pd.DataFrame({"step": step, "item": item, "value": counts.index, **shares})
        if read.empty:  # an item must not vanish because nobody's answer could be read
            group = pd.DataFrame([{"step": step, "item": item, "value": "", "n": 0, "share": 0.0}])
        groups.append(group.assign(unread=len(part) - len(read)))
    columns = ["step", "item", "value", "n", "share", "unread"]
    return pd.concat(groups, ignore_index=True)[columns] if groups else pd.DataFrame(columns=columns)


def beside(answers: Iterable[Any], people: Marginals) -> pd.DataFrame:
    """Return the shares of values among agents and among people, side by side.

    Returns:
        A row for each step, item that both answered, and value that either gave: ``n``, ``share``, ``people``, their
        ``difference``, the ``distance`` of the item (total variation: half the sum of absolute differences, 0 to 1) and
        the ``source``. Columns are the same for an empty table.
    """
    theirs = people.table.rename(columns={"share": "people"})
    parts = []
    for (step, item), ours in frequencies(answers).groupby(["step", "item"], sort=True):
        known = theirs[theirs["item"] == item]
        if known.empty or not ours["n"].any():
            continue
        both = ours[["value", "n", "share"]].merge(known[["value", "people"]], on="value", how="outer").fillna(0.0)
        both["difference"] = both["share"] - both["people"]
        both["distance"] = both["difference"].abs().sum() / 2
        sources = "; ".join(dict.fromkeys(known["source"]))
        parts.append(both.assign(step=step, item=item, n=both["n"].astype(int), source=sources))
    columns = ["step", "item", "value", "n", "share", "people", "difference", "distance", "source"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _columns(answer: Any) -> dict[str, Any]:
    return {name: getattr(answer, name) for name in ("step", "item", "value")}
