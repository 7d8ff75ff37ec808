"""Draws the figure of the study: ``python -m cave_sim.simulations.commons.figure runs/commons figure.svg``."""

from __future__ import annotations

import sys
from pathlib import Path

from cave_sim.loading.extras import extra
from cave_sim.scenario import open_study

WORDS = {"silent": "nothing is seen", "talk": "catches are seen", "advice": "a posted limit", "sanctions": "sanctions"}


def draw(study: str | Path, out: str | Path) -> None:
    """Draw the fish as each month begins, by how many are greedy: means over seeds, and the middle nine tenths."""
    with extra("viz", "the figure"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    series = open_study(study).series()
    series = series[series["step"] % 2 == 0]
    levels = sorted(series["greedy"].unique())
    figure = Figure(figsize=(8.4, 3.2), layout="constrained")
    for greedy, axes in zip(levels, figure.subplots(1, len(levels), sharey=True), strict=True):
        mine = series[series["greedy"] == greedy]
        wide = mine.pivot_table(index="step", columns=["condition", "seed"], values="fish").fillna(0)
        for condition, label in WORDS.items():
            of_seeds = wide[condition]
            (line,) = axes.plot(of_seeds.index / 2, of_seeds.mean(axis=1), label=label)
            low, high = of_seeds.quantile(0.05, axis=1), of_seeds.quantile(0.95, axis=1)
            axes.fill_between(of_seeds.index / 2, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
        axes.set(xlabel="month", title=f"{greedy} of five greedy")
    figure.axes[0].set(ylabel="fish in the lake (t)")
    figure.axes[-1].legend(loc="upper right", fontsize="small")
    with mpl.rc_context({"svg.hashsalt": "commons"}):
        figure.savefig(out, metadata={"Date": None} if str(out).endswith(".svg") else None)


if __name__ == "__main__":
    draw(*sys.argv[1:3])
