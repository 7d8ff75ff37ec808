"""Whatever a provider does, a run of minds ends as if it had answered well, pays for nothing twice and mutes nobody.

``CHAOS=50,200,120`` plays a day and a half of 50 residents through an outage of two minutes, for which
``-o faulthandler_timeout=0`` leaves the time; every test run makes do with less.
"""

import os
import random
import time
from collections import Counter
from importlib.util import find_spec

import pytest

from cave_sim import open_run
from cave_sim.agents.script import reply
from cave_sim.models import Message, OpenAIModel, Request, Retrying, ScriptedModel, Throttled
from cave_sim.replay.resume import resume
from cave_sim.simulations import town_day
from cave_sim.testing.openai_server import Answer, OpenAIServer

pytestmark = pytest.mark.skipif(find_spec("aiohttp") is None, reason="needs the extra llm")

RESIDENTS, STEPS, OUTAGE_S = map(int, os.environ.get("CHAOS", "8,24,1").split(","))
PAUSE_S = OUTAGE_S / 10
STRAGGLES_S = 0.2
MALFORMED = 0.3
TROUBLES = (Answer(status=503), Answer(status=429, retry_after_s=0), Answer("half", is_broken=True), Answer(status=401))
"""What requests meet in an outage, one after another."""


def answered(messages):
    """Return what the model says; three of ten replies have fences that cannot be read, always the same ones."""
    said = reply(Request(messages))
    dice = random.Random("".join(message.text for message in messages))
    return said.replace("```", "``") if dice.random() < MALFORMED else said


class Provider:
    """Answers over HTTP, late to one resident, and to nobody during one outage, which a certain request brings about.

    Args:
        breaks_at: the request that does.
        slow: whom it is late to.
    """

    def __init__(self, breaks_at, slow):
        self.breaks_at, self.slow = breaks_at, slow
        self.requests, self.down_until = 0, 0.0
        self.answers = Counter()
        self.slow_answers = 0

    def __call__(self, body):
        self.requests += 1
        if self.requests == self.breaks_at:
            self.down_until = time.monotonic() + OUTAGE_S
        if time.monotonic() < self.down_until:
            return TROUBLES[self.requests % len(TROUBLES)]
        messages = tuple(Message(each["role"], each["content"]) for each in body["messages"])
        if messages[-1].text == "Say: yes":
            return Answer("yes")
        self.answers[messages] += 1
        is_slow = f"You are {self.slow}" in messages[0].text
        self.slow_answers += is_slow
        return Answer(answered(messages), delay_s=STRAGGLES_S if is_slow else 0.0)


@pytest.fixture(scope="module")
def undisturbed():
    """Return the state hash of the run that nothing happens to, what was asked in it, and who lives there."""
    asked = Counter()

    def script(request):
        asked[request.messages] += 1
        return answered(request.messages)

    simulation = town_day.create(seed=7, residents=RESIDENTS, llm=ScriptedModel(script))
    simulation.run(until=STEPS)
    simulation.close()
    return simulation.state_hash, asked, sorted(simulation.by_name)


@pytest.mark.long
def test_chaos_leaves_no_trace(undisturbed, tmp_path):
    state_hash, asked, names = undisturbed
    provider = Provider(breaks_at=asked.total() // 2, slow=next(name for name in names if name != "mayor"))
    stops = 0
    with OpenAIServer(provider) as server:

        def town(out=None):
            model = Retrying(Throttled(OpenAIModel("openai/test", api_base=server.url)), retries=2, first_s=0.01)
            return town_day.create(seed=7, residents=RESIDENTS, llm=model, out=out)

        simulation = town(tmp_path).run(until=STEPS)
        while not simulation.running:
            simulation.close()
            stops += 1
            time.sleep(PAUSE_S)
            simulation = resume(tmp_path, simulation=town()).run(until=STEPS)
        simulation.close()
    assert stops >= 1
    assert simulation.state_hash == state_hash
    assert provider.answers == asked
    assert 0 < provider.slow_answers < asked.total()
    with open_run(tmp_path) as run:
        kinds = dict(run.query("SELECT kind, count(*) FROM events GROUP BY kind"))
        assert run.query("SELECT count(*), count(error) FROM calls") == [(asked.total(), 0)]
    assert kinds["stopped"] == 1  # those that came to nothing left nothing, but for the last
    assert kinds["no_code"] > 0
    assert not kinds.keys() & {"quarantined", "model_failed"}
