"""A run in a terminal, for people over ssh: the time, the weather of turns, the measures, and who just did what."""

from __future__ import annotations

from collections import Counter, deque
from typing import TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar as Bar
from rich.table import Table
from rich.text import Text

from cave_sim.changes.turn import Turn
from cave_sim.policy.text_cleaning import clean
from cave_sim.simulation.observers import Observer, Watched

LINES = 14
LATEST_MEASURES = 40
SPARKS = "▁▂▃▄▅▆▇█"
COLOURS = {"committed": "blue", "failed": "yellow", "blocked": "red", "conflict": "magenta", "timeout": "bright_yellow"}


class TerminalView(Observer):
    """Shows a run on one screen, redrawn a few times a second."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._console = Console(file=stream)
        self._live: Live | None = None
        self._turns: deque[tuple[str, Turn]] = deque(maxlen=LINES)
        self._counts: Counter[str] = Counter()
        self._measures: dict[str, deque[float]] = {}
        self._until = 0

    def on_start(self, simulation: Watched, until: int) -> None:
        """Take the screen."""
        self._until = until
        self._live = Live(self.drawn(simulation), console=self._console, refresh_per_second=8, transient=False)
        self._live.start()

    def on_turn(self, simulation: Watched, turn: Turn) -> None:
        """Remember who did what."""
        if turn.kind == "cell":
            self._counts[turn.status] += 1
            self._turns.append((simulation.world.clock.text, turn))

    def on_step(self, simulation: Watched) -> None:
        """Show the step."""
        for name, measure in getattr(simulation, "measures", {}).items():
            values = self._measures.setdefault(name, deque(maxlen=LATEST_MEASURES))
            values.append(float(measure(simulation.world)))
        if self._live is not None:
            self._live.update(self.drawn(simulation))

    def on_end(self, simulation: Watched) -> None:
        """Leave the last screen standing."""
        if self._live is not None:
            self._live.update(self.drawn(simulation))
            self._live.stop()
            self._live = None

    def drawn(self, simulation: Watched) -> Group:
        """Return the screen."""
        clock = simulation.world.clock
        head = Table.grid(expand=True, padding=(0, 2))
        head.add_row(
            Text(f"{clock.text}  step {clock.step}/{self._until}", style="bold"), Bar(max(1, self._until), clock.step),
            Text(f"{simulation.turns_per_s:,.0f} turns/s", justify="right"),
        )  # fmt: skip
        counts = [Text(f"{number:,} {status}", COLOURS.get(status, "")) for status, number in self._counts.items()]
        latest = Panel(self._latest_turns(), title="turns", border_style="dim")
        return Group(head, Text("  ").join(counts), self._measured(), latest)

    def _measured(self) -> Table:
        table = Table.grid(padding=(0, 2))
        for name, values in self._measures.items():
            latest, course = Text(f"{values[-1]:,.4g}", justify="right"), Text(sparks(values), style="cyan")
            table.add_row(Text(clean(name)), latest, course)
        return table

    def _latest_turns(self) -> Text:
        lines = []
        for time, turn in self._turns:
            code = clean("; ".join(line.strip() for line in turn.code.strip().splitlines()))
            reason = clean(turn.error or "").strip().splitlines()[-1:]
            status = f"{turn.status:<10}", COLOURS.get(turn.status, "")
            error = f"  {reason[0]}" if reason else "", "red"
            who = f"{clean(turn.agent):<20} ", "bold"
            parts = (f"{time[-5:]} ", "dim"), who, status, code, error
            lines.append(Text.assemble(*parts, no_wrap=True, overflow="ellipsis"))
        return Text("\n").join(lines)


def sparks(values: deque[float]) -> str:
    """Return numbers as a line of small bars."""
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return "".join(SPARKS[round((value - low) / span * (len(SPARKS) - 1))] for value in values)
