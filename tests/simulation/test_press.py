"""Documents of a world: state while a step is under way, files once it stands, the same after a kill."""

import os
import signal
import subprocess
import sys

import pandas as pd
import pytest

from cave_sim import Entity, Simulation, World, field, open_run
from cave_sim.journal.integrity import problems
from cave_sim.replay.resume import resume
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.press import FOLDER, KEPT, PRESS, content, open_press

PAPER = '{"title": "Day <1>", "date": "today", "articles": []}'


class Editor(Entity):
    """Writes."""

    issues: int = field(0)


def living(act, out=None, **options):
    world = World(seed=1)
    printing = open_press(world, **options)
    world.add("ann", Editor())
    world.inject("rows", pd.DataFrame({"number": range(3_000), "text": ["a & b"] * 3_000}))
    return Simulation(world, {"ann": act}, out=out, observers=[printing])


def files(folder):
    return {path.name: path.read_bytes() for path in (folder / FOLDER).iterdir()} if (folder / FOLDER).exists() else {}


def test_a_document_is_written_when_its_step_stands_and_once(tmp_path):
    cell = f'me.issues += 1\nrender("newspaper", {PAPER}, name=f"day_{{me.issues}}")'
    with living(lambda seen: cell, tmp_path / "run") as simulation:
        simulation.run(until=1)
        (path,) = (tmp_path / "run" / FOLDER).iterdir()
        assert (path.name, b"Day &lt;1&gt;" in path.read_bytes()) == ("day_1.html", True)
        before = path.stat().st_mtime_ns
        simulation.run(until=3)
        assert path.stat().st_mtime_ns == before
    assert sorted(files(tmp_path / "run")) == ["day_1.html", "day_2.html", "day_3.html"]
    with open_run(tmp_path / "run") as run:
        assert not list(problems(run))


def test_a_cell_that_fails_after_it_rendered_leaves_no_document(tmp_path):
    with living(lambda seen: f'render("newspaper", {PAPER}, name="x")\n1 / 0', tmp_path / "run") as simulation:
        simulation.run(until=2)
        assert not simulation.world[PRESS].documents
    assert files(tmp_path / "run") == {}


def test_live_rows_cost_a_name_in_the_cell_and_come_back_whole():
    simulation = living(lambda seen: 'render("data_report", {"title": "All", "tables": [rows]}, name="all")')
    simulation.run(until=1)
    entry = simulation.world[PRESS].documents["all"]
    assert content(entry).count(b"a &amp; b") == 3_000
    assert (entry["agent"], entry["bytes"]) == ("ann", len(content(entry)))


class Dies(Observer):
    """Is killed once a step stands, before what comes after it."""

    def on_step(self, simulation):
        if simulation.world.clock.step == 2:
            os.kill(os.getpid(), signal.SIGKILL)


def two_documents(seen):
    """Return a cell that renders one document that stands, and one whose turn fails."""
    cell = f'me.issues += 1\nrender("newspaper", {PAPER}, name=f"day_{{me.issues}}")'
    return f"{cell}\nif me.issues == 3:\n    1 / 0"


DIES = """
import sys
from pathlib import Path
from tests.simulation.test_press import Dies, living, two_documents

simulation = living(two_documents, Path(sys.argv[1]))
simulation.observers.insert(0, Dies())
simulation.run(until=4)
"""


@pytest.mark.long
def test_what_a_killed_process_had_committed_and_not_written_is_written_by_the_next(tmp_path):
    folder = tmp_path / "run"
    ended = subprocess.run([sys.executable, "-c", DIES, str(folder)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert list(files(folder)) == ["day_1.html"]
    (folder / FOLDER / ".day_2.html.new").write_bytes(b"half of")
    with resume(folder, simulation=living(two_documents)) as simulation:
        assert list(simulation.world[PRESS].documents) == ["day_1", "day_2"]
        simulation.run(until=4)
        assert simulation.turns_taken
    assert sorted(files(folder)) == ["day_1.html", "day_2.html"]
    with open_run(folder) as run:
        assert not list(problems(run))
        assert [state for (state,) in run.query("SELECT status FROM turns WHERE agent = 'ann'")][2:] == ["failed"] * 2


def test_a_document_that_cannot_be_written_holds_up_no_other_and_is_tried_again(tmp_path, capsys):
    folder = tmp_path / "run"
    cell = f'me.issues += 1\nrender("newspaper", {PAPER}, name=f"day_{{me.issues}}")'
    with living(lambda seen: cell, folder) as simulation:
        (folder / FOLDER).mkdir(parents=True)
        (folder / FOLDER / "day_1.html").symlink_to(tmp_path / "elsewhere")
        simulation.run(until=2)
        assert "day_1 is not written" in capsys.readouterr().err
        assert (folder / FOLDER / "day_2.html").is_file()
        (folder / FOLDER / "day_1.html").unlink()
        simulation.run(until=3)
        assert sorted(files(folder)) == ["day_1.html", "day_2.html", "day_3.html"]
        assert not capsys.readouterr().err
    with open_run(folder) as run:
        assert [kind for (kind,) in run.query("SELECT kind FROM events WHERE kind = 'document_failed'")] == [
            "document_failed"
        ]
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ('render("newspaper", {"title": 5})', "Refused: newspaper"),
        (f'render("newspaper", {PAPER}, name="../x")', "a document's name"),
        (f'render("newspaper", {PAPER}, format="exe")', "there is no format"),
        ('render("gazette", {})', "there is no template"),
        ('press.register("mine", "{{ data.__class__ }}", {"type": "object", "properties": {}})', "__class__"),
        ("press.documents = {}", "may not write"),
        (f'for n in range({KEPT + 1}):\n    render("newspaper", {PAPER}, name=f"x{{n}}")', "in one step are enough"),
        ('render("data_report", {"title": "x", "findings": [print]})', ""),
    ],
)
def test_a_cell_that_asks_for_what_cannot_be_is_told_so_and_changes_nothing(cell, says):
    simulation = living(lambda seen: "")
    turn = simulation.world.execute(cell, agent="ann")
    assert turn.status in ("failed", "blocked")
    assert says in turn.error
    assert not simulation.world[PRESS].documents


@pytest.mark.long
def test_a_cell_renders_its_figures_of_numbers_and_of_names():
    pytest.importorskip("plotly")
    simulation = living(lambda seen: "")
    cell = """import plotly.express as px
drawn = [px.line(rows, x="number", y="number"), px.bar(x=["a", "b"], y=[1, 2])]
render("data_report", {"title": "x", "charts": drawn}, name="x")"""
    turn = simulation.world.execute(cell, agent="ann")
    assert turn.committed, turn.error
    assert content(simulation.world[PRESS].documents["x"]).count(b"<svg") == 2


def test_a_template_of_an_agents_own_is_state_and_renders():
    simulation = living(lambda seen: "")
    schema = '{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}'
    cell = f"""press.register("card", "{{{{ heading(data.name) }}}}", {schema})
render("card", {{"name": "x"}}, format="markdown")"""
    turn = simulation.world.execute(cell, agent="ann")
    assert turn.committed, turn.error
    assert content(simulation.world[PRESS].documents["card_0"]) == b"# x\n"
    twin = simulation.fork()
    assert "card" in twin.world[PRESS].templates
    again = twin.world.execute("render('card', {'name': 'y'}, name='again')", agent="ann")
    assert again.committed, again.error
    assert "again" not in simulation.world[PRESS].documents
