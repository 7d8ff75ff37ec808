"""Every page is for everybody: axe-core finds nothing that keeps anybody out, and keys reach whatever is clicked."""

import pytest
from selenium.webdriver.common.keys import Keys

ALL = ("minor", "moderate", "serious", "critical")
PANELS = "feed turn inspect blame relations measures control models life minds news".split()
PAGES = ["/runs", "/branches", "/study", "/start?simulation=town_day", "/compare?run=town-7&run=town-8&step=40"]
ASTRAY = {"/run/none": "There is no run 'none'", "/nowhere": "There is nothing at this address"}
LISTENED_TO = """
const listen = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (kind, ...rest) {
  if (this instanceof Element && kind === "click") this.dataset.clicked = "yes";
  return listen.call(this, kind, ...rest);
};"""
MOUSE_ALONE = """return [...document.querySelectorAll("[data-clicked]")]
  .filter((each) => each.getClientRects().length && each.tabIndex < 0 && !each.disabled)
  .filter((each) => !each.closest("button, a[href], summary, label, details"))
  .filter((each) => !each.querySelector("button, a[href], input"))
  .map((each) => each.outerHTML.slice(0, 120))"""
ELSEWHERE = ("Graph of relations", "lines")
"""Drawings: who is in the graph is in a list beside it, and time, which a chart sets, is a slider."""


def expect_nothing_in_the_way(page):
    assert page.barriers(ALL) == []
    assert page.driver.title.startswith(page.text("h1"))  # by which tabs and histories of browsers are told apart
    for name in ("laptop", "phone"):
        page.size(name)
        assert page.js("return document.documentElement.scrollWidth <= innerWidth"), name
    page.size("laptop")
    alone = page.js(MOUSE_ALONE)
    assert [each for each in alone if not any(drawing in each for drawing in ELSEWHERE)] == []


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", [*PAGES, *(f"/run/town-7?step=30&tab={name}&pick=mayor" for name in PANELS)])
def test_nothing_keeps_anybody_out(page, path, theme):
    with page.finding(LISTENED_TO):
        page.open(path, theme=theme)
        page.until("!document.querySelector('#loading')")
        expect_nothing_in_the_way(page)


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("path", ASTRAY)
def test_whoever_goes_astray_is_told_so_and_led_on(page, path):
    page.open(path)
    page.until_text("#failure", ASTRAY[path])
    assert page.find("#failure a[href='/runs']")
    expect_nothing_in_the_way(page)
    page.leave_refused(404)


def test_whoever_goes_by_keys_skips_to_what_a_page_is_about(page):
    for path, place in {"/runs": "main", "/run/town-7": "panels"}.items():
        page.open(path)
        page.press(Keys.TAB)
        assert page.js("return document.activeElement.getAttribute('href')") == f"#{place}"
        assert page.find(f"#{place}").is_displayed()
