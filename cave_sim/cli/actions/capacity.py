"""``cave-sim capacity``: measuring a model's output capacity, and planning by it."""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from cave_sim.capacity.calibration import OCCUPANCIES, Calibration, calibrate
from cave_sim.capacity.capacity_plot import capacity_svg
from cave_sim.capacity.costs import by_strategy, saved_share
from cave_sim.capacity.degradation import PAPER_FITS, Table
from cave_sim.capacity.multipliers import document_of
from cave_sim.capacity.output_capacity import CAPACITY_FILE, Occupancy, OutputLimits
from cave_sim.capacity.probes import Probe, script
from cave_sim.capacity.stalling_model import StallingModel
from cave_sim.capacity.strategies import plan
from cave_sim.cli.options import models
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import WorldError
from cave_sim.files.whole_files import write_whole
from cave_sim.mcp.planning import planning_toolbox
from cave_sim.mcp.toolbox import serve_http, serve_stdio
from cave_sim.models.base import Model, ModelError
from cave_sim.models.from_cli import LOCAL, SCRIPTED, ModelChoice
from cave_sim.rendering.documents import write_document

SCRIPTED_WINDOW_TOKENS = 20_000
USUAL_CHUNKS = 4
"""In so many a document is set beside the other ways where the plan itself has no chunks; as in the paper."""


def call(options: argparse.Namespace) -> int:
    """Calibrate, plan, or serve both and rendering to clients of the Model Context Protocol."""
    return {"calibrate": _calibrate, "plan": _plan, "serve": _serve}[options.action](options)


def _serve(options: argparse.Namespace) -> int:
    limits = OutputLimits.read(options.limits) if options.limits else OutputLimits()
    if options.longest is not None:
        limits = replace(limits, longest_tokens=options.longest)
    folder = options.out or Path("runs") / "documents"
    with suppress(KeyboardInterrupt):
        if options.http is not None:
            serve_http(planning_toolbox(folder, limits), options.http)
        else:
            serve_stdio(planning_toolbox(folder, limits))
    return 0


def _calibrate(options: argparse.Namespace) -> int:
    model = _model(options)
    quiet = options.json

    def note(probe: Probe) -> None:
        if not quiet:
            wanted = f"{probe.asked_tokens:,} tokens at occupancy {probe.occupancy.share:.2f}"
            print(f"{wanted}: {probe.outcome}, {probe.written_tokens:,} written", file=sys.stderr, flush=True)

    def ask(used_tokens: int, tokens: int) -> None:
        if not quiet:
            print(f"asking for {tokens:,} tokens with {used_tokens:,} in the window ...", file=sys.stderr, flush=True)

    try:
        calibration = calibrate(
            model,
            occupancies=_occupancies(options.occupancies),
            longest_tokens=options.longest,
            most_probes=options.probes,
            note=note,
            asking=ask,
            within_s=options.within or math.inf,
        )
    except ModelError as error:
        hint = (
            " A smaller --window or --longest takes less time, --timeout waits longer."
            if error.kind == "timeout"
            else ""
        )
        raise WorldError(f"capacity calibrate: {error}.{hint}") from None
    folder = options.out or Path("runs") / f"capacity-{re.sub(r'[^A-Za-z0-9_]+', '-', model.name)}"
    data = {"model": model.name, **calibration.to_data()}
    write_document(folder, CAPACITY_FILE.removesuffix(".json"), "json", json.dumps(data, indent=1).encode())
    write_whole(folder / "capacity.svg", capacity_svg(calibration))
    if options.json:
        print(json.dumps({**data, "folder": str(folder)}))
        return 0
    for line in _lines(calibration):
        print(line)
    print(f"written: {folder / CAPACITY_FILE}, {folder / 'capacity.svg'}")
    return 0


def _lines(calibration: Calibration) -> list[str]:
    outcomes = [probe.outcome for probe in calibration.probes]
    counts = ", ".join(f"{outcomes.count(each)} {each}" for each in ("complete", "truncated", "empty"))
    degradation = calibration.limits.degradation
    if isinstance(degradation, Table):
        points = zip(degradation.shares, degradation.occupancies, strict=True)
        curve = "a table, " + ", ".join(f"{share:.3f} of what is free at occupancy {at:.2f}" for share, at in points)
    else:
        curve = ", ".join(f"{key} {value:.4g}" for key, value in degradation.to_data().items() if _is_number(value))
    if not calibration.points:
        curve = "none"
    if calibration.limits.stall_tokens is not None:
        curve = f"none; {calibration.limits.stall_tokens:,} tokens come whole, however full the window is"
    ended = f"; not all was measured: {calibration.ended}" if calibration.ended else ""
    return [
        f"{counted(len(outcomes), 'probe')}: {counts}{ended}",
        f"degradation: {curve}; {_error(calibration)}",
    ]


def _error(calibration: Calibration) -> str:
    if not calibration.points:
        return "nothing failed, so no curve is known"
    if calibration.rmse is not None:
        return f"RMSE {calibration.rmse:.4f} at {counted(calibration.points, 'point')}"
    through = "its only point" if calibration.points == 1 else f"each of its {calibration.points} points"
    return f"it goes through {through}, so no error is known; more --occupancies would tell"


def _is_number(value: Any) -> bool:
    return isinstance(value, float)


def _model(options: argparse.Namespace) -> Model:
    if options.model == SCRIPTED:
        window = options.window or SCRIPTED_WINDOW_TOKENS
        limits = OutputLimits(PAPER_FITS["claude"], window_tokens=window, model="scripted-stalling")
        return StallingModel(script, limits)
    if options.model == LOCAL and options.gguf:
        from cave_sim.models.llama_cpp import WINDOW_TOKENS, LocalModel

        waits = {} if options.timeout is None else {"timeout_s": options.timeout}
        window_tokens = options.window or WINDOW_TOKENS
        return LocalModel(options.gguf, window_tokens=window_tokens, threads=options.threads, **waits)
    choice = ModelChoice(
        options.model, options.api_base, options.gguf, temperature=0.0, window_tokens=options.window,
        timeout_s=options.timeout,
    )  # fmt: skip
    models.expect_answers(choice)
    model = choice.open()
    if model is None:
        raise WorldError(f"capacity calibrate: {options.model} is no model that can be asked")
    return model


def _occupancies(text: str | None) -> tuple[float, ...]:
    if text is None:
        return OCCUPANCIES
    try:
        return tuple(float(each) for each in text.split(","))
    except ValueError:
        raise WorldError(f"--occupancies {text}: write numbers with commas, such as 0.1,0.5,0.9") from None


def _plan(options: argparse.Namespace) -> int:
    if options.tokens is None:
        raise WorldError("capacity plan: say how long the text is, with --tokens N")
    limits = OutputLimits.read(options.limits) if options.limits else OutputLimits()
    window = options.window or limits.window_tokens
    if not window:
        raise WorldError(
            "capacity plan: say how large the window is, with --window N, or name a calibration by --limits"
        )
    if options.longest is not None:
        limits = replace(limits, longest_tokens=min(options.longest, limits.longest_tokens or options.longest))
    document = document_of(
        options.tokens,
        options.format,
        template_tokens=options.template_tokens,
        documents=options.documents,
        data_share=options.data_share,
    )
    planned = plan(document, Occupancy(window, options.used), limits, margin=options.margin)
    tokens = by_strategy(document, planned.chunks if planned.chunks > 1 and planned.turns else USUAL_CHUNKS)
    if options.json:
        print(json.dumps({**planned.to_data(), "tokens": tokens, "rendering_saves": saved_share(document)}))
        return 0
    parts = f", {counted(len(planned.turns), 'turn')} of at most {max(planned.turns):,} tokens" if planned.turns else ""
    print(f"{planned.strategy}{parts}: {planned.why}")
    print(f"can be written now: {planned.capacity_tokens:,} tokens; " + _costs(tokens, saved_share(document)))
    return 0


def _costs(tokens: Any, saved: float) -> str:
    listed = ", ".join(f"{name} {count:,}" for name, count in tokens.items())
    return f"it takes {listed}; rendering {'saves' if saved >= 0 else 'costs'} {abs(saved):.0%}"
