"""Notes of people on moments of a run: in its manifest, on the strip of time, in what stands out, on the saved page."""

import json

import pytest
from selenium.webdriver.common.keys import Keys

from cave_sim import JournalError, open_run
from cave_sim.cli.main import main
from cave_sim.dashboards import write_report
from cave_sim.journal.annotations import LONGEST_NOTE, annotate
from cave_sim.replay.recipe import Recipe
from tests.dashboards.asking import ask
from tests.dashboards.browser import Page


@pytest.fixture
def board(tmp_path):
    """Return the folder of a short run."""
    played = Recipe("schelling", {"seed": 7, "width": 4, "height": 4}).make(tmp_path / "board")
    played.run(steps=3)
    played.close()
    return tmp_path / "board"


def notes_of(folder):
    with open_run(folder) as run:
        return [(note.get("step"), note["text"]) for note in run.manifest["notes"]]


def test_a_note_on_a_moment_is_kept_with_the_run_which_verifies_as_before(board, capsys):
    assert main(["note", str(board), "they begin to part #early", "--at", "1"]) == 0
    assert main(["note", str(board), "of all of it"]) == 0
    assert [line.partition("  ")[2] for line in capsys.readouterr().out.splitlines()[1:]] == [
        "step 1: they begin to part #early",
        "of all of it",
    ]
    assert notes_of(board) == [(1, "they begin to part #early"), (None, "of all of it")]
    assert main(["verify", str(board)]) == 0


@pytest.mark.parametrize("step", [99, -1, "2", True])
def test_a_note_on_a_step_that_is_not_there_is_refused(board, step):
    with pytest.raises(JournalError, match="step"):
        annotate(board, note="when?", step=step)
    with open_run(board) as run:
        assert "notes" not in run.manifest


def test_a_step_without_a_note_is_told_that_it_does_nothing(board, capsys):
    assert main(["note", str(board), "--at", "1"]) == 1
    assert "write the note as well" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "why"), [("", "1 to"), ("x" * (LONGEST_NOTE + 1), "1 to")])
def test_the_page_is_told_what_is_no_note(served, text, why):
    status, body, _ = ask(served, "/api/run/town/note", {"text": text, "step": 1})
    assert (status, why in json.loads(body)["error"]) == (404, True)


def test_a_note_is_written_at_a_moment_and_found_again(watching, board):
    page = watching(board.parent)
    page.open("/run/board?step=2")
    page.find("#time").send_keys("n")
    page.find("#note").send_keys(Keys.ESCAPE)
    page.until("document.querySelector('#note').closest('[hidden]') && document.activeElement.id === 'time'")
    page.press("n")
    page.enter("#note", "<b>two</b> camps #schelling")
    page.until_text("#story li", "Note <b>two</b> camps #schelling")
    assert page.text("#story .chip") == "#schelling"
    assert page.js("return cave.timeline.marks().filter(({kind}) => kind === 'note').map(({step}) => step)") == [2]
    assert notes_of(board) == [(2, "<b>two</b> camps #schelling")]


@pytest.mark.long
def test_a_saved_page_tells_the_notes_and_takes_none(driver, board):
    annotate(board, note="two camps #schelling", step=2)
    with open_run(board) as run:
        saved = write_report(run)
    page = Page(driver, None)
    driver.get(saved.as_uri())
    page.until_text("#story li", "Note two camps #schelling")
    page.press("n")
    assert page.all("#note-write") == []
    assert page.trouble() == []


@pytest.mark.long
def test_a_run_that_is_paused_keeps_a_note_at_once_and_goes_on(live_page, live, tmp_path):
    live_page.click("#note-write")
    live_page.enter("#note", "before anything happens")
    live_page.until_text("#story li", "Note before anything happens")
    assert notes_of(tmp_path / "town") == [(0, "before anything happens")]
    live.control.step()
    live_page.shows(1)
    assert notes_of(tmp_path / "town") == [(0, "before anything happens")]
