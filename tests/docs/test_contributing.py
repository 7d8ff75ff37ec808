"""The tour of the house is true: a newcomer who looks for something finds the file that the page names."""

import re

import pytest

from tests.docs.pages import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
TOUR = dict(re.findall(r"^\| ([^|]+\?) \| `([^`]+)` \|$", PAGE, re.MULTILINE))


def test_the_tour_answers_ten_questions():
    assert len(TOUR) >= 10


@pytest.mark.parametrize("question", TOUR)
def test_the_file_that_answers_a_question_is_there(question):
    assert (ROOT / TOUR[question]).is_file()


@pytest.mark.parametrize("path", sorted({path for path in re.findall(r"`((?:\w+/)+[\w.]*)`", PAGE) if "*" not in path}))
def test_every_path_on_the_page_is_there(path):
    assert (ROOT / path).exists()


@pytest.mark.parametrize("target", re.findall(r"^\$ make (\w+)", PAGE, re.MULTILINE))
def test_make_knows_its_targets(target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
