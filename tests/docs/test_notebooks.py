"""The notebooks run on a real kernel from top to bottom, and are kept without what they showed."""

import os
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
LONGEST_S = 20
LINES_OF_A_STUDY = 20


def processor_s():
    """Return the processor time of the processes that this one started and that have ended, kernels among them."""
    times = os.times()
    return times.children_user + times.children_system


def code_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown_by(notebook):
    return [output for cell in code_of(notebook) for output in cell.outputs]


def pages_among(shown):
    return [output.data["text/html"] for output in shown if "text/html" in output.get("data", {})]


@pytest.fixture
def read():
    nbformat = pytest.importorskip("nbformat")
    return lambda path: nbformat.validator.validate(found := nbformat.read(path, as_version=4)) or found


@pytest.fixture
def executed(read, tmp_path, monkeypatch):
    """Return what runs a notebook on our sources, in an empty folder; it returns both, with what the cells showed."""
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))

    def run(path):
        notebook, folder = read(path), tmp_path / "work"
        folder.mkdir(exist_ok=True)
        client.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
        return notebook, folder

    return run


def test_there_are_four():
    assert len(NOTEBOOKS) == 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_what_it_showed(path, read):
    assert not [cell for cell in code_of(read(path)) if cell.outputs or cell.execution_count]


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_tables(path, executed):
    begun_s = processor_s()
    notebook, _ = executed(path)
    assert processor_s() - begun_s < LONGEST_S
    shown = shown_by(notebook)
    assert not [output for output in shown if output.output_type == "error" or output.get("name") == "stderr"]
    assert len(pages_among(shown)) >= 2


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_again_where_its_runs_lie_by_now(path, executed):
    once, again = (shown_by(executed(path)[0]) for _ in range(2))
    assert len(pages_among(again)) == len(pages_among(once))


@pytest.mark.long
def test_a_study_of_ones_own_takes_under_twenty_lines(executed):
    notebook, folder = executed(next(path for path in NOTEBOOKS if "study" in path.stem))
    lines = [line for cell in code_of(notebook) for line in cell.source.splitlines() if line and line[0] != "%"]
    assert len(lines) < LINES_OF_A_STUDY
    page = (folder / "runs" / "tea" / "report.html").read_text(encoding="utf-8")
    assert "95" in page
    assert Path(folder / "runs" / "tea" / "results" / "trials.csv").read_text().count("\n") == 21


def test_the_notebooks_are_told_of():
    contents = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert not [path.name for path in NOTEBOOKS if f"(notebooks/{path.name})" not in contents]
