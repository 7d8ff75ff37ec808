"""Command lines are completed by the shells themselves."""

import shutil
import subprocess

import pytest

from cave_sim.cli.main import main
from cave_sim.cli.parser import COMMANDS

ASK = """{script}
COMP_WORDS=({words}) COMP_CWORD={last}
_cave_sim
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def script(capsys):
    def written(shell):
        assert main(["completion", shell]) == 0
        return capsys.readouterr().out

    return written


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("cave-sim re", ["resume", "replay"]),
        ("cave-sim help bla", ["blame"]),
        ("cave-sim run town_d", ["town_day"]),
        ("cave-sim run town_day --resid", ["--residents"]),
        ("cave-sim run town_day --scheduler s", ["sequential", "simultaneous", "staged"]),
        ("cave-sim export r --format p", ["parquet"]),
        ("cave-sim log r --status bl", ["blocked"]),
        ("cave-sim completion f", ["fish"]),
        ("cave-sim new s", ["simulation", "scenario"]),
        ("cave-sim check epi", ["epidemic"]),
        ("cave-sim study sm", ["smart_home"]),
        ("cave-sim study rumour_", ["rumour_graph"]),
        ("cave-sim run mesa : sch", ["schelling"]),
        ("cave-sim list mesa : vir", ["virus_on_network"]),
        ("cave-sim run town_day --scheduler : s", []),
        ("cave-sim verify ru", []),
        ("cave-sim frobnicate --x", []),
    ],
)
def test_bash_completes(script, line, completed):
    words = line.split()
    code = ASK.format(script=script("bash"), words=" ".join(words), last=len(words) - 1)
    done = subprocess.run(["bash", "--norc", "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert sorted(done.stdout.split()) == sorted(completed)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_knows_every_command(script):
    code = ASK.format(script=script("bash"), words='cave-sim ""', last=1)
    done = subprocess.run(["bash", "--norc", "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {*COMMANDS, "help"}


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
def test_zsh_takes_the_script(script):
    subprocess.run(["zsh", "-f", "-c", f"autoload -Uz compinit && compinit -D\n{script('zsh')}"], check=True)


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_takes_the_script(script):
    done = subprocess.run(["fish", "--no-execute", "-c", script("fish")], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_the_lines_of_fish_are_quoted(script):
    lines = script("fish").splitlines()
    assert len(lines) > len(COMMANDS)
    for line in lines:
        assert line.startswith("complete -c cave-sim ")
        assert line.replace("\\'", "").count("'") % 2 == 0
