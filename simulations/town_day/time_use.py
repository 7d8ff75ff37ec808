"""How a town spends its day, beside a table of how people do.

``python -m cave_sim.simulations.town_day.time_use RUN TABLE`` prints both, and how far they are apart.

The table is a CSV file with ``hour`` (0 to 23), ``activity`` as the town calls it, or several of them with `` + ``
between, ``share`` of people doing it then (0 to 1) and the ``source`` of that figure; with ``days``, weekday or
weekend, the two are compared by themselves. What of an hour no row names counts as something else.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Literal

import pandas as pd

from cave_sim import CaveSimError, Run, WorldError, open_run
from cave_sim.diagnostics.plurals import counted
from cave_sim.files.given_files import why_unread

Days = Literal["all", "weekday", "weekend"]
COLUMNS = ("hour", "activity", "share", "source")
TOGETHER = " + "
SATURDAY, HOURS, MOST = 5, 24, 1.005  # shares are rounded


def shares(run: Run, days: Days = "all") -> pd.DataFrame:
    """Return which share of residents does what, by hour of the day.

    Args:
        run: of a town, or a village.
        days: which days count.

    Returns:
        Indexed by hour, of those that the run came to; a column for each activity, 0 to 1, and 1 in each row.

    Raises:
        WorldError: the run came to no such day.
    """
    doing = run.frame("panel", fields=["activity"])["activity"].dropna()
    steps = doing.index.get_level_values("step")
    when = pd.to_datetime(pd.Series({step: run.time_at(int(step)) for step in steps.unique()}))
    at_weekend = when.dt.day_of_week >= SATURDAY
    days_meant = {"all": at_weekend | ~at_weekend, "weekday": ~at_weekend, "weekend": at_weekend}[days]
    chosen = steps.isin(when.index[days_meant])
    if not chosen.any():
        raise WorldError(f"days={days!r}: the run came to no such day")
    hours = pd.Series(when.dt.hour.reindex(steps[chosen]).to_numpy(), name="hour")
    counts = pd.crosstab(hours, doing[chosen].to_numpy())
    result: pd.DataFrame = counts.div(counts.sum(axis="columns"), axis="index").rename_axis(columns="activity")
    return result


def read_table(path: str | Path, days: Days = "all") -> pd.DataFrame:
    """Return a published table in the same form; `attrs` has the `sources` of its figures and which `days` they are of.

    Args:
        path: of the CSV file.
        days: which of its rows, if they say.

    Raises:
        WorldError: a column is not there, a figure has no source, shares are none, or an activity is named twice; the
            message says which.
    """
    try:
        table = pd.read_csv(path)
    except (OSError, ValueError) as error:
        reason = why_unread(error) if isinstance(error, OSError) else error
        raise WorldError(f"{path} cannot be read as a table: {reason}") from None
    if missing := [name for name in COLUMNS if name not in table]:
        raise WorldError(f"{path} has no column {missing[0]!r}; it needs {', '.join(COLUMNS)}")
    if "days" in table and days != "all":
        table = table[table["days"] == days]
    if table.empty:
        raise WorldError(f"{path} says nothing of days={days!r}")
    unsourced = table["source"].isna() | (table["source"].astype(str).str.strip() == "")
    if unsourced.any():
        raise WorldError(f"{path}, line {table.index[unsourced][0] + 2}: a figure without a source")
    numbers = table[["hour", "share"]].apply(pd.to_numeric, errors="coerce")
    fit = numbers["hour"].between(0, HOURS - 1) & (numbers["hour"] % 1 == 0) & numbers["share"].between(0, 1)
    if not fit.all():
        raise WorldError(f"{path}, line {table.index[~fit][0] + 2}: hour from 0 to 23, share from 0 to 1")
    wide = table.assign(**numbers).pivot_table(index="hour", columns="activity", values="share", aggfunc="mean")
    wide.index = wide.index.astype(int)
    if (wide.sum(axis="columns") > MOST).any():
        raise WorldError(f"{path}: the shares of hour {wide.sum(axis='columns').idxmax()} come to more than 1")
    named = [part for activity in wide for part in activity.split(TOGETHER)]
    if twice := sorted({part for part in named if named.count(part) > 1}):
        raise WorldError(f"{path} names {twice[0]!r} by itself and with others, or twice")
    filled = wide.fillna(0.0)
    filled.attrs["sources"] = list(dict.fromkeys(table["source"].astype(str)))
    filled.attrs["days"] = days if "days" in table else "all"
    return filled


def distances(ours: pd.DataFrame, published: pd.DataFrame) -> pd.Series:
    """Return by hour which share of people would have to do something else for both to be alike, 0 to 1.

    It is the total variation distance of the two, over the activities that the table names; all others are one.
    """
    hours = ours.index.intersection(published.index)
    mine, theirs = _as_named(ours, published).loc[hours], published.loc[hours]
    rest = (mine.sum(axis="columns") - theirs.sum(axis="columns")).abs()
    return ((mine - theirs).abs().sum(axis="columns") + rest) / 2


def _as_named(ours: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Return our shares in the table's columns."""
    columns = {named: ours.reindex(columns=named.split(TOGETHER)).sum(axis="columns") for named in published}
    return pd.DataFrame(columns, index=ours.index).rename_axis(columns="activity")


def comparison_text(run: Run, path: str | Path, days: Days = "all") -> str:
    """Return the comparison as a text: an hour a line, and how far the two are apart on the whole."""
    ours, published = shares(run, days), read_table(path, days)
    apart = distances(ours, published)
    if apart.empty:
        raise WorldError(f"{path} has no hour that the run came to")
    both = pd.concat({"town": _as_named(ours, published), "table": published}, axis="columns").loc[apart.index]
    lines = both.swaplevel(axis="columns").sort_index(axis="columns")
    lines["apart", ""] = apart
    sources = "; ".join(published.attrs["sources"])
    of_days = days if published.attrs["days"] == days else f"{days} days beside {published.attrs['days']}"
    end = f"mean distance {apart.mean():.2f} over {counted(len(apart), 'hour')}, {of_days} days\nsource: {sources}"
    return f"{lines.round(2).to_string()}\n\n{end}"


def main() -> int:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("table", type=Path, help="a CSV file with hour, activity, share and source")
    parser.add_argument("--days", choices=("all", "weekday", "weekend"), default="all")
    options = parser.parse_args()
    try:
        with open_run(options.run) as run:
            print(comparison_text(run, options.table, options.days))
    except CaveSimError as error:
        parser.exit(1, f"{error}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
