"""A town argues: rules of influence come to what the literature says of them, and a run is the same every time."""

import pytest

from cave_sim import WorldError, open_run
from cave_sim.simulations import opinions

STEPS = 60


@pytest.fixture(scope="module")
def argued(tmp_path_factory):
    """Return a function that gives the folder of a town that argued by a rule."""
    folder, made = tmp_path_factory.mktemp("opinions"), {}

    def run(influence):
        if influence not in made:
            made[influence] = folder / influence
            opinions.create(seed=7, influence=influence, out=made[influence]).run(until=STEPS).close()
        return made[influence]

    return run


def divided(folder):
    with open_run(folder) as run:
        return run.measures()["divided (0 to 1)"].iloc[[0, -1]].tolist()


@pytest.mark.long
def test_assimilation_unites_repulsion_divides_and_bounded_confidence_lies_between(argued):
    before, same = divided(argued("none"))
    assert same == before
    assert divided(argued("assimilation"))[1] < 0.5 * before
    assert divided(argued("repulsion"))[1] > 2 * before
    assert (
        divided(argued("assimilation"))[1] < divided(argued("bounded_confidence"))[1] < divided(argued("repulsion"))[1]
    )


@pytest.mark.long
def test_the_summary_tells_of_talk_promises_and_the_norm(argued):
    with open_run(argued("none")) as run:
        told = opinions.summary(run)
    assert all(words in told for words in ("written", "overheard", "promises: ", "invitations: ", "at home at night"))


@pytest.mark.long
def test_the_norm_of_the_night_concerns_the_night_alone(argued):
    with open_run(argued("none")) as run:
        by_day = run.measures()["at home at night (share)"].iloc[:STEPS]
    assert (by_day == 1.0).all()  # until 18:00 it concerns nobody


def test_the_same_seed_argues_the_same_way():
    one, other = (opinions.create(seed=3, residents=5).run(until=12).state_hash for _ in range(2))
    assert one == other


def test_a_town_without_people_is_refused():
    with pytest.raises(WorldError, match="at least 1 resident"):
        opinions.create(seed=1, residents=0)
