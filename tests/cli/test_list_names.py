"""`cave-sim list NAME`: what a scenario of a simulation can name, read from its world, with lines that work."""

import json

import pytest
import yaml

from cave_sim.cli.main import main
from cave_sim.cli.options.vocabulary_help import COLUMNS, commented_lines, described
from cave_sim.entity.preparation import fields_of
from cave_sim.loading.entry_points import SIMULATIONS, installed
from cave_sim.mesa_models.catalog import examples
from cave_sim.replay.recipe import Recipe
from cave_sim.scenario.check import check_scenario
from cave_sim.scenario.reading import parse_scenario
from tests.long_cases import cases

EVERY = [*(name for name in installed(SIMULATIONS) if name != "city_day"), *(each.name for each in examples().values())]
QUICK = ("epidemic", "commons", "handset", "rain", "schelling", "mesa:virus_on_network", "mesa:boltzmann_wealth")


def told(capsys, *line):
    """Run a command; return its exit code and what it printed on both streams."""
    code = main([*line])
    return code, *capsys.readouterr()


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:Random number generator not specified")  # by one of Mesa's examples
@pytest.mark.parametrize("name", cases(EVERY, lambda name: name not in QUICK))
def test_the_lines_that_are_given_as_examples_work_and_wait_for_something(name):
    words = described(name)
    text = commented_lines(words).replace("# ", "", 1)
    text = "\n".join(line.removeprefix("# ") for line in text.splitlines()[1:])
    found = check_scenario(parse_scenario(f"name: a\nsimulation: {name}\nsteps: 3\n{text}\n"))
    assert found.problems == []
    given = yaml.safe_load(text)
    assert given["measures"] == {"example": words["examples"]["measure"]}
    assert given["interventions"][0]["when"] == words["examples"]["when"]


def test_all_that_is_there_is_listed_and_no_line_but_those_to_be_copied_is_wider_than_a_page(capsys):
    _, out, _ = told(capsys, "list", "epidemic")
    lines = out.splitlines()
    for measure in ("infectious", 'measures["ever infected (share)"]'):
        assert any(line.startswith(f"  {measure}  ") for line in lines)
    world = Recipe.named("epidemic", create={"seed": 7}).make().world
    for kind, entities in world.registry.by_type.items():
        if next(iter(entities))[0] != "$":
            assert f"  {kind.__name__}" in out
            assert all(f"{field} " in out for field in fields_of(kind))
    copied = [line for line in lines if line.startswith(("  measures:", "  outcomes:", "  when:", "  set:"))]
    assert [line.split(":")[0].strip() for line in copied] == ["measures", "outcomes", "when", "set"]
    assert [line for line in lines if len(line) > COLUMNS and line not in copied] == []
    assert "--residents N" in out


def test_one_class_is_told_with_types_bounds_meanings_and_an_example(capsys):
    _, out, _ = told(capsys, "list", "epidemic", "Epidemic")
    assert out.startswith("Epidemic: epidemic\n")
    assert "catching: float, 0 to 1; chance to catch it from one infectious person in an hour" in out
    assert "ill_h: float, >= 0 h; how long somebody is infectious; epidemic has 48.0" in out
    _, out, _ = told(capsys, "list", "epidemic", "Mayor")
    assert out.startswith("Mayor (what Resident has, and more): mayor\n")
    code, _, error = told(capsys, "list", "epidemic", "Resdent")
    assert (code, error.count("\n")) == (1, 1)
    assert "there is no class 'Resdent'. Did you mean 'Resident'?" in error


def test_of_a_mesa_model_the_states_of_its_agents_are_told(capsys):
    _, out, _ = told(capsys, "list", "mesa:virus_on_network", "VirusAgent")
    assert "state: str; one of SUSCEPTIBLE, INFECTED, RESISTANT; agent_1 has" in out
    _, out, _ = told(capsys, "list", "mesa:virus_on_network")
    assert 'measures["R over S"]' in out


def test_as_json_it_is_whole(capsys):
    words = json.loads(told(capsys, "list", "commons", "--json")[1])
    assert words["options"]["greedy"]["usual"] == "default: 1"
    assert {each["written"]: each["at_start"] for each in words["measures"]}['measures["fish (t)"]'] == 100
    fisher = next(each for each in words["classes"] if each["name"] == "Fisher")
    assert (fisher["count"], fisher["example"]) == (5, "ann")
    assert [act["call"] for act in fisher["acts"]] == ["fish(tons)", "say(text)", "fine(other)"]
    assert words["examples"].keys() == {"measure", "outcome", "when", "set"}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["city_day"], "It lies in shards: scenarios, which are for one world, cannot be about it."),
        (["pick.py"], "What a scenario can name is not known: "),
    ],
)
def test_what_no_scenario_can_be_about_is_said(tmp_path, monkeypatch, capsys, line, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pick.py").write_text("STEPS = 1\n\n\ndef create(*, seed, file, **run):\n    raise KeyError(file)\n")
    code, out, _ = told(capsys, "list", *line)
    assert code == 0
    assert words in out


def test_a_check_of_a_simulation_says_what_it_measures(capsys):
    _, out, _ = told(capsys, "check", "commons", "--steps", "2")
    assert out.splitlines()[-1].startswith('it measures measures["fish (t)"], ')
    assert out.splitlines()[-1].endswith("cave-sim list commons")


def test_another_word_behind_what_is_no_simulation_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    for line in (["runs", "Resident"], ["smart_home", "Lamp"]):
        code, _, error = told(capsys, "list", *line)
        assert (code, error.count("\n")) == (1, 1)
        assert "a class is looked up in a simulation" in error
