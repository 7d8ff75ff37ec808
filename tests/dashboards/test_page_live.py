"""A live run in a real browser: watched, steered, and lost and found again."""

import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial

import pytest
from selenium.webdriver.common.keys import Keys

from cave_sim import JournalError, open_run
from cave_sim.dashboards.live import Dashboard
from tests.dashboards.browser import Page, shots_folder
from tests.dashboards.conftest import Live, leave

MAYOR = "return cave.overview.movers.find(({ name }) => name === 'mayor').title"


def state(page, word):
    page.until(f"document.documentElement.dataset.state === '{word}'")


def test_a_paused_run_is_stepped_played_and_stopped(live_page):
    page = live_page
    state(page, "paused")
    page.tab("control")
    page.click("#run-step")
    page.shows(1)
    page.choose("#run-speed", "6")
    page.click("#run-play")
    page.until("cave.last > 4")
    page.click("#run-pause")
    state(page, "paused")
    page.until("document.activeElement.id === 'run-play'")  # whoever goes by keys is at the button that there is now
    page.shot("live-control")
    page.find("#run-stop").send_keys(Keys.ENTER)
    state(page, "finished")
    page.until_text("#run-state", "over at step")
    page.until("document.activeElement.id === 'panel-control'")


@pytest.mark.long
def test_a_key_that_is_held_or_struck_twice_on_pause_does_not_play_on(live_page):
    page = live_page
    page.tab("control")
    page.choose("#run-speed", "6")
    page.find("#run-play").send_keys(Keys.ENTER)
    state(page, "live")
    key = {"type": "keyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}
    press = partial(page.driver.execute_cdp_cmd, "Input.dispatchKeyEvent")
    page.js(
        "const { control } = cave.panels, asked = control.wish; window.wishes = [];"
        " control.wish = (wish) => { wishes.push(wish.do); return asked.call(control, wish); }"
    )
    page.until("document.activeElement.id === 'run-pause'")
    page.js("cave.panels.control.movedAt -= 60_000")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.until("document.activeElement.id === 'run-play'")
    page.js("cave.panels.control.movedAt = performance.now() + 60_000")
    press(key | {"text": "\r"})  # the second of two
    press({**key, "type": "keyUp"})
    page.js("cave.panels.control.movedAt -= 120_000")
    press(key | {"text": "\r", "autoRepeat": True})  # one that is held
    press({**key, "type": "keyUp"})
    assert page.js("return wishes") == ["pause"]
    press(key | {"text": "\r"})
    press({**key, "type": "keyUp"})
    page.until("window.wishes.join(' ') === 'pause play'")


@pytest.mark.long
def test_keys_steer_the_run(live_page, live):
    live.control.set_speed(6)
    live_page.press("s")
    live_page.shows(1)
    live_page.press("p")
    live_page.until("cave.last > 3")
    live_page.press("p")
    state(live_page, "paused")


@pytest.mark.long
def test_a_cell_from_the_console_is_a_turn_of_the_operator(live_page, live):
    page = live_page
    page.tab("control")
    page.write("#console-code", "town.announcements.append('Free soup at noon')")
    page.click("#console-submit")
    page.click("#run-step")
    page.shows(1)
    page.until_text("#console-log", "committed")
    page.tab("feed")
    page.until_text(".turn .who", "Operator announces: “Free soup at noon”")
    page.until_text(".turn code", "Free soup at noon")
    page.until("cave.timeline.marks().some(({ kind }) => kind === 'operator')")
    page.js("document.activeElement.blur()")
    page.press("\ue011")
    page.shows(0)
    page.press("]")
    page.shows(1)


@pytest.mark.long
def test_the_console_completes_names_and_brings_back_what_was_submitted(live_page):
    page = live_page
    page.tab("control")
    code = page.find("#console-code")

    def completed(text):
        code.clear()
        code.send_keys(text, Keys.TAB)
        return code.get_attribute("value")

    assert completed("weather.pre") == "weather.precipitation_mm"
    assert completed("x = town.tr") == "x = town.treasury_cents"
    assert completed("weather.t") == "weather.t"
    assert page.text("#console-offered") == "temperature_c turn"
    assert completed("weathe") == "weather"
    assert completed("len(weather.kind).a") == "len(weather.kind).a"  # nothing is known of it: Tab leads on
    assert page.js("return document.activeElement.id") != "console-code"
    page.write("#console-code", "print(6 * 7)")
    page.click("#console-submit")
    page.until("!document.querySelector('#console-code').value")
    code.send_keys(Keys.ARROW_UP)
    assert code.get_attribute("value") == "print(6 * 7)"


@pytest.mark.long
def test_the_console_says_what_came_of_a_cell(live_page):
    page = live_page
    page.tab("control")
    page.write("#console-code", "weather.kind = 'stormy'")
    page.click("#console-submit")
    page.until_text("#console-log", "waits for the next step: the run is paused")
    page.click("#run-step")
    page.until_text("#console-log", "SchemaError: weather.kind")
    page.write("#console-code", "town.title")
    page.click("#console-submit")
    page.click("#run-step")
    page.until_text("#console-log", "'Helsinki centre'")
    page.write("#console-code", "town.title  # \u202e")  # a sign that no page is told
    page.click("#console-submit")
    page.click("#run-step")
    page.until_text("#console-log", "U+202E")


@pytest.mark.long
def test_what_was_asked_of_a_running_town_stays_while_it_goes_on(live_page):
    page = live_page
    page.press("s")
    page.shows(1)
    page.js("cave.blame('town', 'title')")
    page.click("#why-go")
    page.until_text("#why-found", "at step 1")
    page.press("s")
    page.shows(2)
    page.until_text("#why-found", "at step 1")
    page.until("document.querySelector('#why').dataset.status !== 'running'")
    assert "at step 1" in page.text("#why-found")


@pytest.mark.long
def test_one_button_plays_and_pauses_the_run_at_its_live_edge(live_page):
    page = live_page
    page.tab("control")
    page.choose("#run-speed", "6")
    page.until("document.querySelector('#play').title.startsWith('Play the run')")
    page.click("#play")
    page.until("cave.last > 2 && document.querySelector('#play').title.startsWith('Pause the run')")
    page.click("#play")
    state(page, "paused")
    page.press("\ue011")
    page.until("document.querySelector('#play').title.startsWith('Play history')")


@pytest.mark.long
def test_the_mayor_acts_through_the_console_under_the_mayor_s_rules(live_page):
    page = live_page
    page.tab("control")
    page.until("document.querySelector('#console-agent')")
    page.click("#run-step")
    page.shows(1)
    page.js("const who = document.querySelector('#console-agent'); who.add(new Option('mayor')); who.value = 'mayor'")
    page.write("#console-code", "import os")
    page.click("#console-submit")
    page.click("#run-step")
    page.shows(2)
    page.tab("feed")
    page.until_text(".turn .badge", "blocked")


@pytest.mark.long
def test_a_watch_point_pauses_the_run(live_page):
    page = live_page
    page.tab("control")
    page.enter("#watch-point", "weather.temperature_c > 60")
    page.write("#watch-point", "len(town.announcements) > 0")
    page.click("#watch-add")
    page.until_text("#panel-control li code", "announcements")
    page.choose("#run-speed", "6")
    page.click("#run-play")
    page.until("cave.last > 1")
    page.write("#console-code", "town.announcements.append('Stop here')")
    page.click("#console-submit")
    state(page, "paused")
    page.until_text("#panel-control li", "watch reached")


@pytest.mark.long
def test_a_condition_that_cannot_be_read_or_asked_is_refused_in_words(live_page):
    live_page.tab("control")
    live_page.write("#watch-point", "import os")
    live_page.click("#watch-add")
    live_page.until_text("#notice", "must be one expression")
    live_page.write("#watch-point", "town.shoes > 3")
    live_page.click("#watch-add")
    live_page.until_text("#notice", "town has no field 'shoes'")
    assert not live_page.all("#panel-control li")
    assert any("400" in complaint for complaint in live_page.trouble())


@pytest.mark.long
def test_the_past_is_looked_at_while_the_run_goes_on(live_page, live):
    page = live_page
    live.control.set_speed(20)
    live.control.play()
    page.until("cave.last > 6")
    page.press("\ue011")
    page.shows(0)
    page.until("cave.last > 12")
    assert page.step == 0
    page.press("l")
    page.until("Number(document.querySelector('.stage').dataset.step) > 12")


@pytest.mark.long
def test_two_browsers_watch_at_once(live_page, live):
    page, first = live_page, live_page.driver.current_window_handle
    page.driver.switch_to.new_window("window")
    try:
        page.open("/run/town")
        page.press("s")
        page.shows(1)
    finally:
        page.driver.close()
        page.driver.switch_to.window(first)
    page.shows(1)


SLOW = """
const frame = requestAnimationFrame;
window.requestAnimationFrame = (draw) => setTimeout(() => frame(draw), 250);
"""


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("live", [(60,)], indirect=True, ids=["60 steps"])
def test_a_slow_page_skips_frames_and_catches_up(live_page, live):
    page = live_page
    page.js(SLOW)
    live.control.set_speed(25)
    live.control.play()
    page.until("cave.connection.state === 'finished' && Number(document.querySelector('.stage').dataset.step) === 60")


@pytest.mark.long
def test_a_new_server_is_found_and_the_view_is_kept(driver, tmp_path):
    town = Live(tmp_path / "town")
    page = Page(driver, town.dashboard, shots_folder())
    page.open("/run/town?tab=inspect&pick=mayor")
    page.press("s")
    page.shows(1)
    port = town.dashboard.port
    town.end()
    state(page, "no connection")
    page.until_text("#notice", "connects again by itself")
    page.until_text(".stage .adrift", "this is what was loaded")
    page.until_text(".side .adrift", f"was read at {page.text('.clock b')}")
    page.js("cave.frames.recent.clear(); cave.frames.chunks.clear()")
    page.press("\ue012")  # left, to where nothing was loaded
    page.until_text(".stage .adrift", "was not loaded; all stands as before")
    page.until_text(".side .adrift", "was read at")
    page.until("cave.map.said.length === 0")
    page.shot("lost")
    page.until_text("#panel-inspect h2", page.js(MAYOR))
    with Dashboard([tmp_path / "town"], port=port, token=town.dashboard.token):
        state(page, "finished")
        page.until("document.querySelector('#notice').hidden && !document.querySelector('.adrift')")
        page.shows(0)
        page.until_text("#panel-inspect h2", page.js(MAYOR))
        leave(driver)
    page.trouble()


@pytest.mark.long
def test_a_new_server_with_another_token_says_what_to_do_and_the_page_goes_on(driver, tmp_path):
    town = Live(tmp_path / "town")
    page = Page(driver, town.dashboard, shots_folder())
    page.open("/run/town")
    port = town.dashboard.port
    town.end()
    state(page, "no connection")
    with Dashboard([tmp_path / "town"], port=port, token="another-token"):
        page.until_text("#notice", "Open the address that cave-sim printed")
        page.js("fetch('/?token=another-token')")  # what opening it in another tab leaves behind: the cookie
        state(page, "finished")
        page.until("document.querySelector('#notice').hidden")
        leave(driver)


@pytest.mark.long
def test_a_run_that_vanishes_and_comes_again_is_followed(driver, live, tmp_path):
    page = Page(driver, live.dashboard, shots_folder())
    page.open("/run/town")
    live.control.stop()
    state(page, "finished")
    (tmp_path / "town").rename(tmp_path / "elsewhere")
    state(page, "gone")
    page.until_text("#notice", "The run is gone")
    page.until_text("#notice", "Put its folder back")
    (tmp_path / "elsewhere").rename(tmp_path / "town")
    state(page, "finished")
    page.until("document.querySelector('#notice').hidden")
    leave(driver)
    page.trouble()


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="kills a process")
def test_a_killed_run_keeps_what_was_committed(driver, tmp_path):
    out = tmp_path / "town"
    shape = ["--residents", "4", "--steps", "1000", "--speed", "6", "--quiet", "--out", str(out)]
    command = [sys.executable, "-m", "cave_sim", "run", "town_day", *shape]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        with suppress(JournalError), open_run(out):  # there is a file before there is anything in it
            break
    with Dashboard([out], port=0) as dashboard:
        page = Page(driver, dashboard, shots_folder())
        page.open("/run/town")
        page.until("cave.last > 5")
        process.send_signal(signal.SIGKILL)
        process.wait()
        state(page, "stopped")
        page.until_text("#notice", "What was committed is here")
        assert page.step == page.js("return cave.last")
        resumed = [sys.executable, "-m", "cave_sim", "resume", str(out), "--quiet", "--steps", str(page.step + 4)]
        subprocess.run(resumed, check=True, stdout=subprocess.DEVNULL)
        state(page, "finished")
        leave(driver)
    assert page.trouble() == []
    shutil.rmtree(out)


@pytest.mark.long
def test_a_line_that_hangs_is_told_and_a_step_that_takes_long_is_told_apart_from_it(live_page):
    page = live_page
    page.js(
        "const line = cave.connection; line.live = { ...line.live, paused: false }; line.grownAt -= 45_000; line.beat()"
    )
    page.until_text("#status", "live, step 1 for 40 s")
    page.js("cave.connection.line.heard -= 20_000; cave.connection.line.look()")
    state(page, "no connection")
    page.until_text("#notice", "The server has said nothing for 20 s: it hangs, or the network does.")
    page.until("document.querySelectorAll('.adrift').length === 2")
    page.js("cave.connection.line.socket.onmessage({ data: '{}' })")
    page.until("document.querySelectorAll('.adrift').length === 0 && !document.querySelector('#notice').textContent")
    state(page, "live")
    page.js(
        "cave.connection.line.heard -= 20_000; cave.connection.line.look();"
        " document.querySelector('.adrift button').click()"
    )
    state(page, "paused")  # another line is told anew how the run is
