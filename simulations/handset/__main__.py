"""Print the table of all variants: ``python -m cave_sim.simulations.handset``, with ``--help`` for its options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from cave_sim.analysis.wording import estimate_text
from cave_sim.errors import MissingExtra, WorldError
from cave_sim.files.whole_files import write_whole
from cave_sim.models import ScriptedModel
from cave_sim.models.from_cli import SCRIPTED
from cave_sim.models.llama_cpp import LocalModel
from cave_sim.models.per_agent import PerAgent
from cave_sim.simulations.handset.command_numbers import whole_from
from cave_sim.simulations.handset.conversation import JUDGE, VARIANTS
from cave_sim.simulations.handset.evaluation import live, table
from cave_sim.simulations.handset.roles import reply
from cave_sim.simulations.handset.scenarios import generate, scenarios
from cave_sim.simulations.handset.stored_scenarios import lines_of, read_scenarios

CATEGORIES = ("multi", "mixed", "cloud", "conversational")


def main(arguments: Sequence[str] | None = None) -> None:
    """Live the conversations, and print what they came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=whole_from(1), default=3, help="scenarios of each category")
    parser.add_argument("--length", type=whole_from(0), default=0, help="things wanted in multi and cloud; 0: as drawn")
    parser.add_argument(
        "--judge",
        nargs="?",
        const=SCRIPTED,
        metavar="GGUF",
        help="have each talk rated from 1 to 5, too: by a script, or by the model with these weights",
    )
    names = ", ".join(VARIANTS)
    parser.add_argument(
        "--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS), metavar="NAME", help=f"of {names}"
    )
    parser.add_argument(
        "--scenarios", type=Path, metavar="FILE", help="those of a .jsonl file in place of generated ones"
    )
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="write the 406 of the evaluation there, and no table"
    )
    parser.add_argument("--plot", type=_svg, help="an .svg file for the context over the turns of multi")
    options = parser.parse_args(arguments)
    if options.store:
        write_whole(options.store, lines_of(scenarios()))
        return
    wanted = [
        generate(category, seed, options.length or None) for category in CATEGORIES for seed in range(options.each)
    ]
    try:
        wanted = read_scenarios(options.scenarios) if options.scenarios else wanted
        judges = {} if options.judge in (None, SCRIPTED) else {JUDGE: LocalModel(options.judge)}
    except (WorldError, MissingExtra) as error:
        parser.exit(1, f"{error}\n")
    model = PerAgent(ScriptedModel(reply), judges)
    outcomes = [
        live(scenario, variant, model, judged=bool(options.judge))[1]
        for scenario in wanted
        for variant in options.variants
    ]
    by = judges[JUDGE].name if judges else "a script"
    heads = {"f1": "F1", **({"quality": f"judged, by {by}"} if options.judge else {}), "first": "first prompt"}
    heads |= {"growth": "growth"}
    print(f"| category | variant | n | {' | '.join(heads.values())} |\n|{' --- |' * (3 + len(heads))}")
    for row in table(outcomes):
        means = (row[name] for name in heads)
        numbers = " | ".join(estimate_text(each.mean, each.low, each.high, n=each.n) for each in means)
        print(f"| {row['category']} | {row['variant']} | {row['n']} | {numbers} |")
    if options.plot:
        _plot(options.plot, {variant: next(each.context for each in outcomes if each.variant == variant)
                             for variant in options.variants})  # fmt: skip


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
