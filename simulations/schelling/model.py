"""Schelling's board as a plain Mesa model: nothing of it knows in which laboratory it runs."""

from __future__ import annotations

from typing import Any

import mesa
from mesa.discrete_space import CellAgent, OrthogonalMooreGrid


class Dweller(CellAgent):  # type: ignore[misc]
    """Somebody of a colour, who is content where enough of the neighbours are of the same."""

    def __init__(self, model: Board, cell: Any, colour: str) -> None:
        super().__init__(model)
        self.cell: Any = cell
        self.colour = colour
        self.like: float = 0.0
        self.content: bool = True

    def look(self) -> None:
        """See who lives around: the share of neighbours of the own colour; somebody alone misses nobody."""
        around = [each.colour for each in self.cell.neighborhood.agents]
        self.like = around.count(self.colour) / len(around) if around else 1.0
        self.content = self.like >= self.model.wanted

    def step(self) -> None:
        """Move to an empty cell, whichever, if too few of the neighbours are alike."""
        self.look()
        if not self.content:
            self.cell = self.random.choice(sorted(self.model.grid.empties, key=lambda cell: cell.coordinate))


class Board(mesa.Model):  # type: ignore[misc]
    """A board on which two colours live.

    Args:
        wanted: what share of the neighbours should be of the own colour.
        empty: what share of the cells is empty.
        width: how many cells across.
        height: how many cells up.
        rng: the seed.
    """

    def __init__(
        self, wanted: float = 0.5, empty: float = 0.3, width: int = 13, height: int = 16, rng: int | None = None
    ) -> None:
        super().__init__(rng=rng)
        self.wanted = wanted
        self.grid: Any = OrthogonalMooreGrid((width, height), capacity=1, random=self.random)
        cells = sorted(self.grid.all_cells, key=lambda cell: cell.coordinate)
        self.random.shuffle(cells)
        homes = cells[: round((1 - empty) * len(cells) / 2) * 2]
        for number, cell in enumerate(homes):
            Dweller(self, cell, "blue" if number % 2 else "orange")
        self.datacollector: Any = mesa.DataCollector({"like_neighbours": like_neighbours, "content": content})
        self.agents.do("look")
        self.datacollector.collect(self)

    def step(self) -> None:
        """Let everybody look and perhaps move, in a new order each time; it is over when all are content."""
        self.agents.shuffle_do("step")
        self.agents.do("look")
        self.datacollector.collect(self)
        self.running: bool = not all(each.content for each in self.agents)


def like_neighbours(model: Board) -> float:
    """Return the mean over everybody of the share of neighbours of the own colour."""
    return float(sum(each.like for each in model.agents) / len(model.agents))


def content(model: Board) -> float:
    """Return the share of people who are content."""
    return float(sum(each.content for each in model.agents) / len(model.agents))
