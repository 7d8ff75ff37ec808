"""A file is written whole, or what was there stays."""

import os
import resource
import threading

import pytest

from cave_sim.files.whole_files import clear_away, in_place_of, unfinished, write_whole


def test_a_file_takes_the_place_of_the_one_before(tmp_path):
    path = tmp_path / "page.html"
    for text in ("one", "zwölf"):
        write_whole(path, text)
        assert path.read_text(encoding="utf-8") == text
    assert [*tmp_path.iterdir()] == [path]


def test_what_cannot_be_written_leaves_the_one_before_and_nothing_beside_it(tmp_path):
    path = tmp_path / "page.html"
    write_whole(path, "one")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3, before[1]))
    try:
        with pytest.raises(OSError, match=r"page\.html"):
            write_whole(path, "two and more")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_text() == "one"
    assert [*tmp_path.iterdir()] == [path]


def test_what_a_killed_process_left_is_in_nobodys_way(tmp_path):
    path = tmp_path / "page.html"
    unfinished(path).write_text("hal")
    write_whole(path, "whole")
    assert path.read_text() == "whole"
    assert [*tmp_path.iterdir()] == [path]


def test_whoever_was_written_in_place_of_is_there_whole_although_another_wrote_the_same_meanwhile(tmp_path):
    path = tmp_path / "table.csv"
    with in_place_of(path) as first:
        with first.open("w") as slow:
            slow.write("fir")
            slow.flush()
            write_whole(path, "second")
            slow.write("st")
        first.write_text("first")
    assert path.read_text() == "first"


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "nowhere" / "page.html", "one")


def test_a_pipe_is_written_into(tmp_path):
    path, read = tmp_path / "pipe", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: read.append(path.read_text()))
    reader.start()
    write_whole(path, "through")
    reader.join(30)
    assert read == ["through"]


def test_what_stood_in_the_way_is_gone_or_named(tmp_path):
    """Who begins anew where something is left must hear of that, and not of what the rest of it makes impossible."""
    folder, elsewhere = tmp_path / "begun", tmp_path / "elsewhere"
    clear_away(folder)
    (folder / "within").mkdir(parents=True)
    clear_away(folder)
    assert not folder.exists()
    elsewhere.mkdir()
    folder.symlink_to(elsewhere)
    with pytest.raises(OSError, match=r"a symbolic link.*begun"):
        clear_away(folder)
    assert elsewhere.is_dir()
