"""Draws the figure of the study: ``python -m cave_sim.simulations.bargaining.figure runs/bargaining figure.svg``."""

from __future__ import annotations

import sys
from pathlib import Path

from cave_sim.loading.extras import extra
from cave_sim.scenario import open_study
from cave_sim.simulations.bargaining import ROUNDS

WORDS = {
    "zi_unconstrained": "any price",
    "zi_constrained": "any price without a loss",
    "learning": "a learned margin",
}
PANELS = {"efficiency": "allocative efficiency", "alpha": "prices off equilibrium (%)"}


def draw(study: str | Path, out: str | Path) -> None:
    """Draw efficiency and convergence, day by day: means over seeds, and the middle nine tenths of them."""
    with extra("viz", "the figure"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    series = open_study(study).series()
    days = series[(series["step"] % ROUNDS == 0) & (series["step"] > 0)]
    figure = Figure(figsize=(8.0, 3.2), layout="constrained")
    for measure, axes in zip(PANELS, figure.subplots(1, len(PANELS)), strict=True):
        wide = days.pivot_table(index="step", columns=["condition", "seed"], values=measure)
        wide.index = wide.index // ROUNDS
        for condition, label in WORDS.items():
            of_seeds = wide[condition]
            (line,) = axes.plot(of_seeds.index, of_seeds.mean(axis=1), marker="o", markersize=3, label=label)
            low, high = of_seeds.quantile(0.05, axis=1), of_seeds.quantile(0.95, axis=1)
            axes.fill_between(of_seeds.index, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
        axes.set(xlabel="day", ylabel=PANELS[measure], xticks=list(wide.index))
    figure.axes[0].legend(loc="center right", fontsize="small")
    with mpl.rc_context({"svg.hashsalt": "bargaining"}):
        figure.savefig(out, metadata={"Date": None} if str(out).endswith(".svg") else None)


if __name__ == "__main__":
    draw(*sys.argv[1:3])
