"""A template that a model wrote does nothing but make a document; data is never anything but data."""

import re
from html.parser import HTMLParser

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim.rendering import document_types, escaping
from cave_sim.rendering.documents import document_path, render, write_document
from cave_sim.rendering.latex_blocks import LatexBlocks
from cave_sim.rendering.limits import RenderError, RenderLimits
from cave_sim.rendering.registry import FORMATS, TemplateRegistry
from tests.rendering import attacks

SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "url": {"type": "string"},
        "element": {"type": "string"},
        "attributes": {"type": "string"},
        "long": {"type": "string"},
        "rows": {"type": "array", "items": {"type": "integer"}},
        "size": {"type": "string"},
    },
    "required": ["title"],
}
DATA = {
    "title": "Today",
    "url": "javascript:alert(1)",
    "element": "script",
    "attributes": "x onclick=alert(1)",
    "long": "x" * 10_000,
    "rows": [1, 2, 3],
    "size": "1000000cm",
}
TIGHT = RenderLimits(steps=100_000, chars=1_000_000, cpu_s=2.0)
TIGHTER = RenderLimits(steps=10_000, chars=200_000, cpu_s=2.0)


def made(source, format_="html", data=DATA, limits=TIGHT):
    registry = TemplateRegistry(limits)
    registry.register("mine", source, SCHEMA)
    return render("mine", data, format_, registry).text


@pytest.mark.parametrize("source", attacks.SANDBOX)
def test_a_template_gets_at_nothing_but_its_data(source):
    with pytest.raises(RenderError) as refused:
        made(source)
    assert refused.value.kind in ("security", "template")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("source", attacks.GREEDY, ids=lambda source: source[:60])
def test_a_template_takes_no_more_than_it_may(source):
    with pytest.raises(RenderError) as refused:
        made(source, limits=TIGHTER)
    assert refused.value.kind in ("limit", "security", "template")


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("{% for a in range(900) %}{% for b in range(900) %}{% endfor %}{% endfor %}", "5,000 steps"),
        ("{% macro m() %}{% endmacro %}{% for i in range(4000) %}{{ m() }}{% endfor %}", "5,000 steps"),
        ("{% if range(9000) %}{% endif %}", "longer than any loop"),
        ("{% set x %}{% for i in range(90) %}{{ data.long[:50] }}{% endfor %}{% endset %}", "4,000 characters"),
        ("{% set x = data.long %}", "4,000 characters"),
        ("{% set x = data.title ~ data.long %}", "4,000 characters"),
        ("{% if 2 ** 64 * 2 ** 64 * 2 ** 64 * 2 ** 64 * 2 ** 64 * 2 %}{% endif %}", "too large"),
        ("{{ 2 ** 65 }}", "up to 64"),
    ],
)
def test_each_limit_holds_by_itself_long_before_time_is_over(source, why):
    with pytest.raises(RenderError, match=why):
        made(source, limits=RenderLimits(steps=5_000, chars=4_000, cpu_s=60.0))


def test_a_template_takes_no_more_time_than_it_may():
    with pytest.raises(RenderError, match="0 seconds of processor time"):
        made("{{ data.title }}{% for a in data.rows %}{{ a }}{% endfor %}", limits=RenderLimits(cpu_s=0.0))


@pytest.mark.parametrize("source", attacks.ACTIVE_HTML)
def test_no_page_runs_or_loads_anything(source):
    with pytest.raises(RenderError, match="neither runs nor loads"):
        made(source)


@pytest.mark.parametrize("source", attacks.ACTIVE_LATEX)
def test_no_latex_reads_writes_or_defines_anything(source):
    with pytest.raises(RenderError, match="reads, writes and defines nothing"):
        made(source, "latex")


@pytest.mark.parametrize("source", attacks.ENDLESS_LATEX)
def test_no_latex_is_told_a_size_or_a_number_that_no_paper_has(source):
    with pytest.raises(RenderError, match=r"told a size|leaps"):
        made(source, "latex", DATA)


@pytest.mark.parametrize("source", attacks.ENDLESS_HTML)
def test_no_page_is_told_a_size_that_no_screen_has(source):
    with pytest.raises(RenderError, match="10,000"):
        made(source)


@pytest.mark.parametrize(
    "source",
    [
        r"\vspace{-1.5em}\hspace*{.5\linewidth}\vspace{2cm}\hspace{\textwidth}x\\[3pt]y\\*[1ex]z\newpage\pagebreak[3]",
        r"\begin{tabular}[t]{@{}l|c r p{3cm}p{.25\linewidth}@{}}a\\\cline{1-2}\multicolumn{2}{c|}{b}\end{tabular}",
        r"\begin{tabular*}{\linewidth}{lr}a & b\\\end{tabular*}\footnote[3]{c}\linebreak[2] d",
    ],
)
def test_latex_of_usual_sizes_is_let_through(source):
    assert source in made(source, "latex")


@pytest.mark.parametrize("text", ["[1000000cm] of rain", "*", " [sic]", "*[5cm]"])
def test_a_text_is_no_option_of_the_command_before_it(text):
    paper = made(r"a\\ {{ data.title }}\\{{ data.title }} \footnote{{ data.title }}", "latex", {"title": text})
    assert not re.search(r"(?:\\\\|footnote)\s*[\[*]", paper)


@pytest.mark.parametrize("source", attacks.ACTIVE_MARKDOWN)
def test_no_markdown_holds_html_or_leads_or_loads_from_elsewhere(source):
    with pytest.raises(RenderError, match="neither runs nor loads"):
        made(source, "markdown")


@pytest.mark.parametrize("source", ["{% set x = heading('abc') %}{{ x[:9] }}", "{% set x = heading('a') %}{{ x[1:] }}"])
def test_half_a_block_makes_no_word_document(source):
    with pytest.raises(RenderError):
        made(source, "docx")


def test_what_templates_may_write_by_themselves_is_let_through():
    page = made('<section class="lead"><h2>{{ data.title }}</h2><a href="next.html">on</a><br/></section>')
    assert '<a href="next.html">on</a>' in page
    paper = made("\\begin{quote}\\textbf{ {{- data.title -}} } 5\\,\\%\\end{quote}", "latex")
    assert r"\textbf{Today} 5\,\%" in paper
    text = made("> **{{ data.title }}** [on](next.md) [home](https://example.org)", "markdown")
    assert text == "> **Today** [on](next.md) [home](https://example.org)\n"


class Elements(HTMLParser):
    """Collects the elements, attributes and text of a page's body."""

    def __init__(self):
        super().__init__()
        self.found, self.text = set(), ""

    def handle_starttag(self, tag, attributes):
        self.found |= {tag, *(name for name, _ in attributes)}

    def handle_data(self, data):
        self.text += data


def everywhere(text):
    """Return data of a report with a text in every place that takes one."""
    chart = {"title": text, "x_label": text, "y_label": text, "series": [{"name": text, "x": [text, "b"], "y": [1, 2]}]}
    table = {"columns": [text, "b"], "rows": [[text, 1], [None, text]], "caption": text}
    part = {"heading": text, "text": text, "points": [text], "tables": [table], "charts": [chart]}
    return {
        "title": text,
        "summary": text,
        "findings": [text],
        "sections": [part],
        "tables": [table],
        "charts": [chart],
    }


USUAL = "html head meta title style body main h1 h2 p ul li div table caption thead tbody tr th td figure svg text"
ALLOWED = {
    *f"{USUAL} rect path link circle".split(),
    *"lang charset name content http-equiv rel href class scope viewbox role aria-label xmlns".split(),
    *"x y text-anchor d fill stroke stroke-width width height cx cy r".split(),
}


@pytest.mark.parametrize("text", attacks.TEXTS)
def test_a_text_in_html_is_shown_and_not_obeyed(text):
    page = render("data_report", everywhere(text)).text
    elements = Elements()
    elements.feed(page)
    assert elements.found <= ALLOWED
    assert re.sub(r"[\x00-\x08\x0e-\x1f\ud800-\udfff\s]", "", text) in re.sub(r"\s", "", elements.text)


@pytest.mark.parametrize("text", attacks.TEXTS)
def test_a_text_in_latex_is_shown_and_not_obeyed(text):
    body = render("data_report", everywhere(text), "latex").text.partition(r"\begin{document}")[2]
    commands = set(re.findall(r"\\([a-zA-Z]+)", body))
    assert not commands & {"input", "immediate", "write", "csname", "catcode"}
    assert body.count("{") - body.count(r"\{") == body.count("}") - body.count(r"\}")


@pytest.mark.parametrize("text", attacks.TEXTS)
def test_a_text_in_markdown_is_one_line_that_begins_nothing(text):
    lines = render("data_report", {"title": "x", "summary": f"a {text}", "findings": [text]}, "markdown").text
    report = render("data_report", {"title": "x", "summary": text.replace("\n", " "), "findings": []}, "markdown").text
    assert "<script" not in lines
    assert not re.search(r"(?<!\\)[\[\]`*|~]", lines)
    assert not re.match(r"\s*(?:[#+=>-]|\d+[.)])", report.removeprefix("# x\n\n"))
    assert "\r" not in report


def test_code_in_markdown_is_fenced_wherever_it_stands():
    text = made("{{ items(['a']) }}{{ code(data.title) }}", "markdown", {"title": "````\n<script>1</script>"})
    assert "`````\n````\n<script>1</script>\n`````" in text


@given(st.text(max_size=60))
def test_whatever_a_text_holds_a_page_has_the_same_elements(text):
    data = {"title": "x", "tables": [{"columns": ["a"], "rows": [[text]]}], "findings": [text]}
    elements = Elements()
    elements.feed(render("data_report", data).text)
    assert elements.found <= ALLOWED


@pytest.mark.parametrize("name", attacks.NAMES)
def test_a_document_stays_in_its_folder(tmp_path, name):
    with pytest.raises(RenderError, match="a document's name"):
        document_path(tmp_path, name, "html")
    with pytest.raises(RenderError, match="a template's name"):
        TemplateRegistry().register(name.upper() or "", "x", SCHEMA)


def test_a_document_is_not_written_through_a_link(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "documents").symlink_to(outside)
    with pytest.raises(RenderError, match="link"):
        write_document(tmp_path / "documents", "x", "html", b"x")
    folder = tmp_path / "real"
    folder.mkdir()
    (folder / "x.html").symlink_to(outside / "y.html")
    with pytest.raises(RenderError, match="link"):
        write_document(folder, "x", "html", b"x")
    assert not any(outside.iterdir())


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"title": 5},
        {"title": "x", "more": 1},
        {"title": "x", "rows": "abc"},
        {"title": "x", "rows": [object()]},
        {"title": "x", "rows": [b"bytes"]},
        {"title": "x", ("a", "b"): 1},
        "only text",
        None,
    ],
)
def test_data_that_does_not_fit_is_refused_before_anything_is_rendered(data):
    with pytest.raises(RenderError) as refused:
        made("{{ data.title }}", data=data)
    assert refused.value.kind == "schema"


@pytest.mark.parametrize(
    "schema", [{"type": "string"}, {"type": "object", "properties": {"a": {"type": "x"}}}, {"$ref": "#"}]
)
def test_a_schema_that_is_none_is_refused(schema):
    with pytest.raises(RenderError):
        TemplateRegistry().register("mine", "x", schema)


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        (range(10**12), "5,000,000 values"),
        (range(10**30), "5,000,000 values"),
        ([pd.DataFrame([range(1_001)])], "1,000 columns at the most, and this 1,001"),
        ([{"columns": ["a"] * 1_001, "rows": []}], "at most 1000 items"),
    ],
    ids=["long", "longer", "a wide frame", "a wide table"],
)
def test_what_is_too_much_is_refused_before_any_of_it_is_looked_at(tables, why):
    with pytest.raises(RenderError, match=why):
        render("data_report", {"title": "x", "tables": tables}, "latex")


def test_a_circle_in_data_is_too_deep():
    circle = {"title": "x"}
    circle["rows"] = [circle]
    with pytest.raises(RenderError, match="deep"):
        made("{{ data.title }}", data=circle)


def test_the_templates_that_come_along_stay_as_they_are():
    for name in document_types.BY_NAME:
        with pytest.raises(RenderError, match="comes along"):
            TemplateRegistry().register(name, "x", SCHEMA)


def test_there_are_attacks_of_every_kind():
    kinds = (attacks.SANDBOX, attacks.GREEDY, attacks.ACTIVE_HTML, attacks.ACTIVE_LATEX, attacks.ACTIVE_MARKDOWN)
    assert sum(map(len, kinds)) >= 150
    assert set(FORMATS) >= {"html", "markdown", "latex", "docx", "json"}


@given(st.text(max_size=200))
def test_a_long_word_in_latex_may_be_broken_and_says_the_same(text):
    shown = escaping.latex(text)
    assert shown.replace(escaping.MAY_BREAK, "") == escaping.latex_line(text)
    assert escaping.MAY_BREAK not in escaping.latex_line(text)


@pytest.mark.parametrize("word", ["x" * 500, "https://example.org/" + "a_b/" * 60, "e\u0301" * 300, "\\" * 90])
def test_no_word_in_latex_is_longer_than_a_column_has_room_for(word):
    pieces = escaping.latex(word).split(escaping.MAY_BREAK)
    assert len(pieces) > 3
    assert escaping.latex("short_word and another") == r"short\_word and another"
    assert all(len(piece) <= 12 * len(escaping.LATEX["\\"]) for piece in pieces)


def test_a_table_with_a_long_word_keeps_its_columns_within_the_page():
    table = {"columns": ["digest"], "rows": [["f" * 64]], "caption": ""}
    written = LatexBlocks().table(table)
    assert "begin{longtable}{l}" in written  # it fits: 64 letters on a line of 84
    assert written.count(escaping.MAY_BREAK) == 5
