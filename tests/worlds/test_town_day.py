"""The day as a whole: it runs, it is the same for the same seed, it makes sense, and its summary tells it."""

import pytest

from cave_sim import WorldError, open_run
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.schedulers import Simultaneous
from cave_sim.simulations.town_day import create, summary
from cave_sim.worlds.town import Resident, total_cents


@pytest.fixture(scope="module")
def day(tmp_path_factory):
    """Return a whole day of twelve residents and their mayor, and its journal."""
    folder = tmp_path_factory.mktemp("runs") / "town_day-3"
    simulation = create(seed=3, residents=12, out=folder)
    simulation.run(until=144)
    simulation.close()
    with open_run(folder) as run:
        yield simulation, run


def counts(run, sql):
    return dict(run.query(sql))


def test_the_same_seed_gives_the_same_day_and_another_seed_another():
    one, same, other = (create(seed=seed, residents=6).run(until=30).world.state_hash() for seed in (1, 1, 2))
    assert one == same != other


def test_nearly_every_turn_lands_and_none_is_blocked(day):
    _, run = day
    statuses = counts(run, "SELECT status, count(*) FROM turns WHERE kind = 'cell' GROUP BY status")
    assert set(statuses) <= {"committed", "failed"}
    assert statuses["committed"] > 200
    assert statuses.get("failed", 0) < 0.1 * statuses["committed"]


def test_people_sleep_at_night_work_by_day_and_eat(day):
    _, run = day
    measures = run.measures()
    assert measures["asleep (share)"].loc[130:].mean() > 0.8
    assert measures["at work (share)"].loc[24:48].mean() > 0.2
    assert measures["at work (share)"].loc[130:].mean() < 0.1
    assert measures["hunger"].max() < 0.8
    eaten = run.query("""SELECT count(*) FROM changes WHERE path = '["activity"]' AND new = '"eating"'""")
    assert eaten[0][0] >= 2 * 12


def test_the_mayor_reacts_to_the_rain_of_the_day(day):
    simulation, _ = day
    board = " ".join(simulation.world["town"].announcements)
    assert "Good morning" in board
    assert "the parks are closed" in board
    assert any(name.startswith("shelter_") for name in simulation.world)


def test_money_is_the_same_in_the_evening_as_in_the_morning(day):
    simulation, run = day
    assert total_cents(simulation.world) == simulation.world["town"].money_supply_cents
    assert run.measures()["money paid so far (EUR)"].iloc[-1] > 500


def test_everybody_is_somewhere_and_places_know_their_guests(day):
    simulation, _ = day
    for person in simulation.world.all(Resident):
        assert (person.location is None) or person in person.location.guests
        assert 0 <= person.energy <= 1


def test_the_summary_tells_the_day(day):
    _, run = day
    told = summary(run)
    assert told.startswith("Fri 01 Jun 2012 06:00 to Sat 02 Jun 06:00: 13 people, ")
    for part in ("Announced:", "Hours per person: ", "Who did what (hours):", "Talk:", "Money:", "Changed most:"):
        assert part in told
    assert all(len(line) < 240 for line in told.splitlines())


@pytest.mark.long
def test_a_day_can_be_lived_all_at_once():
    simulation = create(seed=3, residents=12, scheduler=Simultaneous())
    simulation.run(until=30)
    assert total_cents(simulation.world) == simulation.world["town"].money_supply_cents


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"residents": 0}, "at least 1 resident"),
        ({"step_s": "soon"}, "takes a number from 1 to 3600"),
        ({"step_s": "0"}, "takes a number from 1 to 3600"),
        ({"start": "tomorrow"}, "is no date with a time"),
        ({"map": "nowhere.json"}, "cannot be read"),
        ({"weather": "rain"}, "town_day has no option 'weather'. It takes start"),
        ({"resident": 2}, "town_day has no option 'resident'. Did you mean 'residents'"),
    ],
)
def test_an_option_that_does_not_fit_is_refused_in_one_line(options, message):
    with pytest.raises(WorldError, match=message) as refused:
        Recipe("town_day", {"seed": 1, **options}).make()
    assert "\n" not in str(refused.value)


@pytest.mark.long
def test_the_map_is_drawn_in_the_manifest(day):
    _, run = day
    drawn = run.manifest["map"]
    assert drawn["axes"] == "lonlat"
    assert "OpenStreetMap" in drawn["attribution"]
    assert len(drawn["lines"]) == 3106
