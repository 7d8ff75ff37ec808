"""The town itself: its treasury, its notice board, who knows whom, and the name of its map."""

from collections.abc import Collection

import networkx as nx

from cave_sim import Entity, Refused, field
from cave_sim.entity.graph_types import Graph

FIRST_MEETING, TALK = 0.1, 0.02  # how much better two people know each other after it
STRANGERS = {"strength": 0.0}


class Town(Entity):
    """The town. `announcements` is the notice board, `landmarks` names the places that everybody knows."""

    title: str = field("", about="name of the town")
    map_name: str = field(about="name of the installed map")
    treasury_cents: int = field(0, unit="EUR cent", ge=0, merge="add", guarded=True, about="the town's money")
    money_supply_cents: int = field(
        0, unit="EUR cent", ge=0, guarded=True, about="all the money there is; never changes"
    )
    turnover_cents: int = field(0, unit="EUR cent", ge=0, merge="add", guarded=True, about="all that was ever paid")
    announcements: list[str] = field([], merge="extend", guarded=True, about="the notice board, the latest last")
    landmarks: list[str] = field([], merge="extend", guarded=True, about="places that everybody knows: parks, shelters")
    relations: Graph = field(
        nx.Graph(), guarded=True, private=True, about="who knows whom, edge attribute `strength` from 0 to 1"
    )

    def strength(self, one: str, other: str) -> float:
        """Return how well two people (by name) know each other, from 0 (strangers) to 1; you are one of them."""
        actor = self.world.actor
        if actor not in (None, one, other) and not self.world.may_read(actor, self, "relations"):
            raise Refused(f"How well {one} and {other} know each other is theirs to know.")
        return float((self.relations.get_edge_data(one, other) or STRANGERS)["strength"])


def acquaintances(town: Town, one: str, others: Collection[str]) -> dict[str, float]:
    """Return those of some others (by name) whom somebody knows at all, and how well, as `Town.strength` says."""
    relations = town.relations
    if town.world.actor not in (None, one):
        strengths = {other: town.strength(one, other) for other in others}
    elif one in relations and len(relations[one]) < len(others):  # a crowd, of whom most are strangers
        strengths = {other: strength for _, other, strength in relations.edges(one, data="strength") if other in others}
    else:
        edge, knows = relations.get_edge_data, relations.has_edge
        strengths = {other: edge(one, other)["strength"] for other in others if knows(one, other)}
    return {other: float(strength) for other, strength in strengths.items() if strength > 0}


def bring_together(town: Town, one: str, other: str) -> None:
    """Let two people (by name) know each other a little better."""
    known = town.strength(one, other)
    strength = round(min(1.0, known + (TALK if known else FIRST_MEETING)), 2)
    if strength != known:
        town.relations.add_edge(one, other, strength=strength)
