"""On a branch only those minds are asked whom the change has reached; the documentation says how many they are."""

import re

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from tests.docs.pages import ROOT, blocks, tables
from tests.docs.test_examples import commands

PAGE = ROOT / "docs" / "how_to" / "go_back_in_a_run.md"
CAUSES = [
    ("storm", "a storm comes for three hours"),
    ("tea", "somebody plans to have tea"),
    ("green", "the green is closed"),
]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Play the commands of the documentation; return the folder of their runs."""
    folder = tmp_path_factory.mktemp("noon")
    village = [words for words in commands(*blocks(PAGE, "console")) if "runs/village" in words]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for _, command, *arguments in village:
            assert main([command, *arguments, "--quiet", *(["--host", "local"] if command == "run" else [])]) == 0
    return folder / "runs"


def asked(folder):
    """Return how many calls of a branch were asked and reused, and who was asked."""
    with open_run(folder) as run:
        rows = run.query("SELECT agent, sum(NOT reused), sum(reused) FROM calls GROUP BY agent")
    return sum(row[1] for row in rows), sum(row[2] for row in rows), {row[0] for row in rows if row[1]}


@pytest.mark.long(cases=0)
@pytest.mark.parametrize(("name", "cause"), CAUSES)
def test_the_documentation_says_how_many_calls_each_branch_cost(name, cause, played):
    (told,) = (row[1:] for row in tables(PAGE)["What a branch costs"] if row[0].startswith(cause))
    anew, reused, who = asked(played / name)
    assert told == [f"{anew}", f"{reused}", f"{len(who)} of 6"]


@pytest.mark.long
def test_who_is_not_reached_by_a_change_is_not_asked(played):
    _, _, who = asked(played / "tea")
    assert who == {"hester_quill"}


@pytest.mark.long
def test_a_branch_on_which_nothing_is_changed_asks_nobody(played, tmp_path, capsys):
    assert main(["fork", str(played / "village"), "--at", "24", "--steps", "60", "--out", str(tmp_path / "same")]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^model calls: 0 asked, 68 answered as in the parent$", printed, re.MULTILINE)
    with open_run(tmp_path / "same") as same, open_run(played / "village") as parent:
        assert same.manifest["state_hash"] == parent.manifest["state_hash"]


@pytest.mark.long
def test_the_command_says_who_was_asked_anew(played, tmp_path, capsys):
    tea = "hester_quill.plan['13:00'] = 'have tea with ambrose_quill'"
    command = ["fork", str(played / "village"), "--at", "24", "--steps", "40", "--out", str(tmp_path / "tea")]
    assert main([*command, "--agent", "dorrit_lark", "--cell", tea]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^model calls: \d+ asked, \d+ answered as in the parent$", printed, re.MULTILINE)
    assert re.search(r"^asked anew: (\w+ \d+, )*hester_quill \d+", printed, re.MULTILINE)


@pytest.mark.long
def test_a_cell_in_the_name_of_nobody_makes_no_branch(played, tmp_path, capsys):
    command = ["fork", str(played / "village"), "--at", "24", "--cell", "1", "--agent", "dorrit"]
    assert main([*command, "--out", str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err == (
        "cave-sim: there is nobody called 'dorrit' to run a cell at this step. Did you mean 'dorrit_lark'?\n"
    )
    assert not (tmp_path / "none").exists()
