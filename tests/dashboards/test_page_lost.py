"""An address that names what is not there: the page says so, says what to do, and stays usable."""

from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.keys import Keys

from cave_sim import open_run
from cave_sim.dashboards import write_report
from tests.dashboards.asking import ask
from tests.dashboards.browser import Page
from tests.dashboards.small_town import SmallTown

LOST = {
    "entity?name=shelter&step=3": "shelter is not in the world at step 3: it comes in step 18, so move the time on",
    "entity?name=shelte&step=3": "nor at any other. Did you mean 'shelter'?",
    "entity?name=Zeus&step=3": "nor at any other. Choose somebody on the map, or find them above.",
    "turn/999999": "its last is ",
}


@pytest.mark.parametrize(("asked", "told"), LOST.items())
def test_what_is_not_there_is_answered_with_a_way_out(served, asked, told):
    status, body, _ = ask(served, f"/api/run/town/{asked}")
    assert status == 404
    assert told in body.decode()


STEPS = {"9999": "36", "-5": "0", "1e400": "", "abc": "", " ": ""}
"""What a link may name as a step, and which one is shown; "" where it is as without any."""


@pytest.mark.long(cases=0)
@pytest.mark.parametrize(("named", "shown"), STEPS.items())
def test_a_link_to_a_step_that_is_not_there_leads_to_the_nearest_and_says_so(served, driver, named, shown):
    page = Page(driver, served)
    page.open(f"/run/town?{urlencode({'step': named})}")
    page.shows(shown or "36")
    past = f"leads to step {int(named):,}, which is not there: steps go from 0 to 36." if shown else ""
    said = past or "nobody writes it"
    page.until_text("#notice", said)
    page.open(f"/compare?run=town&run=town&{urlencode({'step': named})}")
    page.shows(shown or "36")
    assert page.trouble() == []


@pytest.mark.long(cases=0)
def test_a_notice_for_a_moment_gives_way_to_one_that_stays(served, driver):
    page = Page(driver, served)
    with page.finding("const later = setTimeout; window.setTimeout = (act, ms) => later(act, ms / 20)"):
        page.open("/run/town?step=9")
    page.until_text("#notice", "nobody writes it")
    said = page.js("cave.frame.notice('it is copied'); return document.querySelector('#notice').textContent")
    assert said == "it is copied"
    page.until_text("#notice", "nobody writes it")
    page.js("cave.frame.notice('')")
    page.js("cave.frame.notice('it is copied')")
    page.until("document.querySelector('#notice').hidden")


@pytest.mark.long
def test_what_is_taken_back_while_it_is_told_where_the_link_led_does_not_come_back(served, driver):
    page = Page(driver, served)
    with page.finding("const later = setTimeout; window.setTimeout = (act, ms) => later(act, ms / 20)"):
        page.open("/run/town?step=9")
    page.until_text("#notice", "nobody writes it")
    said = page.js("""
        const box = document.querySelector('#notice'), told = [];
        for (const said of [null, ['It is away.', 'bad'], ['']]) {
            if (said) cave.notice(...said); else cave.expectStep(900);
            told.push([box.textContent, box.className]);
        }
        return told;""")
    led = said[0][0]
    assert led.startswith("The link leads to step 900")
    assert said == [[led, ""], [f"{led} It is away.", "bad"], [led, ""]]
    page.until("document.querySelector('#notice').hidden")


@pytest.mark.long
def test_that_runs_could_not_be_compared_is_taken_back_once_they_are(served, driver):
    page = Page(driver, served)
    unread = """const ask = fetch, away = () => new Response('{"error": "it is away"}', { status: 404 });
        window.fetch = async (path, ...more) =>
            (window.isAway && String(path).includes("/api/compare") ? away() : ask(path, ...more));"""
    with page.finding(unread):
        page.open("/compare?run=town&run=town&step=9")
    page.until_text("h2", "What differs")
    page.js("window.isAway = true")
    page.press(Keys.ARROW_RIGHT)
    page.until_text("#notice.bad", "it is away")
    page.js("window.isAway = false")
    page.press(Keys.ARROW_RIGHT)
    page.until("document.querySelector('#notice').hidden")


@pytest.mark.long
def test_a_link_of_the_live_page_leads_a_saved_one_to_the_same_moment_and_person(served, driver, tmp_path):
    page = Page(driver, served)
    page.open("/run/town?step=3&tab=nonsense")
    page.until("document.querySelector('#tab-feed').ariaSelected === 'true'")
    with open_run(SmallTown().write(tmp_path / "town")) as run:
        saved = write_report(run, tmp_path / "saved.html")
    alone = Page(driver, None)
    for tab, shown in {"inspect": "inspect", "control": "feed"}.items():
        words = urlencode({"step": 20, "pick": "shelter", "tab": tab})
        driver.get(f"{saved.as_uri()}?{words}")
        alone.until("document.documentElement.dataset.ready")
        assert alone.step == 20
        alone.until(f"document.querySelector('#tab-{shown}').ariaSelected === 'true'")
    driver.get(f"{saved.as_uri()}?step=3&pick=shelter&tab=inspect")
    alone.until_text("#panel-inspect", "it comes in step 18")


@pytest.mark.long
def test_a_story_that_cannot_be_read_says_so_and_does_not_look_for_ever(served, driver):
    page = Page(driver, served)
    unread = """const ask = fetch, away = () => new Response('{"error": "it is away"}', { status: 404 });
        window.fetch = async (path, ...more) => String(path).includes("/highlights") ? away() : ask(path, ...more);"""
    with page.finding(unread):
        page.open("/run/town?step=3")
    page.until_text("#story", "This cannot be told now: it is away")
