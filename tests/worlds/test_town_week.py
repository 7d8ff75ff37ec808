"""A town from Friday to Monday: weekends differ, friends visit, the ill stay at home and get up again."""

from random import Random

import pytest

from cave_sim import WorldError, open_run
from cave_sim.agents.mind import Perception
from cave_sim.agents.sick_days import stay_at_home
from cave_sim.simulations.town_day import create
from cave_sim.simulations.town_day.meetings import meetings
from cave_sim.worlds.town import Resident
from cave_sim.worlds.town.contagion import share_ill

DAY = 48


@pytest.fixture(scope="module")
def week(tmp_path_factory):
    """Return the journal of four days of ten residents, some of whom fall ill, and the names of their homes."""
    folder = tmp_path_factory.mktemp("runs") / "week"
    simulation = create(seed=0, residents=10, step_s=1800, illness=0.08, contagion=0.01, out=folder)
    simulation.run(until=4 * DAY).close()
    homes = {person.home.id for person in simulation.world.all(Resident)}
    with open_run(folder) as run:
        yield run, homes


def test_fewer_are_at_work_at_a_weekend(week):
    at_work = week[0].measures()["at work (share)"]
    friday, saturday, sunday = (at_work.loc[DAY * day + 1 : DAY * (day + 1)].mean() for day in range(3))
    assert max(saturday, sunday) < friday / 2


def test_friends_visit_each_other_at_home_at_weekends_alone(week):
    run, homes = week
    visited = {meeting.agreed // DAY for meeting in meetings(run) if meeting.place in homes}
    assert visited
    assert visited <= {1, 2}


def test_nobody_is_ill_before_the_first_dawn_and_some_are_after_it(week):
    ill = week[0].measures()["ill (share)"]
    assert ill.loc[: DAY - 3].max() == 0
    assert ill.max() > 0


def test_who_is_ill_stays_at_home_and_does_not_work_until_they_are_well_again(week):
    lives = {}
    for agent, code in week[0].query(
        "SELECT agent, code FROM turns JOIN cells ON cell = hash WHERE status = 'committed' ORDER BY turn"
    ):
        lives.setdefault(agent, []).append(code)
    recovered = [cells for cells in lives.values() if "health.get_up()" in cells]
    assert recovered
    for cells in recovered:
        begins, ends = cells.index("health.stay_at_home()"), cells.index("health.get_up()")
        assert begins < ends
        assert "me.work()" not in cells[begins:ends]


@pytest.mark.parametrize(
    ("hour", "cell"), [(3.0, "health.stay_at_home()"), (12.0, "me.go(grocer)"), (22.5, "health.stay_at_home()")]
)
def test_who_is_ill_goes_out_for_food_by_day_alone(hour, cell):
    grocer = {"name": "grocer", "use": "shop", "sells": "groceries", "distance_m": 50, "hours": "00:00-24:00"}
    me = {"belongings": {}, "hunger": 0.9, "home": "home"}
    seen = {"health": "ill", "me": me, "hour": hour, "weekday": 1, "here": {"name": "home"}, "places": [grocer]}
    assert stay_at_home(Perception(seen, lambda: Random(0))).splitlines()[-1] == cell


def test_a_town_without_illness_draws_nothing_for_it_and_has_no_such_thing():
    assert "health" not in create(seed=0, residents=2).world


def test_how_somebody_feels_is_theirs_to_know():
    world = create(seed=0, residents=2, illness=1.0, start="2012-06-01T04:30").run(until=6).world
    one, other = (person.id for person in world.all(Resident) if person.id != "mayor")
    asked = world.execute(f'print(health.state_of("{other}"))', agent=one)
    assert (asked.status, "theirs to know" in (asked.error or "")) == ("failed", True)


def test_who_is_well_cannot_call_in_sick():
    world = create(seed=0, residents=2, illness=0.01).world
    one = next(person.id for person in world.all(Resident) if person.id != "mayor")
    turn = world.execute("health.stay_at_home()", agent=one)
    assert turn.status == "failed"
    assert "You are not ill" in turn.error


def test_a_town_lives_on_without_illness_when_the_mayor_takes_it_out_of_the_world():
    simulation = create(seed=0, residents=2, illness=1.0, contagion=0.5, start="2012-06-01T04:30").run(until=6)
    assert share_ill(simulation.world) == 1.0
    simulation.world.remove("health")
    assert share_ill(simulation.run(until=12).world) == 0.0


def test_contagion_needs_an_illness():
    with pytest.raises(WorldError, match="comes from somewhere"):
        create(seed=0, residents=2, contagion=0.1)
