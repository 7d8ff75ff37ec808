"""Minds that differ, prompts that are read with care, and runs that go on with others."""

import pytest

from cave_sim import WorldError, open_run
from cave_sim.cli.main import main
from cave_sim.llm_agent.variants import prompts_of
from cave_sim.models import ModelError, PerAgent, ScriptedModel
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from cave_sim.simulations import storm_warning, town_day
from cave_sim.simulations.scripted_model import reply
from cave_sim.survey import Choice, FreeText, Likert, Number, Questionnaire, ask
from cave_sim.testing.openai_server import OpenAIServer
from tests.agents.lives import text_of

NOON = "2012-06-01T12:00"


@pytest.fixture
def people(tmp_path):
    """Return a function that writes a file of personas."""

    def write(*lines, columns="name,age,model,temperature,prompts"):
        path = tmp_path / "people.csv"
        path.write_text("\n".join([columns, *lines]) + "\n")
        return str(path)

    return write


def test_temperatures_and_prompts_are_those_of_each_resident(people, tmp_path):
    (tmp_path / "calm.toml").write_text('plan = "Plan one thing for {place}."\n')
    path = people("Aino Testi,30,,0.7,", f"Bo Prov,40,,,{tmp_path / 'calm.toml'}", "Cecilia Ek,50,,,")
    asked = []

    def answer(request):
        asked.append(request)
        return reply(request)

    town_day.create(seed=1, personas=path, start=NOON, llm=ScriptedModel(answer), minds="scripted").run(until=2)
    temperatures = {request.key.agent: request.temperature for request in asked}
    assert temperatures["aino_testi"] == 0.7
    assert {name for name, temperature in temperatures.items() if temperature == 0.0} == temperatures.keys() - {
        "aino_testi"
    }
    calm = {request.key.agent for request in asked if "Plan one thing for" in text_of(request)}
    assert calm == {"bo_prov"}


@pytest.mark.long
def test_models_are_those_of_each_resident_and_open_where_the_run_is_asked(people):
    path = people("Aino Testi,30,openai/small,,", "Bo Prov,40,,,")
    with OpenAIServer(["Nothing to do."]) as server:
        recipe = Recipe(
            "town_day", {"seed": 1, "personas": path, "start": NOON}, ModelChoice("openai/large", api_base=server.url)
        )
        simulation = recipe.make()
        simulation.run(until=1)
        simulation.close()
        models = [(seen.body["model"], "You are aino_testi" in str(seen.body["messages"][0])) for seen in server.seen]
    assert {model for model, is_aino in models if is_aino} == {"small"}
    assert {model for model, is_aino in models if not is_aino} == {"large"}


def test_a_model_that_nobody_opens_is_refused(people):
    def refuse(request):
        raise ModelError("refused", "asked")

    class Real(ScriptedModel):
        is_scripted = False

    path = people("Aino Testi,30,openai/small,,")
    with pytest.raises(WorldError, match="give llm=PerAgent"):
        town_day.create(seed=1, personas=path, llm=Real(refuse))
    town_day.create(seed=1, personas=path, llm=PerAgent(Real(refuse), {}))


def test_who_differs_needs_a_name(people):
    with pytest.raises(WorldError, match="needs a name"):
        town_day.create(seed=1, personas=people(",30,,0.5,"), minds="scripted")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('plan = """\nA new day.\nGo to {pace}."""', r"calm.toml, line 3: plan has no {pace}; did you mean {place}\?"),
        ('answer = "Answer {speker}."', r"line 1: answer has no {speker}; did you mean {speaker}\?"),
        ('plan = "You missed {missed}."', r"plan has no {missed}; Filled in is {person}, {place}"),
        ('rate = "Rate {count} of them."', r"rate has no {count}; Filled in is nothing"),
    ],
)
def test_a_misspelt_placeholder_is_refused_with_its_line_and_the_nearest_name(tmp_path, text, why):
    path = tmp_path / "calm.toml"
    path.write_text(text)
    with pytest.raises(WorldError, match=why):
        prompts_of(str(path))


def test_braces_of_python_in_an_example_are_left_alone(tmp_path):
    path = tmp_path / "calm.toml"
    path.write_text("""plan = 'Write `print(f"{x}")`, or `{"a": 1}`, at {place}.'""")
    assert "{x}" in prompts_of(str(path)).text("plan", "")


@pytest.mark.long
def test_a_run_goes_on_with_another_model_and_other_prompts_and_keeps_that(tmp_path, capsys):
    folder, calm = str(tmp_path / "run"), tmp_path / "calm.toml"
    calm.write_text('resident = "Live calmly."\n')
    here = ["--quiet", "--host", "local"]
    begin = ["run", "town_day", "--residents", "1", "--set", f"start={NOON}", "--steps", "1", "--out", folder, *here]
    with OpenAIServer(["Nothing to do."]) as server:
        base = ["--api-base", server.url]
        assert main([*begin, "--model", "openai/test", *base]) == 0
        others = ["--model", "openai/other", "--prompts", str(calm)]
        assert main(["resume", folder, "--steps", "4", *here, *others, *base]) == 0
        assert main(["resume", folder, "--steps", "7", *here, *base]) == 0
        said = [(seen.body["model"], "Live calmly." in str(seen.body["messages"])) for seen in server.seen]
    capsys.readouterr()
    assert set(said) == {("test", False), ("other", True)}
    with open_run(folder) as run:
        (event,) = run.query("SELECT step, data FROM events WHERE kind = 'asked_otherwise'")
        assert (event[0], run.data(event[1])["model"]["name"]) == (2, "openai/other")
        assert run.manifest["prompts"]["name"] == "calm"


@pytest.mark.long
def test_a_run_without_a_model_cannot_go_on_with_one(tmp_path, capsys):
    folder = str(tmp_path / "run")
    assert main(["run", "town_day", "--residents", "1", "--quiet", "--steps", "1", "--out", folder]) == 0
    assert main(["resume", folder, "--model", "openai/test", "--api-base", "http://127.0.0.1:9/v1"]) != 0
    assert "asks no language model" in capsys.readouterr().err


def test_the_scripted_mayor_of_the_storm_answers_a_questionnaire():
    simulation = storm_warning.create(seed=7, residents=2)
    items = (
        Likert(name="well", question="I feel well."),
        Choice(name="where", question="Where?", options=("here", "there")),
        Number(name="energy", question="How much energy?", minimum=0, maximum=100),
        FreeText(name="why", question="Why?"),
    )
    answers = ask(simulation, Questionnaire(name="mood", items=items), ["mayor"])
    assert [answer.value for answer in answers if answer.value is None] == []
    assert len(answers) == 4
