import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cave_sim import WorldError, open_run
from cave_sim.agents.errands import due, keep
from cave_sim.replay.recipe import Recipe
from cave_sim.simulations.village_day import OPTIONS, STEPS, create
from cave_sim.worlds.town import Resident, total_cents

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def day():
    """One whole day in Hollinweir."""
    return create(seed=7).run(until=STEPS)


def test_the_baker_lights_the_ovens_before_anybody_else_is_up():
    simulation = create(seed=7)
    simulation.run(until=18)
    awake = [person.id for person in simulation.world.all(Resident) if person.activity != "sleeping"]
    assert awake == ["odile_maslin"]
    assert simulation.world["odile_maslin"].activity == "working"
    assert "light the ovens" in simulation.world["odile_maslin"].diary[-1]


def test_a_day_in_the_village_brings_everybody_home(day):
    assert all(person.location is person.home for person in day.world.all(Resident))


@pytest.mark.long
def test_a_day_in_the_village_leaves_habits_in_diaries_and_no_money_behind(day):
    noted = "\n".join(line for person in day.world.all(Resident) for line in person.diary)
    assert all(habit in noted for habit in ("play the fiddle", "write up the water level", "put the soup on"))
    assert total_cents(day.world) == day.world["town"].money_supply_cents


def test_almost_every_turn_of_a_day_lands(day):
    statuses = day.datacollector.get_table_dataframe("turns")["status"]
    assert len(statuses) > 500
    assert (statuses == "committed").mean() > 0.95


@pytest.mark.long
def test_the_same_seed_gives_the_same_day_whatever_python_hashes():
    code = "from simulations.village_day import create; print(create(seed=5).run(until=80).world.state_hash())"
    hashes = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": salt},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for salt in ("0", "1")
    }
    assert len(hashes) == 1


@pytest.mark.long
def test_another_seed_gives_another_day():
    one, other = (create(seed=seed).run(until=60).world.state_hash() for seed in (7, 8))
    assert one != other


def test_the_run_keeps_the_map_for_whoever_draws_it(tmp_path):
    simulation = create(seed=7, residents=2, out=tmp_path / "run")
    simulation.run(until=1)
    simulation.close()
    with open_run(tmp_path / "run") as run:
        drawn = run.manifest["map"]
    assert (drawn["name"], drawn["axes"]) == ("Hollinweir", "xy")


def test_a_file_of_one_s_own_is_simulated_instead(tmp_path):
    source = tmp_path / "hut.json"
    source.write_text(
        json.dumps(
            {
                "name": "Hut",
                "attribution": "mine",
                "tile_m": 2,
                "open": ".",
                "blocked": "#",
                "rows": ["h.."],
                "places": {"hut": {"mark": "h", "title": "The Hut", "kind": "home"}},
                "people": {"eve": {"title": "Eve", "age": 30, "home": "hut"}},
            }
        ),
        encoding="utf-8",
    )
    world = create(seed=1, source=source, start="2013-01-01T06:00").run(until=6).world
    assert [person.id for person in world.all(Resident)] == ["eve"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"residents": 0}, "residents=0: a village needs at least 1 resident"),
        ({"step_s": "soon"}, "village_day: step_s='soon': takes a number from 1 to 3600"),
        ({"source": "nowhere.json"}, "nowhere.json: there is no such village file"),
    ],
)
def test_an_option_that_does_not_fit_is_one_clear_line(options, message):
    with pytest.raises(WorldError) as caught:
        Recipe("village_day", {"seed": 1, **options}).make()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_every_option_is_taken_and_described():
    assert set(OPTIONS) == {"source", "start", "step_s", "without", "having"}


@pytest.fixture
def seen():
    """Return what a villager sees at ten on a Friday at home, with changes to themselves and to the rest."""

    def observation(me=None, **changes):
        myself = {
            "name": "ann",
            "activity": "resting",
            "home": "house",
            "workplace": "shop",
            "shift": [9.0, 17.0],
            "works_weekends": False,
            "money_cents": 1000,
        }
        here = {"name": "house", "use": "home", "sign": "00:00-00:00", "price_cents": 0}
        return {"me": myself | (me or {}), "here": here, "hour": 10.0, "weekday": 4, "plan": {}} | changes

    return observation


def test_a_habit_is_due_from_its_hour_until_it_is_too_late(seen):
    plan = {"10:00": "feed the ducks at pond"}
    is_due = [due(seen(hour=hour, plan=plan)) is not None for hour in (9.9, 10.0, 10.6, 10.8)]
    assert is_due == [False, True, True, False]


def test_meetings_days_off_and_sleep_are_no_time_for_habits(seen):
    assert due(seen(plan={"10:00": "meet bo at pond"})) is None
    assert due(seen(plan={"10:00": "sort the post at shop"}, weekday=5)) is None
    assert due(seen({"activity": "sleeping"}, plan={"10:00": "feed the ducks at pond"})) is None


def test_a_plan_in_other_words_is_left_alone(seen):
    assert due(seen(plan={"noon": "eat at pub", "10:00": "think"})) is None


def test_a_villager_looks_whether_the_door_is_open_before_setting_out(seen):
    observation = seen(plan={"10:00": "feed the ducks at pond"})
    cell = keep(due(observation), observation)
    assert cell.splitlines()[:3] == ["# 10:00: feed the ducks", "if pond.is_open:", "    me.go(pond)"]


@pytest.mark.parametrize(
    ("here", "deed"),
    [
        ({"name": "shop", "use": "shop"}, "me.work()"),
        ({"name": "park", "use": "park"}, "me.enjoy(40)"),
        ({"name": "inn", "use": "meal", "price_cents": 900}, "me.eat()"),
        ({"name": "forge", "use": "office"}, None),
        ({"name": "inn", "use": "meal", "price_cents": 9000}, None),
        ({"name": "inn", "use": "meal", "sign": "closed until 11:30"}, None),
    ],
)
def test_a_villager_does_what_a_place_is_for_and_strikes_it_off_the_plan(seen, here, deed):
    here = {"sign": "07:00-19:00", "price_cents": 0} | here
    observation = seen(here=here, plan={"10:00": f"do it at {here['name']}"})
    assert keep(due(observation), observation).splitlines() == [
        'me.note("do it")',
        'del me.plan["10:00"]',
        *([deed] if deed else []),
    ]
