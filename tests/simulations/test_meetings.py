"""Whether people keep what they agree on is seen from where they are at the hour."""

import pytest

from cave_sim import Simulation, open_run
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.turns import talk
from cave_sim.history.highlights import highlights
from cave_sim.history.sentences import text_of
from cave_sim.simulation.agents import Agent
from cave_sim.simulations.town_day.meetings import meetings
from tests.worlds.line_town import line_town

ASKS = {("ann", 0): "me.go(cafe)", ("ann", 1): "me.meet(bob, park, at='10:30')"}
AGREES = {("bob", 2): "me.meet(ann, park, at='10:30')"}


class Scripted(Agent):
    """Does what is written for its name and step."""

    def act(self, observation):
        return self.model.cells.get((self.name, self.model.world.clock.step), "")


class Written(Simulation):
    """A day whose cells are written down beforehand."""


def lived(folder, cells, until=18):
    simulation = Written(line_town(), [(Scripted, name) for name in ("ann", "bob")], out=folder)
    simulation.cells = ASKS | AGREES | cells
    simulation.run(until=until).close()
    return open_run(folder)


@pytest.mark.parametrize(
    ("goes", "came", "is_kept"),
    [
        ({"ann": 7, "bob": 7}, {"ann", "bob"}, True),
        ({"ann": 7}, {"ann"}, False),
        ({}, set(), False),
        ({"ann": 3, "bob": 11}, {"ann", "bob"}, True),
        ({"ann": 3, "bob": 13}, {"ann"}, False),
    ],
)
def test_a_meeting_is_kept_by_those_who_are_there_at_the_hour(tmp_path, goes, came, is_kept):
    with lived(tmp_path, dict.fromkeys(goes.items(), "me.go(park)")) as run:
        [meeting] = meetings(run)
    assert (meeting.people, meeting.place) == (("ann", "bob"), "park")
    assert (meeting.came, meeting.is_kept) == (came, is_kept)


def test_who_misses_the_other_though_both_were_there_has_not_kept_it(tmp_path):
    goes = {("ann", 3): "me.go(park)", ("ann", 9): "me.go(home)", ("bob", 9): "me.go(park)"}
    with lived(tmp_path, goes) as run:
        [meeting] = meetings(run)
    assert (meeting.came, meeting.is_kept) == ({"ann", "bob"}, False)


@pytest.mark.parametrize(
    ("cells", "until"),
    [({("bob", 0): "me.plan['09:30'] = 'meet ann at park'"}, 12), ({("bob", 2): "me.say(ann, 'Perhaps.')"}, 18)],
)
def test_what_is_planned_alone_not_answered_or_not_due_yet_is_no_meeting_that_could_be_kept(tmp_path, cells, until):
    with lived(tmp_path, cells, until) as run:
        assert meetings(run) == []


ASKED, AGREED = "asks bob: “Shall we meet at park at 10:30?”", "agrees with ann: “Yes, at park at 10:30!”"


@pytest.mark.parametrize(
    ("answer", "told"),
    [(AGREES, ["ann " + ASKED, "bob " + AGREED]), ({}, ["ann " + ASKED])],
)
def test_a_question_to_meet_an_agreement_and_a_lapse_are_told_and_the_words_are_said_on_the_map(tmp_path, answer, told):
    simulation = Written(line_town(), [(Scripted, name) for name in ("ann", "bob")], out=tmp_path / "run")
    simulation.cells = ASKS | answer
    simulation.run(until=8).close()
    reader = JournalReader("run", tmp_path / "run")
    talks = [each for step in range(9) for each in talk(reader, step)["turns"]]
    reader.close()
    assert [f"{each['agent']} {text_of(one)}" for each in talks for one in each["told"]] == told
    assert all(": “" in each["told"][0] and "”" in each["told"][0] for each in talks), "speech, which has a bubble"
    with open_run(tmp_path / "run") as run:
        story = "\n".join(each.text for each in highlights(run, 20))
    assert "Ann asks Bob: “Shall we meet at" in story
    assert ("Ann is reminded: “Bob has not answered; you do not meet at 10:30.”" in story) == (not answer)
