"""Scenarios are read from YAML, TOML and Python alike; what is wrong is one line with file, line, key and a way out."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import WorldError
from cave_sim.scenario import Scenario, load_scenario, parse_scenario
from cave_sim.scenario.other_words import OTHER_WORDS
from cave_sim.scenario.parts import ScenarioPart, SettingsPart
from cave_sim.scenario.points import points_of
from tests.scenario.bad_scenarios import BAD, HEAD
from tests.scenario.wrong_shapes import WRONG_SHAPES

GOOD = """\
name: epidemic
question: Does closing places help?
simulation: town_day
options: {start: 2012-06-01T06:00, step_s: 600}
residents: 5
seeds: [1, 2]
steps: 20
measures:
  awake: {value: 'sum(p.activity != "sleeping" for p in world.all(Resident))', label: residents awake}
  people: tests.small_runs:people
stop: town.treasury_cents < ${floor}
conditions:
  off:
  on:
    residents: 4
    interventions:
      - {at: 5, set: {town.treasury_cents: 3}}
      - when: town.treasury_cents < 5
        repeat: true
        act: {entity: mayor, method: note, arguments: {text: "Broke."}}
        agent: mayor
parameters:
  floor: [1, 2]
"""
TOML = """\
name = "epidemic"
question = "Does closing places help?"
simulation = "town_day"
options = {start = 2012-06-01T06:00:00, step_s = 600}
residents = 5
seeds = [1, 2]
steps = 20
stop = "town.treasury_cents < ${floor}"

[measures]
people = "tests.small_runs:people"
[measures.awake]
value = 'sum(p.activity != "sleeping" for p in world.all(Resident))'
label = "residents awake"

[conditions.off]
[conditions.on]
residents = 4
[[conditions.on.interventions]]
at = 5
set = {"town.treasury_cents" = 3}
[[conditions.on.interventions]]
when = "town.treasury_cents < 5"
repeat = true
act = {entity = "mayor", method = "note", arguments = {text = "Broke."}}
agent = "mayor"

[parameters]
floor = [1, 2]
"""


def test_yaml_toml_and_python_say_the_same():
    scenario = parse_scenario(GOOD)
    toml = parse_scenario(TOML, toml=True)
    expected = scenario.to_data()
    expected["options"]["start"] = toml.options["start"]  # TOML's times have seconds
    assert toml.to_data() == expected
    assert Scenario(**scenario.to_data()) == scenario
    assert list(scenario.conditions) == ["off", "on"]  # in YAML 1.1 these would be truth values
    assert scenario.options["start"] == "2012-06-01T06:00"


def test_a_scenario_is_frozen():
    with pytest.raises(ValueError, match="frozen"):
        parse_scenario(GOOD).steps = 3


ALL_BAD = {**BAD, **WRONG_SHAPES}
PYDANTIC = re.compile(r"should be|valid (string|integer|number|dict|tuple|bool)|instance of|Input |unable to")
"""The words of the library that reads."""


@pytest.mark.parametrize("what", ALL_BAD)
def test_what_is_wrong_is_told_in_one_line_with_its_place(tmp_path, what):
    text, line, words = ALL_BAD[what]
    path = tmp_path / ("bad.toml" if text.startswith("#toml") else "bad.yaml")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WorldError) as error:
        load_scenario(path)
    told = str(error.value)
    assert "\n" not in told
    assert re.search(words, told), told
    assert not PYDANTIC.search(told), told
    where = f"{path}, line {line}: " if line is not None else f"{path}: "
    assert told.startswith(where), told


def test_the_corpus_is_large_enough():
    assert len(ALL_BAD) == len(BAD) + len(WRONG_SHAPES) >= 160


@pytest.mark.parametrize(("name", "words"), [("no.yaml", "cannot be read"), ("tea.json", "ends in .yaml, .yml, .toml")])
def test_a_file_that_is_no_scenario_says_so(tmp_path, name, words):
    with pytest.raises(WorldError, match=words):
        load_scenario(tmp_path / name)


def test_a_file_that_is_no_text_says_so(tmp_path):
    (tmp_path / "a.yaml").write_bytes(b"name: a\nquestion: \xff\xfe\n")
    with pytest.raises(WorldError, match="line 2: this is no text in UTF-8"):
        load_scenario(tmp_path / "a.yaml")


def test_a_text_that_multiplies_itself_is_stopped():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(WorldError, match="at most 20,000 parts"):
        parse_scenario("\n".join(lines))


@given(st.text(max_size=200))
def test_whatever_a_text_says_it_is_a_scenario_or_one_line(text):
    for toml in (False, True):
        try:
            told = repr(parse_scenario(text, toml=toml))
        except WorldError as error:
            told = str(error)
        assert "\n" not in told


names = st.sampled_from(["step_s", "start", "reads"])


@given(st.dictionaries(names, st.lists(st.integers(0, 9), min_size=1, max_size=3, unique=True), min_size=1))
def test_a_grid_has_every_combination_once(values):
    scenario = Scenario(name="a", simulation="town_day", parameters=values)
    points = points_of(scenario)
    assert [tuple(value for _, value in point) for point in points] == list(product(*values.values()))


@pytest.mark.parametrize("method", ["latin_hypercube", "sobol"])
def test_a_sample_lies_between_its_bounds_and_is_the_same_every_time(method):
    text = HEAD + (
        "parameters:\n  step_s: {low: 60, high: 600, whole: true}\n  start: [1, 2]\n"
        f"sampling: {{method: {method}, points: 8, seed: 3}}\n"
    )
    points = points_of(parse_scenario(text))
    assert len(points) == 16
    sampled = [dict(point)["step_s"] for point in points]
    assert all(isinstance(value, int) and 60 <= value <= 600 for value in sampled)
    assert len(set(sampled)) > 5
    assert points == points_of(parse_scenario(text))
    assert points != points_of(parse_scenario(text.replace("seed: 3", "seed: 4")))


@pytest.mark.parametrize(
    ("lines", "way"),
    [
        ("replicates: 5", "replicates: there is no such key. Write seeds: how many runs each condition has"),
        ("iterations: 5", "Write steps: how many a run takes"),
        ("max_usd: 3", "Write --max-usd, --max-calls or --max-tokens on the command line of cave-sim study"),
        ("conditions: {a: {}, b: {steps: 3}}", "Write it at the top of the scenario"),
        ("interventions: [{step: 3, cell: pass}]", "Write at: a step, or a world time"),
        ("parameters: {step_s: {min: 1, max: 3}}", "Write low: the least value"),
    ],
)
def test_words_of_other_tools_are_answered_with_what_to_write(lines, way):
    with pytest.raises(WorldError) as told:
        parse_scenario(f"name: odd\nsimulation: town_day\n{lines}\n")
    assert way in str(told.value)
    assert "\n" not in str(told.value)


def test_what_is_to_be_written_is_there():
    parts = {part.__name__: part for part in (*ScenarioPart.__subclasses__(), *SettingsPart.__subclasses__())}
    for name, words in OTHER_WORDS.items():
        assert not words.keys() & parts[name].model_fields.keys(), name


@pytest.mark.parametrize(
    ("text", "said"),
    {
        "many lists in one line": ("seeds: [" + "1," * 20_001 + "]", "at most 20,000 parts"),
        "a day that is none": ("name: !!timestamp 99999-99-99", "stands for no plain data"),
        "a set": ("name: !!set {a, b}", "stands for no plain data"),
        "half a character": ('"\\ud800": 1', "is no key"),
        "a command to the terminal": ('"\\e]0;title\\a": 1', "is no key"),
        "a key like a page": ("? " + "x" * 5_000 + "\n: 1", "is no key"),
    }.values(),
)
def test_bombs_and_disguises_are_refused_in_a_line_that_a_terminal_shows(text, said):
    with pytest.raises(WorldError, match=said) as refusal:
        parse_scenario(text)
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 300


def test_what_is_no_file_is_no_scenario(tmp_path):
    endless = tmp_path / "tea.yaml"
    endless.symlink_to("/dev/zero")
    with pytest.raises(WorldError, match="cannot be read: it is no file, but a pipe or a device"):
        load_scenario(endless)
