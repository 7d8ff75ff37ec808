"""The row of tabs above the panels."""

import pytest


@pytest.mark.long
def test_tabs_stand_in_one_row_and_keys_bring_each_into_sight(page):
    page.size("phone")
    page.open("/run/town-7?step=40")
    tops = "new Set([...document.querySelectorAll('[role=tab]')].map((tab) => tab.offsetTop)).size"
    assert page.js(f"return [{tops}, document.documentElement.scrollWidth <= innerWidth]") == [1, True]
    page.until("!document.querySelector('.tabs-end.after').hidden && document.querySelector('.tabs-end.before').hidden")
    inside = """(() => { const tab = document.querySelector('[aria-selected=true]').getBoundingClientRect();
        const row = document.querySelector('.tab-row').getBoundingClientRect();
        return tab.left >= row.left - 1 && tab.right <= row.right + 1; })()"""
    page.find("#tab-feed").send_keys("\ue010")  # end
    page.until(f"document.activeElement.id === 'tab-news' && cave.hosts.news.hidden === false && {inside}")
    page.until("document.querySelector('.tabs-end.after').hidden")
    page.find("#tab-news").send_keys("\ue014")  # right: round to the first
    page.until(f"document.activeElement.id === 'tab-feed' && cave.hosts.feed.hidden === false && {inside}")
    assert page.js("return document.querySelectorAll('[role=tab][tabindex=\"0\"]').length") == 1
    assert page.barriers() == []
