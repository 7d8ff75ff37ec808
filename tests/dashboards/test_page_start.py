"""Runs and studies that are started from the page."""

import json

import pytest

from cave_sim import open_run
from cave_sim.dashboards.live import Dashboard
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from cave_sim.scenario import load_scenario
from tests.dashboards.asking import ask


def start(served, **wish):
    status, body, _ = ask(served, "/api/start", wish)
    return status, json.loads(body)


@pytest.fixture
def empty_folder(tmp_path):
    with Dashboard([tmp_path], port=0) as served:
        yield served


def test_what_a_simulation_takes_is_told_with_its_bounds(served):
    _, body, _ = ask(served, "/api/simulations?name=epidemic")
    told = {each["name"]: each for each in json.loads(body)["options"]}
    assert (told["catching"]["kind"], told["catching"]["low"], told["catching"]["high"]) == ("number", 0, 1)
    assert (told["first"]["kind"], told["first"]["low"], told["first"].get("high")) == ("whole", 1, None)
    assert told["residents"]["about"] == "how many people live there"
    assert (told["ill_h"]["label"], told["ill_h"]["unit"]) == ("Infectious for", "h")
    assert json.loads(body)["thinks"] is False


def test_every_option_of_ours_has_a_label_without_its_unit_and_the_unit_beside_it(served):
    _, body, _ = ask(served, "/api/simulations")
    for name in (each["name"] for each in json.loads(body)["simulations"]):
        for option in json.loads(ask(served, f"/api/simulations?name={name}")[1])["options"]:
            last = option["label"].rpartition(" ")[2]
            assert last not in ("s", "h", "m", "t", "c", "km", "cents"), (name, option["label"])
            assert option["name"].rpartition("_")[2] not in ("s", "h", "m", "t") or option["unit"], (name, option)


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"simulation": "os"}, "one of bargaining"),
        ({"simulation": "schelling", "options": {"wanted": 2}}, "a number from 0 to 1"),
        ({"simulation": "schelling", "options": {"colour": "red"}}, "no option 'colour'"),
        ({"simulation": "schelling", "options": ["wanted"]}, "an object"),
        ({"simulation": "schelling", "seed": -1}, "seed=-1"),
        ({"simulation": "schelling", "steps": True}, "steps=True"),
        ({"simulation": "schelling", "folder": "../elsewhere"}, "which is no path"),
        ({"simulation": "schelling", "seeds": 2, "vary": "wanted", "values": [0.5]}, "give 2 to 12"),
        ({"simulation": "schelling", "seeds": 2, "vary": "wanted", "values": [0.5, 3]}, "a number from 0 to 1"),
        ({"simulation": "schelling", "seeds": 2, "vary": "wanted", "values": [0.5, 0.5]}, "two of them are alike"),
        ({"simulation": "schelling", "seeds": 0}, "seeds=0"),
        ({"simulation": "schelling", "speed": "fast"}, "speed='fast'"),
        ({"simulation": "town_day", "model": ["scripted"]}, "model=['scripted']: a text"),
        ({"simulation": "town_day", "model": "scripted", "max_usd": -1}, "max_usd=-1"),
    ],
)
def test_what_does_not_fit_is_refused_in_words_and_starts_nothing(empty_folder, tmp_path, wish, why):
    status, told = start(empty_folder, **wish)
    assert (status, why in told["error"]) == (400, True)
    assert list(tmp_path.iterdir()) == []


def test_two_that_are_started_at_one_moment_have_folders_of_their_own(empty_folder, tmp_path):
    wish = {"simulation": "schelling", "steps": 1, "options": {"width": 4, "height": 4}}
    names = [start(empty_folder, **wish)[1]["run"] for _ in range(2)]
    assert names == ["schelling-7", "schelling-7-2"]
    assert [start(empty_folder, simulation="schelling", folder="schelling-7")[1]["run"]] == ["schelling-7-3"]


def steer_to_its_end(page):
    """Pause a run, have a cell from the console run in its next step, and stop it."""
    page.click("#run-pause")
    page.until_text("#run-state", "paused at step")
    page.write("#console-code", "print(6 * 7)")
    page.click("#console-submit")
    page.until_text("#run-state", "paused at step")
    page.click("#run-step")
    page.until_text("#console-log .answer", "42")
    page.click("#run-stop")
    page.until("document.querySelector('#status').dataset.state === 'finished'")


@pytest.mark.long
def test_a_run_is_started_from_the_page_and_watched(watching, tmp_path):
    page = watching(tmp_path)
    page.open("/runs")
    page.click('.empty a[href="/start"]')
    page.until("document.documentElement.dataset.ready && document.querySelector('#start-form h2')")
    assert page.js("return document.querySelector('h1').getBoundingClientRect().top") >= 0
    page.click('input[value="schelling"]')
    page.until("document.querySelector('#start-wanted')")
    page.write("#start-steps", "3")
    page.js("""const slider = document.querySelector('#start-wanted'); slider.value = 0.7;
               for (const kind of ['input', 'change']) slider.dispatchEvent(new Event(kind))""")
    assert page.text("[data-option=wanted] output") == "0.7"
    assert page.barriers() == []
    page.click("#start-run")
    page.until("location.pathname === '/run/schelling-7' && document.querySelector('#status')?.dataset.state")
    page.until("document.querySelector('#status').dataset.state === 'finished'")
    with open_run(tmp_path / "schelling-7") as run:
        assert run.manifest["create"] == {"seed": 7, "wanted": 0.7}


@pytest.mark.long
def test_a_start_that_fails_says_why_where_it_is_seen(watching, tmp_path):
    page = watching(tmp_path)
    page.open("/start?simulation=town_day")
    page.js("document.querySelector('#start-form [data-name=more]').open = true")
    page.write("#start-start", "tomorrow")
    page.click("#start-run")
    page.until_text("#notice", "is no date with a time; write it as")
    assert page.js("const seen = document.querySelector('#notice').getBoundingClientRect(); return seen.top >= 0")
    assert page.text("#notice").startswith("town_day-7 did not begin: start='tomorrow'")


RAISES = '''"""A well that dries up."""

from cave_sim import Agent, Entity, Simulation, World

STEPS = 9


class Person(Entity):
    mood: float = 0.5


class Glad(Agent):
    def act(self, observation):
        return "me.mood = me.mood / 2"


def create(seed=7, out=None, **kept):
    world = World(seed=seed)
    ann = world.add("ann", Person())

    @world.dynamics
    def dry_up(clock):
        if ann.mood < 0.1:
            raise ValueError("the well is <i>dry</i>")

    return Simulation(world, [(Glad, "ann")], out=out, **kept)
'''


@pytest.mark.long
def test_a_run_that_ends_with_an_error_says_which_on_its_page(watching, tmp_path):
    page = watching(tmp_path)
    (tmp_path / "well.py").write_text(RAISES)
    words = ["run", str(tmp_path / "well.py"), "--quiet", "--out", str(tmp_path / "runs" / "well"), "--watch=lines"]
    page.dashboard.endpoints.processes.start(tmp_path / "runs" / "well", words, steered=True)
    page.open("/start")
    page.until("document.querySelector('#started [data-state=failed]')")
    page.open("/run/well")
    page.until_text("#notice", "it ended with an error")
    assert "the well is <i>dry</i>" in page.text("#notice")
    assert "cave-sim resume goes on with it once that is mended" in page.text("#notice")
    assert page.text("#status").startswith("stopped")


@pytest.mark.long
def test_it_goes_to_a_run_only_when_that_can_be_read(watching, tmp_path):
    page = watching(tmp_path)
    page.open("/start?simulation=schelling")
    page.until("document.querySelector('#start-wanted')")
    page.write("#start-steps", "3")
    page.js("""const usual = window.fetch;
               window.heard = 0;
               window.fetch = async (address, ...more) => {
                 const answer = await usual(address, ...more);
                 if (!String(address).includes('/api/tree') || window.readable) return answer;
                 const tree = await answer.json();
                 for (const branch of tree.branches) Object.assign(branch, { error: 'not begun' });
                 window.heard += tree.branches.length;
                 return new Response(JSON.stringify(tree), { headers: { 'Content-Type': 'application/json' } });
               }""")
    page.click("#start-run")
    page.until("window.heard > 2")
    assert page.js("return location.pathname") == "/start"
    page.js("window.readable = true")
    page.until("location.pathname === '/run/schelling-7'")


def test_what_cannot_be_started_says_why_on_the_form(watching, tmp_path):
    page = watching(tmp_path)
    page.open("/start?simulation=schelling")
    page.until("document.querySelector('#start-wanted')")
    page.choose("#start-vary", "wanted")
    page.write("#start-values", "0.5")
    page.click("#start-study")
    page.until_text("#notice", "give 2 to 12")
    assert list(tmp_path.iterdir()) == []
    page.shot("start-refused")
    page.leave_refused(400)


@pytest.mark.long(cases=0)
def test_a_run_with_minds_is_started_from_the_page_and_steered_there(watching, tmp_path):
    page = watching(tmp_path)
    page.open("/start?simulation=town_day")
    assert page.text('label[for="start-step_s"]') == "Length of a step (s)"
    page.write("#start-residents", "1")
    page.click("#start-form details[data-name=minds] summary")
    page.write("#start-model", "scripted")
    page.choose("#start-speed", "1")
    assert page.barriers() == []
    page.click("#start-run")
    page.until("location.pathname === '/run/town_day-7' && document.querySelector('#status')?.dataset.state")
    page.tab("control")
    steer_to_its_end(page)
    with open_run(tmp_path / "town_day-7") as run:
        assert run.manifest["create"] == {"seed": 7, "residents": 1}
        assert run.manifest["model"]["name"] == "scripted"


@pytest.mark.long
def test_a_fork_is_steered_on_its_page_as_a_run_that_was_started_there(watching, tmp_path):
    town = Recipe("town_day", {"seed": 7, "residents": 1}, model=ModelChoice("scripted")).make(tmp_path / "town")
    town.run(until=2).close()
    page = watching(tmp_path)
    page.open("/run/town?step=2&tab=control")
    page.choose("#fork-speed", "1")
    page.click("#fork [data-name=minds] summary")
    page.write("#fork-model", "scripted")
    page.write("#fork-max_calls", "500")
    page.click("#fork-go")
    page.until_text("#fork-said a", "Watch it")
    page.open("/run/town-fork2?tab=control")
    steer_to_its_end(page)
    with open_run(tmp_path / "town-fork2") as run:
        assert run.manifest["limits"]["calls"] == 500


@pytest.mark.long(cases=0)
def test_a_study_is_started_from_the_page_and_its_results_appear(watching, tmp_path):
    page = watching(tmp_path)
    page.open("/start?simulation=schelling")
    page.write("#start-steps", "2")
    page.write("#start-seeds", "2")
    page.choose("#start-vary", "wanted")
    page.write("#start-values", "0.2, 0.6")
    page.click("#start-study")
    page.until("location.pathname === '/study'")
    page.until_text("#studies", "4 of 4 trials done")
    page.until_text("#studies", "Difference from wanted_0_2")
    page.until_text("#studies", "like neighbours")
    scenario = load_scenario(tmp_path / "study-schelling.yaml")
    assert [each.options["wanted"] for each in scenario.conditions.values()] == [0.2, 0.6]


@pytest.mark.long
def test_a_value_with_bounds_is_set_with_a_slider_as_an_act_of_the_operator(live_page, live, tmp_path):
    live_page.open("/run/town?tab=inspect&pick=mayor")
    live.control.step()
    live_page.until_text("#panel-inspect .head", "06:10")
    live_page.until("document.querySelector('.set input[aria-label^=\"Set mood\"]')")
    live_page.js("""const slider = document.querySelector('.set input[aria-label^="Set mood"]'); slider.value = 0.25;
                    slider.dispatchEvent(new Event('change'))""")
    live_page.until_text(".set", "0.25 from the next step on")
    live.control.step()
    live_page.until("document.querySelector('#status') && cave.last >= 2")
    with open_run(tmp_path / "town") as run:
        acts = [(turn.code, turn.status) for turn in run.turns() if (turn.agent, turn.kind) == ("operator", "cell")]
    assert acts == [('world["mayor"].mood = 0.25', "committed")]
