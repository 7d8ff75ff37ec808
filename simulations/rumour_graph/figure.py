"""Draws the figure: ``python -m cave_sim.simulations.rumour_graph.figure runs/rumour_graph figure.svg``."""

from __future__ import annotations

import sys
from pathlib import Path

from cave_sim.loading.extras import extra
from cave_sim.scenario import open_study

WORDS = {
    "everybody": "all know each other",
    "ring": "four nearest",
    "ring_5": "5 % of ties anywhere",
    "ring_30": "30 % anywhere",
    "anywhere": "all anywhere",
}
THEORY = 0.2032
"""Of Daley and Kendall (1964): the root of x = exp(-2 (1 - x)), where all know each other and are many."""


def draw(study: str | Path, out: str | Path) -> None:
    """Draw how many never hear the rumour: every run, their mean, and what theory says of very many people."""
    with extra("viz", "the figure"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    frame = open_study(study).frame()
    figure = Figure(figsize=(6.4, 3.2), layout="constrained")
    axes = figure.subplots()
    axes.axvline(THEORY, color="grey", linestyle="--", linewidth=1, label="theory, for all who know each other")
    for place, condition in enumerate(reversed(WORDS)):
        values = frame.loc[frame["condition"] == condition, "never_heard"]
        aside = [place + ((at * 0.618) % 1 - 0.5) * 0.5 for at in range(len(values))]
        axes.scatter(values, aside, s=14, alpha=0.5, color=f"C{place}")
        axes.plot([values.mean()] * 2, [place - 0.35, place + 0.35], color=f"C{place}", linewidth=2)
    axes.set(xlabel="people who never hear it (share)", xlim=(0, 1.02))
    axes.set_yticks(range(len(WORDS)), list(WORDS.values())[::-1])
    axes.legend(loc="upper right", fontsize="small")
    with mpl.rc_context({"svg.hashsalt": "rumour_graph"}):
        figure.savefig(out, metadata={"Date": None} if str(out).endswith(".svg") else None)


if __name__ == "__main__":
    draw(*sys.argv[1:3])
