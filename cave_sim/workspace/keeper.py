"""The keeper of one workspace: a process outside of the jail that starts it, and ends all that is in it, for certain.

Run as a script of its own, by the standard library and Landlock alone, so that it starts in some milliseconds. It forks
a process that enters namespaces of its own, where the system has them, and that forks the first one in there, which
runs what it is told (`inmates.py`). When the script that asked for the workspace is gone, by ``kill -9`` too, the
keeper ends everything inside and removes what was to be removed.
"""

from __future__ import annotations

import base64
import ctypes
import json
import os
import select
import signal
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
NEW_MOUNTS, NEW_IPC, NEW_USERS, NEW_PIDS, NEW_NET = 0x20000, 0x08000000, 0x10000000, 0x20000000, 0x40000000
MS_REC, MS_PRIVATE, MS_BIND = 0x4000, 1 << 18, 0x1000
SYS_MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY = 442, -100, 0x8000, 1
LOOK_MS = 500
"""How often a keeper looks whether the script is there still; where its end closes the pipe, at once."""

libc: ctypes.CDLL = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Keep a workspace until its script lets go of standard input. Standard output is the socket to what is inside."""
    script = os.getppid()
    with suppress(AttributeError):
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    life = sys.stdin.fileno()
    spec = json.loads(_line(life))
    spec["filter"] = base64.b64decode(spec["filter"])
    pid = os.fork()
    if pid == 0:
        _hold(spec)
    with suppress(OSError):
        os.close(1)
    watch = select.poll()
    watch.register(life, select.POLLIN | select.POLLHUP)
    while os.getppid() == script and os.waitpid(pid, os.WNOHANG) == (0, 0):
        if watch.poll(LOOK_MS):
            break
    with suppress(OSError):
        os.kill(pid, signal.SIGKILL)
    end_all()
    _take_neighbours()
    import trees  # type: ignore[import-not-found]

    for folder in spec["remove"]:
        with suppress(OSError):
            trees.remove(folder)


def end_all() -> None:
    """End whatever descends from this process, and reap it: what ends leaves its children to this one."""
    while True:
        if os.getpid() == 1:
            with suppress(OSError):
                os.kill(-1, signal.SIGKILL)
        else:
            for child in _children():
                with suppress(OSError):
                    os.kill(child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def signal_all(number: int) -> None:
    """Send a signal to whatever descends from this process."""
    if os.getpid() == 1:
        with suppress(OSError):
            os.kill(-1, number)
        return
    waiting = _children()
    while waiting:
        child = waiting.pop()
        with suppress(OSError):
            os.kill(child, number)
        waiting += _children(child)


def _children(parent: int | None = None) -> list[int]:
    parent, children = os.getpid() if parent is None else parent, []
    for folder in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        if folder.name.isdecimal():
            with suppress(OSError, IndexError, ValueError):
                if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                    children.append(int(folder.name))
    return children


def _take_neighbours() -> None:
    """Have the files beside this one be found, without the package around them."""
    sys.path.insert(0, str(Path(__file__).parent))


def _hold(spec: dict[str, Any]) -> NoReturn:
    """Enter namespaces, and fork the first process in there; end with it, and it with this one."""
    _end_with_parent()
    layers, missing = [], []
    for enter, layer in ((_namespaces, "namespaces"), (_read_only, "everything else mounted read-only")):
        try:
            enter(spec)
            layers.append(layer)
        except OSError as error:
            missing.append(f"no {layer} ({error.strerror})")
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        _end_with_parent(None if "namespaces" in layers else parent)
        _be_first(spec, layers, missing)
    os.close(1)
    os.waitpid(pid, 0)
    os._exit(0)


def _be_first(spec: dict[str, Any], layers: list[str], missing: list[str]) -> NoReturn:
    try:
        with suppress(AttributeError):
            libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        _take_neighbours()
        import command_jail  # type: ignore[import-not-found]
        import inmates  # type: ignore[import-not-found]
        import process_usage  # type: ignore[import-not-found]
        import trees

        keeper = SimpleNamespace(
            end_all=end_all, signal_all=signal_all, trees=trees, ProcessUsage=process_usage.ProcessUsage
        )
        inmates.serve(socket.socket(fileno=1), spec, command_jail.CommandJail(spec), layers, missing, keeper)
    finally:
        os._exit(0)


def _namespaces(_spec: dict[str, Any]) -> None:
    user, group = os.getuid(), os.getgid()
    _check(libc.unshare(NEW_USERS | NEW_MOUNTS | NEW_PIDS | NEW_NET | NEW_IPC))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        Path("/proc/self", name).write_text(text)


def _read_only(spec: dict[str, Any]) -> None:
    _check(libc.mount(b"none", b"/", None, ctypes.c_ulong(MS_REC | MS_PRIVATE), None))
    for folder in spec["writable"]:
        path = os.fsencode(folder)
        _check(libc.mount(path, path, None, ctypes.c_ulong(MS_BIND), None))
    _mount_attributes("/", MOUNT_ATTR_RDONLY, 0, AT_RECURSIVE)
    for folder in spec["writable"]:
        _mount_attributes(folder, 0, MOUNT_ATTR_RDONLY, 0)


def _mount_attributes(path: str, give: int, take: int, flags: int) -> None:
    wanted = struct.pack("QQQQ", give, take, 0, 0)
    _check(
        libc.syscall(
            ctypes.c_long(SYS_MOUNT_SETATTR), AT_FDCWD, os.fsencode(path), flags, wanted, ctypes.c_size_t(len(wanted))
        )
    )


def _end_with_parent(parent: int | None = None) -> None:
    """Have the kernel end this process with the one that forked it, or end now where that is gone already."""
    with suppress(AttributeError):
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if parent is not None and os.getppid() != parent:
        os._exit(0)


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _line(descriptor: int) -> bytes:
    """Return the line that a pipe begins with, and read nothing beyond it."""
    text = b""
    while not text.endswith(b"\n"):
        piece = os.read(descriptor, 65_536)
        if not piece:
            raise SystemExit(0)
        text += piece
    return text


if __name__ == "__main__":
    main()
