"""The options that say which language model is asked and what it may cost; several commands take them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from cave_sim.errors import WorldError

if TYPE_CHECKING:
    from cave_sim.models.budget import Budget
    from cave_sim.models.from_cli import ModelChoice
    from cave_sim.replay.recipe import Recipe
    from cave_sim.simulation.prompts import Prompts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    models = parser.add_argument_group("language model")
    models.add_argument(
        "--model",
        metavar="NAME",
        help="who thinks: scripted, which needs no key, local, or a litellm name such as ollama/qwen2.5-coder "
        "(default: nobody; agents follow their scripts)",
    )
    models.add_argument("--api-base", metavar="URL", help="a server of your own: --model openai/NAME --api-base URL")
    models.add_argument("--gguf", metavar="PATH", help="weights for --model local")
    models.add_argument("--replay-model", metavar="RUN", help="answer from what was recorded in a run; asks nobody")
    models.add_argument(
        "--loose", action="store_true", help="with --replay-model: a reworded request may get the old reply"
    )
    models.add_argument(
        "--prompts", metavar="NAME|FILE", help="what agents say to it: a set of texts of ours, or a .toml file"
    )
    add_limits(models)


def add_limits(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Declare the options that say what may be spent."""
    parser.add_argument("--max-calls", type=_amount(int), metavar="N", help="stop after so many calls")
    parser.add_argument("--max-tokens", type=_amount(int), metavar="N", help="stop after so many tokens in all")
    parser.add_argument("--max-usd", type=_amount(float), metavar="USD", help="stop before more is spent than that")


def chosen(options: argparse.Namespace) -> ModelChoice | None:
    """Return the model that the options name; None if they name none."""
    if options.model is None and options.replay_model is None:
        if options.api_base or options.gguf:
            raise WorldError("--api-base and --gguf belong to a model: name it with --model")
        return None
    from cave_sim.models.from_cli import SCRIPTED, ModelChoice

    return ModelChoice(
        options.model or SCRIPTED, options.api_base, options.gguf, options.replay_model, not options.loose
    )


def prompts(options: argparse.Namespace) -> Prompts | None:
    """Return the texts that the options name; None if they name none. Raises WorldError."""
    from cave_sim.llm_agent.variants import prompts_of
    from cave_sim.models.from_cli import SCRIPTED

    if options.prompts is None:
        return None
    if options.model in (None, SCRIPTED):
        raise WorldError("--prompts is for a model that reads them; scripts know their own: name one with --model")
    return prompts_of(options.prompts)


def limits(options: argparse.Namespace) -> Budget:
    """Return what may be spent on a run."""
    from cave_sim.models.budget import Budget

    return Budget(tokens=options.max_tokens, money_usd=options.max_usd, calls=options.max_calls)


def expect_answers(choice: ModelChoice | None) -> None:
    """Find out before a run begins whether its model can be asked; a server that takes its time is worth a line.

    Raises:
        WorldError: the key is missing or refused, nobody answers there, or there is no such model.
        MissingExtra: a library is not installed.
    """
    if choice is None or choice.is_scripted or choice.replay is not None:
        return
    from cave_sim.models.probe import probe

    if told := probe(choice):
        print(f"cave-sim: {told}", file=sys.stderr, flush=True)


def limited_anew(recipe: Recipe, options: argparse.Namespace) -> Recipe:
    """Return a recipe with the limits of its run, but for those that the options give anew."""
    given = {name: limit for name, limit in asdict(limits(options)).items() if limit is not None}
    return replace(recipe, limits=replace(recipe.limits, **given))


def _amount(kind: Callable[[str], float]) -> Callable[[str], float]:
    def amount(text: str) -> float:
        try:
            found = kind(text)
        except ValueError:
            found = -1
        if not 0 <= found < float("inf"):
            raise argparse.ArgumentTypeError(f"{text!r} is no number of 0 or more")
        return found

    return amount
