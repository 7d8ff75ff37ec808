"""One measured figure and its target, and how they are shown."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Row:
    """A figure beside its target.

    `target` bounds `figure` from above, or from below where `at_least`. The unit "x" is a ratio; others hang on
    the machine, and are there to be looked at.
    """

    what: str
    ours: str
    reference: str
    figure: float
    target: float
    unit: str = "x"
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether the figure keeps its target."""
        return self.figure >= self.target if self.at_least else self.figure <= self.target


def ratio(what: str, costs_us: dict[str, float], ours: str, reference: str, target: float) -> Row:
    """Set what one way costs against another; `target` is the most times it may cost."""
    return Row(
        what,
        shown_us(costs_us[ours]),
        f"{reference} {shown_us(costs_us[reference])}",
        costs_us[ours] / costs_us[reference],
        target,
    )


def shown_us(cost_us: float) -> str:
    """Show a cost in the unit that keeps it short."""
    if cost_us < 1:
        return f"{cost_us * 1000:.0f} ns"
    return f"{cost_us:.1f} µs" if cost_us < 1000 else f"{cost_us / 1000:.1f} ms"


def keyed(rows: Iterable[Row]) -> dict[tuple[str, str, int], Row]:
    """Return rows by what tells them apart: their name, their unit, and which of several such rows each is."""
    seen: Counter[tuple[str, str]] = Counter()
    found = {}
    for row in rows:
        found[row.what, row.unit, seen[row.what, row.unit]] = row
        seen[row.what, row.unit] += 1
    return found


def read_json(path: Path) -> list[Row]:
    """Return the rows that an earlier run kept."""
    return [Row(**{name: each[name] for name in Row.__dataclass_fields__}) for each in json.loads(path.read_text())]


def show(title: str, rows: Iterable[Row], console: Console) -> None:
    """Print rows as a table; a missed target stands out."""
    table = Table("", "ours", "against", "figure", "target", "", title=title, title_justify="left", title_style="bold")
    for column in table.columns[3:5]:
        column.justify = "right"
    for row in rows:
        bound = "≥" if row.at_least else "≤"
        table.add_row(
            row.what,
            row.ours,
            row.reference,
            f"{row.figure:.3g} {row.unit}",
            f"{bound} {row.target:g} {row.unit}",
            "[green]ok[/]" if row.met else "[bold red]missed[/]",
        )
    console.print(table)


def show_changes(rows: Iterable[Row], before: Iterable[Row], console: Console) -> None:
    """Print how the figures differ from those of another run; a ratio of two runs is no better than the machine was."""
    older = keyed(before)
    table = Table("", "before", "now", "now / before", title="against the other run", title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    for key, row in keyed(rows).items():
        if (old := older.get(key)) is not None:
            change = f"{row.figure / old.figure:.2f}" if old.figure else "-"
            table.add_row(row.what, f"{old.figure:.3g} {row.unit}", f"{row.figure:.3g} {row.unit}", change)
    console.print(table)


def write_json(rows: Iterable[Row], path: Path) -> None:
    """Keep the rows as a JSON list, for comparing two runs."""
    path.write_text(json.dumps([asdict(row) | {"met": row.met} for row in rows], indent=1, ensure_ascii=False) + "\n")
