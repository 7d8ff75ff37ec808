"""A check finds what cannot work before anything is spent, with its line, and says what the study will take."""
# ruff: noqa: E501  # one mistake a line

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import Entity, World, WorldError, field
from cave_sim.cli.main import main
from cave_sim.history.condition import Condition
from cave_sim.replay.simulation_names import find
from cave_sim.scenario.bounds import outlook
from cave_sim.scenario.check import check_scenario
from cave_sim.scenario.marks import marked
from cave_sim.scenario.plans import ScenarioTrial, plan_of
from cave_sim.scenario.points import points_of, telling_points
from cave_sim.scenario.reading import parse_scenario

TEXT = """\
name: notes
simulation: town_day
options: {step_s: 1200}
residents: 2
steps: 12
measures:
  awake: sum(p.activity != "sleeping" for p in world.all(Resident))
stop: town.treasury_cents < 5
conditions:
  none: {}
  other:
    interventions:
      - {at: 3, agent: mayor, act: {entity: mayor, method: note, arguments: {text: Hot.}}}
      - when: weather.temperature_c > 20
        cell: town.announcements.append("late")
      - {at: "2012-06-01T08:00", set: {town.title: Hki}}
"""
WRONG = {
    "a simulation": ("simulation: town_day", "simulation: town_dai", 2, "Did you mean 'town_day'"),
    "an option": ("step_s: 1200", "stepp_s: 1200", 3, "no option 'stepp_s'"),
    "a type": ("step_s: 1200", "step_s: often", 3, "step_s='often'"),
    "a list where words stand in a text": ("step_s: 1200", "without: [reflection, plans]", 3, "several go in one text: 'reflection,plans'"),
    "an option of one condition": ("none: {}", "none: {options: {step_s: 600}}\n  rare: {options: {step_s: often}}", 11, "often"),
    "a measure's entity": ("sum(p.activity", "cofee.cups + sum(p.activity", 7, "no entity 'cofee'"),
    "a measure's field": ("p.activity", "p.activty", 7, "no field 'activty'. Did you mean 'activity'"),
    "a measure's class": ("world.all(Resident)", "world.all(Residnt)", 7, "nothing of class 'Residnt'. Did you mean 'Resident'"),
    "a class that others are kinds of": ("world.all(Resident)", "world.all(Person)", 7, "expressions take exact classes, and nobody is a plain Person; ask for Mayor, Resident"),
    "a measure that is a text": ('sum(p.activity != "sleeping" for p in world.all(Resident))', "town.title", 7, "is a num"),
    "a measure of the simulation": ('sum(p.activity != "sleeping" for p in world.all(Resident))', "moods", 7, "Did you mean mood?"),
    "a measure that is called otherwise": ('sum(p.activity != "sleeping" for p in world.all(Resident))', "at wurk (share)", 7, "Did you mean 'at work (share)'?"),
    "a measure's module": ('sum(p.activity != "sleeping" for p in world.all(Resident))', "tests.small_runs:peple", 7,
                           "Did you mean 'people'"),
    "a stop's field": ("town.treasury_cents < 5", "town.tresury_cents < 5", 8, "Did you mean 'treasury_cents'"),
    "a stop that is impossible": ("town.treasury_cents < 5", "town.treasury_cents < 0", 8, "can never be true"),
    "an act's entity": ("entity: mayor", "entity: major", 13, "Did you mean 'mayor'"),
    "an act's method": ("method: note", "method: notes", 13, "Did you mean 'note'"),
    "a method of nobody": ("method: note", "method: xyzzy", 13, "has no method 'xyzzy'. It has: buy, drink"),
    "an act's argument": ("{text: Hot.}", "{words: Hot.}", 13, "there is no argument 'words'"),
    "an agent": ("agent: mayor", "agent: mayro", 13, "Did you mean 'mayor'"),
    "a step": ("at: 3", "at: 12", 13, "none begins behind step 12"),
    "a condition that is impossible": ("temperature_c > 20", "temperature_c > 200", 14, "can never be true"),
    "an activity that there is not": ("weather.temperature_c > 20", 'mayor.activity == "dancin"', 14, "and never 'dancin'"),
    "a text that is compared with nothing": ("weather.temperature_c > 20", "mayor.activity", 14, "true whatever happens: compare it"),
    "a text that a measure counts": ('p.activity != "sleeping"', 'p.activity in ["eating", "drinkin"]', 7, "Did you mean 'drinking'"),
    "a cell that is refused": ('town.announcements.append("late")', "import os", 15, "os"),
    "a time": ("2012-06-01T08:00", "2012-07-01T08:00", 16, "never comes"),
    "a field": ("town.title: Hki", "town.titel: Hki", 16, "titel"),
    "a value": ("town.title: Hki", "town.treasury_cents: many", 16, "treasury_cents"),
}  # fmt: skip


def found(text):
    read = marked(text, "notes.yaml")
    return check_scenario(parse_scenario(text, name="notes.yaml"), read)


def test_a_scenario_measures_by_the_names_that_the_simulation_gives():
    head = "name: a\nsimulation: town_day\nresidents: 2\n"
    listed = parse_scenario(f"{head}measures: [mood, at work (share)]\n")
    assert {name: each.unit for name, each in listed.measures.items()} == {"mood": "", "at work (share)": "share"}
    text = f"{head}measures:\n  mood: mood * 10\n  busy: at work (share)\n  percent: busy * 100 + 0 * mood\n"
    assert found(text).problems == []
    scenario = parse_scenario(text)
    made = plan_of(scenario, ScenarioTrial("baseline", 0, (), 7)).recipe.make()
    plain = find("town_day").create(seed=7, residents=2)
    for simulation in (made, plain):
        simulation.run(until=3)
    measured, own = made.latest_measures, plain.latest_measures
    assert measured["mood"] == 10 * own["mood"] > 0
    assert (measured["busy"], measured["percent"]) == (own["at work (share)"], 100 * own["at work (share)"])


def test_what_is_measured_may_be_waited_for_by_its_name():
    head = "name: a\nsimulation: town_day\nresidents: 2\nsteps: 6\nmeasures: {busy: mood * 2}\ninterventions:\n"
    plan = "  - {when: WHEN, set: {town.title: Hki}}\n"
    for when in ("mood > 0.9", "busy > 1.9", "'measures[\"at work (share)\"] > 0.5'"):
        assert found(head + plan.replace("WHEN", when)).problems == []
    assert found(f"{head}{plan.replace('WHEN', 'mood > 0.9')}stop: busy > 1.95\n").problems == []
    (problem,) = found(head + plan.replace("WHEN", "bussy > 1.9")).problems
    assert problem.startswith("notes.yaml, line 7: ")
    assert "Did you mean busy?" in problem


def test_a_model_for_a_simulation_that_asks_none_is_told_with_its_place():
    text = "name: a\nsimulation: epidemic\nsteps: 2\nconditions:\n  plain: {}\n  minds:\n    model: scripted\n"
    (problem,) = found(text).problems
    assert problem.startswith("notes.yaml, line 7: conditions.minds.model: epidemic asks no language model")
    (problem,) = found(
        "name: a\nsimulation: epidemic\nmodel: scripted\nsurveys: [{at: [2], questions: ['Well?']}]\n"
    ).problems
    assert problem.startswith("notes.yaml, line 3: model: ")


@pytest.mark.parametrize(
    ("simulation", "measure", "words"),
    [
        ("epidemic", "sum(p.kind == 'Park' for p in world.all(Place))", "p.kind is 'Park' nowhere at the start. .*'park'"),
        ("epidemic", "sum(p.kind in ['cafe', 'parc'] for p in world.all(Place))", "'parc' nowhere .*'park'"),
        ("mesa:virus_on_network", "sum(p.state == 'infected' for p in world.all(VirusAgent))", "Did you mean 'INFECTED'"),
        ("mesa:virus_on_network", "sum(p.state == 'RESISTANT' for p in world.all(VirusAgent))", None),
    ],
)  # fmt: skip
def test_a_text_that_is_nearly_what_a_field_holds_is_taken_for_a_slip(simulation, measure, words):
    findings = found(f"name: a\nsimulation: {simulation}\nsteps: 2\nmeasures:\n  m: {measure}\n")
    assert findings.problems == []
    assert (findings.warnings == []) if words is None else re.search(rf"line 5: .*{words}", findings.warnings[0])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("stop: fish (t) < 20", r'stop: .*the measure is named so: measures\["fish \(t\)"\]$'),
        ("measures: {m: 100 - fish (t)}", r'measures.m: .*; the measure is named so: measures\["fish \(t\)"\]$'),
        ("interventions: [{when: \"'fish (t)' < 50\", cell: pass}]", r'when: .*named so: measures\["fish \(t\)"\]$'),
        ("measures: [fish]", r"there is no entity 'fish'. Did you mean measures\[\"fish \(t\)\"\]\?$"),
        ("conditions: {a: {}, b: {options: {greedy: 3, enforcers: 4}}}", "line 4: conditions.b.options: 7 fishers are"),
        ("interventions: [{at: 1, set: {lak.stock_t: 3}}]", r"set: there is no 'lak' in this world. .*'lake'\?$"),
        ("interventions: [{at: 1, act: {entity: Fisher, method: say}}]", "It is a class; one of it is ann$"),
        (
            "interventions: [{at: 1, act: {entity: ann, method: fish, arguments: {tonnes: 3}}}]",
            r"act: ann.fish\(tons\): there is no argument 'tonnes'. Did you mean 'tons'\?$",
        ),
    ],
)
def test_a_slip_leads_to_what_was_meant_and_stands_where_it_was_made(line, words):
    (problem,) = found(f"name: lake\nsimulation: commons\nsteps: 6\n{line}\n").problems
    assert problem.startswith("notes.yaml, line 4: ")
    assert re.search(words, problem), problem


def test_what_is_right_has_no_problems():
    findings = found(TEXT)
    assert (findings.problems, findings.warnings) == ([], [])


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_work_is_one_line_with_its_place(what):
    before, after, line, words = WRONG[what]
    assert TEXT.count(before) == 1
    problems = found(TEXT.replace(before, after)).problems
    assert len(problems) == 1, problems
    assert any(word in problems[0] for word in words.split("|")), problems
    assert problems[0].startswith(f"notes.yaml, line {line}: "), problems
    assert "\n" not in problems[0]


@pytest.mark.parametrize(
    ("values", "deed", "told"),
    [
        ("[0.5, 7]", "{set: {mayor.energy: '${v}'}}", "mayor.energy: .* 1 .got 7."),
        ("[eating, dancing]", "{set: {mayor.activity: '${v}'}}", "mayor.activity: .*got 'dancing'"),
        ("{low: 0, high: 1.5}", "{set: {mayor.energy: '${v}'}}", "mayor.energy: .*got 1"),
        (
            "[note, notes]",
            "{act: {entity: mayor, method: note, arguments: {word: '${v}'}}}",
            "there is no argument|missing a required",
        ),
        ("[Hot., 7]", "{set: {town.title: '${v}'}}", "of one kind"),
    ],
)
def test_each_value_that_is_varied_is_tried(values, deed, told):
    sampling = "sampling: {method: latin_hypercube, points: 20}\n" if "low" in values else ""
    act = deed.replace("{", "{at: 1, ", 1)
    text = (
        f"name: a\nsimulation: town_day\nresidents: 2\nparameters: {{v: {values}}}\n{sampling}interventions: [{act}]\n"
    )
    try:
        (problem,) = found(text).problems
    except WorldError as error:
        problem = str(error)
    assert re.search(told, problem), problem


def test_a_text_that_is_varied_is_set_as_a_text():
    assert (
        found(
            "name: a\nsimulation: town_day\nresidents: 2\nparameters: {v: [eating, resting]}\n"
            "interventions: [{at: 1, set: {mayor.activity: '${v}'}}]\n"
        ).problems
        == []
    )


def test_of_many_values_the_least_and_the_greatest_are_looked_at():
    scenario = parse_scenario(
        f"name: a\nsimulation: town_day\nparameters: {{step_s: {list(range(60, 160))}, v: [1, 2]}}\n"
        "stop: town.treasury_cents < ${v}\n"
    )
    points = [dict(point) for point in telling_points(scenario)]
    assert {point["step_s"] for point in points} == {60, 159}
    assert {point["v"] for point in points} == {1, 2}
    assert len(points) == 2


@given(
    st.dictionaries(
        st.sampled_from("abc"), st.lists(st.integers(0, 30), min_size=1, max_size=6, unique=True), min_size=1
    ),
    st.booleans(),
)
def test_few_points_show_every_value(values, with_bounds):
    text = f"name: a\nsimulation: town_day\nparameters: {json.dumps(values)}\n"
    if with_bounds:
        text = (
            text.replace("parameters: {", "parameters: {d: {low: 0, high: 1}, ")
            + "sampling: {method: sobol, points: 8}\n"
        )
    scenario = parse_scenario(text)
    points, every = [dict(point) for point in telling_points(scenario)], [dict(point) for point in points_of(scenario)]
    assert points[0] == every[0]
    assert all({point[name] for point in points} == {*given} for name, given in values.items())
    assert len(points) <= sum(map(len, values.values())) + 3
    if with_bounds:
        drawn = [point["d"] for point in every]
        assert {min(drawn), max(drawn)} <= {point["d"] for point in points}


@pytest.mark.long
@pytest.mark.parametrize(
    ("others", "alike"),
    [
        ("again: {about: in other words}", "again"),
        ("usual: {options: {catching: 0.06}}", "usual"),
        ("other: {options: {catching: 0.1}}\n  same: {options: {catching: 0.1}}", "same"),
        ("other: {options: {catching: 0.1}}\n  third: {stop: town.treasury_cents < 5}", ""),
    ],
)
def test_conditions_under_which_the_same_is_run_are_a_warning(others, alike):
    text = f"name: twice\nsimulation: epidemic\nresidents: 2\nsteps: 2\nconditions:\n  plain: {{}}\n  {others}\n"
    findings = check_scenario(parse_scenario(text), marked(text, "twice.yaml"))
    assert findings.problems == []
    assert [line for line in findings.warnings if "says the same as" in line] == findings.warnings
    assert [re.findall(r"conditions\.(\w+):", line) for line in findings.warnings] == ([[alike]] if alike else [])


def test_what_looks_odd_is_a_warning():
    findings = found(TEXT.replace("town.treasury_cents < 5", "town.treasury_cents > 5"))
    assert findings.problems == []
    assert "line 8: stop: this holds at the start" in findings.warnings[0]


def test_a_condition_that_is_a_number_is_told_to_be_true_unless_it_is_zero():
    findings = found(TEXT.replace("when: weather.temperature_c > 20", "when: len(town.announcements)"))
    assert findings.problems == []
    assert "'len(town.announcements)' is a number, 0 at the start, and true unless it is 0" in findings.warnings[0]


@pytest.mark.long
def test_the_command_says_what_a_study_takes_and_fails_where_it_cannot_be(tmp_path, capsys):
    path = tmp_path / "notes.yaml"
    path.write_text(TEXT)
    assert main(["check", str(path), "--seeds", "5"]) == 0
    told = capsys.readouterr().out
    assert "trials: 10, with 120 steps at most" in told
    assert "model: none is asked" in told
    path.write_text(TEXT.replace("residents: 2", "residents: 2\nmodel: scripted"))
    assert main(["check", str(path)]) == 0
    assert "model: a script, which costs nothing" in capsys.readouterr().out
    assert "this rests on 24 first steps of none-7, " in told
    path.write_text(TEXT.replace("at: 3", "at: 300"))
    assert main(["check", str(path), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["estimate"] is None
    assert "line 13" in data["problems"][0]


def test_conditions_that_begin_in_the_same_world_are_looked_at_in_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "counted.py").write_text(
        "from cave_sim import Simulation, World\n\nSTEPS = 2\n\n\ndef create(*, seed, size: int = 1, **run):\n"
        "    with open('made', 'a') as file:\n        file.write(str(size))\n    return Simulation(World(seed=seed, step_s=60), **run)\n"
    )
    text = "name: many\nsimulation: counted.py\nmeasures: {clock: '1 + ${late}'}\nconditions: {a: {}, b: {}, c: {}}\n"
    text += "parameters: {size: [1, 2], late: [1, 2, 3]}\n"
    assert not check_scenario(parse_scenario(text)).problems
    assert sorted((tmp_path / "made").read_text()) == ["1", "2"]


def test_what_fails_in_a_step_that_an_estimate_runs_is_told_with_its_line(tmp_path, capsys):
    path = tmp_path / "notes.yaml"
    wrong = "1 / (town.treasury_cents - town.treasury_cents)"
    path.write_text(TEXT.replace('sum(p.activity != "sleeping" for p in world.all(Resident))', wrong))
    assert main(["check", str(path)]) == 1
    assert f"notes.yaml, line 7: measures.awake: condition '{wrong}': Zero" in capsys.readouterr().err


def test_a_model_costs_calls_tokens_and_money_and_is_not_asked_for_that(tmp_path, capsys):
    arguments = ["check", "town_day", "--residents", "2", "--steps", "24", "--model", "openai/no-such-model"]
    assert main([*arguments, "--api-base", "http://127.0.0.1:9/v1", "--price", "1,2", "--json"]) == 0
    estimate = json.loads(capsys.readouterr().out)["estimate"]
    assert estimate["calls"] > 10
    assert estimate["prompt_tokens"] > 1_000
    expected = (estimate["prompt_tokens"] + 2 * estimate["completion_tokens"]) / 1e6
    assert estimate["money_usd"] == pytest.approx(expected)


class Gauge(Entity):
    """Something with bounds."""

    level: int = field(0, ge=0, le=3, about="how much")
    width: float = field(1.0, ge=-1, le=2, about="how wide")
    is_open: bool = field(False, about="whether it is open")


leaves = st.sampled_from(["g.level", "g.width", "0", "2", "-1", "3.5", "len('ab')"])
sums = st.recursive(
    leaves, lambda parts: st.builds("({} {} {})".format, parts, st.sampled_from("+-*"), parts), max_leaves=4
)
comparisons = st.builds("{} {} {}".format, sums, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), sums)
truths = st.recursive(
    comparisons | st.just("g.is_open"),
    lambda parts: (
        st.builds("({} {} {})".format, parts, st.sampled_from(["and", "or"]), parts)
        | st.builds("(not {})".format, parts)
    ),
    max_leaves=4,
)


@given(truths, st.integers(0, 3), st.floats(-1, 2), st.booleans())
def test_what_is_called_impossible_is_never_true(text, level, width, is_open):
    world = World(seed=1)
    world.add("g", Gauge(level=level, width=width, is_open=is_open))
    if Condition(text).holds(world):
        assert outlook(text, world).truth is not False


@pytest.mark.parametrize(
    "text",
    ["g.level > 3", "g.level + g.width > 5", "-g.level > 0", "g.level * 2 >= 7", "not g.level >= 0",
     "g.level > 1 and g.width < -1", "any(x.level > 3 for x in world.all(Gauge))", "1 < 0",
     "sum(x.level for x in world.all(Gauge)) < 0", "world['g'].level == 4",
     "g.level > 2 and g.level < 1", "2 < g.level < 1", "g.level == 1 and 2 == g.level", "g.level < 1 and g.level >= 1",
     "any(x.width > 1 and x.width < 1 for x in world.all(Gauge))", "g.kind == 'a' and g.kind == 'b'"],
)  # fmt: skip
def test_what_bounds_forbid_is_found(text):
    world = World(seed=1)
    world.add("g", Gauge())
    assert outlook(text, world).truth is False
