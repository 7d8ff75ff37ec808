"""How a town spends its hours, beside a table with sources; and what is no such table."""

import pandas as pd
import pytest

from cave_sim import WorldError, open_run
from cave_sim.simulations import town_day
from cave_sim.simulations.town_day.time_use import comparison_text, distances, read_table, shares

HEAD = "hour,activity,share,source,days\n"


@pytest.fixture(scope="module")
def friday(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "town"
    town_day.create(seed=7, residents=6, step_s=1800, out=folder).run(until=20).close()
    with open_run(folder) as run:
        yield run


def table(tmp_path, rows):
    path = tmp_path / "table.csv"
    path.write_text(HEAD + rows)
    return path


def test_shares_are_of_everybody_in_each_hour(friday):
    found = shares(friday)
    assert list(found.index) == list(range(6, 17))
    assert found.sum(axis="columns").tolist() == pytest.approx([1.0] * len(found))
    assert found.loc[6, "sleeping"] > found.loc[12].get("sleeping", 0)


def test_a_town_is_at_no_distance_from_itself_and_at_the_largest_from_what_nobody_does(friday, tmp_path):
    ours = shares(friday)
    rows = "".join(f"{hour},{what},{share},own count,weekday\n" for (hour, what), share in ours.stack().items())
    assert distances(ours, read_table(table(tmp_path, rows))).max() == pytest.approx(0, abs=1e-9)
    flying = read_table(table(tmp_path, "9,flying,1.0,nobody,weekday\n"))
    assert distances(ours, flying).tolist() == [1.0]


def test_what_no_row_names_is_something_else():
    ours = pd.DataFrame({"sleeping": [0.5], "eating": [0.2], "working": [0.3]}, index=[8])
    published = pd.DataFrame({"sleeping": [0.6]}, index=[8])
    assert distances(ours, published).loc[8] == pytest.approx(0.1)  # a tenth of all would have to sleep


def test_activities_that_a_table_takes_together_are_added_up():
    ours = pd.DataFrame({"eating": [0.2], "drinking": [0.1], "working": [0.7]}, index=[12])
    published = pd.DataFrame({"eating + drinking": [0.3], "working": [0.5]}, index=[12])
    assert distances(ours, published).loc[12] == pytest.approx(0.2)


def test_the_comparison_names_its_source_and_its_distance(friday, tmp_path):
    rows = "7,sleeping,0.4,A survey of 2009,weekday\n7,working,0.1,A survey of 2009,weekday\n"
    text = comparison_text(friday, table(tmp_path, rows))
    assert "source: A survey of 2009" in text
    assert "mean distance 0." in text
    assert "over 1 hour" in text


def test_a_table_of_all_days_is_said_to_be_one(friday, tmp_path):
    path = tmp_path / "all.csv"
    path.write_text("hour,activity,share,source\n7,sleeping,0.4,A survey of 2009\n")
    assert read_table(path).attrs == {"sources": ["A survey of 2009"], "days": "all"}
    assert "over 1 hour, weekday days beside all days" in comparison_text(friday, path, "weekday")


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("7,eating + drinking,0.1,a,weekday\n7,drinking,0.1,a,weekday\n", "names 'drinking' by itself and with others"),
        ("7,sleeping,0.4,,weekday\n", "line 2: a figure without a source"),
        ("7,sleeping,0.4,a,weekday\n24,sleeping,0.4,a,weekday\n", "line 3: hour from 0 to 23"),
        ("7,sleeping,40,a,weekday\n", "share from 0 to 1"),
        ("7,sleeping,0.7,a,weekday\n7,working,0.7,a,weekday\n", "come to more than 1"),
        ("", "says nothing"),
    ],
)
def test_what_is_no_table_is_told_by_its_line(tmp_path, rows, why):
    with pytest.raises(WorldError, match=why):
        read_table(table(tmp_path, rows))


def test_a_file_without_the_columns_and_one_that_is_not_there_are_told(tmp_path):
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(WorldError, match="no column 'hour'"):
        read_table(tmp_path / "other.csv")
    with pytest.raises(WorldError, match="cannot be read"):
        read_table(tmp_path / "nowhere.csv")


def test_a_run_without_a_weekend_has_none_to_compare(friday):
    with pytest.raises(WorldError, match="no such day"):
        shares(friday, "weekend")
