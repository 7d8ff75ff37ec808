"""``data_tasks``: query, analyse and draw five years of prices, by code with objects, code with text, and JSON (§4.4).

All three are given the same functions. A script that calls functions reads off what can be read off; what must be
computed it does not know, and says so: that column is so by construction, and for a language model only --model tells.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Generator, Sequence
from functools import cache
from typing import Any

import pandas as pd

from cave_sim import World
from cave_sim.experiment.comparison import BREADTH, plain, same
from cave_sim.experiment.study import Study
from cave_sim.experiment.task import After, Call, Calling, Query, Task, call
from cave_sim.loading.extras import extra
from cave_sim.worlds.market import TICKERS, price_table

with extra("plots", "the charts of data_tasks"):
    import plotly.graph_objects as go

Rows = list[dict[str, Any]]
Lines = dict[str, Any]
FIRST, LAST = "2020-01-01", "2024-12-31"
DIGITS = 4


class Market:
    """The prices of one seed, and the functions that hand them out."""

    def __init__(self, seed: int) -> None:
        self.table: Any = price_table(seed)
        self.rows: dict[str, Rows] = {
            ticker: part.drop(columns="ticker").to_dict("records") for ticker, part in self.table.groupby("ticker")
        }

    def prices(self, ticker: str, start: str = FIRST, end: str = LAST) -> list[dict[str, Any]]:
        """Return the days from start to end, ISO dates: rows of date, open, high, low, close and volume."""
        return [dict(row) for row in self.rows[ticker] if start <= row["date"] <= end]

    def frame(self, ticker: str, start: str = FIRST, end: str = LAST) -> pd.DataFrame:
        """Return the same as a table, for working out what is right."""
        return pd.DataFrame(self.prices(ticker, start, end))

    def offer_to(self, world: World) -> None:
        """Put the functions into a world."""
        world.inject("tickers", tickers)
        world.inject("prices", self.prices)
        load_charts()
        world.inject("line_chart", line_chart)


def tickers() -> list[str]:
    """Return the stocks that there are."""
    return list(TICKERS)


@cache
def load_charts() -> None:
    """Draw one: plotly loads its parts when they are first used, and a jailed cell may read no file."""
    line_chart("", [0], {"": [0.0]}).to_json()


def line_chart(title: str, x: list[Any], lines: dict[str, list[float]]) -> go.Figure:
    """Return a plotly figure, which has to_json(), with a line for each name over the values of x."""
    traces = [go.Scatter(x=list(x), y=list(values), name=name, mode="lines") for name, values in lines.items()]
    return go.Figure(traces, {"title": {"text": title}, "template": {}})


def reading(*calls: Call, says: Callable[[list[Any]], Any]) -> Calling:
    """Return how to play one round of calls, and deliver what can be read off their results."""

    def play() -> Generator[Sequence[Call], list[Any], str]:
        return json.dumps({"result": says((yield calls))})

    return play


def giving_up(*calls: Call) -> Calling:
    """Return how to play one round of calls, and not know what to make of their results."""

    def play() -> Generator[Sequence[Call], list[Any], str]:
        yield calls
        return "That would have to be computed, and nothing here computes."

    return play


PRINT = "\nimport json\nprint(json.dumps({'result': result}))"
PRINT_FIGURE = "\nimport json\nprint(json.dumps({'result': json.loads(result.to_json())}))"


def is_rounded(after: After) -> bool:
    """Say whether a number has no more digits than were asked for: a large one is equal to itself with all of them."""
    number = after["result"]
    return bool(round(number, DIGITS) == number)


def query_task(name: str, text: str, code: str, right: Any, calls: Calling) -> Task:
    """Return a task that delivers rows or values as they are."""
    query = Query(f"{text} Deliver it as `result`.", {"result": right}, cave=code, codeact=code + PRINT, calls=calls,
                  wrong="result = []")  # fmt: skip
    return Task(name, "query", (query,))


def queries(market: Market) -> list[Task]:
    """Return ten questions for rows, from one day to everything that there is."""

    def rows(name: str, ticker: str, start: str, end: str) -> Task:
        prices_call = call("prices", ticker=ticker, start=start, end=end)
        text = f"All prices of {ticker} from {start} to {end}, as a list of rows."
        code = f"result = prices({ticker!r}, {start!r}, {end!r})"
        read_off = reading(prices_call, says=lambda results: results[0])
        return query_task(name, text, code, market.prices(ticker, start, end), read_off)

    def days(name: str, ticker: str, year: int, least: int) -> Task:
        start, end = f"{year}-01-01", f"{year}-12-31"
        code = f"result = [row['date'] for row in prices({ticker!r}, {start!r}, {end!r}) if row['volume'] >= {least}]"
        right = [row["date"] for row in market.prices(ticker, start, end) if row["volume"] >= least]
        read_off = reading(
            call("prices", ticker=ticker, start=start, end=end),
            says=lambda results: [row["date"] for row in results[0] if row["volume"] >= least],
        )
        text = f"The dates of {year} on which {ticker} had a volume of at least {least}, as a list."
        return query_task(name, text, code, right, read_off)

    everything = query_task(
        "everything",
        "All prices of both stocks, as a dictionary from ticker to list of rows.",
        "result = {ticker: prices(ticker) for ticker in tickers()}",
        {ticker: market.prices(ticker) for ticker in TICKERS},
        reading(*(call("prices", ticker=ticker) for ticker in TICKERS),
                says=lambda seen: dict(zip(TICKERS, seen, strict=True))),
    )  # fmt: skip
    return [
        rows("one_day", "ALDER", "2021-03-01", "2021-03-01"),
        rows("one_week", "BIRCH", "2022-05-02", "2022-05-06"),
        rows("one_month", "ALDER", "2020-10-01", "2020-10-31"),
        rows("one_quarter", "BIRCH", "2023-01-01", "2023-03-31"),
        days("busy_days", "ALDER", 2022, 850_000),
        days("busiest_days", "BIRCH", 2024, 880_000),
        rows("one_year", "ALDER", "2021-01-01", "2021-12-31"),
        rows("two_years", "BIRCH", "2021-01-01", "2022-12-31"),
        rows("five_years", "ALDER", FIRST, LAST),
        everything,
    ]


def analyses(market: Market) -> list[Task]:
    """Return ten numbers, two of which can be read off."""
    alder, birch = (market.frame(ticker) for ticker in TICKERS)
    returns, others = alder.close.pct_change(), birch.close.pct_change()
    up = (alder.close.diff() > 0).astype(int)
    streak = int(up.groupby((up == 0).cumsum()).sum().max())
    monthly = alder.groupby(alder.date.str[:7]).close.agg(["first", "last"])
    fast, slow = birch.close.rolling(20).mean(), birch.close.rolling(100).mean()
    above = (fast > slow)[slow.notna()].astype(int)
    last_of_2022 = call("prices", ticker="ALDER", start="2022-12-20", end="2022-12-31")
    of_2023 = call("prices", ticker="BIRCH", start="2023-01-01", end="2023-12-31")
    table, other = "t = pd.DataFrame(prices('ALDER'))\n", "u = pd.DataFrame(prices('BIRCH'))\n"

    def number(name: str, text: str, code: str, right: float, calls: Calling) -> Task:
        question = f"{text} Deliver it as `result`, " + (
            "an integer." if isinstance(right, int) else f"a number rounded to {DIGITS} digits behind the point."
        )
        code = code if isinstance(right, int) else f"{code}\nresult = round(float(result), {DIGITS})"
        expect = {"result": right if isinstance(right, int) else round(right, DIGITS)}
        query = Query(
            question, expect, cave=code, codeact=code + PRINT, calls=calls, wrong="result = -1.0", check=is_rounded
        )
        return Task(name, "analysis", (query,))

    def computed(name: str, text: str, code: str, right: float) -> Task:
        return number(name, text, code, right, giving_up(*(call("prices", ticker=each) for each in TICKERS)))

    return [
        number("last_close", "The closing price of ALDER on its last day in 2022.",
               "result = prices('ALDER', '2022-12-20', '2022-12-31')[-1]['close']",
               float(alder[alder.date < "2023"].close.iloc[-1]),
               reading(last_of_2022, says=lambda seen: seen[0][-1]["close"])),
        number("days", "How many days of 2023 does BIRCH have?",
               "result = len(prices('BIRCH', '2023-01-01', '2023-12-31'))",
               len(market.prices("BIRCH", "2023-01-01", "2023-12-31")),
               reading(of_2023, says=lambda seen: len(seen[0]))),
        computed("mean_close", "The mean closing price of ALDER over all days.", table + "result = t.close.mean()",
                 float(alder.close.mean())),
        computed("volatility", "The yearly volatility of ALDER: standard deviation of daily returns times root of 252.",
                 table + "result = t.close.pct_change().std() * 252 ** 0.5", float(returns.std() * 252**0.5)),
        computed("correlation", "The correlation of the daily returns of both stocks.",
                 table + other + "result = t.close.pct_change().corr(u.close.pct_change())",
                 float(returns.corr(others))),
        computed("drawdown", "The deepest fall of BIRCH's close from its highest close before, as a negative share.",
                 other + "result = (u.close / u.close.cummax() - 1).min()",
                 float((birch.close / birch.close.cummax() - 1).min())),
        computed("sharpe", "The Sharpe ratio of ALDER: mean daily return by its standard deviation, times root of 252.",
                 table + "r = t.close.pct_change()\nresult = r.mean() / r.std() * 252 ** 0.5",
                 float(returns.mean() / returns.std() * 252**0.5)),
        computed("streak", "The longest run of days on which ALDER closed above the day before, in days.",
                 "best = run = 0\nrows = prices('ALDER')\nfor before, after in zip(rows, rows[1:]):\n"
                 "    run = run + 1 if after['close'] > before['close'] else 0\n    best = max(best, run)\n"
                 "result = best",
                 streak),
        computed("best_month", "The best month of ALDER: the largest gain from a month's first close to its last.",
                 table + "m = t.groupby(t.date.str[:7])['close']\nresult = (m.last() / m.first() - 1).max()",
                 float((monthly["last"] / monthly["first"] - 1).max())),
        computed("crossings", "How often BIRCH's mean close of 20 days crosses that of 100 days, once both exist.",
                 other + "above = (u.close.rolling(20).mean() > u.close.rolling(100).mean())[99:].astype(int)\n"
                 "result = int(above.diff().abs().sum())", int(above.diff().abs().sum())),
    ]  # fmt: skip


def charts(market: Market) -> list[Task]:
    """Return ten figures, four of which show prices as they are."""
    alder, birch = (market.frame(ticker) for ticker in TICKERS)
    both = pd.DataFrame({"ALDER": alder.close, "BIRCH": birch.close}).set_axis(alder.date)
    monthly = both.groupby(both.index.str[:7]).mean()
    table, other = "t = pd.DataFrame(prices('ALDER'))\n", "u = pd.DataFrame(prices('BIRCH'))\n"
    pair = table + other + "both = pd.DataFrame({'ALDER': t.close, 'BIRCH': u.close})\n"

    def chart(name: str, title: str, text: str, code: str, x: Sequence[Any], lines: Lines, calls: Calling) -> Task:
        def check(after: After) -> bool:
            return shows(after["result"], title, x, lines)

        request = f"A line chart titled '{title}': {text} Deliver the plotly figure as `result`."
        query = Query(request, check=check, cave=code, codeact=code + PRINT_FIGURE, calls=calls, wrong="result = None")
        return Task(name, "chart", (query,))

    def raw(name: str, ticker: str, column: str, start: str, end: str) -> Task:
        prices_call, right = call("prices", ticker=ticker, start=start, end=end), market.frame(ticker, start, end)
        title = f"{ticker} {column} {start[:7]} to {end[:7]}"

        def drawn(results: list[Any]) -> dict[str, Any]:
            lines = {column: [row[column] for row in results[0]]}
            return dict(json.loads(line_chart(title, [row["date"] for row in results[0]], lines).to_json()))

        code = (
            f"rows = prices({ticker!r}, {start!r}, {end!r})\nresult = line_chart({title!r},"
            f" [row['date'] for row in rows], {{{column!r}: [row[{column!r}] for row in rows]}})"
        )
        text = f"the {column} of {ticker} over the dates from {start} to {end}, as a line called '{column}'."
        return chart(name, title, text, code, right.date, {column: right[column]}, reading(prices_call, says=drawn))

    def derived(name: str, title: str, text: str, code: str, x: Sequence[Any], **lines: Any) -> Task:
        drawn = f"{code}\nresult = line_chart({title!r}, {{}}, {{}})"
        draws = drawn.replace("{}, {}", "x, {name: values for name, values in lines.items()}")
        unknown = giving_up(*(call("prices", ticker=each) for each in TICKERS))
        return chart(name, title, text, draws, x, lines, unknown)

    average = alder.close.rolling(20).mean().round(2)
    year = both[both.index < "2021"]
    fall = (birch.close / birch.close.cummax() - 1).round(DIGITS)
    return [
        raw("close_of_a_month", "ALDER", "close", "2022-06-01", "2022-06-30"),
        raw("volume_of_a_month", "BIRCH", "volume", "2023-09-01", "2023-09-30"),
        raw("close_of_a_year", "BIRCH", "close", "2021-01-01", "2021-12-31"),
        raw("close_of_five_years", "ALDER", "close", FIRST, LAST),
        derived("moving_average", "ALDER smoothed", "the mean close of ALDER over 20 days, rounded to cents, from"
                " the 20th day on, over the dates, as a line called 'mean'.",
                table + "x = list(t.date[19:])\n"
                "lines = {'mean': list(t.close.rolling(20).mean().round(2)[19:])}", alder.date[19:], mean=average[19:]),
        derived("growth", "Growth in 2020", "the close of both stocks in 2020 divided by that of its first day, rounded"
                f" to {DIGITS} digits, over the dates, as lines called by the tickers.",
                pair + f"y = both[t.date < '2021']\nx = list(t.date[t.date < '2021'])\n"
                f"lines = {{name: list((y[name] / y[name].iloc[0]).round({DIGITS})) for name in y.columns}}",
                year.index, **{name: (year[name] / year[name].iloc[0]).round(DIGITS) for name in year.columns}),
        derived("monthly", "Monthly means", "the mean close of each month, rounded to cents, for both stocks, over the"
                " months as 'YYYY-MM', as lines called by the tickers.",
                pair + "m = both.groupby(t.date.str[:7]).mean().round(2)\nx = list(m.index)\n"
                "lines = {name: list(m[name]) for name in m.columns}",
                monthly.index, **{name: monthly[name].round(2) for name in TICKERS}),
        derived("drawdowns", "BIRCH below its peak", "the close of BIRCH as a share of its highest close so far, less"
                f" 1, rounded to {DIGITS} digits, over the dates, as a line called 'fall'.",
                other + f"x = list(u.date)\nlines = {{'fall': list((u.close / u.close.cummax() - 1).round({DIGITS}))}}",
                birch.date, fall=fall),
        derived("spread", "ALDER less BIRCH", "the close of ALDER less that of BIRCH, rounded to cents, over the dates,"
                " as a line called 'spread'.",
                table + other + "x = list(t.date)\nlines = {'spread': list((t.close - u.close).round(2))}",
                alder.date, spread=(alder.close - birch.close).round(2)),
        derived("yearly_volume", "Volume by year", "the volume of ALDER summed over each year, over the years as"
                " numbers, as a line called 'volume'.",
                table + "v = t.groupby(t.date.str[:4])['volume'].sum()\nx = [int(year) for year in v.index]\n"
                "lines = {'volume': [int(each) for each in v]}", range(2020, 2025),
                volume=alder.groupby(alder.date.str[:4]).volume.sum()),
    ]  # fmt: skip


def shows(chart: Any, title: str, x: Sequence[Any], lines: dict[str, Any]) -> bool:
    """Say whether a figure, native or as JSON, has this title and these lines, each of them once and to be seen."""
    figure = chart if isinstance(chart, go.Figure) else go.Figure(chart)
    traces = {trace.name: trace for trace in figure.data}
    if figure.layout.title.text != title or sorted(map(str, lines)) != sorted(str(each.name) for each in figure.data):
        return False
    if not all(map(_is_line, figure.data)):
        return False
    return all(
        same(plain(list(traces[name].x)), plain(list(x)))
        and _close(_numbers(traces[name].y), [float(value) for value in values])
        for name, values in lines.items()
    )


def _is_line(trace: Any) -> bool:
    is_drawn = trace.visible in (None, True)
    return is_drawn and trace.type in ("scatter", "scattergl") and "lines" in (trace.mode or "lines")


def _numbers(values: Sequence[Any]) -> list[Any]:
    """Return whole numbers as fractions, which look alike in a chart; what is no number stays what it is."""
    return [float(each) if type(each) is int else each for each in plain(list(values))]


def _close(drawn: list[Any], right: list[float]) -> bool:
    """Say whether numbers are the same to the sixth digit behind the point, however large they are."""
    pairs = zip(drawn, right, strict=False)
    return len(drawn) == len(right) and all(
        isinstance(one, float) and math.isclose(one, other, rel_tol=0.0, abs_tol=BREADTH) for one, other in pairs
    )


def tasks(seed: int) -> list[Task]:
    """Return thirty tasks over the prices of a seed."""
    market = Market(seed)
    task_list = [*queries(market), *analyses(market), *charts(market)]
    return [Task(task.name, task.group, task.queries, build=market.offer_to) for task in task_list]


STUDY = Study(
    "data_tasks",
    "Thirty data tasks: code with objects, code with text, JSON function calls",
    "After CaveAgent §4.4; the prices are made up.",
    tasks,
    ("cave", "codeact", "json"),
)
