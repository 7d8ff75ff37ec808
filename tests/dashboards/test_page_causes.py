"""A click on a value, and why it is what it is: causes beside the fact, by a process of its own that can be stopped."""

import json
import shutil
import time

import pytest

from cave_sim import open_run
from cave_sim.dashboards import write_report
from cave_sim.dashboards.live import Dashboard
from tests.dashboards.asking import ask
from tests.dashboards.browser import Page, shots_folder
from tests.dashboards.conftest import leave


@pytest.fixture(scope="module")
def day(lived, tmp_path_factory):
    """Return a dashboard over the first steps of a small town, in a folder that results can be kept beside."""
    folder = shutil.copytree(lived("town_day"), tmp_path_factory.mktemp("why") / "town_day")
    with Dashboard([folder], port=0) as served:
        yield served


def why(day, wish=None, **query):
    words = "&".join(f"{name}={value}" for name, value in query.items())
    status, body, _ = ask(day, f"/api/run/town_day/why?{words}", wish)
    return status, json.loads(body)


def test_nothing_is_asked_before_somebody_asks_and_texts_are_asked_as_conditions(day):
    status, told = why(day, target="mayor.energy", step=3, among="agents")
    assert (status, told["status"], told["question"]) == (200, "none", "mayor.energy")
    assert told["command"].endswith("mayor.energy --among agents --at 3")
    assert why(day, target="mayor.activity", step=3)[1]["question"] == "mayor.activity == 'resting'"
    assert why(day, target="town.announcements", step=3)[1]["question"] == "len(town.announcements)"
    assert why(day, target="mayor.destination", step=3)[1]["question"] == "mayor.destination is None"
    home = why(day, target="mayor.home", step=3)[1]["question"]
    assert home.startswith("mayor.home == world[")


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"target": "mayor.shoes", "step": 3}, "no field 'shoes'"),
        ({"target": "mayor.energy", "step": 0}, "1 or later"),
        ({"target": "mayor.energy", "step": True}, "1 or later"),
        ({"target": "mayor.energy", "step": 10**9}, "step"),
        ({"target": "mayor.energy", "step": 3, "forks": 10**9}, "allow 1 to 500"),
        ({"target": "mayor.energy", "step": 3, "among": "dreams"}, "among turns, agents"),
        ({"target": "--help", "step": 3}, "condition"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_line(day, wish, told):
    status, body = why(day, {"do": "start", **wish})
    assert status in (400, 404)
    assert told in body["error"]


def test_whoever_may_only_look_starts_nothing(day):
    wish = {"do": "start", "target": "mayor.energy", "step": 3}
    assert ask(day, "/api/run/town_day/why", wish, token="wrong")[0] == 403
    assert why(day, target="mayor.energy", step=3)[1]["status"] == "none"


@pytest.mark.long
def test_a_question_is_answered_by_a_process_of_its_own_beside_the_fact(day):
    wish = {"target": "len(town.announcements)", "step": 12, "among": "agents", "forks": 1}
    told = why(day, {"do": "start", **wish})[1]
    while told["status"] == "running":
        time.sleep(0.05)
        told = why(day, target="len(town.announcements)", step=12, among="agents")[1]
    assert (told["status"], told["trouble"], told["tried"]) == ("finished", "", 1)
    (cause,) = told["found"]["causes"]
    assert (cause["agent"], cause["effect"]) == ("mayor", 1)
    assert [step for step, _ in told["found"]["trace"]] == list(range(13))
    assert [value for _, value in cause["trace"]] == [0] * len(cause["trace"])
    assert told["found"]["trace"][-1] == [12, 1]


@pytest.mark.long
def test_a_click_on_why_ranks_causes_each_beside_the_fact(driver, dashboard):
    page = Page(driver, dashboard, shots_folder())
    page.open("/run/town-7?step=20&tab=inspect&pick=mayor")
    page.until_text(".fields th", "energy")
    page.js("[...document.querySelectorAll('.fields th .link')].find((e) => e.textContent === 'energy').click()")
    page.until_text("#panel-blame h2", "mayor.energy")
    page.choose("#why-among", "agents")
    page.click("#why-go")
    page.until("document.querySelector('#why').dataset.status === 'finished'")
    page.click(".causes .link")
    page.until("document.querySelectorAll('.trace svg.lines path').length >= 2")
    page.shot("why")
    assert page.barriers() == []
    page.js("cave.inspect('mayor')")
    page.open("/run/town-7?step=21&tab=blame&target=mayor.energy")
    page.until("document.querySelector('#why').dataset.status === 'none'")
    page.choose("#why-among", "turns")
    page.click("#why-go")
    page.click("#why-stop")
    page.until("['stopped', 'finished'].includes(document.querySelector('#why').dataset.status)")
    assert page.trouble() == []
    leave(driver)


@pytest.mark.long
def test_a_saved_page_says_how_to_ask(driver, day, tmp_path):
    page = Page(driver, None, shots_folder())
    with open_run(day.endpoints.index.reader("town_day").folder) as run:
        path = write_report(run, tmp_path / "saved.html")
    driver.get(f"{path.as_uri()}#step=18&tab=blame&target=mayor.energy")
    page.until_text("#why", "cave-sim why")
    page.until_text("#why code", "mayor.energy --at 18")
    assert page.all("#why button") == []
    assert page.trouble() == []
    leave(driver)
