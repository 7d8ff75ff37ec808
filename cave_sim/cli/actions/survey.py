"""``cave-sim survey``: put a questionnaire to the minds of a run at a past moment, or show what they answered."""

from __future__ import annotations

import argparse
import dataclasses
import json
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from cave_sim.cli.options import models, trust
from cave_sim.diagnostics.plurals import counted
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.errors import WorldError
from cave_sim.journal.queries import answers
from cave_sim.journal.reader import open_run
from cave_sim.journal.suspicion import suspecting
from cave_sim.models.from_cli import ModelChoice
from cave_sim.policy.hidden_text import without_hidden
from cave_sim.replay.fork import one_simulation
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import restore
from cave_sim.survey.asking import ask
from cave_sim.survey.marginals import Marginals, beside, frequencies
from cave_sim.survey.questionnaire import Questionnaire

SHOWN = 200
VALUES_SHOWN = 10
"""Different numbers of one item that are listed each by itself."""


def call(options: argparse.Namespace) -> int:
    """Print how often each value was given, or each answer."""
    questionnaire = _questionnaire(options)
    people = None if options.beside is None else Marginals.read(options.beside, questionnaire)
    given = _answers_of_run(options) if questionnaire is None else _ask(options, questionnaire)
    if options.json:
        print(*(json.dumps(answer, ensure_ascii=False) for answer in given), sep="\n")
    elif options.csv:
        print(pd.DataFrame(given).to_csv(index=False, lineterminator="\n"), end="")
    elif options.question:
        print(*(f"{each['agent']}, asked {each['question']!r}\n  {each['text']}" for each in given), sep="\n")
    else:
        print(_table(frequencies(given) if people is None else _beside(given, people, options.beside)))
    return 0


def _questionnaire(options: argparse.Namespace) -> Questionnaire | None:
    """Return what is to be asked; None for what the run was asked already."""
    if options.question and options.questionnaire is not None:
        raise WorldError("either a questionnaire is asked, or each --question")
    if options.question:
        return Questionnaire.of_questions("interview", options.question)
    path = options.questionnaire
    if path is not None and " " in str(path) and not path.exists():
        raise WorldError(f"{path} is no file; an open question is asked by --question {str(path)!r}")
    return None if path is None else Questionnaire.read(path)


def _ask(options: argparse.Namespace, questionnaire: Questionnaire) -> list[dict[str, Any]]:
    """Ask now, on a copy of the run at a step."""
    recipe = _recipe(options)
    models.expect_answers(recipe.asked_model())
    with open_run(options.run) as run, suspecting(run):
        simulation = one_simulation(recipe.make())
        with closing(simulation):
            restore(simulation, run, run.last_step if options.at is None else options.at)
            whom = [name.strip() for name in (options.whom or "").split(",") if name.strip()]
            given = [asdict(answer) for answer in ask(simulation, questionnaire, whom)]
    if all(answer["value"] is None for answer in given):
        raise WorldError(
            f"none of {counted(len(given), 'answer')} could be read; the first says {given[0]['text'][:SHOWN]!r}"
        )
    return given


def _recipe(options: argparse.Namespace) -> Recipe:
    """Return how to make the run's simulation, with the model that the command line names."""
    recipe = trust.trusted(options, with_model=options.model is None)
    if options.model is not None:
        recipe = dataclasses.replace(recipe, model=ModelChoice(options.model, options.api_base))
    trust.expect_server(options.run, recipe, options.api_base)
    return recipe


def _answers_of_run(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the answers that a run holds."""
    if ignored := [name for name in ("at", "whom", "model", "api_base") if getattr(options, name) is not None]:
        raise WorldError(f"--{ignored[0].replace('_', '-')} says how to ask: name a questionnaire to be asked, too")
    with open_run(options.run) as run, suspecting(run):
        given = answers(run)
    if not given:
        raise WorldError(f"{options.run} holds no answers: name a questionnaire to ask now, or run a panel")
    return given


def _beside(given: list[dict[str, Any]], people: Marginals, path: Path) -> pd.DataFrame:
    """Return the answers beside those of people; they have an item in common."""
    both = beside(given, people)
    if both.empty:
        asked = ", ".join(sorted({answer["item"] for answer in given if answer["value"] is not None})) or "none"
        known = ", ".join(people.table["item"].unique())
        raise WorldError(f"{path} has none of the items that were answered: these are {asked}; it has {known}")
    return both


def _table(counts: pd.DataFrame) -> str:
    """Return a table for people: shares in percent, long answers cut, many numbers as their median and range."""
    shown = pd.concat([_in_short(part) for _, part in counts.groupby(["step", "item"], sort=True)])
    for name in ("share", "people", "difference", "distance"):
        if name in shown:
            shown[name] = [f"{100 * value:.0f} %" for value in shown[name]]
    if "source" in shown:
        shown["source"] = shown["source"].map(without_hidden)
    shown["value"] = [shortened(value, 60) for value in shown["value"]]
    return str(shown.to_string(index=False))


def _in_short(part: pd.DataFrame) -> pd.DataFrame:
    """Return one item's rows; one row with median and range in place of many different numbers of agents alone."""
    numbers = pd.to_numeric(part["value"], errors="coerce")
    if len(part) <= VALUES_SHOWN or numbers.isna().any() or "people" in part:
        return part
    given = numbers.repeat(part["n"])
    text = f"median {given.median():g}, from {given.min():g} to {given.max():g}"
    return part.head(1).assign(value=text, n=part["n"].sum(), share=part["share"].sum())
