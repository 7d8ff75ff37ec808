"""What a person does at the report of a run that is open, from one of its views to the next."""

import pytest

from cave_sim import open_run
from cave_sim.dashboards import write_report
from tests.dashboards.browser import Page, shots_folder
from tests.dashboards.small_town import REFUSAL, SmallTown


@pytest.fixture(scope="module")
def opened(driver, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    with open_run(SmallTown().write(folder / "town")) as run:
        path = write_report(run, folder / "town.html")
    shown = Page(driver, None, shots_folder())
    driver.get(path.as_uri())
    shown.until("document.documentElement.dataset.ready === 'yes'")
    return shown


@pytest.fixture
def page(opened):
    """Return a report that is open already; afterwards nothing may have gone wrong, and nobody been asked."""
    yield opened
    assert opened.trouble() == []


@pytest.mark.long
def test_a_report_plays_and_is_scrubbed(page):
    page.turn_to("#step=2")
    page.choose("#history-speed", "60")
    page.press(" ")
    page.until("Number(document.querySelector('.stage').dataset.step) > 5")
    page.press(" ")
    page.js("const t = document.querySelector('#time'); t.value = 12; t.dispatchEvent(new Event('input'))")
    page.shows(12)
    assert page.text(".clock b") == "08:00"
    page.until("location.hash.includes('step=12')")


@pytest.mark.long
def test_a_report_s_feed_is_filtered_searched_and_opened(page):
    page.turn_to("#step=36")
    page.choose("#feed-status", "failed")
    page.until("[...document.querySelectorAll('.turn .badge')].every((e) => e.textContent === 'failed')")
    page.until_text(".turn .error", REFUSAL)
    page.choose("#feed-status", "")
    page.write("#search", "Rain!")
    page.until("document.querySelectorAll('.turn').length === 1")
    page.click(".turn .strong")
    page.until_text("#panel-turn pre.code", "Rain!")
    page.until_text("#panel-turn h3", "3 changes")
    assert page.all("#panel-turn pre.code span.k-n")


def test_a_report_s_people_are_inspected_and_their_values_blamed(page):
    page.turn_to("#step=20&tab=inspect&pick=resident_1")
    page.until_text("#panel-inspect h2", "Resident 1")
    page.until_text(".fields th", "mood")
    page.until_text("#panel-inspect summary", "Transcript")
    page.press("\ue014")
    page.until_text("#panel-inspect .note", "09:30")
    page.click(".fields th .link")
    page.until_text("#panel-blame h2", "resident_1.")
    page.until("document.querySelectorAll('.chain li').length > 0")


@pytest.mark.long
def test_a_report_s_measures_are_drawn(page):
    page.turn_to("#step=20&tab=measures")
    page.until("document.querySelectorAll('#panel-measures .line-of').length === 1")
    assert page.text("#panel-measures h2") == "mean wind ms"
    page.click("#log-scale")
    page.until("document.querySelector('.lines').dataset.scale === 'log'")


def test_hostile_texts_are_shown_as_they_are(page):
    page.turn_to("#step=36&tab=inspect&pick=place_2")
    page.until_text("#panel-inspect h2", "Park <2>")
    page.until_text(".stage .credit", "Gridham & <sons>")


def test_the_map_of_degrees_is_not_stretched(page):
    assert page.js("return cave.map.stretch") == pytest.approx(2, rel=0.02)  # at 60 degrees north
