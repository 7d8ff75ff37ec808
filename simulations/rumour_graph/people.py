"""People who are unaware of a rumour, spread it, or have had enough of it."""

from typing import Any, Literal

import networkx as nx

from cave_sim import Agent, Entity, Refused, World, field, narrates, own_agent_only
from cave_sim.entity.graph_types import Graph

State = Literal["unaware", "spreading", "stifling"]


class Circle(Entity):
    """Who knows whom."""

    relations: Graph = field(nx.Graph(), guarded=True, about="people, and an edge where two know each other")


class Acquaintance(Entity):
    """Somebody who may have heard the rumour, and knows some others."""

    state: State = field("unaware", guarded=True, about="unaware, spreading, or stifling: it tells nobody more")

    @own_agent_only
    @narrates("tells {other} the rumour")
    def tell(self, other: "Acquaintance") -> str:
        """Tell the rumour to somebody whom I know: `me.tell(person_2)`. Who finds it known tells nobody any more."""
        if self.state != "spreading":
            raise Refused(f"somebody who is {self.state} has nothing to tell")
        if not self.world["circle"].relations.has_edge(self.id, other.id):
            raise Refused(f"{self.id} does not know {other.id}")
        if other.state == "unaware":
            other.state = "spreading"
            return f"{other.id} had not heard it"
        self.state = "stifling"
        return f"{other.id} knows it already"

    def observe(self) -> dict[str, Any]:
        """Return what their agent perceives: who has something to tell also whom they know."""
        if self.state != "spreading":
            return {"state": self.state, "knows": []}
        return {"state": self.state, "knows": sorted(self.world["circle"].relations.neighbors(self.id))}


class Teller(Agent):
    """Tells one acquaintance a step, drawn from all of them, for as long as it is news to them."""

    def act(self, observation: dict[str, Any]) -> str:
        """Return the cell to run; an empty one lets the moment pass."""
        return f"me.tell({self.rng.choice(observation['knows'])})" if observation["knows"] else ""


def heard(world: World) -> float:
    """Return the share of people who have heard it."""
    people = world.all(Acquaintance)
    return sum(person.state != "unaware" for person in people) / len(people)


def unheard(world: World) -> float:
    """Return the share of people who have not."""
    return 1 - heard(world)


def spreading(world: World) -> int:
    """Return how many people still tell it."""
    return sum(person.state == "spreading" for person in world.all(Acquaintance))
