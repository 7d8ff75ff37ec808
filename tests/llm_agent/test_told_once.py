"""A mind is told once of what it has: injected functions are in its front, and not among its variables as well."""

from cave_sim import Simulation, World, effect
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel


@effect
def send(text: str) -> str:
    """Send something."""
    return text


@effect
def fetch(name: str) -> str:
    """Fetch something."""
    return name


def double(x: int) -> int:
    """Double it."""
    return 2 * x


def test_functions_are_told_in_the_front_alone_and_when_effects_are_done_is_said_once():
    world = World(seed=1)
    world.inject("double", double, agent="ann")
    world.inject("send", send, agent="ann")
    one = Simulation(world, lambda sim: [LLMAgent(sim, "ann")], llm=ScriptedModel([])).by_name["ann"]
    assert "send.outcome(ticket) in a later step tells" in one.front()["api"]
    world.inject("fetch", fetch, agent="ann")
    world.execute("mine = double(4)", agent="ann")
    api = one.front()["api"]
    assert api.count("outcome(ticket)") == 1
    assert api.index("def double(") < api.index("# Done once your turn stands") < api.index("def send(")
    assert api.index("def send(") < api.index("def fetch(")
    assert one.remind()["variables"] == "Your variables: mine: int"
