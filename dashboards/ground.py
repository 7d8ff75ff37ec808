"""The ground of the map: street lines, and a symbol per kind of place. Residents are drawn over it by the page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from math import cos, radians

import plotly.graph_objects as go

from cave_sim.dashboards.elements import Html, element
from cave_sim.dashboards.figures import AXIS, calm_figure
from cave_sim.dashboards.palette import ANY_SYMBOL, PLACE, STREET, SYMBOLS, count, plain
from cave_sim.dashboards.record import Born, Record

MARKERS = {  # plotly's symbols in a box of 12, for a legend that lies on the map
    "square": Html('<path d="M2 2h8v8H2z"/>'),
    "diamond": Html('<path d="M6 0l6 6-6 6-6-6z"/>'),
    "triangle-up": Html('<path d="M6 1l5.5 9.5H.5z"/>'),
    "triangle-down": Html('<path d="M6 11L.5 1.5h11z"/>'),
    "cross": Html('<path d="M4 1h4v3h3v4H8v3H4V8H1V4h3z"/>'),
    "star": Html('<path d="M6 0l1.7 4H12L8.6 6.9 10 11.5 6 8.7 2 11.5 3.4 6.9 0 4h4.3z"/>'),
    "pentagon": Html('<path d="M6 .5l5.5 4.2-2.1 6.8H2.6L.5 4.7z"/>'),
    "hexagon": Html('<path d="M3 1h6l3 5-3 5H3L0 6z"/>'),
    "circle-open": Html('<path d="M6 1a5 5 0 1 0 0 10A5 5 0 1 0 6 1zM6 2.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 1 1 0-7z"/>'),
}
ROOM = 0.04  # of the map, on every side
Line = Sequence[Sequence[float]]


def ground(record: Record, axes: tuple[str, str]) -> go.Figure:
    """Return streets and the places that stood from the start, with equal metres in both directions."""
    lines: Sequence[Line] = (record.manifest.get("map") or {}).get("lines") or []
    across, up = _bounds(record, axes, lines)
    bare = AXIS | {"showgrid": False, "showticklabels": False, "fixedrange": False}
    return calm_figure(
        [*([_streets(lines)] if lines else []), *_places(founded(record), axes)],
        xaxis=bare | {"range": across},
        yaxis=bare | {"range": up, "scaleanchor": "x", "scaleratio": _stretch(record, axes)},
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        dragmode="pan",
        hovermode="closest",
    )


def founded(record: Record) -> list[Born]:
    """Return the places that stood before the first step."""
    return [place for place in record.places if not record.late(place)]


def kind_of(place: Born) -> str:
    """Return what a place says it is, or else its type."""
    return str(place.fields.get("kind") or place.type).replace("_", " ")


def symbols(places: Sequence[Born]) -> dict[str, str]:
    """Return a marker symbol per kind of place, the most frequent kind first; rare kinds share one."""
    kinds = [kind_of(place) for place in places]
    ranked = sorted(set(kinds), key=lambda kind: (-kinds.count(kind), kind))
    return dict(zip(ranked, chain(SYMBOLS, repeat(ANY_SYMBOL)), strict=False))


def key(places: Sequence[Born]) -> Html:
    """Return the map's legend: the kinds that have a symbol of their own, and how many others there are."""
    marked = symbols(places)
    own = {kind: symbol for kind, symbol in marked.items() if symbol != ANY_SYMBOL}
    others = {count(len(marked) - len(own), "other kind"): ANY_SYMBOL} if len(marked) > len(own) else {}
    return element("div", *(_key(kind, symbol) for kind, symbol in (own | others).items()), class_="kinds")


def _key(kind: str, symbol: str) -> Html:
    return element("span", element("svg", MARKERS[symbol], viewBox="0 0 12 12", aria_hidden="true"), kind)


def _stretch(record: Record, axes: tuple[str, str]) -> float:
    """Return how many degrees of longitude are as long as one of latitude, here; 1 on a plane, as the map may say."""
    if (record.manifest.get("map") or {}).get("axes", "".join(axes)) != "lonlat":
        return 1.0
    latitudes = [
        born.fields["lat"] for born in (*record.places, *record.residents) if born.fields.get("lat") is not None
    ]
    return 1 / cos(radians(sum(latitudes) / len(latitudes)))


def _bounds(record: Record, axes: tuple[str, str], lines: Sequence[Line]) -> list[list[float]]:
    """Return (from, to) of both axes around everything there is to see, with a little room."""
    standing = [[born.fields.get(axis) for axis in axes] for born in (*record.places, *record.residents)]
    points = [*chain.from_iterable(lines), *(point for point in standing if None not in point)]
    bounds = [(min(values), max(values)) for values in zip(*points, strict=True)]
    return [[low - ROOM * (high - low), high + ROOM * (high - low)] for low, high in bounds]


def _streets(lines: Sequence[Line]) -> go.Scatter:
    broken = [point for line in lines for point in (*line, (None, None))]
    across, up = zip(*broken, strict=True)
    return go.Scatter(x=across, y=up, mode="lines", line={"color": STREET, "width": 1}, hoverinfo="skip")


def _places(places: Sequence[Born], axes: tuple[str, str]) -> list[go.Scatter]:
    traces = []
    for kind, symbol in symbols(places).items():
        here = [place for place in places if kind_of(place) == kind]
        traces.append(
            go.Scatter(
                x=[place.fields[axes[0]] for place in here],
                y=[place.fields[axes[1]] for place in here],
                text=[plain(place.title) for place in here],
                mode="markers",
                marker={
                    "symbol": symbol,
                    "size": 5 if symbol == ANY_SYMBOL else 6.5,
                    "color": PLACE,
                    "line": {"width": 0},
                },
                hovertemplate=f"%{{text}}<br>{plain(kind)}<extra></extra>",
            )
        )
    return traces
