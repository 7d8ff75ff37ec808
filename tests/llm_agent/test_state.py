"""A mind with a context state reads a short log in place of all that was said, and acts by it."""

import re
from itertools import pairwise

import pytest

from cave_sim import Entity, Simulation, World, field
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.llm_agent.tracker import RULES
from cave_sim.models import ModelError, ScriptedModel
from cave_sim.models.tokens import ESTIMATE
from cave_sim.replay.resume import continue_run
from cave_sim.session.context_state import NO_UPDATE

TURNS = 25
KINDS = ("wifi", "printer", "badge", "door", "phone")


class Desk(Entity):
    """An IT desk."""

    tickets: dict[str, str] = field({})

    def open(self, issue: str, room: int) -> dict:
        """Open a ticket."""
        number = f"IT{7300 + 13 * len(self.tickets)}"
        self.tickets[number] = issue
        return {"status": "success", "ticket": number, "issue": issue, "room": room}

    def close(self, ticket: str) -> dict:
        """Close a ticket."""
        raise ValueError(f"{ticket} is locked by its owner")


def executor(request):
    """Do what is asked last; answer questions about tickets from what the prompt says, and from nothing else."""
    asked = request.messages[-1].text.rpartition("\n\n")[2]
    if match := re.fullmatch(r"Please open a ticket: (\w+) in room (\d+)\.", asked):
        return f"```python\nprint(desk.open('{match[1]}', {match[2]}))\n```"
    if match := re.fullmatch(r"Which ticket is the (\w+) in room (\d+)\?", asked):
        prompt = "\n".join(message.text for message in request.messages)
        found = re.findall(rf"desk\.open\('{match[1]}', {match[2]}\).*?(IT\d+)", prompt)
        return f"It is {found[0]}." if found else "I do not know."
    if match := re.fullmatch(r"Close (\w+)\.", asked):
        prompt = "\n".join(message.text for message in request.messages[:-1]) + request.messages[-1].text
        tried = re.search(rf"tool_error: desk\.close\('{match[1]}'\)", prompt)
        return "I cannot close it, it is locked." if tried else f"```python\ndesk.close('{match[1]}')\n```"
    return "Well."


def mind(context="state", *, script=executor, out=None, **habits):
    world = World(seed=3)
    world.add("desk", Desk())
    llm = Listening(script)
    habits = Habits(max_cells=1, context=context, max_tokens=200, **habits)
    simulation = Simulation(world, lambda sim: [LLMAgent(sim, "ann", habits=habits)], llm=llm, out=out)
    return simulation.by_name["ann"], llm


class Listening(ScriptedModel):
    def __init__(self, script):
        super().__init__(script, counter=ESTIMATE)
        self.requests = []

    async def reply(self, request):
        self.requests.append(request)
        return await super().reply(request)


def talked(**options):
    ann, llm = mind(**options)
    for turn in range(TURNS):
        ann.ask(f"Please open a ticket: {KINDS[turn % 5]} in room {100 + turn}.")
    return ann, llm


@pytest.fixture(scope="module")
def after_25_turns():
    return talked()


def test_every_question_about_the_first_turns_is_answered_after_25_turns(after_25_turns):
    ann, _ = after_25_turns
    desk = ann.model.world["desk"]
    for turn, ticket in zip(range(10), desk.tickets, strict=False):
        assert ann.ask(f"Which ticket is the {KINDS[turn % 5]} in room {100 + turn}?") == f"It is {ticket}."


def test_a_prompt_grows_by_less_than_a_quarter_of_what_it_would_and_only_at_its_end(after_25_turns):
    def growth(llm):
        sizes = [ESTIMATE.of_request(request) for request in llm.requests[:TURNS]]
        return sizes[-1] - sizes[0]

    _, llm = after_25_turns
    _, full = talked(context="full")
    assert growth(llm) * 4 < growth(full)
    logs = [request.messages[1].text.partition("\n\n")[0] for request in llm.requests[:TURNS]]
    assert all(later.startswith(earlier) for earlier, later in pairwise(logs))
    assert len({request.messages[0].text for request in llm.requests}) == 1


def test_a_call_that_failed_is_not_made_again():
    for context, times in (("state", 1), ("step", 3)):
        ann, _ = mind(context)
        for _again in range(3):
            ann.ask("Close IT1.")
        assert [row.text for row in ann.session if row.kind == "cell"] == ["desk.close('IT1')"] * times


def test_a_model_may_be_the_tracker_and_rules_stand_in_where_it_fails():
    def both(request):
        if request.messages[0].text != RULES:
            return executor(request)
        if "IT7313" in request.messages[1].text.partition("<new_messages>")[2]:
            raise ModelError("refused", "not now")
        return f"```\n{NO_UPDATE}\n```" if "Well." in request.messages[1].text else "ticket: IT7300 wifi"

    ann, llm = mind(script=both, tracker="model")
    for text in ("Please open a ticket: wifi in room 1.", "Nice weather.", "Please open a ticket: door in room 2."):
        ann.ask(text)
    written = [(row.data["by"], row.text) for row in ann.session if row.kind == "context_state"]
    assert [by for by, _ in written] == ["world", "model", "model", "rules"]
    assert [text for _, text in written[1:3]] == ["ticket: IT7300 wifi", NO_UPDATE]
    assert "IT7313" in written[3][1]
    trackers = [request for request in llm.requests if request.messages[0].text == RULES]
    assert "ticket: IT7300 wifi" in trackers[-1].messages[1].text


def test_who_comes_and_goes_is_told_as_a_delta_while_the_front_stays():
    ann, llm = mind()
    ann.ask("Hello?")
    ann.model.world.add("annex", Desk())
    ann.ask("Hello?")
    ann.model.world.remove("desk")
    ann.ask("Hello?")
    first, second, third = (request.messages[1].text.partition("\n\n")[0] for request in llm.requests)
    assert first.endswith("there: Desk: desk")
    assert second == f"{first}\ncame: annex: Desk"
    assert third == f"{second}\ngone: desk"
    assert len({request.messages[0].text for request in llm.requests}) == 1


def test_a_log_stays_within_its_room_however_long_the_talk():
    ann, llm = mind(state_tokens=120)
    for turn in range(3 * TURNS):
        ann.ask(f"Please open a ticket: {KINDS[turn % 5]} in room {turn}.")
    assert max(request.parts["log"] for request in llm.requests) <= 120 + 80  # one turn's lines, and the heading


def opens(request):
    return f"```python\nprint(desk.open('x', {request.key.step}))\n```"


def test_a_resumed_run_goes_on_with_its_log(tmp_path):
    def lived(folder, until):
        begun = (folder / "run.sqlite").exists()
        ann, _ = mind(script=opens, out=None if begun else folder)
        if begun:
            continue_run(ann.model, folder)
        ann.model.run(until=until).close()
        return list(ann.session)

    whole = lived(tmp_path / "whole", 6)
    lived(tmp_path / "parts", 3)
    assert lived(tmp_path / "parts", 6) == whole
    assert any(row.kind == "context_state" and "IT7300" in row.text for row in whole)
