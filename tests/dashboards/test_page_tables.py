"""The pages of runs and of studies in a real browser: progress, results, search, and what is saved."""

import json

import pytest

from cave_sim.cli.main import main
from cave_sim.models.budget import Budget
from cave_sim.models.from_cli import SCRIPTED, ModelChoice
from cave_sim.replay.recipe import Recipe
from tests.dashboards.conftest import play


@pytest.fixture(scope="module")
def half_a_study(tmp_path_factory):
    """Return the folder of a study of two ways of acting, of which one was tried."""
    folder = tmp_path_factory.mktemp("studies") / "savings"
    plan = ["--groups", "shop", "--limit", "1", "--paradigms", "cave", "--quiet", "--out", str(folder)]
    assert main(["study", "token_efficiency", *plan]) == 0
    about = json.loads((folder / "study.json").read_text())
    (folder / "study.json").write_text(json.dumps(about | {"paradigms": ["cave", "json"]}))
    return folder


@pytest.fixture(scope="module")
def minded_run(tmp_path_factory):
    """Return the folder of a run whose residents asked a model, until what they might spend was spent."""
    folder = tmp_path_factory.mktemp("minds") / "minds"
    shape = {"seed": 7, "residents": 3}
    play(Recipe("town_day", shape, ModelChoice(SCRIPTED), Budget(calls=4)).make(folder, tags=["cheap", "first"]), 12)
    return folder


def at(page, path):
    page.driver.get(f"http://127.0.0.1:{page.dashboard.port}{path}?token={page.dashboard.token}")


def test_a_study_opens_with_its_progress_its_results_and_its_trials(watching, half_a_study):
    page = watching(half_a_study)
    at(page, "/")
    page.until("location.pathname === '/study'")
    page.until_text(".progress", "1 of 2 trials done, 1 passed")
    page.until_text("#studies td", "cave")
    page.until("document.querySelectorAll('#studies .bar').length === 4")
    page.until_text("td", "waiting")
    page.shot("study-half")


@pytest.mark.long
def test_a_trial_is_opened_as_the_run_that_it_is(watching, half_a_study):
    page = watching(half_a_study)
    at(page, "/study")
    page.until_text("#trials td a", "shopping")
    page.click("#trials td a")
    page.until("document.documentElement.dataset.ready === 'yes'")
    assert page.text("h1") == "Shopping (cave)"
    page.until_text(".stage", "Nothing in this world has a position")


@pytest.mark.long
def test_a_study_goes_on_before_one_s_eyes(watching, half_a_study):
    page = watching(half_a_study)
    at(page, "/study")
    page.until_text(".progress", "1 of 2")
    about = json.loads((half_a_study / "study.json").read_text())
    (half_a_study / "study.json").write_text(json.dumps(about | {"paradigms": ["cave"]}))
    page.until_text(".progress", "1 of 1")
    (half_a_study / "study.json").write_text(json.dumps(about))


@pytest.mark.long
def test_runs_are_found_by_any_of_their_words(page):
    at(page, "/runs")
    page.until_text("td", "village")
    page.write("#runs-search", "town-8")
    page.until("[...document.querySelectorAll('#runs td[data-key=run]')].map((e) => e.textContent).join() === 'town-8'")
    page.shot("runs-search")


@pytest.mark.long
def test_the_table_of_runs_is_saved_as_csv(page, tmp_path):
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    at(page, "/runs")
    page.until_text("td", "village")
    page.click("#runs-csv")
    for _ in range(200):
        if (tmp_path / "runs.csv").is_file():
            break
        page.driver.execute_async_script("setTimeout(arguments[0], 50)")
    head, *rows = (tmp_path / "runs.csv").read_text(encoding="utf-8-sig").splitlines()
    assert head.startswith('"Run","Status"')
    assert any(row.startswith('"town-7","finished"') for row in rows)


@pytest.mark.long
def test_a_folder_without_runs_says_how_to_make_one(watching, tmp_path):
    page = watching(tmp_path)
    at(page, "/runs")
    page.until_text(".empty", "Start one, or type cave-sim run town_day")


@pytest.mark.long
def test_tags_and_the_model_of_a_run_stand_in_the_table(watching, minded_run):
    page = watching(minded_run)
    at(page, "/runs")
    page.until_text("#runs [data-key=tags]", "cheap, first")
    page.until_text("#runs [data-key=model]", "scripted")


@pytest.mark.long
def test_what_models_took_stands_beside_what_they_may_take(watching, minded_run):
    page = watching(minded_run)
    page.open("/run/minds?tab=models")
    page.until_text("#model-health", "4 calls, no errors")
    page.until("document.querySelector('[aria-label=Budget] .bar').style.getPropertyValue('--share') === '1'")
    page.until_text("#panel-models li.error", "budget of run")
    page.until_text("#panel-models h3", "Who asked")
    page.shot("models")


@pytest.mark.long(cases=0)
def test_a_turn_shows_what_its_model_was_asked_and_said(watching, minded_run):
    page = watching(minded_run)
    page.open("/run/minds?tab=feed")
    page.until("document.querySelector('.turn .who')?.closest('ol').textContent.includes(cave.called('mayor'))")
    page.click(".turn .strong")
    page.click("details.call summary")
    page.until_text("details.call h4", "system")
    page.until_text("details.call h4", "reply")
    page.shot("turn-of-a-mind")
