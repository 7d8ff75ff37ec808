"""Rules that are planted are found, those that are not are not, and a run that breaks one is told by its step."""

import json
from collections import Counter
from copy import deepcopy
from random import Random

import numpy as np
import pytest

from cave_sim import JournalError, open_run
from cave_sim.changes.plain_world import PlainWorld
from cave_sim.cli.main import main
from cave_sim.history.condition import Condition
from cave_sim.history.condition_over_steps import ConditionOverSteps
from cave_sim.journal.rebuild import entities_by_step
from cave_sim.rules import Breach, RunTable, mined, read_table
from cave_sim.rules.field_rules import Settled, Trend
from cave_sim.rules.happening import Happening
from cave_sim.rules.mining import ALPHA
from cave_sim.rules.pair_rules import Precedence, Response
from cave_sim.rules.promotion import invariant_of
from cave_sim.rules.table import Column, ColumnKey, Frame
from cave_sim.scenario.reading import load_scenario
from tests.rules.worlds import lived, town


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Return a run that keeps its rules, the same that breaks some from step 40 on, and one of another seed."""
    folder = tmp_path_factory.mktemp("rules")
    return (
        lived(folder / "kept"),
        lived(folder / "broken", broken_from=40),
        lived(folder / "other", seed=2),
    )


def table_of(folder, like=None):
    with open_run(folder) as run:
        return read_table([run], like)


@pytest.fixture(scope="module")
def found(runs):
    """Return the table of the run, and its rules by what they say."""
    table = table_of(runs[0])
    return table, {each.rule.sentence: each for each in mined(table).rules}


PLANTED = {
    "bank’s cash and all Guests’ purse together stay 400": "bank.cash + sum(p.purse for p in world.all(Guest)) == 400",
    "while sky’s is_dark is True, square’s lamp is 'on'": "not sky.is_dark or square.lamp == 'on'",
    "square’s fund is never below 0": "square.fund >= 0",
    "whenever sky’s rain_mm falls, square’s river_cm rises in the same step": (
        "not (sky.rain_mm < was(sky.rain_mm)) or (square.river_cm > was(square.river_cm))"
    ),
    "square’s visitors never falls": "square.visitors >= was(square.visitors)",
    "square’s notice never changes after step 25": "world.step <= 25 or not (square.notice != was(square.notice))",
    "a Guest’s has_come becomes True only after its is_invited becomes True": (
        "all(not (p.has_come and was(not p.has_come)) or earlier(p.is_invited and was(not p.is_invited))"
        " for p in world.all(Guest))"
    ),
}


def test_rules_that_are_planted_are_found_each_as_a_condition(found):
    rules = found[1]
    assert {told: rules[told].rule.condition() for told in PLANTED if told in rules} == PLANTED
    assert rules["bank’s cash and all Guests’ purse together stay 400"].bits == max(
        each.bits for each in rules.values()
    )


def test_a_run_that_breaks_a_rule_is_told_by_step_and_one_that_does_not_keeps_all(runs, found):
    table, rules = found
    broken = table_of(runs[1], table)
    breaches = {told: each.rule.breach(broken) for told, each in rules.items() if each.rule.breach(broken) is not None}
    assert breaches["while sky’s is_dark is True, square’s lamp is 'on'"] == Breach("broken", 40, "")
    assert breaches["bank’s cash and all Guests’ purse together stay 400"] == Breach("broken", 40, "")
    assert breaches.keys() <= {told for told in rules if "lamp" in told or "purse" in told}
    assert not [told for told, each in rules.items() if each.rule.breach(table) is not None]


def test_planted_rules_hold_with_another_seed_too(runs, found):
    table, rules = found
    other = table_of(runs[2], table)
    assert {told: rules[told].rule.breach(other) for told in PLANTED} == dict.fromkeys(PLANTED)


def test_a_condition_turns_false_at_the_very_step_at_which_its_rule_is_broken(runs, found):
    told = [each for each in found[1].values() if not Condition(each.rule.condition()).looks_back]
    broken = table_of(runs[1], found[0])
    first = dict.fromkeys(each.rule.sentence for each in told)
    with open_run(runs[1]) as run:
        for step, entities in entities_by_step(run):
            for each in told:
                sentence, condition = each.rule.sentence, Condition(each.rule.condition())
                if first[sentence] is None and not condition.holds(PlainWorld(entities)):
                    first[sentence] = step
    breaches = {each.rule.sentence: each.rule.breach(broken) for each in told}
    assert first == {told: breach and breach.step for told, breach in breaches.items()}


def test_a_rule_of_two_runs_is_one_that_both_keep(runs, found):
    with open_run(runs[0]) as one, open_run(runs[1]) as other:
        both = {each.rule.sentence for each in mined(read_table([one, other])).rules}
    assert "square’s fund is never below 0" in both
    assert "while sky’s is_dark is True, square’s lamp is 'on'" not in both


def walk(draw):
    return draw.choice([-1.0, 1.0], size=60).cumsum()


def noise(draw):
    return draw.normal(size=60)


def bursts(draw):
    """Quiet for long, and then busy for some steps."""
    busy = np.zeros(60)
    for step in range(1, 60):
        busy[step] = draw.random() < (0.8 if busy[step - 1] else 0.05)
    return (busy * draw.choice([-1.0, 1.0], size=60)).cumsum()


def words(draw):
    return draw.integers(0, 3, size=60).astype(float)


def unrelated(seed, rows):
    """Return a table of fields that have nothing to do with each other; entities do things together, or each alone."""
    draw, columns = np.random.default_rng(seed), {}
    for number, kind in enumerate([walk, noise, bursts, words] * 2):
        key = ColumnKey("Person", True, f"field_{number}")
        own = np.stack([kind(draw)] * rows if number < 4 else [kind(draw) for _ in range(rows)])
        columns[key] = Column(key, own, ("a", "b", "c") if kind is words else None)
    units = tuple((0, f"person_{row}") for row in range(rows))
    return RunTable(("run",), {"Person": Frame(units, columns, np.tile(np.arange(60), (rows, 1)))})


@pytest.mark.long
def test_of_runs_in_which_nothing_has_to_do_with_anything_no_more_have_a_rule_than_is_said():
    with_rules = [seed for seed in range(40) if mined(unrelated(seed, 1 + seed % 3)).rules]
    assert len(with_rules) <= ALPHA * 40


def test_where_the_steps_of_each_field_are_put_in_an_order_of_its_own_only_bounds_are_left(found):
    table = found[0]
    draw, shuffled = np.random.default_rng(3), {}
    for kind, frame in table.frames.items():
        columns = {
            key: Column(key, column.values[:, draw.permutation(column.values.shape[1])], column.labels, column.is_whole)
            for key, column in frame.columns.items()
        }
        shuffled[kind] = Frame(frame.units, columns, frame.steps)
    left = mined(RunTable(table.runs, shuffled, table.single)).rules
    assert {each.rule.family for each in left} == {"bounds"}  # which know no order


def test_a_rule_becomes_an_invariant_of_a_world(found):
    rule = found[1]["while sky’s is_dark is True, square’s lamp is 'on'"].rule
    world = town().world
    names = {"world": world}
    exec("from cave_sim.history.condition import Condition\n" + invariant_of(rule.sentence, rule.condition()), names)
    world.grant("clerk", "*")
    turn = world.execute("sky.is_dark = True", agent="clerk")
    assert turn.status == "failed"
    assert "lamp is 'on'" in turn.error
    assert world.execute("square.lamp = 'on'; sky.is_dark = True", agent="clerk").status == "committed"


def test_the_command_shows_few_rules_of_each_kind_and_which_run_breaks_them(runs, capsys):
    assert main(["rules", str(runs[0]), "--most", "1", "--on", str(runs[1])]) == 0
    shown = capsys.readouterr().out
    assert "broken: broken at step 40" in shown
    assert "all 1 kept" in shown
    assert main(["rules", str(runs[0]), "--on", str(runs[1]), str(runs[0]), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert all(each["on"][1]["is_kept"] for each in data["rules"])
    assert sum(not each["on"][0]["is_kept"] for each in data["rules"]) >= 2


@pytest.fixture(scope="module")
def day(lived):
    """Return a run of a simulation that goes by a name."""
    return lived("town_day")


@pytest.mark.long
def test_a_promoted_rule_is_a_scenario_that_ends_where_it_is_broken(day, tmp_path, capsys):
    assert main(["rules", str(day), "--json"]) == 0
    number = next(
        each["number"] for each in json.loads(capsys.readouterr().out)["rules"] if "was(" not in each["condition"]
    )
    out = tmp_path / "rule.yaml"
    assert main(["rules", str(day), "--promote", str(number), "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    scenario = load_scenario(out)
    assert f"--stop-when '{scenario.stop}'" in shown.replace("'\"'\"'", "'")
    assert scenario.measures["rule_is_kept"].value == f"1 if {scenario.stop.removeprefix('not (')[:-1]} else 0"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (["--promote", "900"], "rules have the numbers from 1 to"),
        (["--out", "x.yaml"], "say which by --promote"),
        (["--on", "nowhere"], "nowhere"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(runs, capsys, line, told):
    assert main(["rules", str(runs[0]), *line]) != 0
    assert told in capsys.readouterr().err


def any_rules(table, count):
    """Return rules of two moments about whatever a table has, most of which do not hold."""
    random = Random(5)
    for _ in range(count):
        columns = random.choice(list(table.frames.values())).columns
        one, other = (columns[random.choice(list(columns))] for _ in range(2))
        events = [
            Happening(each.key, "becomes", random.choice(each.labels))
            if each.labels and random.random() < 0.8
            else Happening(each.key, random.choice(["changes"] if each.labels else ["rises", "falls", "changes"]))
            for each in (one, other)
        ]
        yield Response(*events, random.choice([0, 1, 3]))
        yield Precedence(*events)
        yield Settled(one.key, random.randrange(80))
        if not one.labels:
            yield Trend(one.key, random.choice(["falls", "rises"]))


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("which", [0, 1, 2])
def test_as_a_condition_a_rule_is_broken_in_the_step_in_which_the_table_says_so(runs, found, which):
    table = table_of(runs[which], like=found[0])
    with open_run(runs[which]) as run:
        states = [(step, deepcopy(entities)) for step, entities in entities_by_step(run)]
    rules = [*any_rules(found[0], 60), *(each.rule for each in found[1].values())]
    broken = Counter()
    for rule in rules:
        condition = ConditionOverSteps(Condition(rule.condition()))
        first = next((step for step, entities in states if not condition.holds(PlainWorld(entities))), None)
        breach = rule.breach(table)
        late = rule.within if isinstance(rule, Response) else 0
        assert first == (breach.step + late if isinstance(breach, Breach) else None), rule.sentence
        broken[type(rule)] += isinstance(breach, Breach)
    assert min(broken[kind] for kind in (Response, Precedence, Settled, Trend)) > 5


@pytest.mark.long
def test_a_promoted_rule_that_looks_back_stops_a_run_and_a_scenario_where_it_is_broken(day, tmp_path, capsys):
    main(["rules", str(day), "--json"])
    told = {each["rule"]: each["number"] for each in json.loads(capsys.readouterr().out)["rules"]}
    number = told["weather’s temperature_c never falls"]
    out = tmp_path / "rule.yaml"
    assert main(["rules", str(day), "--promote", str(number), "--out", str(out)]) == 0
    assert "invariant:   none: it looks back" in capsys.readouterr().out
    scenario = load_scenario(out)
    assert (scenario.stop, scenario.measures) == ("not (weather.temperature_c >= was(weather.temperature_c))", {})


def test_what_two_runs_have_in_common_counts_once(runs, tmp_path):
    kept, broken, _ = runs
    with open_run(kept) as one, open_run(broken) as other:
        steps = read_table([one, other]).frames[""].steps
    assert (steps[0, 0], steps[1, 0]) == (0, 39)
    again = lived(tmp_path / "again")
    with open_run(kept) as one, open_run(again) as other, pytest.raises(JournalError, match="twice"):
        read_table([one, other])


def test_a_run_that_is_named_twice_does_not_count_twice(day, capsys):
    assert main(["rules", str(day), f"{day}/../{day.name}"]) == 1
    assert "named twice" in capsys.readouterr().err


def test_a_run_without_steps_has_none_and_one_of_a_step_has_no_rule(tmp_path, capsys):
    town(out=tmp_path / "none").close()
    with open_run(tmp_path / "none") as run:
        count = len(run.steps())
    assert main(["rules", str(tmp_path / "none")]) == (0 if count else 1)
    lived(tmp_path / "one", steps=1)
    capsys.readouterr()
    assert main(["rules", str(tmp_path / "one")]) == 0
    assert capsys.readouterr().out.startswith("no rule")
