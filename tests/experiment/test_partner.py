"""Partners: who talks with the agent, for how long, what it may do, and what is kept of it."""

import pytest

from cave_sim import Entity, Simulation, World, field
from cave_sim.experiment.call_log import LoggedObjects, calls_of
from cave_sim.experiment.partner import STOP, Partner, PartnerBrief, converse
from cave_sim.experiment.scripted import Player
from cave_sim.experiment.task import PARTNER, Query, ScriptedExchange, Task
from cave_sim.experiment.trial import Trial
from cave_sim.journal.reader import open_run
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel
from cave_sim.models.base import ModelError
from cave_sim.simulations.studies import PARADIGMS


class Till(Entity):
    """Gives money back."""

    paid_back: list[int] = field([])

    def refund(self, order: int) -> str:
        """Pay an order back."""
        self.paid_back.append(order)
        return "paid"


class Clerk(LLMAgent):
    def moment(self):
        return ""


class Failing(ScriptedModel):
    async def reply(self, request):
        raise ModelError("refused", "no")


GOAL = "You want your money back. Your order is number 7."


def talk(clerk, customer, *, out=None, brief=None, tools=(), customer_llm=None):
    """Return the dialogue of two scripted minds, and their simulation."""
    world = World(seed=1)
    world.add("till", Till())
    for function in tools:
        world.inject(function.__name__, function, agent="customer")
    scripts = {"clerk": clerk, "customer": customer}
    told = []

    def reply(request):
        told.append(request)
        script = scripts[request.key.agent]
        return script[min(request.key.attempt, len(script) - 1)]

    simulation = Simulation(world, [(Clerk, "clerk")], llm=ScriptedModel(reply), out=out)
    partner = Partner(simulation, "customer", brief or PartnerBrief(GOAL, "Curt."), llm=customer_llm)
    simulation.roster.add(partner)
    dialogue = converse(simulation.by_name["clerk"], partner, before="Be kind.")
    return dialogue, simulation, told


CLERK = ["Which order?", "```python\ntill.refund(7)\n```", "It is paid back."]


def test_a_partner_tells_its_goal_bit_by_bit_until_it_says_the_stop_word(tmp_path):
    dialogue, simulation, told = talk(CLERK, ["My money, please.", "Number 7.", STOP], out=tmp_path / "run")
    simulation.step()
    simulation.close()
    assert [(each.speaker, each.text) for each in dialogue.utterances] == [
        ("customer", "My money, please."), ("clerk", "Which order?"), ("customer", "Number 7."),
        ("clerk", "It is paid back."), ("customer", STOP),
    ]  # fmt: skip
    assert (dialogue.ended, dialogue.by) == ("stop word", "customer")
    assert simulation.world["till"].paid_back == [7]
    of_customer = [request.messages for request in told if request.key.agent == "customer"]
    assert "Curt." in of_customer[0][0].text
    assert GOAL in of_customer[0][0].text
    assert STOP in of_customer[0][0].text
    assert [message.text for message in of_customer[-1][1:]][1:] == [
        "My money, please.", "Which order?", "Number 7.", "It is paid back.",
    ]  # fmt: skip
    of_clerk = [message.text for request in told if request.key.agent == "clerk" for message in request.messages]
    assert "Be kind.\n\nMy money, please." in of_clerk
    assert not any(STOP in text or GOAL in text for text in of_clerk)  # neither its secrets nor its last word
    with open_run(tmp_path / "run") as run:
        assert {call["agent"] for call in run.calls()} == {"clerk", "customer"}


def test_it_has_so_many_turns_and_no_more():
    brief = PartnerBrief(GOAL, most_turns=2, opening="Hello?", greeting="Hi!")
    dialogue, _, told = talk(["Yes?"], ["Are you there?"], brief=brief)
    assert dialogue.ended == "limit of turns"
    assert [each.text for each in dialogue.utterances] == ["Hello?", "Yes?", "Are you there?", "Yes?"]
    assert sum(request.key.agent == "customer" for request in told) == 1  # its opening was given


@pytest.mark.parametrize("silent", ["customer", "clerk"])
def test_who_has_no_reply_ends_it_and_nothing_old_is_said_again(silent):
    scripts = {"clerk": CLERK[:1], "customer": ["Money!", "Now!"], silent: ["One thing.", "   "]}
    dialogue, _, _ = talk(scripts["clerk"], scripts["customer"])
    assert (dialogue.ended, dialogue.by) == ("no reply", silent)


def test_a_model_of_its_own_that_fails_ends_it_too():
    dialogue, _, _ = talk(CLERK, [], customer_llm=Failing([]))
    assert (dialogue.ended, dialogue.by, dialogue.utterances) == ("no reply", "customer", [])


def test_it_acts_with_functions_that_the_agent_has_not():
    def restart() -> str:
        """Restart the phone."""
        return "the phone shows the time again"

    customer = ["It is broken.", "```python\nprint(restart())\n```", "It shows the time.", STOP]
    dialogue, simulation, told = talk(["Restart it.", "Good."], customer, tools=[restart])
    assert [each.text for each in dialogue.utterances if each.speaker == "customer"] == [
        "It is broken.", "It shows the time.", STOP,
    ]  # fmt: skip
    fronts = {request.key.agent: request.messages[0].text for request in told}
    assert "restart" in fronts["customer"]
    assert "Till" not in fronts["customer"]
    assert "restart" not in fronts["clerk"]
    turn = simulation.world.execute("restart()", agent="clerk")
    assert not turn.committed
    assert "restart" in turn.error


def test_a_partner_without_functions_runs_no_code_whatever_it_says():
    code = "```python\ntill.refund(7)\n```"
    dialogue, simulation, _ = talk(["No."], [code, STOP])
    assert [each.text for each in dialogue.utterances] == [code, "No.", STOP]
    assert simulation.world["till"].paid_back == []


@pytest.mark.parametrize("wrong", [{"most_turns": 0}, {"stop": ("", "x")}])
def test_a_brief_that_cannot_work_is_refused(wrong):
    with pytest.raises(ValueError, match="at least 1 message, and no stop word is empty"):
        PartnerBrief("x", **wrong)


def counted(paradigm, slips=()):
    """Return the outcome of a scripted trial in which both sides do a part, and what was called by whom."""
    worlds = []

    def build(world):
        worlds[:] = [world]
        objects = LoggedObjects(world, list, lambda live, caller, name, given: live.append((caller, name)) or len(live))

        def pay(order: int) -> int:
            """Pay an order back."""
            return objects.call("assistant", "pay", {"order": order})

        def look() -> int:
            """Look into the purse."""
            return objects.call(PARTNER, "look", {})

        world.inject("pay", pay, agent="assistant")
        world.inject("look", look, agent=PARTNER)

    script = (
        ScriptedExchange("My money.", "It is on its way.", ("pay(order=7)",), (("pay", {"order": 7}),)),
        ScriptedExchange("Only that?", "Yes.", partner_cells=("print(look())",)),
    )
    query = Query(
        "Be kind.",
        check=lambda after: [call.name for call in calls_of(worlds[0])] == ["pay", "look"],
        partner=PartnerBrief(GOAL),
        exchanges=script,
    )
    task = Task("refund", "refunds", (query,), build=build)
    trial = Trial(task, PARADIGMS[paradigm], seed=1, llm=Player(task, paradigm, slips=slips))
    return trial.run()[0], trial.dialogue, calls_of(worlds[0])


@pytest.mark.parametrize("paradigm", ["cave", "json"])
def test_a_trial_may_be_a_conversation_in_which_both_sides_act(paradigm):
    outcome, dialogue, calls = counted(paradigm)
    assert outcome.ok
    assert [(call.turn, call.caller) for call in calls] == [(1, "assistant"), (2, PARTNER)]
    assert [each.text for each in dialogue.utterances][-1] == STOP
    assert outcome.steps == 3  # what the partner asked its model is not counted


def test_an_agent_that_only_says_that_it_is_done_fails_it():
    assert not counted("cave", slips={0})[0].ok
