"""``cave-sim rules``: what held in runs although nothing demanded it, and which other runs break it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from shlex import quote
from typing import Any

from cave_sim.cli.options import json_output, output_file
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import WorldError
from cave_sim.files.whole_files import write_whole
from cave_sim.history.condition import Condition
from cave_sim.journal.reader import open_run
from cave_sim.journal.suspicion import suspecting
from cave_sim.rules import Breach, EmergedRule, Mined, RunTable, mined, read_table
from cave_sim.rules.mining import ALPHA
from cave_sim.rules.promotion import invariant_of, scenario_of_rule
from cave_sim.scenario.saving import scenario_of_run, to_yaml

Kept = list[tuple[int, EmergedRule]]


def call(options: argparse.Namespace) -> int:
    """Print the rules; the exit code is 0 whether other runs keep them or not."""
    if options.promote is None and options.out is not None:
        raise WorldError("--out is of one rule: say which by --promote NUMBER")
    output_file.expect_place("--out", options.out)
    if len({folder.resolve() for folder in options.runs}) < len(options.runs):
        raise WorldError("a run is named twice: what it shows would count twice, and chance would seem less likely")
    table = _table(options.runs)
    mining = mined(table)
    if options.promote is not None:
        return _promote(options, mining)
    others = [_table([folder], table) for folder in options.on]
    if options.json:
        rules = [
            {"number": number, **each.to_data(), "on": [_breach_data(each, other) for other in others]}
            for number, each in enumerate(mining.rules, 1)
        ]
        json_output.show({"rules": rules, "looked": mining.looked})
    else:
        print("\n".join(_lines(options, mining, others)))
    return 0


def _table(folders: Sequence[Path], like: RunTable | None = None) -> RunTable:
    with ExitStack() as opened:
        runs = [opened.enter_context(open_run(folder)) for folder in folders]
        for run in runs:
            opened.enter_context(suspecting(run))
        return read_table(runs, like)


def _lines(options: argparse.Namespace, mining: Mined, others: Sequence[RunTable]) -> Iterator[str]:
    looked = sum(mining.looked.values())
    if not mining.rules:
        yield f"no rule: none of {looked:,} that were looked at held more often than chance explains"
        return
    kinds: dict[str, Kept] = {}
    for number, each in enumerate(mining.rules, 1):
        kinds.setdefault(each.rule.family, []).append((number, each))
    for family, rules in kinds.items():
        yield f"{family}:"
        shown = rules[: options.most]
        if others:
            shown = [each for each in rules if any(_is_broken(each[1], other) for other in others)][: options.most]
        for number, each in shown:
            yield f"{number:4}. {each.rule.sentence}"
            yield f"      {each.support}; {each.bits:.0f} bits"
            yield from (f"      {line}" for other in others for line in _breaches(each, other))
        if others and not shown:
            yield f"      all {len(rules)} kept"
        elif len(rules) > len(shown):
            rest = "kept, or further down" if others else "further down"
            yield f"      and {len(rules) - len(shown)} more {rest}: --most, or --json"
    yield (
        f"{counted(len(mining.rules), 'rule')} of {looked:,} that were looked at. Bits: how surprising a rule would be"
        f" by chance, beyond what so many looks explain; the chance that any rule here is due to it is"
        f" {ALPHA:.0%} at most."
    )


def _is_broken(each: EmergedRule, other: RunTable) -> bool:
    return isinstance(each.rule.breach(other), Breach)


def _breaches(each: EmergedRule, other: RunTable) -> Iterator[str]:
    breach = each.rule.breach(other)
    name = other.runs[0]
    if breach == "unknown":
        yield f"{name}: has nothing of the kind"
    elif isinstance(breach, Breach):
        yield f"{name}: broken at step {breach.step}{f' by {breach.entity}' if breach.entity else ''}"
    else:
        yield f"{name}: kept"


def _breach_data(each: EmergedRule, other: RunTable) -> dict[str, Any]:
    breach = each.rule.breach(other)
    row = {
        "run": other.runs[0],
        "is_known": breach != "unknown",
        "is_kept": breach is None,
        "step": None,
        "entity": "",
    }
    return {**row, "step": breach.step, "entity": breach.entity} if isinstance(breach, Breach) else row


def _promote(options: argparse.Namespace, mining: Mined) -> int:
    if options.promote > len(mining.rules):
        there = f"rules have the numbers from 1 to {len(mining.rules)}" if mining.rules else "no rule was found"
        raise WorldError(f"--promote {options.promote}: {there}")
    rule = mining.rules[options.promote - 1].rule
    condition = rule.condition()
    broken = f"not ({condition})"
    invariant = None if Condition(condition).looks_back else invariant_of(rule.sentence, condition)
    if options.out is not None:
        scenario = scenario_of_rule(scenario_of_run(options.runs[0]), condition)
        write_whole(options.out, to_yaml(scenario))
    if options.json:
        texts = {"rule": rule.sentence, "condition": condition, "broken": broken, "invariant": invariant}
        json_output.show({**texts, "scenario": None if options.out is None else str(options.out)})
        return 0
    print(f"rule:        {rule.sentence}")
    print(f"condition:   {condition}")
    print(f"watch point: cave-sim resume {quote(str(options.runs[0]))} --stop-when {quote(broken)}")
    print(f"invariant:   {invariant or 'none: it looks back, and a world demands of each state alone'}")
    if invariant:
        print("             after: from cave_sim.history.condition import Condition")
    if options.out is not None:
        print(f"scenario:    {options.out}")
    return 0
