"""``cave-sim survey``: who is asked answers, who cannot be asked is told, and no item vanishes from a table."""

import pytest

from cave_sim.cli.main import main
from cave_sim.models import ScriptedModel
from cave_sim.simulations import town_day
from cave_sim.survey import Likert, Number, Panel, Questionnaire

QUESTIONS = 'items = [{kind = "likert", name = "well", question = "I feel well today."}]'
PEOPLE = "item,value,share,source\n{item},3,1,a survey of 2020\n"
HEALTH = Questionnaire(
    name="health",
    items=(Likert(name="well", question="I feel well."), Number(name="years", question="How old are you?")),
)


@pytest.fixture
def survey(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mood.toml").write_text(QUESTIONS)

    def call(*arguments):
        code = main(["survey", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def town(tmp_path, **options):
    town_day.create(seed=7, residents=2, start="2012-06-01T12:00", out=tmp_path / "run", **options).run(until=1).close()


def counted(out):
    """Return the rows of a table as texts, without what is between them."""
    return [line.split() for line in out.splitlines()]


@pytest.mark.long
def test_scripted_residents_of_a_run_made_elsewhere_answer_a_questionnaire(survey, tmp_path):
    made = ["run", "town_day", "--model", "scripted", "--residents", "2", "--steps", "1", "--host", "local"]
    assert main([*made, "--out", "run"]) == 0
    code, out, _ = survey("run", "--at", "1", "mood.toml", "--csv")
    assert code == 0
    told = survey("run", "--question", "Who are you?", "--whom", "mayor")
    assert told[1].startswith("mayor, asked 'Who are you?'\n  ")
    assert survey("run", "Who are you?")[2].endswith("is asked by --question 'Who are you?'\n")
    assert [line.split(",")[3] for line in out.splitlines()[-3:]] == ["well"] * 3
    assert all(line.split(",")[-2].isdigit() for line in out.splitlines()[-3:])


def test_a_run_without_minds_says_that_nobody_can_be_asked(survey):
    assert main(["run", "town_day", "--residents", "2", "--steps", "1", "--out", "run"]) == 0
    code, _, err = survey("run", "mood.toml")
    assert code == 1
    assert "nobody here thinks with a language model" in err


def test_an_item_that_nobody_answered_in_a_way_that_can_be_read_stays_in_the_table(survey, tmp_path):
    town(tmp_path, llm=ScriptedModel(lambda request: "40"), observers=[Panel(HEALTH, every=1)])
    code, out, _ = survey("run")
    assert code == 0
    assert ["1", "well", "0", "0", "%", "3"] in counted(out)
    assert ["1", "years", "40", "3", "100", "%", "0"] in counted(out)


@pytest.mark.parametrize("item", ["well", "mood"])
def test_people_who_share_no_readable_item_with_the_agents_are_refused_by_name(survey, tmp_path, item):
    town(tmp_path, llm=ScriptedModel(lambda request: "40"), observers=[Panel(HEALTH, every=1)])
    (tmp_path / "people.csv").write_text(PEOPLE.format(item=item))
    code, _, err = survey("run", "--beside", "people.csv")
    assert code == 1
    assert f"people.csv has none of the items that were answered: these are years; it has {item}" in err


def test_beside_people_every_value_keeps_its_own_share(survey, tmp_path):
    ages = iter(range(40, 100))
    panel = Panel(Questionnaire(name="ages", items=(Number(name="years", question="How old are you?"),)), every=1)
    residents = ScriptedModel(lambda request: str(next(ages)))
    town_day.create(seed=7, residents=12, llm=residents, observers=[panel], out=tmp_path / "run").run(until=1).close()
    lines = "".join(f"years,{year},0.05,a \x1b[31msurvey of 2020\n" for year in range(40, 60))
    (tmp_path / "people.csv").write_text("item,value,share,source\n" + lines)
    code, out, _ = survey("run", "--beside", "people.csv")
    assert code == 0
    assert "median" not in out
    assert "\x1b" not in out
    assert len([row for row in counted(out)[1:] if row[6:8] == ["5", "%"] or row[5:7] == ["5", "%"]]) == 20
