"""Counterfactuals are exact or refused, cost no call that was not allowed, and are never worked out twice."""

import json
import threading
from pathlib import Path

import numpy as np
import pytest

from cave_sim import WorldError, open_run
from cave_sim.causes import Asked, Candidate, Counterfactuals, Effect, Removal, candidates, effects, ranked
from cave_sim.causes.provenance import Provenance
from cave_sim.causes.replies import Replies
from cave_sim.causes.results import Results
from cave_sim.causes.shortest import ddmin
from cave_sim.causes.workplace import Workplace
from cave_sim.cli.main import main
from cave_sim.journal.queries import state_hashes
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.verify import verify
from cave_sim.scenario import open_study
from cave_sim.simulation.treatment import Intervention
from tests.causes.test_planted import CHANCE, NOISE, PAY, ready
from tests.causes.worlds import hall, lived

STORM = Intervention("town.announcements.append('A storm is coming.')", at=3)


def test_a_run_that_a_script_changed_is_refused_with_the_reason(tmp_path):
    simulation = hall(*NOISE, out=tmp_path / "run")
    simulation.run(until=3)
    simulation.world["hall"].treasury = 5
    simulation.run(until=6).close()
    with pytest.raises(WorldError, match="a script changed its world between two steps"):
        Counterfactuals(tmp_path / "run", Asked("hall.treasury"), lambda: hall(*NOISE)).check()


def test_a_simulation_that_is_made_otherwise_is_refused(tmp_path):
    folder, _ = lived(tmp_path / "run", *NOISE)
    with pytest.raises(WorldError, match="nothing is taken out does not end as the run did"):
        Counterfactuals(folder, Asked("hall.treasury"), lambda: hall(("cid", None, "me.mood += 2"))).check()


def test_a_run_that_goes_on_is_asked_at_the_step_that_it_had_come_to(tmp_path, monkeypatch):
    simulation = hall(*NOISE, out=tmp_path / "run")
    simulation.run(until=2)

    def meanwhile(run):
        found = state_hashes(run)
        simulation.step()
        return found

    monkeypatch.setattr("cave_sim.causes.counterfactual.state_hashes", meanwhile)
    asked = Counterfactuals(tmp_path / "run", Asked("hall.treasury"), lambda: hall(*NOISE))
    asked.check()
    simulation.close()
    assert asked.at == 2


def test_of_two_that_promise_the_same_the_one_whose_fork_costs_less_is_tried_first(tmp_path):
    folder, _ = lived(tmp_path / "run", ("ann", 2, "me.mood += 1"), ("bob", 4, "me.mood += 1"))
    with open_run(folder) as run:
        found = candidates(run, "turns", 6, Provenance(run, {("", "mood")}, 6))
    assert [each.agent for each in found] == ["bob", "ann"]


PAID_THEN_PAID = (("ann", 2, "hall.treasury -= 10"), ("bob", 3, "hall.treasury -= 1"))


def unpaid(world):
    """Fail where ann did not pay, as a rule does that was never meant for that."""
    if world["hall"].treasury >= 99 and world.clock.step == 5:
        raise ZeroDivisionError("of a stranger")


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"dynamics": unpaid}, "its fork broke off: ZeroDivisionError: of a stranger"),
        ({"measures": {"left": lambda world: world["hall"].treasury + 1 / (99 - world["hall"].treasury)}}, "its fork"),
        ({"measures": {"left": lambda world: (world["hall"].treasury, float("nan"))[unsound(world)]}}, "comes to nan"),
        (
            {"measures": {"left": lambda world: (world["hall"].treasury, -float("inf"))[unsound(world)]}},
            "comes to -inf",
        ),
    ],
    ids=["a rule fails", "a measure fails", "nan", "infinite"],
)
def test_a_life_that_comes_to_no_figure_is_unknown_and_the_others_are_told(how, why, tmp_path):
    run = lived(tmp_path / "run", *PAID_THEN_PAID, steps=6, **how)
    found = list(effects(*ready(run, "left" if "measures" in how else "hall.treasury")))
    unknown = [each for each in found if each.why]
    assert [each.candidate.agent for each in unknown] == ["ann"]
    assert why in unknown[0].why
    assert [(each.candidate.agent, round(each.mean)) for each in ranked(found)] == [("bob", -1)]


def unsound(world):
    return world["hall"].treasury >= 99 and world.clock.step > 4


@pytest.mark.parametrize(
    "text",
    [
        "1e308 * 10",
        "1e308 * 10 - 1e308 * 10",
        "10 ** 400",
        "nothing",
        "hall.nothing",
        "hall.notices",
        "1 +",
        "hall.treasury = 3",
    ],
)
def test_a_question_without_an_answer_is_refused(text, tmp_path):
    folder, make = lived(tmp_path / "run", *NOISE, steps=2)
    with pytest.raises(WorldError):
        Counterfactuals(folder, Asked(text), make).check()


@pytest.mark.long
def test_what_is_known_is_not_worked_out_again_and_a_search_goes_on_where_it_was(tmp_path):
    folder, make = lived(tmp_path / "run", ("ann", 1, PAY), *NOISE)

    def search(max_forks):
        counterfactuals = Counterfactuals(
            folder, Asked("hall.treasury"), make, results=Results(tmp_path / "why" / "results.jsonl")
        )
        counterfactuals.check()
        with open_run(folder) as run:
            found = candidates(run, "turns", 8, Provenance(run, (), 8))[::-1]
        tried = list(effects(counterfactuals, found, max_forks=max_forks))
        return len(tried), counterfactuals.forks, len(ranked(tried))

    assert search(4) == (4, 4, 0)
    with (tmp_path / "why" / "results.jsonl").open("a") as file:
        file.write('{"key": "cut o')
    assert search(100) == (9, 5, 1)
    assert search(0) == (9, 0, 1)


def test_two_searches_at_once_work_nothing_out_twice(tmp_path):
    folder, make = lived(tmp_path / "run", ("ann", 1, PAY), *NOISE, steps=3)
    _, found = ready((folder, make), "hall.treasury")
    kept = tmp_path / "why"
    here = {"results": Results(kept / "results.jsonl"), "workplace": Workplace(kept)}
    one = Counterfactuals(folder, Asked("hall.treasury"), make, **here)
    other = Counterfactuals(folder, Asked("hall.treasury"), make, **here | {"results": Results(kept / "results.jsonl")})
    for search in (one, other):
        search.check()
        assert len(list(effects(search, found))) == len(found)
    assert (one.forks, other.forks) == (len(found), 0)


def test_forks_of_one_run_take_turns_and_clear_away_what_a_killed_one_left(tmp_path):
    place, entered = Workplace(tmp_path / "why"), threading.Event()

    def enter():
        with place.alone():
            entered.set()

    other = threading.Thread(target=enter)
    with place.alone():
        other.start()
        assert not entered.wait(0.1)
    assert entered.wait(30)
    other.join()
    (tmp_path / "why" / ".fork").mkdir(parents=True)
    with place.passing() as fork:
        assert not fork.exists()
        fork.mkdir()
    assert not fork.exists()


def test_a_folder_with_the_lock_of_a_killed_search_and_nothing_else_is_taken_back_by_the_next_one(tmp_path):
    (tmp_path / "why").mkdir()
    (tmp_path / "why" / "run.lock").touch()
    with Workplace(tmp_path / "why").alone():
        pass
    assert list(tmp_path.iterdir()) == []


def test_no_two_forks_are_in_a_folder_that_each_takes_back_when_it_leaves(tmp_path):
    inside, met = [], []

    def fork():
        for _ in range(20):
            with Workplace(tmp_path / "why").alone():
                inside.append(1)
                met.append((len(inside), (tmp_path / "why").is_dir()))
                inside.pop()

    forks = [threading.Thread(target=fork) for _ in range(3)]
    for each in forks:
        each.start()
    for each in forks:
        each.join()
    assert met == [(1, True)] * 60


@pytest.mark.long
def test_forks_that_made_a_difference_are_kept_as_runs_that_verify(tmp_path):
    folder, make = lived(tmp_path / "run", ("ann", 1, PAY), *NOISE)
    counterfactuals, found = ready((folder, make), "hall.treasury")
    tried = list(effects(counterfactuals, found, keep=tmp_path))
    assert [each.fork for each in tried if each.fork] == [tmp_path / "run-without-ann-at-1"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run", "run-without-ann-at-1"]
    with open_run(tmp_path / "run-without-ann-at-1") as run:
        assert run.manifest["without"]["moments"] == [["ann", 1]]
        assert [turn for turn in run.turns() if turn.agent == "ann"] == []


def test_common_futures_differ_between_seeds_and_not_within_one(tmp_path):
    folder, make = lived(tmp_path / "run", ("ann", 1, PAY), CHANCE)
    counterfactuals, _ = ready((folder, make), "hall.treasury")
    values = [counterfactuals.outcome(Removal(), 1, seed=seed).value for seed in (1, 2, 3, 4, 2)]
    assert values[0] == counterfactuals.fact
    assert len(set(values[:4])) > 1
    assert values[1] == values[4]


def test_over_seeds_one_search_in_twenty_at_the_most_calls_one_a_cause_that_is_none():
    """40 searches among five candidates whose effects are noise around 0, over six futures each."""
    noise = np.random.default_rng(7).normal(size=(40, 5, 6))
    errors = 0
    for search in noise:
        tried = [
            Effect(Candidate("turns", "ann", step, (step,), ""), tuple((float(each), 0.0) for each in row))
            for step, row in enumerate(search)
        ]
        errors += bool(ranked(tried))
    assert errors <= 40 * 0.05 + 3 * (40 * 0.05 * 0.95) ** 0.5


@pytest.mark.long
def test_the_most_promising_first_finds_the_cause_with_few_forks(tmp_path):
    """Five people busy with themselves for twenty steps, one of whom says the word on which another one acts."""
    busy = tuple((name, None, "me.mood += 1") for name in ("ann", "bob", "cid", "dan", "eve"))
    acts = (*busy, ("dan", 11, "bob.heard.append('pay')"), ("bob", 15, "if me.heard: hall.treasury -= 30"))
    run = lived(tmp_path / "run", *acts, names=("ann", "bob", "cid", "dan", "eve"), steps=20)
    counterfactuals, found = ready(run, "hall.treasury")
    in_time = sorted(found, key=lambda each: each.turns)
    assert len(found) == 100
    assert _forks_to_both(counterfactuals, found) <= 6
    assert _forks_to_both(counterfactuals, in_time) == 77


def _forks_to_both(counterfactuals, found):
    """Return how many are tried until both who caused it are known."""
    causes = 0
    for number, effect in enumerate(effects(counterfactuals, found), 1):
        causes += effect.mean != 0
        if causes == 2:
            return number
    raise AssertionError


@pytest.fixture(scope="module")
def village(tmp_path_factory):
    """Return a morning of three people who ask a scripted model."""
    folder = tmp_path_factory.mktemp("runs") / "village"
    recipe = Recipe("village_day", {"seed": 5, "residents": 3, "start": "2012-06-01T10:00"}, ModelChoice())
    recipe.make(folder).run(until=8).close()
    return folder, recipe


def test_no_model_is_asked_unless_that_is_allowed(village):
    folder, recipe = village
    with open_run(folder) as run:
        somebody = candidates(run, "agents", 8, Provenance(run, (), 8))[0]
    frugal = Counterfactuals(folder, Asked("len(world.all(Resident))"), recipe)
    frugal.check()
    unknown = frugal.outcome(Removal.of([somebody]), somebody.step)
    free = Counterfactuals(folder, Asked("len(world.all(Resident))"), recipe, may_ask=None)
    free.check()
    known = free.outcome(Removal.of([somebody]), somebody.step)
    assert unknown.value is None or unknown.asked == 0
    assert known.value is not None
    assert known.reused > 0
    with open_run(folder) as run:
        assert known.asked < sum(1 for _ in run.calls())


@pytest.mark.long
def test_what_the_minds_of_a_killed_fork_were_answered_is_not_paid_for_again(village, tmp_path):
    folder, recipe = village
    with open_run(folder) as run:
        somebody = candidates(run, "agents", 8, Provenance(run, (), 8))[0]

    def search(place):
        how = {"replies": Replies(place / "replies.jsonl"), "workplace": Workplace(place), "may_ask": None}
        return Counterfactuals(folder, Asked("len(world.all(Resident))"), recipe, **how)

    def without(search, **how):
        return search.outcome(Removal.of([somebody]), somebody.step, **how).asked

    killed = tmp_path / "cut" / ".fork"
    killed.parent.mkdir()
    assert without(search(tmp_path / "whole"), out=killed) > 0
    assert without(search(tmp_path / "cut")) == 0
    assert not killed.exists()


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    """Return a morning in a town with an announcement that was planned."""
    folder = tmp_path_factory.mktemp("runs") / "town"
    Recipe("town_day", {"seed": 7, "residents": 3}, interventions=(STORM,)).make(folder).run(until=12).close()
    return folder


def test_the_command_says_what_who_when_and_how_sure(town, capsys):
    assert main(["why", str(town), "len(town.announcements)", "--among", "interventions", "--keep"]) == 0
    shown = capsys.readouterr().out
    assert "len(town.announcements): 2 at step 12. A fork on which nothing is taken out ends as the run did." in shown
    assert "1. +1 (1 without)\n   step 3, operator (2012-06-01 06:30): announces: “A storm" in shown
    assert "without an interval: other seeds may differ" in shown
    [kept] = town.parent.glob("town-without-intervention-*")
    with open_run(kept) as run:
        assert verify(run, lambda: Recipe.of(run.manifest).without_model().make()).holds


@pytest.mark.long
def test_the_command_prints_one_json_object(town, capsys):
    assert main(["why", str(town), "len(town.announcements)", "--among", "interventions", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["fact"], told["tried"], [each["effect"] for each in told["causes"]]) == (2.0, 1, [1.0])
    assert main(["why", str(town), "len(town.announcements) > 1", "--shortest", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["without"]["turns"] is None  # the mayor would say it a step later
    assert [each["agent"] for each in told["alone"]["turns"]] == ["mayor"]
    assert told["without"]["scenario"] is None
    assert main(["study", told["alone"]["scenario"], "--out", str(town.parent / "alone"), "--quiet"]) == 0
    assert open_study(town.parent / "alone").frame()["condition_held"].to_list() == [1.0]


def test_ctrl_c_prints_what_is_known(town, tmp_path, capsys, monkeypatch):
    whole = Counterfactuals.outcome

    def interrupted(self, *args, **how):
        if self.forks == 2:
            raise KeyboardInterrupt
        return whole(self, *args, **how)

    monkeypatch.setattr(Counterfactuals, "outcome", interrupted)
    assert main(["why", str(town), "mayor.energy", "--out", str(tmp_path)]) == 130
    assert "2 forks were run" in capsys.readouterr().out
    assert len(Path(tmp_path / "results.jsonl").read_text().splitlines()) == 2


@pytest.mark.long
def test_ctrl_c_in_a_search_for_the_shortest_cause_prints_the_best_that_was_found(town, tmp_path, capsys, monkeypatch):
    whole, brought_about = Counterfactuals.outcome, []

    def interrupted(self, removal, *args, **how):
        if brought_about:
            raise KeyboardInterrupt
        found = whole(self, removal, *args, **how)
        brought_about.extend([removal] if removal.silence.only and found.value is True else [])
        return found

    monkeypatch.setattr(Counterfactuals, "outcome", interrupted)
    line = ["why", str(town), "len(town.announcements) > 1", "--shortest", "--out", str(tmp_path)]
    assert main(line) == 130
    assert "1 turn brings it about (there may be fewer: the same command goes on):\n   step " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (["town.announcements != 3", "--shortest", "--seeds", "2"], "among the turns of one history"),
        (["len(town.announcements)", "--ever"], "only a condition can have held ever"),
        (["len(town.announcements) > 5", "--shortest"], "never held"),
        (["len(town.announcements)", "--at", "3", "--among", "interventions"], "no interventions landed"),
        (["len(town.announcements)", "--at", "99"], "no step 99"),
        (["treasurry"], "Did you mean the measure 'treasury (EUR)'?"),
        (["MOOOD > 1"], "Did you mean the measure 'mood'?"),
        (["len(world.all(Residant))"], "nothing of class 'Residant'. Did you mean 'Resident'?"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_line(line, why, town, capsys):
    assert main(["why", str(town), *line]) == 1
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("needed", [{3}, {0, 9}, {2, 3, 4}, {0, 5, 6, 11}, set(range(12))])
def test_ddmin_finds_what_is_needed(needed):
    assert set(ddmin(list(range(12)), lambda part: needed <= set(part))) == needed
