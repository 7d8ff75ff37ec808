"""Documents: every template in every format, from live objects, the same each time."""

import datetime as dt
import io
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim.models.tokens import ESTIMATE
from cave_sim.rendering import document_types
from cave_sim.rendering.documents import render, write_document
from cave_sim.rendering.limits import RenderError
from cave_sim.rendering.registry import FORMATS, TemplateRegistry
from cave_sim.rendering.values import plain

go = pytest.importorskip("plotly.graph_objects")
docx = pytest.importorskip("docx")

PART = {"heading": "Herring", "text": "Landed at noon.", "points": ["fresh"], "tables": [], "charts": []}
EXAMPLES = {
    "newspaper": {"title": "The Gazette", "date": "Monday", "articles": [{"headline": "Herring", "text": "Cheap."}]},
    "study_report": {
        "title": "Herring",
        "question": "Cheap?",
        "method": "Looked.",
        "results": [PART],
        "commands": "ls",
    },
    "minutes": {
        "title": "Council",
        "date": "Monday",
        "present": ["Herring & Sons"],
        "topics": [PART],
        "actions": [{"who": "ann", "what": "buy Herring"}],
    },
    "data_report": {"title": "Herring", "tables": [{"columns": ["fish"], "rows": [["Herring"], [None]]}]},
    "api_reference": {
        "title": "Herring",
        "endpoints": [{"name": "fish", "parameters": [{"name": "kind", "type": "str"}], "example": "fish('Herring')"}],
    },
}


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_template_makes_every_format_and_the_same_each_time(name, format_):
    made = render(name, EXAMPLES[name], format_)
    assert render(name, EXAMPLES[name], format_) == made
    if format_ == "docx":
        word = docx.Document(io.BytesIO(made.data))
        cells = [cell.text for table in word.tables for row in table.rows for cell in row.cells]
        text = " ".join([each.text for each in word.paragraphs] + cells)
    else:
        text = made.text
    assert "Herring" in text
    assert EXAMPLES.keys() == document_types.BY_NAME.keys()


def test_frames_figures_and_times_are_given_as_they_are():
    frame = pd.DataFrame(
        {"fish": ["herring", None], "price": [1.5, np.nan], "day": pd.to_datetime(["2024-01-01", None])}
    )
    figure = go.Figure([go.Scatter(x=[1, 2], y=[3, 4], name="price"), go.Bar(x=["a", "b"], y=[1, 2])])
    figure.update_layout(title="Prices", xaxis_title="day")
    data = {"title": dt.date(2024, 1, 1), "tables": [frame], "charts": [figure]}
    page = render("data_report", data).text
    assert "<td>herring</td><td>1.5</td><td>2024-01-01T00:00:00</td>" in page
    assert "<td></td><td></td><td></td>" in page
    assert 'aria-label="Prices"' in page
    assert "<rect" in page
    assert "addplot+[ybar" in render("data_report", data, "latex").text
    with zipfile.ZipFile(io.BytesIO(render("data_report", data, "docx").data)) as word:
        assert any(name.endswith(".png") for name in word.namelist())


def test_a_figure_of_arrays_whose_numbers_plotly_packs_is_drawn_and_one_that_cannot_be_is_named():
    packed = go.Figure(go.Scatter(x=np.arange(3), y=np.array([1.5, 2, 2.5])))
    assert [each["y"] for each in plain(packed)["series"]] == [[1.5, 2, 2.5]]
    with pytest.raises(RenderError, match="draws lines, points and bars; this figure has pie"):
        plain(go.Figure(go.Pie(values=[1, 2])))


def test_yes_and_no_along_x_are_names_of_bars():
    shares = go.Figure(go.Bar(x=pd.Series([True, False]), y=[0.25, 0.75]))
    page = render("data_report", {"title": "Who came", "charts": [shares]}).text
    assert ">true</text>" in page
    assert ">false</text>" in page


@pytest.mark.parametrize(
    ("cell", "format_", "shown"),
    [
        ("5 % off", "latex", r"& 5 \% off \\"),
        ("*", "latex", r"& {}* \\"),
        ("a\u202eb", "html", "<td>ab</td></tr>"),
        ("a\x1cb\x1dc", "html", "<td>abc</td></tr>"),
    ],
)
def test_a_cell_of_a_table_is_one_cell_that_says_what_it_says(cell, format_, shown):
    table = {"columns": ["fish", "what"], "rows": [["herring", cell]]}
    assert shown in render("data_report", {"title": "x", "tables": [table]}, format_).text


@pytest.mark.long
def test_a_hundred_thousand_rows_cost_the_agent_next_to_nothing():
    rows = pd.DataFrame({"number": np.arange(100_000), "text": ["a & b"] * 100_000})
    cell = 'render("data_report", {"title": "All readings", "summary": "Every one.", "tables": [readings]})'
    made = render("data_report", {"title": "All readings", "summary": "Every one.", "tables": [rows]})
    assert made.text.count("<tr>") == 100_001
    assert made.text.count("a &amp; b") == 100_000
    assert ESTIMATE(cell) < 300 < ESTIMATE(made.text)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(values)
def test_data_that_is_plain_already_stays_as_it_is(value):
    assert plain(value) == value


@given(st.lists(st.lists(st.none() | st.integers() | st.text(max_size=8), min_size=2, max_size=2), max_size=4))
def test_rendering_is_pure(rows):
    table = {"columns": ["a", "b"], "rows": rows}
    data = {"title": "x", "tables": [table]}
    copy = {"title": "x", "tables": [{"columns": ["a", "b"], "rows": [list(row) for row in rows]}]}
    first = render("data_report", data, "html").data
    assert data == copy
    assert render("data_report", copy, "html").data == first
    assert first.count(b"<tr>") == len(rows) + 1


@pytest.mark.parametrize("rows", [[[1]], [[1, 2], [3]], "ab", [[1, [2]]], [[1, b"x"]]])
def test_a_table_that_is_none_is_refused(rows):
    with pytest.raises(RenderError, match=r"row|list|bytes"):
        render("data_report", {"title": "x", "tables": [{"columns": ["a", "b"], "rows": rows}]})


def test_a_template_of_ones_own_has_its_schema_and_its_place_in_the_list():
    registry = TemplateRegistry()
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "log": {"type": "table"}, "plot": {"type": "chart"}},
        "required": ["name", "log"],
    }
    registry.register("card", "{{ heading(data.name) }}{{ table(data.log) }}", schema, about="a card")
    made = render("card", {"name": "x", "log": pd.DataFrame({"a": [1]})}, "markdown", registry)
    assert made.text == "# x\n\n| a |\n| --- |\n| 1 |\n"
    listed = next(each for each in registry.list() if each["name"] == "card")
    assert (listed["variables"], listed["takes"]) == (["log", "name"], "name, log, plot?")
    with pytest.raises(RenderError, match="there is no template 'cart'"):
        render("cart", {}, "html", registry)
    with pytest.raises(RenderError, match="there is no format 'pdf'"):
        render("card", {"name": "x"}, "pdf", registry)


def test_properties_may_have_any_name_and_an_enum_keeps_its_values():
    schema = {
        "type": "object",
        "properties": {"_x": {"type": "string"}, "json": {"type": "string"}, "n": {"enum": [1, "two", None]}},
        "required": ["json", "n"],
    }
    registry = TemplateRegistry()
    card = registry.register("card", "{{ data.json }} {{ data.n }} {{ data['_x'] }}", schema)
    assert render(card, {"json": "a", "n": 1, "_x": "b"}, "markdown").text == "a 1 b\n"
    assert card.to_data()["takes"] == "_x?, json, n"
    assert card.to_data()["schema"]["properties"].keys() == {"_x", "json", "n"}
    with pytest.raises(RenderError, match="card: n:"):
        render(card, {"json": "a", "n": "1"}, "markdown")


@pytest.mark.parametrize(
    "part",
    [
        {"properties": 5},
        {"properties": {"a": {"enum": []}}},
        {"properties": {"a": {"enum": [1.5]}}},
        {"properties": {"a": {"type": ["string", 5]}}},
        {"properties": {"a": 3}},
        {"properties": {}, "required": 7},
    ],
)
def test_a_schema_that_is_none_is_refused_in_a_line(part):
    with pytest.raises(RenderError) as refused:
        TemplateRegistry().register("card", "x", {"type": "object", **part})
    assert (refused.value.kind, "\n" in str(refused.value)) == ("schema", False)


def test_what_a_template_names_and_data_lacks_is_said():
    registry = TemplateRegistry()
    registry.register("card", "{{ data.surname }}", {"type": "object", "properties": {"name": {"type": "string"}}})
    with pytest.raises(RenderError, match="surname"):
        render("card", {"name": "x"}, "html", registry)


@pytest.mark.parametrize(
    ("format_", "shown"),
    [("html", "a &amp; b_c"), ("latex", r"a \& b\_c"), ("markdown", r"a &amp; b\_c")],
)
def test_a_text_that_stands_in_a_template_is_escaped_as_its_format_does_it(format_, shown):
    registry = TemplateRegistry()
    registry.register("card", "{{ 'a & b_c' }}", {"type": "object", "properties": {}})
    assert shown in render("card", {}, format_, registry).text


@pytest.mark.parametrize("value", ["\ud800", 10**400, float("nan"), 2**70])
@pytest.mark.parametrize("format_", FORMATS)
def test_odd_values_in_a_table_are_shown_or_refused(format_, value):
    table = {"columns": ["a"], "rows": [[value], ["b"]]}
    assert render("data_report", {"title": "x", "tables": [table]}, format_).data


@pytest.mark.parametrize("format_", FORMATS)
def test_a_number_of_too_many_digits_is_refused_in_every_format(format_):
    with pytest.raises(RenderError):
        render("data_report", {"title": "x", "tables": [{"columns": ["a"], "rows": [[10**5000]]}]}, format_)


def test_words_on_an_axis_keep_their_order_and_long_cells_are_folded_in_latex():
    series = {"x": ["mon", "tue", "fri"], "y": [1, 2, 3], "kind": "bar"}
    table = {"columns": ["a", "b"], "rows": [["[1ex]", "word " * 60]]}
    made = render("data_report", {"title": "x", "charts": [{"series": [series]}], "tables": [table]}, "latex").text
    assert "xticklabels={mon,tue,fri}" in made
    assert r"\linewidth}" in made
    assert "\n{}[1ex] & word" in made


def test_a_document_is_written_whole_and_the_same_one_only_once(tmp_path):
    with pytest.raises(RenderError, match="there is no format 'pdf'; there are html"):
        write_document(tmp_path / "documents", "day_1", "pdf", b"first")
    path = write_document(tmp_path / "documents", "day_1", "html", b"first")
    before = path.stat().st_mtime_ns
    assert write_document(tmp_path / "documents", "day_1", "html", b"first").stat().st_mtime_ns == before
    assert write_document(tmp_path / "documents", "day_1", "html", b"second").read_bytes() == b"second"
    assert [each.name for each in path.parent.iterdir()] == ["day_1.html"]
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(RenderError, match="file"):
        write_document(tmp_path / "file", "x", "html", b"x")
