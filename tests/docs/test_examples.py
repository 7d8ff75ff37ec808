"""Every example of the documentation runs, and prints what the page says it prints."""

import io
import re
import shlex
import sys
from contextlib import redirect_stdout
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from cave_sim import MissingExtra, open_run
from cave_sim.cli.main import main
from cave_sim.cli.parser import parser
from cave_sim.replay.simulation_names import available, is_installed
from cave_sim.simulations import town_day
from tests.docs.pages import PAGES, ROOT, Block, blocks, title
from tests.long_cases import cases

DOCS = ROOT / "docs"
PLAYED = [
    ROOT / "README.md",
    *sorted((DOCS / "tutorials").glob("*.md")),
    *(
        DOCS / "how_to" / f"{page}.md"
        for page in (
            "mesa_models",
            "personas",
            "rules",
            "scenarios",
            "search",
            "small_windows",
            "statistics",
            "surveys",
            "training_data",
            "why",
        )
    ),
]
"""Pages whose commands are run, in their place between the blocks of Python; those of other pages must only exist."""
NOT_PLAYED = {"make", "dash", "serve", "mcp", "--watch", "--api-base", "--gguf", "ray"}
"""Commands with one of these words stay open for people, or need what a test does not have."""

DAY, FEW = ["run", "town_day", "--steps"], ["--residents", "6"]
"""Who lives README's days, which print nothing that the page shows: its commands go together in a small town, too."""


@pytest.fixture
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    """Run in an empty folder, from which modules can be imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "studies"]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def small_run(tmp_path_factory):
    """Return a day in a small town, in which the mayor also tried something."""
    folder = tmp_path_factory.mktemp("runs") / "town_day-7"
    simulation = town_day.create(seed=7, residents=12, out=folder)
    simulation.world.execute("import os", agent="mayor")
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


def played(block: Block) -> str:
    """Run the commands of a block that can be, and return what the last one prints."""
    output = ""
    for program, *arguments in commands(block):
        if NOT_PLAYED.isdisjoint([program, *arguments]):
            arguments += FEW * (block.page.name == "README.md" and arguments[:3] == DAY)
            with redirect_stdout(io.StringIO()) as shown:
                assert main(arguments[2 * (program != "cave-sim") :]) == 0, (block.where, arguments)
            output = shown.getvalue()
    return output


def save(block: Block) -> None:
    """Save a block that begins with the name of a file, behind what was saved there before."""
    named = re.match(r"# (\w+/\w+\.py|\w+\.(?:toml|yaml))(, continued)?\n", block.text)
    if named:
        Path(named[1]).parent.mkdir(exist_ok=True)
        with Path(named[1]).open("a" if named[2] else "w", encoding="utf-8") as file:
            file.write(block.text)


def commands(*found: Block) -> list[list[str]]:
    """Return the commands of console blocks: each line that starts with a prompt, without settings in front."""
    lines = [line.removeprefix("$ ") for block in found for line in block.text.splitlines() if line.startswith("$ ")]
    return [[word for word in shlex.split(line, comments=True) if not re.match(r"[A-Z]+=", word)] for line in lines]


LENGTHY = """
stories scenarios statistics why mesa_models believability society scaling compare_two_runs small_windows search
town_with_a_mayor real_providers rules surveys training_data lives workspaces own_simulation go_back_in_a_run
blame_a_run export_a_run train_on_a_run
""".split()


@pytest.mark.parametrize(
    "page",
    cases((page for page in PAGES if blocks(page, "python")), lambda page: page.stem in LENGTHY),
    ids=title,
)
@pytest.mark.usefixtures("in_a_folder_of_its_own")
def test_the_python_of_a_page_runs_and_prints_what_it_says(page):
    try:
        play(page)
    except MissingExtra as extra:
        pytest.skip(str(extra))


def play(page: Path) -> None:
    """Run a page from top to bottom, and the suites of tests that it declares."""
    names: dict[str, object] = {"__name__": "page"}
    output = ""
    for block in blocks(page, "python", "text", *(["console", "toml", "yaml"] if page in PLAYED else [])):
        if block.language in ("toml", "yaml"):
            save(block)
        elif block.language == "python":
            save(block)
            output = printed(block, names)
        elif block.language == "console":
            output = played(block)
        else:
            assert output.rstrip() == block.text.rstrip(), block.where
    for suite in [each for name, each in names.items() if name.startswith("Test")]:
        for test in [name for name in dir(suite) if name.startswith("test_")]:
            getattr(suite(), test)()


RECIPES = [recipe for page in PAGES for recipe in blocks(page, "sql")]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.where)
def test_a_recipe_in_sql_finds_something_in_a_run(recipe, small_run):
    assert small_run.query(recipe.text)


@cache
def known_simulations() -> list[str]:
    """Return what is installed and the modules that pages have their readers save, by their dotted names."""
    texts = [block.text for page in PAGES for block in blocks(page, "python")]
    found = {named[1] for text in texts if (named := re.match(r"# (\w+/\w+)\.py", text))}
    return [*available(), *(name.replace("/", ".") for name in found)]


@pytest.fixture(scope="module")
def command_line():
    return parser()


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "console")], ids=title)
def test_the_commands_of_a_page_exist(page, command_line):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for program, *arguments in commands(*blocks(page, "console")):
        if program == "make":
            assert all(f"\n{target}:" in makefile for target in arguments)
        elif arguments[:1] == ["-m"] and arguments[1] != "cave_sim":
            assert find_spec(arguments[1])
        elif program != "pip":
            assert program == "cave-sim" or arguments[:2] == ["-m", "cave_sim"]
            options = command_line.parse_args(arguments[2 * (program != "cave-sim") :])
            named = getattr(options, "simulation", None)
            assert named is None or named in known_simulations() or is_installed(named)


@pytest.mark.long
@pytest.mark.usefixtures("in_a_folder_of_its_own")
def test_the_simulation_of_the_tutorial_runs_from_the_command_line(monkeypatch, capsys):
    tutorial = ROOT / "docs" / "tutorials" / "own_simulation.md"
    for block in blocks(tutorial, "python"):
        save(block)
    monkeypatch.syspath_prepend(Path.cwd())
    monkeypatch.delitem(sys.modules, "studies", raising=False)
    (_, *arguments), *questions = commands(*blocks(tutorial, "console"))
    assert main(arguments) == 0
    with open_run("runs/tea") as run:
        assert capsys.readouterr().out == f"state hash: {run.manifest['state_hash']}\n"
        assert run.manifest["config"] == {"residents": 5, "cups": 3}
    (pots,) = blocks(tutorial, "yaml")
    save(pots)
    assert [main(line) for _, *line in questions] == [0, 0]
    assert "How much less is drunk from a small pot?" in Path("runs/pots/report.html").read_text(encoding="utf-8")
    assert Path("runs/pots/trials/two_cups-7").is_dir()


@pytest.mark.long
@pytest.mark.usefixtures("in_a_folder_of_its_own")
def test_what_the_tutorial_forks_at_noon_changes_the_day(capsys):
    texts = [block.text for block in blocks(ROOT / "docs" / "tutorials" / "watch_and_fork.md", "text")]
    (cell,) = [text for text in texts if ".closed = True" in text]
    assert main(["run", "town_day", "--out", "town", "--quiet"]) == 0
    assert main(["fork", "town", "--at", "36", "--cell", cell, "--out", "other", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["diff", "town", "other"]) == 0
    (entities,) = re.findall(r"fields of (\d+) entities differ", capsys.readouterr().out)
    assert int(entities) >= 20
