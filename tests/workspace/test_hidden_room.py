"""What a program holds where no folder shows it counts all the same, or cannot be had."""

import sys

import pytest

from cave_sim.workspace.kept_process import CommandLimits
from cave_sim.workspace.workspace import Workspace

REMOVED = "the folder, with files that were removed while a program still had them, held more than 1,048,576 bytes"
OPEN = """
import ctypes, mmap, os, threading, time
libc = ctypes.CDLL(None, use_errno=True)
def removed():
    file = os.open("file", os.O_CREAT | os.O_RDWR)
    os.unlink("file")
    os.write(file, bytes(700_000))
    return file
"""
HELD = {
    "open": ("files = removed(), removed()", REMOVED),
    "written by its fork": ("files = removed(), 0 if os.fork() else removed()", REMOVED),
    "held by a thread that outlives the first one": (
        "threading.Thread(target=lambda: (removed(), removed(), time.sleep(60))).start()\nlibc.pthread_exit(None)",
        REMOVED,
    ),
    "mapped without a descriptor": (
        "file = removed()\nlibc.mmap(None, ctypes.c_size_t(4_096), 1, 1, file, 0)\nos.close(file)",
        REMOVED,
    ),
    "memory of many processes": (
        "for _ in range(3):\n    if not os.fork():\n        held = os.urandom(40 << 20)\n        time.sleep(60)",
        "what ran held more than 100,663,296 bytes of memory together",
    ),
    "shared memory that is in no process any more": (
        """for _ in range(3):
    if not os.fork():
        held = mmap.mmap(-1, 40 << 20)
        held.write(bytes(40 << 20))
        held.madvise(mmap.MADV_DONTNEED)
        time.sleep(60)""",
        "what ran held more than 100,663,296 bytes of memory together",
    ),
    "processes": (
        "for _ in range(20):\n    if not os.fork():\n        time.sleep(60)",
        "more than 16 processes ran",
    ),
}
REFUSED = {
    "a file on its way through sockets": "import socket\nsocket.send_fds(socket.socketpair()[0], [b'1'], [0])",
    "a buffer of a socket": "from socket import *\nsocketpair()[0].setsockopt(SOL_SOCKET, SO_SNDBUF, 1 << 30)",
    "files of a thread alone": "if libc.close_range(200, 210, 2): raise OSError(ctypes.get_errno(), 'close_range')",
    "room beyond the end of a file": """
file = os.open('x', os.O_CREAT | os.O_RDWR)
if libc.fallocate(file, 1, ctypes.c_long(0), ctypes.c_long(1 << 30)): raise OSError(ctypes.get_errno(), 'fallocate')""",
    "attributes by a call that is newer than the library": """
about = (ctypes.c_uint64 * 2)(ctypes.addressof(ctypes.c_char(0)), 1)
if libc.syscall(463, -100, b'.', 0, b'user.a', about, 16): raise OSError(ctypes.get_errno(), 'setxattrat')""",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    limits = CommandLimits(timeout_s=60, most_bytes=1 << 20, memory_bytes=96 << 20, most_processes=16)
    with Workspace(tmp_path_factory.mktemp("rooms") / "ann", limits=limits, require="contained") as opened:
        if opened.level.name != "isolated":
            pytest.skip(f"this machine has no whole jail: {opened.level}")
        yield opened


@pytest.mark.long
@pytest.mark.parametrize("way", HELD)
def test_what_is_held_outside_of_every_folder_ends_what_holds_it(workspace, way):
    code, ended = HELD[way]
    done = workspace.run([sys.executable, "-c", f"{OPEN}\n{code}\ntime.sleep(60)"])
    assert (done["ended"], done["output"]) == (ended, "")
    assert workspace.paths() == []


@pytest.mark.parametrize("way", REFUSED)
def test_room_that_cannot_be_counted_is_not_given(workspace, way):
    done = workspace.run([sys.executable, "-c", f"{OPEN}\n{REFUSED[way]}"])
    assert done["exit"] == 1
    assert "Error" in done["output"].splitlines()[-1]
    workspace.run("rm -f x")


def test_what_the_python_holds_from_call_to_call_counts_with_what_commands_write(workspace):
    assert workspace.python(f"{OPEN}\nheld = removed()")["ended"] is None
    assert workspace.python("os.fstat(held).st_size")["output"] == "700000\n"
    workspace.write("more", bytes(700_000))
    assert workspace.python("held")["ended"] == f"{REMOVED}; its variables are gone"
    assert workspace.python("1 + 1")["output"] == "2\n"
    workspace.remove("more")


def test_a_file_whose_name_says_that_it_was_removed_is_there(workspace):
    workspace.write("a (deleted)", bytes(400_000))
    code = "file = os.open('a (deleted)', 0)\nat = libc.mmap(None, ctypes.c_size_t(4_096), 1, 1, file, 0)"
    assert workspace.python(f"{OPEN}\n{code}\nat > 0")["ended"] is None
    workspace.python("os._exit(0)")
    workspace.remove("a (deleted)")
