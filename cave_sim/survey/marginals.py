"""Answers of agents beside those of people: how often each value was given, and how far apart the two are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from cave_sim.errors import WorldError
from cave_sim.survey.items import FreeText, NotAnAnswer
from cave_sim.survey.questionnaire import Questionnaire
from cave_sim.survey.shares import expect_different, read_shares


@dataclass(frozen=True)
class Marginals:
    """How often people gave each value.

    Attributes:
        table: ``item``, ``value`` (a text), ``share`` (0 to 1; those of an item sum to 1) and ``source``.
    """

    table: pd.DataFrame

    @classmethod
    def read(cls, path: str | Path, questionnaire: Questionnaire | None = None) -> Marginals:
        """Return the marginals of a CSV file with the columns `item,value,share,source`.

        Args:
            path: of the file.
            questionnaire: that agents are asked; values are then written as its items have them, ``At home`` as
                ``at home``.

        Raises:
            WorldError: it cannot be read, lacks a column or a source, shares are none, or an item has no such value;
                the text names the line.
        """
        table = read_shares(path, "item")
        items = {} if questionnaire is None else {item.name: item for item in questionnaire.items}
        for line, (name, value) in enumerate(zip(table["item"], table["value"], strict=True), start=2):
            if (item := items.get(name)) is None or isinstance(item, FreeText):
                continue
            try:
                table.loc[line - 2, "value"] = str(item.read(value))
            except NotAnAnswer as error:
                message = str(error).removesuffix(", and nothing else.").replace("Answer with", "it is answered with")
                raise WorldError(f"{path}, line {line}: {value!r} is no value of {name!r}: {message}") from None
        expect_different(path, table, "item")
        return cls(table)


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
        written = {_alike(value): value for value in ours["value"]}
        values = known["value"].map(lambda value, written=written: written.get(_alike(value), value))
        shares = known["people"].groupby(values).sum().reset_index()
        both = ours[["value", "n", "share"]].merge(shares, on="value", how="outer").fillna(0.0)
        both["difference"] = both["share"] - both["people"]
        both["distance"] = both["difference"].abs().sum() / 2
        sources = "; ".join(dict.fromkeys(known["source"]))
        parts.append(both.assign(step=step, item=item, n=both["n"].astype(int), source=sources))
    columns = ["step", "item", "value", "n", "share", "people", "difference", "distance", "source"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _alike(value: str) -> str:
    """Return what two ways to write one value have in common: ``At home`` and ``at home``, ``4`` and ``4.0``."""
    try:
        return f"{float(value)!r}"
    except ValueError:
        return " ".join(value.casefold().split())


def _columns(answer: Any) -> dict[str, Any]:
    return {name: getattr(answer, name) for name in ("step", "item", "value")}
