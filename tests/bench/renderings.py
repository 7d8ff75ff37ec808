"""What a table of 100,000 rows costs as a document, beside plain Jinja2 over the same rows."""

from collections.abc import Iterator

import jinja2
import numpy as np
import pandas as pd

from cave_sim.models.tokens import ESTIMATE
from cave_sim.rendering.documents import render
from tests.bench.measure import medians_us, way
from tests.bench.table import Row, ratio

ROWS = 100_000
CELL = 'render("data_report", {"title": "All readings", "tables": [readings]})'
TEMPLATE = """<h1>{{ title }}</h1><table><tr>{% for name in columns %}<th>{{ name }}</th>{% endfor %}</tr>
{% for row in rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</table>"""


def renderings(repeats: int) -> Iterator[Row]:
    """Yield rows for each format that a table of any length fits into, and what the agent writes for it."""
    frame = pd.DataFrame({"number": np.arange(ROWS), "text": ["a & b"] * ROWS, "price": np.arange(ROWS) / 7})
    plain = jinja2.Environment(autoescape=True).from_string(TEMPLATE)
    said = 'plain.render(title="All readings", columns=list(frame.columns), rows=frame.values.tolist())'
    names = {"plain": plain, "frame": frame, "render": render, "data": {"title": "All readings", "tables": [frame]}}
    formats = ("html", "markdown", "latex")
    costs = medians_us(
        {"Jinja2": way(said, **names)}
        | {each: way(f'render("data_report", data, {each!r})', **names) for each in formats},
        calls=1,
        repeats=min(repeats, 3),
    )
    for each in formats:
        yield ratio(f"100,000 rows as {each}", costs, each, "Jinja2", 1.5)
    yield Row("tokens that an agent writes for them", f"{ESTIMATE(CELL)}", "", ESTIMATE(CELL), 300, "tokens")
