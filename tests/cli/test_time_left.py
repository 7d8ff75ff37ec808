"""What a study says of the time that is left follows from whole blocks of trials."""

import pytest

from cave_sim.cli.main import main
from cave_sim.cli.options.time_left import TimeLeft

BLOCKS = [[f"{condition}-{seed}" for condition in ("a", "b", "c")] for seed in range(4)]


def test_trials_of_the_first_block_which_are_told_in_one_moment_say_nothing_of_the_time():
    left = TimeLeft(BLOCKS, 1)
    assert [left.after(trial, 10.0) for trial in BLOCKS[0]] == [None] * 3


def test_all_trials_of_a_block_count_as_soon_as_the_first_of_them_is_told():
    left = TimeLeft(BLOCKS, 1)
    for trial in BLOCKS[0]:
        left.after(trial, 10.0)
    assert [left.after(trial, 16.0) for trial in BLOCKS[1]] == [12.0] * 3
    assert [left.after(trial, 22.0) for trial in BLOCKS[2]] == [6.0] * 3
    assert [left.after(trial, 28.0) for trial in BLOCKS[3]] == [0.0] * 3


def test_with_two_workers_the_first_two_blocks_are_the_beginning():
    left = TimeLeft(BLOCKS, 2)
    assert left.after("a-0", 10.0) is None
    assert left.after("a-1", 12.0) is None
    assert left.after("a-2", 15.0) == 3.0


def test_what_was_there_already_is_in_no_block_and_leaves_smaller_ones():
    left = TimeLeft([[], ["c-1"], ["a-2", "b-2"], ["a-3", "b-3"]], 1)
    assert left.after("c-1", 5.0) is None
    assert left.after("b-2", 9.0) == 4.0


@pytest.mark.long
def test_a_study_that_goes_on_says_no_time_after_its_first_block(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rain = "name: rain\nsimulation: rain\nsteps: 2\nconditions:\n  dry: {}\n  wet: {options: {wet_after_dry: 0.9}}\n"
    (tmp_path / "rain.yaml").write_text(rain)
    study = ["study", "rain.yaml", "--out", "rain"]
    assert main([*study, "--seeds", "1"]) == 0
    capsys.readouterr()
    assert main([*study, "--seeds", "3"]) == 0
    told = [line.partition(" (")[2] for line in capsys.readouterr().err.splitlines() if " of 6" in line and "(" in line]
    assert told[:2] == ["3 of 6)", "4 of 6)"]
    assert " left)" in told[2]
    assert told[3] == "6 of 6, all done)"
