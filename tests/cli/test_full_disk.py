"""A command on a full disk: nothing is left that is in the way of the next try, and an error names the file."""

import errno
from pathlib import Path

import pytest

from cave_sim.cli.main import main
from cave_sim.files.whole_files import write_whole


@pytest.fixture
def full_disk(tmp_path, monkeypatch):
    """A disk on which files can be made, and nothing fits into them; other folders lie elsewhere."""
    write = Path.write_text

    def full(self, text, *args, **kwargs):
        is_here = self.absolute().is_relative_to(tmp_path)
        write(self, text[:3] if is_here else text, *args, **kwargs)
        if not is_here:
            return
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)


def test_what_was_there_stays_where_the_new_text_does_not_fit(tmp_path, full_disk):
    path = tmp_path / "kept.yaml"
    path.write_bytes(b"old")
    with pytest.raises(OSError, match="No space left") as caught:
        write_whole(path, "a new text")
    assert caught.value.filename == str(path)
    assert [each.name for each in tmp_path.iterdir()] == ["kept.yaml"]
    assert path.read_bytes() == b"old"


def test_new_leaves_nothing_on_a_full_disk_and_its_name_is_free_for_the_next_try(
    tmp_path, full_disk, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "simulation", "tea"]) == 1
    assert capsys.readouterr().err == "cave-sim: tea.py: No space left on device\n"
    assert list(tmp_path.iterdir()) == []


SCENARIO = "name: q\nsimulation: schelling\nsteps: 1\noptions: {width: 4, height: 4}\n"


def test_an_error_of_the_system_names_the_file_and_no_line_of_a_library(tmp_path, monkeypatch, capsys):
    (tmp_path / "q.yaml").write_text(SCENARIO)
    (tmp_path / "file").write_text("")
    monkeypatch.chdir(tmp_path)
    assert main(["study", "q.yaml", "--out", "file"]) == 1
    assert capsys.readouterr().err == "cave-sim: file: this is a file; name a folder\n"
    Path("link").symlink_to("nowhere")
    assert main(["study", "q.yaml", "--out", "link"]) == 1
    assert capsys.readouterr().err == "cave-sim: link: this is a link to nothing; name a folder, or make nowhere\n"


def test_a_disk_that_is_full_is_told_with_the_file_although_the_system_does_not_name_it(
    tmp_path, full_disk, monkeypatch, capsys
):
    (tmp_path / "q.yaml").write_bytes(SCENARIO.encode())
    monkeypatch.chdir(tmp_path)
    assert main(["study", "q.yaml", "--out", "study"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("cave-sim: study/")
    assert error.endswith(": No space left on device\n")


def test_a_branch_that_would_end_before_it_begins_leaves_no_folder(tmp_path, capsys):
    run, branch = str(tmp_path / "run"), tmp_path / "branch"
    assert main(["run", "storm_warning", "--steps", "3", "--quiet", "--out", run]) == 0
    assert main(["fork", run, "--at", "2", "--steps", "2", "--out", str(branch)]) == 1
    assert "the branch begins at step 2; name a later one" in capsys.readouterr().err
    assert not branch.exists()


def test_a_folder_that_takes_no_file_is_told_of_with_the_file_that_was_asked_for(tmp_path, monkeypatch):
    def refused(self, *args, **kwargs):
        raise OSError(errno.EROFS, "Read-only file system", str(self))

    for name in ("write_text", "unlink"):
        monkeypatch.setattr(Path, name, refused)
    with pytest.raises(OSError, match="Read-only") as caught:
        write_whole(tmp_path / "kept.yaml", "a text")
    assert caught.value.filename == str(tmp_path / "kept.yaml")
