"""What thinking costs beside the model: one turn of a mind, in a small and in a large world, and a crowd that waits."""

import time
from collections.abc import Iterator
from typing import Any

from cave_sim import Agent, Entity, Simulation, World, field
from cave_sim.agents.resident import LLMResident
from cave_sim.models import ESTIMATE, ScriptedModel
from tests.bench.measure import medians_us, way
from tests.bench.table import Row, ratio, shown_us

SMALL, LARGE, CROWD = 100, 10_000, 1_000
NEAR, PLACES = 6, 20
CELL = "# I wait.\nme.energy = 0.25"
REPLY = f"```python\n{CELL}\n```"


ABOUT = {"title": "Maija Virtanen", "age": 30, "job": "barista", "traits": ["quiet"], "home": "home", "workplace": None}
ABOUT |= {"shift": [0.0, 0.0], "works_weekends": False, "wakes_h": 7.0, "sleeps_h": 23.0, "energy": 0.8, "hunger": 0.2}
ABOUT |= {"mood": 0.6, "money_cents": 10_000, "activity": "waiting", "did": "eating", "busy_minutes": 0}
ABOUT |= {"going_to": None, "belongings": {"groceries": 3}, "biography": ""}


def place(number: int) -> dict[str, Any]:
    """Return one place as a resident sees it."""
    about = {"name": f"cafe_{number}", "title": f"Café {number}", "kind": "cafe", "use": "coffee", "sells": ""}
    return about | {"price_cents": 520, "hours": "07:30-19:00", "distance_m": 40.0 * number}


SEEN = {
    "weather": {"kind": "rain", "temperature_c": 12.0, "precipitation_mm": 0.4, "wind_m_s": 3.0},
    "here": place(1) | {"sign": "07:30-19:00", "guests": 7, "capacity": 22},
    "near": [{"name": f"n{n}", "title": f"Neighbour {n}", "activity": "eating", "knows": 0.3} for n in range(NEAR)],
    "places": [place(number) for number in range(PLACES)],
    "heard": [f"11:{each}0 Neighbour {each} (n{each}): Did you hear what the mayor said?" for each in range(6)],
    "plan": {"18:00": "meet n3 at cafe_3"},
    "diary": [],
    "news": ["Fri 07:00 Good morning!"],
}


class Neighbour(Entity):
    """Somebody who sees six people and knows twenty places, however many there are."""

    energy: float = field(0.5, ge=0, le=1)

    def observe(self) -> dict[str, Any]:
        """Return what a resident of the town would perceive."""
        clock = self.world.clock
        now = {"time": clock.text, "hour": clock.hour, "weekday": clock.now.weekday()}
        return SEEN | now | {"me": ABOUT | {"name": self.id}}


class Plain(Agent):
    """Runs the same cell without a thought."""

    def act(self, observation: dict[str, Any]) -> str:
        """Return the cell."""
        return CELL


def society(residents: int, kind: type[Agent], *, acting: int = SMALL, latency_s: float = 0.0) -> Simulation:
    """Return a world of so many, of whom the first so many act; the model of minds is a constant."""
    world = World(seed=1)
    for number in range(residents):
        world.add(f"n{number}", Neighbour())
    llm = ScriptedModel(lambda request: REPLY, latency_s=latency_s, counter=ESTIMATE)
    return Simulation(world, [(kind, f"n{number}") for number in range(acting)], llm=llm)


def minds(repeats: int) -> Iterator[Row]:
    """Yield rows for the loop of a mind without its model, in a small and a large world, and for a waiting crowd."""
    small, large = society(SMALL, LLMResident), society(LARGE, LLMResident)
    steps = {"a mind": small, f"among {LARGE:,}": large, "no mind": society(SMALL, Plain)}
    ways = {name: way("step()", step=simulation.step) for name, simulation in steps.items()}
    costs = {name: cost / SMALL for name, cost in medians_us(ways, calls=4, repeats=repeats).items()}
    loop_us = costs["a mind"] - costs["no mind"]
    told = f"the cell alone {shown_us(costs['no mind'])}"
    yield Row("a mind's turn, beside the model and the cell", shown_us(loop_us), told, loop_us / 1000, 1, "ms")
    yield ratio(f"a mind's turn among {LARGE:,} residents", costs, f"among {LARGE:,}", "a mind", 1.2)
    chars = [prompt_chars(each) for each in (small, large)]
    told = f"{chars[1]:,} characters", f"{chars[0]:,}"
    yield Row(f"its prompt among {LARGE:,} residents", *told, chars[1] / chars[0], 1.01)
    yield waiting_crowd()


def prompt_chars(simulation: Simulation) -> int:
    """Return how long a prompt is as things stand, without what comes to mind: memories differ."""
    mind = simulation.by_name["n0"]
    return sum(map(len, mind.front().values())) + len(mind.remind()["now"])


def waiting_crowd() -> Row:
    """Return the row of a thousand minds whose model thinks for a second: what that adds to a step of theirs."""
    slow, quick = (society(CROWD, LLMResident, acting=CROWD, latency_s=latency_s) for latency_s in (1.0, 0.0))
    took_s = {}
    for name, simulation in {"slow": slow, "quick": quick}.items():
        simulation.step()
        started_s = time.perf_counter()
        simulation.step()
        took_s[name] = time.perf_counter() - started_s
    told = f"{took_s['slow']:.2f} s", f"at once {took_s['quick']:.2f} s"
    return Row(f"a model that takes 1 s: a step of {CROWD:,} minds", *told, took_s["slow"] - took_s["quick"], 1.5, "s")
