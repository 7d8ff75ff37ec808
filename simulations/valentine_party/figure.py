"""Draws the figure of the study: ``python -m cave_sim.simulations.valentine_party.figure runs/party figure.svg``."""

from __future__ import annotations

import sys
from pathlib import Path

from cave_sim.loading.extras import extra
from cave_sim.scenario import open_study

WORDS = {"invited": "the host invites", "kept": "the host tells nobody"}
BEGINS_H = 14
BEGINS_STEP = 18


def draw(study: str | Path, out: str | Path) -> None:
    """Draw by the hour who knows and who is with the host: every run, and their mean."""
    with extra("viz", "the figure"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    series = open_study(study).series()
    figure = Figure(figsize=(8.4, 3.2), layout="constrained")
    titles = {"know": "others who know of the party", "guests": "of these, in one place with the host"}
    for (measure, title), axes in zip(titles.items(), figure.subplots(1, 2, sharey=True), strict=True):
        wide = series.pivot_table(index="step", columns=["condition", "seed"], values=measure)
        hours = BEGINS_H + wide.index / 6
        for place, (condition, label) in enumerate(WORDS.items()):
            axes.plot(hours, wide[condition], color=f"C{place}", alpha=0.15, linewidth=0.8)
            axes.plot(hours, wide[condition].mean(axis=1), color=f"C{place}", linewidth=2, label=label)
        axes.axvline(BEGINS_H + BEGINS_STEP / 6, color="grey", linestyle="--", linewidth=1)
        axes.set(xlabel="hour of the day", title=title, ylim=(-0.3, 11.3))
    figure.axes[0].set(ylabel="people, of eleven")
    figure.axes[0].legend(loc="upper left", fontsize="small")
    with mpl.rc_context({"svg.hashsalt": "valentine_party"}):
        figure.savefig(out, metadata={"Date": None} if str(out).endswith(".svg") else None)


if __name__ == "__main__":
    draw(*sys.argv[1:3])
