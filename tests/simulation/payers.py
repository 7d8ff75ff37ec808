"""People who pay by a tool with effects. What is paid for real stands in a file, one line for each payment."""

import os
from collections import Counter

from cave_sim import Agent, Entity, Simulation, World, field
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel
from cave_sim.simulation.schedulers import Only
from cave_sim.workflow.agent import WorkflowAgent
from cave_sim.workflow.steps import AskAgent, RunCell
from cave_sim.workflow.workflow import Workflow
from cave_sim.world.effects import effect

BANK: dict[str, str] = {"file": os.devnull}
"""Where payments go; a process that was not told has no bank, and would lose what it paid."""


class Payer(Entity):
    """Somebody who pays and keeps the tickets."""

    tickets: list[str] = field([])


def _write(line):
    handle = os.open(BANK["file"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(handle, f"{line}\n".encode())
    os.close(handle)


@effect
def pay(to: str, cents: int) -> str:
    """Pay somebody."""
    if to == "nobody":
        raise ValueError("nobody has no account")
    _write(f"{to} {cents}")
    return f"{to} got {cents}"


@effect(repeatable=True)
def post(text: str) -> None:
    """Put up a note; the same note twice is one note."""
    _write(f"note {text}")


class Paying(Agent):
    """Pays in every step, and puts up a note."""

    def act(self, observation):
        step = self.model.world.clock.step
        return f"me.tickets.append(pay({self.name!r}, {step}))\nme.tickets.append(post('{self.name} {step}'))"


def make_world():
    world = World(seed=3)
    for name in ("ann", "bob"):
        world.add(name, Payer())
    world.inject("pay", pay)
    world.inject("post", post)
    return world


def make(**options):
    return Simulation(make_world(), {"ann": Paying, "bob": Paying}, **options)


def make_office(**options):
    """Return a simulation in which a workflow asks a mind, whose cells pay, and pays by cells of its own."""
    world = make_world()
    own = "me.tickets.append(pay('bob', clock.step))\nme.tickets.append(post(f'bob {clock.step}'))"
    workflow = Workflow("payments", "Ann pays, then bob does.", (AskAgent("ann", "Pay."), RunCell(own)) * 9)
    agents = {"ann": LLMAgent, "bob": lambda simulation, name: WorkflowAgent(simulation, name, workflow=workflow)}
    return Simulation(world, agents, llm=ScriptedModel(_payment), scheduler=Only(("bob",)), **options)


def _payment(request):
    if "ticket" in request.messages[-1].text:
        return "Paid."
    return "```python\nme.tickets.append(pay('ann', clock.step))\nprint('ticket', me.tickets[-1])\n```"


def paid(file):
    """Return line -> how often it stands in the bank's file."""
    return Counter(file.read_text().splitlines()) if file.exists() else Counter()
