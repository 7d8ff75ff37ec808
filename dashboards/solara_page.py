"""Mesa's own page, SolaraViz, over a simulation: its measures, and its map. Needs the extra ``viz``.

In a file ``app.py``, to be opened with ``solara run app.py``::

    from cave_sim.dashboards.solara_page import solara_page
    from cave_sim.replay.recipe import Recipe

    page = solara_page(Recipe("mesa:schelling", {"density": 0.9}))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import mesa

from cave_sim.dashboards.lookups.portrayal import Portrayal, as_point, portray_as_told
from cave_sim.entity.entity import encode_fields
from cave_sim.errors import WorldError
from cave_sim.loading.extras import extra
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.simulation import Simulation

with extra("viz", "Mesa's page"):
    import solara
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure
    from mesa.visualization import SolaraViz, make_plot_component
    from mesa.visualization.utils import update_counter

Point = tuple[float, float]


class PageModel(mesa.Model):  # type: ignore[misc]
    """A simulation as SolaraViz wants it: a model that can be made anew from keyword arguments.

    Args:
        recipe: how the simulation is made; None takes it from the class.
        seed: the seed of the simulation.
        kwargs: more arguments of its ``create``, over those of the recipe; Mesa's page knows them by this name alone.
    """

    recipe: Recipe

    def __init__(self, seed: int | None = None, **kwargs: Any) -> None:
        arguments = {**self.recipe.create, **kwargs, **({} if seed is None else {"seed": int(seed)})}
        simulation = replace(self.recipe, create={"seed": 0, **arguments}).make()
        if not isinstance(simulation, Simulation):
            raise WorldError(f"{self.recipe.simulation} lies in shards: Mesa's page shows one world")
        self.simulation: Simulation = simulation
        super().__init__(rng=simulation.world.seed)
        self.datacollector: Any = simulation.datacollector

    def step(self) -> None:
        """Take a step of the simulation."""
        self.simulation.step()
        self.running: bool = self.simulation.running


def solara_page(recipe: Recipe, params: Mapping[str, Any] | None = None) -> Any:
    """Return SolaraViz over the simulation of a recipe.

    Args:
        recipe: how it is made; it keeps no journal.
        params: what can be set on the page before a new start, as SolaraViz takes ``model_params``.
    """
    kind = type("PageModel", (PageModel,), {"recipe": recipe})
    model = kind()
    plots = [make_plot_component(name) for name in model.simulation.measures]
    return SolaraViz(
        model, components=[Map, *plots], model_params=dict(params or {}), name=recipe.simulation.replace("_", " ")
    )


@solara.component  # type: ignore[untyped-decorator]
def Map(model: PageModel) -> None:  # noqa: N802 - components of solara are named as classes are
    """Draw where everybody is."""
    update_counter.get()
    solara.FigureMatplotlib(draw(model.simulation), format="png")


def draw(simulation: Simulation) -> Figure:
    """Return a map of a simulation as it is now: its lines, and a dot for everybody, coloured by what they are."""
    ground = simulation.about.get("map") or {}
    nodes: dict[str, Any] = ground.get("nodes") or {}
    figure = Figure(layout="tight")  # as wide and high as its plots, so that a card of the page holds all of it
    axes = figure.subplots()
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()
    axes.add_collection(LineCollection(ground.get("lines") or [], colors="#d0d0d0", linewidths=0.6))
    dots: dict[str, list[Point]] = {}
    for word, spot in _spots(simulation, nodes):
        dots.setdefault(word, []).append(spot)
    for word, spots in sorted(dots.items()):
        axes.scatter([x for x, _ in spots], [y for _, y in spots], s=18, label=word or "anybody")
    if len(dots) > 1:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=6, fontsize="small")  # above, where nobody is
    axes.autoscale_view()
    return figure


def _spots(simulation: Simulation, nodes: Mapping[str, Any]) -> list[tuple[str, Point]]:
    world, look = simulation.world, portray_as_told(simulation.about)
    acting = {type(world[name]) for name in simulation.by_name if name in world}
    spots: list[tuple[str, Point]] = []
    places: dict[str, Point] = {str(name): (float(spot[0]), float(spot[1])) for name, spot in nodes.items()}
    waiting: list[tuple[str, str]] = []
    for name in world:
        entity = world[name]
        fields = encode_fields(entity)
        portrayal = look(name, type(entity).__name__, fields, type(entity) in acting)
        if portrayal is None or portrayal.role == "weather":
            continue
        word = str(fields.get(portrayal.state, "")) if portrayal.state else portrayal.word or portrayal.kind
        spot = _spot(portrayal, fields)
        if spot is not None:
            places[name] = spot
            spots.append((word, spot))
        elif portrayal.node and (node := fields[portrayal.node]) is not None:
            waiting.append((word, str(node.get("$ref") if isinstance(node, dict) else node)))
    return spots + [(word, places[node]) for word, node in waiting if node in places]


def _spot(portrayal: Portrayal, fields: Mapping[str, Any]) -> Point | None:
    if portrayal.point:
        return as_point(fields.get(portrayal.point))
    across, up = fields.get(portrayal.across), fields.get(portrayal.up)
    return None if across is None or up is None else (float(across), float(up))
