"""An invitation spreads by talk and people come; where nobody is invited, nobody knows, and nobody comes for it."""

import re
from pathlib import Path

import pytest

from cave_sim import WorldError, open_run
from cave_sim.history.highlights import highlights
from cave_sim.replay.recipe import Recipe
from cave_sim.scenario import load_scenario, run_study
from cave_sim.simulations import valentine_party
from cave_sim.simulations.valentine_party.spread import ABOUT_IT

STEPS, OPTIONS = 30, {"residents": 12, "start": "2013-02-14T14:00"}


GOLDEN = {"kept": "ef8d5f5e4412b0dc", "invited": "3706a1ba22e16858"}


@pytest.fixture
def party(tmp_path):
    """Return a function that runs the story and measures it."""

    def run_and_measure(**options):
        valentine_party.create(out=tmp_path, **OPTIONS, **options).run(until=STEPS).close()
        with open_run(tmp_path) as run:
            run_and_measure.told = valentine_party.summary(run)
            run_and_measure.asked = [
                (turn.agent, asked[1])
                for turn in run.turns(status="committed")
                if (asked := re.search(r"me\.say\((\w+), .* Will you come", turn.code))
            ]
            run_and_measure.story = [each.text for each in highlights(run)]
            return valentine_party.measure(run)

    return run_and_measure


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("seed", range(1, 6))
def test_the_invitation_spreads_and_people_come(party, seed):
    spread = party(seed=seed)
    assert len(spread.invited) >= 4
    assert len(spread.came) >= 2
    assert spread.host not in spread.came


@pytest.mark.long
def test_some_hear_of_it_from_others_than_the_host(party):
    spread = party(seed=1)
    tellers = {by for name, (_, by) in spread.knows.items() if name != spread.host}
    assert tellers - {spread.host, ""}
    assert f"{len(spread.invited)} know of it" in party.told
    (told,) = [line for line in party.story if "Valentine's party" in line]
    assert told.startswith("Sunniva Ostler tells ")
    assert " people: “" in told
    assert any("spoke most often to one person" in line for line in party.story)
    assert len(set(party.asked)) == len(party.asked) > 0  # nobody is invited twice by the same person


@pytest.mark.long
def test_nobody_knows_whom_word_cannot_have_reached_by_any_way_of_measuring(party):
    spread = party(seed=2, asks=STEPS)
    assert spread.invited <= spread.reached
    assert spread.says_so is not None
    assert spread.claimed == set()
    assert spread.by_words.error_rate < 0.2
    assert "by provenance" in party.told
    assert "by asking" in party.told


def test_words_that_say_it_otherwise_count_as_well():
    assert ABOUT_IT.finds("a Valentine's Day party at the hall")
    assert ABOUT_IT.finds("We celebrate Valentine's day")
    assert not ABOUT_IT.finds("a party on Friday")
    assert not ABOUT_IT.finds("Valentine went home")


@pytest.mark.long
def test_where_nobody_is_invited_nobody_knows_and_nobody_comes(party):
    spread = party(seed=1, invites="no")
    assert (spread.invited, spread.came) == (set(), set())


@pytest.mark.parametrize(
    ("options", "wrong"), [({"host": "nobody"}, "no 'nobody'"), ({"invites": "perhaps"}, "yes or no")]
)
def test_options_that_do_not_fit_say_why(options, wrong):
    with pytest.raises(WorldError, match=wrong):
        Recipe("valentine_party", {"seed": 1, **OPTIONS, **options}).make()


@pytest.mark.long
def test_the_study_comes_to_its_hashes_and_measures_what_the_journal_tells(tmp_path):
    scenario = load_scenario(Path(valentine_party.__file__).with_name("party.yaml"))
    study, report = run_study(scenario, tmp_path, seeds=1)
    assert {each.trial.partition("-")[0]: each.state_hash[:16] for each in report.results} == GOLDEN
    told = study.frame().set_index("condition")
    assert told.loc["kept", ["know", "guests"]].tolist() == [0, 0]
    with open_run(tmp_path / "trials" / "invited-7") as run:
        spread = valentine_party.measure(run)
    assert told.loc["invited", "know"] == len(spread.invited)
    assert 0 < told.loc["invited", "guests"] <= len(spread.came)
