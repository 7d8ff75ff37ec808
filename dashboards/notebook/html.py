"""Worlds, entities, turns, runs and differences as small tables. Whatever text is in them is shown, never obeyed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatch
from itertools import islice
from math import isnan, nan
from typing import Any

from cave_sim import Entity, Run, Turn, World
from cave_sim.diagnostics.plurals import counted
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.entity.entity import encode_fields
from cave_sim.entity.preparation import fields_of
from cave_sim.history.diff import Difference
from cave_sim.history.wording import told_apart, value_text
from cave_sim.loading.views import Viewed
from cave_sim.rendering.shells import page_part
from cave_sim.simulation.run_loop import RunsStretches

ROWS = 12
"""How many entities, changes or fields are shown; the rest is counted."""
CHARS = 120
SPARK_POINTS = 120


Part = dict[str, Any]
"""A table (``heads``, ``rows``, ``more``), ``measures``, ``notes``, ``code`` or ``text``, as the template has them."""


@singledispatch
def html(thing: Any) -> str:
    """Return what a notebook shows of a thing."""
    return _snippet("", "", {"text": repr(thing)})


@html.register
def _(world: World) -> str:
    counts = [(kind.__name__, len(world.all(kind))) for kind in world.types]
    head = f"{world.clock.text}, step {world.clock.step}, seed {world.seed}"
    return _snippet("World", head, _table(("class", "entities"), counts))


@html.register
def _(entity: Entity) -> str:
    declared, values = fields_of(entity), encode_fields(entity)
    rows = [(name, values[name], declared[name].unit or "", declared[name].about) for name in values]
    return _snippet(type(entity).__name__, str(entity), _table(("field", "value", "unit", "about"), rows))


@html.register
def _(turn: Turn) -> str:
    head = f"{turn.agent}, step {turn.step}: {turn.status}"
    rows = [(each.entity, ".".join(map(str, each.path)), each.op, each.old, each.new) for each in turn.changes]
    texts = [{"text": text} for text in (turn.output, turn.error or "") if text]
    code = [{"code": turn.code}] if turn.code else []
    changes = [_table(("entity", "field", "op", "old", "new"), rows)] if rows else []
    return _snippet(f"Turn {turn.id}", head, *code, *texts, *changes)


@html.register
def _(run: Run) -> str:
    about = run.manifest
    keys = ("simulation", "seed", "agents", "scheduler", "state_hash")
    rows = [(key, about[key]) for key in keys if key in about]
    state = "finished" if about.get("finished") else "not finished"
    head = f"{run.folder.name}: to step {run.last_step}, {run.time_at(run.last_step)}, {state}"
    measures = {name: list(values) for name, values in run.measures().items()}
    return _snippet("Run", head, _table(("", ""), rows), *_sparks(measures))


@html.register
def _(simulation: RunsStretches) -> str:
    clock = simulation.world.clock
    head = f"{clock.text}, step {clock.step}, {counted(simulation.turns_taken, 'cell')}"
    return _snippet(type(simulation).__name__, head, *_sparks(_taken(simulation)))


@html.register
def _(difference: Difference) -> str:
    if difference.parted is None and not difference.fields:
        return _snippet("Difference", f"the same up to step {difference.until}")
    parted = "" if difference.parted is None else f"they part in step {difference.parted.step}; "
    unlike = [(f"{name}.{field}", pair) for name, pairs in difference.fields.items() for field, pair in pairs.items()]
    fields = [(name, *told_apart(*pair, CHARS)) for name, pair in unlike]
    measures = [(name, *told_apart(*pair, CHARS)) for name, pair in difference.measures.items()]
    tables = [_table((what, "one", "other"), rows) for what, rows in (("measure", measures), ("field", fields)) if rows]
    return _snippet("Difference", f"{parted}state after step {difference.at}", *tables)


@html.register
def _(study: Viewed) -> str:
    # studies have a room that takes long to import, and whoever shows one has done so
    from cave_sim.scenario.folder import StudyFolder
    from cave_sim.scenario.summary import summary_notes, summary_table

    if not isinstance(study, StudyFolder):
        return _snippet("", "", {"text": repr(study)})
    head, *rows = summary_table(study)
    title = f"{study.about['name']}: {study.about['question']}" if study.about["question"] else study.about["name"]
    return _snippet("Study", title, _table(head, rows), {"notes": summary_notes(study)})


def frame(title: str, sandbox: str, height_px: int, *, page: str = "", url: str = "") -> str:
    """Return a frame in which a notebook shows a page, given whole or by where it is.

    Args:
        title: what is in it.
        sandbox: what the page may do, in words of HTML.
        height_px: how high it is.
        page: the whole page, in HTML.
        url: where it is, if it is not given whole.
    """
    return str(page_part("frame", title=title, sandbox=sandbox, height_px=int(height_px), page=page, url=url))


def spark_points(values: Sequence[float | None]) -> str:
    """Return numbers over time as the points of a small line, 100 by 20; what is missing leaves a gap."""
    every = -(-len(values) // SPARK_POINTS) or 1
    points = [(place, value) for place, value in enumerate(_numbers(values[::every])) if not isnan(value)]
    if not points:
        return ""
    low, high = min(value for _, value in points), max(value for _, value in points)
    wide, span = max(1, points[-1][0]), high - low or 1.0
    return " ".join(f"{100 * place / wide:.1f},{18 - 16 * (value - low) / span:.1f}" for place, value in points)


def _numbers(values: Iterable[float | None]) -> list[float]:
    return [nan if value is None else float(value) for value in values]


def _taken(simulation: Any) -> Mapping[str, Sequence[float | None]]:
    """Return the measures that a simulation took since it was made, by name."""
    collector = getattr(simulation, "datacollector", None)
    return {} if collector is None else collector.model_vars


def _sparks(measures: Mapping[str, Sequence[float | None]]) -> list[Part]:
    rows = []
    for name, values in measures.items():
        known = [value for value in _numbers(values) if not isnan(value)]
        if known:
            rows.append((name, f"{known[-1]:,.6g}", spark_points(values)))
    return [{"measures": rows}] if rows else []


def _snippet(what: str, head: str, *parts: Part) -> str:
    return str(page_part("snippet", what=what, head=head, parts=parts)).strip()


def _table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> Part:
    rows = list(rows)
    shown = [[_cell(value) for value in row] for row in islice(rows, ROWS)]
    return {"heads": heads, "rows": shown, "more": f"{len(rows) - ROWS:,}" if len(rows) > ROWS else ""}


def _cell(value: Any) -> str:
    if isinstance(value, dict | list | float):
        return value_text(value, CHARS)
    text = value if isinstance(value, str) else "" if value is None else repr(value)
    return shortened(text, CHARS)
