"""A workspace on a server of OpenSandbox, by its own client, where that is installed: ``pip install opensandbox``."""

import sys

import pytest

from cave_sim import MissingExtra, SchemaError, WorldError
from cave_sim.session.session import Session
from cave_sim.workspace.open_sandbox import OpenSandbox
from tests.workspace.sandbox_server import SandboxServer

KEY = "secret"


@pytest.fixture(scope="module")
def server():
    pytest.importorskip("opensandbox", reason="the client of OpenSandbox is not installed; it is no dependency")
    with SandboxServer(KEY) as serving:
        yield serving


@pytest.fixture
def box(server):
    with OpenSandbox(server.address, key=KEY) as made:
        yield made


def test_without_its_client_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "opensandbox", None)
    monkeypatch.setitem(sys.modules, "opensandbox.config.connection_sync", None)
    with pytest.raises(MissingExtra, match="pip install opensandbox"):
        OpenSandbox("127.0.0.1:1")


def test_commands_tell_their_status_what_they_printed_and_which_files_changed(box):
    assert box.write("notes/one.txt", "1\n")["changed"][0]["path"] == "notes/one.txt"
    done = box.run(["sh", "-c", "cat notes/one.txt; echo 2 > two.txt; rm notes/one.txt; exit 3"])
    assert (done["exit"], done["output"], done["ended"]) == (3, "1\n", None)
    assert [(each["path"], each["how"]) for each in done["changed"]] == [
        ("notes/one.txt", "removed"),
        ("two.txt", "added"),
    ]
    assert (box.paths(), box.read("two.txt")) == (["two.txt"], "2\n")
    assert box.remove("two.txt")["changed"][0]["how"] == "removed"


@pytest.mark.parametrize("act", [lambda box: box.read("none.txt"), lambda box: box.remove("none.txt")])
def test_a_file_that_is_not_there_is_told(box, act):
    with pytest.raises(WorldError, match=r"no such file|NOT_FOUND"):
        act(box)


@pytest.mark.parametrize("path", ["../out", "/etc/passwd", ""])
def test_no_path_leads_out(box, path):
    with pytest.raises(WorldError, match="no path inside"):
        box.write(path, "x")


def test_a_command_that_is_none_is_refused(box):
    for command in ("", "echo 'open"):
        with pytest.raises(SchemaError, match="command"):
            box.run(command)


def test_a_fork_of_a_session_has_files_of_its_own_and_a_merge_is_refused(box):
    box.write("a.txt", "a")
    one = Session("ann").to(box)
    two = one.fork()
    two.place.write("a.txt", "b")
    assert (box.read("a.txt"), two.place.read("a.txt")) == ("a", "b")
    with pytest.raises(WorldError, match="not merged"):
        one.merge(two)
    two.place.close()


def test_when_it_is_closed_its_container_is_gone(server):
    before = set(server.folders)
    box = OpenSandbox(server.address, key=KEY)
    assert set(server.folders) - before
    box.close()
    assert set(server.folders) == before


def test_who_is_refused_is_told_by_whom(server):
    with pytest.raises(WorldError, match=f"OpenSandbox on {server.address}: no container"):
        OpenSandbox(server.address, key="guess")
