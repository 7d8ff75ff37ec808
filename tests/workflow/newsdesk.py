"""A small simulation with a workflow: two scripted minds, one who goes by rules, and a board that is written on."""

from cave_sim import Agent, Entity, Simulation, World, field
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel
from cave_sim.simulation.schedulers import Only
from cave_sim.workflow.agent import WorkflowAgent


class Board(Entity):
    """What everybody may write on."""

    lines: list[str] = field([])

    def put_up(self, text):
        """Write a line."""
        self.lines.append(text)
        return len(self.lines)


class Stamper(Agent):
    """Stamps the board, by rule."""

    def act(self, observation):
        return "print(board.put_up('stamped'))"


class Office(Simulation):
    """Keeps what its minds were asked."""

    asked = ()


def simulation(workflow, reply, **options):
    """Return a simulation that runs a workflow; `reply` is what minds say to a request."""
    world = World(seed=7)
    world.add("board", Board())
    asked = []

    def said(request):
        asked.append(request)
        return reply(request)

    agents = {"ann": LLMAgent, "bob": LLMAgent, "rule": Stamper}
    agents["desk"] = lambda simulation, name: WorkflowAgent(simulation, name, workflow=workflow, begin="Go.")
    made = Office(world, agents, llm=ScriptedModel(said), scheduler=Only(("desk",)), host="local", **options)
    made.asked = asked
    return made


def desk(simulation):
    return simulation.by_name["desk"]


def echo(request):
    """Say one's name, and how many messages one was told."""
    return f"{request.key.agent} heard {len(request.messages)}"


def texts(session, *kinds):
    return [row.text for row in session if row.kind in kinds]
