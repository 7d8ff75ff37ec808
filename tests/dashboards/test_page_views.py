"""What a person does at the page of a finished run that is open, from one of its views to the next.

What a server refuses is asked for elsewhere (``test_page.py``): an answer may come when the next test has begun.
"""

import re

import pytest

from tests.dashboards.browser import Page, shots_folder

RUN = "/run/town-7"


@pytest.fixture(scope="module")
def opened(driver, dashboard):
    return Page(driver, dashboard, shots_folder()).open(RUN)


@pytest.fixture
def page(opened):
    """Return a page that is open already; afterwards nothing may have gone wrong in it."""
    yield opened
    assert opened.trouble() == []


def test_the_slider_and_keys_move_through_time(page):
    page.turn_to(f"{RUN}?step=30")
    page.shows(30)
    page.press("\ue012")  # left
    page.shows(29)
    page.press("\ue011")  # home
    page.shows(0)
    page.press("\ue010")  # end
    page.shows(60)
    page.js("const t = document.querySelector('#time'); t.value = 12; t.dispatchEvent(new Event('input'))")
    page.shows(12)
    assert page.text(".clock b") == "08:00"


@pytest.mark.long
def test_a_page_that_hears_of_no_step_yet_stands_at_the_first_and_goes_on_with_the_run(page):
    page.turn_to(f"{RUN}?step=30")
    page.js("cave.last = -1")
    page.press("l")
    page.shows(0)
    page.js("cave.last = cave.overview.last; cave.draw()")
    page.shows(60)


def test_history_plays_and_pauses(page):
    page.turn_to(f"{RUN}?step=5")
    page.choose("#history-speed", "60")
    page.press(" ")
    page.until("Number(document.querySelector('.stage').dataset.step) > 12")
    page.press(" ")
    page.until("cave.timeline.was.endsWith('false')")
    assert 12 < page.step <= 60


def test_every_panel_follows_the_step_that_is_shown(page):
    page.turn_to(f"{RUN}?step=10&tab=inspect&pick=mayor")
    page.until_text("#panel-inspect .note", "07:40")
    page.press("\ue014")
    page.until_text("#panel-inspect .note", "07:50")


def test_the_feed_is_filtered_and_searched_and_opens_turns(page):
    page.turn_to(f"{RUN}?step=40")
    page.until("document.querySelector('.turn .who')?.closest('ol').textContent.includes(cave.called('mayor'))")
    page.choose("#feed-agent", "mayor")
    page.until(
        "[...document.querySelectorAll('.turn .who .strong')].every((e) => e.textContent === cave.called('mayor'))"
    )
    page.choose("#feed-agent", "")
    page.write("#search", "go(")
    page.until("[...document.querySelectorAll('.turn code')].every((e) => e.textContent.includes('go('))")
    page.click(".turn .strong")
    page.until_text("#panel-turn pre.code", "go(")
    assert page.all("#panel-turn pre.code span.k-n")
    page.until_text("#panel-turn h3", "changes")
    page.shot("turn")


@pytest.mark.long
def test_the_feed_shows_one_status_or_what_changed_one_entity(page):
    page.turn_to(f"{RUN}?step=60")
    page.enter("#feed-entity", "weather")
    page.choose("#feed-kind", "world")
    page.until("document.querySelectorAll('.turn').length > 3")
    page.until("[...document.querySelectorAll('.turn .strong')].every((e) => e.textContent === 'World')")
    page.turn_to(f"{RUN}?step=60")
    page.choose("#feed-status", "blocked")
    page.until_text(".turns .empty", "No turn fits")


def test_the_link_to_a_view_is_copied_without_its_token(page):
    page.turn_to(f"{RUN}?step=22")
    page.click("#link")
    page.until("!document.querySelector('#notice').hidden")
    assert "token" not in page.text("#notice") or "holds no token" in page.text("#notice")


def test_whoever_is_under_the_pointer_is_named(page):
    page.turn_to(f"{RUN}?step=30")
    page.shows(30)
    x, y = page.js(
        "const m = cave.map, b = m.canvas.getBoundingClientRect(); return [b.left + m.spots[0], b.top + m.spots[1]]"
    )
    page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})
    page.until("!document.querySelector('#tip').hidden")
    assert page.text("#tip")


def test_a_search_without_result_says_so(page):
    page.turn_to(f"{RUN}?search=unheard-of")
    page.until_text(".turns .empty", "No turn fits")


def test_a_click_on_a_field_asks_who_wrote_it(page):
    page.turn_to(f"{RUN}?step=40&tab=inspect&pick=mayor")
    page.until_text(".fields th", "activity")
    page.click(".fields th .link")
    page.until_text("#panel-blame h2", "mayor.activity")
    page.until("document.querySelectorAll('.chain li').length > 1")
    page.until_text(".chain pre", "me.")
    page.shot("blame")


def test_an_agent_is_inspected_with_its_ties_costs_and_turns(page):
    page.turn_to(f"{RUN}?step=50&tab=inspect&pick=mayor")
    for part in ("Relations", "Variables", "Costs", "Transcript"):
        page.until_text("#panel-inspect summary", part)
    page.shot("inspect")


@pytest.mark.long(cases=0)
def test_a_resident_is_picked_on_the_map(page):
    page.turn_to(f"{RUN}?step=30")
    page.shows(30)
    x, y = page.js(
        "const m = cave.map, b = m.canvas.getBoundingClientRect(); return [b.left + m.spots[0], b.top + m.spots[1]]"
    )
    name = page.js("return cave.overview.movers[0].name")
    for kind in ("mousePressed", "mouseReleased"):
        event = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
        page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)
    page.until_text("#panel-inspect .note", name)


@pytest.mark.long
def test_a_place_is_inspected_by_its_title(page):
    page.turn_to(f"{RUN}?step=30&tab=inspect")
    title = page.js("return cave.overview.places[0].title")
    page.write("#pick", title).send_keys("\ue007")
    page.until_text("#panel-inspect h2", title)


def test_a_field_that_holds_a_graph_is_told_in_a_line(page):
    page.turn_to(f"{RUN}?step=30&tab=inspect&pick=town")
    page.until_text(".fields td", "a graph: 9 nodes")


def test_relations_are_drawn(page):
    page.turn_to(f"{RUN}?step=30&tab=relations&pick=mayor")
    page.until_text("#panel-relations .note", "9 nodes")
    page.until("document.querySelectorAll('#panel-relations circle').length === 9")
    page.shot("relations")


@pytest.mark.long(cases=0)
def test_measures_are_overlaid_and_saved(page):
    page.turn_to(f"{RUN}?step=30&tab=measures")
    page.until("document.querySelectorAll('#panel-measures .chart .line-of').length >= 8")
    page.choose("#overlay", "town-8")
    page.until("document.querySelectorAll('[data-measure=mood] .line-of').length === 2")
    page.click("#log-scale")
    page.until("document.querySelector('[data-measure=mood] svg').dataset.scale === 'log'")
    assert "with=town-8" in page.until("location.search.includes('log=1') && location.search")
    page.shot("measures")


@pytest.mark.long
def test_a_page_that_watches_for_days_holds_no_more_of_a_measure_than_it_can_draw(page):
    page.turn_to(f"{RUN}?tab=measures")
    page.until("document.querySelectorAll('#panel-measures .chart .line-of').length >= 8")
    page.until("cave.panels.measures.series.size")  # they are read anew where the view before laid a run over this one
    page.js("for (let step = 1000; step < 9000; step += 1) cave.panels.measures.append(step, { mood: step })")
    steps, values = page.js(
        "const { steps, values } = cave.panels.measures.series.values().next().value.lines.mood; return [steps, values]"
    )
    assert len(steps) == len(values) <= 2_000
    assert steps[-3:] == values[-3:]
    assert steps == sorted(steps)
    assert (steps[0], steps[-1] >= 8_990) == (0, True)


WHITENESS = """
const { base } = cave.map, pen = base.getContext("2d");
return ["sun", "snow", "rain"].map((kind) => {
  cave.map.light(1, kind, kind === "sun" ? 0 : 0.8);
  const { data } = pen.getImageData(0, 0, base.width, base.height);
  return data.reduce((sum, value) => sum + value, 0) / data.length;
});
"""


@pytest.mark.long
def test_the_ground_is_white_while_it_snows(page):
    page.turn_to(f"{RUN}?step=30")
    page.shows(30)
    sun, snow, rain = page.js(WHITENESS)
    assert snow > sun + 3
    assert rain == sun


def test_a_view_is_an_address(page):
    page.turn_to(f"{RUN}?step=22&tab=inspect&pick=mayor&agent=mayor")
    page.until_text("#panel-inspect .note", "Mayor mayor")
    page.tab("feed")
    page.until("!location.search.includes('tab=')")
    assert {"step=22", "pick=mayor", "agent=mayor"} <= set(page.js("return location.search.slice(1)").split("&"))
    assert "token" not in page.driver.current_url
    page.driver.back()
    page.until("cave.hosts.inspect.hidden === false")


@pytest.mark.long(cases=0)
def test_keys_have_a_help_overlay(page):
    page.turn_to(RUN)
    page.press("?")
    page.until("document.querySelector('#help-box').open")
    page.until_text("#help-box dd", "fork from the shown step")
    page.shot("help")
    page.press("\ue00c")
    page.until("!document.querySelector('#help-box').open")
    for key, name in {"3": "inspect", "6": "measures", "f": "control"}.items():
        page.press(key)
        page.until(f"cave.hosts.{name}.hidden === false")
        page.js("document.activeElement.blur()")


@pytest.mark.long
def test_a_report_of_the_whole_run_is_one_click_away(page):
    page.turn_to(RUN)
    assert re.search(r"/download/report\.html$", page.find("#report").get_attribute("href"))


def test_what_stands_out_is_told_below_the_map_and_marks_the_shown_moment(page):
    page.turn_to(f"{RUN}?step=30")
    page.until("document.querySelector('#story [aria-current]')")
    told = page.js("return cave.story.items.map(({line, element: e}) => [line.seen, e.className, e.ariaCurrent])")
    assert [ahead == "ahead" for _, ahead, _ in told] == [step > 30 for step, _, _ in told]
    assert [step for step, _, current in told if current] == [max(step for step, _, _ in told if step <= 30)]
    page.js("document.querySelector('#story li:last-child button').click()")
    page.shows(told[-1][0])
    page.until("document.querySelector('#story li:last-child').ariaCurrent === 'step'")


@pytest.mark.long
def test_whoever_was_let_go_is_inspected_again(page):
    page.turn_to(f"{RUN}?step=30&tab=inspect&pick=mayor")
    page.until_text("#panel-inspect .note", "Mayor mayor")
    page.press("\ue00c")
    page.until("document.querySelectorAll('.cast button').length === cave.overview.movers.length")
    page.until_text(".cast .note", "working")
    page.enter("#pick", "mayor")
    page.until_text("#panel-inspect .note", "Mayor mayor")


@pytest.mark.long
def test_a_few_letters_find_who_is_meant_or_ask_which_one(page):
    page.turn_to(f"{RUN}?step=30&tab=inspect")
    page.enter("#pick", "e")
    page.until_text("#panel-inspect .note", "Which one?")
    asked = page.text("#panel-inspect .plain button")
    page.click("#panel-inspect .plain button")
    page.until_text("#panel-inspect h2", asked)
    name, title = page.js("return [cave.overview.movers[1].name, cave.overview.movers[1].title]")
    page.enter("#pick", title[:-1].upper())
    page.until_text("#panel-inspect .note code", name)
    page.enter("#pick", "zzz")
    page.until_text("#panel-inspect", "Nothing here is called “zzz”.")


@pytest.mark.long
def test_a_label_is_cut_by_its_width_and_no_letter_towers_over_the_line_above_it(page):
    page.turn_to(RUN)
    found = page.driver.execute_async_script("""
        const done = arguments[0];
        Promise.all(['figure', 'dom'].map((name) => import(`/web/${name}.js`))).then(([{ fitted }, { h }]) => done([
            fitted('Aatos', 120, 11.5),
            fitted('W'.repeat(30), 120, 11.5).length,
            h('p', {}, 'a' + '\\u0301'.repeat(300)).textContent.length,
        ]))""")
    assert found[0] == "Aatos"
    assert found[1] < 13
    assert found[2] == 5


@pytest.mark.long
def test_one_goes_back_from_tab_to_tab_and_forward_again(page):
    page.turn_to(f"{RUN}?step=30")
    for tab in ("measures", "relations"):
        page.tab(tab)
        page.until(f"location.search.includes('tab={tab}')")
    for way, tab in (("back", "measures"), ("back", ""), ("forward", "measures"), ("forward", "relations")):
        page.js(f"history.{way}()")
        page.until(f"(new URLSearchParams(location.search).get('tab') ?? '') === '{tab}'")
        page.until(f"document.querySelector('[role=tab][aria-selected=true]').id === 'tab-{tab or 'feed'}'")


def test_names_of_places_keep_clear_of_the_faces_of_those_who_are_there(page):
    page.turn_to(f"{RUN}?step=40")
    page.shows(40)
    page.until("cave.map.namedFor === cave.map.to && cave.map.named.length > 12")
    covered = """
    const { named, covers } = cave.map, faces = cave.map.faceBoxes();
    const apart = (a, b) => a[0] >= b[2] || a[2] <= b[0] || a[1] >= b[3] || a[3] <= b[1];
    return [faces.length, named.slice(covers.length).filter((name) => faces.some((face) => !apart(name, face))).length];
    """
    page.until(f"(() => {{ {covered} }})()[1] === 0")
    assert page.js(covered)[0] > 5


@pytest.mark.long(cases=0)
def test_somebody_in_the_graph_of_relations_is_chosen_by_keys(page):
    page.turn_to(f"{RUN}?step=30&tab=relations")
    page.until("document.querySelector('#graph-node')?.options.length > 3")
    chosen = page.js("return document.querySelector('#graph-node').options[2].value")
    page.choose("#graph-node", chosen)
    page.until("new URLSearchParams(location.search).get('pick')")
    assert page.js("return new URLSearchParams(location.search).get('pick')") == chosen
