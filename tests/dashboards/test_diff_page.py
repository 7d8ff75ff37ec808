from dataclasses import replace

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.dashboards.diff_page import difference_data
from cave_sim.history.diff import Divergence, diff
from tests.dashboards.browser import Page, shots_folder
from tests.dashboards.conftest import leave


@pytest.fixture
def difference(driver, finished_runs, tmp_path, capsys):
    """Return the page of the difference of two days of one town, open in a browser."""
    path = tmp_path / "difference.html"
    assert main(["diff", *(str(finished_runs / name) for name in ("town-7", "town-8")), "--html", str(path)]) == 0
    page = Page(driver, None, shots_folder())
    driver.get(path.as_uri())
    page.until("document.documentElement.dataset.ready === 'yes'")
    yield page
    assert page.trouble() == []
    leave(driver)


def test_both_timelines_the_measures_and_what_differs_are_drawn(difference):
    difference.until("document.querySelectorAll('path.turns-of').length === 10")
    rows = difference.js(
        "return [...document.querySelectorAll('svg[aria-label^=Turns]')].map((each) => "
        "[...each.querySelectorAll('text[text-anchor=end]')].map((one) => one.textContent))"
    )
    assert set(rows[0]) & set(rows[1]) == {"mayor"}  # each has a row for those who acted in it
    difference.until("document.querySelectorAll('.chart .line-of').length >= 8")
    titles = [each.text for each in difference.all("h2")]
    assert titles == ["Two timelines", "Where they part", "What differs after step 60", "What they cost"]
    rows = [each.get_attribute("textContent") for each in difference.all("svg.lines text")]
    assert "mayor" in rows  # of two seeds, each has another one
    assert any(" " in each for each in rows)  # residents are called by their names
    difference.shot("difference")


@pytest.mark.long
def test_the_page_of_a_difference_fits_a_phone(difference):
    difference.size("phone")
    difference.until("document.documentElement.scrollWidth <= innerWidth")
    difference.size("laptop")


def test_who_acted_where_two_runs_part_is_told_by_name_and_as_one_types_it(finished_runs):
    with open_run(finished_runs / "town-7") as one, open_run(finished_runs / "town-8") as other:
        turn = next(turn for turn in one.turns() if turn.kind == "cell" and turn.agent not in ("mayor", "operator"))
        found = replace(diff(one, other), parted=Divergence(turn.step, turn, None, ()))
        parted = difference_data(one, other, found, ("town-7", "town-8"))["turned"]
    told = {key: theirs for key, theirs, _ in parted["rows"]}["agent"]
    assert told.endswith(f" ({turn.agent})")
    assert told[0].isupper()
