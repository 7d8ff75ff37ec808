"""Three make a paper of a day in the town: beside each other, merged, checked, mended and printed."""

import pytest

from cave_sim import JournalError, open_run
from cave_sim.models import ScriptedModel
from cave_sim.replay.verify import verify
from cave_sim.session.graph import sessions_of
from cave_sim.simulations import newsroom
from cave_sim.simulations.newsroom.script import LOGGED, WRITTEN, reply


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the run of a paper that was made."""
    folder = tmp_path_factory.mktemp("runs") / "paper"
    newsroom.create(seed=7, out=folder).run(until=newsroom.STEPS).close()
    return folder


@pytest.fixture
def run(folder):
    with open_run(folder) as run:
        yield run


@pytest.fixture
def session(run):
    return [session for session in sessions_of(run).values() if session.agent == "desk"][-1]


def texts(session, agent):
    return [row.text for row in session if (row.agent, row.kind) == (agent, "assistant")]


def test_what_was_wrong_is_found_by_comparing_and_not_printed(session):
    log = LOGGED.findall(session[0].text)
    draft, corrected = (WRITTEN.findall(text) for text in texts(session, "reporter"))
    noted, wrong, stands = texts(session, "checker")
    assert noted.splitlines() == [f"[{number}] {time}" for number, time, _ in log]
    assert (wrong, stands) == (f"Wrong: [2] says {log[1][1]}, the article {draft[1][0]}.", "All stands.")
    assert draft[1] != corrected[1]
    assert corrected == [(time, text, number) for number, time, text in log[:3]]


def test_who_goes_on_is_a_choice_with_a_reason(session):
    (route,) = (row for row in session if row.kind == "route")
    assert (route.data["decision"], route.data["by"]) == ("mend", "editor")
    assert route.data["reason"].startswith("Wrong: [2]")
    assert [candidate["name"] for candidate in route.data["candidates"]] == ["accept", "mend"]


def test_reporter_and_checker_begin_at_once_with_the_same_session(run):
    one, two = (call for call in run.calls() if call["step"] == 0)
    assert sorted([one["agent"], two["agent"]]) == ["checker", "reporter"]
    for call in (one, two):
        heard = "\n".join(message["text"] for message in call["request"]["messages"])
        assert ("log of the day:" in heard, "said:" in heard) == (True, False)


def test_the_summary_tells_what_was_printed_and_the_way_there(run, session):
    told = newsroom.summary(run)
    assert all(f"  {line}" in told for line in texts(session, "reporter")[1].splitlines())
    assert ("route: mend: Wrong: [2]" in told, "merge of " in told) == (True, True)


@pytest.mark.long
def test_running_its_cells_again_asks_nobody(run):
    assert verify(
        run, lambda: newsroom.create(seed=7, llm=ScriptedModel(lambda request: pytest.fail("was asked")))
    ).holds


def test_what_is_not_borne_out_is_not_printed_and_the_workflow_says_why():
    def careless(request):
        return "It was a day like any other." if request.key.agent == "reporter" else reply(request)

    simulation = newsroom.create(seed=7, llm=ScriptedModel(careless))
    simulation.run(until=newsroom.STEPS)
    assert "names no line of the log" in simulation.by_name["desk"].failure
    assert simulation.world["paper"].articles == []


def test_a_run_that_is_not_there_is_said(tmp_path):
    with pytest.raises(JournalError, match="nowhere"):
        newsroom.create(seed=7, over=str(tmp_path / "nowhere"))
