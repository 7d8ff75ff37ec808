"""A file that somebody gives is read within limits, and what is none holds up nobody."""

import os

import pytest

from cave_sim.errors import WorldError
from cave_sim.files.given_files import expected_text, given_bytes, given_text, given_toml, toml_of


def test_texts_come_as_they_are_whatever_their_line_ends_and_marks(tmp_path):
    path = tmp_path / "notes.toml"
    path.write_bytes("\ufeffword = 'zwölf\u2028'\r\nnumber = 1\r".encode())
    assert given_text(path) == "word = 'zwölf\u2028'\nnumber = 1\n"
    assert given_toml(path) == {"word": "zwölf\u2028", "number": 1}


def test_what_is_no_file_is_refused_before_it_is_opened(tmp_path):
    pipe, endless, folder = tmp_path / "pipe", tmp_path / "endless", tmp_path / "folder"
    os.mkfifo(pipe)
    endless.symlink_to("/dev/zero")
    folder.mkdir()
    for path, said in ((pipe, "a pipe"), (endless, "a device"), (folder, "directory"), (tmp_path / "none", "No such")):
        with pytest.raises(OSError, match=said):
            given_bytes(path)


def test_where_a_file_is_not_there_one_is_told_what_may_have_been_meant(tmp_path):
    for name in ("rain.yaml", "storm.yaml", "notes.txt"):
        (tmp_path / name).write_text("")
    for named, told in {
        "rian.yaml": "Did you mean .*/rain.yaml?",
        "x.yaml": "There are: .*/rain.yaml, .*/storm.yaml$",
        "gone/x.yaml": "there is no folder .*/gone$",
        "x.toml": "there is no such file$",
    }.items():
        with pytest.raises(WorldError, match=told):
            expected_text(tmp_path / named)


def test_a_file_that_says_it_is_larger_than_any_memory_is_not_read(tmp_path):
    giant = tmp_path / "giant.csv"
    with giant.open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(OSError, match="it holds more than 67,108,864 bytes"):
        given_bytes(giant)


def test_a_file_that_says_it_is_empty_is_read_no_further_than_allowed():
    assert given_bytes("/proc/self/status").startswith(b"Name:")
    with pytest.raises(OSError, match="more than 10 bytes"):
        given_bytes("/proc/self/status", 10)


def test_toml_that_nests_too_deeply_is_a_value_that_does_not_fit(tmp_path):
    path = tmp_path / "deep.toml"
    path.write_text("a = " + "[" * 100_000)
    with pytest.raises(ValueError, match="nested too deeply"):
        given_toml(path)


@pytest.mark.parametrize(
    "text", ["x." * 40_000 + "y = 1", "[" + "'a.b' . " * 40 + "c]", 'a = """\\\\""" # b\nb = {' + "x." * 40 + "y = 1}"]
)
def test_a_key_of_so_many_parts_that_reading_it_takes_gigabytes_is_refused_before(text):
    with pytest.raises(ValueError, match="more than 32 parts"):
        toml_of(text)


@pytest.mark.parametrize(
    "text",
    [
        'a = "' + "x." * 99 + '"',
        "a = '''\n" + "x." * 99 + "'''",
        "# " + "x." * 99,
        'a.b.c = """"\n' + "x." * 99 + '"""',
    ],
)
def test_dots_in_words_and_remarks_join_no_keys(text):
    assert toml_of(text).keys() <= {"a"}


@pytest.mark.parametrize("text", ['a = """' + "b" * 99 + "\\", 'a = "b\\', "a = '''b", "[" * 99])
def test_toml_that_ends_in_the_midst_of_something_is_no_toml(text):
    with pytest.raises(ValueError, match=r"at line|end of document"):
        toml_of(text)
