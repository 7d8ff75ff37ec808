"""Residents with minds, for tests: a small town by day, and what its people were asked."""

from cave_sim.agents import script
from cave_sim.agents.resident import LLMResident
from cave_sim.models import ScriptedModel
from cave_sim.simulations.town_day import create

NOON = "2012-06-01T12:00"


def town(reply=script.reply, *, residents=6, start=NOON, llm=None, **options):
    """Return a town whose residents ask a scripted model, and the list that its requests go to."""
    asked = []

    def answer(request):
        asked.append(request)
        return reply(request)

    return create(seed=3, residents=residents, start=start, llm=llm or ScriptedModel(answer), **options), asked


def minds(simulation):
    return [agent for agent in simulation.by_name.values() if isinstance(agent, LLMResident) and agent.name != "mayor"]


def only(asked, name):
    """Return the requests of one agent."""
    return [request for request in asked if request.key.agent == name]


def text_of(request):
    return "\n".join(message.text for message in request.messages)


def cell(code):
    return f"```python\n{code}\n```"


def gather(simulation, *names, place=None):
    """Bring people together, awake and with nothing to do."""
    world = simulation.world
    place = place or world[names[0]].home
    for name in names:
        person = world[name]
        if person.location is not None:
            person.location.guests.discard(person)
        person.location, person.node, person.lon, person.lat = place, place.node, place.lon, place.lat
        person.activity, person.until_s, person.did = "waiting", 0.0, "resting"
        place.guests.add(person)
