"""Print the table of all variants: ``python -m cave_sim.simulations.handset [--each N] [--length N] [--plot FILE]``."""

from __future__ import annotations

import argparse

from cave_sim.models import ScriptedModel
from cave_sim.simulations.handset.conversation import VARIANTS
from cave_sim.simulations.handset.evaluation import live, table
from cave_sim.simulations.handset.roles import reply
from cave_sim.simulations.handset.scenarios import generate

CATEGORIES = ("multi", "mixed", "cloud", "conversational")


def main() -> None:
    """Live the conversations, and print what they came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=3, help="scenarios of each category")
    parser.add_argument("--length", type=int, default=0, help="things that are wanted in multi and cloud; 0: as drawn")
    parser.add_argument("--plot", help="an .svg file for the context over the turns of multi")
    options = parser.parse_args()
    outcomes = [
        live(generate(category, seed, options.length or None), variant, ScriptedModel(reply))[1]
        for category in CATEGORIES
        for variant in VARIANTS
        for seed in range(options.each)
    ]
    print("| category | variant | n | F1 | first prompt | growth |\n| --- | --- | --- | --- | --- | --- |")
    for row in table(outcomes):
        numbers = " | ".join(f"{row[name][0]:,g} ± {row[name][1]:,.3g}" for name in ("f1", "first", "growth"))
        print(f"| {row['category']} | {row['variant']} | {row['n']} | {numbers} |")
    if options.plot:
        _plot(options.plot, {variant: next(each.context for each in outcomes if each.variant == variant)
                             for variant in VARIANTS})  # fmt: skip


def _plot(path: str, lines: dict[str, tuple[int, ...]]) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    for name, values in lines.items():
        axes.plot(range(len(values)), values, label=name)
    axes.set(xlabel="turn of the assistant", ylabel="tokens of its prompt", ylim=(0, None))
    axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
