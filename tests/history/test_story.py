"""Story: the life of an entity."""

import json
from itertools import pairwise

import pytest

from cave_sim import JournalError, Simulation, open_run
from cave_sim.cli.main import main
from cave_sim.history.story import story
from cave_sim.replay.fork import fork
from tests.policy import square


def test_a_story_begins_with_the_creation_and_goes_on_in_order(town):
    chapters = story(town, "mayor")
    assert chapters[0].changes == ("created",)
    assert [each.time for each in chapters] == sorted(each.time for each in chapters)
    assert any("me.go(" in each.code for each in chapters)


def test_what_the_world_did_by_itself_in_a_row_is_one_chapter(town):
    chapters = story(town, "mayor")
    by_itself = [each.agent == "world" for each in chapters]
    assert not any(one and other for one, other in pairwise(by_itself))
    assert any(len(each.turns) > 1 for each in chapters)


def test_a_story_can_end_early(town):
    early = [chapter for chapter in story(town, "mayor", at=20) if chapter.agent != "world"]
    assert early == [each for each in story(town, "mayor") if each.agent != "world" and each.time < "2012-06-01T09:20"]


def test_an_entity_that_is_not_there_is_said(town):
    with pytest.raises(JournalError, match=r"no entity 'major' in this run\. Did you mean 'mayor'"):
        story(town, "major")


def test_the_command_tells_a_chapter_in_two_lines_and_as_json(town_folder, capsys):
    assert main(["story", str(town_folder), "mayor"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert main(["story", str(town_folder), "mayor", "--json"]) == 0
    chapters = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(told) == 2 * len(chapters)


FAILING = {1: "me.mood = 9", 2: "me.mood = 9", 3: "1 / 0", 4: "me.plan = 'rest'", 5: "1 / 0"}


def test_what_somebody_did_in_vain_is_a_chapter_and_what_failed_alike_in_a_row_is_one(tmp_path):
    with Simulation(square.build(), out=tmp_path / "run") as simulation:
        for code in FAILING.values():
            simulation.intervene(code, "ann")
            simulation.step()
    with open_run(tmp_path / "run") as run:
        told = [(each.code, each.changes, len(each.turns)) for each in story(run, "ann") if each.agent == "ann"]
        assert [(code, count) for code, _, count in told] == [
            ("me.mood = 9", 2),
            ("1 / 0", 1),
            ("me.plan = 'rest'", 1),
            ("1 / 0", 1),
        ]
        assert told[0][1][0].startswith("in vain, 2 times: SchemaError: ann.mood")
        assert told[1][1] == ("in vain: ZeroDivisionError: division by zero",)
        assert [each.code for each in story(run, "ann", at=2) if each.agent == "ann"] == ["me.mood = 9"]
    with fork(tmp_path / "run", 3, tmp_path / "branch", simulation=Simulation(square.build())) as branch:
        branch.intervene("1 / 0", "ann")
        branch.step()
    with open_run(tmp_path / "branch") as run:
        lived = [(each.code, len(each.turns)) for each in story(run, "ann") if each.agent == "ann"]
        assert lived == [("me.mood = 9", 2), ("1 / 0", 1), ("1 / 0", 1)]
