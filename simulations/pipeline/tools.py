"""What the stages of the pipeline work with: a model that can be fitted, and a chart."""

from typing import Any

import numpy as np

from cave_sim.loading.extras import extra

with extra("plots", "the figure of pipeline"):
    import plotly.graph_objects as go


class LeastSquares:
    """A straight line through points, by least squares."""

    def fit(self, xs: Any, ys: Any) -> "LeastSquares":
        """Fit it to points, and return it."""
        slope, start = np.polyfit(np.asarray(xs, float), np.asarray(ys, float), 1)
        self.slope: float = round(float(slope), 4)
        self.start: float = round(float(start), 4)
        return self

    def predict(self, x: float) -> float:
        """Return the height of the line at x."""
        return round(self.slope * x + self.start, 2)


def line_chart(title: str, xs: list[float], ys: list[float], line: list[float]) -> Any:
    """Return a plotly figure of points and of a line through them.

    Args:
        title: what stands above it.
        xs: of the points.
        ys: of the points.
        line: its height at each of xs.
    """
    points = go.Scatter(x=list(xs), y=list(ys), mode="markers", name="days")
    return go.Figure(
        [points, go.Scatter(x=list(xs), y=list(line), mode="lines", name="model")],
        {"title": {"text": title}, "template": {}},
    )


line_chart("", [0.0], [0.0], [0.0]).to_plotly_json()
"""plotly reads its parts from disk as they are first needed, which a sandboxed cell may not; so they are read here."""
