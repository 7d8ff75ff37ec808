"""Meta-agents: runtime control, native objects from hand to hand, pipelines, loops and branches in their cells."""

from dataclasses import replace
from typing import Annotated

import networkx as nx
import numpy as np
import pandas as pd
import pydantic
import pytest

from cave_sim import Entity, Simulation, World, field
from cave_sim.agents.meta import Assistant, LLMMetaAgent
from cave_sim.models import ScriptedModel
from cave_sim.world.api_menu import menu


class Desk(Entity):
    """Where somebody works."""

    notes: list[str] = field([])


class Sky(Entity):
    """What is above."""

    kind: str = field("sun")


class Line:
    """A straight line, fitted to points."""

    def __init__(self):
        self.slope, self.start = 0.0, 0.0

    def fit(self, xs, ys):
        self.slope, self.start = (float(each) for each in np.polyfit(xs, ys, 1))
        return self

    def predict(self, x):
        return round(self.slope * x + self.start, 6)


@pytest.fixture
def office():
    world = World(seed=7)
    world.add("sky", Sky())
    for name in ("ann", "bob"):
        world.add(name, Desk())
    world.grant("chief", "*")
    world.inject("Line", Line)
    return world


def landed(world, code, agent="chief"):
    turn = world.execute(code, agent=agent)
    assert turn.status == "committed", turn.error
    return turn.output


# ---- E.2: native objects from one namespace into another's


def test_a_table_a_graph_and_a_fitted_model_arrive_as_what_they_are(office):
    landed(
        office,
        "sales = pd.DataFrame({'day': [1, 2, 3], 'cups': [3, 5, 7]})\n"
        "model = Line().fit(list(sales['day']), list(sales['cups']))\nroads = nx.Graph([('mill', 'inn')])",
        "ann",
    )
    landed(office, "for name in ('sales', 'model', 'roads'):\n    team['bob'].inject(name, team['ann'].retrieve(name))")
    found = [office.retrieve(name, agent="bob") for name in ("sales", "model", "roads")]
    assert all(isinstance(each, kind) for each, kind in zip(found, (pd.DataFrame, Line, nx.Graph), strict=True))
    pd.testing.assert_frame_equal(found[0], office.retrieve("sales", agent="ann"))
    assert landed(office, "model.predict(10), roads.number_of_edges()", "bob") == "(21.0, 1)"


def test_what_was_handed_over_is_out_of_the_giver_s_reach(office):
    landed(office, "items = [1, [2]]\nmodel = Line()", "ann")
    landed(office, "got = team['ann'].retrieve('items')\nmodel = team['ann'].retrieve('model')")
    landed(office, "items[1].append(3)\nmodel.slope = 9.0", "ann")
    assert landed(office, "got, model.slope") == "([1, [2]], 0.0)"


@pytest.mark.parametrize(
    "trap",
    [
        "x = lambda: 1",
        "x = [print]",
    ],
)
def test_code_is_never_handed_over(office, trap):
    landed(office, trap, "ann")
    turn = office.execute("team['ann'].retrieve('x')", agent="chief")
    assert (turn.status, "cannot be handed over" in turn.error) == ("blocked", True)


@pytest.mark.parametrize("code", ["x.predict = lambda day: 1", "x.slope = print", "x.fit = 1", "del x.predict"])
def test_no_code_is_put_into_an_object_of_somebody_elses_class(office, code):
    landed(office, "x = Line()\nx.slope = 2.0", "ann")
    assert office.execute(code, agent="ann").status in ("blocked", "failed")
    assert landed(office, "x.slope", "ann") == "2.0"


def test_a_function_is_defined_by_whom_it_is_for(office):
    refused = office.execute("team['ann'].inject('double', lambda x: 2 * x)", agent="chief")
    assert "await team['ann'].run('def ...')" in refused.error
    landed(office, "await team['ann'].run('def double(x):\\n    return 2 * x')")
    assert landed(office, "double(21)", "ann") == "42"


# ---- E.1: control of other runtimes


def test_a_handle_tells_what_an_agent_perceives_and_holds(office):
    landed(office, "plan = ['tea']\nmodel = Line()", "ann")
    found = landed(office, "team['ann'].state")
    assert found == "{'name': 'ann', 'sees': {'notes': []}, 'variables': {'model': 'Line', 'plan': 'list'}}"
    assert office.execute("team['ann'].state", agent="bob").status == "blocked"


def test_a_pipeline_runs_one_agent_after_another_on_each_other_s_results(office):
    pipeline = """
stages = {"ann": "words = text.lower().split()", "bob": "counts = {word: words.count(word) for word in words}"}
team["ann"].inject("text", "The mill and the inn and the weir")
await team["ann"].run(stages["ann"])
team["bob"].inject("words", team["ann"].retrieve("words"))
await team["bob"].run(stages["bob"])
counts = team["bob"].retrieve("counts")
counts["the"], counts["and"]
"""
    assert landed(office, pipeline) == "(3, 2)"


def test_a_refinement_loop_runs_until_the_result_is_good_enough(office):
    loop = """
team["ann"].inject("guess", 1.0)
rounds = 0
while abs(team["ann"].retrieve("guess") ** 2 - 2) > 1e-6:
    await team["ann"].run("guess = (guess + 2 / guess) / 2")
    rounds += 1
rounds, round(team["ann"].retrieve("guess"), 4)
"""
    assert landed(office, loop) == "(4, 1.4142)"


def test_a_branch_follows_from_what_became_of_a_turn(office):
    branch = """
turn = await team["ann"].run("share = 1 / parts")
if turn.status != "committed":
    team["ann"].inject("parts", 4)
    turn = await team["ann"].run("share = 1 / parts")
turn.status, team["ann"].retrieve("share")
"""
    landed(office, "parts = 0", "ann")
    assert landed(office, branch) == "('committed', 0.25)"


def test_if_the_meta_agent_fails_nothing_of_what_it_ran_is_left_in_the_world(office):
    code = "await team['ann'].run('me.notes.append(clock.text)')\nsky.kind = 'storm'\n1 / 0"
    turn = office.execute(code, agent="chief")
    assert (turn.status, office["ann"].notes, office["sky"].kind) == ("failed", [], "sun")


# ---- minds


def by_agent(**scripts):
    """Return a model that plays each agent its own list of replies, whoever else asks."""
    left = {name: list(replies) for name, replies in scripts.items()}
    return ScriptedModel(lambda request: left[request.key.agent].pop(0) if left[request.key.agent] else "Done.")


def cell(code):
    return f"```python\n{code}\n```"


def test_work_goes_to_an_assistant_and_back_through_its_variables(office):
    chief = [
        cell("sales = pd.DataFrame({'cups': [3, 5]})\nann = team['ann']\nann.inject('sales', sales)"),
        cell("ann.inject('task', 'Add up the cups.')"),
        "I wait for ann.",
        "She is at it.",
        cell("sky.kind = 'storm' if team['ann'].retrieve('result') > 7 else 'sun'"),
        "Done.",
    ]
    ann = [cell("result = int(sales['cups'].sum())"), "The sum is in result."]
    agents = [(LLMMetaAgent, "chief"), (Assistant, "ann")]
    simulation = Simulation(office, agents, llm=by_agent(chief=chief, ann=ann))
    simulation.run(until=3)
    assert (office.retrieve("result", agent="ann"), office["sky"].kind) == (8, "storm")


def test_an_assistant_without_work_asks_nobody(office):
    model = by_agent(ann=["never asked"])
    Simulation(office, [(Assistant, "ann")], llm=model).run(until=3)
    assert model.calls == 0


def test_a_meta_agent_reads_how_its_handles_work(office):
    simulation = Simulation(office, [(LLMMetaAgent, "chief")], llm=by_agent(chief=[]))
    told = simulation.by_name["chief"].front()["instructions"]
    assert all(name in told for name in ("run(code: str)", "inject(name: str", "retrieve(name: str)", "state: dict"))


# ---- a cast: who acts for whom follows from who is there


def test_a_newcomer_acts_from_the_next_step_on_and_whoever_is_removed_no_more(office):
    chief = [cell('world.add("cem", Desk())'), "Done.", "Done.", cell('world.remove("cem")'), "Done."]
    greeting = [cell("me.notes.append('here')"), "Done."]
    model = by_agent(chief=chief, ann=[], bob=[], cem=greeting)
    simulation = Simulation(office, [(LLMMetaAgent, "chief")], agent_factories={Desk: LLMMetaAgent}, llm=model)
    assert sorted(simulation.by_name) == ["ann", "bob", "chief"]
    simulation.step()
    assert ("cem" in simulation.by_name, office["cem"].notes) == (True, [])
    simulation.step()
    assert office["cem"].notes == ["here"]
    simulation.step()
    assert sorted(simulation.by_name) == ["ann", "bob", "chief"]


def test_an_agent_whose_entity_goes_between_two_of_its_cells_stops_there(office):
    chief = [cell('world.remove("bob")'), "Done."]
    bob = [cell("me.notes.append('one')"), cell("me.notes.append('two')"), "Done."]
    model = by_agent(chief=chief, ann=[], bob=bob)
    simulation = Simulation(office, [(LLMMetaAgent, "chief")], agent_factories={Desk: LLMMetaAgent}, llm=model)
    simulation.step()
    assert "bob" not in simulation.by_name


def test_the_nearest_class_in_a_cast_decides_who_acts(office):
    class Boss(Desk):
        """A desk by the window."""

    office.add("eve", Boss())
    simulation = Simulation(office, agent_factories={Desk: Assistant, Boss: LLMMetaAgent}, llm=by_agent())
    found = {name: type(agent) for name, agent in simulation.by_name.items()}
    assert found == {"ann": Assistant, "bob": Assistant, "eve": LLMMetaAgent}


BY_MENU = replace(LLMMetaAgent.habits, menu=True)


def test_a_menu_names_what_there_is_and_help_tells_the_rest():
    world = World(seed=7)
    world.add("desk", Desk())
    world.add("sky", Sky())
    world.grant("boss", "*")
    asked = []

    def script(request):
        asked.append(request)
        return "```python\nhelp(Desk)\n```" if len(asked) == 1 else "Done."

    def boss(simulation):
        return [LLMMetaAgent(simulation, "boss", llm=ScriptedModel(script), habits=BY_MENU)]

    Simulation(world, boss).step()
    first, second = ("\n".join(message.text for message in request.messages) for request in asked)
    for line in ("Desk: notes", "Sky: kind", "await run(code), inject(name, value, about)", "You may write: *"):
        assert line in first
    assert "list[str]" not in first
    assert "notes: list[str]" in second


def test_a_menu_shows_how_to_write_what_no_name_tells():
    class Bell(Entity):
        """A bell."""

        def ring(self, at: Annotated[str, pydantic.Field(examples=["18:00"])], times: int = 1) -> None:
            """Ring it later."""

    def wake(at: "int | 3", loud: bool) -> None:
        """Be woken."""

    world = World(seed=7)
    world.add("bell", Bell())
    world.inject("wake", wake)
    assert 'Bell: ring(at="18:00", times)' in menu(world, "ann")
    assert "wake(at, loud)" in menu(world, "ann")  # whatever its annotations say
    assert "at: str" in world.describe("ann")


def test_a_menu_names_only_what_a_role_says_too_little_of_and_no_handles_that_it_does_not_need():
    world = World(seed=7)
    world.add("desk", Desk())
    world.add("sky", Sky())
    world.grant("boss", "*")
    boss = LLMMetaAgent(Simulation(world, []), "boss", calls=(), habits=replace(LLMMetaAgent.habits, menu=("Sky",)))
    front = boss.front()
    assert "Sky: kind" in front["api"]
    assert "Also: Desk" in front["api"]
    assert "notes" not in front["api"]
    assert "team[" not in front["instructions"]
