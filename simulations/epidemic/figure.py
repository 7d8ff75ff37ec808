"""Draws the figure of the study: ``python -m cave_sim.simulations.epidemic.figure runs/epidemic figure.svg``."""

from __future__ import annotations

import sys
from pathlib import Path

from cave_sim.loading.extras import extra
from cave_sim.scenario import open_study

WORDS = {"open": "nobody does anything", "leisure": "leisure closed", "lockdown": "lockdown"}


def draw(study: str | Path, out: str | Path) -> None:
    """Draw who was ever infected by day, as means and the middle nine tenths of seeds, and what closing made of it."""
    with extra("viz", "the figure"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    opened = open_study(study)
    wide = opened.series().pivot_table(index="step", columns=["condition", "seed"], values="ever")
    last = opened.frame().pivot_table(index="seed", columns="condition", values="ever")
    figure = Figure(figsize=(8.4, 3.2), layout="constrained")
    over_time, gaps = figure.subplots(1, 2, width_ratios=(3, 2))
    for place, (condition, label) in enumerate(WORDS.items()):
        of_seeds = wide[condition]
        over_time.plot(of_seeds.index / 24, of_seeds.mean(axis=1), color=f"C{place}", label=label)
        low, high = of_seeds.quantile(0.05, axis=1), of_seeds.quantile(0.95, axis=1)
        over_time.fill_between(of_seeds.index / 24, low, high, color=f"C{place}", alpha=0.12, linewidth=0)
        if place:
            values = last[condition] - last["open"]
            aside = [place + ((at * 0.618) % 1 - 0.5) * 0.4 for at in range(len(values))]
            gaps.scatter(aside, values, s=14, alpha=0.5, color=f"C{place}")
            gaps.plot([place - 0.3, place + 0.3], [values.mean()] * 2, color=f"C{place}", linewidth=2)
    gaps.axhline(0, color="grey", linestyle="--", linewidth=1)
    over_time.set(xlabel="day", ylabel="ever infected (share)", ylim=(0, 1))
    over_time.legend(loc="upper left", fontsize="small")
    gaps.set(ylabel="difference to the open town")
    gaps.set_xticks([1, 2], list(WORDS.values())[1:])
    with mpl.rc_context({"svg.hashsalt": "epidemic"}):
        figure.savefig(out, metadata={"Date": None} if str(out).endswith(".svg") else None)


if __name__ == "__main__":
    draw(*sys.argv[1:3])
