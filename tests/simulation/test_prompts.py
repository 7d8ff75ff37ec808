"""What agents say to models is data: named, hashed, kept with the run, and the same when the run goes on."""

import pytest

from cave_sim import Simulation, World, WorldError, open_run
from cave_sim.cli.main import main
from cave_sim.llm_agent.instructions import REMINDER
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.llm_agent.variants import names, prompts_of
from cave_sim.models import ScriptedModel
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.simulation.prompts import KEYS, Prompts
from cave_sim.simulations import town_day
from tests.docs.pages import ROOT, blocks, code_words, tables

BAD = {
    "instructons = 'x'": "nobody says 'instructons'. Did you mean 'instructions'",
    "instructions = 5": "instructions is no text",
    "plan = ' '": "plan is no text",
    "": "hold no text",
    "plan = ": "cannot be read",
}


def test_every_set_that_comes_with_the_package_can_be_read_and_differs_from_the_others():
    sets = [prompts_of(name) for name in names()]
    assert {"caveagent", "terse"} <= set(names())
    assert len({prompts.hash for prompts in sets}) == len(sets)
    assert all(prompts.hash != Prompts().hash for prompts in sets)


def test_the_hash_is_that_of_the_texts_in_any_order_and_not_of_the_name():
    one = Prompts("one", {"plan": "Plan.", "reflect": "Reflect."})
    other = Prompts("other", {"reflect": "Reflect.", "plan": "Plan."})
    assert one.hash == other.hash != Prompts("one", {"plan": "Plan!", "reflect": "Reflect."}).hash


@pytest.mark.parametrize("text", BAD)
def test_a_file_that_says_something_else_is_told_so(text, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(WorldError, match=BAD[text]) as raised:
        prompts_of(str(path))
    assert str(path) in str(raised.value)


def test_a_set_that_is_not_there_is_told_with_the_nearest_name():
    with pytest.raises(WorldError, match=r"no prompts 'caveagnt'.*'caveagent'"):
        prompts_of("caveagnt")


def test_residents_are_told_what_the_set_says_with_names_that_exist():
    asked = []

    def listen(request):
        asked.append(request)
        return "Nothing to do."

    simulation = town_day.create(seed=7, residents=2, llm=ScriptedModel(listen), minds="scripted")
    simulation.prompts = Prompts("mine", {"resident": "Live. `me.go({place})`", "plan": "Plan with {person}."})
    simulation.run(until=20)
    assert asked
    front = asked[0].messages[0].text
    place = front.partition("`me.go(")[2].partition(")")[0]
    assert place in simulation.world
    person = asked[0].messages[-1].text.partition("Plan with ")[2].rstrip(".")
    assert person in simulation.by_name


def test_examples_of_our_own_texts_name_only_what_exists():
    asked = []
    simulation = town_day.create(
        seed=7, residents=2, llm=ScriptedModel(lambda request: asked.append(request) or "No."), minds="scripted"
    )
    simulation.run(until=20)
    assert not [request for request in asked if "{" in request.messages[0].text.partition("Example 1")[2]]
    assert not [request for request in asked if "{place}" in request.messages[-1].text]


def area(base: float, height: float) -> float:
    """Return the area of a triangle."""
    return base * height / 2


@pytest.mark.parametrize(
    ("texts", "last"),
    [
        ({}, "How large is it?\n\n" + REMINDER),
        ({"reminder": "Call, do not count."}, "How large is it?\n\nCall, do not count."),
        ({"instructions": "Act by code."}, "How large is it?"),
    ],
    ids=["our own", "another", "instructions of one's own"],
)
def test_where_functions_are_all_there_is_a_task_ends_with_how_to_answer(texts, last):
    asked = []
    model = ScriptedModel(lambda request: asked.append(request) or "No.")
    simulation = Simulation(World(seed=7), [(LLMAgent, "solver")], llm=model)
    simulation.prompts = Prompts("mine", texts)
    simulation.world.inject("area", area)
    simulation.by_name["solver"].ask("How large is it?")
    simulation.world.inject("base", 3.0)
    simulation.by_name["solver"].ask("And now?")
    assert [
        request.messages[-1].text.endswith(end) for request, end in zip(asked, (last, "And now?"), strict=True)
    ] == [True] * 2


def test_the_manifest_has_the_texts_and_going_on_uses_them(tmp_path):
    prompts = Prompts("mine", {"resident": "Live well."})
    recipe = Recipe("town_day", {"seed": 7, "residents": 2}, ModelChoice(), prompts=prompts)
    recipe.make(tmp_path).run(until=2).close()
    with open_run(tmp_path) as run:
        assert run.manifest["prompts"] == {"name": "mine", "hash": prompts.hash, "texts": {"resident": "Live well."}}
    resumed = resume(tmp_path)
    assert resumed.prompts == prompts
    assert resumed.fork().prompts == prompts
    resumed.close()


def test_prompts_that_a_script_sets_are_kept_with_the_run(tmp_path):
    simulation = town_day.create(seed=7, residents=2, minds="scripted", out=tmp_path)
    simulation.prompts = Prompts("mine", {"resident": "Live well."})
    simulation.run(until=1).close()
    with open_run(tmp_path) as run:
        assert Prompts.of(run.manifest["prompts"]) == simulation.prompts


def test_prompts_without_a_model_that_reads_them_are_refused(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["run", "town_day", "--prompts", "terse"])
    assert "--prompts does nothing without --model" in capsys.readouterr().err
    assert main(["run", "town_day", "--prompts", "terse", "--model", "scripted"]) == 1
    assert "--prompts is for a model" in capsys.readouterr().err


def test_the_documentation_lists_every_key_and_its_example_is_a_set(tmp_path):
    page = ROOT / "docs" / "how_to" / "residents_with_a_model.md"
    listed = {word for row in tables(page)["Prompts as data"] for word in code_words(row[0])}
    assert listed == set(KEYS)
    for block in blocks(page, "toml"):
        (tmp_path / "mine.toml").write_text(block.text)
        assert Prompts.read(tmp_path / "mine.toml").texts
