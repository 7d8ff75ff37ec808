"""Prices of stocks that do not exist: a seeded random walk, so that no data of anybody's is needed."""

from __future__ import annotations

import numpy as np
import pandas as pd

TICKERS = ("ALDER", "BIRCH")
FIRST_DAY, LAST_DAY = "2020-01-01", "2024-12-31"
DAILY_DRIFT, DAILY_VOLATILITY = 0.0004, 0.016


def price_table(seed: int) -> pd.DataFrame:
    """Return one row for each ticker and working day of five years: prices to the cent, volume in shares.

    Closing prices are a geometric random walk; the seed decides everything.
    """
    days = pd.bdate_range(FIRST_DAY, LAST_DAY).strftime("%Y-%m-%d")
    return pd.concat([_walk(np.random.default_rng([seed, at]), ticker, days) for at, ticker in enumerate(TICKERS)])


def _walk(rng: np.random.Generator, ticker: str, days: pd.Index) -> pd.DataFrame:
    close = rng.uniform(60, 140) * np.exp(np.cumsum(rng.normal(DAILY_DRIFT, DAILY_VOLATILITY, len(days))))
    opened = close * np.exp(rng.normal(0, DAILY_VOLATILITY / 3, len(days)))
    high = np.maximum(opened, close) * (1 + rng.uniform(0, DAILY_VOLATILITY, len(days)))
    low = np.minimum(opened, close) * (1 - rng.uniform(0, DAILY_VOLATILITY, len(days)))
    columns = {"open": opened, "high": high, "low": low, "close": close}
    table = pd.DataFrame({"ticker": ticker, "date": days, **{name: each.round(2) for name, each in columns.items()}})
    return table.assign(volume=rng.integers(200, 9_000, len(days)) * 100)
