"""What measures tell beyond their jumps: what was done in all, and which days are unlike the others."""

import datetime as dt

import numpy as np
import pandas as pd

from cave_sim.history.measures_told import told_of

START = dt.datetime(2012, 6, 1)  # a Friday


def at(step):
    return (START + dt.timedelta(hours=step)).isoformat(timespec="minutes")


def week(share_of):
    """Return a week by hours in which a share is at work from nine to five, by the day of the week."""
    hours = range(7 * 24 + 1)
    days = [(START + dt.timedelta(hours=hour)).weekday() for hour in hours]
    at_work = [share_of(day) * (9 <= hour % 24 < 17) for hour, day in zip(hours, days, strict=True)]
    return pd.DataFrame({"at work (share)": at_work}, index=pd.Index(hours, name="step"))


def told(table, sort, clock=at):
    return [(each.step, each.text) for each in told_of(table, clock) if each.sort == sort]


def test_a_week_tells_of_its_weekend():
    table = week(lambda day: 0.12 if day >= 5 else 0.66 + day / 100)
    text = "The share at work: 4 % on Sat 2 Jun and Sun 3 Jun, least of all days; usually 22 %"
    assert told(table, "days") == [(47, text)]


def test_a_week_whose_days_are_alike_or_of_mere_steps_tells_of_none():
    assert told(week(lambda day: 0.66 + day / 100), "days") == []
    assert told(week(lambda day: 0.1 if day == 6 else 0.6 + day / 100), "days", None) == []


def test_what_adds_up_from_nothing_is_told_as_what_was_done_in_all():
    grows = np.arange(25.0)
    table = pd.DataFrame({"meals eaten": grows * 9, "money paid (EUR)": grows**2, "mood": np.sin(grows)})
    assert told(table, "sum") == [(24, "In all: meals eaten 216, money paid 576 EUR")]
    assert told(table[["mood", "meals eaten"]], "sum") == []


def test_a_jump_that_nobody_would_see_is_not_told():
    """By a two-thousandth of what there was; a share that jumps as far in numbers is told."""
    assert told(pd.DataFrame({"treasury": [500_000.0, 500_000.0, 500_240.0, 500_250.0, 500_250.0]}), "measure") == []
    assert told(pd.DataFrame({"treasury": [1_000.0, 1_000.0, 1_240.0, 1_250.0, 1_250.0]}), "measure") != []
