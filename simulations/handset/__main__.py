"""Print the table of all variants: ``python -m cave_sim.simulations.handset``, with ``--help`` for its options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from cave_sim.analysis.wording import estimate_text
from cave_sim.models import ScriptedModel
from cave_sim.simulations.handset.conversation import VARIANTS
from cave_sim.simulations.handset.evaluation import live, table
from cave_sim.simulations.handset.roles import reply
from cave_sim.simulations.handset.scenarios import generate

CATEGORIES = ("multi", "mixed", "cloud", "conversational")


def main() -> None:
    """Live the conversations, and print what they came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=_from(1), default=3, help="scenarios of each category")
    parser.add_argument("--length", type=_from(0), default=0, help="things wanted in multi and cloud; 0: as drawn")
    parser.add_argument("--judge", action="store_true", help="have a scripted judge rate each talk from 1 to 5, too")
    parser.add_argument("--plot", type=_svg, help="an .svg file for the context over the turns of multi")
    options = parser.parse_args()
    outcomes = [
        live(generate(category, seed, options.length or None), variant, ScriptedModel(reply), judged=options.judge)[1]
        for category in CATEGORIES
        for variant in VARIANTS
        for seed in range(options.each)
    ]
    heads = {"f1": "F1", **({"quality": "judged, by a script"} if options.judge else {}), "first": "first prompt"}
    heads |= {"growth": "growth"}
    print(f"| category | variant | n | {' | '.join(heads.values())} |\n|{' --- |' * (3 + len(heads))}")
    for row in table(outcomes):
        means = (row[name] for name in heads)
        numbers = " | ".join(estimate_text(each.mean, each.low, each.high, n=each.n) for each in means)
        print(f"| {row['category']} | {row['variant']} | {row['n']} | {numbers} |")
    if options.plot:
        _plot(options.plot, {variant: next(each.context for each in outcomes if each.variant == variant)
                             for variant in VARIANTS})  # fmt: skip


def _from(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} on")
        return int(text)

    return read


def _svg(text: str) -> Path:
    path = Path(text)
    if path.suffix != ".svg" or not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no .svg file in a folder that exists")
    return path


def _plot(path: Path, lines: dict[str, tuple[int, ...]]) -> None:
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
