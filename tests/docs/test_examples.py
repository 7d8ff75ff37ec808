"""Every example of the documentation runs, and prints what the page says it prints."""

import io
import shlex
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from cave_sim import open_run
from cave_sim.cli import parser
from cave_sim.commands.run import available
from cave_sim.entity import ENTITY_TYPES
from simulations import town_day
from tests.docs.pages import PAGES, ROOT, Block, blocks, title


@pytest.fixture
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    """Run in an empty folder, and forget the entity classes that a page declares."""
    monkeypatch.chdir(tmp_path)
    known = dict(ENTITY_TYPES)
    yield
    ENTITY_TYPES.clear()
    ENTITY_TYPES.update(known)


@pytest.fixture(scope="module")
def small_run(tmp_path_factory):
    """Return a day in a small town."""
    folder = tmp_path_factory.mktemp("runs") / "town_day-7"
    simulation = town_day.create(seed=7, residents=8, out=folder)
    simulation.run(until=town_day.STEPS)
    simulation.close()
    with open_run(folder) as run:
        yield run


def printed(block: Block, names: dict[str, object]) -> str:
    """Run a block and return what it prints; tracebacks show the line of the page."""
    padded = "\n" * (block.line - 1) + block.text
    with redirect_stdout(io.StringIO()) as shown:
        exec(compile(padded, str(block.page), "exec", dont_inherit=True), names)
    return shown.getvalue()


def commands(page: Path) -> list[tuple[str, list[str]]]:
    """Return the commands of a page's console blocks: each line that starts with a prompt."""
    lines = [line for block in blocks(page, "console") for line in block.text.splitlines()]
    split = [shlex.split(line.removeprefix("$ "), comments=True) for line in lines if line.startswith("$ ")]
    return [(words[0], words[1:]) for words in split]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=title)
@pytest.mark.usefixtures("in_a_folder_of_its_own")
def test_the_python_of_a_page_runs_and_prints_what_it_says(page):
    names: dict[str, object] = {"__name__": "page"}
    output = ""
    for block in blocks(page, "python", "text"):
        if block.language == "python":
            output = printed(block, names)
        else:
            assert output.rstrip() == block.text.rstrip(), block.where


@pytest.mark.parametrize("recipe", [each for page in PAGES for each in blocks(page, "sql")], ids=lambda each: each.where)
def test_a_recipe_in_sql_finds_something_in_a_run(recipe, small_run):
    assert small_run.query(recipe.text)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "console")], ids=title)
def test_the_commands_of_a_page_exist(page):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for program, arguments in commands(page):
        if program == "make":
            assert all(f"\n{target}:" in makefile for target in arguments if "=" not in target), arguments
        elif program == "cave-sim":
            options = parser().parse_args(arguments)
            assert arguments[0] != "run" or options.simulation in [*available(), "tea_time"]
        else:
            assert program in ("sqlite3",), f"{title(page)}: nobody checks {program}"
