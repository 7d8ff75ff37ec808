"""Plots of a study show what its table has: no band and no bar where there are no replicates."""

import pytest

from cave_sim.analysis.plots import plot_at_the_end, plot_differences, plot_over_time
from cave_sim.analysis.trials import Trials, bands, contrasts, estimates
from cave_sim.scenario import open_study
from tests.analysis.studies import write_study


@pytest.fixture
def trials(tmp_path):
    return Trials.read(write_study(tmp_path / "study"))


def test_each_measure_has_a_panel_with_a_band_and_a_line_for_each_condition(trials):
    figure = plot_over_time(trials)
    assert [note.text for note in figure.layout.annotations] == ["ever infected (people)", "mood"]
    bands = [trace for trace in figure.data if trace.fill == "toself"]
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert (len(bands), len(lines)) == (6, 6)
    assert {trace.name for trace in lines} == {"none", "mild", "strict"}
    assert max(bands[2].y) > max(lines[2].y) > min(bands[2].y)


def test_differences_are_those_of_the_table_with_their_intervals(trials):
    figure = plot_differences(trials, "ever")
    strict = next(trace for trace in figure.data if trace.name == "strict less none")
    gap = contrasts(trials).query("measure == 'ever' and arm == 'strict'").iloc[0]
    assert strict.x[0] == pytest.approx(gap["mean"])
    assert strict.x[0] + strict.error_x.array[0] == pytest.approx(gap["high"])


def test_every_trial_is_a_point(trials):
    figure = plot_at_the_end(trials, "ever")
    assert sorted(len(trace.x) for trace in figure.data) == [1, 1, 1, 6, 6, 6]


def test_one_seed_has_neither_band_nor_bar(tmp_path):
    trials = Trials.read(write_study(tmp_path / "study", seeds=1))
    assert not [trace for trace in plot_over_time(trials).data if trace.fill]
    assert not [trace for trace in plot_differences(trials).data if trace.error_x.array is not None]


def test_a_share_that_is_0_in_all_seeds_has_the_band_that_it_has_at_the_end(tmp_path):
    measures = {"ever": {"label": "ever infected", "unit": "people"}, "mood": {"label": "mood", "unit": "share"}}
    folder = write_study(tmp_path / "study", measures=measures)
    for table in (folder / "results").glob("*.csv"):
        table.write_text(table.read_text().replace(",0.5", ",0.0"))
    trials = Trials.read(folder)
    end, band = estimates(trials).query("measure == 'mood'").iloc[0], bands(trials, "mood")
    assert end["high"] > 0.3
    assert set(zip(band["low"], band["high"], strict=True)) == {(end["low"], end["high"])}


@pytest.mark.long
def test_a_study_draws_itself_and_shows_its_report_in_a_frame(tmp_path):
    study = open_study(write_study(tmp_path / "study"))
    assert len(study.plot("mood").layout.annotations) == 1
    assert 'sandbox="allow-scripts"' in study.show()._repr_html_()
