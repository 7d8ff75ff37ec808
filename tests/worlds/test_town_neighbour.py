"""People who keep in touch: phones, overhearing, promises and invitations, and attitudes that talk shifts."""

import pytest

from cave_sim import WorldError, open_run
from cave_sim.history.dialogues import utterances
from cave_sim.models import ScriptedModel
from cave_sim.simulations import town_day
from cave_sim.simulations.town_day.promises import pledges
from cave_sim.worlds.town import build_town
from cave_sim.worlds.town.influence import INFLUENCES, swayed
from cave_sim.worlds.town.neighbour import Neighbour
from cave_sim.worlds.town.society import Customs, Norm, divided_over, mean_attitude
from tests.agents.lives import gather

NOON = "2012-06-01T12:00"


@pytest.fixture
def town():
    """Return a function that makes a town of neighbours at noon, and four of them by age of acquaintance."""

    def make(**customs):
        world = build_town(seed=1, residents=8, start=NOON, customs=Customs(**customs))
        simulation = type("Town", (), {"world": world})
        people = world.all(Neighbour)
        for person in people:
            person.activity, person.until_s = "waiting", 0.0
        gather(simulation, people[0].id, people[1].id, people[2].id)
        for one, other in ((0, 1), (0, 3)):
            world["town"].relations.add_edge(people[one].id, people[other].id, strength=0.5)
        world["town"].relations.remove_edges_from([(people[0].id, people[4].id)])
        world.state_hash()
        return world, *people[:5]

    return make


def test_a_text_reaches_who_is_elsewhere_and_nobody_else(town):
    world, one, here, bystander, away, stranger = town(earshot_m=50)
    turn = world.execute(f'me.text({away.id}, "See you later?")', one.id)
    assert turn.committed, turn.error
    assert away.heard == [f"12:00 by phone, {one.title} ({one.id}): See you later?"]
    assert one.heard == [f"12:00 you to {away.id}: See you later?"]
    assert not here.heard + bystander.heard
    assert world.observe(away.id)["heard"] == away.heard
    assert not world.execute(f"print({away.id}.heard)", stranger.id).committed


def test_only_who_one_knows_can_be_written_to_and_not_without_end(town):
    world, one, _, _, away, stranger = town()
    assert "do not have the number" in world.execute(f'me.text({stranger.id}, "Hello")', one.id).error
    for number in range(3):
        assert world.execute(f'me.text({away.id}, "{number}")', one.id).committed
    assert "let them answer" in world.execute(f'me.text({away.id}, "And?")', one.id).error
    assert away.id in world.observe(one.id)["contacts"]
    assert stranger.id not in world.observe(one.id)["contacts"]


def test_who_stands_in_earshot_overhears_and_who_does_not_hears_nothing(town):
    world, one, here, bystander, away, _ = town(earshot_m=50)
    assert world.execute(f'me.say({here.id}, "The mill is sold.")', one.id).committed
    assert bystander.heard == [f"12:00 overheard {one.title} ({one.id}) to {here.title}: The mill is sold."]
    assert not away.heard
    bystander.activity = "sleeping"
    world.execute(f'me.say({here.id}, "Really.")', one.id)
    assert len(bystander.heard) == 1


@pytest.mark.parametrize(("earshot_m", "hears"), [(0, False), (20, False), (200, True)])
def test_out_of_doors_the_distance_decides(town, earshot_m, hears):
    world, one, here, bystander, *_ = town(earshot_m=earshot_m)
    for person in (one, here, bystander):
        person.location.guests.discard(person)
        person.location = None
    bystander.lat = one.lat + 100 / 111_320
    bystander.node = one.node + 1
    world.state_hash()
    turn = world.execute(f'me.say({here.id}, "Rain.")', one.id)
    assert turn.committed, turn.error
    assert bool(bystander.heard) == hears


def test_what_is_overheard_is_no_part_of_a_dialogue(town, tmp_path):
    simulation = town_day.create(seed=1, residents=4, phones="yes", earshot_m=30, start=NOON, out=tmp_path)
    people = simulation.world.all(Neighbour)
    gather(simulation, *(person.id for person in people[:3]))
    simulation.world.execute(f'me.say({people[1].id}, "Good day.")', people[0].id)
    simulation.step()
    simulation.close()
    with open_run(tmp_path) as run:
        said = [(each.speaker, each.hearer) for each in utterances(run) if each.text.endswith("Good day.")]
    assert said == [(people[0].id, people[1].id)]
    assert "overheard" in people[2].heard[0]


def test_minds_write_to_each_other_and_answer_in_the_next_step():
    def model(request):
        text = "\n".join(message.text for message in request.messages)
        if request.key.agent == names[0] and request.key.step == 0:
            return f'```python\nme.text({names[1]}, "Are you well?")\n```'
        if request.key.agent == names[1] and "Are you well?" in text and "I am." not in text:
            return f'```python\nme.text({names[0]}, "I am.")\n```'
        return "Nothing to do."

    simulation = town_day.create(
        seed=1, residents=4, phones="yes", without="plans", start=NOON, llm=ScriptedModel(model), minds="x"
    )
    names = [person.id for person in simulation.world.all(Neighbour)][:2]
    simulation.world["town"].relations.add_edge(*names, strength=0.5)
    for name in names:
        person = simulation.world[name]
        person.activity, person.until_s = "waiting", 0.0
    simulation.run(until=3)
    assert any("by phone" in line and line.endswith(": I am.") for line in simulation.world[names[0]].heard)


@pytest.mark.parametrize(
    ("rule", "new"), [("none", 0.0), ("assimilation", 0.25), ("bounded_confidence", 0.0), ("repulsion", -0.25)]
)
def test_talk_shifts_an_attitude_by_the_rule_of_the_town(town, rule, new):
    world, one, here, bystander, *_ = town(influence=rule, rate=0.25, tolerance=0.5, earshot_m=9)
    one.attitudes, here.attitudes, bystander.attitudes = {"tram": 1.0}, {"tram": 0.0}, {"tram": 0.0}
    world.state_hash()
    world.execute(f'me.say({here.id}, "Lovely weather.")', one.id)
    assert here.attitudes == {"tram": 0.0}
    world.execute(f'me.say({here.id}, "The tram is good.")', one.id)
    assert here.attitudes == {"tram": new}
    assert bystander.attitudes == {"tram": 0.0}


def test_an_attitude_is_ones_own_and_changed_by_talk_alone(town):
    world, one, here, *_ = town()
    one.attitudes = {"tram": 1.0}
    world.state_hash()
    assert not world.execute('me.attitudes["tram"] = 0.0', one.id).committed
    assert not world.execute(f"print({one.id}.attitudes)", here.id).committed
    assert world.observe(one.id)["attitudes"] == {"tram": 1.0}


@pytest.mark.parametrize("rule", INFLUENCES)
def test_attitudes_stay_within_their_bounds(rule):
    values = [step / 4 for step in range(-4, 5)]
    assert all(-1 <= swayed(rule, mine, theirs, 1.0, 0.5) <= 1 for mine in values for theirs in values)


def test_measures_tell_the_mean_and_how_divided_people_are(town):
    world, *people = town()
    assert (mean_attitude("tram")(world), divided_over("tram")(world)) == (0.0, 0.0)
    for person, attitude in zip(people[:4], (1.0, 1.0, -1.0, -1.0), strict=True):
        person.attitudes = {"tram": attitude}
    assert (mean_attitude("tram")(world), divided_over("tram")(world)) == (0.0, 1.0)
    for person in people[:4]:
        person.attitudes = {"tram": 0.5}
    assert (mean_attitude("tram")(world), divided_over("tram")(world)) == (0.5, 0.0)


def test_a_norm_is_measured_among_those_whom_it_concerns(town):
    world, one, *_ = town()
    norm = Norm("awake", "Be awake.", lambda person: person is not one, lambda person: person.activity != "sleeping")
    everybody = len(world.all(type(one))) - 1 + 1  # the mayor, too, and not the one
    asleep = world.all(type(one))[3]
    asleep.activity = "sleeping"
    world["mayor"].activity = "waiting"
    assert norm.adherence(world) == pytest.approx((everybody - 1) / everybody)
    assert Norm("none", "", lambda person: False, lambda person: False).adherence(world) == 1.0


@pytest.mark.parametrize(
    ("wrong", "why"), [({"influence": "magic"}, "there is none, assimilation"), ({"rate": 2.0}, "rate from 0 to 1")]
)
def test_customs_that_there_are_not_are_refused(wrong, why):
    with pytest.raises(WorldError, match=why):
        Customs(**wrong)


def test_earshot_without_phones_is_refused():
    with pytest.raises(WorldError, match="phones=yes"):
        town_day.create(seed=1, residents=2, earshot_m=5)


@pytest.fixture
def pledged(tmp_path):
    """Return the pledges of a run in which people promised and invited at noon, and did as told afterwards."""

    def run_(cells, *, steps=12, later=()):
        nobody = type("Nobody", (), {"batches": lambda self, moment: iter(())})()
        simulation = town_day.create(seed=1, residents=4, phones="yes", start=NOON, out=tmp_path, scheduler=nobody)
        world = simulation.world
        names = [person.id for person in world.all(Neighbour)]
        place = next(name for name in world["town"].landmarks if world[name].is_open)
        gather(simulation, *names[:2])
        world["town"].relations.add_edge(*names[:2], strength=0.5)
        fill = {"one": names[0], "other": names[1], "place": place}
        for cell in cells:
            turn = world.execute(cell.format(**fill), names[0])
            assert turn.committed, turn.error
        simulation.step()
        for who, cell in later:
            turn = world.execute(cell.format(**fill), names[who])
            assert turn.committed, turn.error
        simulation.run(until=steps).close()
        with open_run(tmp_path) as run:
            return [(pledge.kind, pledge.what == place or pledge.what, pledge.status) for pledge in pledges(run)]

    return run_


COMES = "me.go({place})"
PROMISE, INVITE, OWE = (
    'me.promise({other}, at="13:00", place={place})',
    'me.invite({other}, {place}, at="13:00")',
    'me.promise({other}, at="13:00", cents=200)',
)


@pytest.mark.parametrize(
    ("cells", "later", "steps", "found"),
    [
        ([PROMISE], [(0, COMES)], 12, ("promise", True, "kept")),
        ([PROMISE], [], 12, ("promise", True, "broken")),
        ([PROMISE], [(1, COMES)], 12, ("promise", True, "broken")),
        ([PROMISE], [], 4, ("promise", True, "pending")),
        ([INVITE], [(1, COMES)], 12, ("invitation", True, "kept")),
        ([INVITE], [], 12, ("invitation", True, "broken")),
        ([OWE], [(0, "me.give({other}, 200)")], 12, ("promise", "2.00 EUR", "kept")),
        ([OWE], [(0, "me.give({other}, 100)")], 12, ("promise", "2.00 EUR", "broken")),
        ([OWE], [(1, "me.give({one}, 200)")], 12, ("promise", "2.00 EUR", "broken")),
        ([OWE], [], 3, ("promise", "2.00 EUR", "pending")),
    ],
)
def test_promises_and_invitations_are_kept_by_what_people_do(pledged, cells, later, steps, found):
    assert pledged(cells, steps=steps, later=later) == [found]


def test_a_promise_names_one_thing_and_an_hour(town):
    world, one, here, *_ = town()
    for cell in ('at="18:00"', 'at="18:00", place="nowhere"', 'at="soon", cents=5', 'at="18:00", cents=-1'):
        assert not world.execute(f"me.promise({here.id}, {cell})", one.id).committed
