from datetime import date, datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import World, WorldError
from cave_sim.worlds.town.weather import (
    Day,
    Weather,
    day_on,
    follow_the_records,
    records,
    showers_mm,
    sky_at,
    temperature_c,
)

RECORDED = st.dates(date(2012, 1, 1), date(2015, 12, 31))


def test_the_records_hold_four_years_of_days():
    assert len(records()) == 1461
    assert day_on(date(2012, 6, 1)) == Day("rain", 6.6, 20.0, 12.8, 3.7)


def test_a_date_outside_the_records_borrows_the_same_day_of_a_like_year():
    assert day_on(date(2024, 2, 29)) == day_on(date(2012, 2, 29))
    assert day_on(date(2031, 6, 1)) == day_on(date(2015, 6, 1))


@given(RECORDED, st.integers(0, 99))
def test_the_showers_of_a_day_add_up_to_the_record(when, seed):
    day = day_on(when)
    hours = showers_mm(day, Random(seed))
    assert len(hours) == 24
    assert sum(hours) == pytest.approx(day.precipitation_mm, abs=0.05)


@given(RECORDED)
def test_a_day_is_coldest_at_five_and_warmest_at_three(when):
    day = day_on(when)
    at = [temperature_c(datetime(when.year, when.month, when.day, hour)) for hour in (5, 10, 15)]
    assert at[0] == day.low_c
    assert at[2] == day.high_c
    assert min(at[0], at[2]) <= at[1] <= max(at[0], at[2])


@given(st.dates(date(2012, 1, 2), date(2015, 12, 30)))
def test_the_temperature_does_not_jump_at_midnight(when):
    before = temperature_c(datetime(when.year, when.month, when.day, 23, 59))
    after = temperature_c(datetime.fromordinal(when.toordinal() + 1))
    assert abs(after - before) <= 0.2


@pytest.mark.parametrize(
    ("kind", "hour", "falling_mm", "sky"),
    [
        ("sun", 12, 0.0, "sun"),
        ("rain", 12, 0.0, "cloudy"),
        ("fog", 8, 0.0, "fog"),
        ("fog", 14, 0.0, "sun"),
        ("rain", 12, 0.2, "drizzle"),
        ("rain", 12, 1.5, "rain"),
        ("rain", 12, 6.0, "storm"),
        ("snow", 12, 2.0, "snow"),
    ],
)
def test_the_sky_follows_the_record_and_the_hour(kind, hour, falling_mm, sky):
    assert sky_at(Day(kind, 5.0, 10.0, 5.0, 3.0), hour, falling_mm) == sky


def test_the_weather_of_a_world_follows_its_date():
    world = World(seed=1, step_s=3600, start="2012-06-06T15:00")
    world.add("weather", Weather())
    world.dynamics(follow_the_records)
    follow_the_records(world)
    assert (world["weather"].kind, world["weather"].temperature_c) == ("sun", 16.1)
    for _ in range(12):
        world.advance()
    assert world.clock.text == "Thu 7 June 2012 03:00"
    assert sum(world["weather"].showers_mm) == pytest.approx(16.5)


def test_a_bad_record_is_refused_with_its_line(tmp_path):
    path = tmp_path / "weather.csv"
    path.write_text("date,precipitation,temp_max,temp_min,wind,weather\n2012/01/01,wet,12,5,4,rain\n")
    with pytest.raises(WorldError, match=r"weather\.csv: line 2: .*must hold"):
        records(path)


def test_whoever_may_do_everything_can_turn_the_weather_for_some_hours_and_nobody_else():
    world = World(seed=7, step_s=3600, start="2012-07-07T10:00")
    world.add("weather", Weather())
    world.dynamics(follow_the_records)
    world.grant("mayor", "*")
    assert world.execute("weather.turn('storm', 2)", agent="ann").status == "blocked"
    assert world.execute("weather.turn('storm', 2)", agent="mayor").committed
    skies = [world["weather"].kind]
    for _ in range(2):
        world.advance()
        skies.append(world["weather"].kind)
    assert skies == ["storm", "storm", "sun"]
    assert world.execute("weather.turn('storm', 0)", agent="mayor").status == "failed"
