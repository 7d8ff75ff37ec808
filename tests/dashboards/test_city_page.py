"""A city of districts as one view: everybody on one map, the crowd as density, each district a page of its own."""

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.dashboards import write_report
from cave_sim.dashboards.live import Dashboard
from cave_sim.dashboards.live.forks import branches
from cave_sim.dashboards.live.run_index import RunIndex, run_row
from cave_sim.dashboards.live.study_answers import settings_of
from cave_sim.dashboards.lookups.crowd import crowd
from cave_sim.dashboards.lookups.entities import entity
from cave_sim.dashboards.lookups.frames import NOWHERE, packed
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.news import news, passed_on
from cave_sim.dashboards.lookups.overview import overview
from cave_sim.dashboards.lookups.time_strip import timeline
from cave_sim.dashboards.lookups.turns import feed, outstanding
from cave_sim.dashboards.report.kept_talk import kept_talk
from cave_sim.simulations import city_day
from tests.dashboards.browser import Page, shots_folder
from tests.dashboards.conftest import leave

RESIDENTS, CROWD, STEPS = 6, 300, 4
TALKS_BY = 16


@pytest.fixture(scope="module")
def city(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cities") / "city"
    simulation = city_day.create(seed=7, residents=RESIDENTS, crowd=CROWD, districts=2, out=folder)
    simulation.run(until=STEPS)
    simulation.close()
    return folder


@pytest.fixture
def reader(city):
    found = JournalReader("city", city)
    yield found
    found.shut()


@pytest.mark.long
def test_everybody_of_all_districts_is_on_one_map(reader):
    told = overview(reader)
    assert told["drawn"]
    assert told["districts"] == ["district-0", "district-1"]
    assert len(told["movers"]) == RESIDENTS
    for scene in reader.timeline.scenes(0, STEPS):
        where, states = packed(reader.timeline, scene)
        assert (where != NOWHERE).all()
        assert {told["words"][code] for code in states} <= {
            "resting",
            "sleeping",
            "walking",
            "working",
            "eating",
            "waiting",
        }


@pytest.mark.long
def test_who_told_whom_in_any_district_is_news_of_the_city(tmp_path):
    city_day.create(seed=7, residents=60, crowd=10, districts=3, out=tmp_path / "city").run(until=TALKS_BY).close()
    reader = JournalReader("city", tmp_path / "city")
    said = [contact for _, run in reader.acting for contact in passed_on(run)]
    assert len({folder for folder, run in reader.acting if passed_on(run)}) > 1, "they meet in one district alone"
    tree = news(reader, "Good day", "", TALKS_BY)["tree"]
    assert {row["name"] for row in tree} == {each.source for each in said} | {each.target for each in said}
    assert all(row["turn"] is None for row in tree)  # it would be a turn of one district or the other
    heard = next(row["text"] for row in tree if row["parent"])
    assert heard.startswith("Good day, ")
    assert "_" not in heard
    kept = kept_talk(reader)["talk"]
    assert len(kept["contacts"]) == len(said)
    reader.shut()


@pytest.mark.long(cases=0)
def test_the_crowd_is_counted_where_it_stands(reader):
    early, late = crowd(reader, 0), crowd(reader, STEPS)
    assert sum(many for _, _, many in late["spots"]) <= late["people"] <= CROWD
    assert late["people"] > 0.5 * CROWD
    assert early["spots"] != late["spots"]


def test_whoever_lives_in_a_district_is_inspected_in_the_city(reader):
    name = overview(reader)["movers"][0]["name"]
    assert entity(reader, name, STEPS)["type"] == "Citizen"


def test_a_city_that_is_named_itself_opens_as_one_view_with_its_districts(driver, city):
    with Dashboard([city], port=0) as served:
        page = Page(driver, served, shots_folder())
        page.open("/")
        page.shows(STEPS)
        page.until_text(".stage .city", "a crowd of")
        page.until("cave.map.density.length > 10")
        assert page.js("return [...cave.map.spots].filter(Number.isFinite).length") == 2 * RESIDENTS
        page.shot("city")
        page.click(".stage .city a")
        page.until("location.pathname === '/run/city/district-0' && document.documentElement.dataset.ready === 'yes'")
        assert page.trouble() == []
        leave(driver)


def test_districts_stand_below_their_city_among_the_branches(city):
    index = RunIndex([city.parent])
    rows = {row["run"]: row for row in branches(index.listed())}
    assert [rows[name]["within"] for name in ("city", "city/district-0", "city/district-1")] == [None, "city", "city"]
    assert rows["city/district-0"]["title"] == "City day, district"
    assert all(row["parent"] is None for row in rows.values())  # nobody forked them


@pytest.mark.long
def test_the_turns_of_a_city_are_those_of_its_districts(city):
    rows = {row["run"]: row for row in map(run_row, RunIndex([city]).listed())}
    districts = [row for name, row in rows.items() if name != city.name]
    assert rows[city.name]["turns"] == sum(row["turns"] for row in districts) > 0


def test_runs_are_grouped_by_their_settings_in_words(city):
    rows = settings_of(RunIndex([city.parent]).listed())
    (district,) = [row["settings"] for row in rows if "district 1," in row["settings"]]
    assert {"crowd 300", "districts 2", "step s 600"} <= set(district.split(", "))


def test_the_feed_of_a_city_tells_of_all_its_districts_in_order(reader):
    told = feed(reader, {}, STEPS)["turns"]
    assert {each["district"] for each in told} == {"district-0", "district-1"}
    assert [each["step"] for each in told] == sorted((each["step"] for each in told), reverse=True)
    assert feed(reader, {}, STEPS, most=2) == {"turns": told[:2], "more": True}
    cells = feed(reader, {"kind": "cell"}, STEPS)["turns"]
    assert {each["agent"] for each in cells} <= {each["name"] for each in overview(reader)["movers"]}
    assert sum(part["committed"] for part in timeline(reader)["strip"]) == len(cells)


def test_what_stands_out_in_a_city_is_found_in_its_districts(city, reader, capsys):
    told = outstanding(reader)
    assert f" acted {len(feed(reader, {'kind': 'cell'}, STEPS)['turns'])} times" in told[0]["text"]
    assert any(each["sort"] == "first" for each in told)
    assert {each["turn"] for each in told} == {None}
    assert main(["story", str(city)]) == 0
    assert [line[18:] for line in capsys.readouterr().out.splitlines()] == [each["text"] for each in told]


@pytest.mark.long
def test_a_saved_city_holds_the_turns_of_its_districts_its_people_and_its_crowd(driver, city, reader, tmp_path):
    with open_run(city) as run:
        saved = write_report(run, tmp_path / "city.html")
    page = Page(driver, None, shots_folder())
    driver.get(f"{saved.as_uri()}#step={STEPS}")
    page.until("document.documentElement.dataset.ready === 'yes'")
    cells = feed(reader, {"kind": "cell"}, STEPS)["turns"]
    page.until(f"document.querySelectorAll('#panel-feed .turn').length === {len(cells)}")
    page.until_text(".stage .city", "a crowd of")
    page.click("#panel-feed .turn time")
    page.until_text("#panel-turn pre.code", cells[0]["code"][:8])
    told = entity(reader, cells[0]["agent"], STEPS)
    page.js("cave.inspect(arguments[0])", told["name"])
    page.until_text("#panel-inspect h2", told["title"])
    page.until_text("#panel-inspect", "Its turns")
    assert page.trouble() == []
    leave(driver)


@pytest.mark.long
def test_a_turn_in_the_feed_of_a_city_is_looked_at_in_its_district(driver, city):
    with Dashboard([city.parent], port=0) as served:
        page = Page(driver, served).open("/run/city?tab=feed")
        page.until("document.querySelector('#panel-feed .turn .who .link')")
        link = page.js("return document.querySelector('#panel-feed .turn .who .link').getAttribute('href')")
        assert link.startswith("/run/city/district-")  # what a new tab opens, too
        page.click("#panel-feed .turn time")
        page.until("location.pathname.startsWith('/run/city/district-') && document.documentElement.dataset.ready")
        page.until_text("#panel-turn pre.code", "me.")
        assert page.trouble() == []
        leave(driver)


@pytest.mark.long
def test_on_a_phone_nobody_on_the_map_is_covered_by_what_is_written_over_it(driver, city):
    with Dashboard([city], port=0) as served:
        page = Page(driver, served, shots_folder())
        page.size("phone")
        page.open("/run/city?step=3")
        page.until("cave.map.density && cave.map.spots.length && !cave.map.from")
        assert page.js("""
            const box = cave.map.host.getBoundingClientRect();
            const texts = [...cave.map.host.querySelectorAll('.states, .city')];
            const over = texts.map((each) => each.getBoundingClientRect());
            return cave.overview.movers.filter((_, row) => over.some(({ left, right, top, bottom }) => {
              const x = cave.map.spots[2 * row] + box.left, y = cave.map.spots[2 * row + 1] + box.top;
              return x > left && x < right && y > top && y < bottom;
            })).length""") == 0  # fmt: skip
        assert page.trouble() == []
        leave(driver)
