"""Draws the figure of the study: ``python -m cave_sim.simulations.schelling.figure runs/schelling figure.svg``."""

from __future__ import annotations

import sys
from pathlib import Path

from cave_sim.loading.extras import extra
from cave_sim.scenario import open_study

WORDS = {"indifferent": "no wish", "a_third": "a third alike", "half": "half alike", "most": "seven of ten alike"}
STEPS = 25


def draw(study: str | Path, out: str | Path) -> None:
    """Draw how alike neighbours are, step by step: means over seeds, and the middle nine tenths of them."""
    with extra("viz", "the figure"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    series = open_study(study).series()
    wide = series.pivot_table(index="step", columns=["condition", "seed"], values="like_neighbours").ffill()
    figure = Figure(figsize=(6.4, 3.8), layout="constrained")
    axes = figure.subplots()
    for condition, label in WORDS.items():
        of_seeds = wide[condition].loc[:STEPS]  # who has come to rest stays as they are
        (line,) = axes.plot(of_seeds.index, of_seeds.mean(axis=1), label=label)
        low, high = of_seeds.quantile(0.05, axis=1), of_seeds.quantile(0.95, axis=1)
        axes.fill_between(of_seeds.index, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set(xlabel="step", ylabel="neighbours of the own colour", ylim=(0.4, 1.02))
    axes.legend(loc="lower right", fontsize="small")
    with mpl.rc_context({"svg.hashsalt": "schelling"}):
        figure.savefig(out, metadata={"Date": None} if str(out).endswith(".svg") else None)


if __name__ == "__main__":
    draw(*sys.argv[1:3])
