import re
from pathlib import Path

import pytest

from cave_sim import WorldError
from cave_sim.worlds.village import load

README = Path(__file__).resolve().parents[2] / "worlds" / "README.md"
TEXT = README.read_text(encoding="utf-8")
MAP = re.search(r"```json\n(.*?)```", TEXT, re.DOTALL)[1]


def test_the_tutorial_in_the_worlds_readme_runs_as_it_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "islet.json").write_text(MAP, encoding="utf-8")
    names: dict[str, object] = {"__name__": "islet"}
    for block in re.finditer(r"```python\n(.*?)```", TEXT, re.DOTALL):
        lines_before = TEXT.count("\n", 0, block.start(1))  # so that a traceback points into the page
        exec(compile("\n" * lines_before + block[1], str(README), "exec"), names)
    assert (tmp_path / "runs" / "islet" / "run.sqlite").exists()


def test_the_error_line_that_the_tutorial_shows_is_the_one_that_comes(tmp_path):
    (tmp_path / "islet.json").write_text(MAP.replace("~#hh+......+tt#~", "~#hh+......+tt#"), encoding="utf-8")
    with pytest.raises(WorldError) as caught:
        load(tmp_path / "islet.json")
    assert f"`{caught.value}`" in TEXT
