"""Whether people keep what they agree on is seen from where they are at the hour."""

import pytest

from cave_sim import Simulation, open_run
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
