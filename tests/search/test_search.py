"""The least change that flips a condition is found where it is known, and is a scenario that flips it."""

import json
from contextlib import suppress

import pytest

from cave_sim import WorldError
from cave_sim.causes import Asked
from cave_sim.changes.plain_world import PlainWorld
from cave_sim.cli.main import main
from cave_sim.experiment.runner import TRIALS
from cave_sim.history.condition import Condition
from cave_sim.scenario import load_scenario, parse_scenario, run_study
from cave_sim.search import Goal, Search, SearchSpace
from cave_sim.search.goal import margin
from cave_sim.search.optimiser import Flip, OutOfTrials, optimise
from tests.search import levy

TEXT = """
name: levy
simulation: tests.search.levy
measures: {till: town.till}
interventions:
  - {at: 2, cell: "town.till -= ${cut}"}
  - {at: 3, cell: "town.people -= ${leave}"}
parameters:
  cut: {low: 0, high: 100, usual: 0}
  leave: {low: 0, high: 6, usual: 0, whole: true}
"""


def searched(out, goal, text=TEXT, *, ever=False, **how):
    search = Search(parse_scenario(text), Goal(goal, ever), out, **how)
    search.run()
    return search


def change(search):
    return search.space.changed(search.best.change)


SPACE = SearchSpace.of(parse_scenario(TEXT))
COINS = TEXT.replace("high: 100, usual: 0", "high: 100, usual: 0, whole: true")


def optimised(flips_by, most=200):
    """Return the smallest change that flips what is worked out and not run, and how many were tried."""
    tried = {}

    def evaluate(changes):
        for each in changes:
            if each not in tried and len(tried) >= most:
                raise OutOfTrials
            margin = flips_by(*each)
            tried[each] = Flip(margin is not None and margin > 0, margin)
        return [tried[each] for each in changes]

    with suppress(OutOfTrials):
        optimise(SPACE, evaluate, 7)
    flipping = [each for each in tried if tried[each].flips]
    return min(flipping, key=SPACE.size, default=None), len(tried)


def test_the_least_change_is_found_where_one_thing_does_it_alone_and_where_two_are_needed():
    assert optimised(lambda cut, leave: cut + 5 * leave - 20) == ((20.1, 0.0), pytest.approx(60, abs=40))
    assert optimised(lambda cut, leave: min(cut + 5 * leave - 20, leave - 1.5))[0] == (10.1, 2.0)
    assert optimised(lambda cut, leave: leave - 3)[0] == (0.0, 4.0)


def test_what_never_flips_takes_the_whole_budget_and_what_cannot_be_tried_is_passed_over():
    assert optimised(lambda cut, leave: -1.0 - cut, most=50) == (None, 50)
    assert optimised(lambda cut, leave: None if cut > 60 else cut - 40)[0] == (40.1, 0.0)


def test_a_larger_budget_finds_nothing_worse():
    sizes = [SPACE.size(optimised(lambda cut, leave: cut + leave - 20.35, most)[0]) for most in (12, 20, 40, 80)]
    assert sizes == sorted(sizes, reverse=True)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    return searched(tmp_path_factory.mktemp("search") / "alone", "till < 0", COINS, max_forks=20)


@pytest.mark.long
def test_trials_find_it_as_well(alone):
    assert change(alone) == {"cut": 21}  # 20 leaves the till at 0
    assert alone.trials <= 20


@pytest.mark.long(cases=0)
def test_what_was_found_is_a_scenario_that_flips_the_condition_and_a_little_less_is_none(alone, tmp_path):
    found = load_scenario(alone.out / "found.yaml")
    folder, _ = run_study(found, tmp_path / "found")
    assert folder.frame()[["goal_holds", "till"]].round(6).to_dict("records") == [{"goal_holds": 1, "till": -1}]
    less, _ = run_study(alone.to_scenario((20.0, 0.0)), tmp_path / "less")
    assert list(less.frame()["goal_holds"]) == [0]


def test_the_front_has_nothing_that_another_change_beats(alone):
    found = alone.front
    assert [each.size for each in found] == sorted(each.size for each in found)
    assert [each.outcome.margin for each in found] == sorted(each.outcome.margin for each in found)
    for each in alone.tried.values():
        assert not any(each.size < one.size and each.outcome.margin > one.outcome.margin for one in found)
    assert alone.best in found
    assert "<svg" in (alone.out / "front.svg").read_text()


def test_steps_before_anything_differs_are_run_once(alone):
    assert alone.shared >= 2 * (alone.trials - 1)


def test_a_condition_that_holds_as_usual_is_flipped_to_where_it_does_not(alone):
    text = TEXT.replace("usual: 0}\n  leave", "usual: 50}\n  leave")
    search = searched(alone.out.with_name("holds"), "till < 0", text, max_forks=4)
    assert search.holds
    assert change(search)["cut"] < 20.1


@pytest.mark.long
def test_one_that_held_after_any_step_counts_where_it_is_asked_for_ever(tmp_path):
    text = TEXT.replace("parameters:", "  - {at: 6, set: {town.till: 50}}\nparameters:")
    assert change(searched(tmp_path / "ever", "till < 0", text, ever=True, max_forks=4))
    assert searched(tmp_path / "end", "till < 0", text, max_forks=4).best is None


@pytest.mark.long
def test_measures_of_the_simulation_and_functions_are_named_like_those_of_the_scenario(tmp_path, alone):
    text = COINS.replace("{till: town.till}", "{till: town.till, heads: 'tests.search.levy:heads'}")
    goal = 'coins < 0 and measures["people (town)"] == 6 and heads > 5 and measures["till"] < 0'
    found = searched(tmp_path / "end", goal, text, max_forks=alone.trials)
    assert change(found) == change(alone)
    text = TEXT.replace("parameters:", "  - {at: 6, set: {town.till: 50}}\nparameters:")
    assert change(searched(tmp_path / "ever", "coins < 0", text, ever=True, max_forks=4))


def test_why_asks_of_measures_in_the_same_words():
    asked = Asked('coins < 21 and measures["people (town)"] == 6')
    assert asked.value(levy.create(seed=1)) is True


@pytest.mark.long
def test_a_search_that_was_broken_off_goes_on_with_what_is_there(tmp_path, alone):
    told = []

    def interrupt(tried):
        told.append(tried)
        if len(told) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        searched(tmp_path / "broken", "till < 0", COINS, on_trial=interrupt)
    journals = {path: path.stat().st_mtime_ns for path in (tmp_path / "broken" / TRIALS).glob("*/run.sqlite")}
    again = searched(tmp_path / "broken", "till < 0", COINS, max_forks=len(journals) + 1)
    assert len(journals) >= 3
    assert {path: path.stat().st_mtime_ns for path in journals} == journals
    assert list(again.tried.values()) == list(alone.tried.values())[: len(journals) + 1]


def test_what_cannot_be_brought_about_is_told(tmp_path):
    text = TEXT.replace("town.till -= ${cut}", "town.till -= ${cut} if ${cut} < 60 else None")
    search = searched(tmp_path / "some", "till < 0", text, max_forks=3)
    assert search.failed == 1
    assert "did not land" in search.why


@pytest.mark.long
def test_the_command_finds_it_and_says_where_nothing_does(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "levy.yaml").write_text(TEXT)
    assert main(["search", "levy.yaml", "till < 0", "--max-forks", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["best"]["flips"]
    for goal, folder in {"till < 1": "search-levy-2", "till < 0": "search-levy"}.items():
        assert main(["search", "levy.yaml", goal, "--max-forks", "4", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["scenario"] == f"runs/{folder}/found.yaml"
    never = ["search", "levy.yaml", "till < -1000", "--max-forks", "3", "--out", "never"]
    assert main(never) == 1
    shown = capsys.readouterr().out
    assert "nothing flips it among 3 changes" in shown
    assert "nearest: " in shown
    assert main([*never, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["best"], told["scenario"], told["picture"]) == (None, None, None)


@pytest.mark.parametrize(
    ("text", "goal", "told"),
    [
        (TEXT.replace(", usual: 0", "").replace("parameters:", "sampling: {method: sobol, points: 2}\nparameters:"),
         "till < 0", "low, high and usual"),
        (TEXT, "till <", "cannot be read"),
        (TEXT, "tilt < 0", "ask 'tilt' in world and tilt.FIELD. Did you mean till?"),
        (TEXT, "people(town) < 3", 'till, coins, measures["people (town)"]'),
        (TEXT, "people_town < 3", 'Did you mean measures["people (town)"]?'),
        (TEXT, 'measures["coin"] < 3', 'till, coins, measures["people (town)"]'),
        (TEXT.replace("${leave}", "1"), "till < 0", "nothing has a place for ${leave}"),
        (TEXT.replace("simulation: tests.search.levy", "simulation: nowhere"), "till < 0", "nowhere"),
        (TEXT.replace("high: 100, usual: 0", "high: 100, usual: 101"), "till < 0", "usual lies between low and high"),
        (TEXT.replace("usual: 0, whole", "usual: 0.5, whole"), "till < 0", "usual is a whole number"),
        (TEXT.replace("high: 100", "high: 1.0e+300"), "till < 0", "reaches further than a table can hold"),
    ],
)  # fmt: skip
def test_what_cannot_be_searched_is_said_in_a_line(tmp_path, text, goal, told):
    with pytest.raises(WorldError) as error:
        searched(tmp_path / "bad", goal, text, max_forks=3)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("condition", "by"),
    [
        ("town.till < 5", -15), ("town.till >= 5", 15), ("not town.till < 5", 15), ("0 < town.till < 25", 5),
        ("town.till > 0 and town.people > 4", 2), ("town.till < 0 or town.people > 4", 2), ("town.people == 6", 1),
        ("town.people in [1, 2]", -1),
    ],
)  # fmt: skip
def test_a_condition_holds_by_a_margin_that_is_below_0_where_it_does_not_hold(condition, by):
    world = PlainWorld({"town": {"type": "Town", "fields": {"till": 20, "people": 6}}})
    assert Condition(margin(condition)).value(world) == by
    assert Condition(condition).holds(world) is (by > 0)
