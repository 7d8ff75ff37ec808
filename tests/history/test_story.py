"""Story: the life of an entity."""

import json
from itertools import pairwise

import pytest

from cave_sim import JournalError
from cave_sim.cli.main import main
from cave_sim.history.story import story


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
