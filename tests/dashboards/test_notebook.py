"""What notebooks show: small tables of everything, in which no text of a resident becomes part of the page."""

import re
from html.parser import HTMLParser

import pytest

from cave_sim import Entity, Simulation, World, WorldError, field, open_run
from cave_sim.dashboards.notebook.html import spark_points
from cave_sim.history.diff import diff

HOSTILE = "</td></table><script>alert('x')</script><img src=x onerror=alert(1)>\" ' & \x00"


class Tags(HTMLParser):
    """Collects the tags of a page, and the texts in it."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts = set(), []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data):
        self.texts.append(data)


class Poet(Entity):
    """Somebody."""

    words: str = field("", about=HOSTILE, unit=HOSTILE)
    said: list[str] = field([])


class Reader(Entity):
    """Somebody who reads a poet."""

    of: Poet


def world_of(words):
    world = World(seed=1)
    world.add("ann", Poet())
    return world, {"ann": lambda seen: f"me.words = {words!r}\nme.said.append({words!r})\nprint(me.words)"}


def lived(folder, words, steps=3):
    world, agents = world_of(words)
    measures = {HOSTILE: lambda world: float(len(world["ann"].said)), "none": lambda world: float("nan")}
    with Simulation(world, agents, out=folder, measures=measures) as simulation:
        return simulation.run(steps=steps)


@pytest.fixture
def shown(tmp_path):
    """Return what was shown of everything in which a hostile resident has a say."""
    simulation = lived(tmp_path / "one", HOSTILE)
    lived(tmp_path / "other", "hello")
    turns = []
    simulation.world.sink = turns.append
    simulation.world.execute(f"me.words = {HOSTILE + 'x'!r}\nprint(me.words)", agent="ann")
    simulation.world.execute(f"raise ValueError({HOSTILE!r})", agent="ann")
    with open_run(tmp_path / "one") as one, open_run(tmp_path / "other") as other:
        things = [simulation, simulation.world, simulation.world["ann"], *turns, one, diff(one, other)]
        yield [(thing, thing._repr_html_(), repr(thing)) for thing in things]


def test_no_text_of_a_resident_becomes_part_of_the_page(shown):
    for thing, page, _ in shown:
        found = Tags(page)
        assert found.tags <= {"div", "strong", "table", "tr", "th", "td", "pre", "code", "svg", "polyline"}, thing
        assert found.texts
    assert sum("alert('x')" in text for _, page, _ in shown for text in Tags(page).texts) >= 6


def test_a_line_says_what_it_is_without_an_address(shown):
    lines = [line for *_, line in shown[:-1]]
    assert not [line for line in lines if re.search(r"0x[0-9a-f]{6}", line)]
    assert all(len(line) < 250 for line in lines)
    assert lines[0] == "<Simulation: Sat 1 January 2000 00:30, step 3, 3 cells>"
    assert lines[1].startswith("<World: Sat 1 January 2000 00:30, step 3, 1 entity>")


def test_a_run_shows_its_report_in_a_frame_that_can_only_draw(tmp_path):
    lived(tmp_path / "run", HOSTILE)
    with open_run(tmp_path / "run") as run:
        page = run.show(height_px=300)._repr_html_()
        found = Tags(page)
    assert found.tags == {"iframe"}
    assert 'sandbox="allow-scripts"' in page
    assert "height: 300px" in page


def test_a_spark_line_has_a_point_for_each_number_and_none_for_what_is_missing():
    assert spark_points([1.0, None, float("nan"), 3.0]) == "0.0,18.0 100.0,2.0"
    assert spark_points([None]) == ""
    assert len(spark_points(list(range(10_000))).split()) <= 120


def test_measures_are_plotted_over_the_steps(tmp_path):
    pytest.importorskip("plotly")
    simulation = lived(tmp_path / "run", "hello", steps=4)
    with open_run(tmp_path / "run") as run:
        for shown in (run, simulation):
            figure = shown.plot(HOSTILE)
            assert [list(line.x) for line in figure.data] == [[0, 1, 2, 3, 4]]
            assert [list(line.y) for line in figure.data] == [[0, 1, 2, 3, 4]]
        assert len(run.plot().data) == 2
        with pytest.raises(WorldError, match="nothing was measured as 'lives'"):
            run.plot("lives")
    with pytest.raises(WorldError, match="give the simulation measures"):
        Simulation(World(seed=1)).plot()


def test_values_read_as_on_the_command_line(tmp_path):
    """Entities by their names, and two long values where they part."""
    for name, last in (("one", "sun"), ("other", "rain")):
        lived(tmp_path / name, f"{'the same line ' * 20}{last}", steps=1)
    with open_run(tmp_path / "one") as one, open_run(tmp_path / "other") as other:
        texts = Tags(diff(one, other)._repr_html_()).texts
    assert any(text.startswith("…") and "sun" in text for text in texts)
    assert any(text.startswith("…") and "rain" in text for text in texts)
    world = World(seed=1)
    world.add("ann", Poet())
    world.add("bob", Reader(of=world["ann"]))
    assert '"ann"' in Tags(world["bob"]._repr_html_()).texts
