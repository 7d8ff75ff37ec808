"""What peers cost beside ours, as a part of the page of benchmarks: a table, a plot, and who could not be measured."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bench.page import PEERS, facts
from tests.bench.peer_environments import REPEATS
from tests.bench.table import Row

HEAD = """Written by `make bench ARGS="--peers --page docs/benchmarks.md"`: each peer at one release, in an environment
of its own, at the same work, in turns with ours. Processor time of all threads unless a row says wall clock; figures
are how many times ours a peer costs, so where one is below 1 ours costs more. No peer takes back a turn that failed,
checks what code writes, or can run a journal again; ours does, and has its journal on, but for the rows of sessions.
cave-agent and ours beside it run on one Python, 3.12 or later, which mesa-llm and AgentSociety 2 need as well.
"""
PLOT = Path("pictures") / "peers.svg"
COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#b5651d", "#6a4c93", "#7a7a7a")


def write_peers(path: Path, tables: Mapping[str, Sequence[Row]], missing: Mapping[str, str]) -> None:
    """Write the part of a page that tells of peers, and the plot beside it; the rest of the page stays.

    Args:
        path: of the page.
        tables: peer -> its rows, all of ratios but for what is left in memory.
        missing: peer -> why it was not measured.
    """
    before = path.read_text(encoding="utf-8").partition(PEERS)[0].rstrip() if path.exists() else ""
    lines = [before, "", PEERS, "", HEAD, *(f"- {fact}" for fact in facts(REPEATS)), ""]
    lines += ["| what | ours | peer | times ours | target | |", "| --- | --: | --: | --: | --: | --- |"]
    for row in (row for rows in tables.values() for row in rows):
        bound = f"{'≥' if row.at_least else '≤'} {row.target:.3g} {row.unit}"
        told = [row.what, row.ours, row.reference, f"{row.figure:.3g} {row.unit}", bound, "" if row.met else "missed"]
        lines.append(f"| {' | '.join(told)} |")
    if any(tables.values()):
        (path.parent / PLOT).parent.mkdir(exist_ok=True)
        draw(tables, path.parent / PLOT)
        lines += ["", f"![How many times ours each peer costs, row by row, on a logarithmic scale]({PLOT.as_posix()})"]
    lines += ["", *(f"- Not measured: {peer}: {reason}" for peer, reason in missing.items())]
    path.write_text("\n".join(lines).strip() + "\n", encoding="utf-8")


def draw(tables: Mapping[str, Sequence[Row]], file: Path) -> None:
    """Draw the ratios of all peers as bars from 1, one colour for each, as SVG or what else the file's name ends in."""
    bars = [
        (peer, row.what, row.figure, COLOURS[place % len(COLOURS)])
        for place, (peer, rows) in enumerate(tables.items())
        for row in rows
        if row.at_least
    ][::-1]
    from matplotlib.figure import Figure  # takes a while to import, and tests import this module

    figure = Figure(figsize=(9, 1 + 0.24 * len(bars)), layout="constrained")
    axes = figure.subplots()
    places = range(len(bars))
    axes.barh(places, [times - 1 for _, _, times, _ in bars], left=1, color=[colour for *_, colour in bars])
    axes.set_yticks(places, [f"{peer}: {what}" for peer, what, _, _ in bars], fontsize=7)
    axes.set_xscale("log")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel("times the processor time of ours; right of the line ours costs less")
    figure.savefig(file, metadata={"Date": None})
