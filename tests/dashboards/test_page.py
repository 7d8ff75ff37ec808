"""A finished run in a real browser: every panel, and every way to get at it."""

import re
import urllib.request

import pytest

RUN = "/run/town-7"


def test_the_page_of_a_finished_run_opens_where_most_is_going_on_and_a_link_where_it_says(page):
    page.open(RUN)
    opened = page.step
    groups = page.js("return [...document.querySelectorAll('.states > span b')].map((each) => +each.textContent)")
    assert 10 < opened < 60
    assert max(groups) < 8, "not all of them asleep"
    page.press("l")
    page.shows(60)
    page.open(f"{RUN}?step=60")
    page.shows(60)
    assert page.text("h1") == "Town day"
    assert page.text("#status") == "finished"
    assert "°C" in page.text("#weather")
    assert page.js("return cave.map.view.turned")  # a high town in a broad window
    land, water = page.js("""const pen = cave.map.base.getContext("2d");
        const colour = (...spot) => [...pen.getImageData(...cave.map.view.toPixels(...spot), 1, 1).data];
        return [colour(24.9440, 60.1712), colour(24.9480, 60.1765)]""")
    assert water[2] > water[0] + 30
    assert abs(land[2] - land[0]) < 30
    page.shot("run-1280-light")


def test_an_address_without_a_run_leads_to_the_table_of_runs(page):
    page.open("/")
    page.until_text("td", "town-8")
    page.until_text("td", "village")
    page.shot("runs")


def test_the_study_groups_runs_by_their_settings(page):
    page.open("/study")
    page.until_text("td", "Village day")
    page.shot("study")


@pytest.mark.long
def test_a_run_that_is_not_there_says_which_are(page):
    page.open("/run/elsewhere")
    assert re.search(r"no run 'elsewhere' here; there are town-7,.* town-8, village", page.text("#failure"))
    page.leave_refused(404)


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("kind", ["png", "svg", "html"])
def test_a_figure_is_exported(page, tmp_path, kind):
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    page.open(f"{RUN}?tab=measures")
    page.until("document.querySelectorAll('#panel-measures .chart .line-of').length >= 8")
    page.choose("[data-measure=mood] .save", kind)
    page.until("document.body")
    for _ in range(200):
        if any(path.suffix == f".{kind}" and path.stat().st_size > 1_000 for path in tmp_path.iterdir()):
            break
        page.driver.execute_async_script("setTimeout(arguments[0], 50)")
    else:
        pytest.fail(f"no {kind} came")


def test_tables_and_the_report_are_downloaded(page):
    base = f"http://127.0.0.1:{page.dashboard.port}/api{RUN}/download"
    heads = {"turns.csv": b"turn,step,agent", "measures.csv": b"step,", "report.html": b"<!doctype html>"}
    for name, head in heads.items():
        with urllib.request.urlopen(f"{base}/{name}?token={page.dashboard.token}") as reply:
            assert reply.read().startswith(head)
            assert "attachment" in reply.headers["content-disposition"]


@pytest.mark.long
def test_the_theme_is_kept(page):
    page.open(f"{RUN}?tab=measures")
    page.press("t")
    page.until("document.documentElement.dataset.theme === 'dark'")
    page.shot("run-1280-dark")
    page.driver.refresh()
    page.until("document.documentElement.dataset.theme === 'dark'")


@pytest.mark.long
@pytest.mark.parametrize("size", ["laptop", "desk", "tablet"])
def test_nothing_is_cut_off_on_any_screen(page, size):
    page.size(size)
    page.open(f"{RUN}?step=40", theme="dark" if size == "desk" else "light")
    page.shows(40)
    page.until("document.querySelectorAll('.turn').length > 3")
    assert page.js("return document.documentElement.scrollWidth <= innerWidth")
    assert page.js("return cave.hosts.inspect.hidden") is (size != "desk")  # a wide screen shows two panels
    page.shot(f"run-{size}")


@pytest.mark.long(cases=0)
def test_the_village_is_drawn_on_its_tiles(page):
    page.open("/run/village?step=20")
    page.shows(20)
    assert page.js("return cave.map.stretch") == 1
    assert page.js("return cave.map.spots.length / 2") == 24
    assert page.js("return cave.map.ground.tiles.at(4, 3)") == "home"
    assert page.js("return cave.map.view.turned") is False
    page.shot("village")
    page.size("phone")
    band = "(({ view, box }) => box.height - view.top - view.bottom - view.width / view.shapes.upright)(cave.map)"
    page.until(f"cave.map.box.width < 390 && {band} < 40")  # a broad map has no empty bands above and below
    page.shot("village-phone")
    page.size("laptop")


def test_two_runs_are_compared_side_by_side_in_step(page):
    page.open("/compare?run=town-7&run=town-8&step=20")
    page.until_text("h2", "What differs")
    page.until("document.querySelector('#divergence').textContent === 'They part in step 0'")
    page.until("document.querySelectorAll('.twin table tbody tr').length > 10")
    named = "[...document.querySelectorAll('[aria-label=Differences] tr')].map((row) => row.cells[0].textContent)"
    assert not [name for name in page.js(f"return {named}") if "_" in name]
    assert "null" not in page.text("[aria-label=Differences]")
    assert "Not in town-8: " in page.text("[aria-label=Differences]")
    page.press("\ue014")
    page.until("[...document.querySelectorAll('.stage')].every((stage) => stage.dataset.step === '21')")
    page.until_text(".conditions", "seeds 7, 8")  # drawn anew with the step
    page.until(r"/\d \[-?[\d.,]+, /.test(document.querySelector('[aria-label=\"Measure differences\"]')?.textContent)")
    page.shot("compare")
    page.size("phone")
    assert page.js("return document.querySelector('.compare .clock').getBoundingClientRect().height") < 60
    assert page.js("return document.documentElement.scrollWidth <= innerWidth")
    page.size("laptop")


@pytest.mark.long
def test_the_same_activity_has_the_same_colour_in_every_run(page):
    page.open("/compare?run=town-7&run=town-8&step=40")
    page.until("document.querySelectorAll('.states .dot').length > 2")
    colours = page.js("""return [...document.querySelectorAll('.states span')].map((each) =>
        [each.textContent.replace(/ [0-9]+$/, ''), each.getAttribute('style')])""")
    assert len(dict(colours)) == len({tuple(each) for each in colours})


def test_branches_are_a_tree(page):
    page.open("/branches")
    assert {each.text for each in page.all(".node a:first-child")} >= {"town-7", "town-8", "village"}


@pytest.mark.long
def test_a_run_is_forked_at_the_shown_step_and_compared(page):
    page.open(f"{RUN}?step=20&tab=control")
    page.write("#fork-code", "town.announcements.append('A storm is coming')")
    page.write("#fork-until", "24")
    page.click("#fork-go")
    page.until_text("#fork-said", "finished")
    name = page.js("return document.querySelector('#fork-said b').textContent")  # it is drawn anew twice a second
    page.shot("fork")
    page.open(f"/compare?run=town-7&run={name}&step=24")
    page.until_text("#divergence", "They part in step 20, their states after step 21")
    page.until_text(".twin td", "announcements")
    page.until_text(".twin .conditions", "announcements.append")
    assert "no interval" in page.text("[aria-label=Measures]")
    assert "[" not in page.text("[aria-label='Measure differences']")
    page.click(".more-seeds summary")
    page.js("document.querySelector('.more-seeds').old = true; document.querySelector('#time').stepDown()")
    page.js("document.querySelector('#time').dispatchEvent(new Event('input'))")
    page.until("!document.querySelector('.more-seeds').old")  # it is drawn anew, and stays open
    assert f"--out runs/{name}-seed-$seed" in page.text(".more-seeds pre")
    page.shot("compare-one-pair")
    page.open("/branches")
    page.until_text(".tree ul .node", name)
    assert "from step 20" in page.text(".tree ul .node")


def test_a_page_without_the_token_looks_and_steers_nothing(page):
    page.open(f"{RUN}?tab=control", steering=False)
    page.until_text("#panel-control .said", "may look and not steer")
    assert not page.find("#fork-go").is_enabled()


TABS = ("turn", "inspect", "blame", "relations", "measures", "control", "models")
SEEN = {
    "light": [
        f"{RUN}?step=40",
        *(f"{RUN}?step=40&pick=mayor&turn=60&target=mayor.activity&tab={tab}" for tab in TABS),
        "/runs",
    ],
    "dark": [
        f"{RUN}?step=40",
        f"{RUN}?step=40&turn=60&tab=turn",
        "/compare?run=town-7&run=town-8&step=9",
        "/branches",
        "/study",
    ],
}


@pytest.mark.long
@pytest.mark.parametrize(("theme", "path"), [(theme, path) for theme in SEEN for path in SEEN[theme]])
def test_everybody_can_use_it(page, theme, path):
    page.open(path, theme=theme)
    page.until("!document.querySelector('#loading')")
    if "tab=" in path:
        name = path.rpartition("=")[2]
        page.until(f"document.querySelector('#panel-{name}').textContent.length > 20")
    assert page.barriers() == []


@pytest.mark.long
def test_the_day_has_chapters_and_the_map_comes_nearer_by_keys_and_buttons(page):
    with page.finding("localStorage.removeItem('hints')"):
        page.open(f"{RUN}?step=30")
    page.shows(30)
    page.until("cave.timeline.chapters.length >= 5 && cave.timeline.chapters.every(({ text }) => text.length > 10)")
    page.press("+")
    page.until("cave.map.view.zoom === 1.5")
    page.click(".zoom button")
    page.until("cave.map.view.zoom === 2.25")
    page.press("-")
    page.until("cave.map.view.zoom === 1.5")
    assert len(page.all("#hints li")) == 3
    page.click("#hints button")
    assert page.js("return localStorage.getItem('hints')") == "seen"
    page.open(f"{RUN}?step=30")
    assert page.all("#hints") == []


@pytest.mark.long
def test_a_value_that_is_not_there_is_explained(page):
    page.open(f"{RUN}?tab=blame&target=mayor.shoes")
    page.until_text("#panel-blame .empty", "has no field 'shoes'")
    page.leave_refused(404, 400)  # whose it was, and why it was


@pytest.mark.long
def test_any_expression_is_a_measure_and_part_of_the_address(page):
    page.open(f"{RUN}?step=30&tab=measures")
    page.enter("#expression", "world['town'].treasury_cents / 100")
    page.until("document.querySelectorAll('#panel-measures [data-measure*=treasury_cents] .line-of').length === 1")
    page.enter("#expression", "[r.mood for r in world.all('Resident')]")
    page.until("document.querySelectorAll('#panel-measures [data-measure*=mood\\\\ for] .line-of').length === 3")
    assert "expr=" in page.until("location.search.includes('expr=') && location.search")
    page.enter("#expression", "town.shoes")
    page.until_text("#panel-measures .error", "no field 'shoes'")
    page.leave_refused(400)
