"""The same people treated and untreated: individual effects, who gains and who loses, and what common seeds spare."""

import json
from pathlib import Path

import pytest

from cave_sim import WorldError
from cave_sim.causes.cohort import Cohort, KeptLives, individuals, lives, paired_lives, seeds_spared
from cave_sim.cli.main import main
from cave_sim.replay.fork import fork
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.treatment import Intervention
from tests.causes.worlds import lived

FARE = (
    ("ann", None, "if hall.closed: me.mood -= 2"),
    ("bob", None, "me.mood += random.randint(0, 9)\nif hall.closed: me.mood += 1"),
    ("cid", None, "me.mood += random.randint(0, 9) + me.trust"),
)


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    """Return a run of three people, two of whom are moody, and what makes it again."""
    return lived(tmp_path_factory.mktemp("runs") / "run", *FARE, steps=5)


def cohort(people, **other):
    folder, make = people
    how = {"at": 2, "until": 5, "kind": "Person", "field": "mood", "seeds": (1, 2, 3)}
    return Cohort(Path(folder), make, **(how | other))


def effects_of(cohort, code):
    untreated = {}
    return individuals(paired_lives(lives(cohort, cohort.arms(Intervention(code)), untreated)))


def test_who_gains_and_who_loses_is_told_person_by_person_whatever_chance_does(people):
    found = effects_of(cohort(people), "hall.closed = True")
    assert [(each.who, each.effects, each.gains, each.loses) for each in found] == [
        ("bob", (3.0, 3.0, 3.0), True, False),
        ("cid", (0.0, 0.0, 0.0), False, False),
        ("ann", (-6.0, -6.0, -6.0), False, True),
    ]


@pytest.mark.long
def test_each_person_is_treated_alone_where_the_intervention_says_who(people):
    found = effects_of(cohort(people), "{who}.trust = 4")
    assert {each.who: each.effects for each in found} == {"cid": (12.0,) * 3, "ann": (0.0,) * 3, "bob": (0.0,) * 3}


def test_common_seeds_spare_what_independent_groups_would_take(people):
    found = effects_of(cohort(people, seeds=(1, 2, 3, 4)), "hall.closed = random.random() < 0.5")
    assert seeds_spared(found) > 1


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"until": 2}, "not behind step 2"),
        ({"kind": "Persson"}, "no class 'Persson' here. Did you mean 'Person'"),
        ({"field": "heard"}, "is no number"),
        ({"field": "herd"}, "Person has no field 'herd'. Did you mean 'heard'"),
    ],
)
def test_what_has_no_outcome_is_refused(how, why, people):
    with pytest.raises(WorldError, match=why):
        effects_of(cohort(people, **how), "hall.closed = True")


def test_an_intervention_that_does_not_land_is_refused(people):
    with pytest.raises(WorldError, match="did not land"):
        effects_of(cohort(people), "hall.closed = nobody")


@pytest.mark.long
def test_a_cohort_that_was_broken_off_goes_on_and_comes_to_the_same(people, tmp_path, monkeypatch):
    """Broken off in the middle of writing a line, at that; and what is asked otherwise is lived anew."""
    whole = repr(effects_of(cohort(people), "hall.closed = True"))  # whose numbers may be nan
    file = tmp_path / "lives.jsonl"
    assert repr(effects_of(cohort(people, store=KeptLives(file)), "hall.closed = True")) == whole
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines)[:-30])
    forks = []
    monkeypatch.setattr(
        "cave_sim.causes.cohort.fork", lambda *given, **how: forks.append(how["seed"]) or fork(*given, **how)
    )
    assert repr(effects_of(cohort(people, store=KeptLives(file)), "hall.closed = True")) == whole
    assert forks == [3]
    assert repr(effects_of(cohort(people, store=KeptLives(file)), "hall.closed = True")) == whole
    assert forks == [3]
    assert repr(effects_of(cohort(people, store=KeptLives(file), until=4), "hall.closed = True")) != whole
    assert forks == [3, 1, 1, 2, 2, 3, 3]


def test_the_command_says_who_and_by_how_much(tmp_path, capsys):
    folder = tmp_path / "town"
    Recipe("town_day", {"seed": 7, "residents": 2}).make(folder).run(until=10).close()
    tired = ["--at", "8", "--set", "mayor.energy=0.3"]
    line = ["cohort", str(folder), *tired, "--outcome", "Mayor.energy", "--seeds", "2"]
    assert main(line) == 0
    shown = capsys.readouterr().out
    assert "mayor.energy = 0.3: Mayor.energy -0." in shown
    assert "0 gain, 1 lose" in shown
    assert "4 lives from step 8 to step 10" in shown
    assert main([*line, "--json", "--seeds", "1"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["who"] for each in told["cohorts"][0]["people"]] == ["mayor"]
    assert (tmp_path / "town-cohort" / "lives.jsonl").is_file()
    assert main([*line, "--html", str(tmp_path / "cohort.html")]) == 0
    page = (tmp_path / "cohort.html").read_text(encoding="utf-8")
    assert "Mayor.energy -0." in page
    assert 'style="--c:var(--vermilion)"' in page
    assert "loses</td>" in page
    assert main([*line, "--max-lives", "3"]) == 1
    assert "these are 4 lives" in capsys.readouterr().err
    each = ["--at", "8", "--set", "{who}.energy=0.3", "--outcome", "Mayor.energy", "--seeds", "1"]
    assert main(["cohort", str(folder), *each]) == 0
    assert "{who}.energy = 0.3: Mayor.energy -0." in capsys.readouterr().out
