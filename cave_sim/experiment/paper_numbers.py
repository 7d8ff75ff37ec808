"""The numbers of a paper's tables: rates and means per query, with the intervals that their repetitions allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pandas as pd

from cave_sim.analysis.statistics import Estimate, mean_interval, share_interval
from cave_sim.analysis.wording import figure
from cave_sim.experiment.kept_trials import KeptTrial
from cave_sim.experiment.statistics import per_query

COUNTED = {
    "steps": "steps",
    "prompt_tokens": "prompt tokens",
    "completion_tokens": "completion tokens",
    "tokens": "tokens",
}
"""What is counted of each query, and how it is called."""


def queries_of(trials: Iterable[KeptTrial]) -> pd.DataFrame:
    """Return one row for each query of trials; no rows and no columns if there are none."""
    return per_query(trial.result for trial in trials)


def paired(queries: pd.DataFrame, paradigms: Iterable[str]) -> pd.DataFrame:
    """Return the queries of tasks that were finished in all paradigms, under the same seed: others do not compare."""
    if queries.empty:
        return queries
    present = queries.groupby(["seed", "task"])["paradigm"].transform("nunique")
    return queries[present == len({*paradigms})]


def success(queries: pd.DataFrame, *, scripted: bool) -> Estimate:
    """Return the success rate in percent: Student's interval over repetitions, of a single one Wilson's.

    What a script does has no interval: it makes no chance mistakes.
    """
    rates = _replicates(by_seed(queries, "ok"))
    if len(rates) > 1 and not scripted:
        rate = mean_interval(rates)
        rate = replace(rate, mean=100 * float(queries["ok"].mean()))
        return replace(rate, low=max(0.0, rate.low), high=min(100.0, rate.high))
    one = queries[queries["seed"] == queries["seed"].iloc[0]]
    share = share_interval(int(one["ok"].sum()), len(one))
    if scripted:
        share = replace(share, low=float("nan"), high=float("nan"), method="")
    return replace(share, mean=100 * share.mean, low=100 * share.low, high=100 * share.high)


def per_query_mean(queries: pd.DataFrame, name: str) -> Estimate:
    """Return the mean of a count per query, with Student's interval over repetitions that differ."""
    mean = mean_interval(_replicates(by_seed(queries, name)))
    return replace(mean, mean=float(queries[name].mean()))


def by_seed(queries: pd.DataFrame, name: str) -> pd.Series:
    """Return the mean of a column for each repetition; of ``ok`` in percent."""
    means = queries.groupby("seed")[name].mean()
    return 100 * means if name == "ok" else means


def _replicates(by_seed: pd.Series) -> pd.Series:
    """Return the numbers of repetitions; one where all came out alike, as at temperature 0: it was one trial."""
    return by_seed if by_seed.nunique() > 1 else by_seed.iloc[:1]


def change(queries: pd.DataFrame, name: str, of: str, beside: str) -> Estimate:
    """Return by how many percent a paradigm takes more than another, over pairs, with an interval over repetitions."""
    both = paired(queries[queries["paradigm"].isin([of, beside])], (of, beside))
    if both.empty:
        return mean_interval([])
    sums = both.groupby(["seed", "paradigm"])[name].sum().unstack()
    percent = mean_interval(_replicates(100 * (sums[of] - sums[beside]) / sums[beside]))
    total = sums.sum()
    return replace(percent, mean=100 * float((total[of] - total[beside]) / total[beside]))


def with_ends(estimate: Estimate, shown: Callable[[float], str] = figure) -> str:
    """Return an estimate as text, with its interval if it has one."""
    if not estimate.n:
        return "–"
    ends = f" [{shown(estimate.low)}, {shown(estimate.high)}]" if estimate.has_interval else ""
    return f"{shown(estimate.mean)}{ends}"


def percent(value: float) -> str:
    """Return a rate in percent with one decimal."""
    return f"{value:.1f}"


def signed(value: float) -> str:
    """Return a change in percent with its sign."""
    return f"{value:+.1f} %"
