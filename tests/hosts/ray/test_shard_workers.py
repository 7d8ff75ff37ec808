"""A city whose districts are in actors is the city in one process."""

import os
import signal
from functools import cache

import pytest

from cave_sim import CaveSimError, WorldError
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.simulations.city_day import create

SMALL = {"seed": 7, "residents": 24, "crowd": 240, "districts": 4}
STEPS = 24


def played(**options):
    city = create(**{**SMALL, **options})
    try:
        return city.run(until=STEPS).state_hash
    finally:
        city.close()


@cache
def played_here(**options):
    """Return the hash of a city in this process, which is lived once for all tests that ask."""
    return played(**options)


@pytest.mark.long
def test_districts_in_actors_that_some_share_end_with_the_hash_of_one_process(cluster):
    assert played(host="ray", workers=3) == played_here()


@pytest.mark.long
def test_a_city_whose_worker_was_killed_is_resumed_and_ends_with_the_same_hash(cluster, tmp_path):
    city = Recipe("city_day", {**SMALL, "host": "ray", "workers": 2}).make(tmp_path / "run")
    city.run(until=5)
    os.kill(city.ask(3, "process"), signal.SIGKILL)
    with pytest.raises(CaveSimError, match="cave-sim resume"):
        city.run(until=STEPS)
    city.close()
    resumed = resume(tmp_path / "run")
    assert resumed.run(until=STEPS).state_hash == played_here()
    resumed.close()


@pytest.mark.long
def test_minds_in_actors_scripted_or_recorded_come_out_alike(cluster, tmp_path):
    scripted = played(host="ray", workers=2, minds="scripted", out=tmp_path / "first")
    assert played(host="ray", workers=2, replay=tmp_path / "first") == scripted == played(minds="scripted")


@pytest.mark.long
def test_people_cross_between_actors_some_are_called_out_of_the_crowd_and_what_goes_wrong_there_is_told(cluster):
    city = create(**SMALL, host="ray", workers=2)
    with pytest.raises(WorldError, match="nobody in this district's crowd"):
        city.ask(0, "promote", 999)
    city.tell(1, "promote", 60)
    city.run(until=STEPS)
    residents = [name for district in range(4) for name in city.ask(district, "residents")]
    assert len(set(residents)) == len(residents) == 25
    assert "person_60" in residents
    assert city.totals["crossings"] > 0
    assert city.totals["crowd"] == SMALL["crowd"] - 1
    city.close()
