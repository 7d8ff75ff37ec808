"""A run as one file: handed on, checked by running it again, and never more than data."""

import errno
import hashlib
import io
import json
import os
import zipfile

import pytest

from cave_sim import JournalError
from cave_sim.cli.main import main
from cave_sim.files.whole_files import unfinished
from cave_sim.journal.tables import DATABASE
from cave_sim.replay.bundle import ABOUT, unpack, write_bundle


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a short run of the town."""
    folder = tmp_path_factory.mktemp("bundles") / "town"
    assert main(f"run town_day --residents 2 --steps 3 --quiet --out {folder}".split()) == 0
    return folder


@pytest.fixture(scope="module")
def bundle(run, tmp_path_factory):
    file = tmp_path_factory.mktemp("handed") / "town.cave"
    write_bundle(run, file)
    return file


def test_a_bundle_is_checked_by_running_its_cells_again(bundle, tmp_path, capsys):
    assert main(["open", str(bundle), "--host", "local", "--out", str(tmp_path / "theirs")]) == 0
    assert "every cell came out the same" in capsys.readouterr().out
    assert sorted(each.name for each in (tmp_path / "theirs").iterdir()) == [DATABASE]
    assert main(["open", str(bundle), "--out", str(tmp_path / "theirs"), "--file-only"]) == 1
    assert "is there already" in capsys.readouterr().err


def test_what_a_killed_command_left_is_in_nobodys_way(run, tmp_path):
    file, theirs = tmp_path / "town.cave", tmp_path / "theirs"
    unfinished(file).write_bytes(b"half")
    write_bundle(run, file)
    unfinished(theirs).mkdir()
    (unfinished(theirs) / DATABASE).write_bytes(b"half")
    unpack(file, theirs)
    assert sorted(tmp_path.iterdir()) == [theirs, file]
    with pytest.raises(JournalError, match="is there already"):
        write_bundle(run, file)


def test_a_disk_that_is_full_leaves_no_half_bundle(run, tmp_path, monkeypatch):
    def full(self, *args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "write", full)
    with pytest.raises(JournalError, match="No space left on device"):
        write_bundle(run, tmp_path / "town.cave")
    assert not [*tmp_path.iterdir()]


def test_a_run_that_goes_on_is_bundled_as_it_is(tmp_path):
    from cave_sim.simulations import town_day

    with town_day.create(seed=7, residents=1, out=tmp_path / "town") as simulation:
        simulation.run(until=2)
        assert write_bundle(tmp_path / "town", tmp_path / "a.cave")["last_step"] == 2
        simulation.run(until=3)
    unpack(tmp_path / "a.cave", tmp_path / "theirs")
    assert main(["verify", str(tmp_path / "theirs"), "--file-only"]) == 0


def packed(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as file:
        for name, data in members:
            file.writestr(name, data)
    return path


def about(data, **others):
    return json.dumps({"format": 1, "sha256": hashlib.sha256(data).hexdigest(), **others})


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ([(ABOUT, about(b"x")), ("../run.sqlite", b"x")], "it holds 2 files"),
        ([(ABOUT, about(b"x")), (DATABASE, b"x"), ("run.sqlite-journal", b"x")], "it holds 3 files"),
        ([(ABOUT, about(b"y")), (DATABASE, b"x")], "not the one that it says"),
        ([(ABOUT, "[" * 60_000), (DATABASE, b"x")], "no bundle of a run"),
        ([(ABOUT, json.dumps({"format": 9})), (DATABASE, b"x")], "no bundle of format 1"),
        ([(ABOUT, about(b"x")), (DATABASE, b"\0" * 50_000_000)], "would become 50,000,000 bytes"),
    ],
)
def test_a_strangers_file_is_unpacked_within_limits_or_not_at_all(members, why, tmp_path):
    file = packed(tmp_path / "theirs.cave", members)
    with pytest.raises(JournalError, match=why):
        unpack(file, tmp_path / "into" / "it")
    assert sorted(each.name for each in tmp_path.iterdir() if each.is_file()) == ["theirs.cave"]
    assert not (tmp_path / "into" / "it").exists()


def test_a_bundle_that_says_less_than_it_holds_is_refused(bundle, tmp_path):
    data = bytearray(bundle.read_bytes())
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        size = file.getinfo(DATABASE).file_size
    at = data.rindex(size.to_bytes(4, "little"))  # in the central directory
    data[at : at + 4] = (size // 2).to_bytes(4, "little")
    (tmp_path / "less.cave").write_bytes(data)
    with pytest.raises(JournalError, match=r"less\.cave"):
        unpack(tmp_path / "less.cave", tmp_path / "into")


def test_what_is_no_bundle_says_so_in_one_line(tmp_path, run, capsys):
    (tmp_path / "text.cave").write_text("hello")
    assert main(["open", str(tmp_path / "text.cave")]) == 1
    assert main(["open", str(tmp_path / "none.cave")]) == 1
    assert main(["bundle", str(tmp_path / "nowhere")]) == 1
    assert main(["bundle", str(run), "--out", str(tmp_path / "text.cave")]) == 1
    assert main(["open", str(run)]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 5
    assert errors[-1].endswith(f"is a folder, not a bundle; a run is checked by: cave-sim verify {run}")
    assert all(line.startswith("cave-sim: ") for line in errors)


def test_a_changed_run_is_found_out(run, tmp_path, capsys):
    import shutil
    import sqlite3

    shutil.copytree(run, tmp_path / "town")
    with sqlite3.connect(tmp_path / "town" / DATABASE) as file:
        file.execute("UPDATE turns SET output = 'nothing' WHERE turn = (SELECT max(turn) FROM turns)")
    write_bundle(tmp_path / "town", tmp_path / "town.cave")
    assert main(["open", str(tmp_path / "town.cave"), "--file-only"]) == 1
    assert "step 3" in capsys.readouterr().out


def test_a_pipe_in_place_of_a_bundle_is_refused_before_it_is_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(JournalError, match="it is no file, but a pipe or a device"):
        unpack(tmp_path / "pipe", tmp_path / "run")


def test_what_is_wrong_with_a_bundled_run_is_told_of_no_folder_that_is_gone(run, tmp_path, capsys):
    import shutil
    import sqlite3

    shutil.copytree(run, tmp_path / "town")
    with sqlite3.connect(tmp_path / "town" / DATABASE) as file:
        file.execute("""INSERT OR REPLACE INTO manifest VALUES ('module', '"theirs"')""")
    bundle = tmp_path / "theirs.cave"
    write_bundle(tmp_path / "town", bundle)
    assert main(["open", str(bundle)]) == 1
    told = capsys.readouterr().err
    assert told.startswith("cave-sim: RUN was made by the module 'theirs'")
    assert told.endswith(f"to have that RUN: cave-sim open {bundle} --out RUN\n")
