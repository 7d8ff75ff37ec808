"""A page that could not be shown comes by itself, as soon as there is something to show."""

import pytest

from cave_sim.dashboards.live import Dashboard
from tests.dashboards.browser import Page
from tests.dashboards.conftest import leave
from tests.dashboards.small_town import SmallTown

REFUSED_TWICE = (
    "(() => { let left = 2; const real = fetch; "
    "fetch = (...given) => (left-- > 0 ? Promise.reject(new TypeError()) : real(...given)); })()"
)


@pytest.mark.long
def test_a_page_that_was_opened_too_early_comes_by_itself(driver, tmp_path):
    """Too early: the run has only just begun; and the server, which was started anew, does not yet answer."""
    SmallTown().write(tmp_path / "town")
    run = tmp_path / "town"
    journal = run.joinpath("run.sqlite").read_bytes()
    run.joinpath("run.sqlite").write_bytes(b"")
    with Dashboard([tmp_path], port=0) as dashboard:
        page = Page(driver, dashboard)
        page.open("/run/town")
        page.until_text("#failure", "begins this very moment")
        page.until_text("#failure", "asks again by itself")
        run.joinpath("run.sqlite").write_bytes(journal)
        page.until("document.documentElement.dataset.ready === 'yes'")
        with page.finding(REFUSED_TWICE):
            page.open("/runs")
            page.until_text("#failure", "could not be loaded")
        page.until("document.documentElement.dataset.ready === 'yes'")
        page.until_text("#main", "town")
        leave(driver)
    page.trouble()


def test_without_scripts_a_page_says_what_it_needs_and_does_not_seem_to_be_reading(page):
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.driver.get(f"http://127.0.0.1:{page.dashboard.port}/runs")
        seen = page.text("body")
    finally:
        page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert "This page is drawn by JavaScript" in seen
    assert "Reading" not in seen
