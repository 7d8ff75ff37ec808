"""A mind whose model falls silent asks for less, goes another way, and never burns what may be spent."""

import re
from dataclasses import replace
from functools import partial

import pytest

from cave_sim import Entity, Simulation, World, field
from cave_sim.capacity.degradation import Logistic
from cave_sim.capacity.output_capacity import OutputLimits
from cave_sim.capacity.stalling_model import StallingModel
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel
from cave_sim.simulation.press import open_press


class Writer(Entity):
    """Writes."""

    written: int = field(0)


def living(reply, *, press=False, **options):
    world = World(seed=1)
    world.add("ann", Writer())
    watching = [open_press(world)] if press else []
    asked = []

    def script(request):
        asked.append(request)
        return reply(request)

    llm = options.pop("llm", ScriptedModel)
    return Simulation(world, [(LLMAgent, "ann")], llm=llm(script), observers=watching, **options), asked


def said(simulation, kind):
    return [row for row in simulation.by_name["ann"].session.rows if row.kind == kind]


def test_a_silent_model_is_asked_for_less_and_told_another_way():
    simulation, asked = living(lambda request: "", press=True)
    simulation.run(until=1)
    assert [request.max_tokens for request in asked] == [1_024, 512, 256]
    assert [row.data["outcome"] for row in said(simulation, "assistant")] == ["empty"] * 3
    told = [row.text for row in said(simulation, "user")]
    assert "Your reply was empty" in told[1]
    assert "render(template, data)" in told[2]


def test_no_model_is_asked_for_more_than_the_longest_output_that_it_names():
    simulation, asked = living(lambda request: "Done.", llm=partial(ScriptedModel, longest_output_tokens=100))
    simulation.run(until=1)
    assert [request.max_tokens for request in asked] == [100]


def test_silence_that_lasts_costs_less_and_less():
    simulation, asked = living(lambda request: "")
    simulation.run(until=300)
    steps = [request.key.step for request in asked]
    assert len(asked) <= 16
    assert len([step for step in steps if step > 150]) <= 3


class Cut(ScriptedModel):
    """Never comes to the end of a reply."""

    async def reply(self, request):
        return replace(await super().reply(request), finish_reason="length")


@pytest.mark.parametrize(("text", "most"), [("I shall write the whole story of", 36), ("```python\nme.", 110)])
def test_replies_that_are_always_cut_off_cost_less_and_less(text, most):
    simulation, asked = living(lambda request: text, llm=Cut)
    simulation.run(until=300)
    assert len(asked) <= most
    assert len([request for request in asked if request.key.step > 150]) <= most / 6
    assert {row.data["outcome"] for row in said(simulation, "assistant")} == {"truncated"}


@pytest.mark.long
def test_who_acts_by_replies_that_are_cut_off_behind_their_code_is_not_left_alone():
    simulation, _ = living(lambda request: "```python\nme.written += 1\n```\nand so I", llm=Cut)
    simulation.run(until=40)
    assert simulation.world["ann"].written >= 40


@pytest.mark.long
def test_a_model_that_speaks_again_is_asked_as_before():
    simulation, asked = living(lambda request: "" if len(asked) <= 3 else "```python\nme.written += 1\n```")
    simulation.run(until=1)
    simulation.run(until=30)
    assert simulation.world["ann"].written > 0
    assert [row.data.get("outcome", "complete") for row in said(simulation, "assistant")][:4] == ["empty"] * 3 + [
        "complete"
    ]


def test_a_cut_off_reply_goes_on_in_chunks_and_is_named():
    class Short(StallingModel):
        def __init__(self, script):
            super().__init__(script, OutputLimits(Logistic(8, 0.6), longest_tokens=30, window_tokens=8_000))

    def reply(request):
        return "x" * 140 if len(asked) == 1 else "All is done."

    simulation, asked = living(reply, llm=Short)
    simulation.run(until=1)
    outcomes = [row.data.get("outcome") for row in said(simulation, "assistant")]
    assert outcomes[0] == "truncated"
    assert re.search("Go on exactly", said(simulation, "user")[1].text)


@pytest.mark.long
def test_an_agent_that_was_silent_is_no_burden_to_others():
    steps = 40
    world = World(seed=1)
    for name in ("ann", "bob"):
        world.add(name, Writer())
    model = ScriptedModel(lambda request: "" if request.key.agent == "ann" else "```python\nme.written += 1\n```")
    simulation = Simulation(world, [(LLMAgent, "ann"), (LLMAgent, "bob")], llm=model)
    simulation.run(until=steps)
    assert (world["ann"].written, world["bob"].written >= steps) == (0, True)


def test_of_a_reply_far_longer_than_was_asked_for_the_next_request_repeats_the_ends():
    replies = iter(["```python\nprint(1)\n" + "# so\n" * 80_000 + "```", "Done."])
    simulation, asked = living(lambda request: next(replies))
    simulation.by_name["ann"].ask("Count.")
    (own,) = [each.text for each in asked[1].messages if each.role == "assistant"]
    assert own.startswith("```python\nprint(1)\n")
    assert own.endswith("# so\n```")
    assert "391,830 characters are left out here" in own
    assert len(own) < 9_000
    assert len(said(simulation, "assistant")[0].text) > 400_000
