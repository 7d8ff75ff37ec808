"""``cave-sim compare-models``: another model, asked at every decision point of a run; what would it have done?"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from cave_sim.analysis.statistics import paired_difference
from cave_sim.causes.side_by_side import NOTHING, Passed, Point, SideBySide, decision_points
from cave_sim.cli.options import hosts, json_output, models, output_file, trust
from cave_sim.cli.options.exit_codes import INTERRUPTED
from cave_sim.cli.options.progress import StatusLine
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import WorldError
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.fork import one_simulation

FIELDS_SHOWN = 8


def call(options: argparse.Namespace) -> int:
    """Ask one point after the other, and print how far the two differ."""
    if options.model is None and not options.without:
        raise WorldError("nothing would differ: name another --model, or a part of the prompt with --without")
    folder = output_file.results_folder(options.run, "-models", options.out)
    decision_points(options.run)
    recipe = trust.trusted(options, with_model=options.model is None)
    options.host = hosts.going_on(options.run, recipe, options)
    asked = recipe if options.model is None else replace(recipe, model=ModelChoice(options.model, options.api_base))
    trust.expect_server(options.run, asked, options.api_base)
    models.expect_answers(asked.asked_model())
    maker = one_simulation(asked.make())
    model = maker.llm
    if model is None:
        raise WorldError(f"{options.run}: its simulation asks no model")
    name = re.sub(r"\W+", "-", f"{model.name}{f'-without-{options.without}' if options.without else ''}")
    pair = SideBySide(
        options.run,
        recipe,
        model,
        without=options.without,
        outcome=options.outcome,
        max_calls=options.max_calls,
        host=lambda: hosts.opened(asked, options),
        file=folder / f"{name}.jsonl",
    )
    try:
        points, passed, code = _compared(pair)
    finally:
        maker.close()
    if passed and len(passed) == len(pair):
        (why, _), *_ = Counter(each.why for each in passed).most_common(1)
        raise WorldError(f"none of {len(pair)} decision points can be asked: {why}")
    if options.json:
        lists = {"points": [asdict(each) for each in points], "passed": [asdict(each) for each in passed]}
        json_output.show({"model": model.name, "without": options.without, "paid": pair.paid, "of": len(pair), **lists})
    else:
        print("\n".join(_lines(points, passed, pair, model.name, options, is_over=not code)))
    return code


def _compared(pair: SideBySide) -> tuple[list[Point], list[Passed], int]:
    """Return the points that were asked, those that were passed over, and the exit code; Ctrl-C ends it early."""
    points: list[Point] = []
    passed: list[Passed] = []
    status = StatusLine()
    try:
        for each in pair.points():
            if isinstance(each, Point):
                points.append(each)
            else:
                passed.append(each)
            status(f"{len(points) + len(passed)} of {len(pair)} points")
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return points, passed, INTERRUPTED
    return points, passed, 0


def _lines(
    points: Sequence[Point],
    passed: Sequence[Passed],
    pair: SideBySide,
    name: str,
    options: argparse.Namespace,
    *,
    is_over: bool,
) -> Iterator[str]:
    what = f"{name} without the part {options.without!r} of its prompt" if options.without else name
    same = sum(each.is_same for each in points)
    yield f"{what}, beside the run, at {len(points)} of {len(pair)} decision points: {same} with the same effect"
    for side, who in (("one", "the run"), ("other", what)):
        sides = [getattr(each, side) for each in points]
        counts = Counter(each.status for each in sides)
        landed = ", ".join(f"{count} {_words(status)}" for status, count in counts.most_common()) or "nothing to land"
        tokens = sum(each.prompt_tokens for each in sides), sum(each.completion_tokens for each in sides)
        yield f"   {who}: {landed}; {tokens[0]:,} tokens read, {tokens[1]:,} written"
    differing = Counter(
        f"{entity}.{field}"
        for each in points
        for entity, field in sorted({effect[:2] for effect in set(each.one.effects) ^ set(each.other.effects)})
    )
    for field, count in differing.most_common(FIELDS_SHOWN):
        yield f"   {field} differs at {counted(count, 'point')}"
    if len(differing) > FIELDS_SHOWN:
        yield f"   and {len(differing) - FIELDS_SHOWN} more fields; --json has every point"
    if options.outcome and points:
        others, ones = ([getattr(each, side).outcome for each in points] for side in ("other", "one"))
        difference = paired_difference(others, ones)
        yield f"   {options.outcome}: {difference} after one turn, on average over the points"
    for why, count in Counter(each.why for each in passed).most_common(3):
        yield f"   {count} passed over: {why}"
    if len(points) + len(passed) < len(pair):
        more = " with more --max-calls" if is_over else ""
        yield f"   not all were asked; the same command{more} goes on"
    yield f"{pair.paid} repl{'y was' if pair.paid == 1 else 'ies were'} asked for"


def _words(status: str) -> str:
    return "did nothing" if status == NOTHING else status
