"""The command line's side of watching: where the page is, a terminal instead of it, and turns as they come."""

import io
import json
import re
import signal
import subprocess
import sys
import urllib.request

import pytest

from cave_sim.cli.main import main
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.terminal_view import TerminalView


def cave_sim(*arguments):
    command = [sys.executable, "-m", "cave_sim", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_watched_run_prints_an_address_is_steered_and_ends_with_ctrl_c(tmp_path):
    shape = ["--residents", 4, "--quiet", "--out", tmp_path / "town"]
    process = cave_sim("run", "town_day", *shape, "--watch", "--port", 0)
    try:
        address = process.stderr.readline()
        base, token = re.fullmatch(r"dashboard: (http://127\.0\.0\.1:\d+)/\?token=(\S+)\n", address).groups()
        wish = urllib.request.Request(f"{base}/api/run/town/control", b'{"do": "stop"}', {"X-Cave-Token": token})
        with urllib.request.urlopen(wish) as reply:
            assert json.load(reply)["stopped"] is True
        assert "stays until Ctrl-C" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=300)
        assert (process.returncode, printed.startswith("state hash: ")) == (0, True)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.long
def test_a_run_that_is_resumed_is_watched_like_any(tmp_path):
    out = tmp_path / "town"
    shape = ["--residents", "4", "--steps", "3", "--quiet", "--tag", "soup"]
    assert main(["run", "town_day", *shape, "--out", str(out)]) == 0
    assert json.loads((out / "manifest.json").read_text())["tags"] == ["soup"]
    process = cave_sim("resume", out, "--steps", 8, "--quiet", "--watch", "--speed", 0, "--port", 0)
    try:
        assert process.stderr.readline().startswith("dashboard: http://127.0.0.1:")
        assert "stays until Ctrl-C" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=300)
        assert (process.returncode, printed.startswith("state hash: ")) == (0, True)
    finally:
        process.kill()
        process.communicate()


def test_a_folder_that_is_not_there_is_one_line(capsys, tmp_path):
    assert main(["dash", str(tmp_path / "nowhere")]) == 1
    assert re.fullmatch(r"cave-sim: .*nowhere is no folder.*\n", capsys.readouterr().err)


def test_a_portrayal_that_is_not_there_is_one_line(capsys, tmp_path):
    assert main(["dash", str(tmp_path), "--portray", "cave_sim.simulations.town_day:looks"]) == 1
    assert "package.module:function" in capsys.readouterr().err


@pytest.mark.long
def test_a_log_that_follows_ends_with_its_run(tmp_path):
    shape = ["--residents", 4, "--steps", 20, "--quiet", "--out", tmp_path / "town"]
    run = cave_sim("run", "town_day", *shape, "--speed", 20)
    while not (tmp_path / "town" / "manifest.json").is_file() and run.poll() is None:
        pass
    log = cave_sim("log", tmp_path / "town", "--follow")
    run.communicate(timeout=300)
    followed, _ = log.communicate(timeout=300)
    whole, _ = cave_sim("log", tmp_path / "town").communicate(timeout=300)
    assert followed == whole != ""


def test_the_terminal_shows_time_measures_and_turns(tmp_path):
    screen = io.StringIO()
    simulation = Recipe("town_day", {"seed": 7, "residents": 4}).make(observers=[TerminalView(screen)])
    simulation.run(until=30)
    told = screen.getvalue()
    assert "step 30/30" in told
    assert "mood" in told
    assert "me." in told


def test_a_speed_below_nothing_is_refused(capsys, tmp_path):
    with pytest.raises(SystemExit, match="2"):
        main(["run", "town_day", "--watch", "--speed", "-1", "--out", str(tmp_path / "town")])
    assert "--speed: '-1' is no number of 0 or more" in capsys.readouterr().err
