"""A secret is passed on by talk; nobody knows who was not told, unless everybody may read everybody."""

import pytest

from cave_sim import WorldError, open_run
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.verify import verify
from cave_sim.simulations import rumour
from cave_sim.simulations.rumour.gossip import SECRET, TELLINGS

STEPS, RESIDENTS = 72, 20


@pytest.fixture
def day(tmp_path):
    """Return a function that runs the story and measures it."""

    def run_and_measure(**options):
        simulation = rumour.create(out=tmp_path, residents=RESIDENTS, **options).run(until=STEPS)
        run_and_measure.share = simulation.latest_measures["know (share)"]
        simulation.close()
        with open_run(tmp_path) as run:
            run_and_measure.summary = rumour.summary(run)
            return rumour.measure(run)

    return run_and_measure


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("seed", range(1, 6))
def test_nobody_knows_who_was_not_told(day, seed):
    spread = day(seed=seed)
    tried, refused = spread.looks
    assert tried == refused > 50
    assert spread.untold == set()
    assert spread.reached == spread.told  # nobody came by anything by reading
    assert day.summary.endswith("0 know who were not told")


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("seed", [1, 5, 8])
def test_by_talk_it_comes_far(day, seed):
    spread = day(seed=seed)
    assert len(spread.knows) > 6
    assert day.share == len(spread.knows) / (RESIDENTS + 1)
    tellers = {contact.source for name, contact in spread.told.items() if name in spread.knows}
    assert tellers - {spread.source}


@pytest.mark.long
def test_where_everybody_may_read_everybody_some_know_who_were_not_told(day):
    spread = day(seed=1, diaries="open")
    assert spread.looks[1] == 0
    assert len(spread.untold) > 2
    # the journal says how: somebody read it, perhaps whoever told them
    assert all(spread.reached[name].step <= spread.knows[name] for name in spread.untold)
    assert not all(contact.text for contact in spread.reached.values())


def test_what_is_told_is_never_the_secret_as_it_was_written_down():
    assert not any(SECRET in telling or telling in SECRET for telling in TELLINGS)


def test_a_run_of_it_verifies(tmp_path):
    recipe = Recipe("rumour", {"seed": 3, "residents": 6, "diaries": "open"})
    recipe.make(tmp_path / "run").run(until=12).close()
    with open_run(tmp_path / "run") as run:
        assert verify(run, recipe.make).holds


@pytest.mark.parametrize(
    ("options", "wrong"), [({"source": "nobody"}, "is called so"), ({"diaries": "ajar"}, "takes private or open")]
)
def test_options_that_do_not_fit_say_why(options, wrong):
    with pytest.raises(WorldError, match=wrong):
        Recipe("rumour", {"seed": 1, "residents": 4, **options}).make()
