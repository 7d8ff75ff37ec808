"""A run that cannot begin leaves nothing: its folder is free for the next try, and what was there stays."""

import os
import py_compile
import resource
import sys
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from cave_sim import JournalError, Simulation, open_run
from cave_sim.cli.main import main
from cave_sim.journal.writer import Journal
from tests.world.market import make_market


@contextmanager
def files_of_at_most(size_bytes):
    """Have no file of this process grow larger, as a disk that is full."""
    before, writes = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = writes


@pytest.mark.parametrize("size_bytes", [4_096, 300_000], ids=["no tables", "tables and no first state"])
def test_a_run_without_room_leaves_no_folder_and_begins_when_there_is_room(tmp_path, size_bytes):
    folder = tmp_path / "run"
    world = make_market()
    world.inject("much", np.random.default_rng(7).random(100_000))
    with files_of_at_most(size_bytes), pytest.raises(JournalError, match=rf"{size_bytes:,} bytes: give it more"):
        Simulation(world, {}, out=folder)
    assert not folder.exists()
    Simulation(make_market(), {}, out=folder).close()


def test_what_stood_in_the_folder_of_a_run_that_could_not_begin_stays(tmp_path):
    (tmp_path / "manifest.json").write_text("mine")
    with files_of_at_most(4_096), pytest.raises(JournalError):
        Journal.begin(tmp_path, {})
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("manifest.json", "mine")]


def test_a_run_that_is_there_stays_where_another_one_was_to_begin(tmp_path):
    Simulation(make_market(), {}, out=tmp_path / "run").close()
    before = (tmp_path / "run" / "run.sqlite").read_bytes()
    with pytest.raises(JournalError, match="holds a run already"):
        Journal.begin(tmp_path / "run", {})
    assert (tmp_path / "run" / "run.sqlite").read_bytes() == before


def test_a_compiled_file_that_a_full_disk_cut_off_is_named(tmp_path, monkeypatch, capsys):
    source = tmp_path / "written_in_part.py"
    source.write_text("number = 1\n")
    compiled = Path(py_compile.compile(str(source), doraise=True))
    compiled.write_bytes(compiled.read_bytes()[:-8])
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("cave_sim.cli.main.parser", partial(import_module, source.stem))
    assert main(["list"]) == 1
    told = f"cave-sim: {compiled} is cut off, as a disk that was full leaves it: remove it, and try again\n"
    assert capsys.readouterr().err == told


def test_a_client_who_is_nobody_leaves_no_run_of_a_simulation(tmp_path, capsys):
    assert main(["mcp", "storm_warning", "--as", "nobody", "--host", "local", "--out", str(tmp_path / "run")]) == 1
    assert "nobody" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_the_machine_cannot_open_is_not_called_damaged(tmp_path):
    Simulation(make_market(), {}, out=tmp_path / "run").close()
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken = os.open(os.devnull, os.O_RDONLY)  # the lowest number that was free
    resource.setrlimit(resource.RLIMIT_NOFILE, (taken, before[1]))
    try:
        with pytest.raises(JournalError) as caught:
            open_run(tmp_path / "run")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        os.close(taken)
    assert str(caught.value) == f"{tmp_path}/run/run.sqlite cannot be opened: Too many open files"
