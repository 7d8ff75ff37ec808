"""Runs as replicates: what each was made with, but for its seed, and what it measured. Read from journals alone."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from cave_sim.changes.turn import OPERATOR
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.journal.reader import Run
from cave_sim.journal.rows import TurnRow
from cave_sim.replay.simulation_names import name_here

TRIAL = "trial"
"""The entry of the manifest of a study's trial that says what came of it."""
NOT_SETTINGS = ("seed", "out", "observers", "manifest")
BRANCH, BY_HAND, PLANNED, NOT_SAID = "branch of step", "done by hand", "planned", "–"
MORE_SEEDS = 4
MODEL = {"name": "model", "api_base": "api-base"}
UNSPEAKABLE = ("prompts", "interventions", "measures")
"""Entries of a manifest for which no option of a command stands."""
OPTIONS_OF_THEIR_OWN = ("residents", "scheduler")


@dataclass(frozen=True)
class Replicate:
    """One run, beside others.

    Attributes:
        name: of its folder.
        settings: everything that it was made with, but for its seed, by name; plain data.
        seed: what its random draws follow from.
        measures: a row for each step and a column for each measure.
        defaults: what its simulation took for options that were not given.
        again: commands that run these settings with the seed ``$seed``; empty where the run does not say how it was
            made.
    """

    name: str
    settings: Mapping[str, Any]
    seed: int
    measures: pd.DataFrame
    again: Sequence[str]
    defaults: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, run: Run, name: str = "") -> Replicate:
        """Return a run as a replicate.

        Args:
            run: what :func:`cave_sim.open_run` returns.
            name: what it is called; that of its folder unless given.

        Raises:
            JournalError: its file is damaged.
        """
        with run.reading():
            manifest = run.manifest
            settings = _settings(run)
            seed = int(manifest.get("seed", (manifest.get("create") or {}).get("seed", 0)))
            again, defaults = tuple(_again(run)), manifest.get("defaults") or {}
            return cls(name or run.folder.name, settings, seed, run.measures(), again, defaults)

    @property
    def key(self) -> str:
        """The settings as a text: equal for replicates of each other."""
        return json.dumps(self.settings, sort_keys=True, default=str)


def conditions(replicates: Iterable[Replicate]) -> dict[str, list[Replicate]]:
    """Return runs by what they have in common, under names that say how they differ; in the order of the runs."""
    groups: dict[str, list[Replicate]] = {}
    for each in replicates:
        groups.setdefault(each.key, []).append(each)
    differing = differences([runs[0].settings for runs in groups.values()])
    names: dict[str, list[Replicate]] = {}
    for at, runs in enumerate(groups.values()):
        shown = {name: " ".join(values[at].split()) for name, values in differing.items() if values[at] != NOT_SAID}
        texts = {name: shortened(text, 60) for name, text in shown.items()}
        if BY_HAND in texts:  # what was done says when
            texts.pop(BRANCH, None)
        interventions = (BY_HAND, PLANNED)
        name = ", ".join(text if name in interventions else f"{name} = {text}" for name, text in texts.items()) or (
            "as it is" if differing else str(runs[0].settings.get("simulation", runs[0].name))
        )
        while name in names:
            name += "′"
        names[name] = runs
    return names


def differences(
    settings: Sequence[Mapping[str, Any]], defaults: Sequence[Mapping[str, Any]] = ()
) -> dict[str, list[str]]:
    """Return the settings that are not the same for all: name -> a text for each; a dash where one says nothing.

    Args:
        settings: of each.
        defaults: of each, what it took for what it does not say; without, that is not told.
    """
    names = dict.fromkeys(name for each in settings for name in each)
    taken = [{**usual, **each} for each, usual in zip(settings, defaults or [{}] * len(settings), strict=True)]
    texts_of = {name: [_shown(each[name]) if name in each else NOT_SAID for each in taken] for name in names}
    return {name: texts for name, texts in texts_of.items() if len(set(texts)) > 1}


def more_seeds(groups: Mapping[str, Sequence[Replicate]], more: int = MORE_SEEDS) -> list[str]:
    """Return the commands that run every group with the same further seeds, so that runs can be compared in pairs.

    Empty where a run does not say how it was made.
    """
    if not all(runs[0].again for runs in groups.values()):
        return []
    known = {run.seed for runs in groups.values() for run in runs}
    seeds = " ".join(str(max(known) + 1 + number) for number in range(more))
    lines = dict.fromkeys(line for runs in groups.values() for line in runs[0].again)
    return [f"for seed in {seeds}; do", *(f"  {line}" for line in lines), "done"]


def _settings(run: Run) -> dict[str, Any]:
    manifest = run.manifest
    created = manifest.get("create") or manifest.get("config") or {}
    settings = {"simulation": manifest.get("module") or manifest.get("simulation")}
    usual = manifest.get("defaults") or {}  # given or not, a default is the same setting
    given = {str(name): value for name, value in created.items() if name not in NOT_SETTINGS}
    settings |= {name: value for name, value in given.items() if name not in usual or value != usual[name]}
    model = manifest.get("model") or {}
    settings |= {"model" if name == "name" else f"model.{name}": value for name, value in model.items() if value}
    settings |= {"prompts": manifest["prompts"]} if manifest.get("prompts") else {}
    planned = "; ".join(_planned(each) for each in manifest.get("interventions") or ())
    settings |= {PLANNED: planned} if planned else {}
    for parent in () if TRIAL in manifest else manifest.get("parents") or ():  # trials share what they have in common
        settings[BRANCH] = parent["step"]
    # what somebody did to a running world is in no recipe, and makes it another one
    cells = [(each["step"], each["code"]) for each in _given_cells(manifest) if each["agent"] != OPERATOR]
    cells += [(turn.step, turn.code) for turn in _cells_by_hand(run)]
    return settings | ({BY_HAND: "; ".join(f"{code} (step {step})" for step, code in cells)} if cells else {})


def _planned(intervention: Mapping[str, Any]) -> str:
    """Return a planned deed as people write it: what is done, then by whom and when, and whatever else it says."""
    parts = {str(name): value for name, value in intervention.items()}
    agent, at = parts.pop("agent", OPERATOR), parts.pop("at", None)
    moment = [] if at is None else [f"at {at}" if isinstance(at, str) else f"step {at}"]
    by = [str(agent)] if agent != OPERATOR else []
    code = str(parts.pop("code", "")).strip()
    return f"{code} ({', '.join([*by, *moment, *(f'{name} {_text(value)}' for name, value in parts.items())])})"


def _given_cells(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the cells that a branch and those before it were begun with."""
    return [cell for parent in manifest.get("parents") or () for cell in parent.get("cells") or ()]


def _cells_by_hand(run: Run) -> list[TurnRow]:
    """Return what somebody had the operator do, but for what was planned: that is part of how a run was made."""
    planned = {each["code"] for each in run.manifest.get("interventions") or ()}
    turns = run.turns(agent=OPERATOR, status="committed")
    return [turn for turn in turns if turn.kind == "cell" and turn.parent is None and turn.code not in planned]


def _again(run: Run) -> list[str]:
    """Return the commands that make such a run with another seed; none where commands cannot say it."""
    manifest, created = run.manifest, run.manifest.get("create")
    parents, by_hand = manifest.get("parents") or [], _cells_by_hand(run)
    if "module" not in manifest or not isinstance(created, dict) or any(manifest.get(name) for name in UNSPEAKABLE):
        return []
    model = manifest.get("model") or {}
    if any(value and name not in ("name", "api_base") for name, value in model.items()):
        return []
    given = [_option(name, value) for name, value in created.items() if name not in NOT_SETTINGS]
    given += [f"--{name} {shlex.quote(str(model[key]))}" for key, name in MODEL.items() if model.get(key)]
    made_by = shlex.quote(name_here(str(manifest["module"]), manifest.get("found_in")))
    start = " ".join(["cave-sim run", made_by, *given, f"--steps {run.last_step} --seed $seed"])
    name = shlex.quote(str(parents[0]["run"]) if parents else run.folder.resolve().name)
    lines = [f"{start} --out runs/{name}-seed-$seed --quiet"]
    if not parents:
        return [] if by_hand else lines
    at, cells = int(parents[0]["step"]), _given_cells(manifest)
    agents, codes = {str(each["agent"]) for each in cells}, [str(each["code"]) for each in cells]
    is_more = any(turn.step != at or turn.code not in codes for turn in by_hand)
    if is_more or len(agents) > 1 or any(each["step"] != at for each in cells):
        return []  # steered by hand, or a branch of a branch
    cell = [f"--cell {shlex.quote(chr(10).join(codes))}"] if codes else []
    cell += [f"--agent {shlex.quote(agent)}" for agent in agents - {OPERATOR}]
    branch = shlex.quote(run.folder.resolve().name)
    fork = " ".join([f"cave-sim fork runs/{name}-seed-$seed --at {at}", *cell, f"--steps {run.last_step}"])
    return [*lines, f"{fork} --out runs/{branch}-seed-$seed --quiet"]


def _option(name: str, value: Any) -> str:
    if name in OPTIONS_OF_THEIR_OWN:
        return f"--{name} {shlex.quote(_text(value))}"
    return f"--set {shlex.quote(f'{name}={_text(value)}')}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _shown(value: Any) -> str:
    return "none" if value is None or value == "" else _text(value)
