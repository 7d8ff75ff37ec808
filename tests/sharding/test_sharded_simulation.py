"""A city of districts is one world: the same for any number of workers, with nobody lost at its borders."""

import sys

import pytest

from cave_sim import WorldError, open_run
from cave_sim.models import CassetteMiss
from cave_sim.replay.recipe import Recipe
from cave_sim.worlds.city import helsinki_in
from tests.sharding.conftest import SMALL, district_of, residents

DAY = 36


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("minds", [None, "scripted"])
def test_the_hash_does_not_depend_on_the_number_of_workers(city, minds):
    hashes = {workers: city(workers=workers, minds=minds).run(until=DAY).state_hash for workers in (1, 2, 4)}
    assert len(set(hashes.values())) == 1


@pytest.mark.long
def test_recorded_minds_come_out_as_the_scripted_ones_that_were_recorded(city, tmp_path):
    recorded = city(minds="scripted", out=tmp_path / "first")
    recorded.run(until=DAY)
    recorded.close()
    hashes = {workers: city(workers=workers, replay=tmp_path / "first").run(until=DAY).state_hash for workers in (1, 4)}
    assert set(hashes.values()) == {recorded.state_hash}


@pytest.mark.long
def test_a_recording_of_another_city_does_not_answer(city, tmp_path):
    recorded = city(minds="scripted", out=tmp_path / "first")
    recorded.run(until=2)
    recorded.close()
    with pytest.raises(CassetteMiss):
        city(replay=tmp_path / "first", seed=8).run(until=2)


@pytest.mark.long
def test_another_seed_is_another_city(city):
    assert city(seed=8).run(until=2).state_hash != city(seed=7).run(until=2).state_hash


def test_nobody_is_lost_or_doubled_at_a_border(city):
    town = city()
    at_first = everybody(town)
    for step in range(1, DAY + 1):
        town.run(until=step)
        assert everybody(town) == at_first
    assert town.totals["crossings"] > 5
    assert town.totals["people"] == 24


@pytest.mark.long
def test_money_is_neither_made_nor_lost_in_the_city(city):
    town = city()
    before = town.totals["money_cents"]
    town.run(until=100)
    assert town.totals["meals"] > 0
    assert town.totals["worked_h"] > 0
    assert town.totals["money_cents"] == before == sum(town.ask(each, "money_cents") for each in range(4))


@pytest.mark.long
def test_who_crosses_a_border_takes_variables_and_conversation_along(city):
    journey(city(minds="scripted"))


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox is Linux's")
def test_who_crosses_between_sandboxes_takes_the_same_along(city):
    sandboxed = city(minds="scripted")
    assert sandboxed.isolate("contained").level.name != "guarded"
    assert journey(sandboxed) == journey(city(minds="scripted"))


def journey(town):
    """Send somebody who knows things into another district; returns the hash when they know them there."""
    town.run(until=1)
    name, district = next((name, number) for number, names in enumerate(residents(town)) for name in names)
    town.ask(district, "execute", "notes = [1, 2, 3]\ndef twice(x):\n    return 2 * x", name)
    rows = town.ask(district, "session_rows", name)
    far = next(
        site.name for site in helsinki_in(4).sites.values() if site.district != district and site.about.use == "home"
    )
    town.ask(district, "execute", f"me.go({far!r})", name)
    while district_of(town, name) == district:
        town.step()
    there = district_of(town, name)
    assert town.ask(there, "execute", "twice(sum(notes))", name) == "12"
    assert town.ask(there, "session_rows", name)[: len(rows)] == rows
    assert town.ask(there, "observe", name)["me"]["name"] == name
    return town.state_hash


@pytest.mark.long
def test_all_districts_see_the_weather_and_the_book_as_of_the_barrier(city):
    town = city()
    town.run(until=10)
    told, skies = town.totals, {town.ask(0, "sky")}
    town.step()
    skies |= {town.ask(each, "sky") for each in range(1, 4)}
    assert [town.ask(each, "book") for each in range(4)] == [told] * 4
    assert len(skies) == 1


@pytest.mark.long(cases=0)
def test_the_city_and_each_district_keep_a_journal(city, tmp_path):
    town = city(out=tmp_path / "run")
    town.run(until=8)
    town.close()
    with open_run(tmp_path / "run") as run:
        assert list(run.measures()["people"]) == [24.0] * 9
    turns = 0
    for number in range(4):
        with open_run(tmp_path / "run" / f"district-{number}") as run:
            turns += run.query("SELECT count(*) FROM turns WHERE kind = 'cell'")[0][0]
            assert run.last_step == 8
    assert turns == town.turns_taken > 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"workers": 5}, "shared by 1 to 4"),
        ({"workers": "many"}, "whole number"),
        ({"host": "moon"}, "local, processes or ray"),
        ({"districts": 40}, "take fewer"),
    ],
)
def test_options_that_do_not_fit_are_told(options, said):
    with pytest.raises(WorldError, match=said):
        Recipe("city_day", {**SMALL, **options}).make()


def everybody(town):
    return sorted(name for names in residents(town) for name in names)
