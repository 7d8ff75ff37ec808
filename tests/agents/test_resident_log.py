"""What a resident with a context state has in its log, and what not."""

from dataclasses import replace

import pytest

from cave_sim.agents.faculties import Faculties
from cave_sim.models import ScriptedModel
from cave_sim.worlds.town import Place
from tests.agents.lives import cell, minds, only, text_of, town

DAYS = ("Fri", "Sat")


def test_the_log_of_a_resident_has_what_failed_and_not_what_is_seen_anyway():
    simulation, asked = town()
    mind = minds(simulation)[0]
    mind.habits = replace(mind.habits, context="state")
    simulation.llm = ScriptedModel(lambda request: asked.append(request) or cell("me.go('nowhere')"))
    simulation.run(until=3)
    log = [line for row in mind.session if row.kind == "context_state" for line in row.text.splitlines()]
    assert [line for line in log if line.startswith("tool_error: me.go('nowhere')")]
    assert {line.partition(":")[0] for line in log} <= {"tool_error", "# NO_UPDATE"}


def test_a_place_that_opens_is_in_the_log_of_a_resident_from_then_on_and_one_that_is_gone_is_told():
    simulation, asked = town(lambda request: "Nothing to do.")
    mind = minds(simulation)[0]
    mind.habits = replace(mind.habits, context="state")
    mind.faculties = replace(mind.faculties, rests=False)
    world, park = simulation.world, simulation.world["town"].landmarks[0]
    simulation.step()
    assert not any("came:" in text_of(request) or "there:" in text_of(request) for request in asked)
    world.add("cafe_windfall", Place(title="Windfall", kind="cafe", node=world[park].node))
    world["town"].landmarks.append("cafe_windfall")
    simulation.run(until=4)
    world.remove("cafe_windfall")
    simulation.run(until=5)
    told = [text_of(request) for request in only(asked, mind.name)]
    assert sum("came: cafe_windfall: Place\n" in text for text in told) >= 3
    assert "gone: cafe_windfall" in told[-1]
    assert "gone: cafe_windfall" not in told[-2]


def test_that_somebody_was_not_there_is_not_in_its_log_for_who_is_there_is_seen():
    simulation, _ = town()
    one, other = minds(simulation)[:2]
    one.habits = replace(one.habits, context="state")
    assert simulation.world[one.name].location != simulation.world[other.name].location
    said = cell(f"me.say({other.name}, 'Good to see you, too!')")
    simulation.llm = ScriptedModel(lambda request: said if request.key.agent == one.name else "Nothing to do.")
    simulation.run(until=3)
    log = [line for row in one.session if row.kind == "context_state" for line in row.text.splitlines()]
    assert len([row for row in one.session if row.kind == "error"]) > 1
    assert set(log) == {"# NO_UPDATE"}


@pytest.mark.long
def test_what_failed_on_another_day_is_remembered_and_not_in_its_log_any_more():
    simulation, asked = town()
    mind = minds(simulation)[0]
    mind.habits = replace(mind.habits, context="state")
    on_friday = cell("me.go('nowhere')")
    reply = lambda request: on_friday if "It is Fri 1 June" in text_of(request) else "Nothing to do."  # noqa: E731
    simulation.llm = ScriptedModel(lambda request: asked.append(request) or reply(request))
    simulation.run(until=130)
    told = {day: [text_of(each) for each in only(asked, mind.name) if f"It is {day}" in text_of(each)] for day in DAYS}
    assert "tool_error: me.go('nowhere')" in told["Fri"][-1]
    assert told["Sat"]
    assert not any("tool_error" in text for text in told["Sat"])
    assert any("This did not work" in row.text for row in mind.session if row.kind == "memory")


def test_what_a_resident_asks_itself_is_no_goal_in_its_log():
    simulation, _ = town()
    mind = minds(simulation)[0]
    mind.habits = replace(mind.habits, context="state")
    mind.faculties = replace(Faculties().without("plans"), reflects_at=1.0)
    mind.remember("Otso asked me to the pond.", importance=9.0)
    simulation.llm = ScriptedModel(lambda request: "I am asked to ponds. (because of 1)")
    simulation.run(until=2)
    assert any(row.data.get("reflects") for row in mind.session)
    assert {row.text for row in mind.session if row.kind == "context_state"} == {"# NO_UPDATE"}
