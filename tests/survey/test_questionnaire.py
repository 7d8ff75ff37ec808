"""A questionnaire is read from a file, or the file is told in one line what is wrong with it."""

import json

import pytest

from cave_sim import WorldError
from cave_sim.survey import Choice, Likert, Questionnaire

GOOD = """
[[items]]
kind = "likert"
name = "trust"
question = "Most people can be trusted."

[[items]]
kind = "choice"
name = "walk"
question = "Where do you walk?"
options = ["park", "beach"]
"""
BAD = {
    "mood.txt": ("", "ends in .toml or .json"),
    "mood.toml": ("[[items", "cannot be read"),
    "list.json": ("[1]", "no questionnaire"),
    "deep.json": ("[" * 100_000, "cannot be read"),
    "empty.toml": ("items = []", "items: "),
    "none.json": ("{}", "items: "),
    "kind.toml": ('[[items]]\nkind = "likeable"\nname = "a"\nquestion = "?"', "item 1 (a): .*'choice'.*'likert'"),
    "twice.toml": (GOOD + GOOD, "two items are called 'trust'"),
    "extra.toml": (GOOD + "colour = 1\n", "item 2 (walk), colour"),
    "few.toml": ('[[items]]\nkind="choice"\nname="a"\nquestion="?"\noptions=["b"]', "item 1 (a), options"),
    "nameless.toml": ('[[items]]\nkind="text"\nquestion="?"', "item 1, name"),
}


def test_a_file_is_read_and_is_called_like_it(tmp_path):
    (tmp_path / "streets.toml").write_text(GOOD)
    (tmp_path / "streets.json").write_text(Questionnaire.read(tmp_path / "streets.toml").model_dump_json())
    read = Questionnaire.read(tmp_path / "streets.toml")
    assert (read.name, [type(item) for item in read.items]) == ("streets", [Likert, Choice])
    assert Questionnaire.read(tmp_path / "streets.json") == read


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_named_with_the_item_and_the_rule_in_one_line(name, tmp_path):
    text, why = BAD[name]
    (tmp_path / name).write_text(text)
    with pytest.raises(WorldError, match=why.replace("(", r"\(").replace(")", r"\)")) as raised:
        Questionnaire.read(tmp_path / name)
    assert name in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(WorldError, match=r"nowhere\.toml cannot be read"):
        Questionnaire.read(tmp_path / "nowhere.toml")


def test_each_respondent_has_orders_of_their_own_that_come_again():
    options = tuple("abcdef")
    items = [Choice(name=f"item_{number}", question="?", options=options) for number in range(6)]
    survey = Questionnaire(name="orders", items=tuple(items))
    orders = [[item.name for item in survey.for_respondent(name)] for name in ("ann", "bob", "cat")]
    assert len({tuple(order) for order in orders}) == 3
    assert all(sorted(order) == [item.name for item in items] for order in orders)
    first = [next(item for item in survey.for_respondent(name) if item.name == "item_0") for name in ("ann", "bob")]
    assert first[0].options != first[1].options
    assert survey.for_respondent("ann") == survey.for_respondent("ann")
    fixed = survey.model_copy(update={"random_order": False})
    assert [item.name for item in fixed.for_respondent("ann")] == [item.name for item in items]


def test_what_a_questionnaire_says_of_itself_is_plain_data():
    survey = Questionnaire.of_questions("interview", ["Who are you?"])
    assert Questionnaire.model_validate(json.loads(survey.model_dump_json())) == survey
