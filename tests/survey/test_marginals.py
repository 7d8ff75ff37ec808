"""What agents answered stands beside what people answered, and a file of figures without a source is refused."""

import pytest

from cave_sim import WorldError
from cave_sim.survey import Choice, Likert, Marginals, Questionnaire, beside
from cave_sim.survey.marginals import frequencies

PEOPLE = """\
item,value,share,source
trust,1,0.25,A survey of 2020
trust,2,0.5,A survey of 2020
trust,5,0.25,A survey of 2020
"""
BAD = {
    "item,value,share\na,1,1\n": "lacks the column 'source'",
    "item,value,share,source\na,1,1,\n": "line 2: source is empty",
    "item,value,share,source\na,1,0.5,x\na,2,lots,x\n": "line 3: share 'lots' is no number",
    "item,value,share,source\na,1,1.5,x\n": "line 2: share '1.5' is no number from 0 to 1",
    "item,value,share,source\na,1,0.5,x\na,1,0.5,x\n": "line 3: this value",
    "item,value,share,source\na,1,0.5,x\na,2,0.2,x\n": "sum to 0.7",
    "": "cannot be read as CSV",
    "item;value;share;source\na;1;1;x\n": "semicolons between its columns",
}


def answers(*values, step=1, item="trust"):
    return [{"step": step, "item": item, "value": value} for value in values]


@pytest.fixture
def people(tmp_path):
    (tmp_path / "people.csv").write_text(PEOPLE)
    return Marginals.read(tmp_path / "people.csv")


def test_shares_are_of_the_answers_that_could_be_read():
    table = frequencies([*answers(1, 1, 2, None), *answers(3, step=2)])
    assert table.to_dict("records") == [
        {"step": 1, "item": "trust", "value": "1", "n": 2, "share": pytest.approx(2 / 3), "unread": 1},
        {"step": 1, "item": "trust", "value": "2", "n": 1, "share": pytest.approx(1 / 3), "unread": 1},
        {"step": 2, "item": "trust", "value": "3", "n": 1, "share": 1.0, "unread": 0},
    ]


def test_agents_who_answer_as_people_do_are_at_distance_0_and_others_are_not(people):
    alike = beside(answers(1, 2, 2, 5), people)
    assert set(alike["distance"]) == {0.0}
    other = beside(answers(4, 4, 4, 4), people).set_index("value")
    assert set(other["distance"]) == {1.0}
    assert other.loc["4", "share"] == 1.0
    assert other.loc["2", "people"] == 0.5
    assert other.loc["2", "n"] == 0
    assert set(other["source"]) == {"A survey of 2020"}


def test_an_item_whose_answers_could_not_be_read_is_counted_and_stands_beside_nobody(people):
    unread = answers(None, None)
    assert frequencies(unread).to_dict("records") == [
        {"step": 1, "item": "trust", "value": "", "n": 0, "share": 0.0, "unread": 2}
    ]
    assert beside(unread, people).empty


def test_items_that_people_were_not_asked_are_left_out(people):
    assert beside(answers(1, item="other"), people).empty
    assert beside([], people).empty


@pytest.mark.parametrize("text", BAD)
def test_figures_that_cannot_be_relied_on_are_refused_by_line(text, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(text)
    with pytest.raises(WorldError, match=BAD[text]):
        Marginals.read(path)


@pytest.mark.parametrize(("value", "kept"), [("At  Home", "at home"), ("3.0", "3"), ("9", None), ("elsewhere", None)])
def test_a_value_is_written_as_its_item_has_it_or_refused_by_line(value, kept, tmp_path):
    options = Choice(name="where", question="Where?", options=("at home", "out"))
    asked = Questionnaire(name="q", items=(Likert(name="trust", question="Trust?"), options))
    item = "where" if value.islower() or value[0] == "A" else "trust"
    path = tmp_path / "people.csv"
    path.write_text(f"item,value,share,source\nmore,9,1,x\n{item},{value},1,x\n")
    if kept is None:
        with pytest.raises(
            WorldError, match=f"people.csv, line 3: '{value}' is no value of '{item}': it is answered with one"
        ):
            Marginals.read(path, asked)
    else:
        assert Marginals.read(path, asked).table["value"].tolist() == ["9", kept]
        answered = answers("at home" if item == "where" else 3, item=item)
        assert set(beside(answered, Marginals.read(path))["distance"]) == {0.0}


def test_a_file_in_another_encoding_is_told(tmp_path):
    (tmp_path / "people.csv").write_bytes("item,value,share,source\na,älä,1,x\n".encode("latin-1"))
    with pytest.raises(WorldError, match="it is not in UTF-8"):
        Marginals.read(tmp_path / "people.csv")


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(WorldError, match="cannot be read as CSV"):
        Marginals.read(tmp_path / "nowhere.csv")


def test_figures_of_several_sources_name_them_all(tmp_path):
    (tmp_path / "two.csv").write_text("item,value,share,source\ntrust,1,0.4,one\ntrust,2,0.6,other\n")
    both = beside(answers(1, 2), Marginals.read(tmp_path / "two.csv"))
    assert set(both["source"]) == {"one; other"}
