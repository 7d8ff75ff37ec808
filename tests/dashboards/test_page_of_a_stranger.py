"""A run of somebody whose every word is markup: pages and reports show it, obey nothing of it, and stay usable."""

import json
from urllib.parse import quote

import pytest

from cave_sim import open_run
from cave_sim.dashboards import write_report
from cave_sim.dashboards.diff_page import write_diff_page
from cave_sim.history.diff import diff
from cave_sim.rendering.documents import render
from tests.dashboards.browser import Page
from tests.dashboards.small_town import SmallTown

HOSTILE = (
    "</script></style></title></textarea>\"'><img src=x onerror=obeyed=1><svg onload=obeyed=1>"
    "<a href='javascript:obeyed=1'>x</a>{{7*7}}{% x %}${obeyed=1}`"
    "\u202e\u2066\u200b\x1b[2J\r\n\u2028\U0001f9d1\u200d\U0001f373" + "W" * 10_000
)
OBEYED = "window.obeyed || document.querySelector('img[src=x], svg[onload], a[href^=javascript]')"
FOLDER = "a <img src=x onerror=obeyed=1> {{7}}"
TABS = ("feed", "turn", "inspect", "blame", "relations", "measures", "life", "minds", "news")


class HostileTown(SmallTown):
    """A town in which each text that a stranger could have written goes on with an attack."""

    def manifest(self):
        told = super().manifest()
        drawn = {**told["map"], "name": HOSTILE, "attribution": HOSTILE}
        return told | {"map": drawn, "tags": [HOSTILE[:60]], "simulation": HOSTILE, "model": {"model": HOSTILE}}

    def turn(self, step, agent, kind, code="", status="committed", error=""):
        agent = agent if agent in ("outside", "world") else agent + HOSTILE[:90]
        super().turn(step, agent, kind, code and f"{code} # {HOSTILE}", status, error and error + HOSTILE)

    def change(self, entity, new, *path, op="set"):
        super().change(_named(entity), _with_attack(new), *path, op=op)

    def step(self, step):
        super().step(step)
        self.db.execute("INSERT INTO measures VALUES (?, ?, ?)", (step, HOSTILE, step))


def _named(entity):
    return entity + HOSTILE[:90] if entity.startswith("place") else entity


def _with_attack(value):
    """Return a value as a cell could have written it; what says how it is kept stays."""
    if isinstance(value, dict):
        kept = {"type": str, "at": int, "$ref": _named}
        return {key: kept.get(key, _with_attack)(each) for key, each in value.items()}
    if isinstance(value, list):
        return list(map(_with_attack, value))
    return value + HOSTILE if isinstance(value, str) else value


def test_no_word_of_a_run_is_obeyed_by_a_page_or_pushes_its_buttons_away(tmp_path, watching):
    HostileTown(residents=3, steps=12).write(tmp_path / FOLDER)
    page = watching(tmp_path)
    address = page.open("/runs").js("return [...document.querySelectorAll('a[href*=\"/run/\"]')][0].pathname")
    assert page.js(f"return {OBEYED}") is None
    page.open(f"{address}?step=12")
    for name in TABS:
        page.tab(name)
        page.until(f"document.querySelector('#tab-{name}').ariaSelected === 'true'")
        assert page.js(f"return {OBEYED}") is None, name
        assert page.js("return document.documentElement.scrollWidth <= innerWidth"), name
    seen = "[...document.querySelectorAll('#help, .kinds > span, .states > span')]"
    assert page.js(f"return {seen}.every((e) => e.getBoundingClientRect().right <= innerWidth)")
    header = "['.title', '#status', '#weather b', '.tools'].map((each) => document.querySelector(each))"
    boxes = f"{header}.map((each) => each.getBoundingClientRect())"
    assert page.js(f"return {boxes}.every((box, at, all) => !at || all[at - 1].right <= box.left)"), "one over another"


@pytest.mark.long
def test_nor_by_a_comparison_a_report_and_the_page_of_a_difference(tmp_path, driver, watching):
    run, other = (HostileTown(residents=3, steps=12).write(tmp_path / name) for name in (FOLDER, "b"))
    page = watching(tmp_path)
    page.open(f"/compare?run={quote(run.name)}&run={other.name}&step=12")
    page.until("document.querySelector('.charts h3') && document.querySelector('[aria-label=\"Measure differences\"]')")
    assert page.js(f"return {OBEYED}") is None
    assert page.js("return document.documentElement.scrollWidth <= innerWidth"), "compare"
    opened = open_run(run)
    written = write_report(opened, tmp_path / "report.html")
    opened.close()
    alone = Page(driver, None)
    with open_run(run) as one, open_run(other) as second:
        differs = write_diff_page(one, second, diff(one, second), tmp_path / "diff.html")
    driver.get(differs.as_uri())
    alone.until("document.querySelector('svg')")
    assert alone.js(f"return {OBEYED}") is None
    assert alone.js("return document.documentElement.scrollWidth <= innerWidth"), "diff"
    driver.get(written.as_uri())
    alone.until("document.documentElement.dataset.ready")
    assert alone.js(f"return {OBEYED}") is None
    assert "onerror=obeyed" in alone.text("body"), "the attack is there, as words"
    assert json.dumps(alone.trouble()) == "[]"


def test_a_document_whose_words_are_longer_than_its_lines_stays_within_the_window(tmp_path, driver):
    page = tmp_path / "paper.html"
    article = {"headline": "W" * 300, "text": "W" * 3_000}
    page.write_bytes(render("newspaper", {"title": "W" * 100, "date": "Monday", "articles": [article]}).data)
    alone = Page(driver, None)
    driver.get(page.as_uri())
    assert alone.js("return document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.long
@pytest.mark.parametrize("asking", ["<img src='{}'>", "<script>fetch('{}').catch(() => 0)</script>"])
@pytest.mark.parametrize("address", ["http://elsewhere.example/", "http://192.0.2.1/"])
def test_what_a_page_asks_another_host_for_is_noticed_here(driver, asking, address):
    page = Page(driver, None)
    driver.get(f"data:text/html,<body>{asking.format(address)}")
    page.until("performance.getEntriesByType('resource').length")
    complaint, asked = page.trouble()
    assert "ERR_NAME_NOT_RESOLVED" in complaint
    assert asked == address
