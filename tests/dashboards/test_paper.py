"""The page of a study reads as a short paper: by itself, on a phone and on a desk, in either theme, by everybody."""

import math
import re

import pandas as pd
import pytest

from cave_sim.analysis.report import write_report
from cave_sim.cli.main import main
from cave_sim.dashboards.paper.figures import WIDTH, at_the_end
from tests.analysis.studies import write_study
from tests.dashboards.browser import Page, shots_folder
from tests.dashboards.conftest import leave

LARGEST = 300_000
POINTS = [{"threshold": threshold, "place": place} for threshold in (1, 5, 20) for place in ("park", "school")]


@pytest.fixture
def paper(driver, tmp_path):
    """Return a function that opens the report of a study in a browser."""
    page = Page(driver, None, shots_folder())

    def opened(theme="light", **study):
        path = write_report(write_study(tmp_path / "study", **study))
        driver.get(f"{path.as_uri()}#{theme}")
        return page

    yield opened
    assert page.trouble() == []
    leave(driver)


def test_a_study_is_a_page_that_needs_nothing_else(tmp_path):
    path = write_report(write_study(tmp_path / "study", seeds=30, steps=200))
    text = path.read_text(encoding="utf-8")
    assert path.name == "report.html"
    assert len(text) < LARGEST
    assert not re.search(r"""(?:src|href)=["'](?!data:)|url\(|@import""", text)
    assert "strict &amp; all" not in text
    assert "everything closes &amp; &lt;all&gt; stay in" in text


def test_code_of_a_condition_stands_in_letters_of_one_width(tmp_path):
    cell = "for each in world.all(Place):\n    each.closed = each.size < 3"
    acts = [{"at": 3, "agent": "mayor", "cell": cell}, {"when": "town.money < 5", "cell": "town.money = 5"}]
    conditions = {"none": {}, "mild": {"about": "one <b>closes</b>", "interventions": acts}}
    text = write_report(write_study(tmp_path / "study", scenario={"conditions": conditions})).read_text(
        encoding="utf-8"
    )
    (told,) = re.findall(r"one &lt;b&gt;closes.*?</td>", text, re.DOTALL)
    code = [cell.replace("<", "&lt;"), "town.money &lt; 5", "town.money = 5"]
    assert re.findall(r"<code>(.*?)</code>", told, re.DOTALL) == code
    assert re.search(r"\bcode \{ font: [^}]*monospace", text)


def test_a_study_whose_words_would_turn_round_what_stands_behind_them_turns_nothing(tmp_path):
    study = write_study(tmp_path / "study", question="Who\u202e\u2066 is\x08 <b>asked</b>?", name="a\u202eb")
    text = write_report(study).read_text(encoding="utf-8")
    assert not set("\u202e\u2066\x08") & set(text)
    assert "Who is &lt;b&gt;asked&lt;/b&gt;?" in text


@pytest.mark.long(cases=0)
def test_it_reads_as_a_paper(paper):
    page = paper()
    assert page.text("h1") == "Closing places"
    assert page.text(".question") == "Does closing places help?"
    assert [each.text for each in page.all("h2")] == [
        "Method", "Result", "All numbers", "Threats to validity", "To make it again",
    ]  # fmt: skip
    assert "lower than under none: -1" in page.text("article")
    assert len(page.all("article .band")) == 6
    assert len(page.all("article .trial")) == 2 * 3 * 6
    heads = {each.text for each in page.all(".scroll:has(+ .note) th")}
    assert {"d_z", "variance ratio"} <= heads
    assert all(head in page.text(".scroll + .note") for head in ("p (Holm)", "d_z", "Cliff’s δ"))
    page.shot("paper")


@pytest.mark.long
def test_one_seed_draws_no_band_and_no_interval(paper):
    page = paper(seeds=1)
    assert not page.all(".band")
    assert not page.all(".reach")
    assert page.all(".mean")


@pytest.mark.long
def test_parameters_are_drawn_against_what_they_do(paper):
    page = paper(points=POINTS, theme="dark")
    captions = [each.text for each in page.all("figcaption")]
    assert "Against threshold, averaged over the rest" in captions
    assert "Against place, averaged over the rest" in captions
    assert "school" in page.text("article")
    page.shot("paper-dark")


@pytest.mark.long
@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_it_fits_its_screen(paper, size):
    page = paper(points=POINTS)
    page.size(size)
    page.until("document.documentElement.scrollWidth <= innerWidth")
    page.size("laptop")


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_read_it(paper, theme):
    page = paper(theme)
    assert page.barriers(("minor", "moderate", "serious", "critical")) == []


@pytest.mark.long
def test_runs_that_were_compared_have_such_a_page(finished_runs, tmp_path, capsys):
    path = tmp_path / "compare.html"
    runs = [str(finished_runs / name) for name in ("town-7", "town-8")]
    assert main(["compare", *runs, "--html", str(path)]) == 0
    assert f"page: {path}" in capsys.readouterr().out
    assert "town-7 (seed 7), town-8 (seed 8)" in path.read_text(encoding="utf-8")


def test_a_mean_without_trials_or_interval_lies_within_its_figure():
    means = pd.DataFrame(
        {"arm": ["none", "half", "most"], "mean": [0.0, 50.0, 60.0], "low": math.nan, "high": math.nan, "n": 1}
    )
    nobody = pd.DataFrame(columns=["arm", "value"], dtype=float)
    drawn = at_the_end(nobody, means, list(means["arm"]), "% of failed queries", (0.0, 100.0))
    places = [float(each) for each in re.findall(r'class="mean".*? cx="([^"]+)"', drawn)]
    assert places == sorted(places)
    assert len(set(places)) == 3
    assert max(places) < WIDTH
    assert ">100</text>" in drawn


LINES_OF = """
const cell = [...document.querySelectorAll("td")].find(each => each.textContent === arguments[0]);
const range = document.createRange();
range.selectNodeContents(cell);
return range.getClientRects().length;
"""


def test_the_name_of_a_condition_is_not_broken_in_two(paper):
    page = paper(scenario={"conditions": {"free": {}, "taxed_when_busy": {"about": "a long story " * 30}}})
    assert page.js(LINES_OF, "taxed_when_busy") == 1
