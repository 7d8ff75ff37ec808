import pytest

from cave_sim.cli.main import main
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
    difference.until("document.querySelectorAll('.chart .line-of').length >= 8")
    titles = [each.text for each in difference.all("h2")]
    assert titles == ["Two timelines", "Where they part", "What differs after step 60", "What they cost"]
    rows = [each.get_attribute("textContent") for each in difference.all("svg.lines text")]
    assert "mayor" in rows  # of two seeds, each has another one
    assert any(" " in each for each in rows)  # residents are called by their names
    difference.shot("difference")


def test_the_page_of_a_difference_fits_a_phone(difference):
    difference.size("phone")
    difference.until("document.documentElement.scrollWidth <= innerWidth")
    difference.size("laptop")
