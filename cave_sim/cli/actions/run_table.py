"""The runs of a folder as a table: how each ended, how large it is, what it took, and what people noted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from cave_sim.cli.options.plain_output import drawn_on, visible
from cave_sim.errors import JournalError, did_you_mean
from cave_sim.history.run_list import row, runs_in

NUMBERS = ("seed", "steps", "shared", "turns", "size_bytes", "calls", "tokens", "cost_usd")
COLUMNS = ("run", "simulation", "status", *NUMBERS, "tags", "notes")
WIDTH_WITHOUT_TERMINAL = 200


def rows(place: Path, *, sort: str, tag: str | None) -> list[dict[str, Any]]:
    """Return the runs of a folder, numbers largest first and words in order.

    Raises:
        JournalError: there is none.
    """
    runs = [row(place, folder) for folder in runs_in(place)]
    if not runs:
        raise JournalError(
            f"{place} {'holds no run' if place.is_dir() else 'is no folder'}; cave-sim run town_day makes a run"
        )
    if tag is not None:
        known = {word for each in runs for word in each["tags"]}
        if tag not in known:
            raise JournalError(f"no run in {place} has the tag {tag!r}.{did_you_mean(tag, known)}")
        runs = [each for each in runs if tag in each["tags"]]
    if sort in NUMBERS:
        return sorted(runs, key=lambda each: each[sort] or 0, reverse=sort != "seed")
    return sorted(runs, key=lambda each: each[sort] or "")


def show(runs: list[dict[str, Any]]) -> None:
    """Print the table; columns in which no run has anything are left out."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown = [name for name in COLUMNS if any(each[name] not in (None, 0, 0.0, []) for each in runs)]
    heads = HEADS | ({"turns": "own turns"} if "shared" in shown else {})
    for name in shown:
        table.add_column(heads.get(name, name), justify="right" if name in NUMBERS else "left", overflow="fold")
    for each in runs:
        table.add_row(*(visible(_text(name, each[name])) for name in shown))
    console = Console(file=drawn_on(), highlight=False, markup=False)
    if not console.is_terminal:
        console.width = WIDTH_WITHOUT_TERMINAL
    console.print(table)


HEADS = {"size_bytes": "size", "cost_usd": "USD", "shared": "of them shared"}


def _text(name: str, value: Any) -> str:
    if value is None or value == []:
        return ""
    if name == "size_bytes":
        return f"{value / 1e6:,.1f} MB"
    if name == "cost_usd":
        return f"{value:,.2f}" if value else ""
    if isinstance(value, list):
        return (", " if name == "tags" else "; ").join(value)
    return str(value) if name in ("run", "seed") or not isinstance(value, int) else f"{value:,}"
