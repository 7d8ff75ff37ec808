"""The options that say which language model is asked and what it may cost; several commands take them."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cave_sim.cli.options.numbers import amount, at_least
from cave_sim.cli.options.together import needs
from cave_sim.errors import WorldError
from cave_sim.files.given_files import given_toml

if TYPE_CHECKING:
    from cave_sim.models.budget import Budget
    from cave_sim.models.from_cli import ModelChoice
    from cave_sim.replay.recipe import Recipe
    from cave_sim.simulation.prompts import Prompts


def add_arguments(parser: argparse.ArgumentParser, *, reply_tokens: bool = True) -> None:
    """Declare the options; ``reply_tokens`` unless a command has that option itself."""
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
    add_wishes(parser.add_argument_group("how the model is asked"), reply_tokens=reply_tokens)
    apart = {"embeddings", "embeddings_base", *([] if reply_tokens else ["reply_tokens"])}
    wishes = [f"--{name.replace('_', '-')}" for name in (*WISHES, "models") if name not in apart]
    needs(parser, ["--api-base", "--gguf", "--prompts", "--limits", *wishes], "--model", "--replay-model")
    needs(parser, ["--loose"], "--replay-model")


def add_changes(parser: argparse.ArgumentParser) -> None:
    """Declare the options by which a run goes on with another model or other prompts; it keeps a record of that."""
    parser.add_argument("--model", metavar="NAME", help="go on with another language model")
    parser.add_argument("--gguf", metavar="PATH", help="weights for --model local")
    parser.add_argument("--prompts", metavar="NAME|FILE", help="go on with other texts that agents say to the model")
    add_context(parser)
    add_output_limits(parser)
    needs(parser, ["--gguf"], "--model")


def add_embeddings(parser: argparse.ArgumentParser) -> None:
    """Declare the options that say which model turns memories into vectors."""
    group = parser.add_argument_group("memories by meaning")
    group.add_argument(
        "--embeddings",
        metavar="NAME",
        help="the model that embeds them: scripted, a .gguf file, or a litellm name (default: they are found by words)",
    )
    group.add_argument("--embeddings-base", metavar="URL", help="the server of that model, if it is your own")
    needs(parser, ["--embeddings"], "--model", "--replay-model")
    needs(parser, ["--embeddings-base"], "--embeddings")


def add_wishes(parser: argparse._ArgumentGroup, *, reply_tokens: bool) -> None:
    """Declare the options that say how a model is asked; ``reply_tokens`` unless a command has that option itself."""
    parser.add_argument("--temperature", type=amount(float), metavar="T", help="how freely replies are drawn")
    parser.add_argument("--top-p", type=amount(float), metavar="P", help="draw from so much of the likeliest tokens")
    parser.add_argument("--model-seed", type=int, metavar="N", help="what the provider's draws follow from")
    parser.add_argument("--reasoning-effort", metavar="WORD", help="how long to think first, such as low")
    if reply_tokens:
        parser.add_argument("--reply-tokens", type=at_least(1), metavar="N", help="at most so many tokens in a reply")
    parser.add_argument("--timeout", type=amount(float), metavar="S", help="give a reply up after so many seconds")
    parser.add_argument("--retries", type=at_least(0), metavar="N", help="ask again so often (default: 5)")
    parser.add_argument("--hedge", type=amount(float), metavar="S", help="ask a second time after so many seconds")
    parser.add_argument(
        "--step-deadline", type=amount(float), metavar="S", help="wait so long in a step; who is late acts in the next"
    )
    parser.add_argument("--in-flight", type=at_least(1), metavar="N", help="so many requests at once at the most")
    parser.add_argument("--rpm", type=amount(float), metavar="N", help="so many requests a minute at the most")
    parser.add_argument("--tpm", type=amount(float), metavar="N", help="so many tokens a minute at the most")
    parser.add_argument(
        "--price", type=_prices, metavar="READ,WRITTEN", help="US dollars for a million tokens, for --max-usd"
    )
    parser.add_argument("--window", type=at_least(1), metavar="N", help="tokens that the model can read and write")
    add_context(parser)
    add_output_limits(parser)
    parser.add_argument("--extra-body", default="", metavar="JSON", help="further fields of each request")
    parser.add_argument("--stream", action="store_true", help="ask for streams, so that silence is noticed early")
    parser.add_argument(
        "--alternate-roles", action="store_true", help="send what one role says in a row as one message"
    )
    parser.add_argument("--models", type=Path, metavar="FILE", help="TOML: what is different for which agents")


def add_context(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Declare the option that says how much of what was said a request repeats."""
    parser.add_argument(
        "--context",
        choices=("step", "full", "window", "summary", "state"),
        help="how much of what was said requests repeat (default: as so far, or what agents are made with)",
    )


def add_output_limits(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Declare the option that says how much a model writes in one turn."""
    parser.add_argument(
        "--limits",
        type=Path,
        metavar="FILE",
        help="what `capacity calibrate` wrote: agents plan by it, and ask for no more than can be written",
    )


def add_limits(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Declare the options that say what may be spent."""
    parser.add_argument("--max-calls", type=amount(int), metavar="N", help="stop after so many calls")
    parser.add_argument("--max-tokens", type=amount(int), metavar="N", help="stop after so many tokens in all")
    parser.add_argument("--max-usd", type=amount(float), metavar="USD", help="stop before more is spent than that")


def are_asked(options: argparse.Namespace) -> bool:
    """Say whether the options name a model."""
    return options.model is not None or options.replay_model is not None


def chosen(options: argparse.Namespace) -> ModelChoice | None:
    """Return the model that the options name; None if they name none."""
    if not are_asked(options):
        return None
    from cave_sim.models.from_cli import SCRIPTED, ModelChoice

    if options.model == "":
        raise WorldError("--model '': takes the name of a model, as openai/gpt-4o-mini, or scripted")
    choice = ModelChoice(
        options.model or SCRIPTED,
        options.api_base,
        options.gguf,
        options.replay_model,
        not options.loose,
        output_limits=_output_limits(options.limits, options.model),
        **{field: value for option, field in WISHES.items() if (value := getattr(options, option, None)) is not None},
    )
    return choice if options.models is None else choice.for_agents(_tables(options.models))


WISHES = {
    "temperature": "temperature",
    "top_p": "top_p",
    "model_seed": "seed",
    "reasoning_effort": "reasoning_effort",
    "reply_tokens": "reply_tokens",
    "timeout": "timeout_s",
    "retries": "retries",
    "hedge": "hedge_s",
    "step_deadline": "step_deadline_s",
    "in_flight": "in_flight",
    "rpm": "requests_per_minute",
    "tpm": "tokens_per_minute",
    "price": "price",
    "window": "window_tokens",
    "context": "context",
    "extra_body": "extra",
    "stream": "stream",
    "alternate_roles": "alternate",
    "embeddings": "embeddings",
    "embeddings_base": "embeddings_base",
}
"""Options, and what they are called in a choice."""


def _tables(path: Path) -> dict[str, dict[str, Any]]:
    """Return the tables of a file that says what is different for which agents."""
    try:
        tables = given_toml(path)
    except (OSError, ValueError) as error:
        raise WorldError(f"--models {path}: {error}") from None
    if strays := [name for name, table in tables.items() if not isinstance(table, dict)]:
        raise WorldError(f"--models {path}: {strays[0]} stands in no table; write [NAME OF AGENTS] above it")
    for table in tables.values():
        if isinstance(file := table.get("output_limits"), str):
            table["output_limits"] = _output_limits(path.parent / file, table.get("name"))
    return tables


def _output_limits(path: Path | None, model: str | None) -> dict[str, Any] | None:
    """Return what a calibration wrote, as plain data; that it is of another model is worth a line."""
    if path is None:
        return None
    from cave_sim.capacity.output_capacity import OutputLimits

    limits = OutputLimits.read(path)
    if model is not None and limits.model not in ("", model):
        warning = f"cave-sim: --limits {path} was measured of {limits.model}, and {model} is asked"
        print(warning, file=sys.stderr, flush=True)
    return limits.to_data()


def _prices(text: str) -> tuple[float, ...]:
    prices = tuple(map(amount(float), text.split(",")))
    if len(prices) not in (2, 3):
        raise argparse.ArgumentTypeError(f"{text!r} is not READ,WRITTEN or READ,WRITTEN,CACHED")
    return prices


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


def expect_to_be_asked(*recipes: Recipe, limits: Budget | None = None) -> None:
    """See before runs begin that a limit in money can be kept, and that their models answer.

    Args:
        recipes: of the runs.
        limits: of all of them together; each has its own unless given.

    Raises:
        WorldError: one of them cannot be asked, or nobody knows what it costs.
    """
    asked = [recipe.asked_model() for recipe in recipes]
    for recipe, choice in zip(recipes, asked, strict=True):
        expect_price(choice, limits or recipe.limits)
    expect_answers(*asked)


def expect_answers(*asked: ModelChoice | None) -> None:
    """Find out before runs begin whether their models can be asked; a server that takes its time is worth a line.

    Raises:
        WorldError: the key is missing or refused, nobody answers there, or there is no such model.
        MissingExtra: a library is not installed.
    """
    choices = [each for choice in asked if choice is not None for each in choice.choices]
    if not choices:
        return
    from cave_sim.models.probe import probe

    for each in {(each.name, each.api_base): each for each in choices}.values():
        if warning := probe(each):
            print(f"cave-sim: {warning}", file=sys.stderr, flush=True)


def expect_price(choice: ModelChoice | None, limits: Budget) -> None:
    """Refuse a limit in money before anything is asked where nobody knows what a model costs; raises WorldError."""
    if choice is None or limits.money_usd is None:
        return
    for each in choice.choices:
        opened = None if each.is_scripted or each.replay is not None else each.open()
        if opened is not None and opened.price is None:
            raise WorldError(
                f"--max-usd cannot be kept: the price of {opened.name!r} is not known. Give it as --price READ,WRITTEN,"
                " US dollars for a million tokens, or limit --max-tokens"
            )


def changed(recipe: Recipe, options: argparse.Namespace, *, may_begin: bool = False) -> tuple[Recipe, bool]:
    """Return a recipe with the model, the context and the prompts that the options name, and whether they name any.

    What is different for which agents is kept, but for another model; who had the context of all has the new one.

    Args:
        recipe: of the run so far.
        options: of the command.
        may_begin: whether agents that followed scripts so far may be asked to think from here on, as in a branch.

    Raises:
        WorldError: the run asks no language model, or there are no such prompts.
    """
    if all(option is None for option in (options.model, options.prompts, options.limits, options.context)):
        return recipe, False
    if recipe.model is None and not (may_begin and options.model):
        raise WorldError(
            "this run asks no language model, its agents follow their scripts; it cannot go on with --model,"
            " --context, --prompts or --limits: begin another run with them"
        )
    from cave_sim.llm_agent.variants import prompts_of
    from cave_sim.models.from_cli import ModelChoice

    before, prompts = recipe.model or ModelChoice(options.model), recipe.prompts
    model = before
    if options.model is not None:
        model = ModelChoice(
            options.model,
            options.api_base,
            options.gguf,
            context=before.context,
            embeddings=before.embeddings,
            embeddings_base=before.embeddings_base,
        )
    if options.context is not None:
        agents = [
            (pattern, replace(each, context=options.context) if each.context == model.context else each)
            for pattern, each in model.agents
        ]
        model = replace(model, context=options.context, agents=tuple(agents))
    if options.limits is not None:
        model = replace(model, output_limits=_output_limits(options.limits, model.name))
    if options.prompts is not None:
        if model.is_scripted:
            raise WorldError("--prompts is for a model that reads them; scripts know their own: name one with --model")
        prompts = prompts_of(options.prompts)
    return replace(recipe, model=model, prompts=prompts), True


def limited_anew(recipe: Recipe, options: argparse.Namespace) -> Recipe:
    """Return a recipe with the limits of its run, but for those that the options give anew."""
    given = {name: limit for name, limit in asdict(limits(options)).items() if limit is not None}
    return replace(recipe, limits=replace(recipe.limits, **given))
